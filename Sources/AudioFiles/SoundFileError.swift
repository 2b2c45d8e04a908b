/// What is wrong with a sound file: one plain sentence, with the library's own words where it has some.
public struct SoundFileError: Error, Equatable, CustomStringConvertible, Sendable {
    public enum Kind: Equatable, Sendable {
        /// There is no such file, or it may not be opened.
        case missing
        /// It is not sound, or not sound that can be used. Another file is needed; trying again does not help.
        case unusable
        /// It could not be written: a full disk, a folder that may not be written to. What a `GrowingWAV` had
        /// written before is whole; an encoded file is not, and is to be thrown away.
        case unwritable
    }

    public var kind: Kind
    public var path: String
    public var reason: String

    public init(kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    public var description: String { "\(path): \(reason)" }
}
