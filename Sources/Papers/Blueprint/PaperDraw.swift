public import ExamCore

/// A paper drawn from a bank, and the wishes that could not be met.
public struct DrawnPaper: Equatable, Sendable {
    public var paper: Paper
    public var blueprint: PaperBlueprint
    /// The ids of its items, in the order of the exam.
    public var items: [String]
    /// The differences from the request. Empty if the paper meets it.
    public var shortfalls: [Shortfall]
    /// The expected length of an exam with this paper, in seconds.
    public var seconds: Double

    /// A difference of a paper from its request.
    public struct Shortfall: Equatable, Sendable {
        public var kind: Kind
        /// One sentence with a full stop. It begins with the frame or the part.
        public var sentence: String

        public init(_ kind: Kind, _ sentence: String) {
            (self.kind, self.sentence) = (kind, sentence)
        }

        public enum Kind: Equatable, Sendable {
            /// The bank has no item on the wanted topics for a frame.
            case topic
            case difficulty
            /// The learner met the item recently, and the bank has no other.
            case seenLately
            /// The questions do not fill the time.
            case length
        }
    }
}

/// The reason why no paper could be drawn: the frame that could not be filled, and what was tried.
public struct DrawFailure: Error, Equatable, Sendable {
    /// `topics.2`, or `length`.
    public var frame: String
    /// One sentence with a full stop.
    public var sentence: String
}

extension ItemBank {
    /// Draws a paper. The result is the same on every machine.
    ///
    /// Frames are filled in the order of the exam. For each one the seed chooses among the items that fit: those with
    /// its section and difficulty, on a wanted topic, that the learner did not meet within the days of `rules`. Two
    /// items of a paper never share a keyword. If no item fits, the previous frame takes another item. If no
    /// combination fits, the frame that could not be filled gives up one requirement, in this order: how long ago an
    /// item was met, the topics, the difficulty.
    ///
    /// - Parameter seen: the items that the learner met before.
    public func draw(
        _ request: PaperRequest, for format: ExamFormat, seen: [SeenItem] = [], rules: SeenRules = .standard
    ) throws(DrawFailure) -> DrawnPaper {
        var blueprint = PaperBlueprint(request, of: format)
        if let questions = request.questions { blueprint.keep(questions) }
        if let minutes = request.minutes { try blueprint.fit(minutes, of: format) }
        var draw = PaperDraw(bank: self, blueprint: blueprint, seen: seen, rules: rules)
        return try draw.paper(of: format)
    }
}

extension ItemBank {
    /// Returns whether the bank has an item for each section of a format that is drawn.
    public func canFill(_ format: ExamFormat) -> Bool {
        Self.sections(of: format).allSatisfy { section in places.keys.contains { $0.section == section } }
    }

    /// Returns the sections of a format that take items of their own. A paper drawn for the format has exactly these,
    /// and those of their cards.
    public static func sections(of format: ExamFormat) -> Set<String> {
        let frames = PaperBlueprint(PaperRequest(format: format.id, seed: 0), of: format).frames
        return Set(frames.filter { $0.linkedTo == nil }.map(\.section))
    }
}

/// The drawing of one paper.
private struct PaperDraw {
    let bank: ItemBank
    let blueprint: PaperBlueprint
    let rules: SeenRules
    /// The frames that take an item of their own.
    let frames: [PaperBlueprint.Frame]
    /// The days since each item was last met, by its index in the bank.
    let seen: [Int: Int]
    /// The indices of items on wanted topics. Nil for any.
    let wanted: Set<Int>?
    /// The indices of unwanted items.
    let avoided: Set<Int>
    /// The chosen items, by frame.
    var chosen: [Int] = []
    /// The last frame that was reached.
    var furthest = 0
    /// The present requirement for each frame's item.
    var wishes: [DrawWish]

    init(bank: ItemBank, blueprint: PaperBlueprint, seen: [SeenItem], rules: SeenRules) {
        self.bank = bank
        self.blueprint = blueprint
        self.rules = rules
        frames = blueprint.frames.filter { $0.linkedTo == nil }
        wishes = frames.map { _ in .all }
        var days: [Int: Int] = [:]
        for one in seen {
            guard let place = bank.place(of: one.item) else { continue }
            days[place] = min(days[place] ?? .max, max(0, one.days))
        }
        self.seen = days
        wanted = blueprint.request.topics.isEmpty ? nil : bank.places(about: blueprint.request.topics)
        avoided = blueprint.request.avoid.isEmpty ? [] : bank.places(about: blueprint.request.avoid)
    }

    mutating func paper(of format: ExamFormat) throws(DrawFailure) -> DrawnPaper {
        // First gives up requirements that no item meets on its own. This avoids trying many combinations in vain.
        for number in frames.indices {
            while let next = wishes[number].next, !hasCandidate(number) { wishes[number] = next }
        }
        while true {
            (chosen, furthest) = ([], 0)
            if fill() { return made(format) }
            guard let next = wishes[furthest].next else { break }
            wishes[furthest] = next
        }
        let frame = frames[furthest]
        let count = bank.items.count { $0.section == frame.section }
        let why =
            count == 0
            ? "the bank has no item for it"
            : "none of the bank's \(count) items for it fits: each shares a keyword with another item"
                + (avoided.isEmpty ? "" : " or is to be avoided")
        throw DrawFailure(
            frame: frame.id, sentence: "\(frame.id): format \"\(format.id)\" needs an item there, and \(why).")
    }

