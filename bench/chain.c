/* A chain of N rods of 1 m and 1 kg (1/12 kg m^2 across, 0.01 along), hinged about y or by ball joints, horizontal at
 * rest, falling for 1 s with steps of 1 ms: steps per second, energy drift relative to the potential energy released,
 * largest joint gap. Processor time of the one thread that works: a BLAS that some library brings along may spin others.
 * usage: chain N revolute|spherical INTEGRATOR [h] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "measure.h"

static void add_link(carom_spec *spec, int i, const char *joint_type, carom_error *err)
{
    static const double inertia[3] = { 0.01, 1.0 / 12.0, 1.0 / 12.0 };
    char body[32], joint[32], before[32];
    snprintf(body, sizeof body, "rod%d", i);
    snprintf(joint, sizeof joint, "hinge%d", i);
    snprintf(before, sizeof before, "rod%d", i - 1);
    carom_body_def rod = carom_body_def_default();
    rod.name = body;
    rod.mass = 1.0;
    rod.inertia = (carom_reals){ 3, inertia };
    rod.position = (carom_v3){ i + 0.5, 0.0, 0.0 };
    stop_on(carom_spec_add_body(spec, &rod, err), err);
    carom_joint_def hinge = carom_joint_def_default();
    hinge.name = joint;
    hinge.joint.kind = joint_type;
    hinge.attachment.bodies[0] = i > 0 ? before : "ground";
    hinge.attachment.bodies[1] = body;
    hinge.attachment.at = (carom_v3){ i, 0.0, 0.0 };
    hinge.attachment.axis = (carom_v3){ 0.0, 1.0, 0.0 };
    stop_on(carom_spec_add_joint(spec, &hinge, err), err);
}

static carom_model *make_chain(int n, const char *joint_type, const char *integrator, double h, carom_error *err)
{
    carom_spec *spec = carom_spec_create();
    carom_scene_def scene = carom_scene_def_default();
    scene.gravity = (carom_v3){ 0.0, 0.0, -9.81 };
    scene.time.end = 1.0;
    scene.time.step = h;
    scene.time.integrator.kind = integrator;
    stop_on(carom_spec_set_scene(spec, &scene, err), err);
    for (int i = 0; i < n; ++i) {
        add_link(spec, i, joint_type, err);
    }
    carom_model *model = NULL;
    stop_on(carom_compile(spec, &model, err), err);
    carom_spec_destroy(spec);
    return model;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: chain N revolute|spherical INTEGRATOR [h]\n");
        return 2;
    }
    double h = argc > 4 ? strtod(argv[4], NULL) : 1e-3;
    carom_error err = { 0 };
    carom_model *model = make_chain(atoi(argv[1]), argv[2], argv[3], h, &err);
    carom_state *state = carom_state_create(model);
    carom_scratch *scratch = NULL;
    stop_on(carom_scratch_create(model, 1, &scratch, &err), &err);
    stop_on(carom_assemble(model, state, scratch, NULL, &err), &err);
    carom_ledger first, last;
    stop_on(carom_observe_ledger(model, state, scratch, &first, &err), &err);
    double gap = 0.0;
    long steps = 0;
    double spent = 0.0;
    while (carom_state_time(state) < 1.0 - 1e-12) {
        double start = cpu_seconds();
        stop_on(carom_step(model, state, scratch, 1.0 - carom_state_time(state), NULL, &err), &err);
        spent += cpu_seconds() - start;
        if (++steps % 100 == 0) {
            stop_on(carom_observe_ledger(model, state, scratch, &last, &err), &err);
            gap = last.position_error > gap ? last.position_error : gap;
        }
    }
    stop_on(carom_observe_ledger(model, state, scratch, &last, &err), &err);
    printf("carom-%s %s %s %.1f %.2e %.2e\n", argv[3], argv[2], argv[1], (double)steps / spent,
           last.residue / (first.potential - last.potential), gap);
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return 0;
}
