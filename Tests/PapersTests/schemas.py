"""Checks documents against the project's schemas, with PyPI's jsonschema.

Usage: schemas.py FOLDER CASES

FOLDER has NAME.schema.json. Each line of CASES is {"schema": NAME, "about": WORDS, "isRead": BOOLEAN, "document": …}, where `isRead` says
whether the program's reader accepts it. Prints the number of documents. Exits with 1 and the first one on which schema and reader disagree.
"""
import json, pathlib, sys
from jsonschema import Draft202012Validator

folder, cases = sys.argv[1:]
validators = {}
for path in pathlib.Path(folder).glob("*.schema.json"):
    schema = json.loads(path.read_text())
    Draft202012Validator.check_schema(schema)
    validators[path.name.removesuffix(".schema.json")] = Draft202012Validator(schema)

count = 0
for line in open(cases):
    case = json.loads(line)
    error = next(validators[case["schema"]].iter_errors(case["document"]), None)
    if (error is None) != case["isRead"]:
        sys.exit(f"{case['schema']}, {case['about']}: read {case['isRead']}, schema says {error.message[:300] if error else 'fine'}")
    count += 1
print(count)
