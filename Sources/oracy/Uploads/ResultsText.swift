import Backends
import ExamCore
import SessionFolders

/// A backend's results for a session as text for a terminal: the marks of the exam and of each answer, then the
/// transcripts and mistakes.
struct ResultsText {
    let text: String

    static func unscored(at place: String) -> String {
        "the session has arrived at \(place), but was not scored there, so there are no marks"
    }

    /// - Parameters:
    ///   - folder: The session's folder. Its paper has the questions' texts.
    ///   - place: The backend that gave the marks.
    init(_ results: SessionResults, of folder: SessionFolder, from place: String) {
        self.init(results, questions: Self.questions(of: folder), from: place)
    }

    /// - Parameter questions: The questions' texts by their ids.
    init(_ results: SessionResults, questions: [String: String], from place: String) {
        var lines = ["results  from \(place)", ""]
        lines += Self.table(results)
        if results.scores.topicRelevance != nil || results.answers.contains(where: { $0.scores?.topicRelevance != nil })
        {
            lines += ["", "Topic relevance is not an IELTS criterion, and not part of the overall mark."]
        }
        for answer in results.answers {
            let words = answer.transcript ?? answer.error.map { "not assessed: \($0)" }
            guard words != nil || answer.mistakes != nil else { continue }
            let asked = (answer.text ?? answer.question.flatMap { questions[$0] }).map { ": \($0)" } ?? ""
            lines += ["", "\(answer.place)\(asked)".cleaned]
            if let words { lines += words.cleaned.wrapped(to: terminalColumns - 8).map { "  " + $0 } }
            lines += (answer.mistakes ?? []).map { "  - " + $0.words.cleaned }
        }
        text = lines.joined(separator: "\n")
    }

    private static func table(_ results: SessionResults) -> [String] {
        var rows = [["", "overall", "fluency", "pronunciation", "grammar", "vocabulary", "topic"]]
        rows.append(["exam"] + results.scores.columns)
        for answer in results.answers { rows.append([answer.place] + (answer.scores ?? .init()).columns) }
        return rows.columns(right: 1...6)
    }

    private static func questions(of folder: SessionFolder) -> [String: String] {
        guard let exam = try? folder.frozenExam() else { return [:] }
        let questions = exam.paper.sections.values.joined().flatMap(\.questions).map { ($0.id, $0.text) }
        return Dictionary(questions) { first, _ in first }
    }
}

extension SessionResults.Answer {
    fileprivate var place: String {
        guard let part, let order else { return question ?? "answer" }
        return "part \(part), question \(order)"
    }
}

extension SessionResults.Scores {
    /// The marks as cells, with a dash if a mark is missing.
    fileprivate var columns: [String] {
        [overall, fluency, pronunciation, grammar, vocabulary, topicRelevance].map { $0.map(Self.words) ?? "-" }
    }

    private static func words(_ band: Double) -> String {
        let tenths = Int((band * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    }
}

extension SessionResults.Mistake {
    fileprivate var words: String {
        let change = correction.map { "\"\(original)\" → \"\($0)\"" } ?? "\"\(original)\""
        let kinds = [type, category].compactMap(\.self).filter { !$0.isEmpty }
        return kinds.isEmpty ? change : "\(change) (\(kinds.joined(separator: ", ")))"
    }
}
