/// A sentence that says when the learner is busy, in their own words: "gym on Tuesday evening", "work 9:00-17:00 on
/// weekdays", "school until 14:30 Monday to Friday".
///
/// Needs something to do and a part of the day or a time. Without a day, it is about every day. A sentence that may mean
/// the opposite ("only free on Monday evening", "I like mornings") is not understood, so that it is asked back.
struct BusyTime {
    /// Nil if the sentence is not understood.
    let rule: PlanConstraint.Rule?

    /// - Parameter words: The words in lower case, without commas and the last full stop.
    init(_ words: [String]) {
        rule = Self.rule(words)
    }

    private static func rule(_ words: [String]) -> PlanConstraint.Rule? {
        guard unclear.isDisjoint(with: words) else { return nil }
        var (days, spans, activity) = (Set<Weekday>(), [Range<Int>](), 0)
        var place = 0
        while place < words.count {
            let rest = words[place...]
            if let (span, count) = time(rest) {
                spans.append(span)
                place += count
            } else if let (some, count) = weekdays(rest) {
                days.formUnion(some)
                place += count
            } else {
                // A number or a time that no rule above has read.
                guard !words[place].contains(where: \.isNumber) else { return nil }
                activity += links.contains(words[place]) ? 0 : 1
                place += 1
            }
        }
        // Two times would be two sentences.
        guard activity > 0, spans.count == 1, let span = spans.first, !span.isEmpty else { return nil }
        return .notDuring(span, days.isEmpty ? Set(Weekday.allCases) : days)
    }

    /// Words with which a sentence may mean the opposite, or something that is no constraint.
    private static let unclear: Set = [
        "like", "love", "prefer", "want", "wish", "best", "only", "free", "can", "could", "available", "except",
        "unless",
        "but", "or", "not", "no", "never", "don't", "cannot", "can't", "sometimes", "maybe", "perhaps", "most", "least",
        "practise", "practice", "study", "learn", "speak", "other", "second", "first", "last",
    ]

    /// Words that join the others, and are not something to do.
    private static let links: Set = [
        "on", "in", "the", "a", "an", "at", "every", "each", "all", "and", "i", "have", "am", "i'm", "my", "is", "are",
        "from", "for",
    ]

    /// The parts of a day in minutes after midnight.
    private static let parts: [String: Range<Int>] = [
        "morning": 0..<720, "lunch": 720..<840, "lunchtime": 720..<840, "afternoon": 720..<1080,
        "evening": 1080..<1440, "night": 1260..<1440,
    ]

    /// Reads a part of the day, or a time: `evenings`, `18:00-19:00`, `from 18:00 to 19:00`, `until 14:30`.
    ///
    /// - Returns: The span in minutes after midnight, and the number of its words.
    private static func time(_ words: ArraySlice<String>) -> (Range<Int>, Int)? {
        guard let first = words.first else { return nil }
        if let part = parts[first] ?? (first.hasSuffix("s") ? parts[String(first.dropLast())] : nil) {
            return (part, 1)
        }
        let ends = first.split(separator: "-", omittingEmptySubsequences: false).map { ClockTime($0) }
        if ends.count == 2, let begin = ends[0], let end = ends[1], begin < end {
            return (begin.minutes..<end.minutes, 1)
        }
        let next = Array(words.dropFirst().prefix(3))
        guard let at = next.first.flatMap({ ClockTime($0) }) else { return nil }
        switch first {
        case "from", "between":
            guard next.count == 3, ["to", "until", "till", "and"].contains(next[1]), let end = ClockTime(next[2]),
                at < end
            else { return first == "from" && next.count < 2 ? (at.minutes..<1440, 2) : nil }
            return (at.minutes..<end.minutes, 4)
        case "until", "till", "before": return (0..<at.minutes, 2)
        case "after", "since": return (at.minutes..<1440, 2)
        default: return nil
        }
    }

    /// Reads days: `Tuesdays`, `weekdays`, `Monday to Friday`.
    ///
    /// - Returns: The days, and the number of words.
    private static func weekdays(_ words: ArraySlice<String>) -> (Set<Weekday>, Int)? {
        guard let first = words.first else { return nil }
        let all = Weekday.allCases
        switch first {
        case "weekend", "weekends": return ([.saturday, .sunday], 1)
        case "weekday", "weekdays": return (Set(all).subtracting([.saturday, .sunday]), 1)
        case "day", "days", "daily": return (Set(all), 1)
        default: break
        }
        guard let day = Weekday(written: first) else { return nil }
        let next = Array(words.dropFirst().prefix(2))
        if next.count == 2, ["to", "till", "until", "through"].contains(next[0]), let last = Weekday(written: next[1]),
            day < last
        {
            return (Set(all.filter { day <= $0 && $0 <= last }), 3)
        }
        return ([day], 1)
    }
}
