/// What a user must know and can do something about: one plain sentence, and what kind of thing it is.
public struct Problem: Error, Equatable, CustomStringConvertible, Sendable {
    /// What kind of thing it is: programs end with a code for each.
    public enum Kind: Equatable, Sendable {
        /// A file or folder that was named is not there or may not be read.
        case missing
        /// A format, paper, scenario, log or recording cannot be used as it is.
        case malformed
        /// A folder cannot be made or is in use for something else.
        case occupied
        /// Something could not be written: a full disk, no permission. What was recorded before is kept.
        case unwritable
        /// A program that is needed is not installed or fails.
        case unavailable
        /// Nobody is signed in, or may do it.
        case denied
        /// The log is not the expected one.
        case differs
    }

    /// What kind of thing it is.
    public var kind: Kind
    /// Names the file and the line or field, and says what is wrong. No full stop.
    public var sentence: String

    /// - Parameter sentence: names the file and the line or field; no full stop.
    public init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    public var description: String { sentence }

    /// What a command ends with: the codes of sysexits.h, as README lists them.
    package var exitCode: Int32 {
        switch kind {
        case .differs: 1
        case .malformed: 65
        case .missing: 66
        case .unavailable: 69
        case .occupied: 73
        case .unwritable: 74
        case .denied: 77
        }
    }
}
