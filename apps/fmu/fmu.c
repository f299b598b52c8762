/* An FMU for co-simulation (FMI 2.0) around the library: the resources hold a scene and a list of what goes in and out.
 *
 * A state of the FMU is a state of carom, so that what is saved, restored, serialised and gone back to has the same bits. Nothing is
 * shared between instances: any number may live in one process, each used by one thread at a time. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <carom/carom.h>

#include "fmi2.h"

enum { LONGEST_LINE = 4096, LONGEST_PATH = 4096 };

typedef enum phase { PHASE_NEW, PHASE_STARTING, PHASE_STEPPING, PHASE_ENDED } phase;

typedef struct text_list {
    char **items;
    size_t count;
} text_list;

typedef struct instance {
    const fmi2CallbackFunctions *callbacks;
    char *name;
    char scene[LONGEST_PATH];
    char guid[200], version[40];
    text_list inputs, outputs, overrides;
    int *input_numbers;
    double *input_values, *output_values;
    bool fresh; /* output_values are those of the state */
    carom_model *model;
    carom_observer *observer;
    carom_scratch *scratch;
    carom_state *state;
    phase phase;
    double last; /* [s] that the last step reached */
} instance;

/* What fmi2GetFMUstate hands out. */
typedef struct saved {
    carom_state *state;
    phase phase;
} saved;

/* ---- messages ---------------------------------------------------------------------------------------------------------------------- */

static fmi2Status say(const instance *c, fmi2Status status, const char *text)
{
    if (c->callbacks && c->callbacks->logger) {
        c->callbacks->logger(c->callbacks->componentEnvironment, c->name ? c->name : "", status,
                             status == fmi2Discard ? "logStatusDiscard" : "logStatusError", "%s", text);
    }
    return status;
}

static fmi2Status say_error(const instance *c, fmi2Status status, const carom_error *err)
{
    char text[2000];
    return say(c, status, carom_error_text(err, text, sizeof text));
}

/* ---- the list in the resources ------------------------------------------------------------------------------------------------------ */

static bool list_add(text_list *list, const char *text)
{
    char **items = realloc(list->items, (list->count + 1) * sizeof *items);
    list->items = items ? items : list->items;
    char *copy = items ? malloc(strlen(text) + 1) : NULL;
    if (copy) {
        strcpy(copy, text);
        list->items[list->count++] = copy;
    }
    return copy != NULL;
}

