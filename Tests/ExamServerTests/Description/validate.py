"""Checks that a description is OpenAPI as JSON, as YAML (every JSON text is YAML), and rewritten as YAML: validate.py FILE."""

import json
import pathlib
import sys
import tempfile

import yaml
from openapi_spec_validator import validate
from openapi_spec_validator.readers import read_from_filename

path = pathlib.Path(sys.argv[1])
as_json = json.loads(path.read_bytes())
as_yaml = yaml.safe_load(path.read_bytes())
assert as_json == as_yaml, "YAML readers read something else than JSON readers"
validate(as_json)
with tempfile.TemporaryDirectory() as folder:
    written = pathlib.Path(folder) / "openapi.yaml"
    written.write_text(yaml.safe_dump(as_yaml, allow_unicode=True))
    again, _ = read_from_filename(str(written))
    assert again == as_json, "written as YAML it is something else"
    validate(again)
print(f"valid as JSON and as YAML: {len(as_json['paths'])} paths")
