/* What one explicit step of a scene costs, and what its bodies are made of: one line of numbers,
 *
 *     elements, unknowns, seconds to compile, steps, microseconds per step, peak memory [MB].
 *
 * Nothing is recorded. usage: explicit SCENE SECONDS [PATH=VALUE...]; SECONDS: of the motion, 0: as the scene says */
#include <math.h>
#include <sys/resource.h>

#include <carom/carom.h>

#include "measure.h"

static double peak_mb(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    return (double)use.ru_maxrss / 1024.0;
}

int main(int argc, char **argv)
{
    carom_error err = { 0 };
    carom_spec *spec = NULL;
    carom_model *model = NULL;
    carom_run *run = NULL;
    int elements = 0;
    int unknowns = 0;
    if (argc < 3) {
        stop("usage: explicit SCENE SECONDS [PATH=VALUE...]");
    }
    double start = cpu_seconds();
    stop_on(carom_scene_load(argv[1], (const char *const *)argv + 3, (size_t)(argc - 3), &spec, &err), &err);
    stop_on(carom_compile(spec, &model, &err), &err);
    const double compile = cpu_seconds() - start;
    for (int i = 0; i < carom_model_body_count(model); ++i) {
        const carom_flexible_info info = carom_model_flexible(model, i);
        elements += info.element_count;
        unknowns += info.coordinate_count;
    }
    stop_on(carom_run_create(model, &(carom_run_def){ .duration = atof(argv[2]) }, &run, &err), &err);
    stop_on(carom_run_advance(run, 0.0, 0.0, &err), &err); /* the start */
    start = cpu_seconds();
    stop_on(carom_run_advance(run, HUGE_VAL, 0.0, &err), &err);
    const double took = cpu_seconds() - start;
    const carom_run_report report = carom_run_report_of(run);
    printf("%d %d %.3f %ld %.3f %.1f\n", elements, unknowns, compile, report.evaluations,
           1e6 * took / (double)report.evaluations, peak_mb());
    carom_run_destroy(run);
    carom_model_destroy(model);
    carom_spec_destroy(spec);
    return 0;
}
