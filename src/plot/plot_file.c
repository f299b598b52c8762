/* Cairo's surfaces, drawn into memory and then written as a whole. No dates: the same drawing gives the same bytes. */
#include "plot/plot.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "files/byte_buffer.h"
#include "files/output.h"

/* Cairo forgets some errors of the last bytes; the buffer does not. */
static cairo_status_t append(void *context, const unsigned char *bytes, unsigned count)
{
    byte_buffer *buffer = context;
    byte_buffer_add(buffer, bytes, count);
    return buffer->failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

static bool find_format(const char *file, plot_format *format)
{
    static const char *const endings[] = { [PLOT_SVG] = ".svg", [PLOT_PDF] = ".pdf", [PLOT_PNG] = ".png" };
    const char *dot = strrchr(file, '.');
    for (int i = 0; dot && i < 3; ++i) {
        if (strcasecmp(dot, endings[i]) == 0) {
            *format = (plot_format)i;
            return true;
        }
    }
    return false;
}

static cairo_surface_t *make_pdf(byte_buffer *buffer, double width, double height)
{
    cairo_surface_t *surface = cairo_pdf_surface_create_for_stream(append, buffer, width, height);
    /* Cairo knows no way to leave the date out; a fixed one keeps the bytes equal. */
    cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
    return surface;
}

static cairo_surface_t *make_surface(plot_format format, byte_buffer *buffer, double width, double height, double dpi)
{
    if (format == PLOT_PDF) {
        return make_pdf(buffer, width, height);
    }
    if (format == PLOT_SVG) {
        cairo_surface_t *surface = cairo_svg_surface_create_for_stream(append, buffer, width, height);
        cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PT);
        return surface;
    }
    int columns = (int)ceil(width * dpi / 72.0);
    int rows = (int)ceil(height * dpi / 72.0);
    return cairo_image_surface_create(CAIRO_FORMAT_RGB24, columns, rows);
}

void plot_set_plain_fonts(cairo_t *cr)
{
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(cr, options);
    cairo_font_options_destroy(options);
}

static cairo_status_t draw_on(cairo_surface_t *surface, double scale, plot_painter draw, void *context)
{
    cairo_t *cr = cairo_create(surface);
    plot_set_plain_fonts(cr);
    cairo_scale(cr, scale, scale);
    cairo_set_source_rgb(cr, 1.0, 1.0, 1.0);
    cairo_paint(cr);
    bool drawn = draw(cr, context);
    cairo_status_t status = drawn ? cairo_status(cr) : CAIRO_STATUS_NO_MEMORY;
    cairo_destroy(cr);
    return status;
}

static cairo_status_t render(plot_format format, byte_buffer *buffer, double width, double height, double dpi,
                             plot_painter draw, void *context)
{
    cairo_surface_t *surface = make_surface(format, buffer, width, height, dpi);
    cairo_status_t status = cairo_surface_status(surface);
    if (status == CAIRO_STATUS_SUCCESS) {
        status = draw_on(surface, format == PLOT_PNG ? dpi / 72.0 : 1.0, draw, context);
    }
    if (status == CAIRO_STATUS_SUCCESS && format == PLOT_PNG) {
        status = cairo_surface_write_to_png_stream(surface, append, buffer);
    }
    cairo_surface_finish(surface); /* vectors are written here */
    status = status == CAIRO_STATUS_SUCCESS ? cairo_surface_status(surface) : status;
    cairo_surface_destroy(surface);
    return buffer->failed ? CAIRO_STATUS_NO_MEMORY : status;
}

/* ---- names in SVG ------------------------------------------------------------------------------------------------- */

/* Cairo names groups "surface7" by a count of the whole process: numbered anew in the order they appear. Texts are drawn
 * as outlines, so that no word of the figure is touched. */
enum { SVG_NAMES = 16 };

static const char svg_name[] = "surface";

/* The new number of a name; the count when there are too many, which then keep theirs. */
static size_t name_number(unsigned long known[SVG_NAMES], size_t *count, unsigned long number)
{
    size_t i = 0;
    while (i < *count && known[i] != number) {
        ++i;
    }
    if (i == *count && i < SVG_NAMES) {
        known[(*count)++] = number;
    }
    return i;
}

static cairo_status_t rename_groups(byte_buffer *svg)
{
    unsigned long known[SVG_NAMES];
    size_t count = 0;
    byte_buffer out = { 0 };
    byte_buffer_add(svg, "", 1); /* a zero behind the end */
    const char *text = svg->failed ? "" : (const char *)svg->data;
    for (const char *found; (found = strstr(text, svg_name));) {
        char *after = NULL;
        char name[40];
        unsigned long number = strtoul(found + sizeof svg_name - 1, &after, 10);
        size_t fresh = name_number(known, &count, number);
        snprintf(name, sizeof name, "%s%lu", svg_name, fresh < SVG_NAMES ? (unsigned long)fresh : number);
        byte_buffer_add(&out, text, (size_t)(found - text));
        byte_buffer_add(&out, name, strlen(name));
        text = after;
    }
    byte_buffer_add(&out, text, strlen(text));
    out.failed = out.failed || svg->failed;
    byte_buffer_free(svg);
    *svg = out;
    return out.failed ? CAIRO_STATUS_NO_MEMORY : CAIRO_STATUS_SUCCESS;
}

/* ---- files -------------------------------------------------------------------------------------------------------- */

static carom_status unknown_format(const char *file, carom_error *err)
{
    return carom_fail(err, CAROM_BAD_INPUT, "cannot plot to '%.300s': the name must end in .svg, .pdf or .png", file);
}

carom_status plot_check_name(const char *file, carom_error *err)
{
    plot_format format;
    return find_format(file, &format) ? CAROM_OK : unknown_format(file, err);
}

carom_status plot_write(const char *file, double width, double height, double dpi, plot_painter draw, void *context,
                        carom_error *err)
{
    plot_format format;
    byte_buffer buffer = { 0 };
    if (!find_format(file, &format)) {
        return unknown_format(file, err);
    }
    cairo_status_t drawn = render(format, &buffer, width, height, dpi, draw, context);
    if (drawn == CAIRO_STATUS_SUCCESS && format == PLOT_SVG) {
        drawn = rename_groups(&buffer);
    }
    carom_status status = CAROM_OK;
    if (drawn == CAIRO_STATUS_NO_MEMORY) {
        status = carom_fail(err, CAROM_NO_MEMORY, "no memory to draw '%.300s'", file);
    } else if (drawn != CAIRO_STATUS_SUCCESS) {
        status = carom_fail(err, CAROM_IO_FAILED, "cannot draw '%.300s': %s", file, cairo_status_to_string(drawn));
    } else {
        status = output_whole(file, buffer.data, buffer.size, err);
    }
    byte_buffer_free(&buffer);
    return status;
}
