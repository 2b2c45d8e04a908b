public import SystemSupport

extension LessonCategory {
    /// Reads lessons from their file, strictly.
    ///
    /// - Throws: `Problem.malformed` with the line or field, for example for an empty title, empty content, too few
    ///   items for options, a repeated id, or a stress on a missing syllable.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> LessonCategory {
        let category = try JSONFile.decode(
            LessonCategory.self, "file of lessons", version: layoutVersion, from: bytes, name: name)
        if let fault = category.fault { throw Problem(.malformed, "\(name): \(fault)") }
        return category
    }

    /// The built-in lessons, in the order in which they are offered.
    public static let builtIn: [LessonCategory] = [
        // Tests read each file strictly.
        PackageResources.vocabulary_json, PackageResources.idioms_json, PackageResources.phrasal_verbs_json,
        PackageResources.discourse_markers_json, PackageResources.sample_answers_json,
        PackageResources.pronunciation_json,
    ].compactMap {
        try? JSONFile.decodeOwn(
            LessonCategory.self, "file of lessons", version: layoutVersion, from: $0, name: "lessons")
    }

    /// The fewest items that allow a question with four options.
    private static let fewest = 4

    private var fault: String? {
        if !id.isLabel { return "id: should be small letters, digits and hyphens" }
        if title.isBlank { return "title: is empty" }
        if lessons.isEmpty { return "lessons: is empty" }
        var (seen, items) = (Set<String>(), Set<String>())
        for (place, lesson) in lessons.enumerated() {
            let field = "lessons[\(place)]"
            if !lesson.id.isLabel { return "\(field).id: should be small letters, digits and hyphens" }
            if !seen.insert(lesson.id).inserted {
                return "\(field).id: \"\(lesson.id)\" is already the id of another lesson"
            }
            if lesson.title.isBlank { return "\(field).title: is empty" }
            if lesson.topic.isBlank { return "\(field).topic: is empty" }
            if lesson.items.count < Self.fewest {
                return "\(field).items: has \(lesson.items.count), but a drill needs \(Self.fewest)"
            }
            for (place, item) in lesson.items.enumerated() {
                let field = "\(field).items[\(place)]"
                if !item.id.isLabel { return "\(field).id: should be small letters, digits and hyphens" }
                if !items.insert(item.id).inserted {
                    return "\(field).id: \"\(item.id)\" is already the id of another item"
                }
                if let fault = item.fault { return "\(field).\(fault)" }
            }
        }
        return nil
    }
}

extension LessonItem {
    fileprivate var fault: String? {
        if let (field, _) = texts.first(where: \.text.isBlank) { return "\(field): is empty" }
        switch self {
        case .word(let item): return item.examples.isEmpty ? "examples: is empty" : nil
        case .idiom(let item): return item.examples.isEmpty ? "examples: is empty" : nil
        case .phrasalVerb(let item): return item.examples.isEmpty ? "examples: is empty" : nil
        case .marker(let item): return item.examples.isEmpty ? "examples: is empty" : nil
        case .answer, .minimalPair: return nil
        case .stress(let item):
            if item.syllables.count < 2 {
                return "syllables: has \(item.syllables.count), but needs at least two"
            }
            return item.syllables.indices.contains(item.stressed)
                ? nil : "stressed: should be 0 to \(item.syllables.count - 1), not \(item.stressed)"
        }
    }

    private var texts: [(field: String, text: String)] {
        switch self {
        case .word(let item):
            [("word", item.word), ("definition", item.definition), ("subtopic", item.subtopic), ("ipa", item.ipa)]
        case .idiom(let item): [("idiom", item.idiom), ("meaning", item.meaning)]
        case .phrasalVerb(let item): [("phrasalVerb", item.phrasalVerb), ("definition", item.definition)]
        case .marker(let item): [("marker", item.marker), ("use", item.use)]
        case .answer(let item):
            [
                ("question", item.question), ("answer", item.answer), ("alternative", item.alternative),
                ("note", item.note),
            ]
        case .minimalPair(let item):
            [("word", item.word), ("ipa", item.ipa), ("other.word", item.other.word), ("other.ipa", item.other.ipa)]
        case .stress(let item): [("word", item.word), ("ipa", item.ipa), ("mistake", item.mistake)]
        }
    }
}

extension String {
    fileprivate var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// Whether the text consists of small letters, digits and hyphens.
    fileprivate var isLabel: Bool {
        !isEmpty && utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }
}
