"""Speakers and microphones that change the level of an answer. Each change returns a changed copy of the answer.

    drop(6)(answer, random)  # 6 dB quieter from its middle on.

Levels are measured over labelled speech only, so that a long pause does not make a speaker quiet.
"""
import numpy as np
from scipy.ndimage import uniform_filter1d

from sound import FRAME, RATE, gain, level, sloped

# The least noise of microphones and converters in dBFS, so that a fading voice does not end in digital silence.
FLOOR = gain(-70)


def speech_level(answer):
    return level(np.concatenate([answer.sound[int(start * RATE):int(end * RATE)] for start, end in answer.speech]))


def by_time(curve):
    """A level in decibels that changes over time: `curve(seconds, answer, random)`."""
    def change(answer, random):
        sound = answer.sound * gain(curve(np.arange(len(answer.sound)) / RATE, answer, random))
        return answer._replace(sound=sound + FLOOR * random.standard_normal(len(sound)))
    return change


def span(answer):
    return answer.speech[0][0], answer.speech[-1][1]


def drop(decibels):
    """A lower level from the first pause after the middle on: the speaker leans back."""
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
    """A level that falls all the time: a speaker tires."""
    return by_time(lambda seconds, answer, _: -decibels * progress(seconds, answer))


def rise(decibels):
    """A level that is low at the beginning: a speaker grows bold."""
    return by_time(lambda seconds, answer, _: -decibels * (1 - progress(seconds, answer)))


def wander(decibels):
    """A new level every 2 s within this many decibels, with smooth transitions: a speaker who moves about."""
    def curve(seconds, _, random):
        knots = random.uniform(-decibels / 2, decibels / 2, int(seconds[-1] / 2) + 3)
        return np.interp(seconds, 2 * np.arange(len(knots)), knots)
    return by_time(curve)


def loud(decibels):
    """A loud copy of the first word, 0.45 s long, that ends 0.7 s before it. A detector may mistake it for the speaker's level."""
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
    """A microphone with automatic gain, which rises by 5 dB a second in pauses and falls by 300; pink noise at 20 dB."""
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
        sound = sound * gain(np.repeat(gains, FRAME)[:len(sound)]) * 0.8  # Headroom for too much gain.
        return answer._replace(sound=sound + FLOOR * random.standard_normal(len(sound)))
    return change


def louder(decibels):
    return lambda answer, _: answer._replace(sound=answer.sound * gain(decibels))
