// The bare library calls that a replay cannot do without, for the benchmark to compare with: libsndfile decodes, libsamplerate
// brings other rates to 16 kHz, and Ogg/Opus is encoded at the project's bit rate: by libopus and libogg, set as the project sets
// them, or by libsndfile, which was the project's encoder and is what the first is held against. No exam, no detector, no log.
//
// usage: codec-reference opus|sndfile OUTPUT-FOLDER FILE...
//        codec-reference decode FILE...       libsndfile decodes only
#include <ogg/ogg.h>
#include <opus/opus.h>
#include <samplerate.h>
#include <sndfile.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 4800, ROOM = 16384, FRAME = 320, RATE = 16000, BITS = 32000, PACKETS_A_PAGE = 50 };

// The output: `sndfile` if libsndfile encodes, otherwise `file` with libopus and libogg.
struct target {
    SNDFILE *sndfile;
    FILE *file;
    OpusEncoder *encoder;
    ogg_stream_state stream;
    float frame[FRAME];
    int filled, delay;
    ogg_int64_t samples, packets;
};

static int open_sndfile(struct target *t, const char *name) {
    SF_INFO info = {.samplerate = RATE, .channels = 1, .format = SF_FORMAT_OGG | SF_FORMAT_OPUS};
    t->sndfile = sf_open(name, SFM_WRITE, &info);
    // libsndfile: target = (1 - level) * 250,000 + 6,000 bit/s.
    double level = 1 - (BITS - 6000.0) / 250000;
    if (t->sndfile) sf_command(t->sndfile, SFC_SET_COMPRESSION_LEVEL, &level, sizeof level);
    return t->sndfile != NULL;
}

static void flush(struct target *t) {
    ogg_page page;
    while (ogg_stream_flush_fill(&t->stream, &page, 255 * 255)) {
        fwrite(page.header, 1, page.header_len, t->file);
        fwrite(page.body, 1, page.body_len, t->file);
    }
}

static void put(struct target *t, unsigned char *bytes, long count, ogg_int64_t end, int is_last) {
    ogg_packet packet = {.packet = bytes, .bytes = count, .granulepos = end, .e_o_s = is_last};
    ogg_stream_packetin(&t->stream, &packet);
}

static int open_opus(struct target *t, const char *name) {
    t->file = fopen(name, "wb");
    t->encoder = opus_encoder_create(RATE, 1, OPUS_APPLICATION_AUDIO, NULL);
    if (!t->file || !t->encoder) return 0;
    opus_encoder_ctl(t->encoder, OPUS_SET_BITRATE(BITS));
    opus_encoder_ctl(t->encoder, OPUS_SET_COMPLEXITY(5));
    opus_encoder_ctl(t->encoder, OPUS_SET_VBR_CONSTRAINT(0));
    opus_encoder_ctl(t->encoder, OPUS_GET_LOOKAHEAD(&t->delay));
    ogg_stream_init(&t->stream, 1);
    unsigned char head[19] = "OpusHead\1\1\0\0\x80\x3e", tags[16] = "OpusTags";
    head[10] = t->delay * 3 & 255, head[11] = t->delay * 3 >> 8;
    put(t, head, sizeof head, 0, 0), flush(t);
    put(t, tags, sizeof tags, 0, 0), flush(t);
    return 1;
}

static void encode_frame(struct target *t, ogg_int64_t end, int is_last) {
    unsigned char packet[1275];
    int count = opus_encode_float(t->encoder, t->frame, FRAME, packet, sizeof packet);
    t->packets++, t->filled = 0;
    put(t, packet, count, end ? end : t->packets * FRAME * 3, is_last);
    if (is_last || t->packets % PACKETS_A_PAGE == 0) flush(t);
}

static void write_samples(struct target *t, const float *samples, long count) {
    if (t->sndfile) {
        sf_write_float(t->sndfile, samples, count);
        return;
    }
    t->samples += count;
    while (count > 0) {
        long part = count < FRAME - t->filled ? count : FRAME - t->filled;
        memcpy(t->frame + t->filled, samples, part * sizeof *samples);
        t->filled += part, samples += part, count -= part;
        if (t->filled == FRAME) encode_frame(t, 0, 0);
    }
}

static void close_target(struct target *t) {
    if (t->sndfile) {
        sf_close(t->sndfile);
        return;
    }
    for (int is_last = 0; !is_last;) {
        memset(t->frame + t->filled, 0, (FRAME - t->filled) * sizeof *t->frame);
        is_last = (t->packets + 1) * FRAME >= t->delay + t->samples;
        encode_frame(t, is_last ? (t->delay + t->samples) * 3 : 0, is_last);
    }
    opus_encoder_destroy(t->encoder);
    ogg_stream_clear(&t->stream);
    fclose(t->file);
}

static int encode(const char *kind, const char *path, const char *folder, int number) {
    SF_INFO in = {0};
    struct target target = {0};
    char name[4096];
    snprintf(name, sizeof name, "%s/%d.opus", folder, number);
    SNDFILE *source = sf_open(path, SFM_READ, &in);
    if (!source || !(strcmp(kind, "opus") ? open_sndfile : open_opus)(&target, name))
        return fprintf(stderr, "codec-reference: %s: %s\n", path, sf_strerror(NULL)), 1;

    int error = 0;
    SRC_STATE *resampler = in.samplerate == RATE ? NULL : src_new(SRC_SINC_MEDIUM_QUALITY, 1, &error);
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
                             .src_ratio = 1.0 * RATE / in.samplerate, .end_of_input = count < CHUNK};
            src_process(resampler, &data);
            write_samples(&target, resampled, data.output_frames_gen);
        } else {
            write_samples(&target, mono, count);
        }
    } while (count == CHUNK);
    free(frames);
    if (resampler) src_delete(resampler);
    sf_close(source);
    close_target(&target);
    return 0;
}

static int decode(const char *path) {
    SF_INFO in = {0};
    SNDFILE *source = sf_open(path, SFM_READ, &in);
    if (!source) return fprintf(stderr, "codec-reference: %s: %s\n", path, sf_strerror(NULL)), 1;
    float *frames = malloc(sizeof(float) * CHUNK * in.channels);
    while (sf_readf_float(source, frames, CHUNK) == CHUNK) {}
    free(frames);
    sf_close(source);
    return 0;
}

int main(int argc, char **argv) {
    int decodes = argc > 2 && !strcmp(argv[1], "decode");
    if (!decodes && (argc < 4 || (strcmp(argv[1], "opus") && strcmp(argv[1], "sndfile"))))
        return fprintf(stderr, "usage: codec-reference opus|sndfile OUTPUT-FOLDER FILE... | decode FILE...\n"), 64;
    int failed = 0;
    for (int i = 2; decodes && i < argc; i++) failed |= decode(argv[i]);
    if (decodes) return failed;
    for (int i = 3; i < argc; i++) failed |= encode(argv[1], argv[i], argv[2], i);
    return failed;
}
