/* Words and numbers of mesh files.
 *
 * Numbers: a mantissa below 2^53 times a power of ten up to 10^22 is exact in both factors, so one multiplication or
 * division rounds once and correctly [Clinger1990]. Everything else goes to strtod under the C locale, which glibc
 * rounds correctly too. */
#include "mesh_files/mesh_text.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 500 }; /* characters; nobody writes more, and exponents cannot overflow */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static mesh_word word_here(mesh_text *text)
{
    mesh_word word = { .at = text->at };
    while (text->at < text->end && !is_blank(*text->at) && *text->at != '\n') {
        ++text->at;
    }
    ptrdiff_t length = text->at - word.at;
    word.length = length > INT32_MAX ? INT32_MAX : (int)length;
    return word;
}

mesh_word mesh_text_word_on_line(mesh_text *text)
{
    while (text->at < text->end && is_blank(*text->at)) {
        ++text->at;
    }
    return word_here(text);
}

mesh_word mesh_text_word(mesh_text *text)
{
    while (text->at < text->end && (is_blank(*text->at) || *text->at == '\n')) {
        text->line += *text->at == '\n';
        ++text->at;
    }
    return word_here(text);
}

void mesh_text_skip_line(mesh_text *text)
{
    const char *newline = memchr(text->at, '\n', (size_t)(text->end - text->at));
    text->at = newline ? newline + 1 : text->end;
    text->line += newline != NULL;
}

bool mesh_word_is(mesh_word word, const char *keyword)
{
    for (int i = 0; i < word.length; ++i) {
        char c = word.at[i];
        c = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
        if (c == '\0' || c != keyword[i]) { /* a zero in the file must not pass for the keyword's end */
            return false;
        }
    }
    return keyword[word.length] == '\0';
}

/* strtod of a word already known to be a decimal number, whatever the process has set as its locale. */
static bool slow_number(mesh_word word, double *value)
{
    char copy[LONGEST_NUMBER + 1];
    memcpy(copy, word.at, (size_t)word.length);
    copy[word.length] = '\0';
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!c_locale) {
        return false;
    }
    locale_t previous = uselocale(c_locale);
    *value = strtod(copy, NULL);
    uselocale(previous);
    freelocale(c_locale);
    return true;
}

/* A decimal number taken apart: digits without the point, and the power of ten they are to be multiplied by. */
typedef struct decimal {
    uint64_t mantissa;
    int digits; /* significant digits in the mantissa; more than 19 overflow it */
    int exponent;
    bool negative;
} decimal;

static const char *read_digits(decimal *d, const char *at, const char *end, int exponent_step)
{
    for (; at < end && is_digit(*at); ++at) {
        d->mantissa = 10 * d->mantissa + (uint64_t)(*at - '0'); /* wraps when digits > 19: not used then */
        d->digits += d->mantissa != 0 || d->digits != 0;
        d->exponent += exponent_step;
    }
    return at;
}

static bool read_exponent(decimal *d, const char *at, const char *end)
{
    enum { BEYOND = 100000 }; /* any double has long overflowed or vanished */
    bool negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    int exponent = 0;
    bool any = at < end;
    for (; at < end && is_digit(*at); ++at) {
        exponent = exponent < BEYOND ? 10 * exponent + (*at - '0') : exponent;
    }
    d->exponent += negative ? -exponent : exponent;
    return any && at == end;
}

/* [sign] digits [. digits] [e [sign] digits], at least one digit before or after the point, nothing else. */
static bool read_decimal(decimal *d, mesh_word word)
{
    const char *at = word.at;
    const char *end = word.at + word.length;
    d->negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    const char *first = at;
    at = read_digits(d, at, end, 0);
    ptrdiff_t digits = at - first;
    if (at < end && *at == '.') {
        const char *point = ++at;
        at = read_digits(d, at, end, -1);
        digits += at - point;
    }
    if (digits == 0) {
        return false;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        return read_exponent(d, at + 1, end);
    }
    return at == end;
}

bool mesh_word_number(mesh_word word, double *value)
{
    static const double power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    const int largest_power = 22;
    decimal d = { 0 };
    if (word.length > LONGEST_NUMBER || !read_decimal(&d, word)) {
        return false;
    }
    if (d.digits > 19 || d.mantissa > UINT64_C(1) << 53 || abs(d.exponent) > largest_power) {
        return slow_number(word, value);
    }
    double size = (double)d.mantissa;
    size = d.exponent < 0 ? size / power[-d.exponent] : size * power[d.exponent];
    *value = d.negative ? -size : size;
    return true;
}

bool mesh_word_integer(mesh_word word, int32_t *value, int *used)
{
    bool negative = word.length > 0 && word.at[0] == '-';
    int i = word.length > 0 && (word.at[0] == '-' || word.at[0] == '+');
    int first = i;
    int64_t sum = 0;
    for (; i < word.length && is_digit(word.at[i]); ++i) {
        sum = 10 * sum + (word.at[i] - '0');
        if (sum > INT32_MAX) {
            return false;
        }
    }
    *value = (int32_t)(negative ? -sum : sum);
    *used = i;
    return i > first;
}
