"""The conditions that the detector learns in: one table; each answer is made anew for each row."""
from collections import namedtuple

from levels import automatic_gain, drop, fade, loud, louder, rise, wander
from places import clipped, followed_by, gated, hissing, noise, room, silenced, telephone, tilted
from sound import RATE, gain, level

# `of`: kinds of answers, by letter: Recorded, Spliced, Dense, Cropped, by Machine (a letter twice: twice, otherwise at random).
Condition = namedtuple("Condition", "name of changes")


def conditions(noises, cough):
    """All conditions for which there are noises. Figures in names are decibels: of a change, or of speech above a noise."""
    def row(name, of, *changes):
        return Condition(name, of, changes)

    rows = [
        # As recorded, and too quiet, and too loud by 18 dB.
        row("clean", "RSDCM"), row("quiet 30", "RS", louder(-30)), row("clipped", "RS", clipped(8)),
        row("digital silence", "M", silenced),
        # Speakers and microphones that change level: up to what the benchmark has, and somewhat beyond.
        *[row(f"{change.__name__.replace('_', ' ')} {figure}", "RS", change(figure)) for change, figure in (
            (drop, 6), (drop, 9), (drop, 14), (fade, 12), (rise, 12), (wander, 16),
            (loud, 9), (loud, 12), (loud, 15), (automatic_gain, 12), (automatic_gain, 20))],
        # Rooms and lines.
        row("room", "RSD", room), row("telephone", "RSD", telephone), row("cough", "RS", followed_by(cough)),
    ]
    # In noise: from what is just heard to what hides the ends of words.
    for name, figures in {
        "pink": {15: "SC", 10: "RRSD", 8: "M", 5: "RS", 3: "SDC", 0: "RS"},
        "white": {15: "S", 10: "RS", 3: "SD"},
        "brown": {15: "S", 3: "SC", 0: "RS"},
        "hum": {10: "SCM", 0: "RSM", -6: "S"},
        "fan": {15: "SC", 5: "RSD", 3: "S"},
        "keyboard": {5: "RSM"},
        "fan-and-keyboard": {10: "RS", 8: "M"},
        "babble": {10: "RRS", 5: "RS", 0: "RS"},
        "babble-4": {10: "RS"},
        "babble-12": {15: "S", 12: "D", 10: "RSM", 5: "RSC", 3: "SD"},
        "events": {10: "RRSCDM", 5: "RS"},
        "stamps-1": {15: "D", 10: "RS", 5: "S"},
        "stamps-2": {10: "RS"},
        "samples-1": {10: "S"},
        "samples-2": {10: "R"},
        "made-1": {10: "S", 5: "S"},
        "made-2": {10: "R"},
    }.items():
        if name in noises:
            rows += [row(f"{name} {figure}", of, noise(noises[name], figure)) for figure, of in figures.items()]
    return rows + [
        row("room, pink 10", "S", room, noise(noises["pink"], 10)),
        row("babble-4 10, telephone", "S", noise(noises["babble-4"], 10), telephone),
        row("anything", "RRSSDDC", anything(list(noises.values()))),
    ]


def anything(tracks):
    """Some of all that, by chance, at any figure: what no row has thought of."""
    def change(answer, random):
        for probability, choice in (
            (0.6, lambda: [drop(random.uniform(3, 15)), fade(random.uniform(4, 15)), wander(random.uniform(6, 20)),
                           rise(random.uniform(4, 12)), loud_if_possible(random.uniform(4, 16))][random.integers(5)]),
            (0.25, lambda: room),
            (0.8, lambda: noise(tracks[random.integers(len(tracks))], random.uniform(-2, 20))),
            (0.3, lambda: noise(tracks[random.integers(len(tracks))], random.uniform(5, 25))),
            (0.4, lambda: tilted(random.uniform(-5, 4))),
            (0.12, lambda: telephone),
            (0.12, lambda: gated(random.uniform(5, 25))),
            (0.1, lambda: clipped(random.uniform(2, 10))),
            (1, lambda: louder(random.uniform(-28, 6))),
            (0.7, lambda: hissing),
        ):
            if random.random() < probability:
                answer = choice()(answer, random)
        return answer
    return change


def loud_if_possible(decibels):
    """A loud first word, if the answer has a whole word and some quiet before it to make one of."""
    def change(answer, random):
        start, end = answer.speech[0]
        return loud(decibels)(answer, random) if start > 0.3 and end - start > 0.5 else answer
    return change


def alone(track):
    """A noise without speech: two minutes at −35 dBFS, as the benchmark has it."""
    part = track[:120 * RATE]
    return part / level(part) * gain(-35)
