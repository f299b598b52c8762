/* The rules between the colliders of a model, each with the number of its pairs and the first of them.
 *
 * Pairs are counted, not visited: colliders of one group on bodies that move freely (or on bodies that do not) form a
 * class; all pairs of two classes have one interaction, except those on one body and those of joined bodies, which are
 * few and are taken off. So the time is that of colliders times classes. */
#include <math.h>
#include <stdlib.h>

#include <carom/contact.h>

#include "model/colliders.h"
#include "model/method.h"

/* ---- the list ---------------------------------------------------------------------------------------------------- */

static const char *restitution_law_name(carom_restitution_law law)
{
    return law == CAROM_RESTITUTION_NEWTON ? "newton" : law == CAROM_RESTITUTION_POISSON ? "poisson" : "energetic";
}

/* Laws of forces for methods that take them; for others what an impact knows. */
static carom_contact_rule rule_of(const carom_model *model, const model_interaction *i)
{
    carom_contact_rule rule = { .friction = i->friction ? i->friction->kind.name : NULL,
                                .restitution = i->restitution };
    if (model->method->needs_laws) {
        rule.law = i->law ? i->law->kind.name : NULL;
        rule.per_area = i->per_area;
        rule.points[0] = i->points[0];
        rule.points[1] = i->points[1];
    } else {
        rule.restitution_law = restitution_law_name(i->restitution_law);
        rule.impulse = isnan(i->impulse) ? 0.0 : i->impulse;
        rule.mu = i->mu;
    }
    return rule;
}

/* Also when neither is known. */
static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static bool same_rule(const carom_contact_rule *a, const carom_contact_rule *b)
{
    return a->law == b->law && a->friction == b->friction && same_number(a->restitution, b->restitution) &&
           a->per_area == b->per_area && a->points[0] == b->points[0] && a->points[1] == b->points[1] &&
           a->restitution_law == b->restitution_law && a->impulse == b->impulse && a->mu == b->mu;
}

/* The place of the rule in the list, where it is added if it is new; capacity when there is no room. Parameters of laws
 * are not compared: rules that differ in nothing else are shown as one. */
static size_t find_rule(carom_contact_rule *rules, size_t capacity, size_t *count, const carom_contact_rule *rule)
{
    size_t k = 0;
    while (k < *count && k < capacity && !same_rule(&rules[k], rule)) {
        ++k;
    }
    if (k == *count && k < capacity) {
        rules[k] = *rule;
    }
    *count = k + 1 > *count ? k + 1 : *count;
    return k;
}

static void add_rule(carom_contact_rule *rules, size_t capacity, size_t *count, carom_contact_rule rule,
                     const int body[2], size_t pairs)
{
    rule.example[0] = body[0];
    rule.example[1] = body[1];
    size_t k = find_rule(rules, capacity, count, &rule);
    if (k < capacity) {
        rules[k].pairs += pairs;
    }
}

static void add_pairs(const carom_model *model, int a, int b, size_t pairs, carom_contact_rule *rules,
                      size_t capacity, size_t *count)
{
    const int body[2] = { model->colliders[a].body, model->colliders[b].body };
    add_rule(rules, capacity, count, rule_of(model, model_interaction_of(model, a, b)), body, pairs);
}

/* A kind of surface of bodies that deform: those of the method `constraint`, or those met by laws of forces. */
typedef struct surface_kind {
    int count;
    int (*body)(const carom_model *model, int surface);
    const model_interaction *(*between)(const carom_model *model, int surface, int other);
} surface_kind;

static int body_of_surface(const carom_model *model, int k)
{
    return model->surfaces[k].body;
}

static int body_of_skin(const carom_model *model, int k)
{
    return model->skins[k].body;
}

/* How bodies that deform rebound follows from their waves where contact is a constraint. */
static carom_contact_rule deforming_rule(const carom_model *model, const model_interaction *i)
{
    carom_contact_rule rule = rule_of(model, i);
    if (!model->method->needs_laws) {
        rule.restitution_law = "constraint";
        rule.restitution = (double)NAN;
    }
    return rule;
}

