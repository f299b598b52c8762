/* A pendulum built in C: define, compile, step, observe.
 *
 *     cc pendulum.c $(pkg-config --cflags --libs carom) -o pendulum && ./pendulum
 *
 * A rod of one metre hangs on a hinge and is let go from the horizontal. The table shows its angle, the force on the
 * hinge and what the ledger says about the energy. */
#include <carom/carom.h>
#include <stdio.h>

/* The rod: a steel bar along x from the origin, its frame in the middle. */
static carom_status add_rod(carom_spec *spec, carom_error *err)
{
    const carom_box_def bar = { .size = { 1.0, 0.05, 0.05 } };
    carom_shape_def shape = carom_shape_def_default();
    shape.shape = (carom_choice){ .kind = "box", .params = &bar };

    carom_body_def rod = carom_body_def_default();
    rod.name = "rod";
    rod.shapes = (carom_list){ .count = 1, .items = &shape };
    rod.density = 7800.0;                       /* [kg/m^3] */
    rod.position = (carom_v3){ 0.5, 0.0, 0.0 }; /* [m]      */
    return carom_spec_add_body(spec, &rod, err);
}

/* The hinge: at the world's origin, about z. */
static carom_status add_hinge(carom_spec *spec, carom_error *err)
{
    carom_joint_def hinge = carom_joint_def_default();
    hinge.name = "hinge";
    hinge.joint.kind = "revolute";
    hinge.attachment.bodies[0] = "ground";
    hinge.attachment.bodies[1] = "rod";
    return carom_spec_add_joint(spec, &hinge, err);
}

static carom_status describe(carom_spec *spec, carom_error *err)
{
    carom_scene_def scene = carom_scene_def_default();
    scene.name = "pendulum";
    scene.gravity = (carom_v3){ 0.0, -9.81, 0.0 };
    scene.time.end = 2.0;
    scene.time.preset = CAROM_ACCURATE;

    carom_status status = carom_spec_set_scene(spec, &scene, err);
    status = status == CAROM_OK ? add_rod(spec, err) : status;
    return status == CAROM_OK ? add_hinge(spec, err) : status;
}

/* Steps to time t: the integrator takes as many steps as it needs. */
static carom_status advance_to(const carom_model *model, carom_state *state, carom_scratch *scratch, double t,
                               carom_error *err)
{
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_time(state) < t) {
        status = carom_step(model, state, scratch, t - carom_state_time(state), NULL, err);
    }
    return status;
}

static carom_status print_row(const carom_model *model, const carom_state *state, carom_scratch *scratch,
                              carom_error *err)
{
    double angle = 0.0;
    double force = 0.0;
    carom_ledger ledger = { 0 };
    carom_status status = carom_observe_signal(model, state, scratch, "hinge.angle", &angle, err);
    status = status == CAROM_OK ? carom_observe_signal(model, state, scratch, "hinge.force", &force, err) : status;
    status = status == CAROM_OK ? carom_observe_ledger(model, state, scratch, &ledger, err) : status;
    if (status == CAROM_OK) {
        printf("%8.2f  %10.6f  %10.4f  %12.6f  %12.3e\n", carom_state_time(state), angle, force, ledger.kinetic,
               ledger.residue);
    }
    return status;
}

static carom_status swing(const carom_model *model, carom_state *state, carom_scratch *scratch, carom_error *err)
{
    carom_status status = carom_assemble(model, state, scratch, NULL, err);
    printf("%8s  %10s  %10s  %12s  %12s\n", "t [s]", "angle [rad]", "force [N]", "kinetic [J]", "residue [J]");
    for (int k = 0; k <= 8 && status == CAROM_OK; ++k) {
        status = advance_to(model, state, scratch, 0.25 * k, err);
        status = status == CAROM_OK ? print_row(model, state, scratch, err) : status;
    }
    return status;
}

int main(void)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    carom_state *state = NULL;
    carom_scratch *scratch = NULL;
    carom_spec *spec = carom_spec_create();

    carom_status status = spec ? describe(spec, &err) : carom_fail(&err, CAROM_NO_MEMORY, "out of memory");
    status = status == CAROM_OK ? carom_compile(spec, &model, &err) : status;
    carom_spec_destroy(spec); /* the model has all it needs */

    if (status == CAROM_OK) {
        state = carom_state_create(model);
        status = state ? carom_scratch_create(model, 1, &scratch, &err)
                       : carom_fail(&err, CAROM_NO_MEMORY, "out of memory");
    }
    status = status == CAROM_OK ? swing(model, state, scratch, &err) : status;
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "pendulum: %s\n", carom_error_text(&err, text, sizeof text));
    }
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return status == CAROM_OK ? 0 : 1;
}
