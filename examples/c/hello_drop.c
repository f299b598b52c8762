/* The shortest program: a ball falls on a floor and bounces.
 *
 *     cc hello_drop.c $(pkg-config --cflags --libs carom) -o hello_drop && ./hello_drop
 *
 * The scene is text here; carom_scene_load reads it from a file. */
#include <carom/carom.h>
#include <stdio.h>
#include <string.h>

static const char scene[] =
    "{\"carom\": 1, \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1},"
    " \"bodies\": [{\"name\": \"ball\", \"shape\": {\"sphere\": 0.1}, \"density\": 1000, \"position\": [0, 0, 1]},"
    "              {\"name\": \"floor\", \"shape\": {\"plane\": [0, 0, 1]}, \"fixed\": true}],"
    " \"contact\": {\"method\": \"impact\", \"restitution\": 0.8}}";

int main(void)
{
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_scratch *scratch = NULL;
    carom_status status = carom_scene_parse(scene, strlen(scene), "drop", ".", NULL, 0, &spec, &err);
    status = status == CAROM_OK ? carom_compile(spec, &model, &err) : status;
    status = status == CAROM_OK ? carom_scratch_create(model, 1, &scratch, &err) : status;
    carom_state *state = carom_state_create(model); /* NULL where there is no model */
    carom_id ball = carom_model_find_body(model, "ball");
    double t = 0.0;

    for (int k = 0; k <= 10 && status == CAROM_OK; ++k) {
        while (status == CAROM_OK && (t = carom_state_time(state)) < 0.1 * k) {
            status = carom_step(model, state, scratch, 0.1 * k - t, NULL, &err);
        }
        printf("t = %.1f s  z = %7.4f m\n", t, carom_state_pose(model, state, ball).position.z);
    }
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "hello_drop: %s\n", carom_error_text(&err, text, sizeof text));
    }
    carom_scratch_destroy(scratch);
    carom_state_destroy(state);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return status == CAROM_OK ? 0 : 1;
}
