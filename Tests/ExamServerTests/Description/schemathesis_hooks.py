"""What schemathesis does not know by itself: how a recording is sent."""

import schemathesis


@schemathesis.serializer("audio/ogg", "audio/wav", "application/offset+octet-stream")
def sound(context, value):
    return value if isinstance(value, bytes) else str(value).encode()
