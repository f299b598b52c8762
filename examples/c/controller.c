/* A controller in C: a pendulum is held upright by a torque that is computed every 10 ms.
 *
 *     cc controller.c $(pkg-config --cflags --libs carom) -lm -o controller && ./controller
 *
 * The scene has an input, "torque", that its motor uses. The loop reads the angle and its rate, sets the input and advances;
 * within a step the input is constant, as behind a digital controller. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char scene[] =
    "{\"carom\": 1, \"gravity\": [0, -9.81, 0], \"time\": {\"end\": 2},"
    " \"inputs\": {\"torque\": {\"start\": 0, \"unit\": \"N*m\"}},"
    " \"bodies\": [{\"name\": \"rod\", \"shape\": {\"box\": [0.05, 1, 0.05]}, \"mass\": 2, \"position\": [0, 0.5, "
    "0]}],"
    " \"joints\": [{\"name\": \"pivot\", \"type\": \"revolute\", \"bodies\": [\"ground\", \"rod\"]}],"
    " \"forces\": [{\"name\": \"motor\", \"type\": \"motor\", \"joint\": \"pivot\", \"target\": \"input.torque\"}]}";

typedef struct plant {
    carom_model *model;
    carom_state *state;
    carom_scratch *scratch;
    int torque; /* input */
    double angle, rate;
} plant;

static carom_status build(plant *p, carom_error *err)
{
    carom_spec *spec = NULL;
    carom_status status = carom_scene_parse(scene, strlen(scene), "controller", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, &p->model, err) : status;
    carom_spec_destroy(spec);
    status = status == CAROM_OK ? carom_scratch_create(p->model, 1, &p->scratch, err) : status;
    p->state = carom_state_create(p->model);
    p->torque = carom_model_find_input(p->model, "torque");
    /* 0.3 rad off the vertical, at rest */
    return status == CAROM_OK ? carom_state_set_coordinate(p->model, p->state, 0, 0.3, 0.0, err) : status;
}

/* Proportional and derivative: gains in N m/rad and N m s/rad, limited to what the motor can do. */
static double control(const plant *p)
{
    const double strongest = 8.0; /* [N m] */
    return fmax(-strongest, fmin(strongest, -40.0 * p->angle - 8.0 * p->rate));
}

static carom_status advance(plant *p, double until, carom_error *err)
{
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && carom_state_time(p->state) < until) {
        status = carom_step(p->model, p->state, p->scratch, until - carom_state_time(p->state), NULL, err);
    }
    return status;
}

static carom_status balance(plant *p, carom_error *err)
{
    carom_status status = CAROM_OK;
    for (int k = 0; k <= 200 && status == CAROM_OK; ++k) {
        status = carom_observe_coordinates(p->model, p->state, p->scratch, &p->angle, &p->rate);
        double torque = control(p);
        if (k % 20 == 0) {
            printf("t = %4.2f s  angle = %9.6f rad  torque = %8.4f N m\n", carom_state_time(p->state), p->angle,
                   torque);
        }
        status = status == CAROM_OK ? carom_state_set_input(p->model, p->state, p->torque, torque, err) : status;
        status = status == CAROM_OK ? advance(p, 0.01 * (k + 1), err) : status;
    }
    return status;
}

int main(void)
{
    carom_error err = { 0 };
    plant p = { 0 };
    carom_status status = build(&p, &err);
    status = status == CAROM_OK ? balance(&p, &err) : status;
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "controller: %s\n", carom_error_text(&err, text, sizeof text));
    }
    bool upright = status == CAROM_OK && fabs(p.angle) < 0.01;
    carom_scratch_destroy(p.scratch);
    carom_state_destroy(p.state);
    carom_model_destroy(p.model);
    return upright ? 0 : 1;
}
