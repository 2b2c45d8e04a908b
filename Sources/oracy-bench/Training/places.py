"""Rooms, noises, lines and microphones. As in `levels`, each returns a changed copy of an answer.

    noise(track, 10)(answer, random)  # In a noise, with speech 10 dB above it.
"""
import numpy as np
from scipy.ndimage import uniform_filter1d
from scipy.signal import butter, fftconvolve, sosfilt

from levels import FLOOR, speech_level
from sound import FRAME, RATE, filtered, gain, level


def clipped(factor):
    """Clipping: the peak is this many times full scale."""
    return lambda answer, _: answer._replace(
        sound=np.clip(answer.sound / np.abs(answer.sound).max() * factor, -0.98, 0.98))


def noise(track, decibels):
    """A noise from a random place in the track, with speech this many decibels above it."""
    def change(answer, random):
        part = np.take(track, random.integers(len(track)) + np.arange(len(answer.sound)), mode="wrap")
        return answer._replace(sound=answer.sound + part / max(level(part), gain(-90)) * speech_level(answer) * gain(-decibels))
    return change


def in_room(decay, decibels):
    """A room's reverberation: it decays by 60 dB in this many seconds (RT60), and the voice itself is this many decibels stronger."""
    def change(sound, random):
        time = np.arange(int(decay * RATE)) / RATE
        response = random.standard_normal(len(time)) * gain(-60 * time / decay) * (time >= 0.005)
        response *= gain(-decibels) / np.sqrt(np.sum(response ** 2))
        response[0] = 1
        return fftconvolve(sound, response)[:len(sound)]
    return change


def room(decay=0.6, decibels=3):
    """A room, by default of 0.6 s and with reverberation half as strong as the voice itself."""
    return lambda answer, random: answer._replace(sound=in_room(decay, decibels)(answer.sound, random))


def any_room(answer, random):
    """Any room from a living room to a classroom, at any distance from a hand's breadth to two metres."""
    return room(random.uniform(0.25, 0.9), random.uniform(-6, 8))(answer, random)


def telephone(answer, _):
    """A narrow-band telephone line: 300 to 3,400 Hz (ITU-T G.712)."""
    return answer._replace(sound=sosfilt(butter(4, [300, 3400], "band", fs=RATE, output="sos"), answer.sound))


def tilted(decibels):
    """A tilt of this many decibels an octave around 1 kHz, brighter or (below zero) duller: another microphone, or a hand before it."""
    def factor(hertz):
        return gain(decibels * np.log2(np.clip(hertz, 60, 8000) / 1000))
    return lambda answer, _: answer._replace(sound=filtered(answer.sound, factor))


def gated(percent):
    """A microphone's noise gate. Frames whose surrounding 50 ms are among the quietest `percent` become digital silence."""
    def change(answer, _):
        around = uniform_filter1d(np.abs(answer.sound), 800)
        return answer._replace(sound=np.where(around < np.percentile(around, percent), 0, answer.sound))
    return change


