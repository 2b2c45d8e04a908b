"""What rooms, noises, lines and microphones make of an answer: as in `levels`, each makes an answer anew.

    noise(track, 10)(answer, random)  # In a noise, speech 10 dB above it.
"""
import numpy as np
from scipy.ndimage import uniform_filter1d
from scipy.signal import butter, fftconvolve, sosfilt

from levels import speech_level
from sound import RATE, filtered, gain, level


def clipped(factor):
    """A peak so many times full scale, cut off."""
    return lambda answer, _: answer._replace(
        sound=np.clip(answer.sound / np.abs(answer.sound).max() * factor, -0.98, 0.98))


def noise(track, decibels):
    """In a noise, from a random place in it, speech so much above it."""
    def change(answer, random):
        part = np.take(track, random.integers(len(track)) + np.arange(len(answer.sound)), mode="wrap")
        return answer._replace(sound=answer.sound + part / level(part) * speech_level(answer) * gain(-decibels))
    return change


def room(answer, random):
    """A room of 0.6 s (RT60), its sound half as strong as the voice itself (−3 dB), from 5 ms on."""
    time = np.arange(int(0.6 * RATE)) / RATE
    response = random.standard_normal(len(time)) * gain(-60 * time / 0.6) * (time >= 0.005)
    response *= gain(-3) / np.sqrt(np.sum(response ** 2))
    response[0] = 1
    return answer._replace(sound=fftconvolve(answer.sound, response)[:len(answer.sound)])


def telephone(answer, _):
    """300 to 3,400 Hz, as narrow-band telephony has it (ITU-T G.712)."""
    return answer._replace(sound=sosfilt(butter(4, [300, 3400], "band", fs=RATE, output="sos"), answer.sound))


def tilted(decibels):
    """So much an octave brighter or, below zero, duller: other microphones, and hands before them. 1 kHz stays as it is."""
    def factor(hertz):
        return gain(decibels * np.log2(np.clip(hertz, 60, 8000) / 1000))
    return lambda answer, _: answer._replace(sound=filtered(answer.sound, factor))


def gated(percent):
    """A microphone's noise gate. Frames whose surrounding 50 ms are among the quietest `percent` become exact silence."""
    def change(answer, _):
        around = uniform_filter1d(np.abs(answer.sound), 800)
        return answer._replace(sound=np.where(around < np.percentile(around, percent), 0, answer.sound))
    return change


def silenced(answer, _):
    """Exact silence under −57 dBFS: how some sound cards and suppressors record pauses."""
    return answer._replace(sound=np.where(np.abs(answer.sound) < gain(-57), 0, answer.sound))


def hissing(answer, random):
    """A hiss of −95 to −75 dBFS."""
    return answer._replace(sound=answer.sound + gain(random.uniform(-95, -75)) * random.standard_normal(len(answer.sound)))


def followed_by(sound):
    """A sound as loud as the speech, half a second after each turn that 2 s without words follow."""
    def change(answer, _):
        result, scaled = answer.sound.copy(), sound / level(sound) * speech_level(answer)
        ends = turns(answer)
        for (_, end), following in zip(ends, [start for start, _ in ends[1:]] + [len(result) / RATE]):
            at = int((end + 0.5) * RATE)
            room_left = int(following * RATE) - 1600 - at  # A tenth of a second before the next word.
            if following - end >= 2:
                part = scaled[:room_left]
                result[at:at + len(part)] += part
        return answer._replace(sound=result)
    return change


def turns(answer):
    """Speech with pauses of under 2 s in it: what a speaker says at one go."""
    merged = []
    for start, end in answer.speech:
        if merged and start - merged[-1][1] < 2:
            merged[-1][1] = end
        else:
            merged.append([start, end])
    return merged
