/// An entry in the list of practised things.
public struct PracticeTask: Equatable, Sendable, Identifiable {
    /// `PACK/ITEM`, `drill-12`, `spoken-3` or `test-ID`.
    public let id: String
    /// The question's text, or the name of the drill or test.
    public let title: String
    /// The time when it was last done.
    public let moment: StudyMoment
    public let isComplete: Bool
}

extension PracticeHistory {
    /// Returns the practised questions, drills and tests, the newest first. Each question has its latest answer. A
    /// question that the learner marked incomplete comes again in the next drill.
    public func tasks(of catalogue: PracticeCatalogue) -> [PracticeTask] {
        func task(_ id: String, _ title: String, _ moment: StudyMoment, _ isComplete: Bool) -> PracticeTask? {
            switch marks[id] {
            case .deleted: nil
            case .complete: PracticeTask(id: id, title: title, moment: moment, isComplete: true)
            case .incomplete: PracticeTask(id: id, title: title, moment: moment, isComplete: false)
            case nil: PracticeTask(id: id, title: title, moment: moment, isComplete: isComplete)
            }
        }
        let questions = memories.map { id, item in
            let question = catalogue.question(.init(memory: id, question: item.lastQuestion, role: .due))
            return task(id, question?.prompt ?? id, item.lastAnswered, item.lastVerdict.isRight)
        }
        let drills = finishedDrills.map { drill in
            let titles = drill.packs.map { catalogue.pack($0)?.title ?? $0 }
            let title = "Drill: \(titles.joined(separator: "; ")), \(drill.right) of \(drill.count) right at once"
            return task("drill-\(drill.number)", title, drill.moment, true)
        }
        let handedIn = tests.map { id, test in
            task("test-\(id)", "Test: \(test.right) of \(test.count) right", test.moment, true)
        }
        let spoken = spokenDrills.enumerated().map { place, drill in
            let title = "Spoken drill: \(drill.spoke.kind), \(Int(drill.spoke.speech.rounded())) s of speech"
            return task("spoken-\(place + 1)", title, drill.moment, true)
        }
        return (questions + drills + spoken + handedIn).compactMap(\.self)
            .sorted { ($1.moment.seconds, $0.id) < ($0.moment.seconds, $1.id) }
    }
}
