/* Random contact problems: bodies of very different masses, contacts among them and with the ground, some redundant, some without
 * friction, some far apart, some joints. */
#ifndef CAROM_TESTS_RANDOM_CONTACTS_H
#define CAROM_TESTS_RANDOM_CONTACTS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nonsmooth/contact_problem.h"
#include "support/check.h"

enum { RANDOM_BODIES = 100, RANDOM_CONTACTS = 200, RANDOM_JOINTS = 40 };

typedef struct random_contacts {
    problem_body bodies[RANDOM_BODIES];
    double v[6 * RANDOM_BODIES], v_free[6 * RANDOM_BODIES];
    double size[RANDOM_BODIES];
    cone_contact contacts[RANDOM_CONTACTS];
    joint_equations joints[RANDOM_JOINTS];
    contact_problem problem;
} random_contacts;

static inline void random_unit(test_rng *r, double out[3])
{
    double length = 0.0;
    while (!(length > 0.1)) {
        length = 0.0;
        for (int k = 0; k < 3; ++k) {
            out[k] = test_rng_uniform(r, -1.0, 1.0);
            length += out[k] * out[k];
        }
        length = sqrt(length);
    }
    for (int k = 0; k < 3; ++k) {
        out[k] /= length;
    }
}

static inline void random_frame(test_rng *r, double frame[3][3])
{
    double a[3];
    random_unit(r, frame[0]);
    double along = 1.0;
    while (fabs(along) > 0.9) {
        random_unit(r, a);
        along = a[0] * frame[0][0] + a[1] * frame[0][1] + a[2] * frame[0][2];
    }
    double length = sqrt(1.0 - along * along);
    const double *n = frame[0];
    double *t = frame[1];
    for (int k = 0; k < 3; ++k) {
        t[k] = (a[k] - along * n[k]) / length;
    }
    frame[2][0] = n[1] * t[2] - n[2] * t[1];
    frame[2][1] = n[2] * t[0] - n[0] * t[2];
    frame[2][2] = n[0] * t[1] - n[1] * t[0];
}

/* A box of random proportions in a random attitude; the mass spans 10^spread. */
static inline void random_body(test_rng *r, problem_body *b, double *size, double spread)
{
    double R[3][3];
    double I[3];
    random_frame(r, R);
    *b = (problem_body){ .mass = pow(10.0, test_rng_uniform(r, 0.0, spread)) };
    *size = test_rng_uniform(r, 0.05, 0.5);
    for (int k = 0; k < 3; ++k) {
        I[k] = b->mass * *size * *size * test_rng_uniform(r, 0.3, 0.5);
    }
    b->inverse_mass = 1.0 / b->mass;
    for (int k = 0; k < 3; ++k) {
        for (int l = 0; l < 3; ++l) {
            for (int m = 0; m < 3; ++m) {
                b->inertia[k][l] += R[m][k] * I[m] * R[m][l];
                b->inverse_inertia[k][l] += R[m][k] / I[m] * R[m][l];
            }
        }
    }
}

static inline void random_contact(test_rng *r, random_contacts *s, int i, double mu)
{
    contact_problem *p = &s->problem;
    cone_contact *c = &s->contacts[i];
    *c = (cone_contact){ .mu = test_rng_uniform(r, 0.0, 1.0) < 0.15 ? 0.0 : test_rng_uniform(r, 0.0, mu) };
    c->body[0] = (int)test_rng_uniform(r, 0.0, p->body_count);
    c->body[1] = test_rng_uniform(r, 0.0, 1.0) < 0.4 ? -1 : (int)test_rng_uniform(r, 0.0, p->body_count);
    c->body[1] = c->body[1] == c->body[0] ? -1 : c->body[1];
    random_frame(r, c->frame);
    for (int side = 0; side < 2; ++side) {
        if (c->body[side] >= 0) {
            random_unit(r, c->arm[side]);
            for (int k = 0; k < 3; ++k) {
                c->arm[side][k] *= s->size[c->body[side]];
            }
            c->eps += 1e-6 * s->bodies[c->body[side]].inverse_mass;
        }
    }
    c->bias[0] = test_rng_uniform(r, 0.0, 1.0) < 0.7 ? 0.0 : test_rng_uniform(r, 0.0, 0.5);
}

