/// An error that a user can act on: one plain sentence, and its kind.
public struct Problem: Error, Equatable, CustomStringConvertible, Sendable {
    /// The kind of problem. Each has an exit code.
    public enum Kind: Equatable, Sendable {
        /// A file or folder is missing or may not be read.
        case missing
        /// A format, paper, scenario, log or recording is invalid.
        case malformed
        /// A folder can't be created, or is in use for something else.
        case occupied
        /// Something could not be written, for example because of a full disk or missing permission. Data recorded
        /// before is intact.
        case unwritable
        /// A required program is not installed, or fails.
        case unavailable
        /// The user isn't signed in, or isn't allowed to do this.
        case denied
        /// The log differs from the expected one.
        case differs
    }

    /// The kind of problem.
    public var kind: Kind
    /// A sentence that names the file and the line or field, and the error. It has no full stop.
    public var sentence: String

    /// - Parameter sentence: Names the file and the line or field, without a full stop.
    public init(_ kind: Kind, _ sentence: String) {
        self.kind = kind
        self.sentence = sentence
    }

    public var description: String { sentence }

    /// The exit code of a command: one of sysexits.h, as listed in README.
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
