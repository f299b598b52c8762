/* Styles, colours and texts. Texts go through Cairo's simple font interface with the families "sans" and "serif", for
 * which every system has a font and Cairo one of its own where there is none. */
#include "plot/plot.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

/* Okabe and Ito's colours, which people with any kind of colour vision can tell apart; yellow is left out. */
static const plot_colour screen_palette[] = {
    { 0.000, 0.447, 0.698 }, { 0.835, 0.369, 0.000 }, { 0.000, 0.620, 0.451 }, { 0.800, 0.475, 0.655 },
    { 0.902, 0.624, 0.000 }, { 0.337, 0.706, 0.914 }, { 0.250, 0.250, 0.250 },
};

static const plot_colour paper_palette[] = {
    { 0.000, 0.000, 0.000 }, { 0.757, 0.153, 0.176 }, { 0.000, 0.267, 0.600 }, { 0.000, 0.475, 0.333 },
    { 0.780, 0.440, 0.000 }, { 0.455, 0.235, 0.580 }, { 0.450, 0.450, 0.450 },
};

static const plot_theme screen_theme = {
    .family = "sans",
    .tick_size = 8.0,
    .label_size = 9.0,
    .title_size = 10.5,
    .line_width = 1.4,
    .frame_width = 0.7,
    .grid_width = 0.5,
    .tick_length = 3.5,
    .marker = 2.4,
    .grid = true,
    .frame = false,
    .ink = { 0.13, 0.13, 0.15 },
    .soft_ink = { 0.35, 0.35, 0.38 },
    .grid_ink = { 0.87, 0.87, 0.89 },
    .palette = screen_palette,
    .palette_count = sizeof screen_palette / sizeof screen_palette[0],
};

static const plot_theme paper_theme = {
    .family = "serif",
    .tick_size = 7.5,
    .label_size = 8.5,
    .title_size = 9.5,
    .line_width = 0.8,
    .frame_width = 0.6,
    .grid_width = 0.3,
    .tick_length = -3.5,
    .marker = 2.0,
    .grid = false,
    .frame = true,
    .ink = { 0.0, 0.0, 0.0 },
    .soft_ink = { 0.0, 0.0, 0.0 },
    .grid_ink = { 0.8, 0.8, 0.8 },
    .palette = paper_palette,
    .palette_count = sizeof paper_palette / sizeof paper_palette[0],
};

const plot_theme *plot_theme_of(carom_plot_style style)
{
    return style == CAROM_PLOT_PAPER ? &paper_theme : &screen_theme;
}

/* ---- colours ------------------------------------------------------------------------------------------------------ */

static int hex_digit(char c)
{
    const char *digits = "0123456789abcdef";
    const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
    return found ? (int)(found - digits) : -1;
}

bool plot_read_colour(const char *text, plot_colour *out)
{
    int digits[6];
    if (text[0] != '#' || strlen(text) != 7) {
        return false;
    }
    for (int i = 0; i < 6; ++i) {
        digits[i] = hex_digit(text[i + 1]);
        if (digits[i] < 0) {
            return false;
        }
    }
    out->red = (16 * digits[0] + digits[1]) / 255.0;
    out->green = (16 * digits[2] + digits[3]) / 255.0;
    out->blue = (16 * digits[4] + digits[5]) / 255.0;
    return true;
}

void plot_set_colour(cairo_t *cr, plot_colour colour, double alpha)
{
    cairo_set_source_rgba(cr, colour.red, colour.green, colour.blue, alpha);
}

/* ---- characters --------------------------------------------------------------------------------------------------- */

/* Length of the UTF-8 character at text, 0 when there is none: Cairo refuses whole texts for one wrong byte. */
static size_t character_length(const char *text)
{
    uint32_t number;
    return carom_text_character(text, &number);
}

static uint32_t character_number(const char *text)
{
    uint32_t number = 0;
    carom_text_character(text, &number);
    return number;
}

/* ---- order of writing ---------------------------------------------------------------------------------------------- */

