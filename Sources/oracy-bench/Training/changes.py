"""What becomes of an answer on its way to the ears: one change each, made by its figures, told of an answer and random numbers.

    drop(6)(answer, random)  # The answer, 6 dB quieter from its middle on.

Decibels are of the speech as it is labelled, so that a long pause does not make a speaker quiet.
"""
import numpy as np
from scipy.ndimage import uniform_filter1d
from scipy.signal import butter, fftconvolve, sosfilt

from sound import FRAME, RATE, filtered, gain, level, sloped

# What microphones and converters add at the least, dBFS: a voice that fades does not fade to exact nothing.
FLOOR = gain(-70)


def speech_level(answer):
    return level(np.concatenate([answer.sound[int(start * RATE):int(end * RATE)] for start, end in answer.speech]))


def turns(answer):
    """Speech with pauses of under 2 s in it: what a speaker says at one go."""
    merged = []
    for start, end in answer.speech:
        if merged and start - merged[-1][1] < 2:
            merged[-1][1] = end
        else:
            merged.append([start, end])
    return merged


def by_time(curve):
    """A level in decibels that changes with seconds: `curve(seconds, answer, random)`."""
    def change(answer, random):
        sound = answer.sound * gain(curve(np.arange(len(answer.sound)) / RATE, answer, random))
        return answer._replace(sound=sound + FLOOR * random.standard_normal(len(sound)))
    return change


def span(answer):
    return answer.speech[0][0], answer.speech[-1][1]


def drop(decibels):
    """Quieter from the first pause after the middle on: somebody leans back."""
    def curve(seconds, answer, _):
        middle = sum(span(answer)) / 2
        at = next((start for start, _ in answer.speech if start > middle), span(answer)[1])
        return -decibels * (seconds > at - 0.15)
    return by_time(curve)


def progress(seconds, answer):
    """0 until the first word, 1 after the last."""
    first, last = span(answer)
    return np.clip((seconds - first) / (last - first), 0, 1)


def fade(decibels):
    """Quieter and quieter: a speaker tires."""
    return by_time(lambda seconds, answer, _: -decibels * progress(seconds, answer))


def rise(decibels):
    """Quiet in the beginning: a speaker grows bold."""
    return by_time(lambda seconds, answer, _: -decibels * (1 - progress(seconds, answer)))


def wander(decibels):
    """A new level every 2 s, within so many decibels, and slides between: a speaker who moves about."""
    def curve(seconds, _, random):
        knots = random.uniform(-decibels / 2, decibels / 2, int(seconds[-1] / 2) + 3)
        return np.interp(seconds, 2 * np.arange(len(knots)), knots)
    return by_time(curve)


def loud(decibels):
    """A first word of 0.45 s so much over the rest, 0.7 s before it: what a detector may take for the speaker's level."""
    def change(answer, random):
        first, _ = span(answer)
        word = answer.sound[int(first * RATE):int((first + 0.45) * RATE)].copy()
        from_edge = np.arange(len(word))
        word *= np.minimum(1, np.minimum(from_edge, from_edge[::-1]) / FRAME)
        word *= speech_level(answer) * gain(decibels) / level(word)
        before = max(0, int(1.65 * RATE) - int(first * RATE))  # Room for half a second of quiet, the word, and its gap.
        sound = np.concatenate([np.resize(answer.sound[:max(1600, int((first - 0.1) * RATE))], before), answer.sound])
        moved = before / RATE
        at = first + moved - 1.15
        sound[int(at * RATE):int(at * RATE) + len(word)] += word
        sound += FLOOR * random.standard_normal(len(sound))
        return answer._replace(sound=sound, speech=[(at, at + 0.45)] + [(a + moved, b + moved) for a, b in answer.speech])
    return change


def automatic_gain(decibels):
    """A microphone that turns itself up in pauses, 5 dB a second, and down again 300 dB a second; pink noise at 20 dB."""
    def change(answer, random):
        goal = speech_level(answer)
        pink = sloped(random, len(answer.sound), -3.01)
        sound = answer.sound + pink / level(pink) * goal / 10
        power = uniform_filter1d(sound ** 2, 3 * FRAME)[::FRAME]
        wanted = np.clip(20 * np.log10(goal / np.maximum(np.sqrt(np.maximum(power, 0)), 1e-9)), 0, decibels)
        now, gains = 0.0, []
        for want in wanted:
            now = max(want, now - 3) if want < now else min(want, now + 0.05)
            gains.append(now)
        sound = sound * gain(np.repeat(gains, FRAME)[:len(sound)]) * 0.8  # Room for what it turns up too far.
        return answer._replace(sound=sound + FLOOR * random.standard_normal(len(sound)))
    return change


def louder(decibels):
    return lambda answer, _: answer._replace(sound=answer.sound * gain(decibels))


def clipped(factor):
    """A peak so many times full scale, cut off."""
    return lambda answer, _: answer._replace(
        sound=np.clip(answer.sound / np.abs(answer.sound).max() * factor, -0.98, 0.98))


def noise(track, decibels):
    """In a noise, from a random place in it, speech so much above it."""
    def change(answer, random):
        part = np.resize(np.roll(track, -random.integers(len(track))), len(answer.sound))
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
    """A microphone's noise gate: where the 50 ms around are as quiet as the quietest so many of a hundred, exact silence."""
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
