"""Answers: people's speech and its times, before noise is added."""
import csv
import glob
from collections import namedtuple

import numpy as np

from sound import FRAME, RATE, drawn_for, level, name_of, read

# `speech`: stretches of seconds (start, end). `fold`: 0 to 4 for the fit that leaves it out; −1 if every fit hears it.
Answer = namedtuple("Answer", "name sound speech fold")
FOLDS = 5


def labelled(folder):
    """Returns the answers whose words are labelled by forced alignment, with each speaker's fold as in `Folds` of DetectorScores."""
    speech = {}
    for row in csv.DictReader(open(f"{folder}/labels.csv")):
        speech.setdefault(row["file"], []).append((float(row["start_s"]), float(row["end_s"])))
    # The order of the names' UTF-8. Each recording has its own speaker.
    names = sorted(map(name_of, glob.glob(f"{folder}/*.flac")), key=str.encode)
    return [Answer(name, read(f"{folder}/{name}.flac"), speech[name], i % FOLDS) for i, name in enumerate(names)]


def frames(answer):
    """Returns for each frame of 10 ms whether its middle is in speech."""
    middles = (np.arange(len(answer.sound) // FRAME) + 0.5) * FRAME / RATE
    flags = np.zeros(len(middles), bool)
    for start, end in answer.speech:
        flags |= (middles >= start) & (middles < end)
    return flags


def stretches_by_energy(sound):
    """Returns the loud stretches of a quiet recording, as labels for recordings that have none.

    A stretch is within 28 dB of the loud frames and more than 8 dB above the quiet ones, and gaps under 0.15 s are closed. Of some twenty
    such rules, this one agrees best with forced alignment on recordings that have both.
    """
    around = np.r_[np.zeros(120), sound, np.zeros(400)]
    windows = np.lib.stride_tricks.sliding_window_view(around, 400)[::FRAME][:len(sound) // FRAME]
    frequency = np.fft.rfftfreq(400, 1 / RATE)
    voice = (frequency > 150) & (frequency < 6000)  # Speech is loud between the frequencies of hum and hiss.
    power = (np.abs(np.fft.rfft(windows * np.hanning(400))) ** 2)[:, voice].sum(1)
    decibels = 10 * np.log10(power + 1e-9)
    loud = decibels > max(np.percentile(decibels, 95) - 28, np.percentile(decibels, 5) + 8)
    edges = np.flatnonzero(np.diff(np.r_[0, loud.astype(int), 0])).reshape(-1, 2) * FRAME / RATE
    merged = []
    for start, end in edges:
        if end - start < 0.02:  # A single frame is a click.
            continue
        if merged and start - merged[-1][1] < 0.15:
            merged[-1][1] = end
        else:
            merged.append([start, end])
    return [(start, end) for start, end in merged if end - start >= 0.05]


def sentences(folder, without):
    """Returns read sentences by speaker, without speakers of labelled answers."""
    by_speaker = {}
    for row in csv.DictReader(open(f"{folder}/marks.csv")):
        if row["speaker"] not in without:
            by_speaker.setdefault(row["speaker"], []).append((f"{folder}/{row['file']}", row["text"]))
    return dict(sorted(by_speaker.items()))


def spliced(by_speaker):
    """Returns answers of six sentences by one speaker, with pauses as in labelled answers: 70 % are short, and half of the answers
    have one of 2.2 to 3.2 s.

    Pauses are filled with the room of the same recordings, from before and after the sentences.
    """
    answers = []
    for speaker, files in by_speaker.items():
        random, said, rooms = drawn_for("spliced", speaker), [], []
        for path, _ in files:
            sound = read(path)
            speech = stretches_by_energy(sound)
            if not 1 <= len(speech) <= 8:  # Too many stretches: too noisy for labels by energy.
                continue
            first, last = speech[0][0], speech[-1][1]
            said.append((sound[int(first * RATE):int(last * RATE)], [(a - first, b - first) for a, b in speech]))
            # 60 ms before and 120 ms after a sentence may contain its faint ends.
            edges = sound[:int(max(0, first - 0.06) * RATE)], sound[int((last + 0.12) * RATE):]
            rooms += [edge for edge in edges if len(edge) > RATE // 10]
        rooms = sorted(rooms, key=level)
        rooms = rooms[:max(3, len(rooms) // 2)]  # The quieter half contains no breaths and chairs.
        if not rooms:
            continue

        def room(seconds):
            pieces = []
            while sum(map(len, pieces)) < seconds * RATE:
                pieces.append(rooms[random.integers(len(rooms))])
            return np.concatenate(pieces)[:int(seconds * RATE)]

        for start in range(0, len(said) - 4, 6):
            turn = said[start:start + 6]
            long = random.integers(1, len(turn)) if random.random() < 0.5 else None
            pauses = [random.uniform(0.25, 0.9) if random.random() < 0.7 else random.uniform(0.9, 1.35) for _ in turn[1:]]
            if long is not None:
                pauses[long - 1] = random.uniform(2.2, 3.2)
            quiet = [room(random.uniform(1.4, 2.5)), *map(room, pauses), room(4)]
            answers.append(_joined(f"spliced-{speaker}-{start}", turn, quiet))
    return answers


def _joined(name, said, quiet):
    """Returns silence and sentences in turn, with a fade of 5 ms at each seam."""
    parts, speech, at = [quiet[0]], [], len(quiet[0])
    ramp = np.linspace(0, 1, 80)
    for (sound, stretches), after in zip(said, quiet[1:]):
        sound = sound.copy()
        sound[:80] *= ramp
        sound[-80:] *= ramp[::-1]
        speech += [(at / RATE + start, at / RATE + end) for start, end in stretches]
        parts += [sound, after]
        at += len(sound) + len(after)
    return Answer(name, np.concatenate(parts), speech, -1)


def dense(answers):
    """Returns answers that begin in the middle of speech, with pauses cut to 50 to 350 ms: a speaker who hardly draws breath."""
    result = []
    for answer in answers:
        random, parts, speech, at = drawn_for("dense", answer.name), [], [], 0
        ends = [start for start, _ in answer.speech[1:]] + [len(answer.sound) / RATE]
        for (start, end), following in zip(answer.speech, ends):
            pause = min(following - end, random.uniform(0.05, 0.35))
            parts.append(answer.sound[int(start * RATE):int((end + pause) * RATE)])
            speech.append((at / RATE, at / RATE + end - start))
            at += len(parts[-1])
        whole = Answer(answer.name, np.concatenate(parts + [answer.sound[-RATE:]]), speech, answer.fold)
        result.append(_from(random.uniform(0, 0.8), whole))
    return result


def cropped(answers):
    """Returns answers that begin at most half a second before the first word, or in it: a detector has no time to learn the room."""
    result = []
    for answer in answers:
        random, (start, end) = drawn_for("cropped", answer.name), answer.speech[0]
        before, inside = max(0, start - random.uniform(0.05, 0.5)), start + random.uniform(0, 0.9) * (end - start)
        result.append(_from(before if random.random() < 0.5 else inside, answer))
    return result


def brief(answers):
    """Returns two clips of each answer, 3 to 12 s long, from any place. Half begin in a word, and none shows the room before it."""
    result = []
    for answer in answers:
        random = drawn_for("brief", answer.name)
        for number in range(2):
            start, end = answer.speech[random.integers(len(answer.speech))]
            first = max(0, start + random.uniform(-0.4, 0.4) * min(1, end - start))
            last = min(len(answer.sound) / RATE, first + random.uniform(3, 12))
            speech = [(max(0, a - first), min(b, last) - first) for a, b in answer.speech if b > first + 0.02 and a < last - 0.02]
            sound = answer.sound[int(first * RATE):int(last * RATE)]
            result.append(Answer(f"{answer.name}-{number}", sound, speech, answer.fold))
    return result


def phrases(answers):
    """Returns the shortest stretch of speech of each answer, alone: "Yes." """
    result = []
    for answer in answers:
        start, end = min((stretch for stretch in answer.speech if stretch[1] - stretch[0] >= 0.2), key=lambda stretch: stretch[1] - stretch[0])
        first, last = answer.speech[0][0], answer.speech[-1][1]
        before, after = answer.sound[:int((first - 0.1) * RATE)], answer.sound[int((last + 0.3) * RATE):]
        parts = [np.resize(before, int(1.5 * RATE)), answer.sound[int(start * RATE):int(end * RATE)], np.resize(after, 4 * RATE)]
        result.append(Answer(answer.name, np.concatenate(parts), [(1.5, 1.5 + end - start)], answer.fold))
    return result


def _from(second, answer):
    speech = [(max(0, start - second), end - second) for start, end in answer.speech if end > second + 0.02]
    return answer._replace(sound=answer.sound[int(second * RATE):], speech=speech)