    private func hasCandidate(_ number: Int) -> Bool {
        var candidates = candidates(number)
        while let place = candidates.next() { if !avoided.contains(place) { return true } }
        return false
    }

    private func candidates(_ number: Int) -> DrawCandidates {
        DrawCandidates(
            for: frames[number], in: bank, wishes[number], seen: seen, wanted: wanted, rules: rules,
            seed: blueprint.request.seed &+ UInt64(number) &* 0x9e37_79b9_7f4a_7c15)
    }

    /// Fills the frames from the next one on. If that is impossible, restores the state before.
    private mutating func fill() -> Bool {
        let number = chosen.count
        guard number < frames.count else { return true }
        furthest = max(furthest, number)
        var candidates = candidates(number)
        while let place = candidates.next() {
            // Two items of a paper share no keyword.
            guard !avoided.contains(place), chosen.allSatisfy({ $0 != place && !bank.share($0, place) }) else {
                continue
            }
            chosen.append(place)
            if fill() { return true }
            chosen.removeLast()
        }
        return false
    }

    // MARK: - The paper

    private func made(_ format: ExamFormat) -> DrawnPaper {
        let items = chosen.map { bank.items[$0] }
        var sections: [String: [Paper.Frame]] = [:]
        var cards: [String: BankCard] = [:]
        for (frame, item) in zip(frames, items) {
            switch item {
            case .frame(let own): sections[frame.section, default: []].append(own.inPaper)
            case .card(let card):
                sections[frame.section, default: []].append(card.inPaper)
                cards[frame.id] = card
            }
        }
        for frame in blueprint.frames {
            guard let card = frame.linkedTo.flatMap({ cards[$0] }) else { continue }
            if frame.slots.first?.role == .roundingOff {
                sections[frame.section] = [card.roundingOffInPaper]
            } else {
                sections[frame.section] = card.discussionsInPaper
            }
        }
        // Removes questions for which there is no place.
        var places: [String: [Int]] = [:]
        for frame in blueprint.frames { places[frame.section, default: []].append(frame.slots.count) }
        for (section, counts) in places {
            for (number, count) in counts.enumerated() where number < sections[section]?.count ?? 0 {
                sections[section]?[number].questions.truncate(to: count)
            }
        }
        let origin = Paper.Origin(
            bank: bank.version, seed: blueprint.request.seed, items: items.map(\.id),
            writtenBy: Set(items.compactMap(\.about.writtenBy)).sorted())
        let paper = Paper(
            title: items.map(\.about.title).joined(separator: ", "), difficulty: Self.difficulty(of: items),
            sections: sections, origin: origin)
        let time = ExpectedTime(paper, of: format)
        return DrawnPaper(
            paper: paper, blueprint: blueprint, items: items.map(\.id), shortfalls: shortfalls + shortfalls(time),
            seconds: time.seconds)
    }

    private func shortfalls(_ time: ExpectedTime) -> [DrawnPaper.Shortfall] {
        guard let minutes = blueprint.request.minutes else {
            return time.halfEmptyParts.map { part, seconds, has in
                DrawnPaper.Shortfall(
                    .length,
                    "part \(part): its questions take about \(Int(seconds.rounded())) s, but it has only \(Int(has)) s."
                )
            }
        }
        guard time.seconds < Double(minutes) * 60 * 0.7 else { return [] }
        let most = Int((time.seconds / 60).rounded())
        return [DrawnPaper.Shortfall(.length, "length: the format has questions for only about \(most) minutes.")]
    }

    /// Returns the most frequent difficulty, or the harder of two equally frequent ones.
    private static func difficulty(of items: [BankItem]) -> Paper.Difficulty? {
        Paper.Difficulty.allCases.max { one, other in
            items.count { $0.about.difficulty == one } < items.count { $0.about.difficulty == other }
                || (items.count { $0.about.difficulty == one } == items.count { $0.about.difficulty == other }
                    && Paper.Difficulty.allCases.firstIndex(of: one)! < Paper.Difficulty.allCases.firstIndex(of: other)!)
        }
    }

    /// The differences from the request, frame by frame.
    private var shortfalls: [DrawnPaper.Shortfall] {
        var found: [DrawnPaper.Shortfall] = []
        for (frame, place) in zip(frames, chosen) {
            let about = bank.items[place].about
            if let wanted, !wanted.contains(place) {
                found.append(
                    .init(
                        .topic,
                        "\(frame.id): the bank has no item on the topic that you asked for; this one is \"\(about.title)\"."
                    ))
            }
            if let wished = frame.difficulty, about.difficulty != wished {
                found.append(
                    .init(
                        .difficulty,
                        "\(frame.id): \"\(about.title)\" is \(about.difficulty.rawValue), not \(wished.rawValue)."))
            }
            if let days = seen[place], days < rules.days {
                let ago = days == 0 ? "today" : days == 1 ? "yesterday" : "\(days) days ago"
                found.append(
                    .init(
                        .seenLately,
                        "\(frame.id): you had \"\(about.title)\" \(ago); the bank has no other item that fits."))
            }
        }
        return found
    }
}

extension Array {
    fileprivate mutating func truncate(to count: Int) { removeLast(Swift.max(0, self.count - count)) }
}
