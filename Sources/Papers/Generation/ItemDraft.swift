import ExamCore

/// What a model wrote, read as an item: no rule has looked at it yet.
enum ItemDraft {
    /// - Parameters:
    ///   - writtenBy: the model's name; the item bears it.
    ///   - isTaken: whether an id is another one's.
    /// - Returns: the item, or the one thing because of which it is none.
    static func read(
        _ text: String, for wish: ItemWish, writtenBy: String, isTaken: (String) -> Bool
    ) -> Result<BankItem, DraftFault> {
        DraftJSON.decode(Written.self, from: text).flatMap {
            $0.item(wish, writtenBy: writtenBy, isTaken: isTaken)
        }
    }

    /// The fields that are asked for; others are passed over.
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
                return .failure(.place, "section", "is for another place than \(wish.section)")
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

/// Ids of drafts: made of the topic, since a model's own would be anything.
package enum DraftID {
    /// `rainy-days`, or where that is taken `rainy-days-2` …
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
