"""Clients of the reference applications, written from the tables of their fields alone (Tests/Support/ReferenceWire).

Usage: reference-journeys.py JOURNEY BASE USER TOKEN [ARGUMENT…]

    speaking BASE USER TOKEN DATABASE RECORDING.m4a…   an exam with uploads of recordings, to its results in the tables
    practice-test BASE USER TOKEN                      a practice test, from its request to its result
    quiz-drill BASE USER TOKEN                         questions of the item bank, and a task for each
    quiz-submission BASE USER TOKEN STRANGER           a quiz that is handed in, repeated, refused and graded
    plan BASE USER TOKEN                               a profile, its plan, three sections made anew, a prep pack

STRANGER is another user's token. Prints one line of JSON. Exits with 1 and one sentence if an answer is not what the application reads.
"""
import json, pathlib, sqlite3, sys, urllib.error, urllib.request, uuid

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "Support/Waiting"))
from patience import PATIENCE, until

WIRE = pathlib.Path(__file__).resolve().parents[2] / "Support/ReferenceWire"
JOURNEY, BASE, USER, TOKEN, *REST = sys.argv[1:]


def fixture(name):
    return json.loads((WIRE / f"{name}.json").read_text())


def filled(value, known):
    """Replaces {name} in texts. A text that is only {name} becomes the value itself."""
    if isinstance(value, dict):
        return {key: filled(one, known) for key, one in value.items()}
    if isinstance(value, list):
        return [filled(one, known) for one in value]
    if not isinstance(value, str):
        return value
    if value[:1] == "{" and value[1:-1] in known:
        return known[value[1:-1]]
    for name, one in known.items():
        value = value.replace("{" + name + "}", str(one))
    return value


def differs(value, example, place=""):
    """Returns how an answer differs from what an application can read, or nothing."""
    if isinstance(example, dict):
        if not isinstance(value, dict):
            return f"{place}: {value!r} is not an object"
        for key, one in example.items():
            name = key.removesuffix("?")
            if name == "*":
                found = [differs(each, one, f"{place}.{field}") for field, each in value.items()] if value else [f"{place}: is empty"]
            elif value.get(name) is None:
                found = [] if key.endswith("?") else [f"{place}.{name}: is missing"]
            else:
                found = [differs(value[name], one, f"{place}.{name}")]
            for fault in filter(None, found):
                return fault
        return None
    if isinstance(example, list):
        if not isinstance(value, list):
            return f"{place}: {value!r} is not a list"
        found = (differs(one, example[0], f"{place}[{number}]") for number, one in enumerate(value)) if example else ()
        return next(filter(None, found), None)
    if isinstance(example, float):
        right = isinstance(value, (int, float)) and not isinstance(value, bool)
    else:
        right = type(value) is type(example)
    return None if right else f"{place}: {value!r} is not of the type of {example!r}"


