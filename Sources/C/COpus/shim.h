#include <opus/opus.h>

// Swift can't call variadic functions, so each kind of argument has an inline function.

static inline int oracy_opus_set(OpusEncoder *encoder, int request, opus_int32 value) {
    return opus_encoder_ctl(encoder, request, value);
}
static inline int oracy_opus_get(OpusEncoder *encoder, int request, opus_int32 *value) {
    return opus_encoder_ctl(encoder, request, value);
}
