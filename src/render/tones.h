/* Colours of pictures. Light is added up linearly and shown as sRGB. All of it is sums, products, quotients and roots, so that
 * pictures have the same bytes on every machine. */
#ifndef CAROM_RENDER_TONES_H
#define CAROM_RENDER_TONES_H

#include <carom/result.h>

typedef struct tone {
    float r, g, b; /* linear, 0..1 */
} tone;

static inline tone tone_mix(tone a, tone b, float part)
{
    return (tone){ a.r + (b.r - a.r) * part, a.g + (b.g - a.g) * part, a.b + (b.b - a.b) * part };
}

/* From 0xrrggbb as style sheets write it; from numbers 0..1 as screens have them. */
tone tone_hex(unsigned rgb);
tone tone_shown(const double rgb[3]);

/* The colour of a body: its own, or the one that the page gives it (viewer/src/scene/colors.ts). */
tone tone_of_body(const carom_result *result, carom_id body);

/* Values 0..1: blue, green, yellow, red, as on the page. */
tone tone_ramp(double value);

/* Linear light to bytes. */
enum { TONE_STEPS = 4096 };
typedef struct tone_table {
    unsigned char shown[TONE_STEPS + 1];
} tone_table;
void tone_table_make(tone_table *table);

static inline unsigned char tone_byte(const tone_table *table, float linear)
{
    float x = linear < 0.0F ? 0.0F : linear > 1.0F ? 1.0F : linear;
    return table->shown[(int)(x * TONE_STEPS + 0.5F)];
}

#endif
