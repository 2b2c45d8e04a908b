import ExamCore
import Reports
import SessionFolders
import SystemSupport

// A session of the shelf, in words for people and in fields for programs.

extension SessionSummary {
    /// The format, the paper and the choice, in one cell: `ielts-style, bridges, part 3, practice`.
    var heldWith: String {
        [format, paper, choice.isEmpty ? nil : choice].compactMap(\.self).joined(separator: ", ")
    }

    /// The chosen part of the format: `part 3, practice`; empty for the whole test.
    var choice: String {
        guard let options else { return "" }
        var words: [String] = []
        if let part = options.part { words.append("part \(part)") }
        if let question = options.question { words.append(question) }
        if options.mode == .practice { words.append("practice") }
        return words.joined(separator: ", ")
    }

    var began: String { startedAt?.local ?? "" }

    /// The name by which other commands find it: its id, or its path if it is not on the shelf.
    func name(on shelf: SessionShelf) -> String {
        shelf.path + "/" + id == folder.path ? id : folder.path.quotedForShell
    }
}

extension SessionSummary.State {
    var words: String {
        switch self {
        case .inUse: "in use"
        case .resumable(.beginning): "not started"
        case .resumable(.turn(let part, 0, _)): "left in part \(part)"
        case .resumable(.turn(let part, let order, _)): "left at part\(part)_q\(order)"
        case .resumable(.storing): "not stored yet"
        case .over(let outcome): outcome.words
        case .broken: "cannot be read"
        }
    }
}

extension String {
    /// The text as one word of a shell's command line.
    var quotedForShell: String {
        let plain = allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+:@%,=".contains($0)) }
        if plain && !isEmpty { return self }
        return "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}

/// A session in the output of `--json`.
struct SessionReport: Encodable {
    var id: String
    var folder: String
    var startedAt: String?
    var format: String?
    var paper: String?
    var options: ExamOptions?
    /// One of inUse, resumable, over, broken.
    var state: String
    var outcome: Exam.Outcome?
    /// The place at which a resumable session continues.
    var at: Place?
    /// The reason why a broken session cannot be read.
    var problem: String?
    var answers: Int
    var speech: Seconds
    var byteCount: Int
    /// Present only in `show`.
    var takes: [StoredTake]?

    struct Place: Encodable {
        /// One of beginning, turn, storing.
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
