/// The requirements for the items of a section, by its name: their role, their number of questions, and their
/// materials.
struct SectionKind {
    var role: PaperBlueprint.Role
    /// The number of questions in an item.
    var count: Int
    /// The most words of a question: one breath, or two if the task is a short story.
    var maxWords: Int
    /// The number of words in the passage before the first question. Nil without a passage.
    var passage: ClosedRange<Int>?
    var hasPicture = false
    var hasAlternatives = false
    /// The language tag. Nil for English.
    var language: String?

    /// Whether the section belongs to the card that was drawn.
    var isLinked: Bool { role == .roundingOff || role == .discussion }

    var slots: [PaperBlueprint.Slot] {
        Array(repeating: .init(role: role, bloom: role.slot.bloom, maxWords: maxWords), count: count)
    }

    private init(
        _ role: PaperBlueprint.Role, _ count: Int, words: Int, passage: ClosedRange<Int>? = nil, picture: Bool = false,
        alternatives: Bool = false, language: String? = nil
    ) {
        (self.role, self.count, maxWords, self.passage, self.language) = (role, count, words, passage, language)
        (hasPicture, hasAlternatives) = (picture, alternatives)
    }

    private init(_ role: PaperBlueprint.Role) { self.init(role, role.count, words: role.slot.maxWords) }

    /// Finds the kind of a section.
    ///
    /// - Parameters:
    ///   - hasCard: whether a card was drawn before. Sections that continue it then take their questions from the
    ///     card's item.
    ///   - isRepeated: whether the candidate repeats the words or reads them aloud.
    init(_ section: String, hasCard: Bool = false, isRepeated: Bool = false) {
        self =
            switch section {
            case ItemBank.cards: Self(.card)
            case "rounding-off" where hasCard: Self(.roundingOff)
            case "discussion" where hasCard: Self(.discussion)
            default: Self.known[section] ?? Self(isRepeated ? .sentence : .familiar)
            }
    }

    /// The sections of the built-in formats, except those about the candidate's own life and those of a card.
    private static let known: [String: SectionKind] = [
        "interview": Self(.interview),
        "listen-and-repeat": Self(.sentence),
        // pte-style
        "read-aloud": Self(.sentence, 3, words: 45),
        "repeat-sentence": Self(.sentence, 5, words: 14),
        "describe-image": Self(.task, 1, words: 20, picture: true),
        "retell-lecture": Self(.task, 1, words: 20, passage: 110...180),
        "short-questions": Self(.task, 5, words: 16),
        "group-discussion": Self(.task, 1, words: 22, passage: 170...240),
        "situation": Self(.task, 1, words: 60),
        // celpip-style
        "advice": Self(.task, 1, words: 55),
        "experience": Self(.task, 1, words: 45),
        "scene": Self(.task, 2, words: 30, picture: true),
        "persuade": Self(.task, 1, words: 70, alternatives: true),
        "difficult-situation": Self(.task, 1, words: 75),
        "opinion": Self(.task, 1, words: 35),
        "unusual": Self(.task, 1, words: 45, picture: true),
        // aptis-style
        "about-you": Self(.task, 3, words: 16),
        "picture-talk": Self(.task, 3, words: 20, picture: true),
        "two-pictures": Self(.task, 3, words: 22, picture: true),
        "long-talk": Self(.task, 1, words: 45),
        // interview
        "interview-warm-up": Self(.task, 2, words: 20),
        "behavioural": Self(.task, 3, words: 28),
        "technical": Self(.task, 3, words: 28),
        "interview-closing": Self(.task, 2, words: 22),
        // hskk-style. In Chinese, a character counts as a word.
        "repeat-chinese": Self(.sentence, 10, words: 20, language: "zh"),
        "picture-chinese": Self(.task, 1, words: 45, picture: true, language: "zh"),
        "questions-chinese": Self(.task, 2, words: 50, language: "zh"),
    ]
}
