#include "dynamics/element_tangents.h"

#include <string.h>

#include "model/method.h"

typedef struct tangent_walk {
    const carom_scratch *w;
    double stiffness, damping;
    element_visitor *visit;
    void *context;
} tangent_walk;

static bool has_stops(const carom_model *model, const model_joint *joint)
{
    return joint->limit_count > 0 && !model->method->rigid_stops;
}

int element_count(const carom_model *model)
{
    return model->joint_count + model->force_count;
}

bool element_has_tangent(const carom_model *model, int element)
{
    if (element >= model->joint_count) {
        return model->forces[element - model->joint_count].type->tangent != NULL;
    }
    const model_joint *joint = &model->joints[element];
    return joint->spring_count > 0 || has_stops(model, joint);
}

const int *element_bodies(const carom_model *model, int element)
{
    return element < model->joint_count ? model->joints[element].body
                                        : model->forces[element - model->joint_count].body;
}

/* k rows^T rows: stiffness along a joint coordinate. */
static void visit_along(const carom_scratch *w, int element, int j, int coordinate, double k, element_visitor *visit,
                        void *context)
{
    const model_joint *joint = &w->model->joints[j];
    double row[PAIR_COLUMNS];
    double H[PAIR_COLUMNS][PAIR_COLUMNS];
    memcpy(row, w->coordinate_rows[j].a[coordinate], FRAME_COLUMNS * sizeof *row);
    memcpy(row + FRAME_COLUMNS, w->coordinate_rows[j].b[coordinate], FRAME_COLUMNS * sizeof *row);
    for (int r = 0; r < PAIR_COLUMNS; ++r) {
        for (int c = 0; c < PAIR_COLUMNS; ++c) {
            H[r][c] = k * row[r] * row[c];
        }
    }
    visit(context, w, &(element_tangent){ element, { joint_place(joint, 0), joint_place(joint, 1) }, H });
}

static void visit_coordinate(const tangent_walk *t, int element, int j, int coordinate, double k)
{
    visit_along(t->w, element, j, coordinate, k, t->visit, t->context);
}

void element_tangent_along(const carom_scratch *w, int joint, int coordinate, double k, element_visitor *visit,
                           void *context)
{
    visit_along(w, joint, joint, coordinate, k, visit, context);
}

static double limit_stiffness(const model_joint_limit *l, double q, double stiffness, double damping)
{
    double d = q > l->max ? q - l->max : q < l->min ? l->min - q : 0.0;
    return d > 0.0 ? l->stiffness * (stiffness + damping * l->damping * d) : 0.0;
}

static void visit_joint(const tangent_walk *t, int j)
{
    const model_joint *joint = &t->w->model->joints[j];
    for (int k = 0; k < joint->spring_count; ++k) {
        const model_joint_spring *s = &joint->springs[k];
        visit_coordinate(t, j, j, s->coordinate, t->stiffness * s->stiffness + t->damping * s->damping);
    }
    for (int k = 0; has_stops(t->w->model, joint) && k < joint->limit_count; ++k) {
        const model_joint_limit *l = &joint->limits[k];
        double q = t->w->coordinate[joint->first_coordinate + l->coordinate];
        double H = limit_stiffness(l, q, t->stiffness, t->damping);
        if (H > 0.0) {
            visit_coordinate(t, j, j, l->coordinate, H);
        }
    }
}

static void visit_force(const tangent_walk *t, int i)
{
    const model_force *force = &t->w->model->forces[i];
    int element = t->w->model->joint_count + i;
    carom_force_tangent H = { 0 };
    force->type->tangent(&H, &t->w->force_frames[i], force->params);
    if (force->type->target == FORCE_ON_JOINT) {
        visit_coordinate(t, element, force->joint, force->coordinate,
                         t->stiffness * H.coordinate_stiffness + t->damping * H.coordinate_damping);
        return;
    }
    for (int r = 0; r < PAIR_COLUMNS * PAIR_COLUMNS; ++r) {
        double *k = &H.stiffness[r / PAIR_COLUMNS][r % PAIR_COLUMNS];
        *k = t->stiffness * *k + t->damping * H.damping[r / PAIR_COLUMNS][r % PAIR_COLUMNS];
    }
    t->visit(t->context, t->w,
             &(element_tangent){ element, { force_place(force, 0), force_place(force, 1) }, H.stiffness });
}

void element_tangents(const carom_scratch *w, double stiffness, double damping, element_visitor *visit, void *context)
{
    tangent_walk t = { w, stiffness, damping, visit, context };
    for (int j = 0; j < w->model->joint_count; ++j) {
        visit_joint(&t, j);
    }
    for (int i = 0; i < w->model->force_count; ++i) {
        if (w->model->forces[i].type->tangent) {
            visit_force(&t, i);
        }
    }
}
