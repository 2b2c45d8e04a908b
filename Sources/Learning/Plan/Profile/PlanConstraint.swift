/// A sentence that says when and how the learner does not want to work. These forms are understood, in any case, with
/// or without a full stop:
///
/// ```
/// not on DAYS                                 not on Wednesday and Friday; not on weekends
/// not before TIME [on DAYS]                   not before 18:00
/// not after TIME [on DAYS]                    not after 21:00 on Fridays
/// not [on] [DAYS] TIME-TIME                   not Monday 18:00-19:00; not 12:00-13:00
/// not between TIME and TIME [on DAYS]
/// at most N minutes at once
/// at most N minutes a day [on DAYS]           also: on DAYS alone
/// no KINDS [on DAYS]                          no speaking on Monday; no exams on Friday
/// SOMETHING [on DAYS] WHEN                    gym on Tuesday evening; work 9:00-17:00 on weekdays
/// ```
///
/// DAYS are names of days, `weekends` or `weekdays`, separated by commas, "and" or "or". KINDS are `speaking`
/// (everything spoken aloud, including exams), `exams`, `drills`, `lessons`, `reviews` and `tests`. TIME is `18:00`. WHEN
/// is a part of the day, a span, or `until TIME`, `after TIME`: see `BusyTime`.
public struct PlanConstraint: Equatable, Sendable {
    public let text: String
    /// Nil if the sentence is not understood.
    public let rule: Rule?

    public enum Rule: Equatable, Sendable {
        case notOn(Set<Weekday>)
        /// A span of these days without tasks, in minutes after midnight.
        case notDuring(Range<Int>, Set<Weekday>)
        /// The most minutes in one piece.
        case atOnce(Int)
        case aDay(Int, Set<Weekday>)
        case without(Set<PlanLink.Kind>, Set<Weekday>)
    }

    public init(_ text: String) {
        self.text = text
        rule = Self.rule(of: text)
    }

    private static let everyDay = Set(Weekday.allCases)

    private static func rule(of text: String) -> Rule? {
        var plain = text.lowercased().map { $0 == "–" || $0 == "—" ? "-" : $0 }
        while let last = plain.last, last == "." || last.isWhitespace { plain.removeLast() }
        // Commas separate words as spaces do.
        let words = plain.split { $0.isWhitespace || $0 == "," }.map { String($0) }
        guard let first = words.first else { return nil }
        let rest = words.dropFirst()
        switch first {
        case "not": return not(rest)
        case "at" where rest.first == "most": return atMost(rest.dropFirst())
        case "no": return no(rest)
        default: return BusyTime(words).rule
        }
    }

    /// The answer to a sentence that is not understood: examples to say it otherwise.
    public static let examples =
        "Say it like \"not on Sunday\", \"not before 18:00\" or \"gym on Tuesday evening\"."

    private static func not(_ words: ArraySlice<String>) -> Rule? {
        switch words.first {
        case "before":
            guard let time = words.dropFirst().first.flatMap({ ClockTime($0) }), let days = onDays(words.dropFirst(2))
            else { return nil }
            return .notDuring(0..<time.minutes, days)
        case "after":
            guard let time = words.dropFirst().first.flatMap({ ClockTime($0) }), let days = onDays(words.dropFirst(2))
            else { return nil }
            return .notDuring(time.minutes..<1440, days)
        case "between":
            let words = Array(words)
            guard words.count >= 4, words[2] == "and", let span = span(words[1], words[3]),
                let days = onDays(words[4...])
            else { return nil }
            return .notDuring(span, days)
        default:
            let words = words.first == "on" ? words.dropFirst() : words
            guard let last = words.last else { return nil }
            let ends = last.split(separator: "-", omittingEmptySubsequences: false)
            if ends.count == 2, let span = span(String(ends[0]), String(ends[1])) {
                let before = words.dropLast()
                guard !before.isEmpty else { return .notDuring(span, everyDay) }
                return days(before).map { .notDuring(span, $0) }
            }
            return days(words).map { .notOn($0) }
        }
    }

    private static func atMost(_ words: ArraySlice<String>) -> Rule? {
        let words = Array(words)
        guard words.count >= 3, let minutes = Int(words[0]), (1...1440).contains(minutes),
            ["minute", "minutes", "min"].contains(words[1])
        else { return nil }
        let rest = words[2...]
        if Array(rest) == ["at", "once"] { return .atOnce(minutes) }
        if ["a", "per"].contains(rest.first), rest.dropFirst().first == "day" {
            return onDays(rest.dropFirst(2)).map { .aDay(minutes, $0) }
        }
        return rest.first == "on" ? onDays(rest).map { .aDay(minutes, $0) } : nil
    }

    private static func no(_ words: ArraySlice<String>) -> Rule? {
        let kinds = words.prefix { $0 != "on" }
        guard !kinds.isEmpty, let days = onDays(words.dropFirst(kinds.count)) else { return nil }
        var barred: Set<PlanLink.Kind> = []
        for word in kinds where !["and", "or"].contains(word) {
            switch word {
            case "speaking": barred.formUnion([.speaking, .exam])
            case "exam", "exams", "interview", "interviews": barred.insert(.exam)
            case "drill", "drills": barred.insert(.drill)
            case "lesson", "lessons": barred.insert(.lesson)
            case "review", "reviews": barred.insert(.review)
            case "test", "tests": barred.insert(.test)
            default: return nil
            }
        }
        return barred.isEmpty ? nil : .without(barred, days)
    }

    private static func span(_ begin: String, _ end: String) -> Range<Int>? {
        guard let begin = ClockTime(begin), let end = ClockTime(end), begin < end else { return nil }
        return begin.minutes..<end.minutes
    }

    /// Reads `on DAYS`. Returns every day if there are no more words, and nil for anything else.
    private static func onDays(_ words: ArraySlice<String>) -> Set<Weekday>? {
        if words.isEmpty { return everyDay }
        return words.first == "on" ? days(words.dropFirst()) : nil
    }

    private static func days(_ words: ArraySlice<String>) -> Set<Weekday>? {
        var found: Set<Weekday> = []
        for word in words where !["and", "or"].contains(word) {
            switch word {
            case "weekend", "weekends": found.formUnion([.saturday, .sunday])
            case "weekday", "weekdays": found.formUnion(everyDay.subtracting([.saturday, .sunday]))
            default:
                guard let day = Weekday(written: word) else { return nil }
                found.insert(day)
            }
        }
        return found.isEmpty ? nil : found
    }
}
