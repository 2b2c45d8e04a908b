"""Reads exported files with foreign libraries, and prints what they found as JSON. readers.py VTT TEXTGRID CSV"""
import csv, json, sys
import webvtt
from praatio import textgrid



def seconds(clock):
    hours, minutes, rest = clock.split(":")
    return round(3600 * int(hours) + 60 * int(minutes) + float(rest), 3)


vtt, grid, table = sys.argv[1:4]
tiers = textgrid.openTextgrid(grid, includeEmptyIntervals=True)
with open(table, newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file, strict=True))
print(json.dumps({
    "cues": [[seconds(cue.start), seconds(cue.end), cue.text] for cue in webvtt.read(vtt)],
    "length": tiers.maxTimestamp,
    "tiers": {tier.name: [list(entry) for entry in tier.entries] for tier in tiers.tiers},
    "rows": rows,
}))
