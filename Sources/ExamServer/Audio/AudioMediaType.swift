/// What a recording is, as `Content-Type` says it.
struct AudioMediaType: Equatable, Sendable {
    /// `audio/ogg`: lower case, without parameters.
    let text: String

    /// What is taken as sound, with the suffix of a file of it: what browsers, telephones and recorders write. A list, since
    /// not all that calls itself audio is, and what is stored under a name is sent to browsers under it again.
    static let suffixes = [
        "audio/3gpp": ".3gp", "audio/aac": ".aac", "audio/aiff": ".aiff", "audio/amr": ".amr", "audio/basic": ".au",
        "audio/flac": ".flac", "audio/m4a": ".m4a", "audio/mp3": ".mp3", "audio/mp4": ".m4a", "audio/mpeg": ".mp3",
        "audio/ogg": ".opus", "audio/opus": ".opus", "audio/vnd.wave": ".wav", "audio/wav": ".wav",
        "audio/wave": ".wav", "audio/webm": ".webm", "audio/x-aiff": ".aiff", "audio/x-caf": ".caf",
        "audio/x-flac": ".flac", "audio/x-m4a": ".m4a", "audio/x-wav": ".wav",
    ]

    /// - Parameter field: a media type in letters of any case, with or without parameters; nil if it is not audio.
    init?(_ field: String) {
        let text = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        guard Self.suffixes[text] != nil else { return nil }
        self.text = text
    }

    /// - Parameter suffix: of a file, lower case, with or without its dot; nil if it is not a recording's.
    init?(suffix: String) {
        switch suffix.hasPrefix(".") ? suffix.dropFirst() : suffix[...] {
        case "opus", "ogg", "oga": text = "audio/ogg"
        case "wav": text = "audio/wav"
        case "flac": text = "audio/flac"
        case "mp3": text = "audio/mpeg"
        case "m4a", "mp4": text = "audio/mp4"
        case "webm": text = "audio/webm"
        default: return nil
        }
    }

    /// With its dot.
    var suffix: String { Self.suffixes[text] ?? "" }
}
