/// A problem with a recording that could be read nevertheless, with the sound that is lost.
///
/// Lengths come from comparing the file's own numbers with the sound found, never from a library's messages.
public enum RecordingWarning: Equatable, Sendable, CustomStringConvertible {
    /// The file ends this many seconds before the end stated in its header.
    case endsEarly(seconds: Double)
    /// The header has no length, because the recorder was stopped before it wrote one. The file contains this many
    /// seconds.
    case unfinished(seconds: Double)
    /// The sound continues for this many seconds after the end stated in the header. It was all read.
    case goesOn(seconds: Double)
    /// The end mark is missing. The file does not show how much sound is missing with it.
    case noEnd(after: Double)
    /// At this second there are bytes that are not sound. They were skipped. `seconds` of sound are missing there. Nil
    /// if the file does not say.
    case damaged(at: Double, byteCount: Int?, seconds: Double?)
    /// This many seconds are missing before the end. The end itself is there.
    case lacking(seconds: Double)
    /// The file contains this many consecutive recordings. All of them were read.
    case joined(count: Int)

    /// The known seconds of missing sound.
    public var missingSeconds: Double {
        switch self {
        case .endsEarly(let seconds), .lacking(let seconds): seconds
        case .damaged(_, _, let seconds): seconds ?? 0
        case .unfinished, .goesOn, .noEnd, .joined: 0
        }
    }

    /// Whether sound is missing, or seems to be.
    public var isLoss: Bool {
        switch self {
        case .endsEarly, .lacking, .damaged, .noEnd: true
        case .unfinished, .goesOn, .joined: false
        }
    }

    /// The warning as a sentence: `The file ends 0.4 s before its header says.`
    public var description: String { "The file \(words)." }

    /// The sentence without its subject, to follow a file's name: `ends 0.4 s before its header says`
    public var words: String {
        switch self {
        case .endsEarly(let seconds): "ends \(Self.text(seconds)) s before its header says"
        case .unfinished(let seconds):
            "has no length in its header, as its recorder was stopped; all \(Self.text(seconds)) s that follow were read"
        case .goesOn(let seconds):
            "goes on for \(Self.text(seconds)) s after the end in its header; these were read, too"
        case .noEnd(let seconds):
            "breaks off after \(Self.text(seconds)) s without the mark of its end; it does not say how much is missing"
        case .damaged(let second, let byteCount, let lost):
            "is damaged at \(second.rounded(to: 3)) s: "
                + ([byteCount.map { "\($0) bytes are not sound" }, lost.map { "\(Self.text($0)) s are missing" }]
                    .compactMap(\.self).joined(separator: " and "))
                + (byteCount == nil && lost == nil ? "sound is missing" : "")
        case .lacking(let seconds): "is damaged: \(Self.text(seconds)) s of its sound are missing"
        case .joined(let count): "holds \(count) recordings, one after another; all were read"
        }
    }

    private static func text(_ seconds: Double) -> String {
        // A loss of less than a millisecond is shown as one millisecond.
        "\(seconds < 0.0005 ? 0.001 : seconds.rounded(to: 3))"
    }
}
