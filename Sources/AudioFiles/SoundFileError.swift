/// A problem with a sound file: one plain sentence, with the library's own words if it has any.
public struct SoundFileError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The kind of problem, for the caller's next step.
    public enum Kind: Equatable, Sendable {
        /// The file does not exist, or it cannot be opened.
        case missing
        /// The file contains no sound, or none that can be used. Trying again does not help. Another file is needed.
        case unusable
        /// The file could not be written, for example because the disk is full or the folder is not writable. The
        /// earlier contents of a `GrowingWAV` are complete. An encoded file is not, and must be thrown away.
        case unwritable
    }

    /// The kind of this problem.
    public var kind: Kind
    /// The file's path as it was given.
    public var path: String
    /// The reason for a person, without a full stop.
    public var reason: String
    /// Whether the reason ends with advice, so that no other advice has to follow.
    public var saysWhatToDo: Bool

    public init(kind: Kind, path: String, reason: String, saysWhatToDo: Bool = false) {
        self.saysWhatToDo = saysWhatToDo
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    public var description: String { "\(path): \(reason)" }
}