static void list_free(text_list *list)
{
    for (size_t i = 0; i < list->count; ++i) {
        free(list->items[i]);
    }
    free(list->items);
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* "file:///a%20b" is "/a b". */
static bool folder_of(const char *uri, char *out, size_t size)
{
    const char *at = strncmp(uri, "file://", 7) == 0 ? uri + 7 : strncmp(uri, "file:", 5) == 0 ? uri + 5 : uri;
    size_t n = 0;
    if (strncmp(at, "localhost/", 10) == 0) {
        at += 9;
    }
    while (*at && n + 1 < size) {
        bool coded = at[0] == '%' && hex_digit(at[1]) >= 0 && hex_digit(at[2]) >= 0;
        out[n++] = coded ? (char)(16 * hex_digit(at[1]) + hex_digit(at[2])) : at[0];
        at += coded ? 3 : 1;
    }
    out[n] = '\0';
    return *at == '\0' && n > 0;
}

static bool take_line(instance *c, const char *folder, const char *line)
{
    if (strncmp(line, "input ", 6) == 0) {
        return list_add(&c->inputs, line + 6);
    }
    if (strncmp(line, "output ", 7) == 0) {
        return list_add(&c->outputs, line + 7);
    }
    if (strncmp(line, "set ", 4) == 0) {
        return list_add(&c->overrides, line + 4);
    }
    if (strncmp(line, "guid ", 5) == 0) {
        return snprintf(c->guid, sizeof c->guid, "%s", line + 5) < (int)sizeof c->guid;
    }
    if (strncmp(line, "carom ", 6) == 0) {
        return snprintf(c->version, sizeof c->version, "%s", line + 6) < (int)sizeof c->version;
    }
    return strncmp(line, "scene ", 6) != 0 ||
           snprintf(c->scene, sizeof c->scene, "%s/%s", folder, line + 6) < (int)sizeof c->scene;
}

static bool read_list(instance *c, const char *folder)
{
    char path[LONGEST_PATH + 40];
    char line[LONGEST_LINE];
    snprintf(path, sizeof path, "%s/carom.txt", folder);
    FILE *file = fopen(path, "r");
    bool ok = file != NULL;
    while (ok && fgets(line, sizeof line, file)) {
        size_t length = strlen(line);
        ok = length > 0 && line[length - 1] == '\n';
        line[ok ? length - 1 : 0] = '\0';
        ok = ok && take_line(c, folder, line);
    }
    if (file) {
        fclose(file);
    }
    return ok && c->scene[0];
}

/* ---- making and ending ---------------------------------------------------------------------------------------------------------------- */

static carom_status compile(instance *c, carom_error *err)
{
    carom_spec *spec = NULL;
    carom_status status = carom_scene_load(c->scene, (const char *const *)c->overrides.items, c->overrides.count,
                                           &spec, err);
    status = status == CAROM_OK ? carom_compile(spec, &c->model, err) : status;
    carom_spec_destroy(spec);
    if (status == CAROM_OK) {
        status = carom_observer_create(c->model, (const char *const *)c->outputs.items, c->outputs.count,
                                       &c->observer, err);
    }
    c->input_numbers = calloc(c->inputs.count + 1, sizeof *c->input_numbers);
    c->input_values = calloc(c->inputs.count + 1, sizeof *c->input_values);
    c->output_values = calloc(c->outputs.count + 1, sizeof *c->output_values);
    if (status == CAROM_OK && !(c->input_numbers && c->input_values && c->output_values)) {
        return carom_fail(err, CAROM_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; status == CAROM_OK && i < c->inputs.count; ++i) {
        c->input_numbers[i] = carom_model_find_input(c->model, c->inputs.items[i]);
        status = c->input_numbers[i] >= 0 ? CAROM_OK
                                          : carom_fail(err, CAROM_BAD_INPUT, "no input '%s'", c->inputs.items[i]);
    }
    return status == CAROM_OK ? carom_scratch_create(c->model, 1, &c->scratch, err) : status;
}

/* The state at t = 0, not yet assembled; inputs as the scene says. */
static bool renew(instance *c)
{
    carom_state_destroy(c->state);
    c->state = carom_state_create(c->model);
    for (size_t i = 0; c->state && i < c->inputs.count; ++i) {
        c->input_values[i] = carom_state_input(c->model, c->state, c->input_numbers[i]);
    }
    c->phase = PHASE_NEW;
    c->last = 0.0;
    c->fresh = false;
    return c->state != NULL;
}

static bool prepare(instance *c, const char *guid, const char *resources)
{
    char folder[LONGEST_PATH];
    carom_error err = { 0 };
    if (!resources || !folder_of(resources, folder, sizeof folder) || !read_list(c, folder)) {
        say(c, fmi2Error, "the resources of the FMU cannot be read");
        return false;
    }
    if (!guid || strcmp(guid, c->guid) != 0) {
        say(c, fmi2Error, "the GUID is not that of this FMU");
        return false;
    }
    if (strcmp(c->version, carom_version()) != 0) {
        say(c, fmi2Error, "another version of carom is loaded in this process than the FMU was made with");
        return false;
    }
    if (compile(c, &err) != CAROM_OK) {
        say_error(c, fmi2Error, &err);
        return false;
    }
    return renew(c);
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions *callbacks, fmi2Boolean visible, fmi2Boolean logging)
{
    (void)visible;
    (void)logging;
    instance *c = calloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    c->callbacks = callbacks;
    c->name = malloc(strlen(name ? name : "") + 1);
    if (c->name) {
        strcpy(c->name, name ? name : "");
    }
    if (type != fmi2CoSimulation || !prepare(c, guid, resources)) {
        fmi2FreeInstance(c);
        return NULL;
    }
    return c;
}

void fmi2FreeInstance(fmi2Component component)
{
    instance *c = component;
    if (!c) {
        return;
    }
    carom_state_destroy(c->state);
    carom_scratch_destroy(c->scratch);
    carom_observer_destroy(c->observer);
    carom_model_destroy(c->model);
    list_free(&c->inputs);
    list_free(&c->outputs);
    list_free(&c->overrides);
    free(c->input_numbers);
    free(c->input_values);
    free(c->output_values);
    free(c->name);
    free(c);
}

fmi2Status fmi2Reset(fmi2Component component)
{
    return renew(component) ? fmi2OK : fmi2Error;
}

/* ---- starting ---------------------------------------------------------------------------------------------------------------------------- */

fmi2Status fmi2SetupExperiment(fmi2Component component, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop)
{
    const instance *c = component;
    (void)tolerance_defined;
    (void)tolerance;
    (void)stop_defined;
    (void)stop;
    if (c->phase != PHASE_NEW) {
        return say(c, fmi2Error, "fmi2SetupExperiment comes before the initialization");
    }
    return start == 0.0 ? fmi2OK : say(c, fmi2Error, "time begins at 0 s: give start times of 0");
}

fmi2Status fmi2EnterInitializationMode(fmi2Component component)
{
    instance *c = component;
    carom_error err = { 0 };
    if (c->phase != PHASE_NEW) {
        return say(c, fmi2Error, "the FMU has been initialized already; fmi2Reset begins anew");
    }
    if (carom_assemble(c->model, c->state, c->scratch, NULL, &err) != CAROM_OK) {
        return say_error(c, fmi2Error, &err);
    }
    c->phase = PHASE_STARTING;
    c->fresh = false;
    return fmi2OK;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component component)
{
    instance *c = component;
    if (c->phase != PHASE_STARTING) {
        return say(c, fmi2Error, "fmi2ExitInitializationMode without fmi2EnterInitializationMode");
    }
    c->phase = PHASE_STEPPING;
    return fmi2OK;
}

fmi2Status fmi2Terminate(fmi2Component component)
{
    ((instance *)component)->phase = PHASE_ENDED;
    return fmi2OK;
}

/* ---- values -------------------------------------------------------------------------------------------------------------------------------- */

static fmi2Status observe(instance *c)
{
    carom_error err = { 0 };
    if (c->fresh) {
        return fmi2OK;
    }
    if (c->phase == PHASE_NEW) {
        return say(c, fmi2Error, "outputs are there from the initialization on");
    }
    c->fresh = carom_observe(c->observer, c->state, c->scratch, c->output_values, &err) == CAROM_OK;
    return c->fresh ? fmi2OK : say_error(c, fmi2Error, &err);
}

fmi2Status fmi2GetReal(fmi2Component component, const fmi2ValueReference references[], size_t count, fmi2Real out[])
{
    instance *c = component;
    fmi2Status status = fmi2OK;
    for (size_t i = 0; i < count && status == fmi2OK; ++i) {
        size_t v = references[i];
        if (v < c->inputs.count) {
            out[i] = c->input_values[v];
        } else if (v < c->inputs.count + c->outputs.count) {
            status = observe(c);
            out[i] = c->output_values[v - c->inputs.count];
        } else {
            status = say(c, fmi2Error, "there is no such variable");
        }
    }
    return status;
}

fmi2Status fmi2SetReal(fmi2Component component, const fmi2ValueReference references[], size_t count,
                       const fmi2Real values[])
{
    instance *c = component;
    for (size_t i = 0; i < count; ++i) {
        size_t v = references[i];
        carom_error err = { 0 };
        if (v >= c->inputs.count) {
            return say(c, fmi2Error, "only inputs can be set");
        }
        if (carom_state_set_input(c->model, c->state, c->input_numbers[v], values[i], &err) != CAROM_OK) {
            return say_error(c, fmi2Error, &err);
        }
        c->input_values[v] = values[i];
        c->fresh = false;
    }
    return fmi2OK;
}

/* Everything else than real numbers: there is none. */
static fmi2Status none(fmi2Component component, size_t count)
{
    return count == 0 ? fmi2OK : say(component, fmi2Error, "all variables are real numbers");
}

fmi2Status fmi2GetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Integer v[])
{
    (void)r;
    (void)v;
    return none(c, n);
}

fmi2Status fmi2GetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2Boolean v[])
{
    (void)r;
    (void)v;
    return none(c, n);
}

