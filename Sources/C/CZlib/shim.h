#include <zlib.h>

// deflateInit2 and inflateInit2 are macros with the size of the structure, which Swift does not see.

// 15 + 16: the largest window, and gzip's header and trailer.
static inline int oracy_gzip_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}

// -15: the largest window, and neither a header nor a trailer.
static inline int oracy_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, -15);
}
