/* A small importer of FMUs (FMI 2.0, co-simulation): loads the shared object by dlopen and does what the lines of standard input say,
 * each for an instance:
 *
 *     N new NAME | N start | N step T H | N set VR X | N get VR... | N save SLOT | N load SLOT | N drop SLOT
 *     N write SLOT FILE | N read SLOT FILE | N last | N reset | N free
 *
 * Prints a line for each: the status, and numbers as C prints them with %a. */
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../apps/fmu/fmi2.h"

enum { INSTANCES = 4, SLOTS = 8 };

typedef struct fmu {
    void *library;
    const char *guid, *resources;
    fmi2Component instances[INSTANCES];
    fmi2FMUstate slots[SLOTS];
} fmu;

/* One function of the object, as the type of a pointer that is given. */
static void find(const fmu *f, const char *name, void *pointer)
{
    void *symbol = dlsym(f->library, name);
    if (!symbol) {
        printf("no %s\n", name);
        exit(3);
    }
    memcpy(pointer, &symbol, sizeof symbol);
}

static void logger(fmi2ComponentEnvironment environment, fmi2String instance, fmi2Status status, fmi2String category,
                   fmi2String message, ...)
{
    char text[2000];
    va_list args;
    va_start(args, message);
    vsnprintf(text, sizeof text, message, args);
    va_end(args);
    (void)environment;
    fprintf(stderr, "%s %d %s: %s\n", instance, (int)status, category, text);
}

static const fmi2CallbackFunctions callbacks = { .logger = logger };

static void make(fmu *f, int n, const char *name)
{
    fmi2Component (*instantiate)(fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions *,
                                 fmi2Boolean, fmi2Boolean);
    find(f, "fmi2Instantiate", &instantiate);
    f->instances[n] = instantiate(name, fmi2CoSimulation, f->guid, f->resources, &callbacks, fmi2False, fmi2False);
    printf("%s\n", f->instances[n] ? "0" : "none");
}

static void start(const fmu *f, int n)
{
    fmi2Status (*setup)(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real);
    fmi2Status (*enter)(fmi2Component);
    fmi2Status (*leave)(fmi2Component);
    find(f, "fmi2SetupExperiment", &setup);
    find(f, "fmi2EnterInitializationMode", &enter);
    find(f, "fmi2ExitInitializationMode", &leave);
    int a = (int)setup(f->instances[n], fmi2False, 0.0, 0.0, fmi2False, 0.0);
    int b = (int)enter(f->instances[n]);
    printf("%d %d %d\n", a, b, (int)leave(f->instances[n]));
}

static void step(const fmu *f, int n, double time, double h)
{
    fmi2Status (*do_step)(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean);
    find(f, "fmi2DoStep", &do_step);
    printf("%d\n", (int)do_step(f->instances[n], time, h, fmi2False));
}

static void get(const fmu *f, int n, char *words)
{
    fmi2Status (*get_real)(fmi2Component, const fmi2ValueReference[], size_t, fmi2Real[]);
    find(f, "fmi2GetReal", &get_real);
    fmi2ValueReference references[64];
    double values[64] = { 0 };
    size_t count = 0;
    for (char *word = strtok(words, " "); word && count < 64; word = strtok(NULL, " ")) {
        references[count++] = (unsigned)strtoul(word, NULL, 10);
    }
    printf("%d", (int)get_real(f->instances[n], references, count, values));
    for (size_t i = 0; i < count; ++i) {
        printf(" %a", values[i]);
    }
    printf("\n");
}

static void set(const fmu *f, int n, unsigned reference, double value)
{
    fmi2Status (*set_real)(fmi2Component, const fmi2ValueReference[], size_t, const fmi2Real[]);
    find(f, "fmi2SetReal", &set_real);
    printf("%d\n", (int)set_real(f->instances[n], &reference, 1, &value));
}

static void write_state(const fmu *f, int n, int slot, const char *path)
{
    fmi2Status (*measure)(fmi2Component, fmi2FMUstate, size_t *);
    fmi2Status (*serialize)(fmi2Component, fmi2FMUstate, fmi2Byte[], size_t);
    find(f, "fmi2SerializedFMUstateSize", &measure);
    find(f, "fmi2SerializeFMUstate", &serialize);
    size_t size = 0;
    measure(f->instances[n], f->slots[slot], &size);
    char *bytes = malloc(size + 1);
    printf("%d\n", (int)serialize(f->instances[n], f->slots[slot], bytes, size));
    FILE *file = fopen(path, "wb");
    if (file) {
        fwrite(bytes, 1, size, file);
        fclose(file);
    }
    free(bytes);
}