/* Hebrew, Arabic and their neighbours. */
static bool is_right_to_left(uint32_t number)
{
    return (number >= 0x0590 && number <= 0x08ff) || (number >= 0xfb1d && number <= 0xfdff) ||
           (number >= 0xfe70 && number <= 0xfefc);
}

static void reverse_bytes(char *text, size_t count)
{
    for (size_t i = 0; 2 * i + 1 < count; ++i) {
        char c = text[i];
        text[i] = text[count - 1 - i];
        text[count - 1 - i] = c;
    }
}

/* Turns the order of characters around: all bytes, then those of each character back. */
static void reverse_characters(char *text, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t length = character_length(text + i);
        reverse_bytes(text + i, length);
        i += length;
    }
    reverse_bytes(text, count);
}

/* Cairo draws characters from left to right as they come. Words that are written the other way, with the spaces between
 * them, are turned around: what the Unicode algorithm does for the simple case. */
static void order_for_drawing(char *text)
{
    size_t start = 0;
    size_t end = 0; /* of the span; start == end: none */
    for (size_t i = 0; text[i];) {
        size_t length = character_length(text + i);
        bool turned = is_right_to_left(character_number(text + i));
        if (turned) {
            start = start == end ? i : start;
            end = i + length;
        } else if (text[i] != ' ') {
            reverse_characters(text + start, end - start);
            start = end = 0;
        }
        i += length;
    }
    reverse_characters(text + start, end - start);
}

/* ---- texts -------------------------------------------------------------------------------------------------------- */

enum { RUN = 640 };

/* A stretch of text on one level. */
typedef struct text_run {
    char text[RUN];
    int level; /* 1 raised, -1 lowered */
} text_run;

/* Marks without a shape: zero width, direction of writing, joiners, byte order, variants of emoji. */
static bool is_invisible(unsigned number)
{
    return (number >= 0x200b && number <= 0x200f) || (number >= 0x202a && number <= 0x202e) ||
           (number >= 0x2060 && number <= 0x206f) || (number >= 0xfe00 && number <= 0xfe0f) || number == 0xfeff;
}

/* Control characters of one or two bytes, and separators of lines. */
static bool is_control(const char *text, size_t length, unsigned number)
{
    return (length == 1 && iscntrl((unsigned char)text[0])) || (length == 2 && number < 0xa0) || number == 0x2028 ||
           number == 0x2029;
}

/* One character into the run; what is no character, or moves the cursor, becomes '?'. Returns what follows. */
static const char *take_character(text_run *run, size_t *used, const char *text)
{
    size_t length = character_length(text);
    uint32_t number = character_number(text);
    bool wrong = length == 0 || is_control(text, length, number);
    if (is_invisible(number)) {
        return text + length;
    }
    if (*used + length + 1 < RUN) {
        memcpy(run->text + *used, wrong ? "?" : text, wrong ? 1 : length);
        *used += wrong ? 1 : length;
    }
    return text + (length > 0 ? length : 1);
}

/* The same with a real minus sign. */
static const char *take_formula(text_run *run, size_t *used, const char *text)
{
    if (*text != '-') {
        return take_character(run, used, text);
    }
    take_character(run, used, "\xe2\x88\x92");
    return text + 1;
}

/* After '^': a sign and digits, or anything in braces. */
static const char *take_raised(text_run *run, size_t *used, const char *text)
{
    if (*text == '{') {
        for (++text; *text && *text != '}';) {
            text = take_formula(run, used, text);
        }
        return *text ? text + 1 : text;
    }
    do {
        text = take_formula(run, used, text);
    } while (isdigit((unsigned char)*text) || *text == '.');
    return text;
}

static bool opens_raised(const char *text)
{
    const char *after = text[0] == '^' ? text + 1 : "";
    bool sign = *after == '-' || *after == '+';
    return *after == '{' || isdigit((unsigned char)*after) || (sign && isdigit((unsigned char)after[1]));
}

