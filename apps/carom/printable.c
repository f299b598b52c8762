/* UTF-8 as far as a terminal needs it: decoding without trust, widths after Unicode's East Asian Width (UAX 11, wide and
 * fullwidth) and general categories (combining marks). */
#include "printable.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- characters --------------------------------------------------------------------------------------------------- */

typedef struct code_range {
    uint32_t first, last;
} code_range;

/* Ascending. */
static const code_range wide[] = {
    { 0x1100, 0x115f },   { 0x231a, 0x231b },   { 0x2329, 0x232a },   { 0x23e9, 0x23ec },   { 0x23f0, 0x23f0 },
    { 0x23f3, 0x23f3 },   { 0x25fd, 0x25fe },   { 0x2614, 0x2615 },   { 0x2648, 0x2653 },   { 0x267f, 0x267f },
    { 0x2693, 0x2693 },   { 0x26a1, 0x26a1 },   { 0x26aa, 0x26ab },   { 0x26bd, 0x26be },   { 0x26c4, 0x26c5 },
    { 0x26ce, 0x26ce },   { 0x26d4, 0x26d4 },   { 0x26ea, 0x26ea },   { 0x26f2, 0x26f3 },   { 0x26f5, 0x26f5 },
    { 0x26fa, 0x26fa },   { 0x26fd, 0x26fd },   { 0x2705, 0x2705 },   { 0x270a, 0x270b },   { 0x2728, 0x2728 },
    { 0x274c, 0x274c },   { 0x274e, 0x274e },   { 0x2753, 0x2755 },   { 0x2757, 0x2757 },   { 0x2795, 0x2797 },
    { 0x27b0, 0x27b0 },   { 0x27bf, 0x27bf },   { 0x2b1b, 0x2b1c },   { 0x2b50, 0x2b50 },   { 0x2b55, 0x2b55 },
    { 0x2e80, 0x303e },   { 0x3041, 0x4dbf },   { 0x4e00, 0xa4cf },   { 0xa960, 0xa97c },   { 0xac00, 0xd7a3 },
    { 0xf900, 0xfaff },   { 0xfe10, 0xfe19 },   { 0xfe30, 0xfe6b },   { 0xff01, 0xff60 },   { 0xffe0, 0xffe6 },
    { 0x16fe0, 0x18cff }, { 0x1aff0, 0x1b2fb }, { 0x1f004, 0x1f004 }, { 0x1f0cf, 0x1f0cf }, { 0x1f18e, 0x1f18e },
    { 0x1f191, 0x1f19a }, { 0x1f200, 0x1f320 }, { 0x1f32d, 0x1f335 }, { 0x1f337, 0x1f37c }, { 0x1f37e, 0x1f393 },
    { 0x1f3a0, 0x1f3ca }, { 0x1f3cf, 0x1f3d3 }, { 0x1f3e0, 0x1f3f0 }, { 0x1f3f4, 0x1f3f4 }, { 0x1f3f8, 0x1f43e },
    { 0x1f440, 0x1f440 }, { 0x1f442, 0x1f4fc }, { 0x1f4ff, 0x1f53d }, { 0x1f54b, 0x1f54e }, { 0x1f550, 0x1f567 },
    { 0x1f57a, 0x1f57a }, { 0x1f595, 0x1f596 }, { 0x1f5a4, 0x1f5a4 }, { 0x1f5fb, 0x1f64f }, { 0x1f680, 0x1f6c5 },
    { 0x1f6cc, 0x1f6cc }, { 0x1f6d0, 0x1f6d2 }, { 0x1f6d5, 0x1f6d7 }, { 0x1f6dc, 0x1f6df }, { 0x1f6eb, 0x1f6ec },
    { 0x1f6f4, 0x1f6fc }, { 0x1f7e0, 0x1f7eb }, { 0x1f7f0, 0x1f7f0 }, { 0x1f90c, 0x1f93a }, { 0x1f93c, 0x1f945 },
    { 0x1f947, 0x1f9ff }, { 0x1fa70, 0x1faff }, { 0x20000, 0x3fffd },
};

/* Marks on the character before, joiners and variation selectors; ascending. */
static const code_range combining[] = {
    { 0x300, 0x36f },     { 0x483, 0x489 },     { 0x591, 0x5bd },   { 0x5bf, 0x5bf },   { 0x5c1, 0x5c2 },
    { 0x5c4, 0x5c5 },     { 0x610, 0x61a },     { 0x64b, 0x65f },   { 0x670, 0x670 },   { 0x6d6, 0x6dc },
    { 0x6df, 0x6e4 },     { 0x6e7, 0x6e8 },     { 0x6ea, 0x6ed },   { 0x900, 0x902 },   { 0x93c, 0x93c },
    { 0x941, 0x948 },     { 0x94d, 0x94d },     { 0xe31, 0xe31 },   { 0xe34, 0xe3a },   { 0xe47, 0xe4e },
    { 0x1ab0, 0x1aff },   { 0x1dc0, 0x1dff },   { 0x200b, 0x200d }, { 0x2060, 0x2064 }, { 0x20d0, 0x20ff },
    { 0x302a, 0x302d },   { 0x3099, 0x309a },   { 0xfe00, 0xfe0f }, { 0xfe20, 0xfe2f }, { 0xfeff, 0xfeff },
    { 0xe0020, 0xe007f }, { 0xe0100, 0xe01ef },
};

