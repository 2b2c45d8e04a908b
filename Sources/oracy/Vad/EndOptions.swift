import ArgumentParser
import ExamCore
import ExamKit

/// The criteria for the end of an answer in `oracy vad --end-of-answer`.
struct EndOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Also show where answers end and why, as if the next answer could begin at once."))
    var endOfAnswer = false

    @Option(
        help: ArgumentHelp(
            "The silence that ends an answer, 0.3 to 30 seconds. (default: 1.5)", valueName: "seconds"))
    var silence: Double?

    @Option(
        help: ArgumentHelp(
            "The shortest that this silence may become as it adapts to the speaker; needs --longest.",
            valueName: "seconds"))
    var shortest: Double?

    @Option(
        help: ArgumentHelp(
            "The longest that this silence may become as it adapts to the speaker; needs --shortest.",
            valueName: "seconds"))
    var longest: Double?

    private static let usualSilence = 1.5
    private static let possible = 0.3...30

    func validate() throws {
        for (name, seconds) in [("--silence", silence), ("--shortest", shortest), ("--longest", longest)] {
            guard let seconds else { continue }
            guard endOfAnswer else {
                throw ValidationError("\(name) needs --end-of-answer; add that, or leave out \(name).")
            }
            guard Self.possible.contains(seconds) else {
                throw ValidationError("\(name) must be between 0.3 and 30 seconds.")
            }
        }
        let usual = silence ?? Self.usualSilence
        switch (shortest, longest) {
        case (nil, nil): break
        case (_, nil): throw ValidationError("--shortest needs --longest: name both, or neither.")
        case (nil, _): throw ValidationError("--longest needs --shortest: name both, or neither.")
        case (let shortest?, let longest?):
            if shortest > usual {
                throw ValidationError("--shortest is longer than the silence to begin with (--silence, \(usual) s).")
            }
            if longest < usual {
                throw ValidationError("--longest is shorter than the silence to begin with (--silence, \(usual) s).")
            }
        }
    }

    /// A fresh detector of ends for each recording; nil without the option.
    var ends: EndsOfAnswers? {
        endOfAnswer ? EndsOfAnswers(silence: .rounding(silence ?? Self.usualSilence), range: range) : nil
    }

    private var range: ExamScript.SilenceRange? {
        guard let shortest, let longest else { return nil }
        return ExamScript.SilenceRange(floor: .rounding(shortest), ceiling: .rounding(longest))
    }
}

extension Duration {
    /// Rounds to the nearest millisecond.
    fileprivate static func rounding(_ seconds: Double) -> Duration { .milliseconds(Int((seconds * 1000).rounded())) }
}
