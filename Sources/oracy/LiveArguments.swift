import ArgumentParser
import ExamCore
import ExamKit
import PulseRoom

/// Which microphone and loudspeaker.
struct DeviceArguments: ParsableArguments {
    @Option(
        help:
            "The microphone's name, as `oracy devices` lists it. Default: the one of the last check, else the system's."
    )
    var microphone: String?

    @Option(help: "The loudspeaker's name. Default: the system's.")
    var loudspeaker: String?
}

/// How the exam is shown.
struct ScreenArguments: ParsableArguments {
    @Flag(help: "Lines instead of a screen: for screen readers, and commands are typed as words.")
    var plain = false

    @Flag(inversion: .prefixedNo, help: "Show the examiner's words beside speaking them.")
    var text = true

    @Option(help: "How time left is shown: bar, warnings (the last 30, 10, 5 seconds) or off.")
    var time: TimeShown = .bar

    @Option(help: "Wait so many seconds for a lost microphone or loudspeaker before the session is saved and left.")
    var patience: Int = 120

    func validate() throws {
        guard (0...3_600).contains(patience) else { throw ValidationError("--patience: is not between 0 and 3600.") }
    }
}

extension Exam.Trouble {
    /// For a user whose exam cannot begin or go on.
    var problem: Problem { Problem(.unavailable, String(advice.prefix { $0 != ";" }).trimmingFullStop) }
}

extension String {
    var trimmingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
