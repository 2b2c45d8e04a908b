/// A piece that a model is asked to write, and its requirements: an item of a bank, or a question with a key.
public protocol GenerationWish: Codable, Equatable, Sendable {
    associatedtype Piece: Codable & Equatable & Sendable & Identifiable where Piece.ID == String
    associatedtype Known: KnownPieces where Known.Piece == Piece

    /// Returns the prompt for the model.
    ///
    /// - Parameters:
    ///   - faults: the faults of the previous answer. Empty the first time.
    ///   - earlier: the previous answer. Nil if there was no usable one.
    func prompt(beside known: Known, repairing faults: [ItemFinding], earlier: String?) -> GenerationPrompt

    /// Reads an answer. Returns the piece, or the fault that makes it unreadable. Rules are not checked yet.
    ///
    /// - Parameter writtenBy: the name of the model, which is stored with the piece.
    func read(_ text: String, writtenBy: String, beside known: Known) -> Result<Piece, DraftFault>

    /// Returns all faults of a piece by all rules, including near-duplicates of known pieces.
    func findings(of piece: Piece, beside known: Known) -> [ItemFinding]

    /// Returns the ids of pieces that may stand in if a model writes nothing usable. All of them suit equally well.
    ///
    /// - Parameter used: the ids that stand in already.
    func standIns(in known: Known, without used: Set<String>) -> [String]
}

/// The pieces that exist already, so that a model does not write one again.
public protocol KnownPieces<Piece>: Sendable {
    associatedtype Piece

    func has(_ id: String) -> Bool
    mutating func add(_ piece: Piece)
}

/// A prompt for one piece: fixed rules, and the wish as JSON.
public struct GenerationPrompt: Equatable, Sendable {
    /// Fixed text. It contains nothing from a person or a model.
    public var system: String
    /// JSON. Topics chosen by a person, texts from a bank and texts from a model appear only in strings.
    public var user: String
    /// The JSON Schema of the answer, as JSON.
    public var schema: String

    package init(system: String, user: String, schema: String) {
        self.system = system
        self.user = user
        self.schema = schema
    }
}

/// The reason why a model's answer cannot be used.
public struct DraftFault: Error, Equatable {
    public var finding: ItemFinding
}

/// An event that cannot happen in the present state.
public struct IllegalEvent: Error, Equatable {
    /// Without a full stop.
    public var sentence: String

    public init(sentence: String) { self.sentence = sentence }
}

/// The limits for a model.
public struct GenerationLimits: Codable, Equatable, Sendable {
    /// The most answers to one wish.
    public var attempts = 5
    /// The most time for one wish.
    public var milliseconds = 60_000

    public init() {}
}
