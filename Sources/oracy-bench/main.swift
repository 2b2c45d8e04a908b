// Measures the claims of README. Run by `make bench` and `make bench-vad`, from the top of the project, with everything
// built in release.
//
// Each claim and its reference are measured alternately, so that a machine whose speed drifts slows both.
import FoundationEssentials
import Glibc

let files = FileManager.default
let top = files.currentDirectoryPath
let built = top + "/.build/release"
let runs = 9
let work = "/tmp/oracy-bench.\(getpid())"

/// Prints a line on stderr, since stdout is for the report.
func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDERR_FILENO, bytes, bytes.count)
}

func fail(_ sentence: String, code: Int32 = 1) -> Never {
    say("oracy-bench: \(sentence)")
    try? files.removeItem(atPath: work)
    exit(code)
}

func run(_ arguments: [String]) -> Run {
    guard let run = measure(arguments) else { fail("this failed: \(arguments.joined(separator: " "))") }
    return run
}

/// The folder of the last replay's session.
let session = work + "/session"

func replay(_ scenario: String, _ options: [String] = []) -> Run {
    try? files.removeItem(atPath: session)
    return run([built + "/oracy", "replay", scenario, "--output", session] + options)
}

func measureReplays() throws {
    // The candidate answers everything at length, so that every clock runs out: nearly 14 minutes.
    for name in ["plain", "stereo", "long"] {
        let isStereo = name == "stereo"
        let folder = "\(work)/\(name)"
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for answer in ["talk", "building-1", "connecting-1"] {
            let form = isStereo ? ["-r", "44100", "-c", "2"] : []
            let source = "\(top)/AudioFixtures/answers/\(answer).flac"
            _ = run(["/usr/bin/env", "sox", "-R", source] + form + ["\(folder)/\(answer).wav"])
        }
        let answer = ["talk", "building-1", "connecting-1", "talk", "talk", "talk"].map { "{ \"say\": \"\($0).wav\" }" }
        let scenario = """
            { "version": 1, "about": "Answers at length.", "format": "ielts-style", "paper": "bridges",
              \(name == "long" ? "\"timeMultiplier\": 4," : "")
              "prompts": "\(top)/AudioFixtures/prompts", "turns": {},
              "otherwise": { "answer": [{ "wait": 0.5 }, \(answer.joined(separator: ", "))] } }
            """
        try scenario.write(toFile: "\(folder)/scenario.json", atomically: true, encoding: .utf8)
    }

    print("oracy bench: medians (smallest to largest) of whole processes;")
    print("\(runs) runs without encoding, 5 with it, each beside its references\n")

    let plain = (0..<runs).map { _ in replay("\(work)/plain", ["--no-encode"]) }
    print("replay, 13½ minutes of 16 kHz WAV, no encoding")
    print("  CPU      \(Spread(figures: plain.map(\.cpu)).text("ms", scale: 1000))     bar: 150 ms for 14 minutes")
    print("  memory   \(Spread(figures: plain.map(\.memory)).text("MB", places: 1))   bar: 40 MB\n")

    // Links to one folder, to measure a scenario among many without the cost of a process.
    let many = "\(work)/many"
    try files.createDirectory(atPath: many, withIntermediateDirectories: true)
    for number in 100..<200 {
        try files.createSymbolicLink(atPath: "\(many)/\(number)", withDestinationPath: "\(work)/plain")
    }
    print("a hundred of them in one process (oracy replay --all)")
    for jobs in ["1", "2"] {
        let held = run([built + "/oracy", "replay", "--all", many, "--jobs", jobs])
        print("  --jobs \(jobs) CPU \(decimal(held.cpu, 1)) s, by the clock \(decimal(held.wall, 1)) s")
    }
    print("")

    let long = replay("\(work)/long", ["--no-encode"])
    print("the same with four times the time, 54 minutes")
    print("  memory   \(decimal(long.memory, 1)) MB\n")

    for (name, words) in [("plain", "16 kHz mono WAV"), ("stereo", "44.1 kHz stereo WAV")] {
        // The same audio that the exam encodes: its takes, in the recordings' own form.
        _ = replay("\(work)/\(name)", ["--no-encode"])
        let takes = "\(work)/\(name)-takes"
        try files.createDirectory(atPath: takes, withIntermediateDirectories: true)
        var inputs: [String] = []
        for take in try files.contentsOfDirectory(atPath: session + "/takes").sorted() {
            let form = name == "stereo" ? ["-r", "44100", "-c", "2"] : []
            _ = run(["/usr/bin/env", "sox", "-R", "\(session)/takes/\(take)"] + form + ["\(takes)/\(take)"])
            inputs.append("\(takes)/\(take)")
        }
        let encoded = "\(work)/\(name)-encoded"
        try files.createDirectory(atPath: encoded, withIntermediateDirectories: true)
        var (ours, bare, old): ([Run], [Run], [Run]) = ([], [], [])
        for _ in 0..<5 {
            ours.append(replay("\(work)/\(name)"))
            bare.append(run([built + "/codec-reference", "opus", encoded] + inputs))
            old.append(run([built + "/codec-reference", "sndfile", encoded] + inputs))
        }
        func ratio(to others: [Run]) -> String {
            Spread(figures: zip(ours, others).map { $0.cpu / $1.cpu }).text("×", places: 2)
        }
        print("replay with encoding, \(words), beside the libraries alone (libsndfile and libsamplerate read)")
        print("  oracy                       \(Spread(figures: ours.map(\.cpu)).text("s", places: 2))")
        print("  libopus + libogg            \(Spread(figures: bare.map(\.cpu)).text("s", places: 2))")
        print("    ratio                     \(ratio(to: bare))   bar: 1.15 ×")
        print("  libsndfile, as before       \(Spread(figures: old.map(\.cpu)).text("s", places: 2))")
        print("    ratio                     \(ratio(to: old))   bar: 0.30 ×")
        print(
            "  memory                      \(Spread(figures: ours.map(\.memory)).text("MB", places: 1))   bar: 40 MB\n")
    }
}

