/* Pictures, piece by piece: every sample belongs to exactly one of the triangles around it, depth decides, colours are those of sRGB, PNGs
 * unpack to what was packed. What pictures show of a result is tested from outside, in tests/cli/test_render_cli.py. */
#include "support/check.h"

#include <stdlib.h>

#include <zlib.h>

#include "render/camera.h"
#include "render/png.h"
#include "render/samples.h"

/* ---- samples -------------------------------------------------------------------------------------------------------- */

enum { WIDE = 61, HIGH = 47 };

typedef struct field {
    float near[WIDE * HIGH];
    uint32_t ids[WIDE * HIGH];
    sample_band band;
} field;

static void field_clear(field *f, int first, int rows)
{
    f->band = (sample_band){ WIDE, first, rows, f->near, f->ids };
    samples_clear(&f->band, 0.0F);
}

static sample_corner corner(int32_t x, int32_t y)
{
    return (sample_corner){ x, y, 1.0F };
}

static sample_corner random_corner(test_rng *rng)
{
    double margin = 20.0;
    return (sample_corner){ (int32_t)test_rng_uniform(rng, -margin * SAMPLE_STEPS, (WIDE + margin) * SAMPLE_STEPS),
                            (int32_t)test_rng_uniform(rng, -margin * SAMPLE_STEPS, (HIGH + margin) * SAMPLE_STEPS),
                            (float)test_rng_uniform(rng, 0.5, 2.0) };
}

/* Twice the area of a, b and the middle of a sample: its sign says on which side that lies. */
static int64_t side(sample_corner a, sample_corner b, int column, int row)
{
    int64_t x = SAMPLE_STEPS * column + SAMPLE_STEPS / 2, y = SAMPLE_STEPS * row + SAMPLE_STEPS / 2;
    return ((int64_t)b.x - a.x) * (y - a.y) - ((int64_t)b.y - a.y) * (x - a.x);
}

TEST(samples, are_those_inside_whatever_the_orientation)
{
    field *f = malloc(sizeof *f);
    FOR_EACH_SEED(rng, 400) {
        sample_corner c[3] = { random_corner(&rng), random_corner(&rng), random_corner(&rng) };
        field_clear(f, 0, HIGH);
        samples_fill(&f->band, c[0], c[1], c[2], 7, false);
        for (int i = 0; i < WIDE * HIGH; ++i) {
            int64_t s[3] = { side(c[0], c[1], i % WIDE, i / WIDE), side(c[1], c[2], i % WIDE, i / WIDE),
                             side(c[2], c[0], i % WIDE, i / WIDE) };
            bool inside = (s[0] > 0 && s[1] > 0 && s[2] > 0) || (s[0] < 0 && s[1] < 0 && s[2] < 0);
            bool outside = (s[0] > 0 || s[1] > 0 || s[2] > 0) && (s[0] < 0 || s[1] < 0 || s[2] < 0);
            CHECK(!inside || f->ids[i] == 7);
            CHECK(!outside || f->ids[i] == SAMPLE_NOTHING);
        }
    }
    free(f);
}

/* Triangles around a point, many corners on middles of samples: none is missed, none belongs to two. */
TEST(samples, of_neighbours_are_shared_out)
{
    field *f = malloc(sizeof *f);
    static const int ring[][2] = { { 3, 2 },   { 30, 0 },  { 58, 4 }, { 60, 25 },
                                   { 55, 44 }, { 28, 46 }, { 2, 40 }, { 0, 21 } };
    enum { SIDES = 8 };
    FOR_EACH_SEED(rng, 200) {
        sample_corner middle = corner((int32_t)test_rng_uniform(&rng, 15 * SAMPLE_STEPS, 45 * SAMPLE_STEPS),
                                      (int32_t)test_rng_uniform(&rng, 15 * SAMPLE_STEPS, 35 * SAMPLE_STEPS));
        if (test_rng_uniform(&rng, 0, 1) < 0.5) {
            middle = corner(middle.x / SAMPLE_STEPS * SAMPLE_STEPS + 8, middle.y / SAMPLE_STEPS * SAMPLE_STEPS + 8);
        }
        int count[WIDE * HIGH] = { 0 };
        for (int k = 0; k < SIDES; ++k) {
            const int *a = ring[k], *b = ring[(k + 1) % SIDES];
            field_clear(f, 0, HIGH);
            sample_corner p = corner(a[0] * SAMPLE_STEPS + 8, a[1] * SAMPLE_STEPS + 8);
            sample_corner q = corner(b[0] * SAMPLE_STEPS + 8, b[1] * SAMPLE_STEPS + 8);
            samples_fill(&f->band, k % 2 ? middle : p, k % 2 ? p : middle, q, 1, false);
            for (int i = 0; i < WIDE * HIGH; ++i) {
                count[i] += f->ids[i] == 1;
            }
        }
        for (int i = 0; i < WIDE * HIGH; ++i) {
            bool inside = true;
            for (int k = 0; k < SIDES; ++k) {
                const int *a = ring[k], *b = ring[(k + 1) % SIDES];
                inside = inside &&
                         side(corner(a[0] * SAMPLE_STEPS + 8, a[1] * SAMPLE_STEPS + 8),
                              corner(b[0] * SAMPLE_STEPS + 8, b[1] * SAMPLE_STEPS + 8), i % WIDE, i / WIDE) > 0;
            }
            CHECK_LE(count[i], 1);
            CHECK(!inside || count[i] == 1);
        }
    }
    free(f);
}

