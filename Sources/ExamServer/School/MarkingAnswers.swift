import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import SystemSupport

/// A task in the form for its marker.
struct MarkingTaskAnswer: Encodable, Sendable {
    var task: LowercaseID
    var format, title: String
    var answers: Int
    /// The seconds of sound.
    var seconds: Double
    var takenAt: String
    /// The time after which another marker may get it. Absent once it is saved.
    var due: String?
    var markedAt: String?
    /// Whether two other markers differ, so that this mark decides.
    var isThird: Bool
    /// The party that held the exam: `client` if it was recorded elsewhere and uploaded.
    var held: String
    /// The hash of the seal on which the marks will be based; absent for exams taken by a marker before seals existed.
    var seal: String?
    /// True if a machine's mark waits for this person; otherwise absent. It does not say which mark, or why: that would
    /// influence the marker.
    var markHeld: Bool?

    init(_ task: MarkingTask, title: String?) {
        self.task = LowercaseID(task.id)
        format = task.format
        self.title = title ?? "\(task.format): \(task.paper)"
        (answers, seconds) = (task.answers, task.seconds)
        takenAt = task.takenAt
        due = task.sheet == nil ? WallTime(secondsSince1970: Int(task.due)).utc : nil
        markedAt = task.markedAt
        isThird = task.place > 2
        held = task.held.rawValue
        seal = task.seal
        markHeld = task.isMarkHeld ? true : nil
    }
}

/// Everything that a marker of one exam needs.
struct MarkingDeskAnswer: Encodable, Sendable {
    var task: MarkingTaskAnswer
    var rubric = RubricAnswer(.ieltsStyle)
    var answers: [MarkedAnswer]
    var draft: MarksGiven?
    var sheet: MarksGiven?
    /// The result of all marks, once this marker's are saved.
    var result: ExamResult?
}

/// The descriptions of the bands.
struct RubricAnswer: Encodable, Sendable {
    struct One: Encodable, Sendable {
        var name, title: String
        var bands: [Band]
    }

    struct Band: Encodable, Sendable {
        var band: Int
        var text: String
    }

    var id: String
    var criteria: [One]

    init(_ rubric: Rubric) {
        id = rubric.id
        criteria = Criterion.allCases.map { criterion in
            let bands = (rubric.descriptors[criterion] ?? [:]).sorted { $0.key > $1.key }
            return One(
                name: criterion.rawValue, title: criterion.title,
                bands: bands.map { Band(band: $0.key, text: $0.value) })
        }
    }
}

/// An answer to be marked. Nothing in it identifies the candidate.
struct MarkedAnswer: Encodable, Sendable {
    /// The answer's name, such as `part1_q3`.
    var answer: String
    var part, order, attempt: Int
    var question: String?
    var card: LiveState.Card?
    var picture: PictureAnswer?
    var alternatives: [AlternativeAnswer]?
    var rightAnswers: [String]?
    var seconds: Double?
    var speech: Double?
    /// The loudest sample of each of a hundred equal pieces. Empty until it is processed.
    var peaks: [Double]
    var recording: String

    init(_ response: TestResponse, in task: MarkingTask, _ script: ExamScript?, _ questions: [String: String]) {
        let record = response.record
        let turn = script?.turns.first { $0.id == record.question }
        answer = record.name
        (part, order, attempt) = (record.part, record.order, record.attempt)
        question = turn?.question ?? questions[record.question]
        let asked = QuestionAnswer(turn)
        (card, picture, alternatives) = (asked.card, asked.picture, asked.alternatives)
        rightAnswers = asked.rightAnswers
        seconds = record.duration?.duration.inSeconds
        speech = record.speech?.duration.inSeconds
        peaks = response.peaks ?? []
        recording = "/v1/marking/\(task.id.name)/answers/\(record.name)/recording"
    }
}

extension MarksGiven {
    /// The maximum number of comments.
    static let mostComments = 200

    /// The sheet in the form for the rules, without the marker's identity.
    var sheet: MarkSheet {
        MarkSheet(
            marker: "marker", markedAt: "", rubric: Rubric.ieltsStyle.id, bands: bands, topicRelevance: topicRelevance,
            comments: comments)
    }
}

/// The agreement between markers who marked the same exams.
struct AgreementAnswer: Encodable, Sendable {
    struct One: Encodable, Sendable {
        /// The marker's user name, if they gave one. Otherwise `marker` and the beginning of their id.
        var marker: String
        var isYou: Bool
        var criteria: [Figures]
    }

    struct Figures: Encodable, Sendable {
        var name: String
        var exams: Int
        var meanDifference, meanLead, kappa: Double?
    }

    /// The minimum number of exams for figures.
    var needed: Int
    var markers: [One]
    private let ids: [UUID]

    private enum CodingKeys: CodingKey { case needed, markers }

    /// Computes the agreement.
    ///
    /// - Parameters:
    ///   - only: one marker. Nil for all.
    ///   - needed: the minimum number of exams for figures.
    init(_ sessions: [[ServiceStore.SheetOf]], only: UUID?, asker: UUID, needed: Int) {
        self.needed = needed
        ids = only.map { [$0] } ?? Set(sessions.joined().map(\.marker)).sorted { $0.name < $1.name }
        markers = ids.map { marker in
            One(
                marker: "marker \(marker.name.prefix(8))", isYou: marker == asker,
                criteria: Criterion.allCases.map { Self.figures(of: marker, on: $0, in: sessions, needed: needed) })
        }
    }

    private static func figures(
        of marker: UUID, on criterion: Criterion, in sessions: [[ServiceStore.SheetOf]], needed: Int
    ) -> Figures {
        let pairs = sessions.compactMap { sheets -> (first: Double, second: Double)? in
            let marked = sheets.filter { $0.sheet.bands[criterion] != nil }
            let others = marked.filter { $0.marker != marker }
            guard let own = marked.first(where: { $0.marker == marker })?.sheet.bands[criterion],
                // A third marker decides between two, and is compared with the first of them.
                let other = others.min(by: {
                    ($0.sheet.markedAt, $0.sheet.marker) < ($1.sheet.markedAt, $1.sheet.marker)
                })?
                .sheet.bands[criterion]
            else { return nil }
            return (own, other)
        }
        let agreement = MarkerAgreement.make(of: pairs, needed: needed)
        return Figures(
            name: criterion.rawValue, exams: agreement.exams, meanDifference: agreement.meanDifference,
            meanLead: agreement.meanLead, kappa: agreement.kappa)
    }

    /// Returns a copy with the markers' own names.
    func named(by services: Services) async throws(StoreError) -> AgreementAnswer {
        var named = self
        for (place, id) in ids.enumerated() {
            if let name = try await services.owned(by: id).profile().username { named.markers[place].marker = name }
        }
        return named
    }
}
