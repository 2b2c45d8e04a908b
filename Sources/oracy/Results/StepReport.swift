import Assessment

/// A recommendation with the command that follows it.
struct StepReport: Encodable {
    var step: NextStep
    var link: String?

    /// - Parameter session: The name by which commands find the exam.
    init(_ step: NextStep, of session: String) {
        self.step = step
        link = step.action?.command(for: session)
    }

    private enum CodingKeys: CodingKey { case link }

    func encode(to encoder: any Encoder) throws {
        try step.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(link, forKey: .link)
    }
}

extension NextStep.Action {
    /// Returns the command to type for it.
    ///
    /// - Parameter session: The name by which commands find the exam.
    func command(for session: String) -> String {
        switch self {
        case .checkSound: "oracy check"
        case .sit(nil): "oracy run"
        case .sit(let part?): "oracy run --part \(part)"
        case .answerAgain(let question): "oracy run --retry \(question.quotedForShell) --from \(session)"
        case .transcribe(let answer): "oracy transcribe \(session) \(answer)"
        }
    }
}
