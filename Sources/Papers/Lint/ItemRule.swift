import ExamCore

/// A fault in an item: the rule and the place.
public struct ItemFinding: Codable, Equatable, Sendable {
    /// The rule's id: `yes-no`.
    public var rule: String
    /// For example, `questions[2].text`.
    public var field: String
    /// The fault, without a full stop.
    public var what: String

    public init(rule: String, field: String, what: String) {
        self.rule = rule
        self.field = field
        self.what = what
    }

    /// For example, `questions[2].text: yes-no: can be answered with yes or no`.
    public var sentence: String { "\(field): \(rule): \(what)" }
}

/// One flaw that an item may have. Each rule has its file in `Rules`. The same rules apply to people's items and to a
/// model's.
public struct ItemRule: Sendable {
    /// Small letters and `-`. Findings, repairs and statistics use it.
    public let id: String
    /// The requirement in words, for a model that broke the rule.
    public let wish: String
    private let find: @Sendable (BankItem) -> [(field: String, what: String)]

    init(id: String, wish: String, find: @escaping @Sendable (BankItem) -> [(field: String, what: String)]) {
        self.id = id
        self.wish = wish
        self.find = find
    }

    /// Creates a rule that checks each text separately.
    init(id: String, wish: String, of text: @escaping @Sendable (ItemText) -> String?) {
        self.init(id: id, wish: wish) { item in item.texts.compactMap { own in text(own).map { (own.field, $0) } } }
    }

    public func findings(in item: BankItem) -> [ItemFinding] {
        find(item).map { ItemFinding(rule: id, field: $0.field, what: $0.what) }
    }

    /// All rules, in the order in which findings are reported.
    public static let all: [ItemRule] = [
        label, counts, plainText, length, questionMark, doubleQuestion, yesNo, cardShape, bloom, followUp, rephrasing,
        materials, belonging, personal, sensitive, timely, regional, testNames,
    ]
}

extension BankItem {
    /// The findings of all rules for this item alone. `ItemBank.duplicates` finds duplicates.
    public var findings: [ItemFinding] { ItemRule.all.flatMap { $0.findings(in: self) } }
}

/// A text of an item, with its purpose.
public struct ItemText: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case lead, question, followUp, rephrasing, cardTopic, cardPoint, cardExplain
        /// Heard, never shown.
        case passage
        /// The description of a picture.
        case description
        case alternative, alternativePoint
    }

    /// For example, `discussions[0].questions[2].text`.
    public var field: String
    public var text: String
    public var kind: Kind
    public var role: PaperBlueprint.Role
    /// The most words of a question at this place.
    var maxWords: Int
}

extension BankItem {
    /// All texts that are said or shown, in the order of the exam.
    public var texts: [ItemText] {
        switch self {
        case .frame(let frame):
            let role = frame.role
            let around: [(String, String?, ItemText.Kind)] = [
                ("lead", frame.lead, .lead), ("passage", frame.passage, .passage),
                ("picture.description", frame.picture?.description, .description),
            ]
            return around.compactMap { field, text, kind in
                text.map { ItemText(field: field, text: $0, kind: kind, role: role, maxWords: frame.kind.maxWords) }
            } + texts(of: frame.questions, "questions", role, maxWords: frame.kind.maxWords)
        case .card(let card):
            var texts = [text("card.topic", card.card.topic, .cardTopic, .card)]
            texts += card.card.points.enumerated().map { text("card.points[\($0)]", $1, .cardPoint, .card) }
            texts.append(text("card.explain", card.card.explain, .cardExplain, .card))
            texts += card.roundingOff.enumerated().map { text("roundingOff[\($0)]", $1, .question, .roundingOff) }
            for (number, discussion) in card.discussions.enumerated() {
                let place = "discussions[\(number)]"
                texts.append(text("\(place).lead", discussion.lead, .lead, .discussion))
                texts += self.texts(
                    of: discussion.questions, "\(place).questions", .discussion,
                    maxWords: PaperBlueprint.Role.discussion.slot.maxWords)
            }
            return texts
        }
    }

    private func text(
        _ field: String, _ text: String, _ kind: ItemText.Kind, _ role: PaperBlueprint.Role
    ) -> ItemText {
        ItemText(field: field, text: text, kind: kind, role: role, maxWords: role.slot.maxWords)
    }

    private func texts(
        of questions: [BankQuestion], _ field: String, _ role: PaperBlueprint.Role, maxWords: Int
    ) -> [ItemText] {
        questions.enumerated().flatMap { number, question -> [ItemText] in
            let place = "\(field)[\(number)]"
            var own: [(String, String?, ItemText.Kind)] = [
                ("text", question.text, .question), ("rephrased", question.rephrased, .rephrasing),
                ("followUp", question.followUp, .followUp),
            ]
            for (number, alternative) in (question.alternatives ?? []).enumerated() {
                own.append(("alternatives[\(number)].title", alternative.title, .alternative))
                own += alternative.points.enumerated().map {
                    ("alternatives[\(number)].points[\($0)]", $1, .alternativePoint)
                }
            }
            return own.compactMap { name, text, kind in
                text.map { ItemText(field: "\(place).\(name)", text: $0, kind: kind, role: role, maxWords: maxWords) }
            }
        }
    }

    /// The questions, each with its place and role.
    var questions: [(field: String, question: BankQuestion, role: PaperBlueprint.Role)] {
        switch self {
        case .frame(let frame):
            frame.questions.enumerated().map { ("questions[\($0)]", $1, frame.role) }
        case .card(let card):
            card.discussions.enumerated().flatMap { number, discussion in
                discussion.questions.enumerated().map {
                    ("discussions[\(number)].questions[\($0)]", $1, PaperBlueprint.Role.discussion)
                }
            }
        }
    }
}

extension BankFrame {
    /// The role of its questions.
    var role: PaperBlueprint.Role { kind.role }

    var kind: SectionKind { SectionKind(section) }
}
