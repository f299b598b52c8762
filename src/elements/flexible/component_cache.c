/* A file is a head with all counts and a checksum, then one run of numbers. It belongs to one machine type and one version of the
 * program. */
#include "elements/flexible/component_cache.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "files/fresh_file.h"
#include "files/input_file.h"
#include "geometry/sdf.h"

enum { FILE_VERSION = 2, BYTE_ORDER_MARK = 0x01020304, LONGEST_PATH = 4096, SOURCE_NUMBERS = 6 };

typedef struct file_head {
    char magic[8]; /* "CAROMMOD" */
    uint32_t version, byte_order;
    uint64_t key;
    int32_t freedoms, attachments, count, sources, pairs, dropped;
    uint64_t sum; /* of the numbers */
} file_head;

uint64_t component_cache_key(const flexible_input *in, int fixed)
{
    if (in->key == 0 || solid_mesh_freedom_count(in->mesh) < COMPONENT_CACHE_LEAST) {
        return 0;
    }
    return fixed < 0 ? in->key : carom_hash(in->key, &fixed, sizeof fixed);
}

static bool path_of(uint64_t key, char *path, char *folder)
{
    const char *place = sdf_cache_folder(folder, LONGEST_PATH);
    return place &&
           snprintf(path, LONGEST_PATH, "%s/modes-%016llx.bin", place, (unsigned long long)key) < LONGEST_PATH;
}

/* ---- numbers ------------------------------------------------------------------------------------------------------------ */

static size_t number_count(const file_head *h)
{
    size_t n = (size_t)h->count;
    size_t pairs = (size_t)h->pairs;
    size_t freedoms = (size_t)h->freedoms;
    return 2 * n + n * freedoms + (size_t)h->sources * (SOURCE_NUMBERS + freedoms) +
           (size_t)h->attachments * (3 + MOTIONS * (n + pairs)) + pairs * (2 + freedoms);
}

/* Goes along the numbers of a file, to them or from them. */
typedef struct cursor {
    double *at;
    bool loading;
} cursor;

static void pass(cursor *c, double *own, size_t count)
{
    if (count > 0) {
        memcpy(c->loading ? own : c->at, c->loading ? c->at : own, count * sizeof *own);
    }
    c->at += count;
}

/* An index; -2 where a file has none. */
static int index_of(double x)
{
    return x >= -1.0 && x < 1e9 ? (int)x : -2;
}

static void pass_source(cursor *c, component_source *s)
{
    double numbers[SOURCE_NUMBERS] = { (double)s->kind, (double)s->attachment, s->omega2,
                                       s->effective[0], s->effective[1],       s->effective[2] };
    pass(c, numbers, SOURCE_NUMBERS);
    *s = (component_source){ .kind = (shape_kind)index_of(numbers[0]),
                             .attachment = index_of(numbers[1]),
                             .omega2 = numbers[2],
                             .effective = { numbers[3], numbers[4], numbers[5] } };
}

static void pass_place(cursor *c, component_place *p, size_t shapes)
{
    double at[3] = { p->at.x, p->at.y, p->at.z };
    pass(c, at, 3);
    p->at = v3_load(at);
    pass(c, p->psi, MOTIONS * shapes);
}

static void pass_pair(cursor *c, int pair[2])
{
    double numbers[2] = { pair[0], pair[1] };
    pass(c, numbers, 2);
    pair[0] = index_of(numbers[0]);
    pair[1] = index_of(numbers[1]);
}

static void pass_all(cursor *c, component_modes *m, int attachments)
{
    size_t freedoms = (size_t)m->space.freedoms;
    size_t shapes = (size_t)(m->count + m->pair_count);
    pass(c, m->omega2, (size_t)m->count);
    pass(c, m->free_omega2, (size_t)m->count);
    pass(c, m->shapes, (size_t)m->count * freedoms);
    for (int k = 0; k < m->source_count; ++k) {
        pass_source(c, &m->sources[k]);
    }
    pass(c, m->raw, (size_t)m->source_count * freedoms);
    for (int i = 0; i < attachments; ++i) {
        pass_place(c, &m->places[i], shapes);
    }
    for (int k = 0; k < m->pair_count; ++k) {
        pass_pair(c, m->pairs[k]);
    }
    pass(c, m->second, (size_t)m->pair_count * freedoms);
}

/* ---- loading -------------------------------------------------------------------------------------------------------------- */

static bool head_fits(const file_head *h, const component_modes *c, const flexible_input *in, uint64_t key)
{
    const int most = 100000; /* of anything that is counted: numbers cannot overflow */
    return memcmp(h->magic, "CAROMMOD", sizeof h->magic) == 0 && h->version == FILE_VERSION &&
           h->byte_order == BYTE_ORDER_MARK && h->key == key && h->freedoms == c->space.freedoms &&
           h->attachments == in->attachment_count && h->count > 0 && h->count < most && h->sources >= 0 &&
           h->sources < most && h->pairs >= 0 && h->pairs < most && h->dropped >= 0;
}

