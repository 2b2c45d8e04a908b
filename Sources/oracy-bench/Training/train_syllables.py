"""Fits the numbers of SyllableNuclei to sentences whose syllables are known, and to synthetic trains of syllables.

    train_syllables.py FOLDER WEIGHTS

FOLDER has marks.csv with the columns file, speaker and syllables. A logistic model of the facts about each candidate of `oracy-bench
syllables`, their squares and their products gives the chance that it is a syllable. The chances of a sentence should add up to its count
(Huber's loss). The first figures printed come from models that were fitted without the speaker.
"""

import csv
import subprocess
import sys

import numpy
import soundfile
from scipy.optimize import minimize
from scipy.stats import pearsonr, spearmanr

BENCH = ".build/release/oracy-bench"
RATE = 16000
FOLDS = 8
RIDGE = 40.0
HUBER = 2.0  # syllables: people who say half a sentence twice must not spoil the count of others
MADE = 0.25  # the weight of a synthetic train; a sentence has 1
VOWELS = [[730, 1090, 2440], [270, 2290, 3010], [300, 870, 2240], [530, 1840, 2480], [640, 1190, 2390]]


def candidates(samples):
    pcm = numpy.clip(numpy.round(samples * 32768), -32768, 32767).astype("<i2").tobytes()
    lines = subprocess.run([BENCH, "syllables"], input=pcm, capture_output=True, check=True).stdout.splitlines()
    return numpy.array([[float(fact) for fact in line.split()] for line in lines]).reshape(-1, 16)


def train_of_syllables(chance):
    """Returns samples and the count. A third of the trains repeat one vowel."""
    runs = chance.integers(3, 10, chance.integers(1, 4))
    pace, pitch = chance.uniform(0.13, 0.34), chance.uniform(90, 260)
    dip, same = 10 ** (-chance.uniform(6, 18) / 20), chance.random() < 0.3
    parts = [numpy.zeros(RATE // 2)]
    for run in runs:
        at = numpy.arange(int(run * pace * RATE)) / RATE
        place = at / pace
        phase = 2 * numpy.pi * numpy.cumsum(pitch * (1 - 0.2 * place / run)) / RATE
        swell = dip + (1 - dip) * numpy.sin(numpy.pi * (place % 1)) ** 2
        edge = numpy.minimum(1, numpy.minimum(at, at[-1] - at) / 0.02)
        vowels = chance.integers(0, len(VOWELS), run + 1)
        if same:
            vowels[:] = vowels[0]
        voice = numpy.zeros(len(at))
        for harmonic in range(1, min(25, int(7500 / pitch))):
            hertz = harmonic * pitch
            gains = numpy.array([0.1 + sum(1 / (1 + ((hertz - f) / 120) ** 2) for f in VOWELS[v]) for v in vowels])
            voice += gains[numpy.minimum(place.astype(int), run)] * numpy.sin(harmonic * phase) / numpy.sqrt(harmonic)
        parts += [voice * swell * edge, numpy.zeros(int(chance.uniform(0.3, 1.2) * RATE))]
    samples = numpy.concatenate(parts)
    samples *= 0.3 / abs(samples).max()
    return samples + chance.standard_normal(len(samples)) * 10 ** (-chance.uniform(50, 90) / 20), int(runs.sum())


def rows(folder):
    """Yields each recording's speaker ("" for a synthetic one), count and candidates."""
    with open(f"{folder}/marks.csv", newline="") as file:
        for row in csv.DictReader(file):
            samples, rate = soundfile.read(f"{folder}/{row['file']}")
            assert rate == RATE and samples.ndim == 1, row["file"]
            yield row["speaker"], int(row["syllables"]), candidates(samples)
    chance = numpy.random.default_rng(5)
    for _ in range(120):
        samples, count = train_of_syllables(chance)
        yield "", count, candidates(samples)
    for _ in range(25):
        yield "", 0, candidates(chance.standard_normal(chance.integers(2, 6) * RATE) * 0.03)


def fitted(terms, place, counts, weights):
    def loss(parameters):
        chances = 1 / (1 + numpy.exp(-terms @ parameters))
        errors = numpy.bincount(place, chances, len(counts)) - counts
        slopes = weights * numpy.clip(errors, -HUBER, HUBER)
        size = abs(errors)
        losses = weights * numpy.where(size < HUBER, errors**2 / 2, HUBER * (size - HUBER / 2))
        kept = numpy.append(parameters[:-1], 0)
        gradient = terms.T @ (slopes[place] * chances * (1 - chances)) + 2 * RIDGE * kept
        return losses.sum() + RIDGE * (kept**2).sum(), gradient

    start = numpy.append(numpy.zeros(terms.shape[1] - 1), 1)
    return minimize(loss, start, jac=True, method="L-BFGS-B").x


def swift(values):
    lines, line = [], "        "
    for value in values:
        text = f"{value:.4g}, "
        if len(line) + len(text) > 119:
            lines.append(line.rstrip())
            line = "        "
        line += text
    return "\n".join(lines + [line.rstrip()]) + "\n"


def main(folder, output):
    speakers, counts, found = zip(*rows(folder))
    speakers, counts = numpy.array(speakers), numpy.array(counts)
    facts = numpy.vstack(found)
    place = numpy.repeat(numpy.arange(len(found)), [len(one) for one in found])
    said = speakers != ""
    means, deviations = facts[said[place]].mean(0), facts[said[place]].std(0)
    scaled = (facts - means) / deviations
    first, second = numpy.triu_indices(scaled.shape[1])
    products = scaled[:, first] * scaled[:, second] - (first == second)
    terms = numpy.hstack([scaled, products, numpy.ones((len(scaled), 1))])
    weights = numpy.where(said, 1, MADE)

    names = numpy.unique(speakers[said])
    fold = dict(zip(numpy.random.default_rng(0).permutation(names), numpy.arange(len(names)) % FOLDS))
    folds = numpy.array([fold.get(speaker, -1) for speaker in speakers])
    held = numpy.zeros(len(counts))
    for number in range(FOLDS):
        parameters = fitted(terms, place, counts, weights * (folds != number))
        mine = folds[place] == number
        held += numpy.bincount(place[mine], 1 / (1 + numpy.exp(-terms[mine] @ parameters)), len(counts))
    held, real = numpy.round(held[said]), counts[said]
    print(
        f"speakers left out: r {pearsonr(held, real)[0]:.3f}, rho {spearmanr(held, real)[0]:.3f}, "
        f"bias {100 * (held.sum() / real.sum() - 1):+.1f} %, mean error {abs(held - real).mean():.2f}"
    )

    parameters = fitted(terms, place, counts, weights)
    size = scaled.shape[1]
    with open(output, "w") as file:
        file.write(
            f"""/// The weights of `SyllableNuclei`, written by `make train-syllables` from sentences of speechocean762 (README there),
/// whose text gives their syllables. They minimize Huber's loss on the sentences' counts.
extension SyllableNuclei {{
    /// The means of the facts over all candidates.
    static let means: [Float] = [
{swift(means)}    ]
    static let deviations: [Float] = [
{swift(deviations)}    ]
    static let bias: Float = {parameters[-1]:.4g}
    static let linear: [Float] = [
{swift(parameters[:size])}    ]
    /// The weight of each product of a fact with itself and with those after it.
    static let products: [Float] = [
{swift(parameters[size:-1])}    ]
}}
"""
        )


main(*sys.argv[1:])
