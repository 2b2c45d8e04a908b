"""Prints the tokens, MTLD and MATTR of texts, as PyPI's lexicalrichness computes them. richness.py FILE: JSON, a list of texts."""
import json, sys, types

# lexicalrichness imports matplotlib, which takes a second to load and is not needed here.
sys.modules["matplotlib"] = types.ModuleType("matplotlib")
sys.modules["matplotlib.pyplot"] = types.ModuleType("matplotlib.pyplot")
from lexicalrichness import LexicalRichness

found = []
for text in json.load(open(sys.argv[1], encoding="utf-8")):
    lex = LexicalRichness(text)
    enough = lex.words >= 100
    found.append({"tokens": lex.wordlist, "mtld": lex.mtld(threshold=0.72) if enough else None,
                  "mattr": lex.mattr(window_size=50) if enough else None})
print(json.dumps(found))
