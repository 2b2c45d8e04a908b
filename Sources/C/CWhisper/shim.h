// whisper.cpp's library, loaded while the program runs. Only functions whose parameters are plain values are called:
// the structures that others take by value differ between versions.
//
// Checked against whisper.h of version 1.8.5. Each declaration is that header's, with the context as an opaque pointer.
// The library is not thread-safe: call it from one thread.
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

struct oracy_whisper {
    void *library;
    // Returns NULL if the file is not a model. `free` releases it.
    void *(*open_model)(const char *path);
    void (*free_model)(void *model);
    // "1.8.5". The text belongs to the library.
    const char *(*version)(void);
    int (*is_multilingual)(void *model);
    int (*vocabulary)(void *model);
    int (*text_context)(void *model);
    // The text of a token in UTF-8, possibly a part of a character. It belongs to the model.
    const char *(*token_text)(void *model, int32_t token);
    // Returns the number of tokens, or its negative if there is no room for them.
    int (*tokenize)(void *model, const char *text, int32_t *tokens, int room);
    // 16 kHz mono, full scale ±1, at least 201 samples (the beginning is mirrored). Returns 0 on success.
    int (*set_sound)(void *model, const float *samples, int count, int threads);
    // Hears 30 s from the offset, in hundredths of a second. The cost does not depend on the sound's length. Returns 0 on
    // success.
    int (*encode)(void *model, int offset, int threads);
    // Appends tokens after the first `past` ones, whose results are kept. Returns 0 on success.
    int (*decode)(void *model, const int32_t *tokens, int count, int past, int threads);
    // After `decode` of n tokens: n rows of `vocabulary` values, of which only the last row is valid. They belong to the
    // model until the next call.
    float *(*logits)(void *model);
    // Tokens: end of text, begin of transcript, previous text, no speech, no timestamps, first timestamp, transcribe.
    int32_t (*end_of_text)(void *model);
    int32_t (*start)(void *model);
    int32_t (*previous)(void *model);
    int32_t (*no_speech)(void *model);
    int32_t (*no_timestamps)(void *model);
    int32_t (*transcribe)(void *model);
    int32_t (*language_token)(void *model, int language);
    // The number of a language ("en"), or -1.
    int (*language)(const char *code);
    // A NULL function would not silence it: the library then prints to standard error.
    void (*set_log)(void (*log)(int level, const char *text, void *data), void *data);
};

static void oracy_whisper_ignore(int level, const char *text, void *data) {
    (void)level, (void)text, (void)data;
}

// Loads the library and, if it has processor-specific parts as files of their own, the best of these in a folder.
//
// Returns NULL, or the reason why it cannot be used: a text that is valid until the next call of dlerror. Nothing is
// unloaded then.
static inline const char *oracy_whisper_load(struct oracy_whisper *whisper, const char *path, const char *folder) {
    whisper->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!whisper->library) return dlerror();
    struct { const char *name; void **place; } functions[] = {
        {"whisper_init_from_file", (void **)&whisper->open_model},
        {"whisper_free", (void **)&whisper->free_model},
        {"whisper_version", (void **)&whisper->version},
        {"whisper_is_multilingual", (void **)&whisper->is_multilingual},
        {"whisper_n_vocab", (void **)&whisper->vocabulary},
        {"whisper_n_text_ctx", (void **)&whisper->text_context},
        {"whisper_token_to_str", (void **)&whisper->token_text},
        {"whisper_tokenize", (void **)&whisper->tokenize},
        {"whisper_pcm_to_mel", (void **)&whisper->set_sound},
        {"whisper_encode", (void **)&whisper->encode},
        {"whisper_decode", (void **)&whisper->decode},
        {"whisper_get_logits", (void **)&whisper->logits},
        {"whisper_token_eot", (void **)&whisper->end_of_text},
        {"whisper_token_sot", (void **)&whisper->start},
        {"whisper_token_prev", (void **)&whisper->previous},
        {"whisper_token_nosp", (void **)&whisper->no_speech},
        {"whisper_token_not", (void **)&whisper->no_timestamps},
        {"whisper_token_transcribe", (void **)&whisper->transcribe},
        {"whisper_token_lang", (void **)&whisper->language_token},
        {"whisper_lang_id", (void **)&whisper->language},
        {"whisper_log_set", (void **)&whisper->set_log},
    };
    for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
        dlerror();
        *functions[i].place = dlsym(whisper->library, functions[i].name);
        if (!*functions[i].place) return dlerror();
    }
    whisper->set_log(oracy_whisper_ignore, NULL);
    // A library that was built with parts for several processors has none of them until they are loaded.
    // dlsym also searches the libraries that this one needs.
    size_t (*parts)(void) = (size_t (*)(void))dlsym(whisper->library, "ggml_backend_reg_count");
    void (*load)(const char *) = (void (*)(const char *))dlsym(whisper->library, "ggml_backend_load_all_from_path");
    if (parts && load && parts() == 0) load(folder);
    if (parts && parts() == 0) return "it has no part for this processor";
    return NULL;
}
