/* The hash of everything that decides results: what definitions say, through their field tables, and what names were
 * resolved to. Names of files, titles, colours and what is recorded decide nothing and stay out. */
#include "model/compile.h"

#include "base/hash.h"
#include "model/fields.h"

static uint64_t hash_reals(uint64_t hash, const double *data, size_t count)
{
    return carom_hash(hash, data, count * sizeof *data);
}

static uint64_t hash_ints(uint64_t hash, const int *data, size_t count)
{
    return carom_hash(hash, data, count * sizeof *data);
}

static uint64_t hash_vector(uint64_t hash, v3 r)
{
    return hash_reals(hash, (double[]){ r.x, r.y, r.z }, 3);
}

static uint64_t hash_pose(uint64_t hash, carom_pose pose)
{
    quat q = pose.orientation;
    return hash_reals(hash_vector(hash, pose.position), (double[]){ q.w, q.x, q.y, q.z }, 4);
}

/* How it follows the deformation is up to the kind of its body. */
static uint64_t hash_marker(uint64_t hash, const body_point *p)
{
    return hash_pose(hash, (carom_pose){ p->position, p->orientation });
}

/* Materials count where a body is made of them: in its mass, or in what it was made from. */
static uint64_t hash_scene(uint64_t hash, const carom_scene_def *scene)
{
    carom_scene_def deciding = *scene;
    deciding.materials = (carom_list){ 0 };
    deciding.name = deciding.description = NULL;
    deciding.record = (carom_record_def){ 0 };
    deciding.view = (carom_list){ 0 };
    deciding.states = (carom_list){ 0 }; /* hash_integral */
    deciding.events = (carom_list){ 0 }; /* hash_event */
    return fields_hash(hash, carom_scene_fields(), &deciding);
}

static uint64_t hash_mesh(uint64_t hash, const mesh *m)
{
    hash = hash_ints(hash, (int[]){ m->vertex_count, m->triangle_count }, 2);
    hash = carom_hash(hash, m->vertices, (size_t)m->vertex_count * sizeof *m->vertices);
    hash = carom_hash(hash, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);
    return m->edge_count ? carom_hash(hash, m->edges, (size_t)m->edge_count * sizeof *m->edges) : hash;
}

static uint64_t hash_body(uint64_t hash, const carom_model *model, const model_body *b)
{
    hash = hash_text(hash, b->name);
    hash = hash_int(hash, (int)b->role);
    if (b->nodal) {
        hash = carom_hash(hash, &b->flexible_hash, sizeof b->flexible_hash);
    }
    if (body_deforms(b)) {
        hash = kind_hash(hash, &b->type->kind, b->params);
        hash = carom_hash(hash, &b->flexible_hash, sizeof b->flexible_hash);
    }
    hash = hash_reals(hash, &b->mass, 1);
    hash = hash_reals(hash, b->inertia_b.m, 9);
    hash = hash_vector(hash, b->com_b);
    hash = hash_pose(hash, b->start);
    hash = hash_vector(hash, b->start_velocity);
    hash = hash_vector(hash, b->start_omega_w);
    if (b->role == BODY_KINEMATIC) {
        hash = hash_ints(hash, b->motion.position, 3);
        hash = hash_int(hash, b->motion.angle);
        hash = hash_vector(hash, b->motion.axis_w);
    }
    hash = hash_int(hash, b->shape_count);
    for (int i = 0; i < b->shape_count; ++i) {
        const model_shape *shape = &b->shapes[i];
        hash = kind_hash(hash, &shape->type->kind, shape->params);
        hash = hash_pose(hash, shape->pose_b);
        hash = hash_text(hash, shape->material);
        hash = hash_ints(hash, (int[]){ shape->touches, shape->resolution }, 2);
        hash = hash_reals(hash, &shape->spacing, 1);
        for (int k = 0; shape->mesh && k < model->mesh_count; ++k) {
            hash = model->meshes[k].mesh == shape->mesh ? hash_int(hash, k) : hash;
        }
    }
    return hash;
}

