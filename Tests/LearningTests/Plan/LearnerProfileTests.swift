import SystemSupport
import Testing

@testable import Learning

@Suite struct LearnerProfileTests {
    private func read(_ json: String) throws(Problem) -> LearnerProfile {
        try LearnerProfile.read(from: Array(json.utf8), name: "me.json")
    }

    private func sentence(_ change: (inout [(String, String)]) -> Void) -> String {
        var fields = [
            ("name", "\"Mei\""), ("stage", "\"graduate\""), ("targetRole", "\"nurse\""),
            ("timeBudgetHoursPerDay", "1.5"),
            ("availableDays", "[\"Monday\", \"Friday\"]"),
        ]
        change(&fields)
        do throws(Problem) {
            _ = try read("{\(fields.map { "\"\($0)\": \($1)" }.joined(separator: ", "))}")
            return ""
        } catch { return error.sentence }
    }

    @Test func profileIsReadWithItsOwnFieldsOrWithout() throws {
        let plain = try read(
            #"{"name": "Mei", "stage": "graduate", "targetRole": "nurse", "timeBudgetHoursPerDay": 1.5, "availableDays": ["Friday"]}"#
        )
        #expect(plain.minutesADay == 90 && plain.availableDays == [.friday] && plain.constraints == nil)
        let full = SamplePlans.profile(
            hours: 0.5, [.sunday], ["not before 18:00"], test: SamplePlans.week, format: .interview, goal: 6.5)
        #expect(try LearnerProfile.read(from: full.json, name: "me.json") == full)
        #expect(String(decoding: full.json, as: UTF8.self).contains("\"testDate\" : \"2026-11-23\""))
    }

    @Test func mistakesAreNamedWithTheirField() {
        #expect(sentence { _ in } == "")
        #expect(sentence { $0.removeFirst() } == "me.json: name: is missing")
        #expect(sentence { $0[0].1 = "\" \"" } == "me.json: name: is empty")
        #expect(
            sentence { $0[3].1 = "17" }
                == "me.json: timeBudgetHoursPerDay: should be more than 0 and at most 16, not 17.0")
        #expect(sentence { $0[3].1 = "0" }.hasPrefix("me.json: timeBudgetHoursPerDay: should be more than 0"))
        #expect(sentence { $0[3].1 = "\"1\"" } == "me.json: timeBudgetHoursPerDay: should be a number")
        #expect(sentence { $0[4].1 = "[]" } == "me.json: availableDays: is empty")
        #expect(sentence { $0[4].1 = "[\"Friday\", \"Friday\"]" } == "me.json: availableDays[1]: Friday is there twice")
        #expect(sentence { $0[4].1 = "[\"Fri\"]" }.hasPrefix("me.json: availableDays[0]: should be Monday, Tuesday"))
        #expect(
            sentence { $0.append(("goalBand", "6.3")) } == "me.json: goalBand: should be 0 to 9 in half bands, not 6.3")
        #expect(
            sentence { $0.append(("testDate", "\"2026-02-30\"")) }.contains("testDate: should be a day like 2026-11-25")
        )
        #expect(
            sentence { $0.append(("format", "\"essay\"")) }
                == "me.json: format: should be exam or interview, not \"essay\"")
        #expect(sentence { $0.append(("constraints", "[\"\"]")) } == "me.json: constraints[0]: is empty")
        #expect(sentence { $0.append(("agee", "7")) } == "me.json: agee: is not a field of a profile")
    }

    @Test(
        arguments: [
            ("not on Wednesday", .notOn([.wednesday])), ("Not on Mondays and Fridays.", .notOn([.monday, .friday])),
            ("not on weekends", .notOn([.saturday, .sunday])), ("not on Tue, Thu", .notOn([.tuesday, .thursday])),
            ("not before 18:00", .notDuring(0..<1080, Set(Weekday.allCases))),
            ("not after 21:00 on Friday", .notDuring(1260..<1440, [.friday])),
            ("not Monday 18:00-19:00", .notDuring(1080..<1140, [.monday])),
            ("not on Monday 18:00–19:00", .notDuring(1080..<1140, [.monday])),
            ("not 12:00-13:30", .notDuring(720..<810, Set(Weekday.allCases))),
            ("not between 7:00 and 8:15 on weekdays", .notDuring(420..<495, Set(SamplePlans.workdays))),
            ("at most 20 minutes at once", .atOnce(20)), ("at most 30 minutes a day", .aDay(30, Set(Weekday.allCases))),
            ("at most 15 minutes on Friday", .aDay(15, [.friday])),
            ("no speaking on Monday", .without([.speaking, .exam], [.monday])),
            ("NO EXAMS OR TESTS", .without([.exam, .test], Set(Weekday.allCases))),
            ("gym on Tuesday evening", .notDuring(1080..<1440, [.tuesday])),
            ("Football every Tue and Thu evening.", .notDuring(1080..<1440, [.tuesday, .thursday])),
            ("I have choir on Monday evenings", .notDuring(1080..<1440, [.monday])),
            ("work 9:00–17:00 on weekdays", .notDuring(540..<1020, Set(SamplePlans.workdays))),
            ("school until 14:30, Monday to Friday", .notDuring(0..<870, Set(SamplePlans.workdays))),
            ("I'm at work from 8:00 to 16:30 every day", .notDuring(480..<990, Set(Weekday.allCases))),
            ("too tired after 21:00", .notDuring(1260..<1440, Set(Weekday.allCases))),
            ("church Sunday morning", .notDuring(0..<720, [.sunday])),
        ] as [(String, PlanConstraint.Rule)])
    func sentenceIsUnderstood(_ text: String, _ rule: PlanConstraint.Rule) {
        #expect(PlanConstraint(text).rule == rule)
    }

    @Test(arguments: [
        "I like mornings", "not on Someday", "not before noon", "not before 25:00", "not 19:00-18:00",
        "at most minutes at once",
        "at most 0 minutes at once", "no fun on Monday", "gym", "gym on Tuesday", "Tuesday evening", "gym at 18:00",
        "only free on Monday evening", "I can't on Monday evening", "work from 9 to 5",
        "gym on Tuesday evening or Friday",
        "gym on Tuesday evening 18:00-19:00", "practise every morning", "shift 22:00-06:00", "no", "not", "not on",
        "at most 20 minutes at once on Monday",
        "",
    ])
    func otherSentencesAreNotConstraints(_ text: String) { #expect(PlanConstraint(text).rule == nil) }

    @Test func unknownAndImpossibleConstraintsAreNamed() {
        func notes(_ constraints: [String], _ days: [Weekday] = SamplePlans.workdays) -> [String] {
            StudyPlan(for: SamplePlans.profile(hours: 1, days, constraints), SamplePlans.known, week: SamplePlans.week)
                .notes
                .filter { [.impossible, .notUnderstood].contains($0.about) }.map(\.text)
        }
        let examples = PlanConstraint.examples
        #expect(notes(["I like mornings"]) == ["Not understood and ignored: \"I like mornings\". \(examples)"])
        // Each example is understood.
        let quoted = examples.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
        #expect(quoted.count == 3 && quoted.allSatisfy { PlanConstraint(String($0)).rule != nil })
        #expect(
            notes(["not on Monday"], [.monday]) == [
                "Impossible and ignored: \"not on Monday\" leaves no time on any day."
            ])
        // The later constraint is dropped.
        #expect(
            notes(["not before 20:00", "not after 19:00"]) == [
                """
                Impossible and ignored: "not after 19:00" leaves no time on any day, together with your other \
                constraints.
                """
            ])
        #expect(notes(["at most 3 minutes at once"]).count == 1 && notes(["not on weekends", "no drills"]).isEmpty)
    }
}
