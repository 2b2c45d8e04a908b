import Papers

/// The ids of imported questions. A question whose wording is corrected keeps its id, and with it the learner's
/// progress.
///
/// An id in the file is kept. Any other question takes the id of the earlier question with the same prompt or with most
/// of the same words. A question that matches no earlier one gets a number that no question of the pack ever had.
struct QuestionIdentity {
    /// The ids in the order of the questions.
    private(set) var ids: [String]
    /// The highest number in ids of the form `PACK-7`, including earlier ones. Nil if there never was one.
    private(set) var highestNumber: Int?

    private static let longestID = 60

    init(
        _ questions: [(read: ReadQuestion, question: PracticeQuestion)], in pack: String, previous: QuestionPack?,
        others: Set<String>
    ) {
        let before = previous?.questions ?? []
        let titles = Dictionary(grouping: questions.compactMap { $0.read.title?.questionID }, by: \.self)
        let known = Set(before.map(\.id))
        // A heading does not serve as an id if several questions share it, if it has no letters or digits, or if it is
        // too long.
        var found: [String?] = questions.map { read, _ in
            if let id = read.id { return id.questionID ?? id }
            guard let title = read.title?.questionID, titles[title]?.count == 1, title.count <= Self.longestID else {
                return nil
            }
            let own = "\(pack)-\(title)"
            return known.contains(own) || (others.contains(title) && own.count <= Self.longestID) ? own : title
        }
        let named = Set(found.compactMap(\.self))
        Self.recognise(questions.map(\.question), among: before.filter { !named.contains($0.id) }, &found)

        highestNumber = (before.map(\.id) + found.compactMap(\.self)).compactMap { Self.number(of: $0, in: pack) }
            .max()
        if let numbered = previous?.highestNumber { highestNumber = max(numbered, highestNumber ?? 0) }
        for place in found.indices where found[place] == nil {
            var next: String
            repeat {
                highestNumber = (highestNumber ?? 0) + 1
                next = "\(pack)-\(highestNumber ?? 0)"
            } while others.contains(next)
            found[place] = next
        }
        ids = found.compactMap(\.self)
    }

    /// Matches questions with earlier ones. The most similar pairs come first, so that no question takes an id that
    /// suits another better.
    private static func recognise(
        _ questions: [PracticeQuestion], among before: [PracticeQuestion], _ found: inout [String?]
    ) {
        let words = before.map(KnownQuestions.words)
        let all = questions.map(KnownQuestions.words)
        var index = LikenessIndex(expecting: words + all)
        for own in words { index.add(own) }
        let prompts = Dictionary(grouping: before.indices) { before[$0].prompt }
        var pairs: [(likeness: Double, place: Int, other: Int)] = []
        for (place, question) in questions.enumerated() where found[place] == nil {
            let same = prompts[question.prompt] ?? []
            for other in same { pairs.append((1 + TextLikeness.rougeL(words[other], all[place]), place, other)) }
            for other in index.duplicates(of: all[place]) where !same.contains(other) {
                pairs.append((TextLikeness.rougeL(words[other], all[place]), place, other))
            }
        }
        var taken: Set<Int> = []
        for pair in pairs.sorted(by: { ($1.likeness, $0.place, $0.other) < ($0.likeness, $1.place, $1.other) })
        where found[pair.place] == nil && taken.insert(pair.other).inserted {
            found[pair.place] = before[pair.other].id
        }
    }

    private static func number(of id: String, in pack: String) -> Int? {
        guard id.hasPrefix(pack + "-") else { return nil }
        let digits = id.dropFirst(pack.count + 1)
        // A longer sequence of digits was not assigned here.
        return digits.count < 10 && digits.allSatisfy { $0.isASCII && $0.isNumber } ? Int(digits) : nil
    }
}

extension String {
    /// The text in small letters, digits and hyphens. Nil if it contains no letter or digit.
    var questionID: String? {
        let id = lowercased().split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
        return id.isEmpty ? nil : id
    }
}
