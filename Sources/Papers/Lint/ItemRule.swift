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
        belonging, personal, sensitive, timely, regional, testNames,
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
    }

    /// `discussions[0].questions[2].text`
    public var field: String
    public var text: String
    public var kind: Kind
    public var role: PaperBlueprint.Role
}

extension BankItem {
    /// All that is said or shown of it, in the order of the exam.
    public var texts: [ItemText] {
        switch self {
        case .frame(let frame):
            let role = frame.role
            return lead(frame.lead, "lead", role) + texts(of: frame.questions, "questions", role)
        case .card(let card):
            var texts = [ItemText(field: "card.topic", text: card.card.topic, kind: .cardTopic, role: .card)]
            texts += card.card.points.enumerated().map {
                ItemText(field: "card.points[\($0)]", text: $1, kind: .cardPoint, role: .card)
            }
            texts.append(ItemText(field: "card.explain", text: card.card.explain, kind: .cardExplain, role: .card))
            texts += card.roundingOff.enumerated().map {
                ItemText(field: "roundingOff[\($0)]", text: $1, kind: .question, role: .roundingOff)
            }
            for (number, discussion) in card.discussions.enumerated() {
                let place = "discussions[\(number)]"
                texts += lead(discussion.lead, "\(place).lead", .discussion)
                texts += self.texts(of: discussion.questions, "\(place).questions", .discussion)
            }
            return texts
        }
    }

    private func lead(_ text: String?, _ field: String, _ role: PaperBlueprint.Role) -> [ItemText] {
        text.map { [ItemText(field: field, text: $0, kind: .lead, role: role)] } ?? []
    }

    private func texts(of questions: [BankQuestion], _ field: String, _ role: PaperBlueprint.Role) -> [ItemText] {
        questions.enumerated().flatMap { number, question in
            let place = "\(field)[\(number)]"
            return [
                ItemText(field: "\(place).text", text: question.text, kind: .question, role: role),
                question.rephrased.map {
                    ItemText(field: "\(place).rephrased", text: $0, kind: .rephrasing, role: role)
                },
                question.followUp.map { ItemText(field: "\(place).followUp", text: $0, kind: .followUp, role: role) },
            ].compactMap { $0 }
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
    var role: PaperBlueprint.Role {
        SectionKind(section, hasCard: false, isRepeated: ["listen-and-repeat", "read-aloud"].contains(section)).role
    }
}