def headset(decibels):
    """A headset's gate: sound this much quieter than the mean speech becomes digital silence. It opens in 5 ms and holds for 150 ms."""
    def change(answer, _):
        around = np.sqrt(np.maximum(uniform_filter1d(answer.sound ** 2, FRAME), 0))
        is_open = (around > speech_level(answer) * gain(-decibels)).astype(float)
        held = np.convolve(is_open, np.ones(15 * FRAME))[:len(answer.sound)] > 0
        return answer._replace(sound=answer.sound * uniform_filter1d(held.astype(float), FRAME // 2))
    return change


def after_quiet(answer, random):
    """The recording's own room only from shortly before the first word to shortly after the last one, with a far quieter room around it."""
    fade = RATE // 100
    start = max(0, int((answer.speech[0][0] - random.uniform(0.02, 0.4)) * RATE))
    end = min(len(answer.sound), int((answer.speech[-1][1] + random.uniform(0.05, 0.4)) * RATE))
    shape = np.zeros(len(answer.sound))
    shape[start:end] = 1
    shape = uniform_filter1d(shape, fade)
    hiss = gain(-random.uniform(62, 100)) * random.standard_normal(len(shape))
    return answer._replace(sound=answer.sound * shape + hiss)


def words_after_silence(answer, random):
    """Phrases of the answer, each after 2.5 to 5 s of silence. Half of the silences are digital. Half of the phrases begin at once.

    The other phrases begin up to 0.15 s after the room around them. So a sound that begins in silence is usually a voice.
    """
    parts, speech, at = [], [], 0.0
    chosen = random.permutation([(start, end) for start, end in answer.speech if end - start >= 0.15])[:5]
    for start, end in chosen:
        quiet = random.uniform(2.5, 5)
        before = 0 if random.random() < 0.5 else min(start, random.uniform(0, 0.15))
        first, last = start - before, min(end + random.uniform(0, 0.3), len(answer.sound) / RATE)
        parts += [np.zeros(int(quiet * RATE)), answer.sound[int(first * RATE):int(last * RATE)]]
        speech.append((at + quiet + before, at + quiet + before + end - start))
        at += (len(parts[-2]) + len(parts[-1])) / RATE
    sound = np.concatenate(parts + [np.zeros(2 * RATE)])
    hiss = 0 if random.random() < 0.5 else gain(-random.uniform(62, 95))
    return answer._replace(sound=sound + hiss * random.standard_normal(len(sound)), speech=speech)


def parted(answer, random):
    """A far quieter room in half of the pauses of at least 0.4 s: a recording that was pieced together, or a gate that learns."""
    shape = np.ones(len(answer.sound))
    ends = [0.0] + [end for _, end in answer.speech]
    starts = [start for start, _ in answer.speech] + [len(shape) / RATE]
    for end, start in zip(ends, starts):
        if start - end >= 0.4 and random.random() < 0.5:
            shape[int((end + random.uniform(0.05, 0.15)) * RATE):int((start - random.uniform(0.02, 0.1)) * RATE)] = 0
    hiss = gain(-random.uniform(62, 100)) * random.standard_normal(len(shape))
    return answer._replace(sound=answer.sound * uniform_filter1d(shape, RATE // 100) + hiss)


def step(track, decibels):
    """A noise that begins in the middle of the answer, within 50 ms: a fan, rain, a tap. In one of three answers it ends again.

    Speech is this many decibels above it.
    """
    def change(answer, random):
        first, last = answer.speech[0][0], answer.speech[-1][1]
        part = np.take(track, random.integers(len(track)) + np.arange(len(answer.sound)), mode="wrap")
        time = np.arange(len(part)) / RATE
        on = random.uniform(first - 0.5, last)
        shape = np.clip((time - on) / 0.05, 0, 1)
        if random.random() < 1 / 3:
            shape *= np.clip((random.uniform(on + 1, on + 10) - time) / 0.05, 0, 1)
        noisy = part / max(level(part), gain(-90)) * speech_level(answer) * gain(-decibels) * shape
        return answer._replace(sound=answer.sound + noisy + FLOOR * random.standard_normal(len(part)))
    return change


def silenced(answer, _):
    """Digital silence below −57 dBFS, as some sound cards and suppressors record pauses."""
    return answer._replace(sound=np.where(np.abs(answer.sound) < gain(-57), 0, answer.sound))


def hissing(answer, random):
    """A hiss of −95 to −75 dBFS."""
    return answer._replace(sound=answer.sound + gain(random.uniform(-95, -75)) * random.standard_normal(len(answer.sound)))


def followed_by(sound):
    """A sound as loud as the speech, half a second after each turn that is followed by 2 s without words."""
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
    """Returns the turns: speech with pauses of less than 2 s in it."""
    merged = []
    for start, end in answer.speech:
        if merged and start - merged[-1][1] < 2:
            merged[-1][1] = end
        else:
            merged.append([start, end])
    return merged
