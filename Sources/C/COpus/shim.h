#include <opus/opus.h>

// Swift cannot call functions with variable arguments: one inline function for each kind of argument.

static inline int oracy_opus_set(OpusEncoder *encoder, int request, opus_int32 value) {
    return opus_encoder_ctl(encoder, request, value);
}
static inline int oracy_opus_get(OpusEncoder *encoder, int request, opus_int32 *value) {
    return opus_encoder_ctl(encoder, request, value);
}
