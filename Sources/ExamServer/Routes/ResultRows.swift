import Assessment
import ExamCore
import ExamNode
import ExamStore
import Foundation
import ServerWork
import SystemSupport

/// A session's results in the form for clients.
struct ResultsAnswer: Encodable, Sendable {
    var session: SessionAnswer
    var status: String
    var assessment: AssessmentState
    /// The progress of marking by people. Absent if it was not requested.
    var marking: MarkingAnswer?
    /// The scores. Absent if not assessed.
    var scores: ScoresAnswer?
    /// Whether the marked evidence is the sealed evidence.
    var evidence: EvidenceStanding
    /// The candidate's notes on the card. Absent if they wrote nothing.
    var notes: String?
    /// The answers. Absent if they are sent one by one.
    var answers: [ResultAnswer]?
}

/// Whether to expect scores.
enum AssessmentState: String, Encodable, Sendable {
    /// Nothing here scores answers.
    case none
    /// Scores may come.
    case waiting
    /// The scores for which there is evidence are complete.
    case done
    /// The assessment was given up.
    case failed
}

extension Services {
    /// Returns the state of an assessment. Scores that a person wrote into the database count, too.
    func assessment(of session: TestSession, _ marking: Marking) -> AssessmentState {
        if session.status == .evaluated || session.overallBand != nil { return .done }
        if panel.seats.isEmpty && marking.asked == 0 { return .none }
        return session.status == .failed ? .failed : .waiting
    }
}

struct ResultAnswer: Encodable, Sendable {
    var answerID: UUID
    /// The record. Its fields are at the same level as the others.
    var record: AnswerRecord
    /// The question's id in the session's template, if it has one.
    var questionID: UUID?
    /// The question's words, if the template is known.
    var text: String?
    /// The question's card, picture or alternatives, if any. Its fields are at the same level as the others.
    var asked: QuestionAnswer
    /// The loudest sample of each of a hundred equal pieces, full scale 1. Empty until it is processed.
    var peaks: [Double]
    var scores: ScoresAnswer?
    /// The candidate's words, if they were written down or recognised.
    var transcript: String?
    /// The mistakes as places in the transcript. Absent if it was not checked.
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

    /// Creates the scores. Nil if nothing was assessed: there are no numbers without evidence.
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
