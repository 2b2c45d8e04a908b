/// How a week is paced. Nobody measured these for this project: they are choices, in one place.
enum PlanPacing {
    /// More are no list that somebody comes to the end of.
    static let tasksADay = 8
    /// In one piece, where nobody asks for less: a school lesson.
    static let atOnce = 45
    /// Between two blocks.
    static let pause = 10
    /// A day with less than this has no use for anything.
    static let leastMinutes = 5
    /// Where an evening begins, and the other times that a re-roll of blocks tries.
    static let starts = [18 * 60, 8 * 60, 12 * 60 + 30]
    /// Hours in which people are usually awake; others are taken where nothing else is free.
    static let usualHours = 7 * 60..<22 * 60
    /// A study day begins at four (`StudyDay.beginsAt`), and ends at midnight here: a block lies in one day of the calendar, too.
    static let dayHours = 4 * 60..<24 * 60
    /// Minutes: a plan that is made in the middle of a day begins at the next multiple, since people do not begin at 18:07.
    static let startsEvery = 5
    /// Days before a test in which nothing new is begun, and days are half as long.
    static let taperDays = 7
    /// The day before has no more than this.
    static let lastDayMinutes = 20
    /// No whole exam so many days before the test: it would show what can no longer be mended.
    static let restBeforeTest = 2
    /// Tasks of a day that were missed before; more is a debt, and no plan (line 25).
    static let carriedADay = 2
    /// What was missed longer ago expires.
    static let carriedDays = 7
}
