#!/usr/bin/env python3
"""Fits the detector's idea of speech to labelled answers in all kinds of noise: `make train-vad`; docs/vad-training.md.

Makes six fits: one without each fold of speakers, for judging, and one on all speakers, which becomes the detector's own. Then tunes the
settings for each. All random numbers have fixed seeds. The exit code is 1, with a sentence, if something is missing, and 2 for an unknown
option.
"""
import os

# One thread, so that sums are the same in every run. Small products are no faster on two cores. Must be set before numpy is loaded.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

import argparse
import datetime
import sys
import time

import answers
import machine
import results
import tune
from conditions import conditions
from fit import Fits
from judged_noises import judged_noises
from noises import all_noises
from rows import INPUTS, all_rows, repeated
from sound import RATE, read

TOP = os.path.abspath(f"{__file__}/../../../..")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=f"{TOP}/../shared/data", help="the folder with vad and fluency in it")
    parser.add_argument("--tool", default=f"{TOP}/.build/release/oracy-bench", help="what makes inputs of recordings")
    parser.add_argument("--units", type=int, default=32, help="hinges; a multiple of 8")
    parser.add_argument("--rate", type=float, default=0.1, help="the part of frames that is learned from")
    parser.add_argument("--epochs", type=int, default=12, help="passes over them")
    parser.add_argument("--work", default=f"{TOP}/.build/training", help="where Debian's packages are unpacked")
    parser.add_argument("--output", default=f"{TOP}/.build/training/weights", help="the folder for fold-0.json … all.json")
    parser.add_argument("--rounds", type=int, default=16, help="of twelve candidates for the numbers that decide")
    parser.add_argument("--folds", default=f"{TOP}/docs/vad-folds", help="the folder for the folds' detectors, which judge it")
    parser.add_argument("--settings", default=f"{TOP}/Sources/VoiceActivity/VoiceDetector+Settings.swift",
                        help="the Swift file whose numbers are those that decide")
    parser.add_argument("--weights", default=f"{TOP}/Sources/VoiceActivity/SpeechLikeness+Weights.swift",
                        help="the Swift file that is made of all.json")
    return parser.parse_args()


def make_rows(options):
    fixtures, folder = f"{TOP}/AudioFixtures", f"{options.data}/vad/answers"
    recorded = answers.labelled(folder)
    if not recorded:
        raise ValueError(f"there are no answers in {folder}")
    # Answers are named group_speaker.
    read_by = answers.sentences(f"{options.data}/fluency", without={answer.name.split("_")[1] for answer in recorded})
    files = [file for sentences in read_by.values() for file, _ in sentences]
    noises, judged = all_noises(options.data, fixtures, options.work, files), judged_noises(options.work)
    spliced = answers.spliced(read_by)
    texts = [text for sentences in read_by.values() for _, text in sentences]
    dense = answers.dense(spliced)
    by_kind = {"R": recorded, "S": spliced, "D": dense, "C": answers.cropped(spliced), "B": answers.brief(dense),
               "P": answers.phrases(recorded), "Q": answers.brief(answers.dense(recorded)),
               "M": machine.spoken(texts, f"{fixtures}/answers"), "W": machine.spoken(texts, f"{fixtures}/answers", hissing=False)}
    for kind, some in zip(("recorded", "spliced", "dense", "cropped", "brief", "single phrases of", "briefly recorded", "machine's", "machine's and hissless"), by_kind.values()):
        print(f"{len(some)} {kind} answers, {sum(len(answer.sound) for answer in some) / RATE / 60:.1f} minutes")
    table = conditions(noises, judged, read(f"{fixtures}/noise/cough.flac"))
    print(f"{len(noises) + len(judged)} noises, {len(table)} conditions", flush=True)
    return all_rows(table, by_kind, noises, judged, options.tool, options.rate), (table, by_kind, noises)


def main():
    given, began = options(), time.monotonic()
    rows, heard = make_rows(given)
    print(f"{len(rows.speech)} rows, {rows.speech.mean():.1%} of them speech, after {time.monotonic() - began:.0f} s", flush=True)
    left_out = [*range(answers.FOLDS), None]
    fits = Fits(INPUTS, given.units, left_out)
    learned = repeated(rows)
    losses = fits.train(learned.inputs, learned.speech, learned.folds, given.epochs)
    del learned
    print(f"fitted after {time.monotonic() - began:.0f} s; loss in the last epoch, nats a frame:")
    print("  ".join(f"{name} {loss:.4f}" for name, loss in zip([*map("without {}".format, left_out[:-1]), "all"], losses)))
    fitted = [results.rounded(fit) for fit in fits.results()]
    os.makedirs(given.output, exist_ok=True)
    for fold, fit in zip(left_out, fitted):
        results.write_json(fit, f"{given.output}/{'all' if fold is None else f'fold-{fold}'}.json")
    results.write_swift(fitted[-1], given.weights, "make train-vad", datetime.date.today())
    print(results.table(fitted[:-1], rows), flush=True)
    del rows
    likenesses = [f"{given.output}/fold-{fold}.json" for fold in range(answers.FOLDS)]
    settings = tune.tuned(*heard, likenesses, given.tool, given.output, given.rounds)
    print(f"tuned after {time.monotonic() - began:.0f} s")
    os.makedirs(given.folds, exist_ok=True)
    for fold in range(answers.FOLDS):
        results.write_detector(fitted[fold], settings[fold], f"{given.folds}/fold-{fold}.json")
    results.write_settings(settings[-1], given.settings)


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as error:
        sys.exit(f"train_vad.py: {error}")
