import ExamCore
import ExamKit

// A session of the shelf, in words for people and in fields for programs.

extension SessionSummary {
    /// What it was held with, in one cell: `ielts-style, bridges, part 3, practice`.
    var heldWith: String {
        [format, paper, choice.isEmpty ? nil : choice].compactMap(\.self).joined(separator: ", ")
    }

    /// What of its format was held: `part 3, practice`; nothing where it was the whole test.
    var choice: String {
        guard let options else { return "" }
        var words: [String] = []
        if let part = options.part { words.append("part \(part)") }
        if let question = options.question { words.append(question) }
        if options.mode == .practice { words.append("practice") }
        return words.joined(separator: ", ")
    }

    var began: String { startedAt?.local ?? "" }

    /// What other commands find it by: its id, or its path where it is on no shelf.
    func name(on shelf: SessionShelf) -> String {
        shelf.path + "/" + id == folder.path ? id : folder.path.quotedForShell
    }
}

extension SessionSummary.State {
    var words: String {
        switch self {
        case .inUse: "in use"
        case .resumable(.beginning): "not begun"
        case .resumable(.turn(let part, 0, _)): "left in part \(part)"
        case .resumable(.turn(let part, let order, _)): "left at part\(part)_q\(order)"
        case .resumable(.storing): "not stored yet"
        case .over(let outcome): outcome.words
        case .broken: "cannot be read"
        }
    }
}

extension String {
    /// As one word of a shell's command line.
    var quotedForShell: String {
        let plain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@%,=".contains($0)) }
        if plain && !isEmpty { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// A session, as `--json` prints it.
struct SessionReport: Encodable {
    var id: String
    var folder: String
    var startedAt: String?
    var format: String?
    var paper: String?
    var options: ExamOptions?
    /// inUse, resumable, over or broken.
    var state: String
    var outcome: Exam.Outcome?
    /// Where a resumable one stands.
    var at: Place?
    /// Why a broken one cannot be read.
    var problem: String?
    var answers: Int
    var speech: Seconds
    var byteCount: Int
    /// `show` only.
    var takes: [StoredTake]?

    struct Place: Encodable {
        /// beginning, turn or storing.
        var stage: String
        var part: Int?
        var question: Int?
        var id: String?
    }

    init(_ session: SessionSummary) {
        id = session.id
        folder = session.folder.path
        startedAt = session.startedAt?.utc
        format = session.format
        paper = session.paper
        options = session.options
        answers = session.takes.count
        speech = Seconds(session.speech)
        byteCount = session.byteCount
        switch session.state {
        case .inUse: state = "inUse"
        case .resumable(let place):
            state = "resumable"
            at = Place(place)
        case .over(let outcome):
            state = "over"
            self.outcome = outcome
        case .broken(let sentence):
            state = "broken"
            problem = sentence
        }
    }
}

extension SessionReport.Place {
    init(_ place: SessionSummary.Place) {
        switch place {
        case .beginning: stage = "beginning"
        case .storing: stage = "storing"
        case .turn(let part, let order, let id):
            stage = "turn"
            self.part = part
            question = order > 0 ? order : nil
            self.id = id
        }
    }
}
