"""The table of conditions in which the detector learns. Each row changes each answer anew."""
from collections import namedtuple

from levels import automatic_gain, drop, fade, loud, louder, rise, wander
from places import (after_quiet, any_room, clipped, followed_by, gated, headset, hissing, noise, parted, room, silenced, step,
                    telephone, tilted, words_after_silence)
from sound import RATE, gain, level

# `of`: the kinds of answers, by letter: Recorded, Spliced, Dense, Cropped, Brief, by Machine, Without its hiss, and from the recorded ones
# Phrases and Quite as brief. A letter that is given twice is used twice, with different random numbers.
# `judged`: whether the noise is one that no fold's fit hears.
Condition = namedtuple("Condition", "name of changes judged", defaults=(False,))


def conditions(noises, judged, cough):
    """Returns all conditions for which there are noises. Figures in names are decibels: of a change, or of speech above a noise."""
    def row(name, of, *changes):
        return Condition(name, of, changes)

    rows = [
        # As recorded, too quiet, and too loud by 18 dB.
        row("clean", "RSDCBM"), row("phrases", "P"), row("brief", "Q"), row("quiet 30", "RRSS", louder(-30)), row("clipped", "RS", clipped(8)),
        row("digital silence", "MWW", silenced),
        row("brief, after silence", "RRSWW", words_after_silence), row("any room, words after silence", "RSW", any_room, words_after_silence),
        # Speakers and microphones that change level, as much as in the benchmark and somewhat more.
        *[row(f"{change.__name__.replace('_', ' ')} {figure}", "RS", change(figure)) for change, figure in (
            (drop, 6), (drop, 9), (drop, 14), (fade, 12), (rise, 12), (wander, 16),
            (loud, 9), (loud, 12), (loud, 15), (automatic_gain, 12), (automatic_gain, 20))],
        # Rooms and lines.
        row("room", "RSD", room()), row("any room", "RSSCB", any_room), row("brief, any room", "Q", any_room),
        row("near 0", "R", room(0.6, 0)), row("far -6", "R", room(0.6, -6)),
        row("telephone", "RSD", telephone), row("cough", "RS", followed_by(cough)),
    ]
    # Silence other than the room's: gates, and recordings that begin with the first word.
    rows += [row("headset 30", "RS", headset(30)), row("headset 20", "SD", headset(20)),
             row("after quiet", "RSSDM", after_quiet), row("any room, after quiet", "RSC", any_room, after_quiet),
             row("parted", "SC", parted)]
    # In a noise that begins in the middle of the answer.
    rows += [row(f"step of {name} {figure}", of, step(noises[name], figure)) for name, figures in {
        "pink": {20: "S", 15: "RSC", 10: "RRRSSD", 5: "RS"}, "white": {10: "RS"}, "brown": {10: "S", 3: "S"},
        "hum": {5: "S"}, "rain": {12: "SD"}, "machine": {10: "RS"}, "water": {10: "S"}, "fan": {10: "S"},
    }.items() for figure, of in figures.items()]
    # In noise, from barely audible to loud enough to hide the ends of words.
    for name, figures in {
        "pink": {15: "SCB", 10: "RRSD", 8: "M", 5: "RS", 3: "SDC", 0: "RS"},
        "white": {15: "S", 10: "RS", 3: "SD"},
        "brown": {15: "S", 3: "SC", 0: "RS"},
        "hum": {10: "SCM", 0: "RRSM", -6: "S"},
        "fan": {15: "SC", 5: "RSD", 3: "S"},
        "keyboard": {5: "RSM"},
        "fan-and-keyboard": {10: "RS", 8: "M"},
        "babble": {10: "RRRS", 5: "RS", 0: "RS"},
        "babble-4": {10: "RS"},
        "babble-12": {15: "SB", 12: "D", 10: "RSM", 5: "RSC", 3: "SD"},
        "events": {10: "RRSCDBM", 5: "RS"},
        "stamps-1": {15: "D", 10: "RS", 5: "S"},
        "stamps-2": {10: "RS"},
        "samples-1": {10: "S"},
        "samples-2": {10: "R"},
        "made-1": {10: "S", 5: "S"},
        "made-2": {10: "R"},
        "rain": {10: "RSB"},
        "wind": {10: "S", 5: "D"},
        "traffic": {10: "RSB", 5: "S"},
        "machine": {10: "RS"},
        "music": {15: "DB", 10: "RS"},
        "kitchen": {15: "B", 10: "RSD", 5: "S"},
        "water": {10: "S", 5: "D"},
    }.items():
        if name in noises:
            rows += [row(f"{name} {figure}", of, noise(noises[name], figure)) for figure, of in figures.items()]
    rows += [row(f"brief, {name} {figure}", "Q", noise(noises[name], figure)) for name, figure in {
        "kitchen": 12, "music": 15, "events": 12, "pink": 12, "babble-12": 15, "traffic": 12}.items()]
    rows += [row("phrases, pink 15", "P", noise(noises["pink"], 15))]
    rows += [row(f"{name} 10", "RS", noise(track, 10))._replace(judged=True) for name, track in judged.items()]
    return rows + [
        row("room, pink 10", "S", room(), noise(noises["pink"], 10)),
        row("any room, anything", "SC", any_room, anything(list(noises.values()))),
        row("babble-4 10, telephone", "S", noise(noises["babble-4"], 10), telephone),
        row("anything", "RRSSDDCBBBB", anything(list(noises.values()))),
        row("brief, anything", "QQQ", anything(list(noises.values()))),
        row("anything, after quiet", "RSSDCB", anything(list(noises.values())), after_quiet),
    ]


def anything(tracks):
    """Several of these changes at random, with random figures: combinations that no row has."""
    def change(answer, random):
        for probability, choice in (
            (0.6, lambda: [drop(random.uniform(3, 15)), fade(random.uniform(4, 15)), wander(random.uniform(6, 20)),
                           rise(random.uniform(4, 12)), loud_if_possible(random.uniform(4, 16))][random.integers(5)]),
            (0.25, lambda: any_room),
            (0.8, lambda: noise(tracks[random.integers(len(tracks))], random.uniform(-2, 20))),
            (0.3, lambda: noise(tracks[random.integers(len(tracks))], random.uniform(5, 25))),
            (0.4, lambda: tilted(random.uniform(-5, 4))),
            (0.12, lambda: telephone),
            (0.12, lambda: gated(random.uniform(5, 25))),
            (0.08, lambda: headset(random.uniform(18, 35))),
            (0.15, lambda: step(tracks[random.integers(len(tracks))], random.uniform(3, 20))),
            (0.1, lambda: clipped(random.uniform(2, 10))),
            (1, lambda: louder(random.uniform(-28, 6))),
            (0.7, lambda: hissing),
        ):
            if random.random() < probability:
                answer = choice()(answer, random)
        return answer
    return change


def loud_if_possible(decibels):
    """A loud first word, if the answer has a whole word with some silence before it."""
    def change(answer, random):
        start, end = answer.speech[0]
        return loud(decibels)(answer, random) if start > 0.3 and end - start > 0.5 else answer
    return change


def alone(track):
    """A noise without speech: two minutes at −35 dBFS, as in the benchmark."""
    part = track[:120 * RATE]
    return part / level(part) * gain(-35)
