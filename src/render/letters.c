/* The letters that captions need, as lines on a grid 4 wide and 6 high: pairs of digits, x and y upwards; ';' lifts the pen. */
#include <string.h>

#include "render/canvas.h"

typedef struct letter {
    char sign;
    int width; /* of the grid */
    const char *lines;
} letter;

static const letter letters[] = {
    { ' ', 2, "" },
    { '.', 1, "00 00" },
    { '-', 3, "03 33" },
    { '+', 4, "03 43;25 21" },
    { '=', 4, "04 44;02 42" },
    { '/', 3, "00 36" },
    { '0', 4, "10 30 41 45 36 16 05 01 10" },
    { '1', 4, "04 26 20;10 30" },
    { '2', 4, "05 16 36 45 44 00 40" },
    { '3', 4, "05 16 36 45 44 33 42 41 30 10 01;33 23" },
    { '4', 4, "30 36 02 42" },
    { '5', 4, "46 06 03 14 34 43 41 30 10 01" },
    { '6', 4, "45 36 16 05 01 10 30 41 42 33 13 02" },
    { '7', 4, "06 46 10" },
    { '8', 4, "13 04 05 16 36 45 44 33 13 02 01 10 30 41 42 33" },
    { '9', 4, "01 10 30 41 45 36 16 05 04 13 33 44" },
    { 'G', 4, "45 36 16 05 01 10 30 41 43 23" },
    { 'M', 4, "00 06 23 46 40" },
    { 'N', 4, "00 06 40 46" },
    { 'e', 3, "02 32 33 24 14 03 01 10 20 31" },
    { 'k', 3, "00 06;34 02;13 30" },
    { 'm', 4, "00 04;03 14 23 20;23 34 43 40" },
    { 'n', 3, "00 04;03 14 24 33 30" },
    { 's', 3, "33 24 14 03 12 22 31 20 10 01" },
    { 't', 2, "16 11 20;04 24" },
    { 'u', 3, "04 01 10 20 31;34 30" },
    { 'x', 3, "04 30;00 34" },
};

static const letter *letter_of(char sign)
{
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; ++i) {
        if (letters[i].sign == sign) {
            return &letters[i];
        }
    }
    return NULL;
}

static const double GAP = 1.5; /* of the grid, between letters */

double canvas_text_width(const char *text, double height)
{
    double width = 0.0;
    for (; *text; ++text) {
        const letter *l = letter_of(*text);
        width += l ? l->width + GAP : 0.0;
    }
    return fmax(width - GAP, 0.0) * height / 6.0;
}

static void add_letter(canvas *c, const letter *l, double x, double y, double step, double stroke, uint32_t colour)
{
    camera_place before = { 0 };
    bool down = false;
    for (const char *p = l->lines; *p; p += strspn(p, " ")) {
        if (*p == ';') {
            down = false;
            ++p;
            continue;
        }
        camera_place at = { x + (p[0] - '0') * step, y - (p[1] - '0') * step, 0.0 };
        canvas_dot(c, at, 0.5 * stroke, colour); /* round ends and joins */
        if (down) {
            canvas_stroke(c, before, at, stroke, colour);
        }
        before = at;
        down = true;
        p += 2;
    }
}

double canvas_text(canvas *c, const char *text, double x, double y, double height, double stroke, uint32_t colour)
{
    double step = height / 6.0, at = x;
    for (; *text && !c->failed; ++text) {
        const letter *l = letter_of(*text);
        if (l) {
            add_letter(c, l, at, y, step, stroke, colour);
            at += (l->width + GAP) * step;
        }
    }
    return at - x;
}

void canvas_add_caption(canvas *c, const char *text)
{
    double scale = c->scale, x = 22.0 * scale, y = c->camera.height - 20.0 * scale, high = 16.0 * scale;
    canvas_text(c, text, x, y, high, 4.5 * scale, canvas_tone(c, tone_hex(0xf2f5f8))); /* read on any ground */
    canvas_text(c, text, x, y, high, 1.9 * scale, canvas_tone(c, tone_hex(0x17202b)));
}
