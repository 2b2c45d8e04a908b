public import HTTPClient

/// One assessor in the settings. Its kind determines which fields it has, and other fields are mistakes.
public struct AssessorEntry: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case transcriber, azure
        /// The recogniser on this machine.
        case words
        case languageModel = "language-model"
        case command
    }

    /// The protocol of a server.
    public enum Interface: String, Codable, Sendable {
        case openAI = "openai"
        case whisperCPP = "whisper.cpp"
        case ollama
    }

    /// The assessor's name in results: 1 to 40 letters, digits, `-`, `_` and `.`.
    public var id: String
    public var kind: Kind
    public var interface: Interface?
    /// The server's address: `https://api.openai.com/v1`, `http://localhost:11434`.
    public var address: String?
    /// Azure's region if no address is given: `westeurope`.
    public var region: String?
    public var model: String?
    /// The language in BCP 47: `en`, `en-GB`.
    public var language: String?
    public var key: ServiceKey?
    /// Whether a recogniser writes fillers and false starts as they are spoken.
    public var verbatim: Bool?
    /// The number of times that a language model is asked about an answer: 1 to 9, by default 3.
    public var runs: Int?
    /// The largest difference in bands between these runs that still gives one mark, by default 1.
    public var widest: Double?
    /// The program and its arguments.
    public var command: [String]?
    /// The version of the user's program. If the user increases it, answers are assessed again.
    public var programVersion: String?
    /// Whether the program waits for a transcript.
    public var needsWords: Bool?
    /// The seconds that one call may take, by default 120.
    public var seconds: Double?
    /// The price of a call, in the unit of the budget.
    public var pricePerCall: Double?
    public var pricePerMinute: Double?
    /// The name of the server's operator if it is not the host's name. Consents use it.
    public var recipient: String?

    public init(id: String, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    public var prices: AssessorPrices {
        AssessorPrices(perCall: pricePerCall ?? 0, perMinute: pricePerMinute ?? 0)
    }
}
