/* A result read in C: frames, events, pairs that have touched, what the run says about itself.
 *
 *     cc read_result.c $(pkg-config --cflags --libs carom) -o read_result && ./read_result results/bouncing-ball
 *
 * Without a folder it runs a small scene first. Bodies are numbered as in the model: 0 is the ground. */
#include <carom/carom.h>
#include <stdio.h>
#include <string.h>

/* A ball that falls on a floor, run into a folder: something to read. */
static carom_status make_result(const char *folder, carom_error *err)
{
    static const char scene[] =
        "{\"carom\": 1, \"name\": \"ball\", \"gravity\": [0, 0, -9.81], \"time\": {\"end\": 1},"
        " \"contact\": {\"method\": \"impact\", \"restitution\": 0.8}, \"bodies\": ["
        " {\"name\": \"floor\", \"fixed\": true, \"shape\": {\"plane\": [0, 0, 1]}},"
        " {\"name\": \"ball\", \"mass\": 1, \"shape\": {\"sphere\": 0.1}, \"position\": [0, 0, 1]}]}";
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    const carom_run_options options = { .folder = folder, .scene_text = scene };
    carom_status status = carom_scene_parse(scene, strlen(scene), "ball", ".", NULL, 0, &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, &model, err) : status;
    status = status == CAROM_OK ? carom_run_folder(model, &options, err) : status;
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return status;
}

/* Some ten frames: where each body that may move is, and how many points touch. */
static carom_status print_frames(const carom_result *result, carom_error *err)
{
    size_t frames = carom_result_frame_count(result);
    carom_id bodies = (carom_id)carom_result_body_count(result);
    printf("%zu frames\n%10s  %-16s %12s %12s %12s %9s\n", frames, "t [s]", "body", "x [m]", "y", "z", "contacts");
    for (size_t k = 0; k < frames; k += frames / 10 + 1) {
        for (carom_id body = 1; body < bodies; ++body) {
            carom_motion motion;
            if (carom_result_motion(result, body, k, &motion, err) != CAROM_OK) {
                return err->status;
            }
            carom_v3 p = motion.pose.position;
            if (strcmp(carom_result_body_info(result, body).role, "fixed") != 0) {
                printf("%10.4f  %-16s %12.6f %12.6f %12.6f %9zu\n", carom_result_time(result)[k],
                       carom_result_body_name(result, body), p.x, p.y, p.z, carom_result_contact_count(result, k));
            }
        }
    }
    return CAROM_OK;
}

static void print_events(const carom_result *result)
{
    size_t count = carom_result_event_count(result);
    printf("\n%zu events\n", count);
    for (size_t i = 0; i < count && i < 10; ++i) {
        const carom_event *e = &carom_result_events(result)[i];
        printf("%10.6f  %-12s %s and %s", e->t, carom_event_kind_name(e->kind),
               carom_result_body_name(result, e->body[0]), carom_result_body_name(result, e->body[1]));
        if (e->joint != CAROM_NONE) {
            printf(" in joint %s", carom_result_joint_info(result, (size_t)e->joint).name);
        }
        if (carom_event_has_details(e)) {
            printf(", %.4g m/s, then %.4g m/s, %.4g N s", e->speed, e->speed_after, carom_event_normal_impulse(e));
        }
        printf("\n");
    }
}

static carom_status print_pairs(const carom_result *result, carom_error *err)
{
    carom_result_pair *pairs = NULL;
    size_t count = 0;
    carom_status status = carom_result_pairs(result, &pairs, &count, err);
    printf("\n%zu pairs have touched\n", count);
    for (size_t i = 0; i < count; ++i) {
        printf("  %s and %s: from %.6f s, peak %.5g N, impulse %.5g N s\n",
               carom_result_body_name(result, pairs[i].body[0]), carom_result_body_name(result, pairs[i].body[1]),
               pairs[i].first_touch, pairs[i].peak_force, pairs[i].impulse);
    }
    carom_result_pairs_destroy(pairs);
    return status;
}

/* What the run has found out about itself: how far it can be trusted. */
static carom_status print_findings(const carom_result *result, carom_error *err)
{
    carom_findings *findings = NULL;
    carom_status status = carom_result_findings(result, &findings, err);
    printf("\n%zu findings\n", carom_findings_count(findings));
    for (size_t i = 0; i < carom_findings_count(findings); ++i) {
        const carom_finding *f = carom_findings_at(findings, i);
        printf("  %s, %s: %s\n", carom_severity_name(f->severity), f->place, f->text);
    }
    carom_findings_destroy(findings);
    return status;
}

int main(int argc, char **argv)
{
    carom_error err = { 0 };
    carom_result *result = NULL;
    const char *folder = argc > 1 ? argv[1] : "read-result";
    carom_status status = argc > 1 ? CAROM_OK : make_result(folder, &err);
    status = status == CAROM_OK ? carom_result_open(folder, &result, &err) : status;
    if (status == CAROM_OK) {
        printf("%s, method %s, read by carom %s\n", carom_result_text(result, "name"),
               carom_result_text(result, "method"), carom_version());
        status = print_frames(result, &err);
        print_events(result);
    }
    status = status == CAROM_OK ? print_pairs(result, &err) : status;
    status = status == CAROM_OK ? print_findings(result, &err) : status;
    if (status != CAROM_OK) {
        char text[2048];
        fprintf(stderr, "read_result: %s\n", carom_error_text(&err, text, sizeof text));
    }
    carom_result_close(result);
    return status == CAROM_OK ? 0 : 1;
}
