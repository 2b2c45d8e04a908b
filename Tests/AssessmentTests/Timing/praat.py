"""Prints the pauses and syllable nuclei of recordings, as Praat finds them, as JSON. praat.py WAV...

Nuclei after de Jong & Wempe (2009): peaks of intensity over the threshold, at least 2 dB over the dip before them, and voiced.
"""
import json, sys
import numpy, parselmouth
from parselmouth.praat import call

FLOOR = 50  # Hz: windows of 64 ms
STEP = 0.01  # s
BELOW = 22  # dB under the level that 99 % of all frames stay below: there a pause begins
DIP = 2  # dB


def measure(path):
    sound = parselmouth.Sound(path)
    intensity = sound.to_intensity(FLOOR, STEP)
    levels = intensity.values[0]
    threshold = numpy.quantile(levels, 0.99) - BELOW
    grid = call(intensity, "To TextGrid (silences)", float(threshold - levels.max()), 0.2, 0.06, "silent", "sounding")
    silences = []
    for number in range(1, call(grid, "Get number of intervals", 1) + 1):
        if call(grid, "Get label of interval", 1, number) == "silent":
            silences.append([call(grid, f"Get {side} time of interval", 1, number) for side in ("start", "end")])
    pitch = sound.to_pitch(0.02, 30, 450)
    peaks, dip = 0, levels[0]
    for before, here, after, at in zip(levels, levels[1:], levels[2:], intensity.xs()[1:]):
        dip = min(dip, here)
        if here > before and here >= after and here > threshold and here - dip >= DIP:
            voiced = pitch.get_value_at_time(at)
            if voiced == voiced:
                peaks += 1
                dip = here
    # Silence at either end is not a pause.
    end = sound.get_total_duration()
    return {"pauses": [each for each in silences if each[0] > 0.01 and each[1] < end - 0.01], "nuclei": peaks}


print(json.dumps([measure(path) for path in sys.argv[1:]]))