static void read_state(fmu *f, int n, int slot, const char *path)
{
    static char bytes[1 << 20];
    fmi2Status (*deserialize)(fmi2Component, const fmi2Byte[], size_t, fmi2FMUstate *);
    find(f, "fmi2DeSerializeFMUstate", &deserialize);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (file) {
        fclose(file);
    }
    printf("%d\n", (int)deserialize(f->instances[n], bytes, size, &f->slots[slot]));
}

static void state(fmu *f, int n, const char *verb, int slot)
{
    fmi2Status (*copy)(fmi2Component, fmi2FMUstate *);
    fmi2Status (*put)(fmi2Component, fmi2FMUstate);
    find(f, strcmp(verb, "drop") == 0 ? "fmi2FreeFMUstate" : "fmi2GetFMUstate", &copy);
    find(f, "fmi2SetFMUstate", &put);
    printf("%d\n", (int)(strcmp(verb, "load") == 0 ? put(f->instances[n], f->slots[slot])
                                                   : copy(f->instances[n], &f->slots[slot])));
}

static void last(const fmu *f, int n)
{
    fmi2Status (*real_status)(fmi2Component, fmi2StatusKind, fmi2Real *);
    double time = 0.0;
    find(f, "fmi2GetRealStatus", &real_status);
    int status = (int)real_status(f->instances[n], fmi2LastSuccessfulTime, &time);
    printf("%d %a\n", status, time);
}

static void end(fmu *f, int n, const char *verb)
{
    fmi2Status (*reset)(fmi2Component);
    void (*free_instance)(fmi2Component);
    find(f, "fmi2Reset", &reset);
    find(f, "fmi2FreeInstance", &free_instance);
    if (strcmp(verb, "reset") == 0) {
        printf("%d\n", (int)reset(f->instances[n]));
    } else {
        free_instance(f->instances[n]);
        f->instances[n] = NULL;
        printf("0\n");
    }
}

/* Gives back the states and instances that the lines left behind: whatever leaks after that, the FMU leaks. */
static void give_back(fmu *f)
{
    fmi2Status (*free_state)(fmi2Component, fmi2FMUstate *);
    void (*free_instance)(fmi2Component);
    find(f, "fmi2FreeFMUstate", &free_state);
    find(f, "fmi2FreeInstance", &free_instance);
    for (int slot = 0; slot < SLOTS; ++slot) {
        free_state(f->instances[0], &f->slots[slot]);
    }
    for (int n = 0; n < INSTANCES; ++n) {
        free_instance(f->instances[n]);
    }
}

static void obey(fmu *f, char *line)
{
    char verb[20] = "";
    char text[1000] = "";
    int n = 0;
    int used = 0;
    int slot = 0;
    if (sscanf(line, "%d %19s %n", &n, verb, &used) < 2 || n < 0 || n >= INSTANCES) {
        printf("what?\n");
        return;
    }
    char *rest = line + used;
    sscanf(rest, "%d %999s", &slot, text);
    if (strcmp(verb, "new") == 0) {
        make(f, n, rest);
    } else if (strcmp(verb, "start") == 0) {
        start(f, n);
    } else if (strcmp(verb, "step") == 0) {
        char *after = NULL;
        double time = strtod(rest, &after);
        step(f, n, time, strtod(after, NULL));
    } else if (strcmp(verb, "set") == 0) {
        set(f, n, (unsigned)slot, strtod(text, NULL));
    } else if (strcmp(verb, "get") == 0) {
        get(f, n, rest);
    } else if (strcmp(verb, "write") == 0) {
        write_state(f, n, slot, text);
    } else if (strcmp(verb, "read") == 0) {
        read_state(f, n, slot, text);
    } else if (strcmp(verb, "last") == 0) {
        last(f, n);
    } else if (strcmp(verb, "reset") == 0 || strcmp(verb, "free") == 0) {
        end(f, n, verb);
    } else {
        state(f, n, verb, slot);
    }
}

int main(int count, char **words)
{
    char line[2000];
    fmu f = { 0 };
    if (count != 4) {
        fprintf(stderr, "usage: %s OBJECT RESOURCES GUID\n", words[0]);
        return 2;
    }
    f.library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    f.resources = words[2];
    f.guid = words[3];
    if (!f.library) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        obey(&f, line);
        fflush(stdout);
    }
    give_back(&f);
    return 0;
}
