"""The noises by name, at least a minute of each. Mixing sets their level."""
import glob

import numpy as np

import made_sounds
from kitchen import kitchen
from long_sounds import long_sounds
from sound import RATE, drawn_for, gain, level, name_of, read, sloped
from unpacked import unpacked

# Debian's sound effects: the package, the folder of its sounds, and the seconds of a track of one half of them.
EFFECTS = {
    # Animals and engines, without the stamps' spoken names and songs.
    "stamps": ("tuxpaint-stamps-default", "usr/share/tuxpaint/stamps", 150,
               ("animals", "vehicles", "hobbies", "military", "space")),
    # Drums, bells, guitars, drones, loops of music.
    "samples": ("sonic-pi-samples", "usr/share/sonic-pi/samples", 180, ("",)),
}


def all_noises(data, fixtures, work, voices):
    """Returns every noise. `voices`: files of sentences for babble, by speakers who are not in labelled answers."""
    noises = {name: read(f"{data}/vad/noise/{name}.flac") for name in ("babble", "events", "pink", "white")}
    noises |= {name: read(f"{fixtures}/noise/{name}.flac") for name in ("fan-and-keyboard", "fan", "keyboard")}
    # Four talkers can nearly be understood, twelve cannot. The data's own babble is in between.
    noises |= {f"babble-{talkers}": babble(voices, talkers) for talkers in (4, 12)}
    # Brown (6 dB an octave): a ventilator, a car.
    noises |= {"brown": sloped(drawn_for("brown"), 60 * RATE, -6.02), "hum": hum(60)}
    noises |= long_sounds() | {"kitchen": kitchen()}
    noises |= {f"made-{number}": made_sounds.track(number, 150) for number in (1, 2)}
    for name, (package, folder, seconds, groups) in EFFECTS.items():
        sounds = effects(package, folder, groups, work)
        order = drawn_for("effects", name).permutation(len(sounds))
        halves = order[:len(order) // 2], order[len(order) // 2:]
        noises |= {f"{name}-{i + 1}": one_after_another([sounds[j] for j in half], seconds, name)
                   for i, half in enumerate(halves) if len(half)}
    return noises


def babble(voices, talkers, seconds=90):
    """Returns this many people at once, each up to 4 dB louder or quieter than the rest, with up to a second between sentences."""
    random, result = drawn_for("babble", talkers), np.zeros(seconds * RATE)
    for _ in range(talkers):
        at = random.integers(RATE)
        while at < len(result):
            sound = read(voices[random.integers(len(voices))])
            sound = (sound / level(sound) * gain(random.uniform(-4, 4)))[:len(result) - at]
            result[at:at + len(sound)] += sound
            at += len(sound) + int(random.uniform(0, 1) * RATE)
    return result


def hum(seconds):
    """Returns mains hum with a faint hiss: every ten seconds another kind, of 50 or 60 Hz, the tone alone or with its harmonics.

    The odd harmonics are stronger, as rectifiers and transformers make them.
    """
    random = drawn_for("hum")
    below = {1: 0, 2: 6, 3: 3, 4: 14, 5: 8, 6: 20, 7: 12, 9: 18, 11: 22, 13: 26, 15: 30}  # dB under the first.
    time = np.arange(10 * RATE) / RATE
    pieces = []
    for number in range(seconds // 10):
        highest, tone = (1, 3, 15)[number % 3], (50, 60)[number % 2]
        piece = sum(gain(-down - random.uniform(0, 6)) * np.sin(2 * np.pi * tone * harmonic * time + random.uniform(0, 2 * np.pi))
                    for harmonic, down in below.items() if harmonic <= highest)
        pieces.append(piece / level(piece))
    return np.concatenate(pieces) + 1e-3 * random.standard_normal(seconds * RATE)


def effects(package, folder, groups, work):
    """Returns the sounds of a Debian package, at most 4 s of each. If it cannot be downloaded, says so and returns an empty list."""
    place = unpacked(package, work)
    if place is None:
        return []
    paths = [path for group in groups for kind in ("flac", "ogg", "wav")
             for path in glob.glob(f"{place}/{folder}/{group}/**/*.{kind}", recursive=True)]
    # Files with this name contain spoken descriptions of tuxpaint's stamps.
    sounds = [read(path)[:4 * RATE] for path in sorted(paths) if "_desc" not in name_of(path)]
    return [sound for sound in sounds if len(sound) >= RATE // 20 and level(sound) > 1e-4]


def one_after_another(sounds, seconds, name):
    """Returns a track of all sounds in turn, repeated, with peaks within 12 dB, 0.8 s apart on average."""
    random, parts = drawn_for("track", name), []
    while sum(map(len, parts)) < seconds * RATE:
        sound = sounds[len(parts) // 2 % len(sounds)]
        parts += [sound / np.abs(sound).max() * gain(random.uniform(-12, 0)), np.zeros(int(random.exponential(0.8) * RATE))]
    return np.concatenate(parts)
