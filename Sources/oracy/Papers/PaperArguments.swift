import ArgumentParser
import ExamCore
import Papers
import SessionFolders
import SystemSupport

/// The wishes for a paper that is drawn from the bank.
struct PaperArguments: ParsableArguments {
    @Option(
        help:
            "Draw questions on this topic: an item's id or a keyword (`oracy papers list`). Repeatable.")
    var topic: [String] = []

    @Option(help: "Draw questions of this difficulty: easy, medium or hard. Default: mixed.")
    var difficulty: WantedDifficulty?

    @Option(help: "Avoid this topic: an item's id or a keyword. Repeatable.")
    var avoid: [String] = []

    @Option(help: "Draw fewer questions, for an exam of about this many minutes.")
    var minutes: Int?

    func validate() throws {
        if let minutes, !PaperRequest.allowedMinutes.contains(minutes) {
            throw ValidationError("--minutes must be between 1 and \(PaperRequest.allowedMinutes.upperBound).")
        }
    }

    /// Whether an option is set that only a drawn paper can fulfil.
    var isUsed: Bool { !topic.isEmpty || difficulty != nil || !avoid.isEmpty || minutes != nil }

    func request(for format: ExamFormat, seed: UInt64) -> PaperRequest {
        PaperRequest(
            format: format.id, topics: topic, difficulty: difficulty?.difficulty, minutes: minutes, avoid: avoid,
            seed: seed)
    }
}

enum WantedDifficulty: String, ExpressibleByArgument, CaseIterable {
    case easy, medium, hard

    var difficulty: Paper.Difficulty {
        switch self {
        case .easy: .easy
        case .medium: .medium
        case .hard: .hard
        }
    }
}

/// The source of a user's papers: the bank that comes with Oracy, and a folder of the user's own items.
struct PaperDesk {
    /// The folder `bank` in the user's data folder.
    var folder = UserFolders.data + "/bank"

    /// - Throws: `Problem.malformed` with the file and its error.
    func bank() throws(Problem) -> ItemBank {
        let own = try OwnItems(in: folder).items
        return own.isEmpty ? .builtIn : try ItemBank(ItemBank.builtIn.items + own)
    }

    /// Draws a paper that repeats nothing of the user's last exams, as far as the bank allows.
    ///
    /// - Throws: `Problem`: `missing` if the bank has nothing for the format.
    func draw(
        for format: ExamFormat, from bank: ItemBank, _ wishes: PaperArguments, seed: UInt64,
        on shelf: SessionShelf = SessionShelf()
    ) throws(Problem) -> DrawnPaper {
        let seen = shelf.drawnItems(days: SeenRules.standard.days).map { SeenItem(item: $0.item, days: $0.days) }
        return try Self.draw(wishes.request(for: format, seed: seed), for: format, from: bank, seen: seen)
    }

    /// - Throws: `Problem.missing` if the bank has nothing for the format.
    static func draw(
        _ request: PaperRequest, for format: ExamFormat, from bank: ItemBank, seen: [SeenItem]
    ) throws(Problem) -> DrawnPaper {
        do throws(DrawFailure) {
            return try bank.draw(request, for: format, seen: seen)
        } catch {
            throw Problem(.missing, error.sentence.trimmingFullStop)
        }
    }
}