fmi2Status fmi2GetString(fmi2Component c, const fmi2ValueReference r[], size_t n, fmi2String v[])
{
    (void)r;
    (void)v;
    return none(c, n);
}

fmi2Status fmi2SetInteger(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Integer v[])
{
    (void)r;
    (void)v;
    return none(c, n);
}

fmi2Status fmi2SetBoolean(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2Boolean v[])
{
    (void)r;
    (void)v;
    return none(c, n);
}

fmi2Status fmi2SetString(fmi2Component c, const fmi2ValueReference r[], size_t n, const fmi2String v[])
{
    (void)r;
    (void)v;
    return none(c, n);
}

/* ---- steps ------------------------------------------------------------------------------------------------------------------------------------ */

/* A step that fails keeps what was reached: fmi2LastSuccessfulTime says when that is. */
fmi2Status fmi2DoStep(fmi2Component component, fmi2Real time, fmi2Real step, fmi2Boolean no_going_back)
{
    const double rounding = 1e-9;
    instance *c = component;
    carom_error err = { 0 };
    (void)no_going_back;
    if (c->phase != PHASE_STEPPING) {
        return say(c, fmi2Error, "fmi2DoStep comes after the initialization and before fmi2Terminate");
    }
    double now = carom_state_time(c->state);
    if (!(fabs(time - now) <= rounding * fmax(fmax(fabs(now), step), 1e-3)) || !(step >= 0.0) || !isfinite(step)) {
        return say(c, fmi2Error,
                   "the step does not begin where the last one ended, or its size is no positive number");
    }
    carom_status status = carom_advance(c->model, c->state, c->scratch, time + step, 0.0, &err);
    c->last = carom_state_time(c->state);
    c->fresh = false;
    return status == CAROM_OK ? fmi2OK : say_error(c, status == CAROM_NO_MEMORY ? fmi2Error : fmi2Discard, &err);
}

