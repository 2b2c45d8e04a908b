"""The results of training: weights as JSON and as Swift, and a table of how well frames of held-out speakers are classified."""
import json
import re

import numpy as np
from scipy.stats import rankdata

from fit import logits

DIGITS = 4  # Significant digits. More would change no figure of the table, only the size of the Swift file.


def rounded(fit):
    return {name: np.vectorize(lambda x: float(f"{x:.{DIGITS}g}"))(value).astype(np.float32) for name, value in fit.items()}


def plain(numbers):
    """Returns numbers as text, input by input, with all of their digits."""
    return [float(f"{x:.{DIGITS}g}") for x in np.ravel(numbers)]


def write_json(fit, path):
    values = {name: plain(value) for name, value in fit.items()}
    with open(path, "w") as file:
        json.dump(values | {"outputBias": values["outputBias"][0]}, file, indent=1)


def write_swift(fit, path, command, date):
    """Writes the detector's own weights in the layout of `swift format`."""
    def array(name):
        values = plain(fit[name])
        lines = [", ".join(f"{x:.{DIGITS}g}" for x in values[i:i + 8]) + "," for i in range(0, len(values), 8)]
        return "\n".join([f"        {name}: [", *[f"            {line}" for line in lines], "        ],"])

    with open(path, "w") as file:
        file.write(f"""\
// `{command}` wrote this on {date}; docs/vad-training.md names the recordings.
extension SpeechLikeness {{
    /// Fitted to all speakers of these recordings.
    public static let builtIn = SpeechLikeness(
{array("inputWeights")}
{array("biases")}
{array("outputWeights")}
        outputBias: {plain(fit["outputBias"])[0]:.{DIGITS}g}
    )
}}
""")


def write_detector(fit, settings, path):
    """Writes a whole detector, for `oracy-bench vad --folds`."""
    values = {name: plain(value) for name, value in fit.items()}
    with open(path, "w") as file:
        lines = ",\n".join(f' "{name}": {json.dumps(value)}' for name, value in (values | {"outputBias": values["outputBias"][0]}).items())
        file.write(f'{{"likeness": {{\n{lines}\n}}, "settings": {json.dumps(settings, indent=1)}}}\n')


def write_settings(settings, path):
    """Puts the numbers into the Swift file that documents them. Each stays on its line."""
    with open(path) as file:
        text = file.read()
    for name, value in settings.items():
        number = f"{value[0]:g}...{value[1]:g}" if name == "range" else f"{value:g}".replace("e-0", "e-")
        text, count = re.subn(rf"(public var {name}(?:: \S+)? = )\S+$", lambda found: found[1] + number, text, flags=re.MULTILINE)
        if count != 1:
            raise ValueError(f"{path} has no line for {name}")
    with open(path, "w") as file:
        file.write(text)


def area(odds, speech):
    """Returns the area under the ROC curve: how often a frame of speech has higher odds than a frame without; 0.5 is chance."""
    count = speech.sum()
    return (rankdata(odds)[speech].sum() - count * (count + 1) / 2) / (count * (len(speech) - count))


def table(fits, rows):
    """Returns the area under the curve for each condition and fold, by the fit that never heard the fold's speakers."""
    heads = [f"fold {fold}" for fold in range(len(fits))] + ["mean"]
    lines = [f"{'held-out frames, AUC':28}" + "".join(f"{head:>8}" for head in heads)]
    areas = []
    for number, name in enumerate(rows.names):
        here = rows.conditions == number
        if not (rows.folds[here] >= 0).any():
            continue
        areas.append([])
        for fold, fit in enumerate(fits):
            held_out = here & (rows.folds == fold)
            areas[-1].append(area(logits(fit, rows.inputs[held_out]), rows.speech[held_out]))
        areas[-1].append(np.mean(areas[-1]))
        lines.append(f"{name:28}" + "".join(f"{figure:8.4f}" for figure in areas[-1]))
    return "\n".join(lines + [f"{'all of these':28}" + "".join(f"{figure:8.4f}" for figure in np.mean(areas, 0))])
