import AudioFiles
public import ExamCore
import Glibc
import SessionFolders
public import SystemSupport

/// An exam on disk: its format and paper, the candidate's actions in each turn, and the expected log.
///
/// A folder with `scenario.json` and `expected.log`. Recordings and papers lie in it, or are named by a path from it.
public struct Scenario: Sendable {
    /// The version of `scenario.json` that this code reads.
    public static let layoutVersion = 1

    /// The scenario's folder.
    public let path: String
    /// One sentence on what this scenario shows.
    public let about: String
    /// The format of the exam.
    public let format: ExamFormat
    /// The paper with its questions.
    public let paper: Paper
    /// The options of this sitting: mode, parts, extra time.
    public let options: ExamOptions
    /// The candidate's actions and recordings.
    public let candidate: Candidate
    /// The sounds that the microphone hears besides the candidate.
    public let surroundings: ReplayRoom.Surroundings
    /// The folders of recordings that the format or the paper names.
    let audioFolders: [String]
    /// The folder of the examiner's recordings; nil for those that come with Oracy.
    let promptFolder: String?

    /// A warning for each recording that lacks sound: `scenarios/a/home.mp3: ends 0.4 s before its header says`.
    public private(set) var recordingWarnings: [String] = []

    /// The last part of the path.
    public var name: String { String(path.split(separator: "/").last ?? "scenario") }
    /// The path of the log that a replay should give. The file is missing if the scenario expects nothing.
    public var expectedLog: String { path + "/expected.log" }

    /// Reads a scenario and checks every recording that it names.
    ///
    /// - Throws: `Problem`: `missing` or `malformed`, with the file and the line or field.
    public init(folder: String) throws(Problem) {
        path = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let name = path + "/scenario.json"
        let bytes = try PrivateFile.read(name)
        let file = try JSONFile.decode(
            ScenarioFile.self, "scenario", version: Self.layoutVersion, from: bytes, name: name)
        about = file.about
        options = ExamOptions(
            mode: file.mode ?? .test,
            timeMultiplier: file.timeMultiplier ?? 1,
            part: file.part,
            seed: file.seed
        )
        let formatPath = file.format.hasSuffix(".json") ? file.format.path(in: path) : nil
        let paperPath = file.paper.hasSuffix(".json") ? file.paper.path(in: path) : nil
        if let formatPath { format = try ExamFormat(file: formatPath) } else { format = try .builtIn(file.format) }
        if let paperPath { paper = try Paper(file: paperPath) } else { paper = try .builtIn(file.paper) }
        audioFolders = [paperPath, formatPath].compactMap { $0?.folder }
        promptFolder = file.prompts?.path(in: path)
        // Without the recordings, a program would speak the prompts. They would have other lengths, and the log would
        // differ for no visible reason.
        if let promptFolder, access(promptFolder, R_OK | X_OK) != 0 {
            throw Problem(.missing, "\(name): prompts: \(promptFolder): \(systemWords(errno))")
        }
        candidate = try file.candidate(in: path, name: name)
        surroundings = file.surroundings(in: path)
        try checkRecordings(name)
        try checkTurns(name)
    }

    private mutating func checkRecordings(_ name: String) throws(Problem) {
        var files: Set<String> = []
        if let background = surroundings.background { files.insert(background) }
        for turn in Array(candidate.turns.values) + [candidate.otherwise].compactMap(\.self) {
            for case .say(let file, _) in turn.prompt + turn.preparation + turn.answer { files.insert(file) }
        }
        for file in files.sorted() {
            do {
                let reader = try withSound { () throws(SoundFileError) in try SoundFileReader(path: file) }
                recordingWarnings += reader.warnings.map { "\(file): \($0.words)" }
            } catch {
                throw Problem(error.kind, "\(name): \(error.sentence)")
            }
        }
    }