TEST(samples, of_bands_are_those_of_the_whole)
{
    field *whole = malloc(sizeof *whole), *part = malloc(sizeof *part);
    FOR_EACH_SEED(rng, 50) {
        enum { MANY = 20 };
        sample_corner c[MANY][3];
        field_clear(whole, 0, HIGH);
        for (int k = 0; k < MANY; ++k) {
            for (int j = 0; j < 3; ++j) {
                c[k][j] = random_corner(&rng);
            }
            samples_fill(&whole->band, c[k][0], c[k][1], c[k][2], (uint32_t)k + 1, k == MANY - 1);
        }
        int cut = 1 + (int)test_rng_uniform(&rng, 0, HIGH - 2);
        for (int half = 0; half < 2; ++half) {
            field_clear(part, half ? cut : 0, half ? HIGH - cut : cut);
            for (int k = 0; k < MANY; ++k) {
                samples_fill(&part->band, c[k][0], c[k][1], c[k][2], (uint32_t)k + 1, k == MANY - 1);
            }
            size_t count = (size_t)part->band.rows * WIDE, at = (size_t)part->band.first * WIDE;
            CHECK(memcmp(part->ids, whole->ids + at, count * sizeof *part->ids) == 0);
            CHECK(memcmp(part->near, whole->near + at, count * sizeof *part->near) == 0);
        }
    }
    free(whole);
    free(part);
}

/* Two triangles that cross: the nearer one is seen, found from their planes in double precision. */
TEST(samples, show_what_is_nearer)
{
    field *f = malloc(sizeof *f);
    const int32_t far = 200 * SAMPLE_STEPS;
    sample_corner one[3] = { { -far, -far, 0.2F }, { far, -far, 2.0F }, { -far, 5 * far, 0.7F } };
    sample_corner two[3] = { { -far, -far, 2.0F }, { far, -far, 0.7F }, { -far, 5 * far, 1.9F } };
    field_clear(f, 0, HIGH);
    samples_fill(&f->band, one[0], one[1], one[2], 1, false);
    samples_fill(&f->band, two[0], two[2], two[1], 2, false);
    int seen[3] = { 0 };
    for (int i = 0; i < WIDE * HIGH; ++i) {
        double x = (SAMPLE_STEPS * (i % WIDE) + 8 + far) / (2.0 * far),
               y = (SAMPLE_STEPS * (i / WIDE) + 8 + far) / (6.0 * far);
        double a = 0.2 + 1.8 * x + 0.5 * y, b = 2.0 - 1.3 * x - 0.1 * y;
        seen[f->ids[i]] += 1;
        CHECK(fabs(a - b) < 1e-5 || f->ids[i] == (a > b ? 1U : 2U));
        CHECK_NEAR((double)f->near[i], fmax(a, b), 1e-5);
    }
    CHECK(seen[1] > 100 && seen[2] > 100);
    free(f);
}

TEST(samples, places_far_away_are_held)
{
    CHECK_EQ(sample_place(1.0), SAMPLE_GRID);
    CHECK_EQ(sample_place(-0.5), -SAMPLE_GRID / 2);
    CHECK(sample_place(1e300) == -sample_place(-1e300) && sample_place(1e300) > 1 << 27);
    (void)sample_place((double)NAN);
    field *f = malloc(sizeof *f);
    field_clear(f, 0, HIGH);
    sample_corner c[3] = { corner(sample_place(-1e300), sample_place(-1e300)),
                           corner(sample_place(1e300), sample_place(-1e300)), corner(0, sample_place(1e300)) };
    samples_fill(&f->band, c[0], c[1], c[2], 3, false);
    for (int i = 0; i < WIDE * HIGH; ++i) {
        CHECK_EQ(f->ids[i], 3);
    }
    free(f);
}

/* ---- colours -------------------------------------------------------------------------------------------------------- */

