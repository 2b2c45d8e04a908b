public import ExamCore

/// A day of the week as profiles and plans name it.
public enum Weekday: String, Choice, Comparable, Hashable {
    case monday = "Monday"
    case tuesday = "Tuesday"
    case wednesday = "Wednesday"
    case thursday = "Thursday"
    case friday = "Friday"
    case saturday = "Saturday"
    case sunday = "Sunday"

    public init(of day: StudyDay) { self = Self.allCases[day.weekday - 1] }

    /// 1 is Monday, as in `StudyDay.weekday`.
    public var number: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

    /// Reads a day as people and models write it: `monday`, `Mondays`, `Mon`. Nil if it is not a day.
    public init?(written: some StringProtocol) {
        var word = written.lowercased()
        if word.hasSuffix("s"), word.hasSuffix("days") { word.removeLast() }
        let found = Self.allCases.first { day in
            let name = day.rawValue.lowercased()
            return word == name || (word.count >= 3 && word.count <= 4 && name.hasPrefix(word))
        }
        guard let found else { return nil }
        self = found
    }

    public static func < (a: Weekday, b: Weekday) -> Bool { a.number < b.number }
}

extension StudyDay {
    /// The Monday of the day's week.
    public var monday: StudyDay { advanced(by: 1 - weekday) }
}

/// Written in files as `2026-11-25`.
extension StudyDay: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let day = StudyDay(text) else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "should be a day like 2026-11-25, not \"\(text)\""))
        }
        self = day
    }

    public func encode(to encoder: any Encoder) throws {
        var field = encoder.singleValueContainer()
        try field.encode(text)
    }
}

/// A time of day on the learner's own clock, in any time zone. In a file as `18:30`.
public struct ClockTime: Hashable, Comparable, Sendable {
    /// The minutes after midnight, 0 to 1440. 1440 is midnight at the end of a day (`24:00`).
    public let minutes: Int

    /// Creates a time.
    ///
    /// - Parameter minutes: values outside a day are limited to its ends.
    public init(minutes: Int) { self.minutes = min(max(minutes, 0), 1440) }

    /// Reads `18:30`, `7:05` and `24:00`. Nil if the text is not a time.
    public init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].utf8.count), parts[1].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour <= 24, minute < 60, hour < 24 || minute == 0
        else { return nil }
        self.init(minutes: hour * 60 + minute)
    }

    public var text: String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    public static func < (a: ClockTime, b: ClockTime) -> Bool { a.minutes < b.minutes }
}

extension ClockTime: Codable {
    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let time = ClockTime(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "should be a time like 18:30, not \"\(text)\""))
        }
        self = time
    }

    public func encode(to encoder: any Encoder) throws {
        var field = encoder.singleValueContainer()
        try field.encode(text)
    }
}
