import ArgumentParser
import ExamCore
import SystemSupport

/// The choice of microphone and loudspeaker.
struct DeviceArguments: ParsableArguments {
    @Option(
        help:
            "The microphone's name from `oracy devices`. Default: the last one you checked, or the system's."
    )
    var microphone: String?

    @Option(help: "The loudspeaker's name. Default: the system's.")
    var loudspeaker: String?
}

/// The appearance of the exam.
struct ScreenArguments: ParsableArguments {
    @Flag(help: "Print lines and read typed commands instead of drawing a screen, for screen readers.")
    var plain = false

    @Flag(inversion: .prefixedNo, help: "Show the examiner's words as they are spoken.")
    var text = true

    @Option(help: "How to show the time left: bar, warnings (the last 30, 10 and 5 seconds) or off.")
    var time: TimeShown = .bar

    @Flag(inversion: .prefixedNo, help: "Wait for the backend's results at the end, if answers go to one.")
    var results = true

    @Flag(inversion: .prefixedNo, help: "Show the results of the recordings at the end (oracy results).")
    var findings = true

    @Option(help: "Seconds to wait for a lost microphone or loudspeaker before the session is saved and closed.")
    var deviceTimeout: Int = 120

    func validate() throws {
        guard (0...3_600).contains(deviceTimeout) else {
            throw ValidationError("--device-timeout must be between 0 and 3600.")
        }
    }
}

extension Exam.Trouble {
    /// The problem for a user whose exam cannot begin or continue.
    var problem: Problem { Problem(.unavailable, String(advice.prefix { $0 != ";" }).trimmingFullStop) }
}

extension String {
    var trimmingFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
