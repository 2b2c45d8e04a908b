/// Something that is wrong with a recording that was read all the same, with the sound that it costs.
///
/// Lengths come from the file's own numbers, compared with the sound that is there; never from the words of a library.
public enum RecordingWarning: Equatable, Sendable, CustomStringConvertible {
    /// The file ends so many seconds before the length in its header.
    case endsEarly(seconds: Double)
    /// The header has no length, because its recorder was stopped before it wrote one. These seconds are there.
    case unfinished(seconds: Double)
    /// Sound goes on for so many seconds after the end that the header names, and was read, too.
    case goesOn(seconds: Double)
    /// The mark of the end is missing. How much sound is missing with it, the file cannot say.
    case noEnd(after: Double)
    /// So many bytes at this second are not sound, and were passed over. `seconds` are missing there; nil if the file does not say.
    case damaged(at: Double, byteCount: Int?, seconds: Double?)
    /// So many seconds are missing before the end, which is there.
    case lacking(seconds: Double)
    /// So many recordings lie in the file one after another. All of them were read.
    case joined(count: Int)

    /// The seconds of sound that are known to be missing.
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

    /// A sentence: `The file ends 0.4 s before its header says.`
    public var description: String { "The file \(words)." }

    /// The sentence without its subject, to stand after a file's name: `ends 0.4 s before its header says`
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
        // Less than a millisecond is still something.
        "\(seconds < 0.0005 ? 0.001 : seconds.rounded(to: 3))"
    }
}
