"""Rows to learn from: for a part of all frames, the detector's numbers about their surroundings, and whether they are speech."""
import multiprocessing
import os
import subprocess
from collections import namedtuple

import numpy as np

from answers import Answer, frames
from conditions import Condition, alone
from sound import FRAME, drawn_for, pcm

INPUTS = 80
LOOK_AHEAD = 9  # Frames: the detector decides on a frame when it has heard so many more.
NOISE_ALONE = 3  # Frames of noise alone are taken three times as often, because there are few minutes of them.

# Arrays with an entry each a row, and the conditions' names, by number.
Rows = namedtuple("Rows", "inputs speech folds conditions names")


def all_rows(table, answers, noises, tool, rate):
    """The rows of all conditions, made and forgotten one after another, on every core.

    `answers`: by letter, as in the table. `rate`: the part of frames that becomes rows.
    """
    tasks = [(condition, answers[kind], f"{kind}{number}", rate)
             for condition in table for number, kind in enumerate(condition.of)]
    quiet = [Answer(name, alone(track), [], -1) for name, track in noises.items()]
    tasks.append((Condition("noise alone", "", ()), quiet, "", NOISE_ALONE * rate))
    _Task.tool, _Task.all = tool, tasks
    # Processes that are forked share the answers' and noises' memory, which is never written again.
    with multiprocessing.get_context("fork").Pool(os.cpu_count()) as pool:
        parts = pool.map(_rows_of_task, range(len(tasks)), chunksize=1)
    names = list(dict.fromkeys(condition.name for condition, *_ in tasks))
    numbers = [np.full(len(part[1]), names.index(task[0].name), np.int16) for task, part in zip(tasks, parts)]
    return Rows(*map(np.concatenate, zip(*parts)), np.concatenate(numbers), names)


class _Task:
    """What forked processes find of their parent's."""
    tool, all = None, []


def _rows_of_task(number):
    condition, answers, salt, rate = _Task.all[number]
    inputs, speech, folds = [], [], []
    for answer in answers:
        heard = answer
        for i, change in enumerate(condition.changes):
            heard = change(heard, drawn_for(condition.name, salt, answer.name, i))
        flags = frames(heard)
        chosen = np.arange(LOOK_AHEAD, len(flags))
        chosen = chosen[drawn_for("rows", condition.name, salt, answer.name).random(len(chosen)) < rate]
        inputs.append(detector_inputs(heard.sound, _Task.tool)[chosen])
        speech.append(flags[chosen - LOOK_AHEAD])
        folds.append(np.full(len(chosen), answer.fold, np.int8))
    return np.concatenate(inputs), np.concatenate(speech), np.concatenate(folds)


def detector_inputs(sound, tool):
    """The detector's own inputs, a row a frame of 10 ms; row t is about frame t − LOOK_AHEAD."""
    done = subprocess.run([tool, "inputs"], input=pcm(sound).tobytes(), stdout=subprocess.PIPE)
    numbers = np.frombuffer(done.stdout[:len(done.stdout) // 4 * 4], np.float32)
    count = len(sound) // FRAME
    if done.returncode != 0 or len(numbers) != count * INPUTS:
        raise ValueError(f"{tool} inputs gave {len(numbers)} numbers for {count} frames (exit code {done.returncode}); "
                         f"{count * INPUTS} were expected")
    return numbers.reshape(-1, INPUTS)
