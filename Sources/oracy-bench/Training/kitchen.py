"""A synthetic kitchen: crockery, cutlery, drawers, a knife, a tap, a pan, a refrigerator."""
import numpy as np

from long_sounds import SECONDS, band, scaled, wandering
from sound import RATE, drawn_for, gain, sloped


def kitchen():
    """Returns cooking: crockery and cutlery that clink, drawers, something that fries, a tap now and then, a refrigerator."""
    random, count = drawn_for("kitchen"), SECONDS * RATE
    track = 0.02 * scaled(sloped(random, count, -6)) + 0.05 * scaled(band(random.standard_normal(count), 2000, 7000)) * wandering(
        random, count, 1, 4)
    at = 0.0
    while at < count / RATE - 2:
        burst = (clink, clink, clink, cutlery, drawer, chopping, tap)[random.integers(7)](random)
        start = int(at * RATE)
        burst = (burst / np.abs(burst).max() * gain(random.uniform(-18, 0)))[:count - start]
        track[start:start + len(burst)] += burst
        at += random.exponential(0.7)
    return track


def clink(random):
    """Returns a plate or a glass: unrelated tones, each of which dies away at its own pace."""
    time = np.arange(RATE) / RATE
    return sum(gain(random.uniform(-20, 0)) * np.sin(2 * np.pi * random.uniform(700, 7000) * time)
               * np.exp(-time / random.uniform(0.01, 0.25)) for _ in range(random.integers(3, 9)))


def several(random, sound, count, pause):
    """Returns a sound this many times, with this pause on average."""
    track, at = np.zeros(3 * RATE), 0
    for _ in range(count):
        one = sound(random)[:len(track) - at]
        track[at:at + len(one)] += one * gain(random.uniform(-10, 0))
        at = min(len(track) - 1, at + int(random.uniform(0.5, 1.5) * pause * RATE))
    return track


def cutlery(random):
    return several(random, clink, random.integers(3, 12), 0.08)


def thud(random):
    time = np.arange(RATE // 4) / RATE
    return np.exp(-time / random.uniform(0.01, 0.05)) * (
        np.sin(2 * np.pi * random.uniform(80, 300) * time) + 0.3 * random.standard_normal(len(time)))


def chopping(random):
    return several(random, thud, random.integers(4, 12), random.uniform(0.12, 0.3))


def drawer(random):
    """Returns a drawer that slides and knocks."""
    slide = band(random.standard_normal(RATE // 2), 300, 4000) * np.linspace(0.1, 0.5, RATE // 2)
    return np.concatenate([scaled(slide), thud(random)])


def tap(random):
    length = int(random.uniform(1, 4) * RATE)
    ends = np.minimum(1, np.minimum(np.arange(length), np.arange(length)[::-1]) / (0.1 * RATE))
    return scaled(band(random.standard_normal(length), 400, 6000)) * ends
