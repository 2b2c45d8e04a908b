import Foundation
import HTTPClient
import Learning
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer

/// A learner's plan on the server, and plans that clients store themselves.
@Suite(.bothStores) struct PlansOverHTTP {
    private static var profile: [String: Any] {
        [
            "name": "Ana", "stage": "second year", "targetRole": "IELTS 7", "timeBudgetHoursPerDay": 1,
            "availableDays": Weekday.allCases.map(\.rawValue),
        ]
    }

    /// - Parameter clock: The server's clock. `SetClock()` is a Monday morning, so that all days are still to come.
    private func learner(_ clock: SetClock) async throws -> Learner {
        Learner(server: try await RunningServer(clock: clock) { $0.limits.requestsPerMinute = 1_000_000 })
    }

    private func tasks(_ told: [String: Any], _ day: String) throws -> [[String: Any]] {
        let plan = try #require(told["plan"] as? [String: Any])
        return try #require((plan["dailyTasks"] as? [String: [[String: Any]]])?[day])
    }

    private func state(_ told: [String: Any], _ id: Any?) throws -> String? {
        let ticks = try #require(told["ticks"] as? [String: [String: Any]])
        return ticks[try #require(id as? String)]?["state"] as? String
    }

    @Test func aWeekIsMadeTickedChangedAndUndone() async throws {
        let clock = SetClock()
        let learner = try await learner(clock)
        let empty = try await learner.told("GET", "plan")
        #expect(empty["profile"] == nil && empty["plan"] == nil && empty["canPreview"] as? Bool == false)
        #expect(try await learner.ask("POST", "plan/preview", [:] as [String: Any]).code == "no-profile")

        let first = try await learner.told("PUT", "plan/profile", Self.profile)
        let monday = try tasks(first, "Monday")
        #expect(!monday.isEmpty && first["today"] as? [String] == monday.compactMap { $0["id"] as? String })
        #expect(monday.allSatisfy { $0["command"] is String && $0["reason"] is String })
        // Tasks of any day will do, because the drill is done today.
        let drill = try #require(
            Weekday.allCases.lazy.compactMap { try? tasks(first, $0.rawValue) }.joined()
                .first { ($0["link"] as? String)?.hasPrefix("drill:") == true })
        #expect(try state(first, drill["id"]) == "open")

        // When the drill is finished, the server ticks its task.
        let pack = try #require(drill["link"] as? String).split(separator: ":")[1].split(separator: "/")[0]
        var going = try await learner.begin(["packs": [String(pack)], "count": 5, "extra": true])
        while going["phase"] as? String == "asking" {
            let answered = try await learner.answer(going, Learner.wire(Learner.question(going).solution), seconds: 30)
            going = try #require(answered.object["drill"] as? [String: Any])
        }
        let ticked = try await learner.told("GET", "plan")
        #expect(try state(ticked, drill["id"]) == "done")
        #expect((ticked["streak"] as? [String: Any])?["hasToday"] as? Bool == true)
        #expect(ticked["score"] is Double)

        // One section is made again. The others stay the same, and so does a finished task.
        let again = try await learner.told("POST", "plan/reroll", ["section": "dailyTasks"])
        let (before, after) = (
            try #require(ticked["plan"] as? [String: Any]), try #require(again["plan"] as? [String: Any])
        )
        for section in ["timeBlocks", "resources", "milestones"] {
            let (one, other) = (before[section] as? NSObject, after[section] as? NSObject)
            #expect(one == other && one != nil, "\(section)")
        }
        #expect(after["version"] as? Int == 2)
        let stays = try Weekday.allCases.flatMap { try tasks(again, $0.rawValue) }.first {
            $0["id"] as? String == drill["id"] as? String
        }
        #expect(stays?["link"] as? String == drill["link"] as? String)
        let undone = try await learner.told("POST", "plan/undo", [:] as [String: Any])
        let there = try #require(undone["plan"] as? [String: Any])
        #expect(there["dailyTasks"] as? NSObject == before["dailyTasks"] as? NSObject && there["version"] as? Int == 3)
        #expect(try await learner.ask("POST", "plan/undo", [:] as [String: Any]).code == "nothing-to-undo")

        // Two days later, Monday's other tasks were missed. The learner previews a new plan, and then accepts it.
        clock.pass(seconds: 2 * 86_400)
        #expect(try await learner.told("GET", "plan")["canPreview"] as? Bool == true)
        let preview = try await learner.told("POST", "plan/preview", [:] as [String: Any])
        let moved = try #require(preview["moved"] as? [[String: Any]])
        #expect(!moved.isEmpty && moved.allSatisfy { ["Monday", "Tuesday"].contains($0["from"] as? String) })
        let stale = try await learner.ask("POST", "plan", ["version": 17, "anew": false])
        #expect(stale.status == 409 && stale.code == "plan-changed")
        let taken = try await learner.told("POST", "plan", ["version": 4, "anew": false])
        #expect((taken["plan"] as? [String: Any])?["version"] as? Int == 4)

        let calendar = try await learner.ask("GET", "plan/calendar")
        #expect(calendar.header("Content-Type") == "text/calendar; charset=utf-8" && calendar.text.contains("VEVENT"))
        let export = try await learner.told("GET", "plan/export")
        #expect((export["profile"] as? [String: Any])?["name"] as? String == "Ana")
        #expect(((export["history"] as? [String: Any])?["entries"] as? [Any])?.count == 4)
        #expect((try await learner.told("GET", "plan/prep"))["starterQuestions"] is [String])
        let stranger = Learner(server: learner.server)
        #expect(try await stranger.told("GET", "plan")["profile"] == nil, "another user cannot see the plan")
        #expect(try await learner.ask("DELETE", "plan").status == 204)
        #expect(try await learner.told("GET", "plan")["plan"] == nil)
        await learner.server.stop()
    }

