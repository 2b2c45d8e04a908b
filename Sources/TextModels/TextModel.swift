public import HTTPClient

/// What a language model is asked.
public struct ModelPrompt: Equatable, Sendable {
    /// Whose part it plays, and by which rules; ours alone, no words of a candidate's.
    public var rules: String
    /// What is to be judged or written about: JSON, so that words of strangers stand in strings.
    public var material: String
    /// What the answer has to look like: a JSON Schema, as JSON.
    public var schema: String
    /// `speaking_assessment`: letters, digits and `_`.
    public var name: String
    /// Tokens of the answer.
    public var longest: Int

    public init(rules: String, material: String, schema: String, name: String, longest: Int = 4096) {
        self.rules = rules
        self.material = material
        self.schema = schema
        self.name = name
        self.longest = longest
    }
}

/// What a model answered. Its text is not to be believed: a schema that was asked for need not be kept.
public enum ModelReply: Equatable, Sendable {
    case text(String)
    /// It ended in the middle: the answer was longer than allowed.
    case cutOff
    /// It refused.
    case declined
}

/// A language model somewhere: `OpenAIChat`, `OllamaChat`.
public protocol TextModel: Sendable {
    /// The model's own name: `llama3.1:8b`.
    var model: String { get }
    /// Where it is asked: `https://api.openai.com/v1`.
    var address: String { get }

    /// What would be sent, the first time; nothing is.
    func request(for prompt: ModelPrompt, seed: Int) -> HTTPRequest

    /// - Parameter key: the same for the same question: for servers that know such keys.
    /// - Throws: `ServiceFailure`.
    func reply(to prompt: ModelPrompt, seed: Int, key: String) async throws(ServiceFailure) -> ModelReply

    /// What can be asked for there now, by name; the question holds nothing.
    ///
    /// - Throws: `ServiceFailure` where nobody answers.
    func names() async throws(ServiceFailure) -> [String]
}
