/* A force of your own: a magnetic latch pulls a drawer shut, with a law that no scene knows.
 *
 *     cc own_force.c $(pkg-config --cflags --libs carom) -lm -o own_force && ./own_force
 *
 * The magnet pulls with F = C / (x + d)^2 at the distance x. It says its potential V = -C / (x + d) and dV/dt, so that the
 * ledger knows it as stored energy and nothing as work of loads. The drawer starts at rest; the program compares the speed at
 * which it passes half the way with sqrt(2 (V_0 - V) / m). */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>

enum { STRENGTH, OFFSET, NUMBERS }; /* C [N m^2], d [m] */

static const double numbers[NUMBERS] = { 2e-3, 5e-3 };
static const double mass = 1.5; /* [kg] */
static const double open = 0.1; /* [m] at the start */

static void magnet(carom_user_force_output *out, const carom_user_force_input *in, void *context)
{
    (void)context;
    double reach = in->coordinate + in->numbers[OFFSET];
    double pull = in->numbers[STRENGTH] / (reach * reach);
    out->along = -pull;
    out->potential = -in->numbers[STRENGTH] / reach;
    out->potential_rate = pull * in->rate;
    out->measures[0] = reach;
}

/* A drawer on a rail along x; its travel is how far it stands open. */
static carom_status add_drawer(carom_spec *spec, carom_error *err)
{
    carom_body_def drawer = carom_body_def_default();
    const double inertia[] = { 0.02, 0.02, 0.02 };
    drawer.name = "drawer";
    drawer.mass = mass;
    drawer.inertia = (carom_reals){ 3, inertia };
    carom_joint_def rail = carom_joint_def_default();
    rail.name = "rail";
    rail.joint.kind = "prismatic";
    rail.attachment.bodies[0] = "ground";
    rail.attachment.bodies[1] = "drawer";
    rail.attachment.axis = (carom_v3){ 1, 0, 0 };
    carom_joint_start_def start = { .value = (double)NAN, .angle = (double)NAN, .travel = open };
    rail.starts = (carom_list){ 1, &start };
    carom_status status = carom_spec_add_body(spec, &drawer, err);
    return status == CAROM_OK ? carom_spec_add_joint(spec, &rail, err) : status;
}

static carom_status add_magnet(carom_spec *spec, carom_error *err)
{
    const carom_user_measure reach = { "reach", CAROM_DIM_LENGTH };
    const carom_user_force_def law = { .law = "magnet",
                                       .version = 1, /* another one whenever the function changes */
                                       .numbers = { NUMBERS, numbers },
                                       .measures = { 1, &reach },
                                       .force = magnet };
    carom_force_def latch = carom_force_def_default();
    latch.name = "latch";
    latch.force = (carom_choice){ .kind = "user", .params = &law };
    latch.joint = "rail";
    return carom_spec_add_force(spec, &latch, err);
}

static carom_status build(carom_model **model, carom_error *err)
{
    carom_spec *spec = carom_spec_create();
    carom_scene_def scene = carom_scene_def_default();
    scene.time.end = 2.0;
    scene.time.preset = CAROM_ACCURATE;
    carom_status status = carom_spec_set_scene(spec, &scene, err);
    status = status == CAROM_OK ? add_drawer(spec, err) : status;
    status = status == CAROM_OK ? add_magnet(spec, err) : status;
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec);
    return status;
}

/* [m/s] The speed towards the magnet at this opening, from the energy that the magnet has given. */
static double closed_form(double x)
{
    return sqrt(2.0 * numbers[STRENGTH] / mass * (1.0 / (x + numbers[OFFSET]) - 1.0 / (open + numbers[OFFSET])));
}

int main(void)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    carom_ledger ledger = { 0 };
    double x = open;
    double speed = 0.0;
    carom_status status = build(&model, &err);
    carom_state *state = carom_state_create(model);
    status = status == CAROM_OK ? carom_scratch_create(model, 1, &scratch, &err) : status;
    while (status == CAROM_OK && x > 0.5 * open) {
        status = carom_step(model, state, scratch, 0.01, NULL, &err);
        status = status == CAROM_OK ? carom_observe_coordinates(model, state, scratch, &x, &speed) : status;
    }
    status = status == CAROM_OK ? carom_observe_ledger(model, state, scratch, &ledger, &err) : status;
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "own_force: %s\n", carom_error_text(&err, text, sizeof text));
    }
    double off = fabs(-speed / closed_form(x) - 1.0);
    printf("t = %.4f s: open by %.6f m, speed %.9f m/s, closed form %.9f m/s (off by %.1e)\n",
           carom_state_time(state), x, -speed, closed_form(x), off);
    printf("work of loads %.1e J, residue of the ledger %.1e J\n", ledger.work_loads, ledger.residue);
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return status == CAROM_OK && off < 1e-7 && fabs(ledger.residue) < 1e-8 ? 0 : 1;
}
