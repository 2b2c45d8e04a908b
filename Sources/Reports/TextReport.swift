public import Assessment

/// The language measures of an exam in a form for programs: all counts, and the sentences that people read.
public struct TextReport: Encodable, Sendable {
    public var answers: [Answer]
    /// The measures of all transcripts together. Nil without transcripts.
    public var exam: Profile?

    public struct Answer: Encodable, Sendable {
        /// The answer's name, such as `part1_q3`.
        public var answer: String
        public var profile: Profile
    }

    /// The fields of the profile together with its lines.
    public struct Profile: Encodable, Sendable {
        public var profile: TextProfile

        private enum CodingKeys: CodingKey {
            case lines
        }

        public func encode(to encoder: any Encoder) throws {
            try profile.encode(to: encoder)
            var fields = encoder.container(keyedBy: CodingKeys.self)
            try fields.encode(profile.lines, forKey: .lines)
        }
    }

    public init(_ text: ExamText) {
        answers = text.answers.map { Answer(answer: $0.answer, profile: Profile(profile: $0.profile)) }
        exam = text.exam.map(Profile.init)
    }
}
