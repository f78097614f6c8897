/* A small importer for any platform: loads the shared library of an FMU, steps the scenario beside it, prints one output.
 *
 *   host LIBRARY RESOURCES GUID REFERENCE STEPS LENGTH
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define OPEN(path) ((void *)LoadLibraryA(path))
#define FIND(library, name) ((void *)GetProcAddress((HMODULE)(library), name))
#else
#include <dlfcn.h>
#define OPEN(path) dlopen(path, RTLD_NOW)
#define FIND(library, name) dlsym(library, name)
#endif

typedef void *component;

static void note(void *environment, const char *name, int status, const char *category, const char *text, ...) {
    (void)environment, (void)name, (void)status, (void)category;
    fprintf(stderr, "%s\n", text);
}

struct callbacks {
    void (*logger)(void *, const char *, int, const char *, const char *, ...);
    void *(*allocate)(size_t, size_t);
    void (*release)(void *);
    void *finished, *environment;
};

static void *found(void *library, const char *name) {
    void *function = FIND(library, name);
    if (!function) {
        fprintf(stderr, "no function %s\n", name);
        exit(1);
    }
    return function;
}

static void check(int status, const char *what) {
    if (status) {
        fprintf(stderr, "%s: status %d\n", what, status);
        exit(1);
    }
}

int main(int count, char **words) {
    if (count != 7) return 2;
    void *library = OPEN(words[1]);
    if (!library) {
        fprintf(stderr, "cannot load %s\n", words[1]);
        return 1;
    }
    component (*instantiate)(const char *, int, const char *, const char *, const struct callbacks *, int, int) = NULL;
    int (*plain)(component) = NULL, (*setup)(component, int, double, double, int, double) = NULL;
    int (*step)(component, double, double, int) = NULL;
    int (*get)(component, const unsigned *, size_t, double *) = NULL;
    void (*release)(component) = NULL;
    const char *(*version)(void) = NULL;
    *(void **)&instantiate = found(library, "fmi2Instantiate");
    *(void **)&setup = found(library, "fmi2SetupExperiment");
    *(void **)&step = found(library, "fmi2DoStep");
    *(void **)&get = found(library, "fmi2GetReal");
    *(void **)&release = found(library, "fmi2FreeInstance");
    *(void **)&version = found(library, "fmi3GetVersion");
    if (strcmp(version(), "3.0")) return 1;
    struct callbacks callbacks = {note, calloc, free, NULL, NULL};
    component c = instantiate("belt", 1, words[3], words[2], &callbacks, 0, 0);
    if (!c) return 1;
    check(setup(c, 0, 0.0, 0.0, 0, 0.0), "setup");
    *(void **)&plain = found(library, "fmi2EnterInitializationMode");
    check(plain(c), "enter initialisation");
    *(void **)&plain = found(library, "fmi2ExitInitializationMode");
    check(plain(c), "exit initialisation");
    unsigned reference = (unsigned)strtoul(words[4], NULL, 10);
    int steps = atoi(words[5]);
    double length = atof(words[6]);
    for (int k = 0; k < steps; k++) {
        double value;
        check(step(c, k * length, length, 0), "step");
        check(get(c, &reference, 1, &value), "get");
        printf("%.17g\n", value);
    }
    release(c);
    return 0;
}
