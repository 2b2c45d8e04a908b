"""Tunes `VoiceDetector.Settings`, the numbers that decide when evidence makes a beginning or an end.

The fit that never heard an answer's speaker hears the answer, in every condition for which the table has recorded answers. Then some
hundreds of candidates decide about it (`oracy-bench decide`). The settings of a fold are tuned without that fold's answers.
"""
import json
import multiprocessing
import os
import subprocess

import numpy as np

from answers import FOLDS, Answer
from cma import least
from conditions import Condition, alone
from sound import drawn_for, pcm

EVIDENCE = 4  # The numbers for each frame.
# The tuned settings: the first value, the first step, and the least and greatest values.
RANGES = {
    # With a bias under −0.8, a voice beside a fan that had just been turned on was not heard. With more than 0.35 soon
    # after speech, ends of the project's own answers in babble are later than 0.6 s.
    "biasAtFirst": (0.584, 0.1, 0.4, 1.5), "bias": (-0.66, 0.1, -0.8, 1), "biasSoonAfter": (0.3, 0.05, 0.2, 0.35),
    # A word of 0.2 s is enough: ten or a few more frames with the most evidence make a beginning.
    "soonFrames": (209, 30, 150, 500), "plainOdds": (2.75, 0.4, 0, 6), "trust": (0.484, 0.1, 0, 1.2), "weight": (0.481, 0.05, 0.45, 1),
    "least": (-1.07, 0.2, -3, -0.3), "most": (2.4, 0.3, 1.8, 5), "beginning": (17.5, 1, 6, 18.5), "end": (3.6, 0.5, 3, 6),
    "partSoonAfter": (0.75, 0.06, 0.4, 1), "voicing": (0.628, 0.02, 0.5, 0.8), "framesInNoise": (0.36, 0.1, 0, 2),
    "plainVoice": (13.8, 1.5, 6, 30),
}
WHOLE = "soonFrames"
BEGINNING_FRAMES = 7.5  # A beginning that needs more frames with the most evidence costs more: the next question would begin over a word.
# The settings that are not tuned.
FIXED = {"gate": 3.2e-9, "firstFrames": 400, "vowelFrames": 2, "framesBefore": 2, "framesAfter": 1, "framesInNoiseAtMost": 30, "stirring": 0.12}
# Noises alone that are unlike voices. Babble and music are like voices.
QUIET = "events", "kitchen", "made-1", "made-2", "stamps-1", "stamps-2", "samples-1", "samples-2", "keyboard", "water", "pink"
# Conditions beyond what the detector has to handle: it is not tuned for them.
BEYOND = {"babble 5", "babble 0", "babble-4 10", "babble-12 5", "pink 0", "brown 0", "hum 0", "fan 5", "keyboard 5", "events 5",
          "music 10", "stamps-2 10", "samples-2 10"}
# The conditions with all kinds of changes are the hardest, and count less.
HARD = {"anything", "anything, after quiet"}
LESS = 0.4
MISSED, FALSE_STARTS = 0.02, 0.05  # The fractions of missed ends, and of answers that begin with a noise, above which they cost more.
PREMATURE, NOISY_PREMATURE = 0.005, 0.015  # The fractions of answers cut short. Above them, the excess costs 15 more.
NOISY = "noise", "step", "pink", "white", "babble", "events", "telephone", "fan", "kitchen", "rain", "machine", "traffic", "gain"


