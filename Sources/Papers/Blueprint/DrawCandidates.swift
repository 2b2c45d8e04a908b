import ExamCore

/// The requirements for an item, the strictest first. Each case drops one requirement more than the one before.
enum DrawWish: CaseIterable {
    /// An item for the section, with the difficulty, on a wanted topic, and not met recently.
    case all
    /// Also items that the learner met recently.
    case seen
    /// Also items on other topics.
    case anyTopic
    /// Also items of other difficulties.
    case anyDifficulty

    /// The next weaker requirement. Nil if there is no weaker one.
    var next: DrawWish? {
        let all = Self.allCases
        return all.firstIndex(of: self).flatMap { $0 + 1 < all.count ? all[$0 + 1] : nil }
    }
}

/// The items that may fill a frame, one after the other. Items not met recently come first in random order. The others
/// follow, chosen by weight.
///
/// Checks only as much of the bank as necessary: among ten thousand items, the first one usually fits.
struct DrawCandidates {
    private let lists: [[Int]]
    private let passes: [Pass]
    private let seen: [Int: Int]
    private let wanted: Set<Int>?
    private let rules: SeenRules
    private var generator: SplitMix64
    private var pass = 0
    private var shuffle: LazyShuffle
    /// This pass's items that the learner met recently, with their weights: first the half met longest ago, then the
    /// others.
    private var again: [[(place: Int, weight: Double)]]?

    private enum Pass {
        case new(onTopic: Bool)
        case old(onTopic: Bool)
    }

    init(
        for frame: PaperBlueprint.Frame, in bank: ItemBank, _ wish: DrawWish, seen: [Int: Int], wanted: Set<Int>?,
        rules: SeenRules, seed: UInt64
    ) {
        let difficulties =
            wish == .anyDifficulty
            ? Paper.Difficulty.allCases : frame.difficulty.map { [$0] } ?? Paper.Difficulty.allCases
        lists = difficulties.compactMap { bank.places[.init(section: frame.section, difficulty: $0)] }
        (self.seen, self.wanted, self.rules) = (seen, wanted, rules)
        generator = SplitMix64(seed: seed)
        shuffle = LazyShuffle(lists.reduce(0) { $0 + $1.count })
        var passes: [Pass] = [.new(onTopic: true)]
        if wish != .all { passes.append(.old(onTopic: true)) }
        if wish == .anyTopic || wish == .anyDifficulty, wanted != nil {
            passes = [.new(onTopic: true), .new(onTopic: false), .old(onTopic: true), .old(onTopic: false)]
        }
        self.passes = passes
    }

    mutating func next() -> Int? {
        while pass < passes.count {
            let found: Int?
            switch passes[pass] {
            case .new(let onTopic): found = nextNew(onTopic)
            case .old(let onTopic): found = nextOld(onTopic)
            }
            if let found { return found }
            pass += 1
            shuffle = LazyShuffle(shuffle.count)
            again = nil
        }
        return nil
    }

    private func isOnTopic(_ place: Int) -> Bool { wanted?.contains(place) ?? true }

    private mutating func nextNew(_ onTopic: Bool) -> Int? {
        while let index = shuffle.next(&generator) {
            let place = place(index)
            if seen[place] ?? .max >= rules.days, isOnTopic(place) == onTopic { return place }
        }
        return nil
    }

    private func place(_ index: Int) -> Int {
        var index = index
        for list in lists {
            if index < list.count { return list[index] }
            index -= list.count
        }
        preconditionFailure("a shuffle has no index beyond its count")
    }

    private mutating func nextOld(_ onTopic: Bool) -> Int? {
        var halves = again ?? old(onTopic)
        defer { again = halves }
        guard let half = halves.firstIndex(where: { !$0.isEmpty }) else { return nil }
        let sum = halves[half].reduce(0) { $0 + $1.weight }
        // Items met today have no weight. They are used when nothing else is left.
        guard sum > 0 else { return halves[half].removeFirst().place }
        // 53 bits: the precision of a Double.
        var mark = Double(generator.next() >> 11) / 9_007_199_254_740_992 * sum
        let index = halves[half].firstIndex { one in
            mark -= one.weight
            return mark < 0
        }
        return halves[half].remove(at: index ?? halves[half].lastIndex { $0.weight > 0 }!).place
    }

    private func old(_ onTopic: Bool) -> [[(place: Int, weight: Double)]] {
        let places = lists.joined().filter { (seen[$0] ?? .max) < rules.days && isOnTopic($0) == onTopic }
            .sorted { (-(seen[$0] ?? 0), $0) < (-(seen[$1] ?? 0), $1) }
        let weighed = places.map { ($0, rules.weight(seen[$0] ?? 0)) }
        let half = (weighed.count + 1) / 2
        return [Array(weighed.prefix(half)), Array(weighed.dropFirst(half))]
    }
}

/// A Fisher–Yates shuffle of 0 … count − 1, computed only as far as needed.
private struct LazyShuffle {
    let count: Int
    private var taken = 0
    private var moved: [Int: Int] = [:]

    init(_ count: Int) { self.count = count }

    mutating func next(_ generator: inout SplitMix64) -> Int? {
        guard taken < count else { return nil }
        let other = taken + generator.below(count - taken)
        let value = moved[other] ?? other
        moved[other] = moved[taken] ?? taken
        taken += 1
        return value
    }
}
