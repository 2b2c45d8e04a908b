import Foundation
import Glibc
import VirtualDevices

/// The live part of the benchmark: the tool as a user runs it, with its own sound server, in real time.
struct Live {
    let server: SoundServer
    /// The project's folder.
    let top: String
    /// The folder for all output.
    let work: String

    init(top: String, work: String) throws {
        self.top = top
        self.work = work + "/live"
        signal(SIGPIPE, SIG_IGN)
        try FileManager.default.createDirectory(atPath: self.work, withIntermediateDirectories: true)
        server = try SoundServer(.pulseAudio)
    }

    func measure() throws {
        defer { server.stop() }
        print("live: `oracy run` at a PulseAudio of its own, in real time\n")
        try measureDating()
        try measureStarts(runs: 9)
        try measureTurns(runs: 2)
        try measureWholePart()
    }

    // MARK: - Shared helpers

    static let questions = [
        "name": "short-name", "where": "short", "library": "yes", "place-card": "sentence-4", "towns": "sentence-1",
    ]
    static let openingPrompt = "your-name-"

    /// Returns the path of an examiner's recording, by the beginning of its name.
    func prompt(_ beginning: String) throws -> String {
        let folder = top + "/AudioFixtures/prompts"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        guard let name = names.first(where: { $0.hasPrefix(beginning) }) else { fail("no prompt \(beginning)…") }
        return "\(folder)/\(name)"
    }

    /// Runs `oracy run` with a new home folder, in which no microphone was ever checked.
    func oracy(_ session: String, _ words: [String], face: Child.Face = .pipe) -> Child {
        var environment = server.environment
        environment["HOME"] = session + "-home"
        environment["ORACY_PROMPTS"] = top + "/AudioFixtures/prompts"
        environment["TERM"] = "xterm-256color"
        let options = ["--consent", "--practice", "--device-timeout", "3", "--output", session]
        return Child([top + "/.build/release/oracy", "run"] + options + words, environment: environment, face: face)
    }

    /// Writes the pocket exam with answers that end after exactly 0.8 s of silence.
    func pocketExam() throws -> [String] {
        let folder = top + "/AudioFixtures/scenarios/pocket-exam"
        let format = try String(contentsOfFile: folder + "/format.json", encoding: .utf8)
            .replacingOccurrences(of: #""patience": { "floor": 0.7, "ceiling": 1.2 },"#, with: "")
            .replacingOccurrences(of: #""silence": 1,"#, with: #""silence": 0.8,"#)
        guard !format.contains("patience") else { fail("the pocket format has changed") }
        try format.write(toFile: work + "/format.json", atomically: true, encoding: .utf8)
        return ["--plain", "--format", work + "/format.json", "--paper", folder + "/paper.json"]
    }

    func wait(_ seconds: Double, for what: String, until isSo: () -> Bool) {
        let deadline = clockNow() + seconds
        while !isSo() {
            guard clockNow() < deadline else { fail("\(what) did not come within \(Int(seconds)) s") }
            usleep(2_000)
        }
    }
}