    /// A plan for the five workdays that is made on a Saturday evening, at a quarter to eleven, is for the next week.
    /// This holds for a stored plan and for one that the client keeps.
    @Test func aPlanOfWorkdaysThatIsMadeOnASaturdayBeginsOnMonday() async throws {
        let clock = SetClock(at: "2026-11-28T21:45:00Z")
        let learner = try await learner(clock)
        var profile = Self.profile
        profile["availableDays"] = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday"]
        let made = try await learner.told("PUT", "plan/profile", profile)
        #expect(made["day"] as? String == "2026-11-28" && made["begins"] as? String == "2026-11-30")
        #expect((made["today"] as? [String]) == [] && made["canPreview"] as? Bool == false)
        for day in ["Monday", "Friday"] { #expect(try !tasks(made, day).isEmpty, "\(day)") }
        let loose = try await learner.server.ask(
            "POST", "/generate/routine", profile, as: learner.user, headers: [("Oracy-Offset", "3600")])
        #expect(loose.object["weekOf"] as? String == "2026-11-30" && loose.object["dailyTasks"] != nil)
        // The plan begins on Monday at four in the morning.
        clock.pass(seconds: 28.5 * 3600)
        #expect(try await learner.told("GET", "plan")["begins"] as? String == "2026-11-30", "03:15")
        clock.pass(seconds: 3600)
        let begun = try await learner.told("GET", "plan")
        #expect(begun["begins"] == nil && (begun["today"] as? [String])?.isEmpty == false)
        await learner.server.stop()
    }

    /// The rest of an evening is planned, and nothing before it.
    @Test(arguments: ["2026-11-24T21:30:00Z", "2026-11-24T22:30:00Z"])
    func aPlanThatIsMadeInTheEveningBeginsThen(_ moment: String) async throws {
        let learner = try await learner(SetClock(at: moment))
        let made = try await learner.told("PUT", "plan/profile", Self.profile)
        let blocks = try #require((made["plan"] as? [String: Any])?["timeBlocks"] as? [String: [[String: Any]]])
        // The learner is an hour east of UTC.
        let now = moment.contains("T21") ? "22:30" : "23:30"
        #expect(
            blocks["Tuesday"]?.first?["begin"] as? String == now
                && blocks["Wednesday"]?.first?["begin"] as? String == "18:00")
        await learner.server.stop()
    }

    @Test func invalidFieldsOfAProfileAreNamed() async throws {
        let learner = try await learner(SetClock())
        for (field, value) in [
            ("timeBudgetHoursPerDay", 0), ("availableDays", ["Funday"]), ("availableDays", [String]()), ("name", " "),
            ("goalBand", 6.3), ("testDate", "2026-02-31"), ("format", "exams"), ("stage", 7),
        ] as [(String, Any)] {
            var profile = Self.profile
            profile[field] = value
            let refused = try await learner.ask("PUT", "plan/profile", profile)
            #expect(refused.status == 400 && refused.text.contains(field), "\(field): \(refused.text)")
        }
        await learner.server.stop()
    }

