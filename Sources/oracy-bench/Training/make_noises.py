#!/usr/bin/env python3
"""Writes the noises that judge the folds' detectors, 16 kHz mono WAV: `make bench-vad`. usage: make_noises.py WORK FOLDER"""
import os
import sys

import numpy as np
import soundfile

from judged_noises import judged_noises
from sound import RATE, pcm

if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__.splitlines()[0])
    work, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name, track in judged_noises(work).items():
        soundfile.write(f"{folder}/{name}.wav", pcm(track / np.abs(track).max()), RATE, subtype="PCM_16")