static bool opens_lowered(const char *text)
{
    return text[0] == '_' && text[1] == '{';
}

/* The next run; returns what follows, NULL when there was none. */
static const char *next_run(const char *text, text_run *run)
{
    size_t used = 0;
    if (*text == '\0') {
        return NULL;
    }
    run->level = opens_raised(text) ? 1 : opens_lowered(text) ? -1 : 0;
    if (run->level != 0) {
        text = take_raised(run, &used, text + 1);
    } else {
        while (*text && !opens_raised(text) && !opens_lowered(text)) {
            text = take_character(run, &used, text);
        }
    }
    run->text[used] = '\0';
    order_for_drawing(run->text);
    return text;
}

static double run_size(const text_run *run, double size)
{
    return run->level == 0 ? size : 0.72 * size;
}

static double run_width(cairo_t *cr, const text_run *run, double size)
{
    cairo_text_extents_t extents;
    cairo_set_font_size(cr, run_size(run, size));
    cairo_text_extents(cr, run->text, &extents);
    return extents.x_advance;
}

static void select_font(cairo_t *cr, const plot_theme *theme)
{
    cairo_select_font_face(cr, theme->family, CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

double plot_text_width(cairo_t *cr, const plot_theme *theme, double size, const char *text)
{
    text_run run;
    double width = 0.0;
    select_font(cr, theme);
    while (text && (text = next_run(text, &run))) {
        width += run_width(cr, &run, size);
    }
    return width;
}

/* The place `count` characters after text, or its end. */
static const char *skip_characters(const char *text, size_t count)
{
    for (; *text && count > 0; --count) {
        size_t length = character_length(text);
        text += length > 0 ? length : 1;
    }
    return text;
}

static size_t count_characters(const char *text)
{
    size_t count = 0;
    for (; *text; text = skip_characters(text, 1)) {
        ++count;
    }
    return count;
}

/* `kept` characters of the text around an ellipsis: most of its beginning, and its end where `middle`. */
static void shorten(char buffer[PLOT_TEXT], const char *text, size_t characters, size_t kept, bool middle)
{
    size_t tail = middle ? 2 * kept / 5 : 0;
    const char *head_end = skip_characters(text, kept - tail);
    const char *tail_start = skip_characters(text, characters - tail);
    snprintf(buffer, PLOT_TEXT, "%.*s\xe2\x80\xa6%s", (int)(head_end - text), text, tail_start);
}

const char *plot_text_fit(cairo_t *cr, const plot_theme *theme, double size, const char *text, double room,
                          bool middle, char buffer[PLOT_TEXT])
{
    const size_t most = PLOT_TEXT / 4 - 2; /* a character has four bytes at most */
    size_t characters = count_characters(text);
    if (characters <= most && plot_text_width(cr, theme, size, text) <= room) {
        return text;
    }
    size_t low = 0; /* the largest number that fits */
    size_t high = characters < most ? characters : most;
    while (low + 1 < high) {
        size_t kept = (low + high) / 2;
        shorten(buffer, text, characters, kept, middle);
        *(plot_text_width(cr, theme, size, buffer) <= room ? &low : &high) = kept;
    }
    shorten(buffer, text, characters, low, middle);
    return buffer;
}

double plot_text_height(double size)
{
    return 0.73 * size;
}

void plot_text_draw(cairo_t *cr, const plot_theme *theme, double size, const char *text, double x, double y,
                    double angle, plot_anchor anchor)
{
    static const double share[] = { [ANCHOR_START] = 0.0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1.0 };
    double at = -share[anchor] * plot_text_width(cr, theme, size, text);
    text_run run;
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_rotate(cr, angle);
    while (text && (text = next_run(text, &run))) {
        double width = run_width(cr, &run, size);
        double shift = run.level > 0 ? -0.36 * size : run.level < 0 ? 0.18 * size : 0.0;
        cairo_move_to(cr, at, shift);
        cairo_show_text(cr, run.text);
        at += width;
    }
    cairo_restore(cr);
}
