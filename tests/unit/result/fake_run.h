/* A model, state and frames without dynamics: just enough for the writers. */
#ifndef CAROM_TESTS_FAKE_RUN_H
#define CAROM_TESTS_FAKE_RUN_H

#include <stdlib.h>
#include <unistd.h>

#include "model/frame.h"
#include "support/check.h"

enum { FAKE_BODIES = 3, FAKE_JOINTS = 2, FAKE_COORDINATES = 2, FAKE_SIGNALS = 2, FAKE_STATE = 40 };

typedef struct fake_run {
    carom_model model;
    model_body bodies[FAKE_BODIES];
    model_joint joints[FAKE_JOINTS];
    carom_joint_type types[FAKE_JOINTS];
    const char *signal_names[FAKE_SIGNALS];
    signal_ref signals[FAKE_SIGNALS];
    /* a frame */
    carom_pose pose[FAKE_BODIES];
    body_rate rate[FAKE_BODIES];
    double coordinate[FAKE_COORDINATES];
    double coordinate_rate[FAKE_COORDINATES];
    v3 force[FAKE_JOINTS];
    v3 torque[FAKE_JOINTS];
    double signal[FAKE_SIGNALS];
    /* a state */
    carom_state state;
    double data[FAKE_STATE];
    char folder[64];
} fake_run;

static inline void fake_run_init(fake_run *run)
{
    *run = (fake_run){ 0 };
    run->types[0].kind.name = "revolute";
    run->types[0].coordinate_count = 1;
    run->types[0].coordinates[0] = (joint_coordinate){ "angle", true, true };
    run->types[1].kind.name = "prismatic";
    run->types[1].coordinate_count = 1;
    run->types[1].coordinates[0] = (joint_coordinate){ "travel", false, true };
    run->bodies[0] = (model_body){ .name = "ground", .role = BODY_FIXED };
    run->bodies[1] = (model_body){ .name = "rod", .role = BODY_FREE, .mass = 2.0 };
    run->bodies[2] = (model_body){ .name = "a/b,\"c\"\n\xc3\xa9", .role = BODY_KINEMATIC };
    run->joints[0] = (model_joint){ .name = "hinge", .type = &run->types[0], .first_coordinate = 0 };
    run->joints[1] = (model_joint){ .name = "slide", .type = &run->types[1], .first_coordinate = 1 };
    for (int i = 0; i < FAKE_JOINTS; ++i) {
        run->joints[i].marker_c[0].orientation.w = 1.0;
        run->joints[i].marker_c[1].orientation.w = 1.0;
    }
    run->signal_names[0] = "rod.position.x";
    run->signal_names[1] = "x,\"y\".force";
    run->signals[0].dimension = (carom_dimension)CAROM_DIM_LENGTH;
    run->signals[1].dimension = (carom_dimension)CAROM_DIM_FORCE;
    run->model.scene.name = "fake";
    run->model.body_count = FAKE_BODIES;
    run->model.bodies = run->bodies;
    run->model.joint_count = FAKE_JOINTS;
    run->model.joints = run->joints;
    run->model.coordinate_count = FAKE_COORDINATES;
    run->model.signal_count = FAKE_SIGNALS;
    run->model.signal_names = run->signal_names;
    run->model.signals = run->signals;
    run->model.hash = UINT64_C(0x123456789abcdef0);
    run->state.size = FAKE_STATE;
    run->state.data = run->data;
    snprintf(run->folder, sizeof run->folder, "/tmp/carom-test-XXXXXX");
}

/* Every number of frame k is different and known: base + 1000 k. Orientations are rotations: (0.6, 0, 0, 0.8), and its
 * negative in odd frames. */
static inline result_frame fake_frame(fake_run *run, long k)
{
    double base = 1000.0 * (double)k;
    double sign = k % 2 == 0 ? 1.0 : -1.0;
    for (int i = 0; i < FAKE_BODIES; ++i) {
        double at = base + 20.0 * i;
        run->pose[i] = (carom_pose){ { at, at + 1, at + 2 }, { 0.6 * sign, 0.0, 0.0, 0.8 * sign } };
        run->rate[i] = (body_rate){ { at + 7, at + 8, at + 9 }, { at + 10, at + 11, at + 12 } };
    }
    for (int i = 0; i < 2; ++i) {
        double at = base + 100.0 + 20.0 * i;
        run->coordinate[i] = at;
        run->coordinate_rate[i] = at + 1;
        run->force[i] = (v3){ at + 2, at + 3, at + 4 };
        run->torque[i] = (v3){ at + 5, at + 6, at + 7 };
        run->signal[i] = at + 8;
    }
    result_frame frame = { .t = 0.1 * (double)k,
                           .pose = run->pose,
                           .rate = run->rate,
                           .coordinate = run->coordinate,
                           .coordinate_rate = run->coordinate_rate,
                           .joint_force = run->force,
                           .joint_torque = run->torque,
                           .signals = run->signal,
                           .step = 1e-3,
                           .steps = 7 * k };
    frame.ledger.kinetic = base + 200.0;
    frame.ledger.angular_momentum_residue.z = base + 201.0;
    return frame;
}

static inline void fake_path(const fake_run *run, const char *name, char path[256])
{
    snprintf(path, 256, "%s/%s", run->folder, name);
}

static inline void fake_run_clean(const fake_run *run)
{
    static const char *const names[] = { "result.h5", "summary.json", "signals.csv", "checkpoint.bin", "out.csv" };
    char path[256];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        fake_path(run, names[i], path);
        unlink(path);
    }
    rmdir(run->folder);
}

/* A run with a folder of its own, and its end, at which nothing hidden stays behind. */
static inline fake_run *fake_run_start(void)
{
    fake_run *run = malloc(sizeof *run);
    CHECK(run != NULL);
    fake_run_init(run);
    CHECK(mkdtemp(run->folder) != NULL);
    return run;
}

static inline void fake_run_finish(fake_run *run)
{
    fake_run_clean(run);
    CHECK(access(run->folder, F_OK) != 0);
    free(run);
}

#endif
