/* webrtc-speed PCM MODE: measures the cost of WebRTC's voice-activity detector, for comparison with `oracy-bench hear PCM`.
 *
 * PCM is raw 16-bit mono at 16 kHz. It is heard in frames of 10 ms, once unmeasured and then over and over until half a second
 * of this thread's CPU is spent. Prints µs of CPU for a second of sound, the bytes of a detector, and the frames with a voice.
 * WebRTC's sources are those in webrtcvad 2.0.10 (PyPI); `make bench` fetches and compiles both with cc -O2 -DNDEBUG. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "webrtc/common_audio/vad/include/webrtc_vad.h"
#include "webrtc/common_audio/vad/vad_core.h"

static double thread_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

int main(int count, char **words) {
    FILE *file = count == 3 ? fopen(words[1], "rb") : NULL;
    if (!file) return 64;
    fseek(file, 0, SEEK_END);
    size_t frames = ftell(file) / (2 * 160);
    rewind(file);
    int16_t *sound = malloc(frames * 2 * 160);
    VadInst *vad;
    if (!sound || fread(sound, 2 * 160, frames, file) != frames || frames == 0) return 65;
    if (WebRtcVad_Create(&vad) || WebRtcVad_Init(vad) || WebRtcVad_set_mode(vad, atoi(words[2]))) return 70;
    long voiced = 0, passes = -1;
    double began = 0;
    do {
        if (passes == 0) began = thread_time();
        for (size_t frame = 0; frame < frames; frame++)
            voiced += WebRtcVad_Process(vad, 16000, sound + frame * 160, 160) == 1;
        passes++;
    } while (passes < 1 || thread_time() - began < 0.5);
    printf("%.3f %zu %ld\n", (thread_time() - began) * 1e6 / (frames * 0.01 * passes), sizeof(VadInstT), voiced);
    WebRtcVad_Free(vad);
    free(sound);
    return 0;
}
