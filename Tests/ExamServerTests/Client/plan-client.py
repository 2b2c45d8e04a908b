"""A client of plans that knows the server only from its description.

Usage: plan-client.py BASE TOKEN

Finds each operation in BASE/openapi.json by its id, makes the request that is described there, and checks the answer against the
described schema. Makes a plan, has one section made again, and takes a prep pack, and then repeats this with a plan that the server
stores. Prints one line of JSON. Exits with 1 and one sentence if the server differs from its description.
"""
import json, pathlib, sys, urllib.error, urllib.request

from jsonschema import Draft202012Validator

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Support/Waiting"))
from patience import PATIENCE

BASE, TOKEN = sys.argv[1:3]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def fetch(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {TOKEN}", **({"Content-Type": "application/json"} if data else {})}
    request = urllib.request.Request(BASE + path, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.headers.get_content_type(), answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.headers.get_content_type(), refused.read()


DESCRIPTION = json.loads(fetch("GET", "/openapi.json")[2])
OPERATIONS = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, operations in DESCRIPTION["paths"].items()
    for method, operation in operations.items()
    if isinstance(operation, dict) and "operationId" in operation
}


def schema_of(what):
    return {**what, "components": DESCRIPTION["components"]}


def call(name, body=None, expect=None):
    method, path, operation = OPERATIONS[name]
    if body is not None and expect is None:
        described = operation["requestBody"]["content"]["application/json"]["schema"]
        Draft202012Validator(schema_of(described)).validate(body)
    status, kind, text = fetch(method, path, body)
    if status != (expect or 200) and not (expect is None and status == 204):
        sys.exit(f"{name}: {status} {text.decode()[:300]}")
    described = operation["responses"][str(status)]
    if "$ref" in described:
        described = DESCRIPTION["components"]["responses"][described["$ref"].split("/")[-1]]
    content = described.get("content", {}).get(kind)
    if content is None:
        return text.decode()
    value = json.loads(text) if "json" in kind else text.decode()
    Draft202012Validator(schema_of(content["schema"])).validate(value)
    return value


profile = {"name": "Ana", "stage": "second year", "targetRole": "nurse in Leeds", "timeBudgetHoursPerDay": 1.5,
           "availableDays": DAYS, "constraints": ["not before 18:00"], "format": "interview"}
call("health")
plan = call("generateRoutine", profile)
again = call("reroll", {"section": "dailyTasks", "profile": profile, "currentPlan": plan})
if again["timeBlocks"] != plan["timeBlocks"] or again["resources"] != plan["resources"] or again["version"] != 2:
    sys.exit("reroll: another section changed, too")
prep = call("generatePrep", profile)
call("generateRoutine", {**profile, "timeBudgetHoursPerDay": 0}, expect=400)

told = call("setProfile", profile)
call("rerollPlan", {"section": "timeBlocks"})
call("undoPlan")
preview = call("previewPlan", {"anew": True})
kept = call("acceptPlan", {"version": preview["plan"]["version"], "anew": True})
calendar = call("planCalendar")
call("planPrep")
call("exportPlan")
call("erasePlan")
print(json.dumps({
    "tasks": sum(map(len, plan["dailyTasks"].values())), "questions": len(prep["starterQuestions"]),
    "version": kept["plan"]["version"], "events": calendar.count("BEGIN:VEVENT"), "weekOf": told["plan"]["weekOf"],
}))