def ask(method, url, body=None, token=TOKEN, kind="application/json"):
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    headers = {**({"Authorization": f"Bearer {token}"} if token else {}), **({"Content-Type": kind} if data is not None else {})}
    request = urllib.request.Request(url, data=data, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()


def call(wire, name, base, status=None, token=TOKEN, **known):
    """Sends a request of a fixture, and returns what came, once it is as the application reads it."""
    request = wire[name]
    method, path = filled(request["send"], {"user": USER, **known}).split(" ", 1)
    came, text = ask(method, base + path, filled(request.get("body"), {"user": USER, **known}), token)
    if came != (status or request["status"]):
        sys.exit(f"{name}: {came} instead of {status or request['status']}: {text.decode(errors='replace')[:300]}")
    value = json.loads(text) if text else None
    if status is None and "read" in request and (fault := differs(value, request["read"])):
        sys.exit(f"{name}: {fault}")
    return value


def expect(holds, what):
    if not holds:
        sys.exit(what)


# Journeys


def speaking(database, *recordings):
    wire, base, session = fixture("speaking"), BASE + "/v1", str(uuid.uuid4())
    call(wire, "health", base)
    call(wire, "quota", base)
    template = next(one for one in call(wire, "templates", base)["templates"] if one["title"])["id"]
    questions = call(wire, "questions", base, template=template)["questions"]
    expect({one["part_number"] for one in questions} >= {1, 2, 3}, "questions: an exam has three parts")
    asked = [next(one for one in questions if one["part_number"] == part) for part in (1, 2, 3)]
    for place, question in enumerate(asked):
        known = {"session": session, "part": question["part_number"], "question": question["id"], "template": template}
        address = call(wire, "generate-upload-url", base, **known)
        recording = pathlib.Path(recordings[place % len(recordings)]).read_bytes()
        status, text = ask("PUT", address["upload_url"], recording, token=None, kind="audio/mp4")
        expect(status in (200, 201), f"upload: {status} {text.decode(errors='replace')[:300]}")
        for _ in range(2):  # the application sends it again if it got no answer
            call(wire, "upload-complete", base, key=address["key"], **known)
    call(wire, "evaluate", base, session=session, template=template)
    call(wire, "evaluate", base, session=session, template=template, status=200)
    return tables(database, session, len(asked))


def tables(path, session, count):
    """Waits for the results in the tables, and reads them as the application does."""
    wire = fixture("tables")
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=60) as database:
        database.row_factory = sqlite3.Row
        rows = lambda table, column, value: database.execute(
            f"SELECT {wire[table]['columns'].replace(' ', ', ')} FROM {table} WHERE {column} = ?", [value]).fetchall()
        until("the session is evaluated", lambda: rows("test_sessions", "id", session)[0]["status"] == "evaluated")
        held, answers = rows("test_sessions", "id", session), rows("responses", "test_session_id", session)
        read = {"test_sessions": held, "responses": answers, "profiles": [],
                "test_templates": rows("test_templates", "id", held[0]["test_template_id"]),
                "questions": [row for one in answers for row in rows("questions", "id", one["question_id"])],
                "processing_queue": rows("processing_queue", "test_session_id", session),
                "session_processing_queue": rows("session_processing_queue", "test_session_id", session)}
        rows("profiles", "id", USER)
    expect(len(answers) == count == len(read["questions"]), f"{len(answers)} answers, {len(read['questions'])} of their questions")
    expect(held[0]["completed_responses"] == count and held[0]["all_responses_uploaded"], "test_sessions: not all answers are counted")
    for table, found in read.items():
        for row in found:
            for column in wire[table].get("filled", "").split():
                expect(row[column] is not None, f"{table}.{column}: is null")
                if column.endswith("_score"):
                    expect(0 <= row[column] <= 9 and row[column] == round(row[column], 2), f"{table}.{column}: {row[column]!r}")
    expect({row["status"] for row in read["session_processing_queue"]} == {"completed"}, "session_processing_queue: not completed")
    return {"answers": count, "seconds": [row["duration_seconds"] for row in answers], "band": held[0]["overall_band_score"],
            "columns": sum(len(table["columns"].split()) for table in wire.values() if isinstance(table, dict))}


def practice_test():
    wire, base = fixture("practice-test"), BASE + "/v1"
    test = call(wire, "request", base)
    plan, questions = test["blueprint"], test["questions"]
    for quotas in ("topicQuotas", "difficultyDistribution", "bloomDistribution"):
        expect(sum(plan[quotas].values()) == len(plan["slots"]) == 6, f"{quotas}: {plan[quotas]}")
    expect(len({one["promptHash"] for one in questions}) == 6, "two prompts are the same")
    expect(all(len(one["options"]) == 5 for one in questions), "a question has not five choices")
    call(wire, "start", base, test=test["id"])
    for question in questions:
        call(wire, "answer", base, test=test["id"], question=urllib.request.quote(question["id"], safe=""))
    call(wire, "submit", base, test=test["id"])
    until("the test is graded", lambda: json.loads(ask("GET", f"{base}/practice-tests/{test['id']}")[1])["state"] == "graded")
    graded = call(wire, "result", base, test=test["id"])
    right = sum(one["rightAnswer"]["selectedOption"] == 2 for one in graded["questions"])
    expect(graded["result"]["right"] == right == sum(one["isRight"] for one in graded["questions"]), f"right: {graded['result']}")
    return {"questions": len(questions), "right": right, "course": graded["courseName"]}


def quiz_drill():
    wire, base = fixture("quiz-drill"), BASE + "/v1"
    questions = call(wire, "questions", base)
    expect(questions and not any(one["isAnswered"] for one in questions), "questions: none, or already answered")
    for question in questions:
        expect(0 <= question["answerIndex"] < len(question["options"]), f"answerIndex: {question}")
        call(wire, "task", base, title=question["question"])
    kept = call(wire, "tasks", base)["tasks"]
    expect({one["title"] for one in kept} == {one["question"] for one in questions}, f"tasks: {len(kept)} of {len(questions)}")
    return {"questions": len(questions), "tasks": len(kept)}


