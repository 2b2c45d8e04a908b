"""Reads calendars of plans with a foreign program, and prints their events as JSON: read_plan.py FILE…"""
import json, sys
from icalendar import Calendar


def events(file):
    with open(file, "rb") as bytes:
        calendar = Calendar.from_ical(bytes.read())
    assert calendar["VERSION"] == "2.0" and not calendar.errors, calendar.errors
    seen = []
    for event in calendar.walk("VEVENT"):
        assert not event.errors, event.errors
        begin, end = event["DTSTART"].dt, event["DTEND"].dt
        seen.append({
            "uid": str(event["UID"]), "sequence": int(event["SEQUENCE"]), "begin": begin.isoformat(), "end": end.isoformat(),
            "isFloating": begin.tzinfo is None and end.tzinfo is None, "title": str(event["SUMMARY"]),
            "description": str(event["DESCRIPTION"]), "status": str(event["STATUS"]),
        })
    return seen


print(json.dumps([events(file) for file in sys.argv[1:]]))
