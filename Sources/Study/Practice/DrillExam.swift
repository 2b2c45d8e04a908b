public import ExamCore
public import SystemSupport

/// A spoken drill in the form of an exam, for the terminal and for a server.
public struct DrillExam: Sendable {
    /// The drill's own format.
    public let format: ExamFormat
    /// A paper with the drill's questions.
    public let paper: Paper
    /// A drill is practice: the learner may pause, and skip the preparation.
    public let options = ExamOptions(mode: .practice)

    /// - Parameter target: See `SpokenDrill.usualTarget`. Nil for the usual one.
    /// - Throws: `Problem` only if Oracy's own files are broken.
    public init(_ drill: SpokenDrill, _ questions: [Paper.Question], target: Double? = nil) throws(Problem) {
        format = try drill.format(target: target ?? drill.usualTarget)
        paper = drill.paper(of: questions)
    }
}

extension SpokenDrill {
    /// The drill in one sentence, for learners who choose one.
    public var summary: String {
        switch self {
        case .shadowing: "Speak along with a voice, for rhythm and intonation. You need headphones."
        case .repeatAfterMe: "Say five sentences after a voice, as long as it took."
        case .fourThreeTwo: "Tell one story three times, in 120, 90 and 60 seconds, and hear yourself get faster."
        case .oneMoreSentence: "Answer three questions with at least 30 seconds of speech each."
        case .pauseLess: "Answer three questions with as few pauses as you can."
        case .again: "Answer a question of an exam again, and better."
        }
    }

    /// The seconds that the drill usually takes, with the voice and the usual questions. Learners stop earlier or
    /// later.
    public var usualSeconds: Double {
        switch self {
        case .shadowing: 60
        case .repeatAfterMe: 90
        case .fourThreeTwo: 360  // A minute to prepare, 270 s to speak, and the examiner's words.
        case .oneMoreSentence: 180
        case .pauseLess: 150
        case .again: 60
        }
    }
}
