package import Learning

/// The wire's answers and the core's, one as the other. The wire's `spoken` is a recording, and the core's is how much speech was heard: how much of a
/// recording is speech is measured, and not said by who sends it, so neither is the other.
extension AnyAnswer {
    /// nil where it is spoken.
    package init?(_ answer: PracticeAnswer) {
        switch answer {
        case .multipleChoice(let selected): self = .multipleChoice(selectedOption: selected)
        case .fillInTheBlank(let text): self = .fillInTheBlank(textAnswer: text)
        case .calculation(let text): self = .calculation(numericAnswer: text)
        case .spoken: return nil
        }
    }

    /// nil where it is spoken.
    package var practiceAnswer: PracticeAnswer? {
        switch self {
        case .multipleChoice(let selected): .multipleChoice(selectedOption: selected)
        case .fillInTheBlank(let text): .fillInTheBlank(textAnswer: text)
        case .calculation(let text): .calculation(numericAnswer: text)
        case .spoken: nil
        }
    }
}
