/* Checkpoint and fork: a run stops, two go on from there, and differ.
 *
 *     cc checkpoint_fork.c $(pkg-config --cflags --libs carom) -lm -o checkpoint_fork && ./checkpoint_fork
 *
 * A ball on a rod swings against a wall, into a folder, and is left after 2 s: the folder keeps a checkpoint. A second run
 * goes on from the checkpoint, without a folder. Just before the next impact it is forked: the fork starts from the same
 * state, but a millionth of a radian per second faster. How far do the two come apart? */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const double LEFT = 2.0, FORKED = 2.1, END = 4.0; /* [s] */
static const double FASTER = 1e-6;                       /* [rad/s] */

static const char scene[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"contact\": {\"method\": \"compliant\","
    " \"law\": {\"exact-restitution\": {\"k\": 1e8}}, \"restitution\": 0.8}, \"bodies\": ["
    "{\"name\": \"wall\", \"fixed\": true, \"shape\": {\"box\": [0.1, 0.4, 0.5]}, \"position\": [0.11, 0, -0.8]},"
    "{\"name\": \"ball\", \"mass\": 3, \"shape\": {\"sphere\": 0.06}, \"position\": [-0.75, 0, -0.29]}], \"joints\": "
    "["
    "{\"name\": \"hinge\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"ball\"], \"axis\": [0, -1, 0]}]}";

static carom_status compile(carom_model **model, carom_error *err)
{
    carom_spec *spec = NULL;
    carom_status status = carom_scene_parse(scene, strlen(scene), "swing", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec);
    return status;
}

/* A run into a folder that nobody brings to its end. */
static carom_status run_and_leave(const carom_model *model, const char *folder, carom_error *err)
{
    carom_sink sink;
    carom_run *run = NULL;
    const carom_folder_options options = { .folder = folder };
    const carom_run_def def = { .duration = END, .sink = &sink };
    carom_status status = carom_sink_folder(&options, &sink, err);
    status = status == CAROM_OK ? carom_run_create(model, &def, &run, err) : status;
    status = status == CAROM_OK ? carom_run_advance(run, LEFT, 0.0, err) : status;
    carom_run_destroy(run); /* writes the checkpoint and a summary that says "interrupted" */
    return status;
}

/* A run from this state, with the hinge a little faster. */
static carom_status fork_faster(const carom_model *model, const carom_state *from, double faster, carom_run **fork,
                                carom_error *err)
{
    carom_state *state = carom_state_create(model);
    carom_scratch *scratch = NULL;
    double angle = 0.0;
    double rate = 0.0;
    carom_status status = carom_scratch_create(model, 1, &scratch, err);
    status = status == CAROM_OK ? carom_state_copy(state, from) : status;
    status = status == CAROM_OK ? carom_observe_coordinates(model, state, scratch, &angle, &rate) : status;
    status = status == CAROM_OK ? carom_state_set_coordinate(model, state, 0, angle, rate + faster, err) : status;
    const carom_run_def def = { .from = state, .duration = END };
    status = status == CAROM_OK ? carom_run_create(model, &def, fork, err) : status; /* copies the state */
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    return status;
}

static carom_status compare(const carom_model *model, const carom_run *run, const carom_run *fork, double *apart,
                            carom_error *err)
{
    const char *const signals[] = { "hinge.angle" };
    double angle[2] = { 0.0, 0.0 };
    carom_observer *observer = NULL;
    carom_scratch *scratch = NULL;
    carom_status status = carom_observer_create(model, signals, 1, &observer, err);
    status = status == CAROM_OK ? carom_scratch_create(model, 1, &scratch, err) : status;
    status = status == CAROM_OK ? carom_observe(observer, carom_run_state(run), scratch, &angle[0], err) : status;
    status = status == CAROM_OK ? carom_observe(observer, carom_run_state(fork), scratch, &angle[1], err) : status;
    if (status == CAROM_OK) {
        *apart = fabs(angle[1] - angle[0]);
        printf("angle after %g s: %.9f and %.9f %s, %.1e apart\n", END, angle[0], angle[1],
               carom_observer_unit(observer, 0), *apart);
    }
    carom_scratch_destroy(scratch);
    carom_observer_destroy(observer);
    return status;
}

static carom_status go_on_and_fork(const carom_model *model, const char *folder, double *apart, carom_error *err)
{
    carom_run *run = NULL;
    carom_run *fork = NULL;
    const carom_run_def from_checkpoint = { .checkpoint = folder };
    carom_status status = carom_run_create(model, &from_checkpoint, &run, err);
    status = status == CAROM_OK ? carom_run_advance(run, FORKED, 0.0, err) : status;
    status = status == CAROM_OK ? fork_faster(model, carom_run_state(run), FASTER, &fork, err) : status;
    status = status == CAROM_OK ? carom_run_advance(run, HUGE_VAL, 0.0, err) : status;
    status = status == CAROM_OK ? carom_run_advance(fork, HUGE_VAL, 0.0, err) : status;
    status = status == CAROM_OK ? compare(model, run, fork, apart, err) : status;
    carom_run_destroy(fork);
    carom_run_destroy(run);
    return status;
}

int main(int argc, char **argv)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    double apart = HUGE_VAL; /* [rad] */
    const char *folder = argc > 1 ? argv[1] : "checkpoint_fork.results";
    carom_status status = compile(&model, &err);
    status = status == CAROM_OK ? run_and_leave(model, folder, &err) : status;
    status = status == CAROM_OK ? go_on_and_fork(model, folder, &apart, &err) : status;
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "checkpoint_fork: %s\n", carom_error_text(&err, text, sizeof text));
    }
    carom_model_destroy(model);
    return status == CAROM_OK && apart > 0.0 && apart < 1e-4 ? 0 : 1; /* a hundred times the difference at the fork */
}
