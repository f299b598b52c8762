/* Many starts of one model: a double pendulum is set to one angle after another and let go.
 *
 *     cc set_state.c $(pkg-config --cflags --libs carom) -lm -o set_state && ./set_state
 *
 * One state is used again and again: carom_state_set_coordinate begins anew from wherever it is. The table shows where the tip
 * is after 0.5 s and how much energy the numbers made by themselves; what is set is not counted. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char scene[] =
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 1, \"preset\": \"accurate\"},"
    " \"bodies\": [{\"name\": \"upper\", \"shape\": {\"box\": [1, 0.05, 0.05]}, \"density\": 7800,"
    "               \"position\": [0.5, 0, 0]},"
    "              {\"name\": \"lower\", \"shape\": {\"box\": [1, 0.05, 0.05]}, \"density\": 7800,"
    "               \"position\": [1.5, 0, 0]}],"
    " \"joints\": [{\"name\": \"shoulder\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"upper\"]},"
    "              {\"name\": \"elbow\", \"type\": \"revolute\", \"bodies\": [\"upper\", \"lower\"], \"at\": [1, 0, "
    "0]}]}";

typedef struct pendulum {
    carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    int shoulder, elbow; /* coordinates */
} pendulum;

static carom_status build(pendulum *p, carom_error *err)
{
    carom_spec *spec = NULL;
    carom_status status = carom_scene_parse(scene, strlen(scene), "pendulum", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, &p->model, err) : status;
    carom_spec_destroy(spec);
    status = status == CAROM_OK ? carom_scratch_create(p->model, 1, &p->scratch, err) : status;
    p->state = carom_state_create(p->model);
    p->shoulder = carom_model_joint(p->model, carom_model_find_joint(p->model, "shoulder")).first_coordinate;
    p->elbow = carom_model_joint(p->model, carom_model_find_joint(p->model, "elbow")).first_coordinate;
    return status;
}

/* Lets the pendulum go from these angles [rad], at rest, for so many seconds. */
static carom_status swing(pendulum *p, double shoulder, double elbow, double duration, carom_error *err)
{
    double end = carom_state_time(p->state) + duration; /* time goes on: setting a state does not turn it back */
    carom_status status = carom_state_set_coordinate(p->model, p->state, p->shoulder, shoulder, 0.0, err);
    status = status == CAROM_OK ? carom_state_set_coordinate(p->model, p->state, p->elbow, elbow, 0.0, err) : status;
    while (status == CAROM_OK && carom_state_time(p->state) < end) {
        status = carom_step(p->model, p->state, p->scratch, end - carom_state_time(p->state), NULL, err);
    }
    return status;
}

/* Where the lower end is: half a metre along x of the lower bar's frame. */
static carom_v3 tip(const pendulum *p)
{
    carom_pose pose = carom_state_pose(p->model, p->state, carom_model_find_body(p->model, "lower"));
    double angle = 2.0 * atan2(pose.orientation.z, pose.orientation.w); /* it only turns about z */
    return (carom_v3){ pose.position.x + 0.5 * cos(angle), pose.position.y + 0.5 * sin(angle), 0.0 };
}

static carom_status tabulate(pendulum *p, carom_error *err)
{
    carom_status status = CAROM_OK;
    printf("%14s  %10s  %10s  %12s\n", "shoulder [rad]", "tip x [m]", "tip y [m]", "residue [J]");
    for (int k = 0; k <= 6 && status == CAROM_OK; ++k) {
        carom_ledger ledger = { 0 };
        status = swing(p, 0.25 * k, 0.1, 0.5, err);
        status = status == CAROM_OK ? carom_observe_ledger(p->model, p->state, p->scratch, &ledger, err) : status;
        printf("%14.2f  %10.6f  %10.6f  %12.3e\n", 0.25 * k, tip(p).x, tip(p).y, ledger.residue);
    }
    return status;
}

int main(void)
{
    carom_error err = { 0 };
    pendulum p = { 0 };
    carom_status status = build(&p, &err);
    status = status == CAROM_OK ? tabulate(&p, &err) : status;
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "set_state: %s\n", carom_error_text(&err, text, sizeof text));
    }
    carom_scratch_destroy(p.scratch);
    carom_state_destroy(p.state);
    carom_model_destroy(p.model);
    return status == CAROM_OK ? 0 : 1;
}
