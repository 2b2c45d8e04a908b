/// The media type of a recording, as in `Content-Type`.
package struct AudioMediaType: Equatable, Sendable {
    /// The type in lower case without parameters: `audio/ogg`.
    package let text: String

    /// The accepted types, each with the suffix of its files: everything that browsers, telephones and recorders write.
    /// The list is fixed, because not everything called audio is audio, and because browsers later receive the stored
    /// type.
    package static let suffixes = [
        "audio/3gpp": ".3gp", "audio/aac": ".aac", "audio/aiff": ".aiff", "audio/amr": ".amr", "audio/basic": ".au",
        "audio/flac": ".flac", "audio/m4a": ".m4a", "audio/mp3": ".mp3", "audio/mp4": ".m4a", "audio/mpeg": ".mp3",
        "audio/ogg": ".opus", "audio/opus": ".opus", "audio/vnd.wave": ".wav", "audio/wav": ".wav",
        "audio/wave": ".wav", "audio/webm": ".webm", "audio/x-aiff": ".aiff", "audio/x-caf": ".caf",
        "audio/x-flac": ".flac", "audio/x-m4a": ".m4a", "audio/x-wav": ".wav",
    ]

    /// Reads a media type.
    ///
    /// - Parameter field: a media type in any case, with or without parameters. Nil if it is not an accepted type.
    package init?(_ field: String) {
        let text = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        guard Self.suffixes[text] != nil else { return nil }
        self.text = text
    }

    /// Finds the media type of a file.
    ///
    /// - Parameter suffix: the file's suffix in lower case, with or without its dot. Nil if it is not a recording's.
    package init?(suffix: String) {
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

    /// The suffix of files, with its dot.
    package var suffix: String { Self.suffixes[text] ?? "" }
}