def quiz_submission(stranger):
    wire = fixture("quiz-submission")
    bank = json.loads(ask("GET", BASE + "/v1/questions?limit=2")[1])

    def opened():
        made = str(uuid.uuid4())
        status, text = ask("POST", BASE + "/v1/submissions", {"id": made})
        expect(status == 201, f"opening: {status} {text}")
        return made

    def inputs(answers, names):
        return [{"questionId": name, "answer": answer} for name, answer in zip(names, answers)]

    answers, quiz = inputs(wire["answers"], [one["id"] for one in bank]), opened()
    call(wire, "submit", BASE, status=401, token=None, submission=quiz, answers=answers)
    call(wire, "submit", BASE, status=403, token=stranger, submission=quiz, answers=answers)
    call(wire, "submit", BASE, status=404, submission=uuid.uuid4(), answers=answers)
    first = call(wire, "submit", BASE, submission=quiz, answers=answers)
    again = call(wire, "submit", BASE, submission=quiz, answers=answers)
    expect(first["attemptId"] == again["attemptId"], "the same answers are another attempt")
    expect("pending grading" in first["message"], f"message: {first['message']}")
    call(wire, "submit", BASE, status=409, submission=quiz, answers=answers[:1])
    state = json.loads(ask("GET", f"{BASE}/v1/submissions/{quiz}")[1])
    right = sum(one["answerIndex"] == chosen for one, chosen in zip(bank, (0, 1)))
    expect(state["state"] == "graded" and (state["right"], state["count"]) == (right, 2), f"grade: {state}, {right} are right")
    kinds = wire["answers"] + wire["other kinds"]
    call(wire, "submit", BASE, submission=opened(), answers=inputs(kinds, [f"own-{place}" for place in range(len(kinds))]))
    for name, wrong in wire["refused"].items():
        refusal = call(wire, "submit", BASE, status=wrong["status"], submission=opened(), answers=inputs([wrong["answer"]], ["q"]))
        expect(wrong["field"] in refusal["detail"], f"{name}: {refusal}")
    return {"kinds": len(kinds), "refused": len(wire["refused"]), "right": right}


def plan():
    wire = fixture("plan")
    profile = wire["profile"]
    call(wire, "health", BASE)
    first = now = call(wire, "routine", BASE, profile=profile)
    expect(set(now["dailyTasks"]) == set(profile["availableDays"]) == set(now["timeBlocks"]), f"days: {list(now['dailyTasks'])}")
    expect(any(now["dailyTasks"].values()) and now["version"] == 1, "the plan is empty")
    # Twice, because each choice has to differ from the one before it. A field of the application's own stays.
    now["note"] = "mine"
    for section in ("dailyTasks", "timeBlocks", "resources") * 2:
        then = call(wire, "reroll", BASE, section=section, profile=profile, plan=now)
        others = [name for name in now if then[name] != now[name] and name not in ("version", section)]
        expect(not others and then["version"] == now["version"] + 1, f"reroll {section}: changed {others}, {then['version']}")
        expect(section == "resources" or then[section] != now[section], f"reroll {section}: nothing changed")
        now = then
    prep = call(wire, "prep", BASE, profile=profile)
    expect(prep["starterQuestions"] and prep["weeklyDrillPlan"], "the prep pack is empty")
    expect("iOS engineer" in json.dumps(prep["prepOutline"]), f"prep: {prep['prepOutline']}")
    call(wire, "routine", BASE, status=400, profile={**profile, "availableDays": ["Mon", "Funday"]})
    call(wire, "routine", BASE, status=400, profile={**profile, "availableDays": ["Mon", "Mon"]})
    call(wire, "reroll", BASE, status=400, section="milestones", profile=profile, plan=now)
    call(wire, "reroll", BASE, status=400, section="resources", profile=profile, plan={**now, "weekOf": "2026-12-01"})
    return {"version": now["version"], "tasks": sum(map(len, first["dailyTasks"].values())), "questions": prep["starterQuestions"]}


JOURNEYS = {"speaking": speaking, "practice-test": practice_test, "quiz-drill": quiz_drill, "quiz-submission": quiz_submission, "plan": plan}
print(json.dumps(JOURNEYS[JOURNEY](*REST)))
