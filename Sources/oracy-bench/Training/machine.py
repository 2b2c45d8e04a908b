"""Answers spoken by a machine: voices, speeds and pitches that the recordings lack, in a quieter room than any of theirs."""
import glob
import os
import subprocess
import tempfile

import numpy as np

from answers import Answer, stretches_by_energy
from sound import RATE, drawn_for, gain, level, read

VOICES = "en", "en-us", "en-gb", "en+m3", "en+f2", "en-us+f4", "en+m7", "en-us+m2"
SENTENCES = 120  # Sentences by espeak-ng. Each answer of the fixtures is another one.
ANSWERS = 24  # 10 to 15 minutes, a fifth of what people say here.


def spoken(texts, fixtures, hissing=True):
    """Returns answers of five sentences each, with pauses of digital silence, usually over a faint hiss."""
    random = drawn_for("machine")
    said = [_say(texts[random.integers(len(texts))], random) for _ in range(SENTENCES)]
    said += [sound for sound in map(read, sorted(glob.glob(f"{fixtures}/*.flac"))) if len(sound) > RATE / 2]
    said = [(sound, stretches_by_energy(sound)) for sound in said]
    said = [(sound, speech) for sound, speech in said if speech]
    answers = []
    for number in range(ANSWERS):
        parts, speech = [np.zeros(int(random.uniform(1.2, 2.2) * RATE))], []
        for _ in range(5):
            at = sum(map(len, parts)) / RATE
            sound, stretches = said[random.integers(len(said))]
            speech += [(at + start, at + end) for start, end in stretches]
            pause = random.uniform(0.2, 1.3) if random.random() < 0.8 else random.uniform(2.2, 3)
            parts += [sound, np.zeros(int(pause * RATE))]
        sound = np.concatenate(parts + [np.zeros(2 * RATE)])
        hiss = random.standard_normal(len(sound)) * gain(-random.uniform(60, 72)) * hissing  # A good microphone's, dBFS.
        answers.append(Answer(f"machine-{number}", sound + hiss, speech, -1))
    return answers


def _say(text, random):
    """Returns sentences by espeak-ng at about −24 dBFS, like recorded answers, with a faint hiss for labels by energy."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "said.wav")
        pitch, speed = random.integers(20, 80), random.integers(120, 190)  # The pitch from 0 to 99, and words a minute.
        subprocess.run(["espeak-ng", "-v", VOICES[random.integers(len(VOICES))], "-p", str(pitch), "-s", str(speed),
                        "-w", path, text.lower()], check=True)
        sound = read(path)
    sound *= 0.06 * gain(random.uniform(-6, 6)) / level(sound)
    return sound + 1e-5 * random.standard_normal(len(sound))
