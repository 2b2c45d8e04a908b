"""Synthetic continuous noises: weather, water, traffic, machines and music. Each rises and falls in its own way."""
import numpy as np
from scipy.ndimage import gaussian_filter1d
from scipy.signal import butter, lfilter, sosfilt

from sound import RATE, drawn_for, gain, level, sloped

SECONDS = 90


def long_sounds():
    """Returns a track of each noise, by name."""
    return {make.__name__: scaled(make(drawn_for("long", make.__name__), SECONDS * RATE))
            for make in (rain, wind, traffic, machine, music, water)}


def scaled(track):
    """Returns a track with a mean power of −20 dB."""
    return track / level(track) * gain(-20)


def wandering(random, count, seconds, decibels):
    """Returns a gain that varies by this many decibels (standard deviation) over this many seconds."""
    slow = gaussian_filter1d(random.standard_normal(count // 1600 + 2), seconds * 10, mode="wrap")
    return gain(decibels * np.interp(np.arange(count) / 1600, np.arange(len(slow)), slow / slow.std()))


def band(sound, low, high):
    return sosfilt(butter(2, [low, high], "band", fs=RATE, output="sos"), sound)


def rain(random, count):
    """Returns rain on a window: short knocks over a hiss that swells and fades."""
    drops = (random.random(count) < 400 / RATE) * random.exponential(1, count) * random.choice((-1, 1), count)
    knocks = lfilter([1], [1, -1.6, 0.92], drops)
    return scaled(knocks) * wandering(random, count, 0.5, 3) + scaled(sloped(random, count, -1.5)) * wandering(random, count, 3, 2)


def wind(random, count):
    """Returns gusts around a house."""
    gusts = wandering(random, count, 0.6, 5)
    return scaled(sloped(random, count, -5)) * gusts + 0.3 * scaled(band(random.standard_normal(count), 350, 600)) * gusts ** 1.5


def traffic(random, count):
    """Returns cars that pass an open window: tyres, and a lower engine."""
    track = 0.1 * scaled(sloped(random, count, -5))
    time = np.arange(count) / RATE
    at = 0.0
    while at < count / RATE:
        width, strength = random.uniform(0.4, 2.5), gain(random.uniform(-12, 6))
        here = slice(max(0, int((at - 3 * width) * RATE)), int((at + 3 * width) * RATE))
        part = time[here]
        if len(part) > RATE // 10:
            shape = strength * np.exp(-((part - at) / width) ** 2)
            engine = np.tanh(2 * np.sin(2 * np.pi * random.uniform(40, 120) * part * (1 - 0.01 * (part - at))))
            track[here] += shape * (scaled(sloped(random, len(part), -3)) + 0.4 * scaled(engine))
        at += random.exponential(3)
    return track


def machine(random, count):
    """Returns ten seconds each of a washing machine, a mixer and a vacuum cleaner: a motor's harmonics and its bearings' noise."""
    parts = []
    for start in range(0, count, 10 * RATE):
        time = np.arange(min(10 * RATE, count - start)) / RATE
        turn, pace = random.uniform(25, 220), random.uniform(0.7, 9)
        phase = 2 * np.pi * np.cumsum(turn * (1 + 0.02 * np.sin(2 * np.pi * pace / 3 * time))) / RATE
        motor = sum(np.sin(n * phase + random.uniform(0, 6)) / n ** random.uniform(0.3, 1.2) for n in range(1, 25) if n * turn < 7000)
        beat = gain(random.uniform(0, 6) * np.sin(2 * np.pi * pace * time))
        parts.append(scaled(scaled(motor) + gain(random.uniform(-10, 10)) * scaled(sloped(random, len(time), -2)) * beat))
    return np.concatenate(parts)


def music(random, count):
    """Returns chords, a tune and a beat, like a radio in the next room."""
    track, at, beat = np.zeros(count + 4 * RATE), 0, random.uniform(0.25, 0.6)
    while at < count:
        length = int(beat * RATE * random.choice((0.5, 1, 1, 2)))
        time = np.arange(int(1.5 * length)) / RATE
        for note in random.integers(36, 84, random.integers(1, 5)):
            tone = 440 * 2 ** ((note - 69) / 12)
            sound = sum(np.sin(2 * np.pi * tone * n * time) / n ** 1.3 for n in range(1, 9) if tone * n < 7500)
            rise = np.minimum(1, time / random.uniform(0.005, 0.05))
            track[at:at + len(time)] += sound * rise * np.exp(-time / random.uniform(0.15, 0.8)) * gain(random.uniform(-12, 0))
        if random.random() < 0.6:
            hit = random.standard_normal(RATE // 5) * np.exp(-np.arange(RATE // 5) / (random.uniform(0.01, 0.06) * RATE))
            track[at:at + len(hit)] += hit * gain(random.uniform(-15, 0))
        at += length
    return track[:count]


def water(random, count):
    """Returns a tap that is turned up and down: a rush, and bubbles that rise in pitch."""
    track = scaled(band(random.standard_normal(count), 500, 5000)) * wandering(random, count, 2, 4)
    for at in random.integers(0, count - RATE // 4, count // RATE * 12):
        time = np.arange(int(random.uniform(0.01, 0.08) * RATE)) / RATE
        pitch = random.uniform(400, 2500) * (1 + 3 * time)
        track[at:at + len(time)] += 0.15 * random.exponential() * np.sin(2 * np.pi * pitch * time) * np.exp(-40 * time)
    return track
