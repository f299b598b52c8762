/* What takes part in contact, with which laws, and how near bodies are when a run begins. */
#include "check_contact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <carom/modes.h>

#include "command.h"
#include "table.h"

static const double rounding = 1e-6;   /* of the smaller body's size: touching, for methods that take no overlap */
static const double deep_start = 0.01; /* of the smaller body's size: more than any sensible law makes at rest */

/* ---- shapes ------------------------------------------------------------------------------------------------------ */

static void field_cell(table *t, const carom_collider_info *c)
{
    if (c->field) {
        table_cell(t, "%s, cells of %.3g m, off by %.2g m at most", c->field, c->spacing, c->error);
    } else {
        table_cell(t, c->points == 0 && isfinite(c->size) ? "none"
                                                          : "exact"); /* sheets, wires and points have no inside */
    }
}

static void print_shapes(const carom_model *model)
{
    enum { SHOWN = 20 };
    static const char *const titles[] = { "body", "shape", "material", "points", "distance field" };
    table t;
    int count = carom_model_collider_count(model);
    print_heading("%d %s in contact", count, count == 1 ? "shape takes part" : "shapes take part");
    table_init(&t, 5, titles, "lllrt");
    for (int i = 0; i < count && i < SHOWN; ++i) {
        carom_collider_info c = carom_model_collider(model, i);
        table_cell(&t, "%s", carom_model_body_name(model, c.body));
        table_cell(&t, "%s", c.shape);
        table_cell(&t, "%s", c.material ? c.material : "");
        table_cell(&t, "%d", c.points);
        field_cell(&t, &c);
    }
    table_print(&t);
    if (count > SHOWN) {
        print_line("  and %d more", count - SHOWN);
    }
}

/* Which shapes touch by whole elements, and why others do not. */
static void print_features(const carom_model *model)
{
    enum { SHOWN = 20 };
    int exact = 0, others = 0;
    for (int i = 0; i < carom_model_collider_count(model); ++i) {
        carom_collider_info c = carom_model_collider(model, i);
        exact += c.exact;
        others += c.why_points != NULL;
    }
    if (exact > 0) {
        print_heading("%d %s by whole corners, edges, circles and axes (exact features)", exact,
                      exact == 1 ? "touches" : "touch");
        print_line(
            "  their 'points' are such elements; they meet each other by them, and shapes that have none by points");
    }
    if (others > 0) {
        print_heading("%d %s by points", others, others == 1 ? "touches" : "touch");
    }
    int shown = 0;
    for (int i = 0; i < carom_model_collider_count(model) && shown < SHOWN; ++i) {
        carom_collider_info c = carom_model_collider(model, i);
        if (c.why_points) {
            print_line("  %s (%s): %s", carom_model_body_name(model, c.body), c.shape, c.why_points);
            ++shown;
        }
    }
    if (others > SHOWN) {
        print_line("  and %d more", others - SHOWN);
    }
}

