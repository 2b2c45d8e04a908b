import Assessment
public import Assessors
import ExamStore
import Foundation
public import SystemSupport

/// All who assess answers here, and what a day may cost.
public struct AssessorPanel: Sendable {
    /// Who assesses, in this order: whoever needs words comes after whoever recognises them.
    public var seats: [AnswerAssessing.Seat]
    /// What may be spent in a day; nil: nobody counts.
    public var budget: AssessorBudget?
    /// Who writes papers; nil: nobody.
    public var writer: PaperWriter?

    /// - Parameter seats: nobody where there are none: then nothing is assessed, and results say so.
    public init(_ seats: [AnswerAssessing.Seat] = [], budget: AssessorBudget? = nil) {
        self.seats = seats
        self.budget = budget
    }

    /// Those that a file names (docs/assessors.md).
    ///
    /// - Throws: `Problem`: as `AssessorSettings.init(file:)`, and where a key is missing.
    public init(file path: String) throws(Problem) {
        let settings = try AssessorSettings(file: path)
        var seats: [AnswerAssessing.Seat] = []
        for entry in settings.assessors {
            seats.append(.init(try entry.assessor(in: path.folder), prices: entry.prices))
        }
        self.init(seats, budget: settings.budget)
        writer = try settings.writer.map { (entry) throws(Problem) in try PaperWriter(entry, in: path.folder) }
    }

    /// What sessions that are over are queued for: another panel, another version. Workers of a node that has another one leave its jobs alone for a
    /// while.
    var version: String {
        if seats.isEmpty { return "none" }
        let names = seats.map { "\($0.assessor.source.id) \($0.assessor.source.version)" }
        return "panel-" + SHA256.hexadecimal(of: Array(names.joined(separator: "\n").utf8)).prefix(16)
    }

    /// Whether an assessor hears recordings, not only words.
    var hears: Bool { seats.contains { !$0.assessor.needsWords } }

    /// Third parties that something would be sent to.
    var recipients: [String] { Set(seats.compactMap(\.assessor.recipient)).sorted() }

    /// What a candidate agrees to.
    static func words(for recipient: String) -> String {
        """
        To assess your answers, their recordings or the words in them are sent to \(recipient), without your name. How you introduce \
        yourself (name, country, identity check) is never sent. You can take this back at any time; what was sent before is not taken \
        back with it.
        """
    }
}
