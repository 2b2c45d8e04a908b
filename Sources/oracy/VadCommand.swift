import ArgumentParser
import AudioFiles
import SystemSupport

struct VadCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vad",
        abstract: "Show where the voice activity detector hears speech in recordings.",
        discussion: """
            Reads WAV, FLAC, Ogg (Opus, Vorbis) and MP3 of any rate and any number of channels, and m4a, WebM and AMR \
            if the program ffmpeg is installed. If a recording is cut off or damaged, the intact part is analysed and \
            a warning tells what is missing. Each recording is named after its file, without the extension; if two \
            names would be the same, all are named by their paths. A recording that is given twice is read once. A \
            pipe is read to its end first; - is standard input, named stdin.

            If a recording cannot be read, a message says so and the others are still analysed; the exit code is that \
            of the last failure. An output file is replaced completely or not at all.
            """
    )

    @Argument(help: ArgumentHelp("The recordings; - is standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "The output format; one of these.")
    var format: VadFormat = .list

    @Option(
        help: ArgumentHelp(
            """
            Write to this file instead of standard output. With --labels and --text-grid it can be a folder, which is \
            created if needed and gets a file for each recording. For several recordings it must be a folder.
            """,
            valueName: "path"))
    var output: String?

    @Option(
        help: ArgumentHelp("Draw what was heard, and why, into this SVG file; one recording only.", valueName: "svg"))
    var plot: String?

    @OptionGroup(title: "End of answer")
    var ending: EndOptions

    func validate() throws {
        if let plot, VadTarget(output, format, names: RecordingNames.of(files.unique)).writes(plot) {
            throw ValidationError("--plot and --output name the same file: \(plot)")
        }
        if files.count(where: { $0 == NamedRecording.standardInput }) > 1 {
            throw ValidationError("- is standard input, which can be read only once. Name it once.")
        }
        guard files.unique.count > 1 else { return }
        if plot != nil { throw ValidationError("--plot draws only one recording. Name only one.") }
        if format.isFileEach && output == nil {
            throw ValidationError(
                "--\(format.word) makes a file for each recording. Name only one, or add --output FOLDER.")
        }
    }

    func run() async throws {
        try await failing {
            let paths = files.unique
            let target = VadTarget(output, format, names: RecordingNames.of(paths))
            try target.check()
            if let plot { try OutputFile.checkPlace(plot) }
            var heard: [HeardFile] = []
            var problems: [Problem] = []
            for (path, name) in zip(paths, RecordingNames.of(paths)) {
                do throws(Problem) {
                    try heard.append(hear(path, as: name))
                } catch {
                    complain(error.sentence)
                    problems.append(error)
                }
            }
            if !heard.isEmpty { try target.write(heard) }
            if let last = problems.last { throw ExitCode(last.exitCode) }
        }
    }

    private func hear(_ path: String, as name: String) throws(Problem) -> HeardFile {
        let (file, trace) = try Hearing.hear(path, as: name, tracing: plot != nil, ends: ending.ends)
        if file.channelsCancelled {
            let words = "its channels cancel each other out; one may be wired the wrong way round"
            complain("\(NamedRecording.called(path)): \(words); only the loudest was used")
        }
        for warning in file.warnings { complain("\(NamedRecording.called(path)): \(warning.words)") }
        if let plot, let trace { try OutputFile.replace(plot, with: HearingPlot(file, trace).svg) }
        return file
    }
}

extension [String] {
    /// The elements without repetitions, each at its first place.
    fileprivate var unique: [String] {
        var seen: Set<String> = []
        return filter { seen.insert($0).inserted }
    }
}
