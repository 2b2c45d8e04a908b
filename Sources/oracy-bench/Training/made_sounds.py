"""Synthetic sounds that a detector may mistake for a voice: each has one property of speech and lacks the others."""
import numpy as np
from scipy.signal import butter, sosfilt

from sound import RATE, drawn_for, gain


def track(name, seconds):
    """Returns one sound after another over a faint hiss: up to 1.2 s long, 0 to 18 dB below full scale, 0.6 s apart on average."""
    random = drawn_for("made", name)
    result, at = 1e-4 * random.standard_normal(seconds * RATE), 0.5
    while at < seconds - 3:
        length = random.uniform(0.05, 1.2)
        time = np.arange(int(length * RATE)) / RATE
        sound = KINDS[random.integers(len(KINDS))](random, time, length)
        start = int(at * RATE)
        result[start:start + len(sound)] += gain(random.uniform(-18, 0)) * sound / (np.abs(sound).max() + 1e-9)
        at += length + random.exponential(0.6)
    return result


def thump(random, time, length):
    """A desk, a door: low and short."""
    tones = np.sin(2 * np.pi * random.uniform(50, 160) * time) + 0.6 * np.sin(2 * np.pi * random.uniform(90, 300) * time)
    rumble = 0.01 * np.cumsum(random.standard_normal(len(time)))
    return np.exp(-time / random.uniform(0.03, 0.15)) * (tones + rumble)


def squeak(random, time, length):
    """A chair, a shoe: harmonic like a vowel, but gliding and with only three harmonics."""
    frequency = random.uniform(300, 1500) * (1 + random.uniform(-0.5, 1) * time / length)
    phase = 2 * np.pi * np.cumsum(frequency) / RATE
    return np.sin(np.pi * time / length) * (np.sin(phase) + 0.5 * np.sin(2 * phase) + 0.3 * np.sin(3 * phase))


def clicks(random, time, length):
    """Keys, a mouse, a pen: one to eight."""
    sound = np.zeros(len(time))
    for _ in range(random.integers(1, 9)):
        start = random.integers(len(time))
        click = np.arange(min(len(time) - start, random.integers(40, 400)))
        sound[start:start + len(click)] += np.exp(-click / 60) * random.standard_normal(len(click)) * random.uniform(0.3, 1)
    return sound


def ring(random, time, length):
    """A telephone: two tones on and off at the pace of syllables and faster."""
    tones = sum(np.sin(2 * np.pi * random.uniform(400, 2000) * time) for _ in range(2))
    return tones * (np.sin(2 * np.pi * random.uniform(4, 25) * time) > 0)


def breath(random, time, length):
    """A breath into the microphone: the shape of a syllable, without a pitch."""
    band = butter(2, [random.uniform(200, 600), random.uniform(1500, 6000)], "band", fs=RATE, output="sos")
    return sosfilt(band, random.standard_normal(len(time))) * np.sin(np.pi * time / length) ** 2


def knock(random, time, length):
    """Something set down: noise that dies away."""
    band = butter(2, random.uniform(100, 3000), "low", fs=RATE, output="sos")
    return sosfilt(band, random.standard_normal(len(time))) * np.exp(-time / random.uniform(0.02, 0.3))


def bark(random, time, length):
    """An animal or a horn: as rich in harmonics as a vowel, with a pitch at or above the upper end of a voice."""
    phase = 2 * np.pi * np.cumsum(random.uniform(250, 800) * (1 + 0.3 * np.sin(np.pi * time / length))) / RATE
    rich = np.tanh(3 * sum(np.sin(harmonic * phase) / harmonic for harmonic in range(1, 7)))
    ends = np.minimum(1, np.minimum(time, length - time) / 0.02)
    return rich * ends * (np.sin(2 * np.pi * random.uniform(1, 6) * time) > -0.4)


KINDS = thump, squeak, clicks, ring, breath, knock, bark
