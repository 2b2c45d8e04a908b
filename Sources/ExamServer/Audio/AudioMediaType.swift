/// What a recording is, as `Content-Type` says it.
struct AudioMediaType: Equatable, Sendable {
    /// `audio/ogg`: lower case, without parameters.
    let text: String

    /// nil where it is no sound, or more than a name.
    init?(_ field: String) {
        let text = field.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        let name = text.dropFirst("audio/".count)
        guard text.hasPrefix("audio/"), (1...40).contains(name.utf8.count),
            name.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "+"): true
                default: false
                }
            })
        else { return nil }
        self.text = text
    }

    /// - Parameter suffix: of a file, with or without its dot; nil where it is none of a recording.
    init?(suffix: String) {
        switch suffix.lowercased().drop(while: { $0 == "." }) {
        case "opus", "ogg", "oga": text = "audio/ogg"
        case "wav": text = "audio/wav"
        case "flac": text = "audio/flac"
        case "mp3": text = "audio/mpeg"
        case "m4a", "mp4": text = "audio/mp4"
        case "webm": text = "audio/webm"
        default: return nil
        }
    }

    /// With its dot; empty where there is none for it.
    var suffix: String {
        switch text {
        case "audio/ogg", "audio/opus": ".opus"
        case "audio/wav", "audio/x-wav", "audio/wave": ".wav"
        case "audio/flac": ".flac"
        case "audio/mpeg": ".mp3"
        case "audio/mp4": ".m4a"
        case "audio/webm": ".webm"
        default: ""
        }
    }
}
