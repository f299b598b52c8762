/* A contact law of your own: a ball hits a floor of foam that gives back less than it has taken.
 *
 *     cc own_law.c $(pkg-config --cflags --libs carom) -lm -o own_law && ./own_law
 *
 * The force is k p while the ball goes in and e^2 k p while it comes out: a loss that depends on neither speed nor depth, as
 * of a foam. Elastic is what comes back, e^2 k p, the rest is damping. So the ball leaves with e times its speed,
 * after pi/2 (1/w + 1/(e w)) with w^2 = k/m: the program compares both. A ramp over small gap rates keeps the force smooth. */
#include <carom/carom.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STIFFNESS, RETURNED, RAMP, NUMBERS }; /* k [N/m], e, speed over which the force changes [m/s] */

static const double numbers[NUMBERS] = { 1e5, 0.6, 1e-3 };
static const double mass = 2.0;  /* [kg] */
static const double speed = 1.0; /* [m/s] at first touch */

static const char scene[] =
    "{\"carom\": 1, \"time\": {\"end\": 0.1, \"preset\": \"accurate\"},"
    " \"contact\": {\"method\": \"compliant\", \"law\": {\"user\": \"foam\"}},"
    " \"bodies\": [{\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
    "              {\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"mass\": 2, \"position\": [0, 0, 0.101],"
    "               \"velocity\": [0, 0, -1]}]}";

/* s goes smoothly from 0 (coming out) to 1 (going in): force = k p (e^2 + (1 - e^2) s). */
static void foam(carom_user_normal_output *out, const carom_user_normal_input *in, void *context)
{
    (void)context;
    double p = -in->gap;
    if (p <= 0.0) {
        return;
    }
    double k = in->numbers[STIFFNESS];
    double kept = in->numbers[RETURNED] * in->numbers[RETURNED];
    double x = fmin(1.0, fmax(0.0, -in->gap_rate / in->numbers[RAMP]));
    double s = x * x * (3.0 - 2.0 * x);
    out->force = k * p * (kept + (1.0 - kept) * s);
    out->d_gap = -out->force / p;
    out->d_gap_rate = -k * p * (1.0 - kept) * 6.0 * x * (1.0 - x) / in->numbers[RAMP];
    out->elastic = kept * k * p;
    out->potential = 0.5 * kept * k * p * p;
}

static carom_status build(carom_model **model, carom_error *err)
{
    const carom_user_normal_law_def law = {
        .name = "foam", .version = 1, .numbers = { NUMBERS, numbers }, .force = foam, .probe_depth = 0.01
    };
    carom_spec *spec = NULL;
    carom_status status = carom_scene_parse(scene, strlen(scene), "own_law", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_spec_add_normal_law(spec, &law, err) : status;
    status = status == CAROM_OK ? carom_compile(spec, model, err) : status;
    carom_spec_destroy(spec);
    return status;
}

/* Times of first and last touch, from the events of the steps. */
static carom_status bounce(const carom_model *model, carom_state *state, double touch[2], carom_error *err)
{
    carom_scratch *scratch = NULL;
    carom_status status = carom_scratch_create(model, 1, &scratch, err);
    while (status == CAROM_OK && carom_state_time(state) < 0.1) {
        status = carom_step(model, state, scratch, 0.1 - carom_state_time(state), NULL, err);
        size_t count = 0;
        const carom_event *events = carom_step_events(scratch, &count);
        for (size_t k = 0; k < count; ++k) {
            touch[events[k].kind == CAROM_EVENT_CONTACT_OFF] = events[k].t;
        }
    }
    carom_scratch_destroy(scratch);
    return status;
}

int main(void)
{
    carom_error err = { 0 };
    carom_model *model = NULL;
    double touch[2] = { 0.0, 0.0 };
    carom_status status = build(&model, &err);
    carom_state *state = carom_state_create(model);
    status = status == CAROM_OK ? bounce(model, state, touch, &err) : status;
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "own_law: %s\n", carom_error_text(&err, text, sizeof text));
    }
    double e = numbers[RETURNED];
    double w = sqrt(numbers[STIFFNESS] / mass);
    double lasted = 2.0 * atan(1.0) / w * (1.0 + 1.0 / e);
    double after = carom_state_velocity(model, state, carom_model_find_body(model, "ball")).z;
    double off[2] = { fabs(after / (e * speed) - 1.0), fabs((touch[1] - touch[0]) / lasted - 1.0) };
    printf("speed after: %.6f m/s, closed form %.6f m/s (off by %.1e)\n", after, e * speed, off[0]);
    printf("contact: %.6f s, closed form %.6f s (off by %.1e)\n", touch[1] - touch[0], lasted, off[1]);
    carom_state_destroy(state);
    carom_model_destroy(model);
    return status == CAROM_OK && off[0] < 1e-3 && off[1] < 1e-3 ? 0 : 1;
}