/* The corners of a face, or the same point once more: the same pair and normal. */
static inline void repeat_contact(test_rng *r, random_contacts *s, int i)
{
    cone_contact *c = &s->contacts[i];
    *c = s->contacts[i - 1];
    double along = test_rng_uniform(r, -0.1, 0.1);
    for (int side = 0; side < 2; ++side) {
        for (int k = 0; k < 3 && c->body[side] >= 0; ++k) {
            c->arm[side][k] += along * c->frame[1][k];
        }
    }
}

static inline void random_joint(test_rng *r, random_contacts *s, int i)
{
    joint_equations *j = &s->joints[i];
    *j = (joint_equations){ .end_count = 2,
                            .body = { i, test_rng_uniform(r, 0.0, 1.0) < 0.3 ? -1 : i + 1 },
                            .count = 3 };
    double arm[2][3];
    random_unit(r, arm[0]);
    random_unit(r, arm[1]);
    for (int side = 0; side < 2; ++side) {
        double sign = side == 0 ? 1.0 : -1.0;
        const double a[3] = { 0.2 * arm[side][0], 0.2 * arm[side][1], 0.2 * arm[side][2] };
        const double turned[3][3] = { { 0.0, a[2], -a[1] }, { -a[2], 0.0, a[0] }, { a[1], -a[0], 0.0 } };
        for (int k = 0; k < 3; ++k) {
            j->J[side][k][k] = sign;
            for (int l = 0; l < 3; ++l) {
                j->J[side][k][3 + l] = sign * turned[k][l];
            }
            j->eps[k] += j->body[side] >= 0 ? 1e-6 * s->bodies[j->body[side]].inverse_mass : 0.0;
            j->length[k] = 1.0;
        }
    }
}

/* Joints that rub along one to three rows of random directions: slip of one end against the other near the joint, pressed by one or two loads. */
static inline void random_rubbing(test_rng *r, random_contacts *s, double mu)
{
    for (int i = 0; i < s->problem.joint_count; ++i) {
        joint_equations *j = &s->joints[i];
        j->slip_count = 1 + (int)test_rng_uniform(r, 0.0, 3.0);
        j->mu = test_rng_uniform(r, 0.0, mu);
        j->load_count = 1 + (int)test_rng_uniform(r, 0.0, 2.0);
        for (int g = 0; g < j->load_count; ++g) {
            j->loads[g].dim = 1 + (int)test_rng_uniform(r, 0.0, 3.0);
            for (int k = 0; k < j->loads[g].dim; ++k) {
                for (int l = 0; l < j->count; ++l) {
                    j->loads[g].map[k][l] = test_rng_uniform(r, -1.0, 1.0);
                }
            }
        }
        for (int k = j->count; k < j->count + j->slip_count; ++k) {
            double axis[3];
            random_unit(r, axis);
            for (int l = 0; l < 3; ++l) { /* turning at 5 cm */
                j->J[0][k][3 + l] = 0.05 * axis[l];
                j->J[1][k][3 + l] = -0.05 * axis[l];
            }
            j->eps[k] = j->eps[0];
            j->length[k] = 1.0;
        }
    }
    contact_problem_prepare(&s->problem);
}

static inline void random_problem(test_rng *r, random_contacts *s, int contacts, int joints, double spread, double mu)
{
    int bodies = 1 + contacts / 3;
    bodies = bodies < joints + 1 ? joints + 1 : bodies;
    s->problem = (contact_problem){ .body_count = bodies,
                                    .bodies = s->bodies,
                                    .v = s->v,
                                    .v_free = s->v_free,
                                    .contact_count = contacts,
                                    .contacts = s->contacts,
                                    .joint_count = joints,
                                    .joints = s->joints,
                                    .speed = 1.0 };
    for (int i = 0; i < bodies; ++i) {
        random_body(r, &s->bodies[i], &s->size[i], spread);
        for (int k = 0; k < 6; ++k) {
            s->v_free[6 * i + k] = test_rng_uniform(r, -1.0, 1.0);
        }
    }
    for (int i = 0; i < contacts; ++i) {
        if (i > 0 && test_rng_uniform(r, 0.0, 1.0) < 0.4) {
            repeat_contact(r, s, i);
        } else {
            random_contact(r, s, i, mu);
        }
    }
    for (int i = 0; i < joints; ++i) {
        random_joint(r, s, i);
    }
    contact_problem_prepare(&s->problem);
}

#endif
