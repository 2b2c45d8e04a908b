import Foundation
import HTTPClient
import SystemSupport
import Testing

/// Valid requests of practice.
extension GoodRequests {
    func practice(_ method: String, _ path: String) async throws -> Good {
        let json = ["Content-Type": "application/json"]
        let choice: JSONValue = ["type": "multipleChoice", "selectedOption": 0]
        switch (method, path) {
        case ("PATCH", "/v1/practice"):
            return Good(
                path: path, headers: json,
                body: ["minutesADay": 15, "restDays": [6, 7], "pauseUntil": "2099-12-24"], fixed: ["pauseUntil"])
        case ("PUT", "/v1/practice/boards/{group}"):
            return Good(path: "/v1/practice/boards/7b", headers: json, body: ["name": "Ana"])
        case ("POST", "/v1/practice/drills"):
            return Good(
                path: path, headers: json,
                body: [
                    "packs": ["spoken-english"], "topics": ["food"], "difficulty": "Easy", "count": 3, "onlyDue": false,
                    "extra": true, "resume": false,
                ], fixed: ["packs", "topics", "difficulty", "onlyDue", "extra", "resume"])
        case ("POST", "/v1/practice/drill/answers"), ("POST", "/v1/practice/drill/next"):
            // Another topic than that of the drills above, which may have used up its items.
            let drill = try await told(
                "POST",
                Good(
                    path: "/v1/practice/drills", headers: json,
                    body: ["packs": ["spoken-english"], "topics": ["travel"], "count": 3, "extra": true]))
            let number = try #require(drill["number"])
            if path.hasSuffix("/next") {
                return Good(path: path, headers: json, body: ["number": number], fixed: ["number"])
            }
            return Good(
                path: path, headers: json,
                body: [
                    "number": number, "questionId": try #require(drill["question"]?["id"]), "answer": choice,
                    "seconds": 5.5,
                ], fixed: ["number", "questionId", "answer"])
        case ("PUT", "/v1/plan/profile"), ("POST", "/generate/routine"), ("POST", "/generate/prep"):
            return Good(path: path, headers: json, body: Self.profile, fixed: Self.fixedOfProfile)
        case ("POST", "/reroll"):
            let plan = try await told("POST", make("POST", "/generate/routine"))
            return Good(
                path: path, headers: json,
                body: ["section": "timeBlocks", "profile": Self.profile, "currentPlan": plan],
                fixed: ["profile", "currentPlan"])
        case ("POST", "/v1/plan/preview"), ("POST", "/v1/plan/reroll"):
            _ = try await told("PUT", make("PUT", "/v1/plan/profile"))
            return Good(
                path: path, headers: json, body: path.hasSuffix("reroll") ? ["section": "resources"] : ["anew": true])
        case ("POST", "/v1/plan"):
            _ = try await told("PUT", make("PUT", "/v1/plan/profile"))
            let preview = try await told("POST", Good(path: "/v1/plan/preview", headers: json, body: ["anew": true]))
            return Good(
                path: path, headers: json, body: ["version": try #require(preview["plan"]?["version"]), "anew": true],
                fixed: ["version", "anew"])
        case ("POST", "/v1/plan/reviewed"):
            let session = try await make("PUT", "/v1/sessions/{session}")
            #expect(try await send("PUT", session).status < 300)
            return Good(
                path: path, headers: json, body: ["session": try #require(session.body["id"])], fixed: ["session"])
        case ("POST", "/v1/tasks"):
            return Good(
                path: path, headers: json,
                body: ["title": "Read a page", "dueDate": "2026-11-25T12:00:00+01:00", "isComplete": true])
        case ("PATCH", "/v1/tasks"):
            let task = try await told("POST", make("POST", "/v1/tasks"))
            return Good(
                path: path, headers: json, body: ["id": try #require(task["id"]), "isComplete": false], fixed: ["id"])
        case ("POST", "/v1/practice-tests"):
            return Good(
                path: path, headers: json,
                body: [
                    "topics": ["food"], "difficulty": "Easy", "count": 3, "scheduledFor": "2026-12-01", "seed": 7,
                    "from": "bank", "courseId": "eng-1", "courseName": "English at work",
                ], fixed: ["topics", "count", "from"])
        case ("PUT", "/v1/practice-tests/{test}/answers/{question}"), ("POST", "/v1/submissions/{submission}"):
            let test = try await told("POST", make("POST", "/v1/practice-tests"))
            let id = try #require(test["id"]?.text)
            let question = try #require(test["questions"]?[0]?["id"]?.text)
            #expect(try await server.ask("POST", "/v1/practice-tests/\(id)/start", as: user).status == 200)
            if method == "PUT" {
                return Good(
                    path: "/v1/practice-tests/\(id)/answers/\(question)", headers: json,
                    body: ["answer": choice, "seconds": 4.5], fixed: ["answer"])
            }
            return Good(
                path: "/v1/submissions/\(id)", headers: json,
                body: [
                    "answers": [["questionId": .string(question), "answer": choice]],
                    "batch": ["number": 1, "of": 100],
                ], fixed: ["answers"])
        default: throw Problem(.missing, "no good request is known for \(method) \(path)")
        }
    }

    private static var profile: JSONValue {
        [
            "name": "Ana", "stage": "second year", "targetRole": "IELTS 7", "timeBudgetHoursPerDay": 1,
            "availableDays": [
                "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
            ],
            "constraints": ["not before 18:00"], "goalBand": 7, "testDate": "2099-12-20", "format": "exam",
        ]
    }

    /// The fields with rules that a description can't express: each day once, half bands, and days that exist.
    private static let fixedOfProfile: Set<String> = ["availableDays", "goalBand", "testDate", "constraints"]

    private func told(_ method: String, _ good: Good) async throws -> JSONValue {
        let answer = try await send(method, good)
        try #require((200..<300).contains(answer.status), "\(answer.status) \(answer.text)")
        return try JSONValue(answer.body)
    }
}
