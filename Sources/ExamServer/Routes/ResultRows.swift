import Assessment
import ExamCore
import ExamKit
import ExamStore
import Foundation
import SystemSupport

/// A session's results, as they are told.
struct ResultsAnswer: Encodable, Sendable {
    var session: SessionAnswer
    var status: String
    var assessment: AssessmentState
    /// How far people are who mark it; absent where nobody was asked.
    var marking: MarkingAnswer?
    /// Absent: not assessed.
    var scores: ScoresAnswer?
    /// Whether what was marked is what was sealed.
    var evidence: EvidenceAnswer
    /// What the candidate wrote on the card; absent where nothing.
    var notes: String?
    /// Absent where they are told one by one.
    var answers: [ResultAnswer]?
}

/// Whether scores are to be expected.
enum AssessmentState: String, Encodable, Sendable {
    /// Nobody scores answers here.
    case none
    /// They may come.
    case waiting
    /// They are there, as far as there is evidence for them.
    case done
    /// They were given up.
    case failed
}

extension Services {
    /// Scores that a person wrote into the database count as well as an assessor's.
    func assessment(of session: TestSession, _ marking: Marking) -> AssessmentState {
        if session.status == .evaluated || session.overallBand != nil { return .done }
        if panel.seats.isEmpty && marking.asked == 0 { return .none }
        return session.status == .failed ? .failed : .waiting
    }
}

struct ResultAnswer: Encodable, Sendable {
    var answerID: UUID
    /// Its fields stand beside these.
    var record: AnswerRecord
    /// The question's id in the session's template, where it has one.
    var questionID: UUID?
    /// The question's words where the template is known.
    var text: String?
    /// What the candidate was to speak about, where that was on a card, a picture, or to be chosen: its fields stand beside these.
    var asked: QuestionAnswer
    /// Of a hundred equal pieces the loudest sample of each, full scale 1; empty until it is processed.
    var peaks: [Double]
    var scores: ScoresAnswer?
    /// What was said, where somebody wrote it down.
    var transcript: String?
    /// Places of the transcript; absent where nobody looked.
    var mistakes: [Mistake]?
    var recording: String

    private enum CodingKeys: CodingKey {
        case id, questionId, text, peaks, scores, transcript, mistakes, recording
    }

    func encode(to encoder: any Encoder) throws {
        try record.encode(to: encoder)
        try asked.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(LowercaseID(answerID), forKey: .id)
        try fields.encodeIfPresent(questionID.map(LowercaseID.init), forKey: .questionId)
        try fields.encodeIfPresent(text, forKey: .text)
        try fields.encode(peaks, forKey: .peaks)
        try fields.encodeIfPresent(scores, forKey: .scores)
        try fields.encodeIfPresent(transcript, forKey: .transcript)
        try fields.encodeIfPresent(mistakes, forKey: .mistakes)
        try fields.encode(recording, forKey: .recording)
    }
}

struct ScoresAnswer: Encodable, Sendable {
    var overall, fluency, pronunciation, grammar, vocabulary, topicRelevance: Double?

    /// nil where nothing was assessed: never a number without evidence.
    init?(_ scores: Scores, overall: Double? = nil) {
        self.overall = overall
        fluency = scores.fluency
        pronunciation = scores.pronunciation
        grammar = scores.grammar
        vocabulary = scores.vocabulary
        topicRelevance = scores.topicRelevance
        let all = [overall, fluency, pronunciation, grammar, vocabulary, topicRelevance]
        if all.allSatisfy({ $0 == nil }) { return nil }
    }
}
