// libhama's recogniser of phones, loaded while the program runs. Checked against the package hama 1.7.0, which has no
// header. The library is not thread-safe: call it from one thread.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

struct oracy_hama {
    void *library;
    // Reads a model from its bytes, which must stay valid until `close_model`. Returns NULL if they are not a model.
    void *(*open_model)(const uint8_t *bytes, size_t count);
    void (*close_model)(void *model);
    // Returns the number of frames of 20 ms for so many samples at 16 kHz.
    int64_t (*frames)(int64_t samples);
    // Fills in the natural logarithms of 191 probabilities for each frame, and the number of frames. The samples are
    // mono at 16 kHz, full scale ±1. Past 37 s the result is wrong. Returns the number of frames, or a negative number.
    int64_t (*run)(void *model, const float *samples, int64_t count, float *logs, int64_t *frames);
};

// Loads the library. Returns NULL, or the reason why it cannot be used: a text that is valid until the next call of
// dlerror. Nothing is unloaded then.
static inline const char *oracy_hama_load(struct oracy_hama *hama, const char *path) {
    hama->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!hama->library) return dlerror();
    struct { const char *name; void **place; } functions[] = {
        {"hama_asr_load", (void **)&hama->open_model},
        {"hama_asr_free", (void **)&hama->close_model},
        {"hama_asr_num_frames", (void **)&hama->frames},
        {"hama_asr_run", (void **)&hama->run},
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        dlerror();
        *functions[i].place = dlsym(hama->library, functions[i].name);
        if (!*functions[i].place) return dlerror();
    }
    return NULL;
}
