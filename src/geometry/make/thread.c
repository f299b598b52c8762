/* Hexagon bolt and nut with an ISO metric thread (basic profile of ISO 68-1): with H = sqrt(3)/2 pitch the thread is
 * 5/8 H deep, its crest is pitch/8 wide, its root pitch/4, its flanks stand 30 degrees off the radius. Right-handed.
 *
 * In each column the surface has points where the four edges of the profile pass, z = pitch (u + angle / 2 pi); they are
 * joined along the helices. The groove of the bolt (u = 0) crosses the x axis at z = 0, and so does the ridge of the nut:
 * a nut moved by z and turned by 2 pi z / pitch about z is on the thread. Chords of the nut's columns would cut into the
 * round hole: its radii are divided by cos(pi / sectors), so that the stated clearance is left everywhere. */
#include "geometry/make/make.h"

enum { PROFILE_EDGES = 4 };
static const double edge_phase[PROFILE_EDGES] = { 1.0 / 8.0, 7.0 / 16.0, 9.0 / 16.0, 7.0 / 8.0 };
static const bool edge_on_crest[PROFILE_EDGES] = { false, true, true, false };

static const double FLATS = 1.6;        /* width across flats over diameter: 16 mm for M10 */
static const double HEAD = 0.64;        /* height of a head over diameter: ISO 4017 */
static const double END_MARGIN = 0.02;  /* of the pitch: nearer to an end there are no points, lest slivers arise */
static const double COUNTERSINK = 0.05; /* of the diameter, around the hole of a nut */

typedef struct thread {
    double pitch;
    double major, minor; /* radii */
    double low, high;    /* z */
    int sectors;
} thread;

static double minor_radius(double diameter, double pitch)
{
    return 0.5 * diameter - 0.625 * 0.86602540378443864676 * pitch;
}

/* z of edge j (four per turn) in a column. */
static double edge_height(const thread *t, long j, int sector)
{
    long turn = j >= 0 ? j / PROFILE_EDGES : -((-j + PROFILE_EDGES - 1) / PROFILE_EDGES);
    double u = (double)turn + edge_phase[j - turn * PROFILE_EDGES];
    return t->pitch * (u + (double)sector / t->sectors);
}

static double edge_radius(const thread *t, long j)
{
    long q = j % PROFILE_EDGES;
    return edge_on_crest[q < 0 ? q + PROFILE_EDGES : q] ? t->major : t->minor;
}

/* The first edge above the lower end, and the last below the upper one. */
static void edge_range(const thread *t, int sector, long *first, long *last)
{
    double margin = END_MARGIN * t->pitch;
    *first = PROFILE_EDGES * ((long)floor(t->low / t->pitch) - 2);
    while (edge_height(t, *first, sector) < t->low + margin) {
        ++*first;
    }
    *last = *first;
    while (edge_height(t, *last, sector) < t->high - margin) {
        ++*last;
    }
    --*last;
}

static double hexagon_radius(double across_flats, double angle)
{
    double from_corner = fmod(angle, PI / 3.0);
    return 0.5 * across_flats / cos(from_corner - PI / 6.0);
}

static carom_status check_thread(const char *kind, double diameter, double pitch, int sectors, carom_error *err)
{
    if (pitch < 0.01 * diameter || pitch > 0.4 * diameter) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: pitch is %g; for a diameter of %g it must be from %g to %g",
                          kind, pitch, diameter, 0.01 * diameter, 0.4 * diameter);
    }
    if (sectors < 12 || sectors > 3000 || sectors % 6 != 0) {
        return carom_fail(err, CAROM_BAD_INPUT, "%s: sectors is %d; it must be a multiple of 6 from 12 to 3000", kind,
                          sectors);
    }
    return CAROM_OK;
}

