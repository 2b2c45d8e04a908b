/// A criterion of an IELTS-style speaking test. Each criterion counts a quarter. Topic relevance is not a criterion and
/// is reported separately.
public enum Criterion: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// Fluency and coherence.
    case fluency
    /// Lexical resource.
    case vocabulary
    /// Grammatical range and accuracy.
    case grammar
    case pronunciation
}
