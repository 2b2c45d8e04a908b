package import Learning

/// Conversions between the wire's answers and the core's. `spoken` can't be converted: on the wire it is a recording,
/// in the core the amount of speech. The server measures the amount of speech in a recording, and does not accept a
/// sender's figure.
extension AnyAnswer {
    /// Creates the other form of an answer. Nil if the answer is spoken.
    package init?(_ answer: PracticeAnswer) {
        switch answer {
        case .multipleChoice(let selected): self = .multipleChoice(selectedOption: selected)
        case .multipleResponse(let selected): self = .multipleResponse(selectedOptions: selected)
        case .ordering(let order): self = .ordering(order: order)
        case .matching(let matches): self = .matching(matches: matches)
        case .fillInTheBlank(let text): self = .fillInTheBlank(textAnswer: text)
        case .calculation(let text): self = .calculation(numericAnswer: text)
        case .spoken: return nil
        }
    }

    /// The core's answer; nil for a spoken answer.
    package var practiceAnswer: PracticeAnswer? {
        switch self {
        case .multipleChoice(let selected): .multipleChoice(selectedOption: selected)
        case .multipleResponse(let selected): .multipleResponse(selectedOptions: selected)
        case .ordering(let order): .ordering(order: order)
        case .matching(let matches): .matching(matches: matches)
        case .fillInTheBlank(let text): .fillInTheBlank(textAnswer: text)
        case .calculation(let text): .calculation(numericAnswer: text)
        case .spoken: nil
        }
    }
}
