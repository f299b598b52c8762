/* The page as a file: the viewer with the data in its middle. Names and texts of users are inside the packed data only,
 * so nothing they hold can end an element or begin one. */
#include "page/page.h"

#include <string.h>

#include "base/arguments.h"
#include "base/assert.h"
#include "files/output.h"
#include "result/result_read.h"

static const char TOKEN[] = "@CAROM_DATA@"; /* where the data goes, see viewer/build.mjs */

/* The one place of the token; viewer/build.mjs makes no page without it. */
static const unsigned char *find_token(void)
{
    size_t length = sizeof TOKEN - 1;
    size_t i = 0;
    while (memcmp(carom_viewer_page + i, TOKEN, length) != 0) {
        ++i;
        CAROM_ASSERT(i + length <= carom_viewer_page_size);
    }
    return carom_viewer_page + i;
}

static carom_status build_page(byte_buffer *page, const byte_buffer *data, carom_error *err)
{
    const unsigned char *token = find_token();
    const unsigned char *rest = token + sizeof TOKEN - 1;
    byte_buffer_add(page, carom_viewer_page, (size_t)(token - carom_viewer_page));
    bool ok = page_pack(data, page);
    byte_buffer_add(page, rest, (size_t)(carom_viewer_page + carom_viewer_page_size - rest));
    return ok && !page->failed ? CAROM_OK : carom_fail(err, CAROM_NO_MEMORY, "no memory for a page");
}

/* A slip of the keyboard must not replace a scene or a picture. */
static carom_status check_name(const char *file, carom_error *err)
{
    const char *slash = strrchr(file, '/');
    const char *dot = strrchr(slash ? slash : file, '.');
    bool html = dot && (strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0);
    bool fits = html || output_is_special(file);
    return fits ? CAROM_OK : carom_fail(err, CAROM_BAD_INPUT, "'%.500s': the name of a page ends in .html", file);
}

static carom_status check_given(const carom_result *const *results, size_t count, const carom_page_options *options,
                                const char *file, carom_error *err)
{
    const char *function = "carom_page_write";
    if (count == 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "a page needs at least one result");
    }
    carom_status status = argument_list(function, "results", (const void *const *)results, count, err);
    if (status == CAROM_OK && options && options->labels) {
        status = argument_texts(function, "options->labels", options->labels, count, err);
    }
    return status == CAROM_OK ? argument_text(function, "file", file, err) : status;
}

carom_status page_save(const byte_buffer *data, const char *file, carom_error *err)
{
    byte_buffer page = { 0 };
    carom_status status = check_name(file, err);
    status = status == CAROM_OK ? build_page(&page, data, err) : status;
    status = status == CAROM_OK ? output_whole(file, page.data, page.size, err) : status;
    byte_buffer_free(&page);
    return status;
}

carom_status carom_page_write(const carom_result *const *results, size_t count, const carom_page_options *options,
                              const char *file, carom_error *err)
{
    byte_buffer data = { 0 };
    carom_status status = check_given(results, count, options, file, err);
    status = status == CAROM_OK ? check_name(file, err) : status;
    for (size_t i = 0; i < count && status == CAROM_OK; ++i) {
        status = result_refuse_own(results[i], file, err);
    }
    status = status == CAROM_OK ? page_data(results, count, options, &data, err) : status;
    status = status == CAROM_OK ? page_save(&data, file, err) : status;
    byte_buffer_free(&data);
    return status;
}