/* Surfaces of bodies that deform, with shapes and with each other: there are few. */
static void add_surfaces_of(const carom_model *model, surface_kind s, carom_contact_rule *rules, size_t capacity,
                            size_t *count)
{
    int others = model->collider_count + s.count;
    for (int i = 0; i < s.count * others; ++i) {
        int k = i / others;
        int l = i % others - model->collider_count;
        const model_interaction *between = s.between(model, k, i % others);
        if (between && (l < 0 || l > k)) {
            const int body[2] = { s.body(model, k), l < 0 ? model->colliders[i % others].body : s.body(model, l) };
            add_rule(rules, capacity, count, deforming_rule(model, between), body, 1);
        }
    }
}

static void add_surfaces(const carom_model *model, carom_contact_rule *rules, size_t capacity, size_t *count)
{
    const int touching = model->method->leaps ? model->surface_count : 0; /* others meet skins, or none */
    const surface_kind surfaces = { touching, body_of_surface, model_surface_interaction };
    const surface_kind skins = { model->skin_count, body_of_skin, model_skin_interaction };
    add_surfaces_of(model, surfaces, rules, capacity, count);
    add_surfaces_of(model, skins, rules, capacity, count);
}

/* ---- counting by classes ------------------------------------------------------------------------------------------- */

/* Two classes and the pairs of their colliders. The order matters: the first collider comes before the second. */
typedef struct class_pair {
    size_t pairs;
    int first[2]; /* the first of these pairs */
} class_pair;

typedef struct pair_count {
    const carom_model *model;
    int class_count;
    size_t *later;     /* by class: colliders after the present one */
    class_pair *cells; /* class_count squared */
    int *begin;        /* of each body's colliders, and one more */
    int *members;      /* colliders by class, ascending */
    int *class_begin;  /* of each class's members, and one more */
} pair_count;

static int class_of(const carom_model *model, int a)
{
    const model_collider *c = &model->colliders[a];
    return 2 * c->group + (model->bodies[c->body].role == BODY_FREE);
}

/* Whether colliders of these classes can touch at all. */
static bool is_possible(const carom_model *model, int i, int j)
{
    return (i % 2 || j % 2) && !model->interactions[i / 2 * model->group_count + j / 2].ignore;
}

/* Adds or takes off all pairs within a range of colliders. */
static void count_range(pair_count *p, int begin, int end, bool add)
{
    for (int j = 0; j < p->class_count; ++j) {
        p->later[j] = 0;
    }
    for (int a = end - 1; a >= begin; --a) {
        int i = class_of(p->model, a);
        for (int j = 0; j < p->class_count; ++j) {
            size_t *pairs = &p->cells[i * p->class_count + j].pairs;
            *pairs = add ? *pairs + p->later[j] : *pairs - p->later[j];
        }
        p->later[i]++;
    }
}

/* Colliders come body by body. */
static void find_ranges(pair_count *p)
{
    int a = 0;
    for (int body = 0; body < p->model->body_count; ++body) {
        p->begin[body] = a;
        while (a < p->model->collider_count && p->model->colliders[a].body == body) {
            ++a;
        }
    }
    p->begin[p->model->body_count] = a;
}

static void take_off_bodies(pair_count *p)
{
    for (int body = 0; body < p->model->body_count; ++body) {
        if (p->begin[body + 1] - p->begin[body] >= 2) {
            count_range(p, p->begin[body], p->begin[body + 1], false);
        }
    }
}

/* Joined bodies are sorted; two that are joined twice stand side by side. */
static void take_off_joined(pair_count *p)
{
    for (int k = 0; k < p->model->joined_count; ++k) {
        const int *x = p->model->joined[k];
        if (k > 0 && x[0] == p->model->joined[k - 1][0] && x[1] == p->model->joined[k - 1][1]) {
            continue;
        }
        for (int a = p->begin[x[0]]; a < p->begin[x[0] + 1]; ++a) {
            for (int b = p->begin[x[1]]; b < p->begin[x[1] + 1]; ++b) {
                p->cells[class_of(p->model, a) * p->class_count + class_of(p->model, b)].pairs--;
            }
        }
    }
}

