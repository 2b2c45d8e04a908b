#!/usr/bin/env python3
"""Measures whether a learner who stops to think is cut off, and how long the examiner waits: `make bench-pauses`; docs/measured.md.

Each labelled speaker with at least eight phrases sits parts of the built-in exam in virtual time. Answers are joined from the speaker's
own phrases and the sound of the speaker's own room. Prints a table in Markdown. Pauses are drawn with fixed seeds.
"""
import argparse
import collections
import csv
import json
import math
import os
import random
import statistics
import subprocess
import sys
import tempfile
import zlib

import numpy as np
import soundfile

RATE = 16000
TOP = os.path.abspath(f"{__file__}/../../../..")
QUESTIONS = {1: ["full-name", "short-name", "where-from", "identity", "home-1", "home-2", "mornings-1", "mornings-2", "mornings-3"],
             3: ["building-1", "building-2", "building-3", "building-4"]}
INTRODUCTION = 4  # The number of questions of Part 1 that are answered with a single phrase.
SILENCE = {1: 2.0, 3: 2.5}  # The seconds of silence that the built-in format grants, by part.
MARGIN = 0.15  # A pause that is this many seconds shorter than the silence must not end an answer.
WAIT = 0.7  # Seconds from the end of a question to the answer.
# The natural pauses of read and free speech are about log-normal (Campione and Véronis 2002, "A large-scale multilingual study of
# silent pause duration"): a median of half a second, and a few that are longer than two.
MEDIAN, SPREAD = 0.5, 0.65


