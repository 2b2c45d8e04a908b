import ExamCore
import Learning
import Testing

@testable import Study

/// The states of assigned work, from what a learner did.
@Suite struct AssignmentTests {
    private static let monday = StudyDay("2026-11-23")!

    /// A moment at ten in the morning, some days after Monday.
    private static func moment(_ day: Int, second: Int = 0) -> StudyMoment {
        StudyMoment(seconds: (monday.number + day) * 86_400 + 36_000 + second, offset: 0)
    }

    private static func assigned(_ id: String, _ work: String, due: Int, made day: Int = 0) -> Assignment {
        Assignment(
            id: id, work: AssignedWork(work)!, due: monday.advanced(by: due), madeAt: moment(day).seconds)
    }

    private static func exam(
        _ session: String, on day: Int, parts: Set<Int> = [1, 2, 3], format: String = "ielts-style",
        paper: String = "bridges"
    ) -> WorkDone {
        let exam = WorkDone.Exam(
            session: session, format: format, paper: paper, parts: parts, isWhole: parts.count == 3)
        return WorkDone(.exam(exam), at: moment(day, second: 1))
    }

    private static func practice(_ link: String, on day: Int) -> WorkDone {
        WorkDone(.practice(PlanLink(link)!), at: moment(day, second: 1))
    }

    /// Returns the names of the states, in the order of the assignments.
    private static func names(
        _ assignments: [Assignment], after done: [WorkDone], today: Int
    ) -> [String] {
        let states = assignments.states(after: done, on: monday.advanced(by: today))
        return assignments.map { states[$0.id]?.name ?? "none" }
    }

    // MARK: - The work