def tuned(table, answers, noises, fits, tool, folder, rounds):
    """Returns the settings for each fold, and finally for all. `fits`: paths of the folds' likenesses; `folder`: for the evidence."""
    recordings = hear(table, answers, noises, fits, tool, folder)
    names = sorted({recording["condition"] for recording in recordings})
    start, step = (np.array([values[i] for values in RANGES.values()], float) for i in (0, 1))
    with subprocess.Popen([tool, "decide", folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        def costs(candidates, fold):
            return [cost(_figures(process, settings(one), fold), names) + _beyond(one) for one in candidates]

        result = []
        for fold in [*range(FOLDS), None]:
            best, numbers = least(lambda some: costs(some, fold), start, step, rounds)
            result.append(settings(numbers))
            print(f"settings {'for all' if fold is None else f'without fold {fold}'}: cost {costs([start], fold)[0]:.4f}, tuned {best:.4f}",
                  flush=True)
        process.stdin.close()
    return result


def settings(numbers):
    """Returns values as `VoiceDetector.Settings` encodes them, with three digits."""
    values = {name: float(f"{np.clip(number, low, high):.3g}") for (name, (_, _, low, high)), number in zip(RANGES.items(), numbers)}
    values[WHOLE] = round(values[WHOLE])
    return FIXED | {"range": [values.pop("least"), values.pop("most")]} | values


def _beyond(numbers):
    """Returns a price for values out of their range, so that the search stays in it."""
    named = dict(zip(RANGES, numbers))
    beyond = sum(max(0, low - number, number - high) for (_, _, low, high), number in zip(RANGES.values(), numbers))
    return 0.05 * (beyond + max(0, named["beginning"] / max(named["most"], 1) - BEGINNING_FRAMES))


def _figures(process, some, fold):
    process.stdin.write(json.dumps({"settings": some} | ({} if fold is None else {"without": fold})) + "\n")
    process.stdin.flush()
    return json.loads(process.stdout.readline())


def cost(figures, names):
    """Returns the cost of a candidate's faults: an end that is too early costs more than twice as much as a missed one."""
    total, weights = 0, 0
    for name in names:
        if name.startswith("alone: "):
            continue
        one, weight = figures[name], LESS if name in HARD else 1
        if name.startswith("brief"):  # These have hardly any ends, so what counts is how much is heard.
            total += 30 * (1 - one["f1"]) * weight
        else:
            total += weight * (5 * one["premature"] + 2 * one["missed"] + 4 * (1 - one["f1"]) + 0.4 * min(one.get("late", 1.5), 1.5)
                               + 0.1 * one["falseStart"])
        weights += weight
        if name not in HARD:
            limit = NOISY_PREMATURE if any(word in name for word in NOISY) else PREMATURE
            total += 15 * max(0, one["premature"] - limit)
    beyond = sum(10 * max(0, figures[name]["missed"] - MISSED) + max(0, figures[name]["falseStart"] - FALSE_STARTS)
                 for name in names if name not in HARD and not name.startswith(("alone", "brief")))
    return total / weights + beyond / len(names) + 0.7 * np.mean([figures[name]["falseAlarms"] for name in names if name.startswith("alone: ")])


def hear(table, answers, noises, fits, tool, folder):
    """Writes `evidence` and `recordings.json` for `oracy-bench decide`. Returns the content of the latter."""
    tasks = [(condition, answers[kind], f"{kind}{number}") for condition in table if not condition.judged and condition.name not in BEYOND
             for number, kind in enumerate(condition.of) if kind in "RPQW"]
    # Noises have no speakers, so the first fold's fit hears all of them, and every trial counts them.
    quiet = [Answer(name, alone(noises[name]), [], -1) for name in QUIET if name in noises]
    tasks += [(Condition(f"alone: {answer.name}", "", ()), [answer], "") for answer in quiet]
    _Task.tool, _Task.fits, _Task.all = tool, fits, tasks
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool, open(f"{folder}/evidence", "wb") as file:
        recordings = []
        for some in pool.imap(_evidence_of_task, range(len(tasks)), chunksize=1):
            for recording, numbers in some:
                file.write(numbers)
                recordings.append(recording)
    with open(f"{folder}/recordings.json", "w") as file:
        json.dump(recordings, file)
    return recordings


class _Task:
    """The parent's data for forked processes."""
    tool, fits, all = None, [], []


def _evidence_of_task(number):
    condition, answers, salt = _Task.all[number]
    result = []
    for answer in answers:
        heard = answer
        for i, change in enumerate(condition.changes):
            heard = change(heard, drawn_for(condition.name, salt, answer.name, i))
        fit = _Task.fits[max(answer.fold, 0)]
        done = subprocess.run([_Task.tool, "evidence", fit], input=pcm(heard.sound).tobytes(), stdout=subprocess.PIPE, check=True)
        speech = [[float(start), float(end)] for start, end in heard.speech]
        result.append(({"condition": condition.name, "fold": answer.fold, "speech": speech,
                        "frames": len(done.stdout) // (4 * EVIDENCE)}, done.stdout))
    return result
