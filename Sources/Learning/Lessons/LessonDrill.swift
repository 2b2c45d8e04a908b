import Papers

/// Generates the drill of each lesson from its items by fixed rules, so that every lesson has one.
extension Lesson {
    /// Returns the pack's id: `vocabulary-food`.
    public func packID(in category: LessonCategory) -> String { "\(category.id)-\(id)" }

    /// Returns a pack with one or two questions for each item, which share a memory. The learner first recognizes the
    /// item, then recalls it.
    public func drill(of category: LessonCategory) -> QuestionPack {
        let others = category.lessons.filter { $0.id != id }.flatMap(\.items)
        return QuestionPack(
            id: packID(in: category), title: "\(category.title): \(title)",
            questions: items.enumerated().flatMap { place, item in questions(of: item, at: place, others) })
    }

    private func questions(of item: LessonItem, at place: Int, _ others: [LessonItem]) -> [PracticeQuestion] {
        // Starts from the next item, so that the wrong options differ from item to item.
        let following = (items[(place + 1)...] + items[..<place])
        func pick(_ title: (LessonItem) -> String?, from other: some Sequence<LessonItem>, beside right: String)
            -> [String]
        {
            var texts: [String] = []
            for text in other.compactMap(title) where text != right && !texts.contains(text) { texts.append(text) }
            return texts.others(beside: right, count: 3)
        }
        func choice(
            _ suffix: String, _ prompt: String, right: String, wrong: [String], why: String, speech: String? = nil
        ) -> PracticeQuestion {
            var options = wrong
            options.insert(right, at: place % (wrong.count + 1))
            return PracticeQuestion(
                id: "\(item.id)-\(suffix)", topic: topic, difficulty: item.level.difficulty, bloom: .understand,
                prompt: prompt,
                key: .multipleChoice(.init(options: options, correct: place % (wrong.count + 1))), explanation: why,
                item: item.id, speech: speech)
        }
        func gap(_ example: ExampleSentence, _ meaning: String, _ why: String) -> PracticeQuestion {
            PracticeQuestion(
                id: "\(item.id)-gap", topic: topic, difficulty: item.level.difficulty, bloom: .remember,
                prompt: "\(example.gapped) (It begins with \(example.words.prefix(1)) and means: \(meaning).)",
                key: .fillInTheBlank(.init(accepted: [example.words])), explanation: why, item: item.id)
        }
        func phrase(_ noun: String, _ text: String, _ meaning: String, _ examples: [ExampleSentence], wrong: [String])
            -> [PracticeQuestion]
        {
            let why = "\"\(text)\" means: \(meaning). \(examples.first?.text ?? "")"
            return [choice("meaning", "Which \(noun) means \"\(meaning)\"?", right: text, wrong: wrong, why: why)]
                + examples.dropFirst().prefix(1).map { gap($0, meaning, why) }
        }
        switch item {
        case .word(let word):
            // The options have the same part of speech, so that grammar does not reveal the right one.
            let same = following.filter { $0.partOfSpeech == word.partOfSpeech }
            let elsewhere = others.filter { $0.partOfSpeech == word.partOfSpeech }
            return phrase(
                word.partOfSpeech.rawValue, word.word, word.definition, word.examples,
                wrong: pick({ $0.title }, from: same + elsewhere, beside: word.word))
        case .idiom(let idiom):
            return phrase(
                "idiom", idiom.idiom, idiom.meaning, idiom.examples,
                wrong: pick({ $0.title }, from: following, beside: idiom.idiom))
        case .phrasalVerb(let verb):
            return phrase(
                "phrasal verb", verb.phrasalVerb, verb.definition, verb.examples,
                wrong: pick({ $0.title }, from: following, beside: verb.phrasalVerb))
        case .marker(let marker):
            // The options have other functions, because two markers with the same function could both be right.
            let turned = others[(place * 7 % max(1, others.count))...] + others[..<(place * 7 % max(1, others.count))]
            let why = "\"\(marker.marker)\" is said \(marker.use). \(marker.examples.first?.text ?? "")"
            return [
                choice(
                    "use", "What fits the gap? \(marker.examples[0].gapped)", right: marker.examples[0].words,
                    wrong: pick(
                        { $0.title.startingLike(marker.examples[0].words) }, from: turned,
                        beside: marker.examples[0].words), why: why)
            ] + marker.examples.dropFirst().prefix(1).map { gap($0, marker.use, why) }
        case .answer(let answer):
            return [
                choice(
                    "reply", "Which reply answers this? \(answer.question)", right: answer.answer.beginning,
                    wrong: pick({ $0.reply }, from: following, beside: answer.answer.beginning), why: answer.note)
            ]
        case .minimalPair(let pair):
            let why = "\(pair.word) is \(pair.ipa), and \(pair.other.word) is \(pair.other.ipa). \(pair.mistake)"
            return [
                choice(
                    "sound", "Which of these words is said \(pair.ipa)?", right: pair.word, wrong: [pair.other.word],
                    why: why),
                choice(
                    "heard", "Which of these words do you hear?", right: pair.word, wrong: [pair.other.word], why: why,
                    speech: pair.word),
            ]
        case .stress(let stress):
            return [
                choice(
                    "stress", "Which syllable of \(stress.syllables.joined(separator: "-")) is the strongest?",
                    right: stress.syllables[stress.stressed],
                    wrong: stress.syllables.enumerated().filter { $0.offset != stress.stressed }.map(\.element),
                    why: "It is \(stress.stressing(stress.stressed)), \(stress.ipa). \(stress.mistake)")
            ]
        }
    }
}

extension [String] {
    /// Returns the first options, or the longest ones if the right one would otherwise stand out by its length.
    fileprivate func others(beside right: String, count: Int) -> [String] {
        let first = Array(prefix(count))
        guard right.lengthThatTells(beside: first) != nil else { return first }
        return Array(sorted { $0.count > $1.count }.prefix(count))
    }
}

extension LessonItem {
    fileprivate var partOfSpeech: PartOfSpeech? { if case .word(let word) = self { word.partOfSpeech } else { nil } }
    fileprivate var reply: String? { if case .answer(let answer) = self { answer.answer.beginning } else { nil } }
}

extension LessonItem.WordStress {
    /// Returns the word with one syllable in capitals: `pho-TO-gra-phy`.
    public func stressing(_ place: Int) -> String {
        syllables.enumerated().map { $0 == place ? $1.uppercased() : $1 }.joined(separator: "-")
    }
}

extension String {
    /// The first words of an answer, enough to recognize its question.
    fileprivate var beginning: String { split(separator: " ").prefix(14).joined(separator: " ") + " ..." }

    /// Returns the text with a capital letter if the other text begins with one.
    fileprivate func startingLike(_ other: String) -> String {
        other.first?.isUppercase == true ? prefix(1).uppercased() + dropFirst() : self
    }
}
