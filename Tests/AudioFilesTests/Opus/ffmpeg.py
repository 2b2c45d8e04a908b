"""Decodes files with ffmpeg's own Opus decoder. Prints a line for each: the samples at 48 kHz and their root mean square."""
import sys

import av
import numpy

for path in sys.argv[1:]:
    with av.open(path) as container:
        stream = container.streams.audio[0]
        assert stream.codec_context.codec.name == "opus", stream.codec_context.codec.name
        frames = [frame.to_ndarray()[0] for frame in container.decode(stream)]
    sound = numpy.concatenate(frames) if frames else numpy.zeros(0, numpy.float32)
    print(len(sound), float(numpy.sqrt(numpy.mean(sound**2))) if len(sound) else 0)
