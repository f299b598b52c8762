/* sRGB without powers: x^(5/12) is the cube root of the fourth root of x^5, x^2.4 the square of x times the fifth root of that. */
#include "render/tones.h"

#include <math.h>
#include <string.h>

/* The k-th root of x in (0, 1] by Newton's method, which descends from 1. */
static double root_of(double x, int k)
{
    double y = 1.0;
    for (int i = 0; i < 64; ++i) {
        double power = 1.0;
        for (int n = 1; n < k; ++n) {
            power *= y;
        }
        y = ((k - 1) * y + x / power) / k;
    }
    return y;
}

static double linear_of(double shown)
{
    if (shown <= 0.04045) {
        return shown / 12.92;
    }
    double x = (shown + 0.055) / 1.055;
    return x * x * root_of(x * x, 5);
}

static double shown_of(double linear)
{
    double x5 = linear * linear * linear * linear * linear;
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * root_of(sqrt(sqrt(x5)), 3) - 0.055;
}

tone tone_shown(const double rgb[3])
{
    return (tone){ (float)linear_of(rgb[0]), (float)linear_of(rgb[1]), (float)linear_of(rgb[2]) };
}

tone tone_hex(unsigned rgb)
{
    const double shown[3] = { (rgb >> 16 & 255) / 255.0, (rgb >> 8 & 255) / 255.0, (rgb & 255) / 255.0 };
    return tone_shown(shown);
}

static bool is_colour(const double rgb[3])
{
    return rgb[0] >= 0.0 && rgb[0] <= 1.0 && rgb[1] >= 0.0 && rgb[1] <= 1.0 && rgb[2] >= 0.0 && rgb[2] <= 1.0;
}

tone tone_of_body(const carom_result *result, carom_id body)
{
    static const unsigned categories[] = { 0x5b8fc9, 0xe0925a, 0x5fae7c, 0xc96b6b, 0x9a82c4,
                                           0xb59a5b, 0xd089b4, 0x5aa9b5, 0x8aa35a, 0x7c8db0 };
    const unsigned fixed = 0x9aa3ad;
    carom_result_body info = carom_result_body_info(result, body);
    if (body > CAROM_GROUND && is_colour(info.color)) {
        return tone_shown(info.color);
    }
    bool still = body <= CAROM_GROUND || strcmp(info.role, "fixed") == 0;
    return tone_hex(still ? fixed : categories[(size_t)(body - 1) % (sizeof categories / sizeof categories[0])]);
}

tone tone_ramp(double value)
{
    static const double stops[][3] = { { 88, 120, 225 }, { 40, 160, 205 }, { 60, 185, 120 },
                                       { 200, 200, 60 }, { 240, 140, 40 }, { 215, 40, 40 } };
    const int last = sizeof stops / sizeof stops[0] - 1;
    double x = (value >= 0.0 ? fmin(value, 1.0) : 0.0) * last;
    int low = x >= last ? last - 1 : (int)x;
    double shown[3];
    for (int k = 0; k < 3; ++k) {
        shown[k] = (stops[low][k] + (stops[low + 1][k] - stops[low][k]) * (x - low)) / 255.0;
    }
    return tone_shown(shown);
}

void tone_table_make(tone_table *table)
{
    for (int i = 0; i <= TONE_STEPS; ++i) {
        table->shown[i] = (unsigned char)(255.0 * shown_of((double)i / TONE_STEPS) + 0.5);
    }
}
