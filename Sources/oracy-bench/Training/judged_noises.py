"""Noises for judging the folds' fits, which never hear these kinds: a household, telephones, a crowd, other babble.

The last fit, which becomes the detector's own, hears them as well. All are recordings from Debian's packages.
"""
import glob

import numpy as np

from noises import effects, one_after_another
from places import in_room
from sound import RATE, drawn_for, gain, level, read
from unpacked import unpacked

SECONDS = 120
EFFECTS = {
    # A kettle, bottles, glasses, scissors, a hammer, a saw, a vacuum cleaner, a washing machine.
    "household": ("tuxpaint-stamps-default", "usr/share/tuxpaint/stamps", ("household",)),
    "telephones": ("lomiri-sounds", "usr/share/sounds/lomiri", ("",)),
}
# One reader each, with the prompts of a telephone system.
VOICES = {"asterisk-core-sounds-es-wav": "es_MX_f_Allison", "asterisk-core-sounds-fr-wav": "fr_CA_f_June",
          "asterisk-core-sounds-it-wav": "it_IT_m_Carlo", "asterisk-core-sounds-ru-wav": "ru_RU_f_IvrvoiceRU"}


def judged_noises(work):
    """Returns a track of each noise whose package can be downloaded, by name."""
    noises = {}
    for name, (package, folder, groups) in EFFECTS.items():
        sounds = effects(package, folder, groups, work)
        if sounds:
            noises[name] = one_after_another(sounds, SECONDS, name)
    voices = {package: prompts(package, f"usr/share/asterisk/sounds/{reader}", work) for package, reader in VOICES.items()}
    voices = [sounds for sounds in voices.values() if sounds]
    if voices:
        noises["six-voices"] = talkers(drawn_for("six voices"), voices, 6)
        noises["crowd"] = in_room(0.9, -3)(talkers(drawn_for("crowd"), voices, 24), drawn_for("hall"))
    return noises


def prompts(package, folder, work):
    place = unpacked(package, work)
    return [] if place is None else sorted(glob.glob(f"{place}/{folder}/*.wav"))


def talkers(random, voices, count):
    """Returns this many people at once, each up to 5 dB louder or quieter and up to an eighth higher or lower than the rest."""
    result = np.zeros(SECONDS * RATE)
    for number in range(count):
        files, pitch, loudness = voices[number % len(voices)], random.uniform(0.88, 1.12), gain(random.uniform(-5, 5))
        at = random.integers(RATE)
        while at < len(result):
            sound = read(files[random.integers(len(files))])
            if len(sound) < RATE // 4 or level(sound) < 1e-4:
                continue
            sound = np.interp(np.arange(0, len(sound) - 1, pitch), np.arange(len(sound)), sound)
            sound = (sound / level(sound) * loudness)[:len(result) - at]
            result[at:at + len(sound)] += sound
            at += len(sound) + int(random.exponential(0.6) * RATE)
    return result
