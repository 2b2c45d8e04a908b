"""pesq_of.py ORIGINAL.wav COPY.wav ...: prints a listener's likely rating of each copy (ITU-T P.862.2, wide band, 1 to 4.64), one a line.

From PyPI's pesq; 16 kHz mono, 16 bit. If pesq is not installed, prints a line on stderr and exits with 1.
"""
import sys
import wave

try:
    import numpy
    import pesq
except ImportError as missing:
    sys.exit(f"{missing.name} is not installed")


def samples(path):
    with wave.open(path) as file:
        return numpy.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768


for original, copy in zip(sys.argv[1::2], sys.argv[2::2]):
    print(pesq.pesq(16000, samples(original), samples(copy), "wb"))
