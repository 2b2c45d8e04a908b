import ExamCore

/// Something that is wrong with an item, by which rule, and where.
public struct ItemFinding: Codable, Equatable, Sendable {
    /// The rule's id: `yes-no`.
    public var rule: String
    /// `questions[2].text`
    public var field: String
    /// What is wrong, without a full stop.
    public var what: String

    public init(rule: String, field: String, what: String) {
        self.rule = rule
        self.field = field
        self.what = what
    }

    /// `questions[2].text: yes-no: can be answered with yes or no`
    public var sentence: String { "\(field): \(rule): \(what)" }
}

/// One flaw that an item may have; a file each in `Rules`. People's items and a model's are held to the same rules.
public struct ItemRule: Sendable {
    /// Small letters and `-`: findings, repairs and statistics name it.
    public let id: String
    /// What the rule asks for: a model that broke it is told this.
    public let wish: String
    private let find: @Sendable (BankItem) -> [(field: String, what: String)]

    init(id: String, wish: String, find: @escaping @Sendable (BankItem) -> [(field: String, what: String)]) {
        self.id = id
        self.wish = wish
        self.find = find
    }

    /// A rule about each text by itself.
    init(id: String, wish: String, of text: @escaping @Sendable (ItemText) -> String?) {
        self.init(id: id, wish: wish) { item in item.texts.compactMap { own in text(own).map { (own.field, $0) } } }
    }

    public func findings(in item: BankItem) -> [ItemFinding] {
        find(item).map { ItemFinding(rule: id, field: $0.field, what: $0.what) }
    }

    /// All of them, in the order in which they are told.
    public static let all: [ItemRule] = [
        label, counts, plainText, length, questionMark, doubleQuestion, yesNo, cardShape, bloom, followUp, rephrasing,
        materials, belonging, personal, sensitive, timely, regional, testNames,
    ]
}

extension BankItem {
    /// What is wrong with the item by itself, by all rules; duplicates are looked for in a bank (`ItemBank.duplicates`).
    public var findings: [ItemFinding] { ItemRule.all.flatMap { $0.findings(in: self) } }
}

/// A text of an item, with what it is for.
public struct ItemText: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case lead, question, followUp, rephrasing, cardTopic, cardPoint, cardExplain
        /// Heard only.
        case passage
        /// Of a picture.
        case description
        case alternative, alternativePoint
    }

    /// `discussions[0].questions[2].text`
    public var field: String
    public var text: String
    public var kind: Kind
    public var role: PaperBlueprint.Role
    /// The most words of a question here.
    var maxWords: Int
}

extension BankItem {
    /// All that is said or shown of it, in the order of the exam.
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

    /// The questions, each with its place and what it is for.
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
    /// What its questions are for.
    var role: PaperBlueprint.Role { kind.role }

    var kind: SectionKind { SectionKind(section) }
}