/* Bodies that deform and touch with their own surface; how many there are. */
static int print_surfaces(const carom_model *model)
{
    int count = 0;
    for (carom_id i = 1; i < carom_model_body_count(model); ++i) {
        carom_flexible_info info = carom_model_flexible(model, i);
        if (info.facet_count > 0 && count++ == 0) {
            print_heading("With its own surface, as it deforms, touches");
        }
        if (info.facet_count > 0) {
            print_line("  %s: %d facets", carom_model_body_name(model, i), info.facet_count);
        }
    }
    return count;
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static const char *points_text(const carom_contact_rule *rule)
{
    return rule->points[0] && rule->points[1] ? "both" : rule->points[0] ? "first" : "second";
}

static void force_cells(table *t, const carom_contact_rule *r)
{
    table_cell(t, "%s", r->law ? r->law : "none");
    table_number(t, r->restitution, 4);
    table_cell(t, "%s", r->friction ? r->friction : "none");
    table_cell(t, "%s", r->per_area ? "area" : "point");
    table_cell(t, "%s", points_text(r));
}

static void impact_cells(table *t, const carom_contact_rule *r)
{
    if (r->impulse > 0.0) {
        table_cell(t, "impulse of %.4g N s", r->impulse);
    } else {
        table_cell(t, "%s", r->restitution_law);
    }
    if (isnan(r->restitution)) {
        table_cell(t, "by waves");
    } else {
        table_number(t, r->restitution, 4);
    }
    table_number(t, r->mu, 4);
}

static void print_rules(const carom_model *model)
{
    enum { SHOWN = 32 };
    static const char *const of_forces[] = {
        "pairs", "such as", "law", "restitution", "friction", "per", "points of"
    };
    static const char *const of_impacts[] = { "pairs", "such as", "law", "restitution", "friction" };
    carom_contact_rule rules[SHOWN] = { 0 };
    size_t count = carom_model_contact_rules(model, rules, SHOWN);
    bool impacts = rules[0].restitution_law != NULL;
    table t;
    print_heading("What happens where they meet");
    table_init(&t, impacts ? 5 : 7, impacts ? of_impacts : of_forces, impacts ? "rllrr" : "rllrlll");
    for (size_t i = 0; i < count && i < SHOWN; ++i) {
        const carom_contact_rule *r = &rules[i];
        table_cell(&t, "%zu", r->pairs);
        table_cell(&t, "%s - %s", carom_model_body_name(model, r->example[0]),
                   carom_model_body_name(model, r->example[1]));
        (impacts ? impact_cells : force_cells)(&t, r);
    }
    table_print(&t);
    if (count == 0) {
        print_line("  nothing: no two of them can touch");
    } else if (count > SHOWN) {
        print_line("  and more");
    }
}

/* ---- clearances -------------------------------------------------------------------------------------------------- */

/* Bodies are near each other within a tenth of the largest shape that has a size. */
static double near_enough(const carom_model *model)
{
    double largest = 0.0;
    for (int i = 0; i < carom_model_collider_count(model); ++i) {
        double size = carom_model_collider(model, i).size;
        largest = isfinite(size) ? fmax(largest, size) : largest;
    }
    return 0.1 * largest;
}

static void print_clearance(const carom_model *model, const carom_clearance *c, bool refused)
{
    const char *a = carom_model_body_name(model, c->body[0]);
    const char *b = carom_model_body_name(model, c->body[1]);
    if (c->gap >= 0.0) {
        print_line("  %s - %s: %.3g m apart", a, b, c->gap);
    } else if (refused) {
        print_line("  %s - %s: %.3g m into each other, more than the method can begin with", a, b, -c->gap);
    } else if (-c->gap <= deep_start * c->size) {
        print_line("  %s - %s: %.3g m into each other", a, b, -c->gap);
    } else {
        print_line("  %s - %s: %.3g m into each other, warning: that is %.2g %% of the smaller one and will throw "
                   "them apart; move them",
                   a, b, -c->gap, -100.0 * c->gap / c->size);
    }
}

static carom_status print_clearances(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                                     carom_error *err)
{
    enum { SHOWN = 12 };
    carom_clearance *list = NULL;
    size_t count = 0;
    double reach = near_enough(model);
    carom_status status = carom_observe_clearances(model, state, scratch, reach, &list, &count, err);
    if (status == CAROM_OK) {
        bool refused = carom_check_start(model, state, scratch, NULL) == CAROM_INTERSECTING;
        print_heading("%zu %s nearer than %.3g m at the start", count, count == 1 ? "pair" : "pairs", reach);
        for (size_t i = 0; i < count && i < SHOWN; ++i) {
            print_clearance(model, &list[i], refused && -list[i].gap > rounding * list[i].size);
        }
        if (count > SHOWN) {
            print_line("  and %zu more", count - SHOWN);
        }
    }
    carom_clearances_destroy(list);
    return status;
}

carom_status print_contact(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                           carom_error *err)
{
    int surfaces = 0;
    if (carom_model_collider_count(model) > 0) {
        print_shapes(model);
        print_features(model);
    }
    surfaces = print_surfaces(model);
    if (carom_model_collider_count(model) + surfaces == 0) {
        return CAROM_OK;
    }
    print_rules(model);
    return near_enough(model) > 0.0 ? print_clearances(model, state, scratch, err) : CAROM_OK;
}