static bool allocate(component_modes *c, const file_head *h)
{
    size_t freedoms = (size_t)h->freedoms;
    size_t shapes = (size_t)(h->count + h->pairs);
    c->omega2 = CAROM_ARENA_ARRAY(&c->arena, double, h->count);
    c->free_omega2 = CAROM_ARENA_ARRAY(&c->arena, double, h->count);
    c->shapes = CAROM_ARENA_ARRAY(&c->arena, double, (size_t)h->count *freedoms);
    c->sources = CAROM_ARENA_ARRAY(&c->arena, component_source, h->sources + 1);
    c->raw = CAROM_ARENA_ARRAY(&c->arena, double, (size_t)h->sources *freedoms + 1);
    c->places = CAROM_ARENA_ARRAY(&c->arena, component_place, h->attachments + 1);
    c->pairs = carom_arena_array(&c->arena, (size_t)h->pairs + 1, sizeof *c->pairs);
    c->second = CAROM_ARENA_ARRAY(&c->arena, double, (size_t)h->pairs *freedoms + 1);
    for (int i = 0; c->places && i < h->attachments; ++i) {
        c->places[i].psi = CAROM_ARENA_ARRAY(&c->arena, double, MOTIONS *shapes);
    }
    c->count = h->count;
    c->source_count = h->sources;
    c->pair_count = h->pairs;
    c->dropped = h->dropped;
    return !c->arena.failed;
}

/* The numbers of a file, to be freed; NULL: it is none, or damaged. */
static double *read_numbers(FILE *file, file_head *h, const component_modes *c, const flexible_input *in,
                            uint64_t key)
{
    struct stat about;
    if (fread(h, sizeof *h, 1, file) != 1 || !head_fits(h, c, in, key) || fstat(fileno(file), &about) != 0 ||
        (uint64_t)about.st_size != sizeof *h + number_count(h) * sizeof(double)) {
        return NULL;
    }
    size_t count = number_count(h);
    double *numbers = malloc((count + 1) * sizeof *numbers);
    bool whole = numbers && fread(numbers, sizeof *numbers, count, file) == count &&
                 carom_hash_words(CAROM_HASH_START, numbers, count) == h->sum;
    if (!whole) {
        free(numbers);
    }
    return whole ? numbers : NULL;
}

/* A whole file may still say what cannot be, if somebody has made it: indices out of range, no numbers. */
static bool is_sound(const component_modes *c, const flexible_input *in, const double *numbers, size_t count)
{
    bool sound = true;
    for (size_t k = 0; k < count; ++k) {
        sound = sound && isfinite(numbers[k]);
    }
    for (int k = 0; k < c->source_count; ++k) {
        const component_source *s = &c->sources[k];
        sound = sound && (int)s->kind >= SHAPE_FIXED && (int)s->kind <= SHAPE_FREE && s->attachment >= -1 &&
                s->attachment < in->attachment_count;
    }
    for (int k = 0; k < c->pair_count; ++k) {
        const int *pair = c->pairs[k];
        sound = sound && pair[0] >= 0 && pair[0] <= pair[1] && pair[1] < c->count;
    }
    return sound;
}

bool component_cache_load(component_modes *out, const flexible_input *in, uint64_t key)
{
    char path[LONGEST_PATH], folder[LONGEST_PATH];
    carom_input input;
    FILE *file = path_of(key, path, folder) ? carom_input_stream(&input, path) : NULL;
    if (!file) {
        return false;
    }
    file_head head;
    double *numbers = read_numbers(file, &head, out, in, key);
    fclose(file);
    component_modes loaded = *out;
    bool ok = numbers && allocate(&loaded, &head);
    if (ok) {
        cursor c = { numbers, true };
        pass_all(&c, &loaded, in->attachment_count);
        ok = is_sound(&loaded, in, numbers, number_count(&head));
    }
    if (ok) {
        *out = loaded;
    } else {
        out->arena = loaded.arena; /* what was taken stays until the end */
        out->arena.failed = false;
    }
    free(numbers);
    return ok;
}

/* ---- saving --------------------------------------------------------------------------------------------------------------- */

static bool write_file(int descriptor, const file_head *head, const double *numbers)
{
    FILE *file = fdopen(descriptor, "wb");
    if (!file) {
        close(descriptor);
        return false;
    }
    size_t count = number_count(head);
    bool ok = fwrite(head, sizeof *head, 1, file) == 1 && fwrite(numbers, sizeof *numbers, count, file) == count;
    return fclose(file) == 0 && ok;
}

static void publish(const char *path, const file_head *head, const double *numbers)
{
    carom_fresh fresh;
    int descriptor = carom_fresh_open(&fresh, path);
    if (descriptor >= 0) {
        if (write_file(descriptor, head, numbers)) {
            (void)carom_fresh_publish(&fresh, path);
        }
        carom_fresh_drop(&fresh);
    }
}

void component_cache_save(const component_modes *c, const flexible_input *in, uint64_t key)
{
    char path[LONGEST_PATH], folder[LONGEST_PATH];
    file_head head;
    memset(&head, 0, sizeof head); /* what lies between the fields is written too */
    memcpy(head.magic, "CAROMMOD", sizeof head.magic);
    head.version = FILE_VERSION;
    head.byte_order = BYTE_ORDER_MARK;
    head.key = key;
    head.freedoms = c->space.freedoms;
    head.attachments = in->attachment_count;
    head.count = c->count;
    head.sources = c->source_count;
    head.pairs = c->pair_count;
    head.dropped = c->dropped;
    double *numbers = malloc((number_count(&head) + 1) * sizeof *numbers);
    if (numbers && path_of(key, path, folder)) {
        component_modes own = *c;
        cursor at = { numbers, false };
        pass_all(&at, &own, in->attachment_count);
        head.sum = carom_hash_words(CAROM_HASH_START, numbers, number_count(&head));
        sdf_cache_prepare(folder);
        publish(path, &head, numbers);
    }
    free(numbers);
}
