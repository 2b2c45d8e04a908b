/// One thing that a model is to write, and what it is held to: an item of a bank, a question with a key.
public protocol GenerationWish: Codable, Equatable, Sendable {
    associatedtype Piece: Codable & Equatable & Sendable & Identifiable where Piece.ID == String
    associatedtype Known: KnownPieces where Known.Piece == Piece

    /// What a model is asked.
    ///
    /// - Parameters:
    ///   - faults: what was wrong with the answer before; empty the first time.
    ///   - earlier: that answer; nil where there is none, or it is of no use.
    func prompt(beside known: Known, repairing faults: [ItemFinding], earlier: String?) -> GenerationPrompt

    /// An answer as what was wished for, or the one thing because of which it is none. No rule looks at it yet.
    ///
    /// - Parameter writtenBy: the model's name; the piece bears it.
    func read(_ text: String, writtenBy: String, beside known: Known) -> Result<Piece, DraftFault>

    /// All that is wrong with it, by all rules, also beside what stands already.
    func findings(of piece: Piece, beside known: Known) -> [ItemFinding]

    /// Ids of those that may stand in where a model wrote nothing of use, one as good as the other.
    ///
    /// - Parameter used: those that stand in already.
    func standIns(in known: Known, without used: Set<String>) -> [String]
}

/// What stands already, so that nothing is written twice.
public protocol KnownPieces<Piece>: Sendable {
    associatedtype Piece

    func has(_ id: String) -> Bool
    mutating func add(_ piece: Piece)
}

/// What a model is asked for one piece: rules of ours, and the wish as JSON.
public struct GenerationPrompt: Equatable, Sendable {
    /// Ours alone: nothing in it comes from a person or a model.
    public var system: String
    /// JSON. Whatever a person named as a topic, and whatever stands in a bank or came from a model, stands in strings.
    public var user: String
    /// What an answer has to look like: a JSON Schema, as JSON.
    public var schema: String

    package init(system: String, user: String, schema: String) {
        self.system = system
        self.user = user
        self.schema = schema
    }
}

/// Why a model's answer is not what was wished for.
public struct DraftFault: Error, Equatable {
    public var finding: ItemFinding
}

/// What was told to a generation in a state where it cannot have happened.
public struct IllegalEvent: Error, Equatable {
    /// Without a full stop.
    public var sentence: String

    public init(sentence: String) { self.sentence = sentence }
}

/// How long a model may try (line 19 of what the project holds itself to).
public struct GenerationLimits: Codable, Equatable, Sendable {
    /// Answers to one wish.
    public var attempts = 5
    /// For one wish.
    public var milliseconds = 60_000

    public init() {}
}
