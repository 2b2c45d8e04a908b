import ArgumentParser

/// The output formats of `oracy vad`.
enum VadFormat: String, EnumerableFlag {
    case list, csv, json, labels
    case textGrid = "text-grid"

    /// The name on the command line.
    var word: String { rawValue }

    /// Whether a file can describe only one recording.
    var isFileEach: Bool {
        switch self {
        case .labels, .textGrid: true
        case .list, .csv, .json: false
        }
    }

    /// The extension that the programs that read such files expect.
    var fileExtension: String {
        switch self {
        case .list, .labels: "txt"
        case .csv: "csv"
        case .json: "json"
        case .textGrid: "TextGrid"
        }
    }

    func text(_ files: [HeardFile]) -> String {
        switch self {
        case .list: files.map(\.list).joined(separator: "\n")
        case .csv: files.csv
        case .json: files.json
        case .labels: files.map(\.labelTrack).joined()
        case .textGrid: files.map(\.textGrid).joined()
        }
    }

    static func help(for value: VadFormat) -> ArgumentHelp? {
        switch value {
        case .list: "Each sound with its level, and the total, for people to read."
        case .csv:
            """
            One row a segment: file,start_s,end_s; or one row an end: file,end_s,since_s,silence_s,reason.
            """
        case .json:
            """
            All data: durationSeconds, speechSeconds, speechPart (0 to 1), levelDBFS of each segment, \
            soundsNotCounted, endsOfAnswers.
            """
        case .labels: "A label track for Audacity."
        case .textGrid: "A TextGrid for Praat, with the tiers \"speech\" and \"end of answer\"."
        }
    }
}
