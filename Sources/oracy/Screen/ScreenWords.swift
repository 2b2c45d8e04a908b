import ExamCore
import ExamKit

/// The state of an exam in a few words, and its meaning for the candidate.
struct StateWords: Equatable {
    /// Shown in capitals on a full screen.
    var headline: String
    var more: String?

    init(_ headline: String, _ more: String? = nil) {
        self.headline = headline
        self.more = more
    }

    init(_ view: SessionView?) {
        self =
            switch view?.exam.stage {
            case nil, .preparation: Self("The exam is about to begin.")
            case .testing: Self(of: view!.exam)
            case .processing:
                Self("The exam is over.", view!.storing > 0 ? view!.storingWords : "Your answers are being stored.")
            case .completed: Self("The exam is over.", "All answers are stored.")
            }
    }

    private init(of exam: ExamView) {
        self =
            switch exam.activity {
            case .idle, .transition: Self("One moment, please.")
            case .examinerSpeaking: Self("The examiner is speaking.")
            case .preparing:
                Self("Prepare:", exam.notesAllowed ? "you may write notes." : "think about your answer.")
            case .waitingForSpeech: Self("Your turn:", "please speak.")
            case .speaking: Self("Listening…")
            case .closing: Self("Listening…", "you may go on.")
            case .suspended:
                exam.trouble.map { Self("Interrupted.", $0.advice) } ?? Self("Paused.", "The clock stands still.")
            }
    }
}

extension SessionView {
    /// The number of answers that are not stored yet: "2 answers are being stored."
    var storingWords: String { storing == 1 ? "1 answer is being stored." : "\(storing) answers are being stored." }

    /// The part in words, such as `Part 2 of 3: Long turn`; nil outside the parts.
    func partWords(in script: ExamScript) -> String? {
        guard let number = exam.part, let title = exam.partTitle else { return nil }
        // If a single part is practised, "1 of 1" would be wrong.
        let last = script.parts.map(\.number).max() ?? number
        return (script.parts.count > 1 ? "Part \(number) of \(last): " : "Part \(number): ") + title
    }
}

/// The loudness of a microphone in a word.
enum LevelWord: String {
    case silent
    case quiet
    case good
    case tooLoud = "too loud"

    /// Speech should be at −26 dB of full scale (ITU-T G.711 and P.56, active level). 12 dB below that is still far
    /// above a room's noise. 14 dB above it, the peaks of speech (at least 12 dB over its RMS) reach full scale and
    /// clip.
    init(_ level: Float) {
        self =
            switch level {
            case ..<(-50): .silent
            case ..<(-38): .quiet
            case ..<(-12): .good
            default: .tooLoud
            }
    }
}