static carom_status check_turns(const char *kind, const thread *t, carom_error *err)
{
    double turns = (t->high - t->low) / t->pitch;
    if (turns < 1.5 || 2.0 * turns * PROFILE_EDGES * t->sectors > MAKE_MOST_TRIANGLES) {
        return carom_fail(err, CAROM_BAD_INPUT,
                          "%s: the thread has %.3g turns of %d sectors; it needs at least 1.5 turns, and at most %d "
                          "triangles are possible",
                          kind, turns, t->sectors, MAKE_MOST_TRIANGLES);
    }
    return CAROM_OK;
}

/* ---- bolt -------------------------------------------------------------------------------------------------------- */

typedef struct bolt_shape {
    thread thread;
    double end; /* radius of the chamfered end */
    double flats, head;
} bolt_shape;

/* The groove runs out into the shank, and the end is chamfered, both at 45 degrees. */
static double bolt_radius(const bolt_shape *b, double r, double z)
{
    r = fmax(r, b->thread.major - (b->thread.high - z));
    return fmin(r, b->end + (z - b->thread.low));
}

static void bolt_column(make_column *c, const void *context, int sector)
{
    const bolt_shape *b = context;
    const thread *t = &b->thread;
    c->angle = 2.0 * PI * sector / t->sectors;
    make_column_add(c, 0.0, t->low);
    make_column_add(c, b->end, t->low);
    long first, last;
    edge_range(t, sector, &first, &last);
    for (long j = first; j <= last; ++j) {
        double z = edge_height(t, j, sector);
        make_column_add_helical(c, bolt_radius(b, edge_radius(t, j), z), z, j);
    }
    make_column_add(c, t->major, t->high);
    if (t->high < 0.0) {
        make_column_add(c, t->major, 0.0);
    }
    double hexagon = hexagon_radius(b->flats, c->angle);
    make_column_add(c, hexagon, 0.0);
    make_column_add(c, hexagon, b->head);
    make_column_add(c, 0.0, b->head);
}

static carom_status build_bolt(mesh **out, const void *params, carom_error *err)
{
    const carom_make_bolt *bolt = params;
    carom_status status = check_thread("bolt", bolt->diameter, bolt->pitch, bolt->sectors, err);
    if (status == CAROM_OK && bolt->thread > bolt->length) {
        status = carom_fail(err, CAROM_BAD_INPUT, "bolt: thread is %g, longer than the length, %g", bolt->thread,
                            bolt->length);
    }
    double threaded = bolt->thread > 0.0 ? bolt->thread : bolt->length;
    bolt_shape b = { .thread = { .pitch = bolt->pitch,
                                 .major = 0.5 * bolt->diameter,
                                 .minor = minor_radius(bolt->diameter, bolt->pitch),
                                 .low = -bolt->length,
                                 .high = threaded - bolt->length,
                                 .sectors = bolt->sectors },
                     .flats = FLATS * bolt->diameter,
                     .head = HEAD * bolt->diameter };
    b.end = 0.95 * b.thread.minor;
    status = status ? status : check_turns("bolt", &b.thread, err);
    make_surface surface = { .sectors = bolt->sectors, .turn = -PROFILE_EDGES, .fill = bolt_column, .context = &b };
    return status ? status : make_columns(out, &surface, err);
}

static const carom_field bolt_fields[] = {
    MAKE_LENGTH(carom_make_bolt, diameter, CAROM_POSITIVE, "Nominal diameter: 0.01 for M10."),
    MAKE_LENGTH(carom_make_bolt, pitch, CAROM_POSITIVE, "Pitch of the thread."),
    MAKE_LENGTH(carom_make_bolt, length, CAROM_POSITIVE, "Length of the shank, below the head."),
    MAKE_LENGTH(carom_make_bolt, thread, CAROM_NONNEGATIVE, "Length of the thread on it; 0: all."),
    MAKE_COUNT(carom_make_bolt, sectors, CAROM_POSITIVE, "Columns around; a multiple of 6."),
    { 0 },
};

static const carom_make_bolt bolt_defaults = { .diameter = 0.01, .pitch = 0.0015, .length = 0.04, .sectors = 48 };

