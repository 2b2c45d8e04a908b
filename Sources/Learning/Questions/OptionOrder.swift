import Papers
import SystemSupport

extension [PracticeQuestion] {
    /// Returns the questions with their options in an order that depends on the seed. The right option is in each place
    /// about equally often. The order depends only on ids and texts, so ordering the questions again does not change
    /// them. Options that refer to one another keep their order.
    public func inOrder(of seed: UInt64) -> [PracticeQuestion] {
        let moved = indices.filter { self[$0].optionsMayMove }.sorted {
            (self[$0].rank(seed), $0) < (self[$1].rank(seed), $1)
        }
        var questions = map { $0.hasSeveralParts ? $0.inOrder(of: seed) : $0 }
        for (number, place) in moved.enumerated() {
            questions[place] = self[place].inOrder(of: seed, keyAt: number % self[place].options.count)
        }
        return questions
    }
}

extension PracticeQuestion {
    /// Returns a single question with its options in an order that depends on the seed. Over many questions, the right
    /// option of a choice is in each place equally often.
    public func inOrder(of seed: UInt64) -> PracticeQuestion {
        if hasSeveralParts { return withPartsInOrder(of: seed) }
        guard optionsMayMove, case .multipleChoice(let own) = key, let number = UInt32(rank(seed).prefix(8), radix: 16)
        else { return self }
        return inOrder(of: seed, keyAt: Int(number) % own.options.count)
    }

    fileprivate var hasSeveralParts: Bool {
        switch key {
        case .multipleResponse, .ordering, .matching: true
        case .multipleChoice, .fillInTheBlank, .calculation, .spoken: false
        }
    }

    /// Returns a question of several parts with its options in an order that depends on the seed. Options to bring into
    /// an order are not shown in the right one.
    private func withPartsInOrder(of seed: UInt64) -> PracticeQuestion {
        let own = asked.options
        guard keyFault == nil, !own.contains(where: Self.speaksOfOthers) else { return self }
        var order = own.indices.sorted { (digest(own[$0], seed), own[$0]) < (digest(own[$1], seed), own[$1]) }
        if case .ordering(let key) = key, order == key.correct { order.reverse() }
        let options = order.map { own[$0] }
        func moved(_ correct: [Int]) -> [Int] { correct.compactMap { order.firstIndex(of: $0) } }
        var question = self
        switch key {
        case .multipleResponse(let key):
            question.key = .multipleResponse(.init(options: options, correct: moved(key.correct).sorted()))
        case .ordering(let key): question.key = .ordering(.init(options: options, correct: moved(key.correct)))
        case .matching(let key):
            question.key = .matching(.init(premises: key.premises, options: options, correct: moved(key.correct)))
        case .multipleChoice, .fillInTheBlank, .calculation, .spoken: break
        }
        return question
    }

    fileprivate var optionsMayMove: Bool {
        guard case .multipleChoice(let key) = key, key.options.indices.contains(key.correct) else { return false }
        return !key.options.contains(where: Self.speaksOfOthers)
    }

    fileprivate func rank(_ seed: UInt64) -> String { SHA256.hexadecimal(of: Array("\(seed)\n\(id)".utf8)) }

    fileprivate func inOrder(of seed: UInt64, keyAt place: Int) -> PracticeQuestion {
        guard case .multipleChoice(let own) = key else { return self }
        var others = own.options
        let right = others.remove(at: own.correct)
        others.sort { one, other in
            let (a, b) = (digest(one, seed), digest(other, seed))
            return (a, one) < (b, other)
        }
        var question = self
        question.key = .multipleChoice(
            .init(options: others[..<place] + [right] + others[place...], correct: place))
        return question
    }

    private func digest(_ option: String, _ seed: UInt64) -> String {
        SHA256.hexadecimal(of: Array("\(seed)\n\(id)\n\(option)".utf8))
    }

    static func speaksOfOthers(_ option: String) -> Bool { others.first(in: option) != nil }

    private static let others = WordList(
        "all of the above, none of the above, all of these, none of these, both of, the above, the others, either of")
}
