/// What is wrong with a sound file: one plain sentence, with the library's own words where it has some.
public struct SoundFileError: Error, Equatable, CustomStringConvertible, Sendable {
    /// What it is, for whoever has to go on.
    public enum Kind: Equatable, Sendable {
        /// There is no such file, or it may not be opened.
        case missing
        /// It is not sound, or not sound that can be used. Another file is needed; trying again does not help.
        case unusable
        /// It could not be written: a full disk, a folder that may not be written to. What a `GrowingWAV` had
        /// written before is whole; an encoded file is not, and is to be thrown away.
        case unwritable
    }

    /// What it is, for whoever has to go on.
    public var kind: Kind
    /// The file's, as it was given.
    public var path: String
    /// For a person; no full stop.
    public var reason: String
    /// Whether the reason ends with what to do, so that no other advice needs to follow.
    public var saysWhatToDo: Bool

    public init(kind: Kind, path: String, reason: String, saysWhatToDo: Bool = false) {
        self.saysWhatToDo = saysWhatToDo
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    public var description: String { "\(path): \(reason)" }
}