static uint64_t hash_joint(uint64_t hash, const model_joint *j)
{
    hash = kind_hash(hash, &j->type->kind, j->params);
    hash = hash_ints(hash, j->body, 2);
    hash = hash_marker(hash_marker(hash, &j->marker_c[0]), &j->marker_c[1]);
    hash = hash_ints(hash, (int[]){ j->spring_count, j->limit_count, j->driver_count, j->friction.given }, 4);
    for (int k = 0; k < j->spring_count; ++k) {
        const model_joint_spring *s = &j->springs[k];
        hash = hash_int(hash, s->coordinate);
        hash = hash_reals(hash, (double[]){ s->stiffness, s->damping, s->free, s->preload }, 4);
    }
    for (int k = 0; k < j->limit_count; ++k) {
        const model_joint_limit *l = &j->limits[k];
        hash = hash_int(hash, l->coordinate);
        hash = hash_reals(hash, (double[]){ l->min, l->max, l->stiffness, l->damping, l->restitution }, 5);
    }
    for (int k = 0; k < j->driver_count; ++k) {
        hash = hash_ints(hash, (int[]){ j->drivers[k].coordinate, j->drivers[k].value }, 2);
    }
    for (int k = 0; k < j->start_count; ++k) {
        hash = hash_int(hash, j->starts[k].coordinate);
        hash = hash_reals(hash, (double[]){ j->starts[k].value, j->starts[k].rate }, 2);
    }
    hash = hash_reals(hash, (double[]){ j->friction.coefficient, j->friction.radius, j->friction.length }, 3);
    hash = hash_reals(hash, (double[]){ j->clearance, j->bearing_radius, j->guide_length }, 3);
    return j->clearance > 0.0 ? hash_text(hash, j->name) : hash; /* rules of contact go by it */
}

static uint64_t hash_coupler(uint64_t hash, const model_coupler *c)
{
    hash = hash_ints(hash_ints(hash, c->joint, 2), c->coordinate, 2);
    return hash_reals(hash, &c->ratio, 1);
}

static uint64_t hash_force(uint64_t hash, const model_force *f)
{
    hash = kind_hash(hash, &f->type->kind, f->params);
    hash = hash_ints(hash, f->body, 2);
    hash = hash_marker(hash_marker(hash, &f->marker_c[0]), &f->marker_c[1]);
    hash = hash_ints(hash, (int[]){ f->joint, f->coordinate, f->value_count }, 3);
    return hash_ints(hash, f->values, (size_t)f->value_count);
}

static uint64_t hash_value(uint64_t hash, const model_value *v)
{
    hash = hash_int(hash, (int)v->kind);
    switch (v->kind) {
    case CAROM_NUMBER:
        return hash_reals(hash, &v->number, 1);
    case CAROM_TABLE:
        return hash_curve(hash, &v->table.points);
    case CAROM_EXPRESSION:
        break;
    }
    hash = hash_text(hash, v->text);
    const carom_units *u = &v->units;
    hash = hash_reals(hash, (double[]){ v->scale, u->length, u->mass, u->time, u->angle }, 5);
    hash = u->force > 0.0 ? hash_reals(hash, &u->force, 1) : hash;
    hash = hash_int(hash, v->variable_count);
    for (int k = 0; k < v->variable_count; ++k) {
        const signal_ref *ref = &v->variables[k];
        hash = hash_ints(hash, (int[]){ (int)ref->source, ref->index, ref->component }, 3);
    }
    return hash;
}

/* The condition is among the values. */
static uint64_t hash_event(uint64_t hash, const model_event *e)
{
    hash = hash_text(hash, e->name);
    hash = hash_ints(hash, (int[]){ e->value, (int)e->action, e->input }, 3);
    return hash_reals(hash, (double[]){ e->hold, e->to }, 2);
}

/* The rate is among the values. */
static uint64_t hash_integral(uint64_t hash, const model_integral *z)
{
    hash = hash_text(hash, z->name);
    hash = hash_ints(hash, (int[]){ z->force, z->value }, 2);
    return hash_reals(hash, (double[]){ z->rate_scale, z->start, z->size }, 3);
}

uint64_t compile_hash(const carom_model *model)
{
    uint64_t hash = hash_scene(CAROM_HASH_START, &model->scene);
    hash = hash_ints(hash, (int[]){ model->body_count, model->joint_count, model->coupler_count, model->force_count },
                     4);
    for (int i = 0; i < model->mesh_count; ++i) {
        hash = hash_mesh(hash, model->meshes[i].mesh);
    }
    for (int i = 0; i < model->body_count; ++i) {
        hash = hash_body(hash, model, &model->bodies[i]);
    }
    for (int i = 0; i < model->joint_count; ++i) {
        hash = hash_joint(hash, &model->joints[i]);
    }
    for (int i = 0; i < model->coupler_count; ++i) {
        hash = hash_coupler(hash, &model->couplers[i]);
    }
    for (int i = 0; i < model->force_count; ++i) {
        hash = hash_force(hash, &model->forces[i]);
    }
    for (int i = 0; i < model->value_count; ++i) {
        hash = hash_value(hash, &model->values[i]);
    }
    for (int i = 0; i < model->integral_count; ++i) {
        hash = hash_integral(hash, &model->integrals[i]);
    }
    for (int i = 0; i < model->event_count; ++i) {
        hash = hash_event(hash, &model->events[i]);
    }
    for (size_t k = 0; k < model->normal_law_count; ++k) {
        hash = fields_hash(hash, normal_user_fields(), model->normal_laws[k].def);
    }
    for (size_t k = 0; k < model->friction_law_count; ++k) {
        hash = fields_hash(hash, friction_user_fields(), model->friction_laws[k].def);
    }
    return hash;
}
