import ArgumentParser
import ExamCore
import Glibc
import PulseRoom
import SystemSupport

struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract:
            "Check the microphone in twenty seconds: noise, level, clipping, and echo.",
        discussion: """
            Your voice is played back once, then deleted. Exams use the settings of the last check that you accepted.
            """
    )

    @OptionGroup var devices: DeviceArguments

    @Flag(help: "Print measurements and verdicts as JSON, without questions.")
    var json = false

    @Flag(help: "Accept a check that found no problems, without asking.")
    var accept = false

    @Flag(help: "Leave out the level bar, for screen readers.")
    var plain = false

    func run() async throws {
        try await failing {
            do {
                try await check()
            } catch let trouble as Exam.Trouble {
                throw trouble.problem
            }
        }
    }

    private var isAsked: Bool { !json && isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    private func check() async throws {
        let bar = LevelBar(isShown: isAsked && !plain)
        var settings = PulseAudioRoom.Settings()
        settings.microphone = devices.microphone
        settings.loudspeaker = devices.loudspeaker
        settings.heard = { reading, _ in bar.show(reading) }
        var check = try await MicrophoneCheck(settings, scratch: UserFolders.makeCache())
        say("microphone  \(check.microphone)")
        while true {
            let report = try await measure(&check, bar)
            let verdicts = report.verdicts
            if json {
                print(
                    JSONText.of(CheckReport(microphone: check.microphone, report: report, verdicts: verdicts)),
                    whole: true)
            } else {
                say(Self.text(report, verdicts))
            }
            let isGood = verdicts.allSatisfy { $0.severity < .problem }
            if isAsked && !accept {
                // There is no point in playing back silence, or in accepting a microphone that heard no voice.
                let hasVoice = !verdicts.contains(.nobodySpoke) && !verdicts.contains(.noSignal)
                if hasVoice {
                    say("This is how you sound:")
                    try await check.playBack()
                }
                switch Self.decision(mayAccept: hasVoice) {
                case .again: continue
                case .leave: break
                case .accept: try keep(report, check.microphone)
                }
            } else if accept && isGood {
                try keep(report, check.microphone)
            }
            guard isGood else { throw ExitCode(1) }
            return
        }
    }

    private func measure(_ check: inout MicrophoneCheck, _ bar: LevelBar) async throws -> MicrophoneReport {
        for (number, step) in MicrophoneCheck.Step.allCases.enumerated() {
            say("\(number + 1) of 3  \(step.request)")
            bar.begin()
            try await check.take(step)
            bar.end()
        }
        return check.report
    }

    private func keep(_ report: MicrophoneReport, _ microphone: String) throws {
        try UserFile.write(
            AcceptedMicrophone(checkedAt: WallTime.now.utc, microphone: microphone, report: report),
            to: AcceptedMicrophone.path)
        say("Saved: `oracy run` will use it.")
    }

    /// Prints a line for the candidate: on standard output, or on standard error if standard output is for a program.
    private func say(_ line: String) {
        tell(line + "\n", on: json ? STDERR_FILENO : STDOUT_FILENO)
    }

    private enum Decision { case accept, again, leave }

    private static func decision(mayAccept: Bool) -> Decision {
        let question =
            mayAccept
            ? "Did you hear yourself well? y: use this microphone  a: again  n: leave it"
            : "a: check again  n: leave it"
        while true {
            print("\(question)\nType a letter and press Enter: ", terminator: "")
            fflush(nil)
            switch readLine()?.lowercased() {
            case "y" where mayAccept, "yes" where mayAccept: return .accept
            case "a", "again": return .again
            case "n", "no", nil: return .leave
            default: continue
            }
        }
    }

    static func text(_ report: MicrophoneReport, _ verdicts: [MicrophoneVerdict]) -> String {
        func level(_ value: Double?, _ unit: String) -> String {
            value.map { "\(Int($0.rounded())) \(unit)" } ?? "none"
        }
        let clipped = Double(Int((report.clippedPart * 1000).rounded())) / 10
        let rows = [
            ["noise", level(report.noiseDBFS, "dBFS")],
            ["speech", level(report.speechDBFS, "dBFS")],
            ["speech over noise", level(report.speechOverNoiseDB, "dB")],
            ["clipped", "\(clipped) %"],
            ["examiner in the microphone", report.leak.map { level($0.gainDB, "dB") } ?? "not heard"],
        ]
        let sentences = verdicts.map { verdict in
            switch verdict.severity {
            case .fine: "good     \(verdict.sentence)"
            case .warning: "warning  \(verdict.sentence)"
            case .problem: "problem  \(verdict.sentence)"
            }
        }
        return ([""] + rows.columns() + [""] + sentences).joined(separator: "\n")
    }
}

extension MicrophoneCheck.Step {
    fileprivate var request: String {
        switch self {
        case .silence: "Please be silent for three seconds."
        case .probe: "You will hear a rising tone; please stay silent."
        case .speech: "Now say a sentence or two: where you live, and what you like about it."
        }
    }
}

/// The output of `--json`.
private struct CheckReport: Encodable {
    struct Verdict: Encodable {
        var severity: MicrophoneVerdict.Severity
        var sentence: String
    }

    var microphone: String
    var report: MicrophoneReport
    var verdicts: [Verdict]

    init(microphone: String, report: MicrophoneReport, verdicts: [MicrophoneVerdict]) {
        self.microphone = microphone
        self.report = report
        self.verdicts = verdicts.map { Verdict(severity: $0.severity, sentence: $0.sentence) }
    }
}
