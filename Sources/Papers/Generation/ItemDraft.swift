import ExamCore
import SystemSupport

/// What a model wrote, read as an item: no rule has looked at it yet.
enum ItemDraft {
    /// Bytes of an answer: ten times the longest item.
    static let longest = 65_536

    /// - Parameters:
    ///   - writtenBy: the model's name; the item bears it.
    ///   - ids: those that are taken.
    /// - Returns: the item, or the one thing because of which it is none.
    static func read(
        _ text: String, for wish: ItemWish, writtenBy: String, ids: Set<String>
    ) -> Result<BankItem, DraftFault> {
        guard text.utf8.count <= longest else { return .failure(.size, "answer", "has \(text.utf8.count) bytes") }
        switch DraftJSON(in: text) {
        case .none: return .failure(.json, "answer", "has no JSON object")
        case .cut: return .failure(.cut, "answer", "ends in the middle of its object")
        case .object(let bytes):
            do {
                let written = try JSONFile.decodeLine(Written.self, from: bytes)
                return written.item(wish, writtenBy: writtenBy, ids: ids)
            } catch {
                return .failure(.shape, (error as? DecodingError)?.field ?? "answer", "is missing, or of another type")
            }
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

        func item(_ wish: ItemWish, writtenBy: String, ids: Set<String>) -> Result<BankItem, DraftFault> {
            let wrote = section ?? (card == nil ? wish.isCard ? "a frame" : wish.section : ItemBank.cards)
            guard wrote == wish.section, (kind ?? "card" == "card") == wish.isCard || kind == nil else {
                return .failure(.place, "section", "is for another place than \(wish.section)")
            }
            let id = DraftID.free(for: wish.topic ?? title, ids: ids)
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

/// Why a model's answer is no item.
struct DraftFault: Error, Equatable {
    var finding: ItemFinding
}

extension Result where Failure == DraftFault {
    fileprivate static func failure(_ rule: DraftRule, _ field: String, _ what: String) -> Self {
        .failure(DraftFault(finding: rule.finding(field, what)))
    }
}

/// Ids of drafts: made of the topic, since a model's own would be anything.
enum DraftID {
    /// `rainy-days`, or where that is taken `rainy-days-2` …; an item's discussions are free then, too.
    static func free(for topic: String, ids: Set<String>) -> String {
        let words = topic.lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        let name = words.joined(separator: "-").prefix(40)
        let stem = name.isEmpty ? "item" : String(name.last == "-" ? name.dropLast() : name)
        var id = stem
        var number = 1
        while ids.contains(id) || ids.contains(discussion(0, of: id)) || ids.contains(discussion(1, of: id)) {
            number += 1
            id = "\(stem)-\(number)"
        }
        return id
    }

    static func discussion(_ number: Int, of id: String) -> String { "\(id)-wider-\(number + 1)" }
}

extension DecodingError {
    /// Where it is: `questions[2].bloom`.
    fileprivate var field: String? {
        let path: [any CodingKey]
        switch self {
        case .keyNotFound(let key, let context): path = context.codingPath + [key]
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            path = context.codingPath
        @unknown default: return nil
        }
        return path.isEmpty
            ? nil
            : path.reduce("") { field, key in
                if let index = key.intValue { return "\(field)[\(index)]" }
                return field.isEmpty ? key.stringValue : "\(field).\(key.stringValue)"
            }
    }
}
