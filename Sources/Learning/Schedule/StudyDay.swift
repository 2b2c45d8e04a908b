/// A moment of practice: the time and the offset of the learner's clock from UTC, so that the moment belongs to the
/// same study day on any machine.
public struct StudyMoment: Hashable, Sendable {
    /// Seconds since 1970, in UTC.
    public var seconds: Int
    /// Seconds east of UTC.
    public var offset: Int

    public init(seconds: Int, offset: Int) {
        self.seconds = seconds
        self.offset = offset
    }

    /// The study day of the moment. Practice after midnight still belongs to the day before.
    public var day: StudyDay { StudyDay(number: (seconds + offset - StudyDay.beginsAt).floored(by: 86_400)) }

    /// The seconds since midnight at the beginning of the study day, on the learner's clock: 4 h to 28 h. Half past
    /// midnight is 24.5 h of the day before.
    public var secondsOfDay: Int { seconds + offset - day.number * 86_400 }

    /// The moment as written in the practice log: `2026-11-25T13:15:24+01:00`.
    public var text: String {
        let local = seconds + offset
        let clock = local - local.floored(by: 86_400) * 86_400
        let east = abs(offset) / 60
        return StudyDay(number: local.floored(by: 86_400)).text
            + "T\((clock / 3600).twoDigits):\((clock / 60 % 60).twoDigits):\((clock % 60).twoDigits)"
            + "\(offset < 0 ? "-" : "+")\((east / 60).twoDigits):\((east % 60).twoDigits)"
    }

    /// Reads a moment as `text` writes it, from the first 25 bytes. Nil if they are malformed.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 25 else { return nil }
        func number(_ places: Range<Int>) -> Int? {
            var value = 0
            for place in places {
                guard (48...57).contains(bytes[place]) else { return nil }
                value = value * 10 + Int(bytes[place] - 48)
            }
            return value
        }
        let isEast = bytes[19] == UInt8(ascii: "+")
        guard bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), bytes[10] == UInt8(ascii: "T"),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), bytes[22] == UInt8(ascii: ":"),
            let year = number(0..<4),
            let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
            let minute = number(14..<16), let second = number(17..<19), let east = number(20..<22),
            let rest = number(23..<25), isEast || bytes[19] == UInt8(ascii: "-"),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 60, east < 24, rest < 60
        else { return nil }
        offset = (east * 3600 + rest * 60) * (isEast ? 1 : -1)
        let midnight = StudyDay(year: year, month: month, day: day).number * 86_400
        seconds = midnight + hour * 3600 + minute * 60 + second - offset
    }
}

/// A day as a learner lives it, from four in the morning to four in the morning.
public struct StudyDay: Hashable, Comparable, Strideable, Sendable {
    /// Days since 1970-01-01.
    public var number: Int

    public init(number: Int) { self.number = number }

    /// The seconds after midnight at which a study day begins, on the learner's clock. A learner who is still up at
    /// three has not begun another day. Changes to and from summer time happen earlier in the night.
    public static let beginsAt = 4 * 3600

    /// Creates a day of the civil calendar (Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms",
    /// `days_from_civil`).
    public init(year: Int, month: Int, day: Int) {
        let year = month <= 2 ? year - 1 : year
        let era = year.floored(by: 400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        number = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// Reads `2026-11-25`. Nil if the text is not a valid day.
    public init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard text.utf8.count == 10, parts.count == 3, let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
        // 31 November would become the first of December.
        if self.text != text { return nil }
    }

    /// The day as `2026-11-25` (`civil_from_days`, same source).
    public var text: String {
        let days = number + 719_468
        let era = days.floored(by: 146_097)
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let part = (5 * dayOfYear + 2) / 153
        let month = part < 10 ? part + 3 : part - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let digits = String(year)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
            + "-\(month.twoDigits)-\((dayOfYear - (153 * part + 2) / 5 + 1).twoDigits)"
    }

    /// 1 is Monday, 7 is Sunday.
    public var weekday: Int { (number + 3) - (number + 3).floored(by: 7) * 7 + 1 }

    public static func < (a: StudyDay, b: StudyDay) -> Bool { a.number < b.number }

    public func distance(to other: StudyDay) -> Int { other.number - number }

    public func advanced(by days: Int) -> StudyDay { StudyDay(number: number + days) }
}

extension Int {
    /// Returns the quotient rounded down, also for negative numbers.
    fileprivate func floored(by divisor: Int) -> Int {
        self >= 0 ? self / divisor : -((-self + divisor - 1) / divisor)
    }

    fileprivate var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }
}