    @Test(
        arguments: [
            "sit:full", "sit:part2", "sit:interview", "sit:interview/part4", "drill:spoken-english",
            "drill:spoken-english/food", "speak:4-3-2", "lesson:collocations-1", "test:new",
            "paper:ielts-style/bridges", "paper:brief/Few (2)",
        ])
    func workIsReadAsItIsWritten(_ text: String) { #expect(AssignedWork(text)?.text == text) }

    @Test(
        arguments: [
            "", "sit:", "sit:part4", "sit:part2/food", "review:last", "test:17", "shadow:collocations-1", "paper:",
            "paper:brief", "paper:brief/", "paper:/few", "paper:a/b/c", "drill:<b>", "lesson:../x", "speak:loud",
        ])
    func otherWorkIsNotAssigned(_ text: String) { #expect(AssignedWork(text) == nil) }

    // MARK: - States

    @Test func workIsOpenThenDoneLateOrMissing() {
        let part = [Self.assigned("a", "sit:part2", due: 2)]
        #expect(Self.names(part, after: [], today: 2) == ["open"])
        #expect(Self.names(part, after: [], today: 3) == ["missing"])
        #expect(Self.names(part, after: [Self.exam("s", on: 2, parts: [2])], today: 9) == ["done"])
        #expect(Self.names(part, after: [Self.exam("s", on: 3)], today: 9) == ["late"])
        #expect(Self.names(part, after: [Self.exam("s", on: 1, parts: [1, 3])], today: 2) == ["open"])
        let states = part.states(after: [Self.exam("s", on: 3)], on: Self.monday.advanced(by: 9))
        #expect(states["a"]?.deed?.session == "s" && states["a"]?.deed?.day.text == "2026-11-26")
    }

    @Test func onlyWorkThatCameLaterCounts() {
        let assignments = [
            Self.assigned("exam", "sit:full", due: 5, made: 2), Self.assigned("drill", "drill:p", due: 5, made: 2),
            Self.assigned("lesson", "lesson:l", due: 5, made: 2),
        ]
        let earlier = [
            Self.exam("s", on: 1), Self.practice("drill:p", on: 1), Self.practice("lesson:l", on: 1),
        ]
        // A learner reads a lesson once.
        #expect(Self.names(assignments, after: earlier, today: 3) == ["open", "open", "done"])
    }

    @Test func aDeedDoesOneAssignment() {
        let twice = [Self.assigned("a", "speak:shadowing", due: 1), Self.assigned("b", "speak:shadowing", due: 8)]
        #expect(Self.names(twice, after: [Self.practice("shadow:l", on: 1)], today: 1) == ["done", "open"])
        // This week's is done in time; last week's stays missing.
        #expect(Self.names(twice, after: [Self.practice("shadow:l", on: 6)], today: 6) == ["missing", "done"])
        let again = [Self.practice("shadow:l", on: 6), Self.practice("shadow:m", on: 7)]
        #expect(Self.names(twice, after: again, today: 7) == ["late", "done"])
        // All assignments of a lesson are done by reading it.
        let lessons = [Self.assigned("a", "lesson:l", due: 1), Self.assigned("b", "lesson:l", due: 8)]
        #expect(Self.names(lessons, after: [Self.practice("lesson:l", on: 6)], today: 6) == ["late", "done"])
    }

    @Test func anExamDoesTheWorkThatItFitsBest() {
        let all = [
            Self.assigned("part", "sit:part2", due: 3), Self.assigned("whole", "sit:full", due: 4),
            Self.assigned("paper", "paper:ielts-style/bridges", due: 5),
        ]
        #expect(Self.names(all, after: [Self.exam("s", on: 1)], today: 1) == ["open", "open", "done"])
        #expect(
            Self.names(all, after: [Self.exam("s", on: 1, paper: "drawn")], today: 1) == ["open", "done", "open"])
        #expect(Self.names(all, after: [Self.exam("s", on: 1, parts: [2])], today: 1) == ["done", "open", "open"])
        let other = Self.exam("s", on: 1, format: "interview")
        #expect(Self.names(all, after: [other], today: 1) == ["open", "open", "open"])
    }

    @Test func aStudyDayEndsInTheNight() {
        let part = [Self.assigned("a", "sit:part2", due: 0)]
        for (hour, state) in [(26, "done"), (29, "late")] {
            let begun = StudyMoment(seconds: Self.monday.number * 86_400 + hour * 3600, offset: 0)
            let exam = WorkDone(Self.exam("s", on: 0).what, at: begun)
            #expect(Self.names(part, after: [exam], today: 1) == [state], "at \(hour) h")
        }
    }

    // MARK: - Made histories

    private static let works = [
        "sit:full", "sit:part1", "sit:part2", "paper:ielts-style/bridges", "drill:p", "drill:p/t", "speak:repeat",
        "lesson:l", "test:new",
    ]

    private static func history(_ dice: inout SplitMix64) -> ([Assignment], [WorkDone], today: Int) {
        let assignments = (0..<Int.random(in: 0...6, using: &dice)).map { number in
            let made = Int.random(in: 0...6, using: &dice)
            return assigned(
                "a\(number)", works.randomElement(using: &dice)!, due: made + Int.random(in: 0...6, using: &dice),
                made: made)
        }
        let deeds = (0..<Int.random(in: 0...8, using: &dice)).map { number in
            let day = Int.random(in: 0...14, using: &dice)
            switch Int.random(in: 0...5, using: &dice) {
            case 0: return exam("s\(number)", on: day, paper: ["bridges", "drawn"].randomElement(using: &dice)!)
            case 1: return exam("s\(number)", on: day, parts: [Int.random(in: 1...3, using: &dice)])
            case 2: return practice(["drill:p", "drill:p/t"].randomElement(using: &dice)!, on: day)
            case 3: return practice("lesson:l", on: day)
            case 4: return practice("test:\(number)", on: day)
            default: return practice("speak:repeat", on: day)
            }
        }
        return (assignments, deeds, Int.random(in: 0...14, using: &dice))
    }

    @Test func statesHoldInAllHistories() {
        var dice = SplitMix64(seed: 52)
        var seen: [String: Int] = [:]
        for number in 0..<4_000 {
            let (assignments, all, today) = Self.history(&dice)
            let (day, deeds) = (
                Self.monday.advanced(by: today), all.filter { $0.day <= Self.monday.advanced(by: today) }
            )
            let states = assignments.states(after: deeds, on: day)
            #expect(states == assignments.shuffled(using: &dice).states(after: deeds.shuffled(using: &dice), on: day))
            var free = deeds
            for one in assignments {
                let state = states[one.id]!
                seen[state.name, default: 0] += 1
                guard let deed = state.deed else {
                    #expect((state == .missing) == (one.due < day), "history \(number): \(one) \(state)")
                    continue
                }
                #expect(one.work.rank(of: deed.what) != nil && deeds.contains(deed), "history \(number): \(one)")
                #expect(deed.moment.seconds >= one.madeAt || one.work.countsEarlier, "history \(number): \(one)")
                #expect((state == .done(deed)) == (deed.day <= one.due), "history \(number): \(one) \(state)")
                if one.work.countsEarlier { continue }
                let place = free.firstIndex(of: deed)
                #expect(place != nil, "history \(number): a deed does two assignments: \(deed)")
                if let place { free.remove(at: place) }
            }
            // Nothing is left undone for which there is a deed.
            for one in assignments where states[one.id]!.deed == nil {
                let fitting = free.first {
                    one.work.rank(of: $0.what) != nil
                        && ($0.moment.seconds >= one.madeAt || one.work.countsEarlier)
                }
                #expect(fitting == nil, "history \(number): \(one) is not done by \(String(describing: fitting))")
            }
        }
        #expect(seen.count == 4 && seen.values.allSatisfy { $0 > 500 }, "\(seen)")
    }
}