TEST(tones, are_those_of_srgb)
{
    tone_table table;
    tone_table_make(&table);
    for (int i = 0; i <= 255; ++i) {
        double shown = i / 255.0;
        double linear = shown <= 0.04045 ? shown / 12.92 : pow((shown + 0.055) / 1.055, 2.4);
        tone t = tone_shown((const double[]){ shown, shown, shown });
        CHECK_NEAR((double)t.r, linear, 1e-7);
        CHECK_LE(abs(tone_byte(&table, t.g) - i),
                 i < 12 ? 1 : 0); /* steps of the table are wider than those of dark bytes */
    }
    CHECK_EQ(tone_byte(&table, -1.0F), 0);
    CHECK_EQ(tone_byte(&table, 2.0F), 255);
    tone blue = tone_ramp(0.0), red = tone_ramp(1.0), held = tone_ramp(7.0), none = tone_ramp((double)NAN);
    CHECK(blue.b > blue.r && red.r > red.b && held.r == red.r && none.b == blue.b);
}

/* ---- PNG ------------------------------------------------------------------------------------------------------------ */

TEST(png, unpacks_to_what_was_packed)
{
    FOR_EACH_SEED(rng, 20) {
        png_size size = { 1 + (int)test_rng_uniform(&rng, 0, 40), 1 + (int)test_rng_uniform(&rng, 0, 30) };
        size_t bytes = 3 * (size_t)size.width, total = bytes * (size_t)size.height;
        unsigned char *rgb = malloc(total), *rows = malloc(total + (size_t)size.height);
        for (size_t i = 0; i < total; ++i) {
            rgb[i] = test_rng_uniform(&rng, 0, 1) < 0.3 ? (unsigned char)test_rng_uniform(&rng, 0, 256)
                                                        : (unsigned char)(i / 7);
        }
        byte_buffer packed = { 0 };
        CHECK(png_pack(rgb, size, &packed));
        uLongf count = (uLongf)(total + (size_t)size.height);
        CHECK_EQ(uncompress(rows, &count, packed.data, (uLong)packed.size), Z_OK);
        CHECK_EQ(count, total + (size_t)size.height);
        for (int y = 0; y < size.height; ++y) {
            const unsigned char *row = rows + (size_t)y * (bytes + 1);
            CHECK(row[0] == 1 || row[0] == 2);
            for (size_t i = 0; i < bytes; ++i) {
                size_t at = (size_t)y * bytes + i;
                int before = row[0] == 1 ? (i >= 3 ? rgb[at - 3] : 0) : y > 0 ? rgb[at - bytes] : 0;
                CHECK_EQ(rgb[at], (row[i + 1] + before) & 255);
            }
        }
        byte_buffer_free(&packed);
        free(rgb);
        free(rows);
    }
}

/* ---- camera --------------------------------------------------------------------------------------------------------- */

TEST(camera, frames_all_of_a_box)
{
    FOR_EACH_SEED(rng, 200) {
        v3 a = v3_make(test_rng_uniform(&rng, -2, 2), test_rng_uniform(&rng, -2, 2), test_rng_uniform(&rng, -2, 2));
        v3 b = v3_make(test_rng_uniform(&rng, -2, 2), test_rng_uniform(&rng, -2, 2), test_rng_uniform(&rng, -2, 2));
        box3 box = box3_with(box3_with(box3_empty(), a), b);
        scenery s = { .all = box, .framed = box, .up = v3_make(0.0, 0.0, 1.0) };
        render_view view = { .look_at = CAROM_NONE };
        int width = 100 + (int)test_rng_uniform(&rng, 0, 900), height = 100 + (int)test_rng_uniform(&rng, 0, 900);
        render_camera c = camera_make(&s, &view, box, width, height);
        double tightest = HUGE_VAL;
        for (int k = 0; k < 8; ++k) {
            camera_place at = camera_project(&c, box3_corner(box, k));
            CHECK(at.near > 0.0 && at.x > 0.0 && at.x < width && at.y > 0.0 && at.y < height);
            double air_x = fmin(at.x, width - at.x) / width, air_y = fmin(at.y, height - at.y) / height;
            tightest = fmin(tightest, fmin(air_x, air_y));
        }
        CHECK_LE(tightest, 0.09); /* nor is it lost in the picture */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        RUN_TEST(samples, are_those_inside_whatever_the_orientation),
        RUN_TEST(samples, of_neighbours_are_shared_out),
        RUN_TEST(samples, of_bands_are_those_of_the_whole),
        RUN_TEST(samples, show_what_is_nearer),
        RUN_TEST(samples, places_far_away_are_held),
        RUN_TEST(tones, are_those_of_srgb),
        RUN_TEST(png, unpacks_to_what_was_packed),
        RUN_TEST(camera, frames_all_of_a_box),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
