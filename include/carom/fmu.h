/* Scenes as FMUs for co-simulation (FMI 2.0, Linux on 64 bits).
 *
 *     const char *inputs[] = { "pull" }, *outputs[] = { "slider.position.x" };
 *     carom_fmu_options options = { .scene = "slider.json", .path = "slider.fmu", .inputs = inputs, .input_count = 1,
 *                                   .outputs = outputs, .output_count = 1 };
 *     status = carom_fmu_export(&options, NULL, &err);
 *
 * Threads: by any number of threads. */
#ifndef CAROM_FMU_H
#define CAROM_FMU_H

#include <carom/export.h>
#include <carom/scene.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct carom_fmu_options {
    const char *scene; /* file of the scene, of any format that carom reads */
    const char *path;  /* of the FMU; its name without ".fmu" identifies the model */
    const char *const *overrides;
    size_t override_count;
    const char *const *inputs; /* names of inputs of the scene */
    size_t input_count;
    const char *const *outputs; /* signals */
    size_t output_count;
} carom_fmu_options;

/* Packs the scene, the files it names, the library and a shim. Unknown inputs and signals are refused. report may be NULL. */
CAROM_API carom_status carom_fmu_export(const carom_fmu_options *options, carom_export_report *report,
                                        carom_error *err);

#ifdef __cplusplus
}
#endif
#endif