const mesh_make_type make_bolt = {
    .kind = { .name = "bolt",
              .doc = "A hexagon bolt along z with a right-handed metric thread: head above z = 0, shank below.",
              .fields = bolt_fields,
              .defaults = &bolt_defaults,
              .size = sizeof(carom_make_bolt) },
    .build = build_bolt,
};

/* ---- nut --------------------------------------------------------------------------------------------------------- */

typedef struct nut_shape {
    thread thread; /* radii with clearance, and so that chords stay outside */
    double mouth;  /* radius of the countersunk ends */
    double flats;
} nut_shape;

static double nut_radius(const nut_shape *n, double r, double z)
{
    double depth = fmin(z - n->thread.low, n->thread.high - z);
    return fmax(r, n->mouth - depth);
}

static void nut_column(make_column *c, const void *context, int sector)
{
    const nut_shape *n = context;
    const thread *t = &n->thread;
    c->angle = 2.0 * PI * sector / t->sectors;
    double hexagon = hexagon_radius(n->flats, c->angle);
    make_column_add(c, n->mouth, t->low);
    make_column_add(c, hexagon, t->low);
    make_column_add(c, hexagon, t->high);
    make_column_add(c, n->mouth, t->high);
    long first, last;
    edge_range(t, sector, &first, &last);
    for (long j = last; j >= first; --j) { /* downwards: the solid is on the left */
        double z = edge_height(t, j, sector);
        make_column_add_helical(c, nut_radius(n, edge_radius(t, j), z), z, -j);
    }
}

static carom_status build_nut(mesh **out, const void *params, carom_error *err)
{
    const carom_make_nut *nut = params;
    carom_status status = check_thread("nut", nut->diameter, nut->pitch, nut->sectors, err);
    if (status == CAROM_OK && nut->clearance > 0.2 * nut->diameter) {
        status = carom_fail(err, CAROM_BAD_INPUT, "nut: clearance is %g; for a diameter of %g it must not exceed %g",
                            nut->clearance, nut->diameter, 0.2 * nut->diameter);
    }
    double chord = 1.0 / cos(PI / (nut->sectors > 2 ? nut->sectors : 3));
    nut_shape n = { .thread = { .pitch = nut->pitch,
                                .major = chord * (0.5 * nut->diameter + nut->clearance),
                                .minor = chord * (minor_radius(nut->diameter, nut->pitch) + nut->clearance),
                                .high = nut->height > 0.0 ? nut->height : 0.8 * nut->diameter,
                                .sectors = nut->sectors },
                    .flats = FLATS * nut->diameter };
    n.mouth = n.thread.major + COUNTERSINK * nut->diameter;
    status = status ? status : check_turns("nut", &n.thread, err);
    make_surface surface = {
        .sectors = nut->sectors, .ring = true, .turn = PROFILE_EDGES, .fill = nut_column, .context = &n
    };
    return status ? status : make_columns(out, &surface, err);
}

static const carom_field nut_fields[] = {
    MAKE_LENGTH(carom_make_nut, diameter, CAROM_POSITIVE, "Nominal diameter: 0.01 for M10."),
    MAKE_LENGTH(carom_make_nut, pitch, CAROM_POSITIVE, "Pitch of the thread."),
    MAKE_LENGTH(carom_make_nut, height, CAROM_NONNEGATIVE, "Height along z; 0: 0.8 diameters."),
    MAKE_LENGTH(carom_make_nut, clearance, CAROM_NONNEGATIVE,
                "Radial clearance to a bolt of the same thread; across the flanks it is half of it."),
    MAKE_COUNT(carom_make_nut, sectors, CAROM_POSITIVE, "Columns around; a multiple of 6."),
    { 0 },
};

static const carom_make_nut nut_defaults = { .diameter = 0.01, .pitch = 0.0015, .clearance = 0.0002, .sectors = 48 };

const mesh_make_type make_nut = {
    .kind = { .name = "nut",
              .doc = "A hexagon nut from z = 0 up, with the thread of the bolt of the same diameter and pitch.",
              .fields = nut_fields,
              .defaults = &nut_defaults,
              .size = sizeof(carom_make_nut) },
    .build = build_nut,
};
