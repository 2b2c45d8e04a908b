// The bare library calls that a replay cannot do without, for the benchmark to compare with: libsndfile decodes, libsamplerate
// brings other rates to 16 kHz, libsndfile encodes Ogg/Opus at the project's bit rate. No exam, no detector, no log.
//
// usage: codec-reference OUTPUT-FOLDER FILE...
#include <samplerate.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4800, ROOM = 16384 };

static int encode(const char *path, const char *folder, int number) {
    SF_INFO in = {0}, out = {.samplerate = 16000, .channels = 1, .format = SF_FORMAT_OGG | SF_FORMAT_OPUS};
    char name[4096];
    snprintf(name, sizeof name, "%s/%d.opus", folder, number);
    SNDFILE *source = sf_open(path, SFM_READ, &in);
    SNDFILE *target = source ? sf_open(name, SFM_WRITE, &out) : NULL;
    if (!target) return fprintf(stderr, "codec-reference: %s: %s\n", path, sf_strerror(NULL)), 1;
    double level = 1 - (32000.0 - 6000) / 250000;
    sf_command(target, SFC_SET_COMPRESSION_LEVEL, &level, sizeof level);

    int error = 0;
    SRC_STATE *resampler = in.samplerate == 16000 ? NULL : src_new(SRC_SINC_MEDIUM_QUALITY, 1, &error);
    float *frames = malloc(sizeof(float) * CHUNK * in.channels), mono[CHUNK], resampled[ROOM];
    sf_count_t count;
    do {
        count = sf_readf_float(source, frames, CHUNK);
        for (sf_count_t i = 0; i < count; i++) {
            float sum = 0;
            for (int c = 0; c < in.channels; c++) sum += frames[i * in.channels + c];
            mono[i] = sum / in.channels;
        }
        if (resampler) {
            SRC_DATA data = {.data_in = mono, .input_frames = count, .data_out = resampled, .output_frames = ROOM,
                             .src_ratio = 16000.0 / in.samplerate, .end_of_input = count < CHUNK};
            src_process(resampler, &data);
            sf_write_float(target, resampled, data.output_frames_gen);
        } else {
            sf_write_float(target, mono, count);
        }
    } while (count == CHUNK);
    free(frames);
    if (resampler) src_delete(resampler);
    sf_close(source);
    sf_close(target);
    return 0;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: codec-reference OUTPUT-FOLDER FILE...\n"), 64;
    int failed = 0;
    for (int i = 2; i < argc; i++) failed |= encode(argv[i], argv[1], i);
    return failed;
}
