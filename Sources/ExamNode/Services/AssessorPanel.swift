public import Assessment
public import Assessors
import Foundation
import HTTPClient
package import Hearing
public import SystemSupport

/// All assessors of answers on this server, and their daily budget.
public struct AssessorPanel: Sendable {
    /// The assessors in this order: those that need words come after those that recognise them.
    public var seats: [AnswerAssessing.Seat]
    /// The daily budget. Nil for no limit.
    public var budget: AssessorBudget?
    /// The writer of papers. Nil if the server has none.
    public var writer: PaperWriter?
    /// The rules that turn marks of assessors and people into results and estimates.
    public var rules = ResultRules.ielts

    /// Creates a panel.
    ///
    /// - Parameter seats: if empty, nothing is assessed, and results say so.
    public init(_ seats: [AnswerAssessing.Seat] = [], budget: AssessorBudget? = nil) {
        self.seats = seats
        self.budget = budget
    }

    /// Reads the assessors from a file (docs/assessors.md).
    ///
    /// - Throws: `Problem`: the errors of `AssessorSettings.init(file:)`, and if a key is missing.
    public init(file path: String) throws(Problem) { try self.init(file: path, words: nil) }

    /// Reads the assessors from a file, and adds the recogniser on this machine if the file names no other one.
    ///
    /// - Parameters:
    ///   - path: nil if there is no file.
    ///   - words: nil if no recogniser is installed.
    package init(file path: String?, words: WordsHere?) throws(Problem) {
        let settings = try path.map { (path) throws(Problem) in try AssessorSettings(file: path) }
        let (given, folder) = (settings ?? AssessorSettings(), path?.folder ?? ".")
        var seats: [AnswerAssessing.Seat] = []
        if given.hearsHere, let words { seats.append(.init(HeardHere(words))) }
        for entry in given.assessors {
            seats.append(.init(try entry.assessor(in: folder, words: words), prices: entry.prices))
        }
        self.init(seats, budget: given.budget)
        writer = try given.writer.map { (entry) throws(Problem) in try PaperWriter(entry, in: folder) }
    }

    /// Returns the paths of the files with the assessors' keys.
    ///
    /// - Parameter path: the file of the assessors' settings.
    /// - Throws: the errors of `AssessorSettings.init(file:)`.
    package static func keyFiles(named path: String) throws(Problem) -> [String] {
        let settings = try AssessorSettings(file: path)
        return (settings.assessors + (settings.writer.map { [$0] } ?? [])).compactMap {
            $0.key?.file?.path(in: path.folder)
        }
    }

    /// The version for which finished sessions are queued. A different panel has a different version. A node with
    /// another panel leaves these jobs alone for a while.
    package var version: String {
        if seats.isEmpty { return "none" }
        var names = seats.map { "\($0.assessor.source.id) \($0.assessor.source.version)" }
        if rules != .ielts { names.append("rules \(rules.id)") }
        return "panel-" + SHA256.hexadecimal(of: Array(names.joined(separator: "\n").utf8)).prefix(16)
    }

    /// Sets the metrics of the recogniser on this machine for `/metrics`.
    package func tellOfWords(_ metrics: ServerMetrics) {
        let hearer = seats.lazy.compactMap { ($0.assessor as? HeardHere)?.hearing as? Hearer }.first
        let counts = hearer?.counts ?? Hearer.Counts()
        metrics.set(.wordsWaiting, Double(hearer?.queue.waiting ?? 0))
        metrics.set(.wordsSeconds, counts.processorSeconds)
        metrics.set(.wordsFailures, Double(counts.died), label: "why=\"died\"")
        metrics.set(.wordsFailures, Double(counts.timedOut), label: "why=\"limit\"")
    }

    /// Whether an assessor hears recordings, not only words.
    package var hears: Bool { seats.contains { !$0.assessor.needsWords } }

    /// The recognisers on this machine. They cost no money, and send nothing anywhere, so they may hear answers before
    /// the exam is over.
    package var recognisers: [AnswerAssessing.Seat] { seats.filter { $0.assessor is HeardHere } }

    /// The third parties to which something would be sent.
    package var recipients: [String] { Set(seats.compactMap(\.assessor.recipient)).sorted() }

    /// Returns the statement to which a candidate agrees.
    package static func words(for recipient: String) -> String {
        """
        To assess your answers, their recordings or the words in them are sent to \(recipient), without your name. How you introduce \
        yourself (name, country, identity check) is never sent. You can take this back at any time; what was sent before is not taken \
        back with it.
        """
    }
}
