import ExamCore
import ExamNode
import Learning
import Study

/// The work that teachers of this server can assign: what all learners of the server have.
struct WorkOnOffer: Sendable {
    let catalogue: ExamCatalogue
    private let content = PracticeContent.builtIn

    init(_ catalogue: ExamCatalogue) { self.catalogue = catalogue }

    /// The number of parts of each format, by its id.
    var partCounts: [String: Int] {
        Dictionary(catalogue.formats.map { ($0.id, $0.parts.count) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the title for people: "Part 2 of an exam". Nil if this server does not have the work.
    func title(of work: AssignedWork) -> String? {
        switch work {
        case .paper(let format, let paper):
            guard let format = catalogue.format(format), let paper = catalogue.paper(paper),
                catalogue.fitting(format).contains(where: { $0.id == paper.id })
            else { return nil }
            return "\(format.title): \(paper.title)"
        case .task(.sit(let sitting)):
            let isExam = sitting.format == .exam
            guard let part = sitting.part else { return isExam ? "A whole exam" : "A whole job interview" }
            return "Part \(part) of \(isExam ? "an exam" : "a job interview")"
        case .task(.drill(let pack, let topic)):
            guard let pack = content.catalogue.pack(pack) else { return nil }
            if let topic, !pack.items.contains(where: { $0.topic == topic }) { return nil }
            return "Drill: \(pack.title)" + (topic.map { ", \($0)" } ?? "")
        case .task(.lesson(let lesson)):
            return content.lessons[lesson].map { "Lesson: \($0.lesson.title)" }
        case .task(.speak(let kind)):
            return SpokenDrill(rawValue: kind.rawValue)?.title
        case .task(.test):
            return "A test"
        case .task(.review), .task(.shadow):
            return nil
        }
    }
}