    /// The three requests of the reference server, and a plan that the server doesn't store.
    @Test func aClientKeepsItsPlanItself() async throws {
        let learner = try await learner(SetClock())
        let server = learner.server
        func ask(_ path: String, _ body: Any) async throws -> HTTPClient.HTTPResponse {
            try await server.ask("POST", path, body, as: learner.user)
        }
        let plan = try await ask("/generate/routine", Self.profile)
        #expect(plan.status == 200 && plan.object["version"] as? Int == 1)
        #expect(
            Set(plan.object.keys)
                == ["weekOf", "timeBlocks", "dailyTasks", "milestones", "resources", "version", "notes"])
        #expect(
            try await ask("/generate/routine", Self.profile).body == plan.body, "the same profile gives the same plan")
        let again = try await ask(
            "/reroll", ["section": "timeBlocks", "profile": Self.profile, "currentPlan": plan.object])
        #expect(again.object["version"] as? Int == 2)
        #expect(again.object["dailyTasks"] as? NSObject == plan.object["dailyTasks"] as? NSObject)
        #expect(again.object["timeBlocks"] as? NSObject != plan.object["timeBlocks"] as? NSObject)
        let prep = try await ask("/generate/prep", Self.profile)
        #expect(Set(prep.object.keys) == ["prepOutline", "weeklyDrillPlan", "starterQuestions", "resources"])
        #expect((prep.object["starterQuestions"] as? [String])?.isEmpty == false)

        var bent = plan.object
        bent["weekOf"] = "2026-11-24"
        let refused = try await ask("/reroll", ["section": "resources", "profile": Self.profile, "currentPlan": bent])
        #expect(refused.status == 400 && refused.text.contains("currentPlan.weekOf"), "\(refused.text)")
        #expect(try await server.ask("POST", "/generate/routine", Self.profile, as: nil).status == 401)
        #expect(try await learner.told("GET", "plan")["plan"] == nil, "the server stores no plan")
        for name in ["profile", "plan", "prep"] {
            let schema = try await server.ask("GET", "/schemas/\(name).json", as: nil)
            #expect(schema.status == 200 && schema.object["$schema"] is String, "\(name)")
        }
        await server.stop()
    }

    /// Days with short names ask for texts, and `Accept` asks for either version.
    @Test func theVersionFollowsTheDaysUnlessTheClientAsks() async throws {
        let learner = try await learner(SetClock())
        let server = learner.server
        var short = Self.profile
        short["availableDays"] = ["Mon", "Thu"]
        var full = Self.profile
        full["availableDays"] = ["Monday", "Thursday"]
        func days(_ profile: [String: Any], _ accept: String? = nil) async throws -> Set<String> {
            let plan = try await server.ask(
                "POST", "/generate/routine", profile, as: learner.user,
                headers: accept.map { [("Accept", $0)] } ?? [])
            return Set((plan.object["dailyTasks"] as? [String: Any] ?? [:]).keys)
        }
        let (briefly, fully): (Set<String>, Set<String>) = (["Mon", "Thu"], ["Monday", "Thursday"])
        #expect(try await days(short) == briefly)
        #expect(try await days(full) == fully)
        #expect(try await days(short, "application/json; version=2") == fully)
        #expect(try await days(full, "text/html, application/json;version=\"1\"") == briefly)
        #expect(try await days(full, "application/json; version=3, */*") == fully)
        full["availableDays"] = ["Mon", "Thursday"]
        let mixed = try await server.ask("POST", "/generate/routine", full, as: learner.user)
        #expect(mixed.status == 400 && mixed.text.contains("availableDays"), "\(mixed.text)")
        // The brief version's clients prepare for interviews, and cannot say so.
        let prep = try await server.ask("POST", "/generate/prep", short, as: learner.user)
        let outline = try #require(prep.object["prepOutline"] as? [[String: Any]])
        #expect(outline.first?["title"] as? String == "An interview", "\(outline)")
        await server.stop()
    }

    /// The client's program was written from the description alone.
    @Test(.needs(Trials.obstacle(to: "jsonschema"))) func aClientWrittenFromTheDescriptionPlansAWeek() async throws {
        let learner = try await learner(SetClock())
        let (status, said) = await Trials.run(
            Trials.folder + "/bin/python",
            [
                Programs.file("Client/plan-client.py"), learner.server.url,
                try await RunningServer.token(of: learner.user),
            ])
        try #require(status == 0, "\(said.suffix(2000))")
        let told = try #require(try JSONSerialization.jsonObject(with: Data(said.utf8)) as? [String: Any])
        #expect(told["tasks"] as? Int ?? 0 > 5 && told["questions"] as? Int ?? 0 > 3, "\(said)")
        // The plan was made, one section made again, that undone, and another plan accepted.
        #expect(told["version"] as? Int == 4 && told["events"] as? Int ?? 0 > 5, "\(said)")
        await learner.server.stop()
    }
}
