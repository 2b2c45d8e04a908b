import ExamCore
import ExamKit

/// Where an exam is, in a few words and what they mean for the candidate.
struct StateWords: Equatable {
    /// In capitals on a full screen.
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
    /// How many answers are not stored yet: "2 answers are being stored."
    var storingWords: String { storing == 1 ? "1 answer is being stored." : "\(storing) answers are being stored." }

    /// `Part 2 of 3: Long turn`; nil outside the parts.
    func partWords(in script: ExamScript) -> String? {
        guard let number = exam.part, let title = exam.partTitle else { return nil }
        // A part that is practised alone is not one of one.
        let last = script.parts.map(\.number).max() ?? number
        return (script.parts.count > 1 ? "Part \(number) of \(last): " : "Part \(number): ") + title
    }
}

/// How loud a microphone is, in a word.
enum LevelWord: String {
    case silent
    case quiet
    case good
    case tooLoud = "too loud"

    /// Speech is meant to be at −26 dB of full scale (ITU-T G.711 and P.56, active level). 12 dB below it is still far over
    /// a room's noise; 14 dB above it, the peaks of speech (12 dB and more over its RMS) reach full scale and are clipped.
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
