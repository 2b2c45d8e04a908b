# Prints Harper's findings in the text on standard input, as JSON. Places are in Unicode scalars, as Python counts.
# An argument names the folder of the package harper-py if Python does not find it by itself.
import importlib.metadata, json, sys
sys.path[:0] = sys.argv[1:]
import harper

text = sys.stdin.buffer.read().decode()
found = [
    {"start": lint.span.start, "end": lint.span.end, "kind": str(lint.lint_kind),
     "corrections": [each.replacement_text for each in lint.suggestions if each.kind == harper.SuggestionKind.REPLACE]}
    for lint in harper.Linter().lint(text, language=harper.Language.PLAINTEXT)]
json.dump({"version": importlib.metadata.version("harper-py"), "found": found}, sys.stdout)
