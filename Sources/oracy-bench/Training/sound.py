"""Helpers for sounds: arrays of float, full scale ±1, 16 kHz mono."""
import os
import zlib
from math import gcd

import numpy as np
import soundfile
from scipy.fft import irfft, next_fast_len, rfft, rfftfreq
from scipy.signal import resample_poly

RATE = 16_000
FRAME = 160  # In samples: 10 ms, the detector's own frame.


def read(path):
    """Returns a file's sound at 16 kHz, the mean of its channels."""
    channels, rate = soundfile.read(path, always_2d=True)
    return at_16_khz(channels.mean(1), rate)


def at_16_khz(sound, rate):
    common = gcd(RATE, rate)
    return sound if rate == RATE else resample_poly(sound, RATE // common, rate // common)


def name_of(path):
    """Returns a file's name without folder and extension."""
    return os.path.splitext(os.path.basename(path))[0]


def level(sound):
    """Returns the root of the mean square."""
    return np.sqrt(np.mean(np.square(sound)))


def gain(decibels):
    """Returns the factor of amplitude for a number of decibels."""
    return 10 ** (decibels / 20)


def drawn_for(*words):
    """Returns a random generator that depends only on these words, so that a change in one place changes nothing in another."""
    return np.random.default_rng(zlib.crc32("|".join(map(str, words)).encode()))


def sloped(random, count, decibels_per_octave):
    """Returns noise whose power rises (below zero: falls) by this many decibels an octave from 20 Hz, where hearing begins."""
    noise = filtered(random.standard_normal(count), lambda hertz: gain(decibels_per_octave * np.log2(np.maximum(hertz, 20) / 20)))
    return noise - noise.mean()


def filtered(sound, factor):
    """Returns a sound with each frequency `factor(hertz)` times as strong. It is padded, since the transform is slow for prime lengths."""
    count = next_fast_len(len(sound), real=True)
    return irfft(rfft(sound, count) * factor(rfftfreq(count, 1 / RATE)), count)[:len(sound)]


def pcm(sound):
    """Returns 16-bit samples. A sound that would clip is scaled to a peak of 0.98, as in the labelled data's own scripts."""
    quieter = sound * min(1, 0.98 / max(np.abs(sound).max(), 1e-9))
    return np.floor(np.round(quieter * 2147483647) / 65536).clip(-32768, 32767).astype("<i2")
