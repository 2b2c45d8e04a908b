"""What every file here needs of sounds: arrays of float, full scale ±1, 16 kHz mono."""
import os
import zlib
from math import gcd

import numpy as np
import soundfile
from scipy.fft import irfft, next_fast_len, rfft, rfftfreq
from scipy.signal import resample_poly

RATE = 16_000
FRAME = 160  # Samples: 10 ms, the detector's own.


def read(path):
    """A file's sound at 16 kHz, its channels' mean."""
    channels, rate = soundfile.read(path, always_2d=True)
    return at_16_khz(channels.mean(1), rate)


def at_16_khz(sound, rate):
    common = gcd(RATE, rate)
    return sound if rate == RATE else resample_poly(sound, RATE // common, rate // common)


def name_of(path):
    """A file's name without folder and extension."""
    return os.path.splitext(os.path.basename(path))[0]


def level(sound):
    """The root of the mean square."""
    return np.sqrt(np.mean(np.square(sound)))


def gain(decibels):
    """The factor of amplitude that so many decibels are."""
    return 10 ** (decibels / 20)


def drawn_for(*words):
    """Random numbers that depend on these words alone: a change in one place changes nothing in another."""
    return np.random.default_rng(zlib.crc32("|".join(map(str, words)).encode()))


def sloped(random, count, decibels_per_octave):
    """Noise whose power rises or, below zero, falls so much an octave above 20 Hz, where hearing and microphones begin."""
    noise = filtered(random.standard_normal(count), lambda hertz: gain(decibels_per_octave * np.log2(np.maximum(hertz, 20) / 20)))
    return noise - noise.mean()


def filtered(sound, factor):
    """A sound with each frequency `factor(hertz)` times as strong; lengthened for the transform, which dislikes prime numbers."""
    count = next_fast_len(len(sound), real=True)
    return irfft(rfft(sound, count) * factor(rfftfreq(count, 1 / RATE)), count)[:len(sound)]


def pcm(sound):
    """16-bit samples; a sound that would clip is made quieter, to a peak of 0.98, as the labelled data's own scripts do."""
    quieter = sound * min(1, 0.98 / max(np.abs(sound).max(), 1e-9))
    return np.floor(np.round(quieter * 2147483647) / 65536).clip(-32768, 32767).astype("<i2")
