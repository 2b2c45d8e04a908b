#!/usr/bin/env python3
"""Speaks sentences with fillers, repetitions and mistakes, for `oracy words measure`.

Usage: Tests/hesitant/speak.py FOLDER VOICE ...

Writes FOLDER/words.csv and one recording for each sentence and voice. A voice is one of `oracy voices list`. ORACY names
the tool; the default is .build/release/oracy.
"""

import csv
import os
import shutil
import subprocess
import sys

if len(sys.argv) < 3:
    sys.exit(__doc__)
folder, voices = sys.argv[1], sys.argv[2:]
tool = os.environ.get("ORACY", ".build/release/oracy")
# Without a sound server the tool only prints the path of the recording.
silent = os.environ | {"PULSE_SERVER": "unix:/nonexistent"}
os.makedirs(folder, exist_ok=True)
with open(os.path.join(os.path.dirname(__file__), "sentences.csv"), newline="") as table:
    sentences = list(csv.DictReader(table))
with open(os.path.join(folder, "words.csv"), "w", newline="") as table:
    rows = csv.writer(table)
    rows.writerow(["file", "text", "mistakes"])
    for voice in voices:
        for sentence in sentences:
            spoken = subprocess.run([tool, "voices", "try", voice, "--text", sentence["text"]], env=silent,
                                    stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
            name = f"{voice}-{sentence['name']}{os.path.splitext(spoken)[1]}"
            shutil.copy(spoken, os.path.join(folder, name))
            rows.writerow([name, sentence["text"], sentence["mistakes"]])