do {
    try files.createDirectory(atPath: work, withIntermediateDirectories: true)
    defer { try? files.removeItem(atPath: work) }
    let words = Array(CommandLine.arguments.dropFirst())
    switch words.first {
    case "vad": try DetectorComparison(Array(words.dropFirst())).run()
    case "inputs": DetectorInputs.run()
    case "evidence" where words.count == 2: try TriedSettings.evidence(words[1])
    case "decide" where words.count == 2: try TriedSettings.decide(words[1])
    case "syllables": SyllableCandidates.run()
    case "hear" where words.count == 2: try HearingSpeed.hear(words[1])
    case "hearing": try HearingSpeed.measure()
    case "queue": try Queueing(top: top, work: work).measure()
    case "queue-open" where words.count == 2: try Queueing.open(words[1])
    case "queue-drain" where words.count == 3: try Queueing.drain(words[1], to: words[2])
    case "results": try Results.measure()
    case "decode" where words.count == 2: try Results.decode(words[1])
    case "server":
        try ServerLoad(top: top, work: work, Array(words.dropFirst())).measure()
        try Storm(top: top, work: work).measure()
    case "words": try WordsLoad(top: top, work: work, Array(words.dropFirst())).measure()
    case "store": try await StoreLoad(work: work, Array(words.dropFirst())).measure()
    case "hostile": try Hostile(top: top, work: work).measure()
    case "storm": try Storm(top: top, work: work).measure()
    case "sessions": try ManySessions.measure()
    case "start": try ManySessions.measureStart()
    case "papers": try PaperDraws().report()
    case "practice": try await PracticeSpeed(work: work).report()
    case "live": try Live(top: top, work: work).measure()
    case "replay": try measureReplays()
    case "takes": try TakeQuality(top: top, work: work).measure()
    case nil:
        try measureReplays()
        try TakeQuality(top: top, work: work).measure()
        try ManySessions.measureStart()
        try ManySessions.measure()
        try PaperDraws().report()
        try await PracticeSpeed(work: work).report()
        try Results.measure()
        try HearingSpeed.measure()
        try Queueing(top: top, work: work).measure()
        try ServerLoad(top: top, work: work).measure()
        try Storm(top: top, work: work).measure()
        try WordsLoad(top: top, work: work).measure()
        try Hostile(top: top, work: work).measure()
        try Live(top: top, work: work).measure()
    default:
        fail(
            "measures everything, or one of hearing, hostile, live, papers, practice, queue, replay, results, server, sessions, start, store, storm, takes, vad, words",
            code: 64)
    }
} catch {
    fail("\(error)")
}
