"""Rows to learn from: for some of the frames, the detector's numbers about their surroundings, and whether they are speech."""
import multiprocessing
import os
import subprocess
from collections import namedtuple

import numpy as np

from answers import Answer, frames
from conditions import Condition, alone
from fit import JUDGED
from sound import FRAME, drawn_for, pcm

INPUTS = 88
LOOK_AHEAD = 9  # In frames: the detector decides on a frame when it has heard this many more.
SHARE = 0.45  # The fraction of the unlabelled answers that each condition takes, drawn anew for each.
NOISE_ALONE = 3  # Frames of noise alone are taken three times as often, because there are few minutes of them.

# The conditions in which the detector was worst, by the beginning of their names. Their rows are used this many times.
REPEATED = {"noise alone": 3, "babble 10": 2, "stamps": 2, "kitchen": 2, "brief, after silence": 3, "digital silence": 2, "hum": 3}

# Arrays with an entry for each row, and the conditions' names by number.
Rows = namedtuple("Rows", "inputs speech folds conditions names")


def all_rows(table, answers, noises, judged, tool, rate):
    """Returns the rows of all conditions, which every core makes and forgets one after another.

    `answers`: by letter, as in the table. `judged`: noises that no fold's fit hears. `rate`: the part of frames that becomes rows.
    """
    tasks = [(condition, answers[kind], f"{kind}{number}", rate)
             for condition in table for number, kind in enumerate(condition.of)]
    quiet = [Answer(name, alone(track), [], fold) for some, fold in ((noises, -1), (judged, JUDGED)) for name, track in some.items()]
    tasks.append((Condition("noise alone", "", ()), quiet, "", NOISE_ALONE * rate))
    _Task.tool, _Task.all = tool, tasks
    # Forked processes share the memory of answers and noises, which is never written again.
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        parts = pool.map(_rows_of_task, range(len(tasks)), chunksize=1)
    names = list(dict.fromkeys(condition.name for condition, *_ in tasks))
    numbers = [np.full(len(part[1]), names.index(task[0].name), np.int16) for task, part in zip(tasks, parts)]
    return Rows(*map(np.concatenate, zip(*parts)), np.concatenate(numbers), names)


def repeated(rows):
    """Returns the rows, with those of some conditions repeated once or twice at the end."""
    chosen = [np.arange(len(rows.speech))]
    for beginning, times in REPEATED.items():
        numbers = [number for number, name in enumerate(rows.names) if name.startswith(beginning)]
        chosen += [np.flatnonzero(np.isin(rows.conditions, numbers))] * (times - 1)
    order = np.concatenate(chosen)
    return rows._replace(inputs=rows.inputs[order], speech=rows.speech[order], folds=rows.folds[order], conditions=rows.conditions[order])


class _Task:
    """The parent's data for forked processes."""
    tool, all = None, []


def _rows_of_task(number):
    condition, answers, salt, rate = _Task.all[number]
    inputs, speech, folds = [], [], []
    for answer in answers:
        if answer.fold == -1 and condition.changes and drawn_for("share", condition.name, salt, answer.name).random() >= SHARE:
            continue
        heard = answer
        for i, change in enumerate(condition.changes):
            heard = change(heard, drawn_for(condition.name, salt, answer.name, i))
        flags = frames(heard)
        chosen = np.arange(LOOK_AHEAD, len(flags))
        chosen = chosen[drawn_for("rows", condition.name, salt, answer.name).random(len(chosen)) < rate]
        inputs.append(detector_inputs(heard.sound, _Task.tool)[chosen])
        speech.append(flags[chosen - LOOK_AHEAD])
        folds.append(np.full(len(chosen), JUDGED if condition.judged else answer.fold, np.int8))
    return np.concatenate(inputs), np.concatenate(speech), np.concatenate(folds)


def detector_inputs(sound, tool):
    """Returns the detector's own inputs, one row for each frame of 10 ms. Row t is about frame t − LOOK_AHEAD."""
    done = subprocess.run([tool, "inputs"], input=pcm(sound).tobytes(), stdout=subprocess.PIPE)
    numbers = np.frombuffer(done.stdout[:len(done.stdout) // 4 * 4], np.float32)
    count = len(sound) // FRAME
    if done.returncode != 0 or len(numbers) != count * INPUTS:
        raise ValueError(f"{tool} inputs gave {len(numbers)} numbers for {count} frames (exit code {done.returncode}); "
                         f"{count * INPUTS} were expected")
    return numbers.reshape(-1, INPUTS)
