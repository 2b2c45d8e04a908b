import ExamCore

/// Reads a model's answer as an item. Rules are not checked yet.
enum ItemDraft {
    /// Reads an answer.
    ///
    /// - Parameters:
    ///   - writtenBy: the name of the model, which is stored with the item.
    ///   - isTaken: whether an id belongs to another item.
    /// - Returns: the item, or the fault that makes the answer unreadable.
    static func read(
        _ text: String, for wish: ItemWish, writtenBy: String, isTaken: (String) -> Bool
    ) -> Result<BankItem, DraftFault> {
        DraftJSON.decode(Written.self, from: text).flatMap {
            $0.item(wish, writtenBy: writtenBy, isTaken: isTaken)
        }
    }

    /// The requested fields. Others are ignored.
    private struct Written: Decodable {
        var kind: String?
        var section: String?
        var title: String
        var difficulty: Paper.Difficulty
        var keywords: [String]
        var lead: String?
        var questions: [BankQuestion]?
        var card: Paper.Card?
        var roundingOff: [String]?
        var discussions: [Discussion]?

        struct Discussion: Decodable {
            var lead: String
            var questions: [BankQuestion]
        }

        func item(
            _ wish: ItemWish, writtenBy: String, isTaken: (String) -> Bool
        ) -> Result<BankItem, DraftFault> {
            let wrote = section ?? (card == nil ? wish.isCard ? "a frame" : wish.section : ItemBank.cards)
            guard wrote == wish.section, (kind ?? "card" == "card") == wish.isCard || kind == nil else {
                return .failure(.place, "section", "is not for the section \(wish.section)")
            }
            let id = DraftID.free(for: wish.topic ?? title) { id in
                isTaken(id) || (0...1).contains { isTaken(DraftID.discussion($0, of: id)) }
            }
            let about = BankLabel(
                id: id, title: title, difficulty: difficulty, keywords: keywords, writtenBy: writtenBy)
            guard wish.isCard else {
                guard let questions else { return .failure(.shape, "questions", "is missing") }
                return .success(
                    .frame(BankFrame(about: about, section: wish.section, lead: lead, questions: questions)))
            }
            guard let card else { return .failure(.shape, "card", "is missing") }
            guard let roundingOff else { return .failure(.shape, "roundingOff", "is missing") }
            guard let discussions else { return .failure(.shape, "discussions", "is missing") }
            let own = discussions.enumerated().map { number, one in
                BankCard.Discussion(
                    id: DraftID.discussion(number, of: id), lead: one.lead, questions: one.questions)
            }
            return .success(.card(BankCard(about: about, card: card, roundingOff: roundingOff, discussions: own)))
        }
    }
}

/// The ids of drafts. They are made from the topic, because a model would invent arbitrary ones.
package enum DraftID {
    /// Returns `rainy-days` or, if that is taken, `rainy-days-2` …
    package static func free(for topic: String, isTaken: (String) -> Bool) -> String {
        let words = topic.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.joined(separator: "-").prefix(40)
        let stem = name.isEmpty ? "item" : String(name.last == "-" ? name.dropLast() : name)
        var id = stem
        var number = 1
        while isTaken(id) {
            number += 1
            id = "\(stem)-\(number)"
        }
        return id
    }

    static func discussion(_ number: Int, of id: String) -> String { "\(id)-wider-\(number + 1)" }
}
