"""Reads an exported pack with foreign programs, and prints what they found as JSON. read_pack.py csv|gift|moodle|anki|qti FILE…"""
import csv, html, json, re, sys, tempfile


def read_csv(file):
    with open(file, newline="", encoding="utf-8") as lines:
        return list(csv.DictReader(lines, strict=True))


def read_gift(file):
    from pygiftparser import parser
    plain = lambda text: re.sub(r"\\(.)", r"\1", text)
    with open(file, encoding="utf-8") as lines:
        questions = parser.parseFile(lines)
    return [
        {
            "title": question.title, "text": plain(question.text), "kind": type(question.answers).__name__,
            "right": [plain(answer.answer) for answer in question.answers.answers if answer.fraction == 100],
            "options": len(question.answers.answers), "feedback": plain(question.generalFeedback),
        }
        for question in questions if question.valid
    ]


def read_anki(file):
    """Reads it twice with Anki's own importer. The second time nothing is new."""
    from anki.collection import Collection
    from anki.import_export_pb2 import ImportCsvRequest
    collection = Collection(tempfile.mkdtemp() + "/collection.anki2")
    logs = []
    for _ in range(2):
        metadata = collection.get_csv_metadata(path=file, delimiter=None)
        logs.append(collection.import_csv(ImportCsvRequest(path=file, metadata=metadata)).log)
    counts = [{"new": len(log.new), "same": len(log.duplicate) + len(log.updated), "found": log.found_notes} for log in logs]
    notes = [collection.get_note(id) for id in collection.find_notes("")]
    seen = [
        {"guid": note.guid, "front": html.unescape(note.fields[0]), "back": html.unescape(note.fields[1]), "tags": note.tags}
        for note in notes
    ]
    return {"counts": counts, "notes": seen}


def read_moodle(file):
    from xml.etree import ElementTree
    return [
        {
            "id": question.find("idnumber").text, "type": question.get("type"),
            "text": question.find("questiontext/text").text, "feedback": question.find("generalfeedback/text").text,
            "right": [answer.find("text").text for answer in question.iter("answer") if float(answer.get("fraction") or 0) > 0],
            "pairs": [
                f"{pair.findtext('text') or ''} = {pair.findtext('answer/text')}" for pair in question.iter("subquestion")
            ],
            "options": len(list(question.iter("answer"))),
        }
        for question in ElementTree.parse(file).getroot() if question.get("type") != "category"
    ]


def read_qti(*files):
    from xml.etree import ElementTree
    name = "{http://www.imsglobal.org/xsd/imsqtiasi_v3p0}%s"
    items = []
    for file in files:
        root = ElementTree.parse(file).getroot()
        assert root.tag == name % "qti-assessment-item", root.tag
        declared = root.find(name % "qti-response-declaration")
        items.append({
            "identifier": root.get("identifier"), "type": declared.get("base-type"),
            "right": [value.text for value in declared.iter(name % "qti-value")],
            "choices": {
                choice.get("identifier"): choice.text
                for kind in ("qti-simple-choice", "qti-simple-associable-choice") for choice in root.iter(name % kind)
            },
            "fields": len(list(root.iter(name % "qti-text-entry-interaction"))),
        })
    return items


print(json.dumps(globals()["read_" + sys.argv[1]](*sys.argv[2:])))
