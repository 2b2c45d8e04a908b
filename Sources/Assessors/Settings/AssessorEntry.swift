public import HTTPClient

/// One assessor as settings have it. Which fields it takes is its kind's: others are mistakes.
public struct AssessorEntry: Codable, Equatable, Sendable {
    public enum Kind: String, Codable, CaseIterable, Sendable {
        case transcriber, azure
        case languageModel = "language-model"
        case command
    }

    /// How a server is spoken to.
    public enum Interface: String, Codable, Sendable {
        case openAI = "openai"
        case whisperCPP = "whisper.cpp"
        case ollama
    }

    /// Its name in results: letters, digits, `-`, `_` and `.`, 1 to 40.
    public var id: String
    public var kind: Kind
    public var interface: Interface?
    /// Where it is asked: `https://api.openai.com/v1`, `http://localhost:11434`.
    public var address: String?
    /// Azure's, where no address is given: `westeurope`.
    public var region: String?
    public var model: String?
    /// BCP 47: `en`, `en-GB`.
    public var language: String?
    public var key: ServiceKey?
    /// Whether a recogniser writes fillers and false starts as they are said.
    public var verbatim: Bool?
    /// How often a language model is asked about an answer: 1 to 9, 3 where nothing is said.
    public var runs: Int?
    /// Bands between these runs that still are one mark; 1 where nothing is said.
    public var widest: Double?
    /// The program and its arguments.
    public var command: [String]?
    /// A program's own version; it rises with the program, and answers are assessed again.
    public var programVersion: String?
    /// Whether a program waits for a transcript.
    public var needsWords: Bool?
    /// How long one call may take; 120 where nothing is said.
    public var seconds: Double?
    /// What it costs, in whatever the budget counts.
    public var pricePerCall: Double?
    public var pricePerMinute: Double?
    /// Who runs the server where that is not the host's name: what a consent names.
    public var recipient: String?

    public init(id: String, kind: Kind) {
        self.id = id
        self.kind = kind
    }

    public var prices: AssessorPrices {
        AssessorPrices(perCall: pricePerCall ?? 0, perMinute: pricePerMinute ?? 0)
    }
}