/* C0, DEL and C1; ends of lines and paragraphs; marks, embeddings, overrides and isolates of direction. */
static const code_range forbidden[] = {
    { 0x00, 0x1f },     { 0x7f, 0x9f },     { 0x61c, 0x61c },   { 0x200e, 0x200f },
    { 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfff9, 0xfffb },
};

static bool is_among(const code_range *ranges, size_t count, uint32_t code)
{
    size_t low = 0;
    while (low < count && ranges[low].last < code) {
        ++low;
    }
    return low < count && ranges[low].first <= code;
}

#define IS_AMONG(ranges, code) is_among(ranges, sizeof(ranges) / sizeof(ranges)[0], code)

static int code_width(uint32_t code)
{
    if (code < 0x300) {
        return 1;
    }
    return IS_AMONG(combining, code) ? 0 : IS_AMONG(wide, code) ? 2 : 1;
}

/* Bytes of the character at the start of the text; 0: no UTF-8. Overlong forms and surrogates are none. */
static size_t decode(const char *text, uint32_t *code)
{
    static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
    const unsigned char *p = (const unsigned char *)text;
    size_t bytes = p[0] < 0x80 ? 1 : p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : p[0] >= 0xc0 ? 2 : 0;
    if (bytes <= 1) {
        *code = p[0];
        return bytes;
    }
    *code = p[0] & (0xffu >> (bytes + 1));
    for (size_t i = 1; i < bytes; ++i) {
        if ((p[i] & 0xc0) != 0x80) {
            return 0;
        }
        *code = *code << 6 | (p[i] & 0x3fu);
    }
    bool valid = p[0] < 0xf8 && *code >= least[bytes] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
    return valid ? bytes : 0;
}

/* ---- texts -------------------------------------------------------------------------------------------------------- */

void make_printable(char *text, bool keep_lines)
{
    char *out = text;
    while (*text) {
        uint32_t code = 0;
        size_t bytes = decode(text, &code);
        bool fine = bytes > 0 && (!IS_AMONG(forbidden, code) || (keep_lines && code == '\n'));
        bytes = bytes > 0 ? bytes : 1;
        if (fine) {
            memmove(out, text, bytes);
            out += bytes;
        } else {
            *out++ = '?';
        }
        text += bytes;
    }
    *out = '\0';
}

/* The next character of printable text; what is none counts as one column. */
static size_t step_over(const char *text, int *width)
{
    uint32_t code = 0;
    size_t bytes = decode(text, &code);
    *width = bytes > 0 ? code_width(code) : 1;
    return bytes > 0 ? bytes : 1;
}

int text_width(const char *text)
{
    int total = 0;
    while (*text) {
        int width;
        text += step_over(text, &width);
        total += width;
    }
    return total;
}

size_t text_fit(const char *text, int width)
{
    size_t fit = 0;
    while (text[fit]) {
        int more;
        size_t bytes = step_over(text + fit, &more);
        width -= more;
        if (width < 0) {
            break;
        }
        fit += bytes;
    }
    return fit;
}

int print_clipped(FILE *stream, const char *text, int width)
{
    int whole = text_width(text);
    if (whole <= width) {
        fputs(text, stream);
        return whole;
    }
    size_t bytes = text_fit(text, width - 1);
    int used = 0;
    for (size_t i = 0; i < bytes;) {
        int more;
        i += step_over(text + i, &more);
        used += more;
    }
    fwrite(text, 1, bytes, stream);
    fputs(is_utf8_locale() ? "\xe2\x80\xa6" : "~", stream);
    return used + 1;
}

/* ---- the screen --------------------------------------------------------------------------------------------------- */

static bool says_utf8(const char *words)
{
    for (; words && *words; ++words) {
        if (strncasecmp(words, "UTF-8", 5) == 0 || strncasecmp(words, "UTF8", 4) == 0) {
            return true;
        }
    }
    return false;
}

/* The environment is asked by name, so that the locale of the process stays "C": numbers are written with points. */
bool is_utf8_locale(void)
{
    static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    const char *name = NULL;
    for (int i = 0; i < 3 && !(name && *name); ++i) {
        name = getenv(variables[i]);
    }
    return says_utf8(name);
}

bool is_colourful(FILE *stream)
{
    const char *off = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(fileno(stream)) == 1 && !(off && *off) && !(term && strcmp(term, "dumb") == 0);
}

int columns_of(FILE *stream)
{
    enum { USUAL = 80, LEAST = 40, MOST = 1000 };
    struct winsize size;
    const char *told = getenv("COLUMNS");
    long columns = told ? strtol(told, NULL, 10) : 0;
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        columns = size.ws_col;
    }
    columns = columns > 0 ? columns : USUAL;
    return columns < LEAST ? LEAST : columns > MOST ? MOST : (int)columns;
}