fmi2Status fmi2CancelStep(fmi2Component component)
{
    return say(component, fmi2Error, "steps are never pending");
}

fmi2Status fmi2GetRealStatus(fmi2Component component, fmi2StatusKind kind, fmi2Real *out)
{
    const instance *c = component;
    if (kind != fmi2LastSuccessfulTime) {
        return fmi2Discard;
    }
    *out = c->last;
    return fmi2OK;
}

fmi2Status fmi2GetBooleanStatus(fmi2Component component, fmi2StatusKind kind, fmi2Boolean *out)
{
    (void)component;
    *out = fmi2False;
    return kind == fmi2Terminated ? fmi2OK : fmi2Discard;
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status *out)
{
    (void)c;
    (void)kind;
    (void)out;
    return fmi2Discard;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer *out)
{
    (void)c;
    (void)kind;
    (void)out;
    return fmi2Discard;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String *out)
{
    (void)c;
    (void)kind;
    (void)out;
    return fmi2Discard;
}

/* ---- states ---------------------------------------------------------------------------------------------------------------------------------- */

static saved *saved_create(const instance *c)
{
    saved *s = calloc(1, sizeof *s);
    if (s) {
        s->state = carom_state_create(c->model);
    }
    if (s && !s->state) {
        free(s);
        return NULL;
    }
    return s;
}

fmi2Status fmi2FreeFMUstate(fmi2Component component, fmi2FMUstate *state)
{
    saved *s = state ? *state : NULL;
    (void)component;
    if (s) {
        carom_state_destroy(s->state);
        free(s);
        *state = NULL;
    }
    return fmi2OK;
}