    /// Checks that every answer has its steps, and that no steps belong to a turn that doesn't exist.
    private func checkTurns(_ name: String) throws(Problem) {
        let (script, validation) = ExamScript.assemble(format, paper, options: options)
        guard let script else {
            throw Problem(.malformed, validation.errors.map { "\(name): \($0)" }.joined(separator: "\n"))
        }
        let ids = Set(script.turns.map(\.id))
        if let stray = candidate.turns.keys.sorted().first(where: { !ids.contains($0) }) {
            throw Problem(.malformed, "\(name): turns.\(stray): the exam has no such turn")
        }
        if candidate.otherwise == nil,
            let silent = script.turns.first(where: { $0.answer != nil && candidate.turns[$0.id] == nil })
        {
            throw Problem(
                .malformed, "\(name): turns.\(silent.id): is missing; say what the candidate does, or add otherwise")
        }
    }
}

/// The layout of `scenario.json`.
private struct ScenarioFile: Codable {
    var version: Int
    var about: String
    /// A built-in format's name, or a `.json` file.
    var format: String
    /// A built-in paper's name, or a `.json` file.
    var paper: String
    var mode: ExamOptions.Mode?
    var timeMultiplier: Double?
    var part: Int?
    var seed: UInt64?
    var prompts: String?
    var room: Room?
    var turns: [String: Turn]
    var otherwise: Turn?

    struct Room: Codable {
        /// The hiss of a quiet room, dB of full scale; digital silence if absent.
        var tone: Float?
        var background: String?
        var backgroundGain: Float?
        /// The level at which the microphone hears the examiner's loudspeaker, dB.
        var leak: Float?
    }

    struct Turn: Codable {
        var prompt: [Step]?
        var preparation: [Step]?
        var answer: [Step]?
    }

    /// Exactly one of `say`, `wait`, `listen` and `do`.
    struct Step: Codable {
        var say: String?
        var gain: Float?
        var wait: Seconds?
        var listen: Bool?
        var `do`: Deed?
    }

    enum Deed: String, Choice {
        case `repeat`, skip, finish, again, first, second, pause, `continue`, withdraw
        case loseDevice = "lose-device"
        case regainDevice = "regain-device"

        var event: Exam.Event {
            switch self {
            case .repeat: .asked(.repeat)
            case .skip: .asked(.skip)
            case .finish: .asked(.finish)
            case .again: .asked(.again)
            case .first: .asked(.first)
            case .second: .asked(.second)
            case .pause: .asked(.pause)
            case .continue: .asked(.continue)
            case .withdraw: .asked(.withdraw)
            case .loseDevice: .deviceLost(.microphoneGone)
            case .regainDevice: .deviceBack
            }
        }
    }

    func candidate(in folder: String, name: String) throws(Problem) -> Candidate {
        var candidate = Candidate(turns: [:])
        for (id, turn) in turns.sorted(by: { $0.key < $1.key }) {
            candidate.turns[id] = try self.turn(turn, in: folder, "\(name): turns.\(id)")
        }
        if let otherwise { candidate.otherwise = try turn(otherwise, in: folder, "\(name): otherwise") }
        return candidate
    }

    private func turn(_ turn: Turn, in folder: String, _ field: String) throws(Problem) -> Candidate.Turn {
        Candidate.Turn(
            prompt: try steps(turn.prompt, in: folder, "\(field).prompt"),
            preparation: try steps(turn.preparation, in: folder, "\(field).preparation"),
            answer: try steps(turn.answer, in: folder, "\(field).answer")
        )
    }

    private func steps(_ steps: [Step]?, in folder: String, _ field: String) throws(Problem) -> [Candidate.Step] {
        var list: [Candidate.Step] = []
        for (index, step) in (steps ?? []).enumerated() {
            let said: [Candidate.Step?] = [
                step.say.map { .say($0.path(in: folder), gain: step.gain ?? 0) },
                step.wait.map { .wait($0.duration) },
                step.listen == true ? .listen : nil,
                step.do.map { .act($0.event) },
            ]
            guard said.compactMap(\.self).count == 1, step.gain == nil || step.say != nil else {
                let rule = "a step is one of say (with gain if needed), wait, listen and do"
                throw Problem(.malformed, "\(field)[\(index)]: \(rule)")
            }
            list += said.compactMap(\.self)
        }
        return list
    }

    func surroundings(in folder: String) -> ReplayRoom.Surroundings {
        var surroundings = ReplayRoom.Surroundings(tone: room?.tone)
        surroundings.background = room?.background?.path(in: folder)
        surroundings.backgroundGain = room?.backgroundGain ?? 0
        surroundings.leak = room?.leak
        return surroundings
    }
}
