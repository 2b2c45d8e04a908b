import ExamCore
import ExamKit
import ExamStore
import Foundation
import Papers
import SystemSupport

/// What a user's paper was asked for by: kept with it, so that any node can go on with its writing.
struct PaperOrder: Codable, Equatable, Sendable {
    var request: PaperRequest
    /// The items that a model writes, of the paper's.
    var wishes: [ItemWish]
}

/// Makes papers that a model writes in part: what it is to write, and what it wrote joined with what the bank has.
struct PaperMaking: Sendable {
    let catalogue: ExamCatalogue

    /// What a model writes for a subject of somebody's own: questions about home or work are about nothing else.
    static let writtenSections: Set<String> = [ItemBank.cards, "topics"]

    /// The items of a format that a model can write, with what each is to be about: the card first, since what follows it is about it, too.
    /// Where topics were named, as many as there are topics; else all of them.
    static func wishes(_ request: PaperRequest, for format: ExamFormat) -> [ItemWish] {
        let frames = PaperBlueprint(request, of: format).frames.filter {
            $0.linkedTo == nil && writtenSections.contains($0.section)
        }
        let ordered = frames.filter { $0.section == ItemBank.cards } + frames.filter { $0.section != ItemBank.cards }
        let count = request.topics.isEmpty ? ordered.count : min(request.topics.count, ordered.count)
        return ordered.prefix(count).enumerated().map { number, frame in
            ItemWish(
                section: frame.section, topic: request.topics.isEmpty ? nil : request.topics[number],
                difficulty: request.difficulty)
        }
    }

    /// The paper that a finished writing leads to: its own items first, and those that stood in.
    ///
    /// - Throws: `DrawFailure`; `Problem` where the format is here no more.
    func paper(
        of order: PaperOrder, _ generation: Generation<ItemWish>, seen: [SeenItem]
    ) throws -> DrawnPaper {
        guard let format = catalogue.format(order.request.format) else {
            throw Problem(.missing, "format: there is none of that name")
        }
        let bank = try ItemBank(ItemBank.builtIn.items + generation.written)
        var request = order.request
        request.topics = generation.outcomes.compactMap { outcome in
            switch outcome {
            case .written(let item): item.id
            case .fallback(let id, _): id
            case .failed, nil: nil
            }
        }
        var drawn = try bank.draw(request, for: format, seen: seen)
        // What stands beside them is as it was wanted: nobody named more topics than there are pieces.
        drawn.shortfalls = drawn.shortfalls.filter { !$0.contains("nothing on what was wanted") }
        drawn.shortfalls += zip(order.wishes, generation.outcomes).compactMap { wish, outcome in
            switch outcome {
            case .fallback(let id, _): "\(wish.section): \"\(id)\" of the bank stands in for what could not be written."
            case .failed:
                "\(wish.section): nothing on \"\(wish.topic ?? "it")\" could be written, and the bank has no questions on it, so others were drawn."
            case .written, nil: nil
            }
        }
        return drawn
    }
}

extension OwnPaper {
    func order() throws -> PaperOrder { try JSONDecoder().decode(PaperOrder.self, from: Data(request.utf8)) }

    func generation() throws -> Generation<ItemWish>? {
        try writing.map { try JSONDecoder().decode(Generation<ItemWish>.self, from: Data($0.utf8)) }
    }

    /// The paper itself; nil before it is ready.
    func document() throws -> Paper? {
        try paper.map { try JSONDecoder().decode(Paper.self, from: Data($0.utf8)) }
    }

    static func text(_ value: some Encodable) -> String { String(decoding: JSONFile.encode(value), as: UTF8.self) }
}
