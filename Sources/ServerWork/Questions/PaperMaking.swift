package import ExamCore
package import ExamNode
package import ExamStore
import Foundation
package import Papers
import SystemSupport

/// The request for a user's paper. It is stored with the paper, so that any node can continue writing it.
package struct PaperOrder: Codable, Equatable, Sendable {
    package var request: PaperRequest
    /// The paper's items that a model has to write.
    package var wishes: [ItemWish]

    package init(request: PaperRequest, wishes: [ItemWish]) { (self.request, self.wishes) = (request, wishes) }
}

/// Makes papers that a model writes in part: decides which items it writes, and combines them with items from the bank.
package struct PaperMaking: Sendable {
    private let catalogue: ExamCatalogue

    package init(catalogue: ExamCatalogue) { self.catalogue = catalogue }

    /// The sections that a model can write for a user's topic. Questions about home or work have no other topic.
    package static let writtenSections: Set<String> = [ItemBank.cards, "topics"]

    /// Returns the items of a format that a model has to write, with the topic of each. The card comes first, because
    /// the questions after it share its topic. If topics were named, there is one item for each topic, and otherwise
    /// all items.
    package static func wishes(_ request: PaperRequest, for format: ExamFormat) -> [ItemWish] {
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

    /// Returns the paper of a finished writing: the model's items first, with replacements from the bank for failed
    /// ones.
    ///
    /// - Throws: `DrawFailure`, or `Problem` if the format no longer exists.
    package func paper(
        of order: PaperOrder, _ generation: Generation<ItemWish>, seen: [SeenItem]
    ) throws -> DrawnPaper {
        guard let format = catalogue.format(order.request.format) else {
            throw Problem(.missing, "format: no format has this name")
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
        // The other items match the wishes, because there are never more topics than items.
        drawn.shortfalls.removeAll { $0.kind == .topic }
        drawn.shortfalls += zip(order.wishes, generation.outcomes).compactMap { wish, outcome in
            switch outcome {
            case .fallback(let id, _):
                .init(
                    .topic, "\(wish.section): \"\(id)\" of the bank stands in for what could not be written.")
            case .failed:
                .init(
                    .topic,
                    "\(wish.section): nothing on \"\(wish.topic ?? "it")\" could be written, and the bank has no questions on it, so others were drawn."
                )
            case .written, nil: nil
            }
        }
        return drawn
    }
}

extension OwnPaper {
    package func order() throws -> PaperOrder { try JSONDecoder().decode(PaperOrder.self, from: Data(request.utf8)) }

    package func generation() throws -> Generation<ItemWish>? {
        try writing.map { try JSONDecoder().decode(Generation<ItemWish>.self, from: Data($0.utf8)) }
    }

    /// The paper. Nil before it is ready.
    package func document() throws -> Paper? {
        try paper.map { try JSONDecoder().decode(Paper.self, from: Data($0.utf8)) }
    }

    package static func text(_ value: some Encodable) -> String {
        String(decoding: JSONFile.encode(value), as: UTF8.self)
    }
}