fmi2Status fmi2GetFMUstate(fmi2Component component, fmi2FMUstate *state)
{
    instance *c = component;
    saved *s = *state ? *state : saved_create(c);
    if (!s || carom_state_copy(s->state, c->state) != CAROM_OK) {
        if (!*state) {
            fmi2FMUstate made = s;
            fmi2FreeFMUstate(c, &made);
        }
        return say(c, fmi2Error, "out of memory for a state");
    }
    s->phase = c->phase;
    *state = s;
    return fmi2OK;
}

fmi2Status fmi2SetFMUstate(fmi2Component component, fmi2FMUstate state)
{
    instance *c = component;
    const saved *s = state;
    if (!s || carom_state_copy(c->state, s->state) != CAROM_OK) {
        return say(c, fmi2Error, "the state is none of this FMU, or memory is out");
    }
    for (size_t i = 0; i < c->inputs.count; ++i) {
        c->input_values[i] = carom_state_input(c->model, c->state, c->input_numbers[i]);
    }
    c->phase = s->phase;
    c->last = carom_state_time(c->state);
    c->fresh = false;
    return fmi2OK;
}

/* The phase, then the bytes of carom's state. */
fmi2Status fmi2SerializedFMUstateSize(fmi2Component component, fmi2FMUstate state, size_t *out)
{
    (void)component;
    *out = 1 + carom_state_size(((const saved *)state)->state);
    return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component component, fmi2FMUstate state, fmi2Byte out[], size_t size)
{
    const instance *c = component;
    const saved *s = state;
    carom_error err = { 0 };
    if (size < 1) {
        return say(c, fmi2Error, "no room for the state");
    }
    out[0] = (fmi2Byte)s->phase;
    carom_status status = carom_state_save(c->model, s->state, out + 1, size - 1, &err);
    return status == CAROM_OK ? fmi2OK : say_error(c, fmi2Error, &err);
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component component, const fmi2Byte bytes[], size_t size, fmi2FMUstate *state)
{
    const instance *c = component;
    carom_error err = { 0 };
    bool known = size > 1 && bytes[0] >= PHASE_NEW && bytes[0] <= PHASE_ENDED;
    saved *s = known ? saved_create(c) : NULL;
    *state = NULL;
    if (!s) {
        return say(c, fmi2Error, known ? "out of memory for a state" : "these bytes are no state of this FMU");
    }
    if (carom_state_restore(c->model, s->state, bytes + 1, size - 1, &err) != CAROM_OK) {
        fmi2FMUstate made = s;
        fmi2FreeFMUstate(component, &made);
        return say_error(c, fmi2Error, &err);
    }
    s->phase = (phase)bytes[0];
    *state = s;
    return fmi2OK;
}

/* ---- what this FMU cannot ------------------------------------------------------------------------------------------------------------------------ */

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference u[], size_t nu,
                                        const fmi2ValueReference k[], size_t nk, const fmi2Real dk[], fmi2Real du[])
{
    (void)u;
    (void)nu;
    (void)k;
    (void)nk;
    (void)dk;
    (void)du;
    return say(c, fmi2Error, "there are no directional derivatives");
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                       const fmi2Integer order[], const fmi2Real v[])
{
    (void)r;
    (void)order;
    (void)v;
    return n == 0 ? fmi2OK : say(c, fmi2Error, "inputs are constant within a step");
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference r[], size_t n,
                                        const fmi2Integer order[], fmi2Real v[])
{
    (void)r;
    (void)order;
    (void)v;
    return n == 0 ? fmi2OK : say(c, fmi2Error, "there are no derivatives of outputs");
}

const char *fmi2GetTypesPlatform(void)
{
    return "default";
}

const char *fmi2GetVersion(void)
{
    return "2.0";
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String categories[])
{
    (void)c;
    (void)on;
    (void)count;
    (void)categories;
    return fmi2OK;
}
