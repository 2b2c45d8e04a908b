public import HTTPClient

/// A prompt for a language model.
public struct ModelPrompt: Equatable, Sendable {
    /// The model's role and rules. Fixed text without words of a candidate.
    public var rules: String
    /// The material to judge or write about: JSON, so that foreign text appears only in strings.
    public var material: String
    /// The JSON Schema of the answer, as JSON.
    public var schema: String
    /// A name such as `speaking_assessment`: letters, digits and `_`.
    public var name: String
    /// The maximum number of tokens in the answer.
    public var longest: Int

    public init(rules: String, material: String, schema: String, name: String, longest: Int = 4096) {
        self.rules = rules
        self.material = material
        self.schema = schema
        self.name = name
        self.longest = longest
    }
}

/// A model's answer. Its text must be checked: a model may ignore the requested schema.
public enum ModelReply: Equatable, Sendable {
    case text(String)
    /// The answer broke off because it was longer than allowed.
    case cutOff
    /// The model refused.
    case declined
}

/// A language model: `OpenAIChat` or `OllamaChat`.
public protocol TextModel: Sendable {
    /// The name of the model: `llama3.1:8b`.
    var model: String { get }
    /// The address of its server: `https://api.openai.com/v1`.
    var address: String { get }

    /// Returns the first request for a prompt, without sending it.
    func request(for prompt: ModelPrompt, seed: Int) -> HTTPRequest

    /// Asks the model.
    ///
    /// - Parameter key: an idempotency key, the same for the same prompt, for servers that support such keys.
    /// - Throws: `ServiceFailure`.
    func reply(to prompt: ModelPrompt, seed: Int, key: String) async throws(ServiceFailure) -> ModelReply

    /// Returns the names of the models available on the server. The request contains no data.
    ///
    /// - Throws: `ServiceFailure` if the server does not answer.
    func names() async throws(ServiceFailure) -> [String]
}