static void sort_members(pair_count *p)
{
    for (int a = 0; a < p->model->collider_count; ++a) {
        p->class_begin[class_of(p->model, a) + 1]++;
    }
    for (int i = 0; i < p->class_count; ++i) {
        p->class_begin[i + 1] += p->class_begin[i];
        p->later[i] = (size_t)p->class_begin[i]; /* where the next member goes */
    }
    for (int a = 0; a < p->model->collider_count; ++a) {
        p->members[p->later[class_of(p->model, a)]++] = a;
    }
}

/* The first pair of two classes that have one. Only pairs that were taken off are passed over. */
static void find_first(const pair_count *p, int i, int j, int first[2])
{
    for (int k = p->class_begin[i], from = p->class_begin[j]; k < p->class_begin[i + 1]; ++k) {
        int a = p->members[k];
        while (from < p->class_begin[j + 1] && p->members[from] <= a) {
            ++from;
        }
        for (int m = from; m < p->class_begin[j + 1]; ++m) {
            if (model_interaction_of(p->model, a, p->members[m])) {
                first[0] = a;
                first[1] = p->members[m];
                return;
            }
        }
    }
}

static int compare_first(const void *x, const void *y)
{
    const class_pair *a = x;
    const class_pair *b = y;
    int one = (a->first[0] > b->first[0]) - (a->first[0] < b->first[0]);
    return one ? one : (a->first[1] > b->first[1]) - (a->first[1] < b->first[1]);
}

/* Cells with pairs to the front, in the order of their first pairs; how many there are. */
static size_t sort_cells(pair_count *p)
{
    size_t kept = 0;
    for (int k = 0; k < p->class_count * p->class_count; ++k) {
        class_pair cell = p->cells[k];
        if (cell.pairs > 0 && is_possible(p->model, k / p->class_count, k % p->class_count)) {
            find_first(p, k / p->class_count, k % p->class_count, cell.first);
            p->cells[kept++] = cell;
        }
    }
    qsort(p->cells, kept, sizeof *p->cells, compare_first);
    return kept;
}

static bool prepare(pair_count *p, carom_arena *arena, const carom_model *model)
{
    *p = (pair_count){ .model = model, .class_count = 2 * model->group_count };
    size_t n = (size_t)p->class_count;
    p->later = CAROM_ARENA_ARRAY(arena, size_t, n + 1);
    p->cells = CAROM_ARENA_ARRAY(arena, class_pair, n * n + 1);
    p->begin = CAROM_ARENA_ARRAY(arena, int, model->body_count + 1);
    p->members = CAROM_ARENA_ARRAY(arena, int, model->collider_count + 1);
    p->class_begin = CAROM_ARENA_ARRAY(arena, int, n + 1);
    return !arena->failed;
}

/* Without memory for counting: every pair is looked at, which takes longer and gives the same. */
static size_t visit_pairs(const carom_model *model, carom_contact_rule *out, size_t capacity)
{
    size_t count = 0;
    for (int a = 0; a < model->collider_count; ++a) {
        for (int b = a + 1; b < model->collider_count; ++b) {
            if (model_interaction_of(model, a, b)) {
                add_pairs(model, a, b, 1, out, capacity, &count);
            }
        }
    }
    add_surfaces(model, out, capacity, &count);
    return count;
}

size_t carom_model_contact_rules(const carom_model *model, carom_contact_rule *out, size_t capacity)
{
    carom_arena arena = { 0 };
    pair_count p;
    size_t count = 0;
    capacity = out ? capacity : 0;
    if (!model) {
        return 0;
    }
    if (!prepare(&p, &arena, model)) {
        carom_arena_free(&arena);
        return visit_pairs(model, out, capacity);
    }
    find_ranges(&p);
    count_range(&p, 0, model->collider_count, true);
    take_off_bodies(&p);
    take_off_joined(&p);
    sort_members(&p);
    size_t cells = sort_cells(&p);
    for (size_t k = 0; k < cells; ++k) {
        add_pairs(model, p.cells[k].first[0], p.cells[k].first[1], p.cells[k].pairs, out, capacity, &count);
    }
    add_surfaces(model, out, capacity, &count);
    carom_arena_free(&arena);
    return count;
}
