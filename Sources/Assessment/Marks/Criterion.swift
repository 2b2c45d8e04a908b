/// What an IELTS-style speaking test judges, a quarter each (E1). Whether an answer is on the topic is no criterion, and stands apart.
public enum Criterion: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// Fluency and coherence.
    case fluency
    /// Lexical resource.
    case vocabulary
    /// Grammatical range and accuracy.
    case grammar
    case pronunciation
}
