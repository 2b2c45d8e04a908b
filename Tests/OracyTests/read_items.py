"""Reads a table of items as Python's csv module does at its strictest, and prints its rows as JSON. read_items.py CSV"""
import csv, json, sys

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    print(json.dumps(list(csv.DictReader(file, strict=True))))
