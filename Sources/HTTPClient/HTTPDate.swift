/// A time in an HTTP header, in any of the three forms of RFC 9110, section 5.6.7.
package struct HTTPDate: Equatable {
    package var secondsSince1970: Int

    package init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// - Parameters:
    ///   - text: `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` or `Sun Nov  6 08:49:37 1994`.
    ///   - century: A time near the date, for the two-digit year of the second form. A year more than 50 years after it
    ///     belongs to the century before.
    package init?(_ text: String, near century: HTTPDate = HTTPDate(secondsSince1970: 1_767_225_600)) {
        var words = text.split(separator: " ", omittingEmptySubsequences: true)
        guard words.count >= 4 else { return nil }
        words.removeFirst()
        let (day, month, year): (Substring, Substring, Substring)
        var time: Substring
        if words.last != "GMT" {
            guard words.count == 4 else { return nil }
            (month, day, time, year) = (words[0], words[1], words[2], words[3])
        } else if words.count == 5 {
            (day, month, year, time) = (words[0], words[1], words[2], words[3])
        } else {
            let date = words[0].split(separator: "-")
            guard words.count == 3, date.count == 3 else { return nil }
            (day, month, year, time) = (date[0], date[1], date[2], words[1])
        }
        let clock = time.split(separator: ":", omittingEmptySubsequences: false).map { Self.digits($0) }
        guard
            let day = Self.digits(day), (1...31).contains(day),
            let month = Self.months.firstIndex(of: String(month)),
            var years = Self.digits(year), clock.count == 3,
            let hours = clock[0], let minutes = clock[1], let seconds = clock[2],
            // 60 is a leap second.
            hours < 24, minutes < 60, seconds <= 60
        else { return nil }
        if year.count == 2 {
            let now = century.year
            years += now / 100 * 100
            if years > now + 50 { years -= 100 }
        } else if year.count != 4 {
            return nil
        }
        secondsSince1970 = Self.days(years, month + 1, day) * 86_400 + hours * 3_600 + minutes * 60 + seconds
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func digits(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    private var year: Int { 1970 + Int(Double(secondsSince1970) / 31_556_952) }

    /// Returns the days from 1970 to a date of the Gregorian calendar. Years begin in March here, so that the leap day
    /// is their last.
    private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 719_468
    }
}
