import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import Learning
import Reports
import ServerWork
import SessionFolders
import Study
import SystemSupport

/// A spoken drill's result for clients, with its tellings (the learner's, and the one to compare with) side by side.
struct DrillAnswer: Encodable, Sendable {
    var name, title: String
    var isReached: Bool
    /// The result in one or two sentences.
    var verdict: String
    /// The seconds of the longest telling, which is the common axis.
    var seconds: Double
    var tellings: [Told]
    var measures: [Measure]
    /// The seconds of the learner's speech.
    var speech: Double
    /// The answer that was given again. Absent for other drills.
    var again: Origin?

    struct Origin: Encodable, Sendable {
        var session: LowercaseID
        var answer: String
        /// The number of mended sentences of the earlier answer, which come back in drills.
        var mended: Int
    }

    struct Told: Encodable, Sendable {
        var name: String
        /// The learner's answer. Absent for the voice, and for the answer that is given again.
        var answer: LowercaseID?
        /// The address of the voice's sound. Absent for the learner's tellings.
        var voice: String?
        var seconds: Double
        /// The loudest samples of equal stretches, 0 to 1.
        var peaks: [Double]
        var pauses: [AssessmentAnswer.Pause]
    }

    /// A measure of each telling, in their order.
    struct Measure: Encodable, Sendable {
        var name: String
        /// Null if a telling does not have the measure.
        var values: [Double?]
    }

    /// The number of stretches in a telling that is as long as the axis.
    private static let stretches = 240

    init(_ held: HeldDrill, of exam: StoredExam) {
        let (drill, review) = (held.drill, held.review)
        (name, title) = (drill.rawValue, drill.title)
        (isReached, verdict) = (review.outcome.isReached, review.outcome.verdict)
        speech = review.speech
        again = held.origin.map {
            Origin(session: LowercaseID($0.session), answer: $0.answer, mended: held.retelling?.mended.count ?? 0)
        }
        let ids = Dictionary(exam.responses.map { ($0.record.name, $0.id) }) { first, _ in first }
        let longest = review.entries.map(\.telling.timeline.duration).max() ?? 0
        seconds = longest
        tellings = review.entries.map { entry in
            let timeline = entry.telling.timeline
            var (answer, voice) = (UUID?.none, String?.none)
            switch entry.source {
            case .answer(let record): answer = ids[record.name]
            case .voice(let question): voice = "/v1/sessions/\(exam.session.id.name)/voice/\(question)"
            case .before: break
            }
            let share = longest > 0 ? timeline.duration / longest : 0
            return Told(
                name: entry.telling.name, answer: answer.map { LowercaseID($0) }, voice: voice,
                seconds: timeline.duration,
                peaks: timeline.peaks(count: max(1, Int(share * Double(Self.stretches)))),
                pauses: timeline.pauses.map { .init(start: $0.start, end: $0.end) })
        }
        measures = TellingMeasure.allCases.map { measure in
            Measure(name: measure.name, values: review.entries.map { measure.value($0.telling.measures)?.tenths })
        }
    }
}

/// A spoken drill that was held, with its result.
struct HeldDrill: Sendable {
    var drill: SpokenDrill
    var review: DrillReview
    /// The line in the learner's practice log.
    var spoke: PracticeEvent.Spoke
    /// The answer that was given again.
    var origin: DrillOrigin?
    /// The same answer with what comes back of it. Nil for other drills, and if its exam was erased.
    var retelling: Retelling?
}

/// The answer of an exam that a drill gives again. A file of the drill's session keeps it.
struct DrillOrigin: Codable, Equatable, Sendable {
    /// The exam's session.
    var session: UUID
    /// The answer's name, such as `part1_q5`.
    var answer: String

    /// The file's name.
    static let file = "origin.json"
}

extension StoredExam {
    /// Returns a spoken drill with its result. Nil for an exam, until all answers are measured, and if this node cannot
    /// make the voice that the learner followed.
    func heldDrill(of owned: OwnedStore, in exams: LiveExams) async throws(StoreError) -> HeldDrill? {
        guard let drill = SpokenDrill(paper: session.paper), session.completedAt != nil, unmeasured.isEmpty else {
            return nil
        }
        let (evidence, answers) = (evidence, assessment.answers)
        var voices: [String: SoundTimeline] = [:]
        let service = exams.services.store.service
        let files = try await service.files(of: session.id)
        let origin = files[DrillOrigin.file].flatMap { try? JSONDecoder().decode(DrillOrigin.self, from: Data($0)) }
        var loop: QuestionLoop?
        // If the exam was erased meanwhile, there is no comparison.
        if let origin, let exam = try await owned.session(origin.session) {
            let evidence = try await StoredExam(exam, of: owned, in: service).evidence
            loop = QuestionLoop(
                ExamDossier(evidence, after: [], by: exams.services.panel.rules), answer: origin.answer)
        }
        if drill.hasModel {
            let record = files["session.json"]
            for question in Set(answers.filter(\.record.counts).map(\.record.question)) {
                guard let text = evidence.frozen?.script?.turns.first(where: { $0.id == question })?.question,
                    let voice = try? await exams.preparedExams.timeline(of: text, record: record)
                else { return nil }
                voices[question] = voice
            }
        }
        let review = DrillReview(drill, target: drill.usualTarget, answers, after: loop?.telling, voices: voices)
        let asked = evidence.frozen.flatMap { DrillQuestions(drill, heldWith: $0.paper) }
        return HeldDrill(
            drill: drill, review: review, spoke: .init(drill, review, item: asked?.item ?? drill.rawValue),
            origin: origin, retelling: loop.flatMap { loop in origin.map { Retelling(loop, of: $0.session.name) } })
    }
}
