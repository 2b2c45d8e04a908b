"""Tells schemathesis how to send a recording."""

import schemathesis


@schemathesis.serializer(
    "audio/3gpp", "audio/aac", "audio/aiff", "audio/amr", "audio/basic", "audio/flac", "audio/m4a",
    "audio/mp3", "audio/mp4", "audio/mpeg", "audio/ogg", "audio/opus", "audio/vnd.wave", "audio/wav",
    "audio/wave", "audio/webm", "audio/x-aiff", "audio/x-caf", "audio/x-flac", "audio/x-m4a", "audio/x-wav",
    "application/offset+octet-stream",
)
def sound(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
