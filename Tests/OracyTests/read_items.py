"""Reads a table of items with Python's csv module in its strictest mode, and prints its rows as JSON. read_items.py CSV"""
import csv, json, sys

with open(sys.argv[1], newline="", encoding="utf-8") as file:
    print(json.dumps(list(csv.DictReader(file, strict=True))))
