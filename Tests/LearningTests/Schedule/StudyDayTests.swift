import Testing

@testable import Learning

@Suite struct StudyDayTests {
    private func moment(_ text: String) throws -> StudyMoment {
        try #require(PracticeLine("\(text) minutes 10")).moment
    }

    @Test func momentsAreReadAsTheyAreWritten() throws {
        for text in [
            "2026-11-25T13:15:24+01:00", "1970-01-01T00:00:00+00:00", "2028-02-29T23:59:59-09:30",
            "2000-03-01T03:59:59+14:00",
            "2100-12-31T04:00:00-12:00",
        ] {
            #expect(try moment(text).text == text)
        }
        #expect(try moment("1970-01-01T01:00:00+01:00").seconds == 0)
        for wrong in ["2026-13-01T00:00:00+00:00", "2026-11-25T24:00:00+00:00", "2026-11-25 13:15:24+01:00", "x"] {
            #expect(PracticeLine("\(wrong) minutes 10") == nil)
        }
    }

    @Test func everyDayOfFourHundredYearsIsReadAsItIsWritten() throws {
        var day = StudyDay(year: 1970, month: 1, day: 1)
        #expect(day.number == 0 && day.weekday == 4)
        for number in 0..<146_097 {
            #expect(day.number == number)
            try #require(StudyDay(day.text) == day)
            day = day.advanced(by: 1)
        }
        #expect(day.text == "2370-01-01")
        #expect(StudyDay("2026-02-29") == nil && StudyDay("2026-2-3") == nil && StudyDay("2026-11-25")?.weekday == 3)
    }

    @Test func aStudyDayBeginsAtFourByTheLearnersClock() throws {
        #expect(try moment("2026-11-26T03:59:59+01:00").day.text == "2026-11-25")
        #expect(try moment("2026-11-26T04:00:00+01:00").day.text == "2026-11-26")
        // One moment in two places.
        #expect(try moment("2026-11-25T23:30:00-05:00").seconds == moment("2026-11-26T13:30:00+09:00").seconds)
        #expect(try moment("2026-11-25T23:30:00-05:00").day < moment("2026-11-26T13:30:00+09:00").day)
    }

    /// Clocks go from 2:00 to 3:00 on 29 March 2026 in Berlin, and from 3:00 to 2:00 on 25 October.
    @Test func daysOfSummerTimeBeginAtFourToo() throws {
        #expect(try moment("2026-03-29T03:59:59+02:00").day.text == "2026-03-28")
        #expect(try moment("2026-03-29T04:00:00+02:00").day.text == "2026-03-29")
        #expect(try moment("2026-10-25T02:30:00+02:00").day.text == "2026-10-24")
        #expect(try moment("2026-10-25T02:30:00+01:00").day.text == "2026-10-24")
        #expect(try moment("2026-10-25T04:00:00+01:00").day.text == "2026-10-25")
    }
}