class Speaker:
    """One person's phrases and room."""

    def __init__(self, path, spans):
        sound = soundfile.read(path)[0]
        joined = [list(spans[0])]
        for start, end in spans[1:]:
            if start - joined[-1][1] < 0.25:
                joined[-1][1] = end
            else:
                joined.append([start, end])
        self.name = os.path.basename(path)
        self.phrases = [sound[int(max(0, start - 0.03) * RATE):int((end + 0.03) * RATE)]
                        for start, end in joined if end - start >= 0.5]
        lead = sound[int(0.1 * RATE):int((spans[0][0] - 0.15) * RATE)]
        self.room = lead if len(lead) > RATE // 2 else sound[-2 * RATE:-RATE // 5]
        self.random = np.random.default_rng(zlib.crc32(self.name.encode()))

    def silence(self, seconds):
        """Returns this much sound of the room, in overlapping pieces."""
        count = int(seconds * RATE)
        result, at = np.zeros(count), 0
        ramp = min(800, len(self.room) // 4)
        fade = np.hanning(2 * ramp)
        while at < count:
            piece = self.room[self.random.integers(0, max(1, len(self.room) // 3)):].copy()
            piece[:ramp] *= fade[:ramp]
            piece[-ramp:] *= fade[ramp:]
            length = min(len(piece), count - at)
            result[at:at + length] += piece[:length]
            at += max(1, len(piece) - ramp)
        return result

    def answer(self, plan):
        """Returns the sound of phrases (by number), openers (half a second) and pauses (in seconds), and the end of the last word."""
        pieces, length, end = [], 0, 0
        for kind, value in plan:
            if kind == "pause":
                piece = self.silence(value)
            else:
                piece = self.phrases[value % len(self.phrases)][:RATE // 2 if kind == "opener" else None]
            length += len(piece)
            pieces.append(piece)
            end = end if kind == "pause" else length
        return np.clip(np.concatenate(pieces), -1, 1), end / RATE


def sit(tool, part, answers, otherwise, exam="ielts-style", multiplier=1):
    """Returns the seconds from each answer's last word until the exam ends the answer; below 0 if the exam cut it off.

    `answers`: the sound and the end of its last word, by question. The result lacks questions that an exam did not ask.
    """
    with tempfile.TemporaryDirectory() as folder:
        for name, (sound, _) in (answers | {"otherwise": (otherwise, 0)}).items():
            soundfile.write(f"{folder}/{name}.wav", sound, RATE, subtype="PCM_16")
        scenario = {
            "version": 1, "about": "Pauses.", "format": exam, "paper": "bridges", "part": part, "timeMultiplier": multiplier,
            "prompts": f"{TOP}/AudioFixtures/prompts", "room": {"tone": -75},
            "turns": {name: {"answer": [{"wait": WAIT}, {"say": f"{name}.wav"}]} for name in answers},
            "otherwise": {"answer": [{"wait": 0.6}, {"say": "otherwise.wav"}]}}
        with open(f"{folder}/scenario.json", "w") as file:
            json.dump(scenario, file)
        done = subprocess.run([tool, "replay", folder, "--no-encode", "--output", f"{folder}/out"], capture_output=True, text=True)
        if done.returncode != 0:
            raise ValueError(done.stderr.strip())
        with open(f"{folder}/out/log.jsonl") as file:
            return waits([json.loads(line) for line in file], {name: WAIT + end for name, (_, end) in answers.items()})


def waits(log, ends):
    """Returns these seconds by question. The first decision (`runOn` or `closeTake`) counts, unless the answer continued after it."""
    opened, result = {}, {}
    for line in log:
        for command in line.get("do", []):
            word, *rest = command.split()
            if word == "openTake":
                opened[rest[0]] = line["at"], line["phase"].split()[-1]
            elif word in ("runOn", "closeTake"):
                at, question = opened[rest[0]]
                if question in ends and result.get(question, -1) < 0:
                    result[question] = line["at"] - at - ends[question]
    return result


def fluent(first, random):
    plan = [("phrase", first)]
    for number in range(1, 5):
        plan += [("pause", random.uniform(0.30, 0.55)), ("phrase", first + number)]
    return plan


def thought(tool, speakers, part, seconds, opener, multiplier):
    """Counts the speakers who are cut off if they answer fluently and then stop once to think."""
    cut, target = 0, QUESTIONS[part][-1]
    for speaker in speakers:
        chance, answers = random.Random(speaker.name), {}
        for number, question in enumerate(QUESTIONS[part]):
            plan = [("phrase", number)] if part == 1 and number < INTRODUCTION else fluent(3 * number, chance)
            if question == target:
                begun = [("opener", 0)] if opener else [("phrase", 0), ("pause", 0.4), ("phrase", 1)]
                plan = begun + [("pause", seconds), ("phrase", 2), ("pause", 0.4), ("phrase", 3)]
            answers[question] = speaker.answer(plan)
        result = sit(tool, part, answers, speaker.answer(fluent(27, chance))[0], multiplier=multiplier)
        cut += result.get(target, -1) < -0.05
    return cut


def dispersed(tool, speakers, part, seed):
    """Counts natural pauses in answers, and the answers that were ended by such a pause."""
    pauses = cut = 0
    for speaker in speakers:
        chance, answers = random.Random(f"{speaker.name} {part} {seed}"), {}
        for number, question in enumerate(QUESTIONS[part]):
            plan = [("phrase", 3 * number)]
            for phrase in range(1, 1 if part == 1 and number < INTRODUCTION else 9):
                pause = math.inf
                while not 0.2 <= pause <= SILENCE[part] - MARGIN:
                    pause = chance.lognormvariate(math.log(MEDIAN), SPREAD)
                plan += [("pause", pause), ("phrase", 3 * number + phrase)]
                pauses += 1
            answers[question] = speaker.answer(plan)
        result = sit(tool, part, answers, speaker.answer(fluent(0, chance))[0])
        cut += sum(wait < -0.05 for wait in result.values())
    return pauses, cut


def waited(tool, folder, spans, exam):
    """Returns the seconds from each labelled answer's last word until the exam ends it, without answers that a pause ended."""
    result, names = [], sorted(spans)
    for part, questions in ((1, QUESTIONS[1][INTRODUCTION:]), (3, QUESTIONS[3])):
        for first in range(0, len(names), len(questions)):
            answers = {}
            for question, name in zip(questions, names[first:]):
                sound = soundfile.read(f"{folder}/{name}.flac")[0]
                start, end = max(0, spans[name][0][0] - 0.3), spans[name][-1][1]
                answers[question] = sound[int(start * RATE):int((end + 0.1) * RATE)], end - start
            sound = soundfile.read(f"{folder}/{names[0]}.flac")[0]
            start, end = spans[names[0]][0]
            result += sit(tool, part, answers, sound[int(start * RATE):int(end * RATE)], exam).values()
    return [wait for wait in result if wait > -0.05]


def with_floors(path):
    """Writes the built-in format with its earlier floors, from the time when pauses could shorten its silence. Returns the path."""
    with open(f"{TOP}/Sources/ExamKit/Formats/ielts-style.json") as file:
        exam = json.load(file)
    exam["id"] = "with-floors"
    for rule, floor in {"familiar": 1.4, "talk": 2.5, "rounding-off": 1.4, "discussion": 1.6}.items():
        exam["rules"][rule]["patience"]["floor"] = floor
    with open(path, "w") as file:
        json.dump(exam, file)
    return path


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--answers", default=f"{TOP}/../shared/data/vad/answers", help="labelled answers, with labels.csv")
    parser.add_argument("--tool", default=f"{TOP}/.build/release/oracy", help="the program")
    parser.add_argument("--seed", type=int, default=1, help="of the natural pauses")
    given = parser.parse_args()
    spans = collections.defaultdict(list)
    with open(f"{given.answers}/labels.csv") as file:
        for row in csv.DictReader(file):
            spans[row["file"]].append((float(row["start_s"]), float(row["end_s"])))
    speakers = [Speaker(f"{given.answers}/{name}.flac", sorted(spans[name])) for name in sorted(spans)]
    speakers = [speaker for speaker in speakers if len(speaker.phrases) >= 8]

    print("| answers are cut off | of | by |\n| --- | --- | --- |")
    for part in (1, 3):
        for multiplier in (1, 1.5, 2):
            seconds = round(SILENCE[part] * multiplier - MARGIN, 2)
            for opener in (False, True):
                cut = thought(given.tool, speakers, part, seconds, opener, multiplier)
                after = "half a second of speech" if opener else "two phrases"
                print(f"| {cut} | {len(speakers)} | Part {part}, time × {multiplier}: one pause of {seconds} s after {after} |", flush=True)
        pauses, cut = dispersed(given.tool, speakers, part, given.seed)
        print(f"| {cut} | {pauses} | Part {part}: natural pauses up to {SILENCE[part] - MARGIN:.2f} s |", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        now = waited(given.tool, given.answers, spans, "ielts-style")
        before = waited(given.tool, given.answers, spans, with_floors(f"{folder}/format.json"))
    print(f"\nFrom the last word to the decision that an answer is over, half of the labelled answers: {statistics.median(now):.2f} s; "
          f"if pauses could shorten the silence: {statistics.median(before):.2f} s.")


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as error:
        sys.exit(f"pauses.py: {error}")
