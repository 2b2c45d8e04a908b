/// The pace of a week. These numbers are choices, kept in one place. They were not measured for this project.
enum PlanPacing {
    /// The most tasks a day. Learners do not finish a longer list.
    static let tasksADay = 8
    /// The longest block in minutes, unless the learner asks for less: a school lesson.
    static let atOnce = 45
    /// The minutes between two blocks.
    static let pause = 10
    /// A day with fewer minutes gets no tasks.
    static let leastMinutes = 5
    /// The times at which blocks begin, in minutes after midnight. A plan uses the evening; making the blocks anew
    /// tries the others.
    static let starts = [18 * 60, 8 * 60, 12 * 60 + 30]
    /// The hours in which people are usually awake. Other hours are used only if nothing else is free.
    static let usualHours = 7 * 60..<22 * 60
    /// A study day begins at four (`StudyDay.beginsAt`) but ends at midnight here, so that a block lies within one
    /// calendar day.
    static let dayHours = 4 * 60..<24 * 60
    /// A plan that is made during the day begins at the next multiple of this many minutes, because people do not begin
    /// at 18:07.
    static let startsEvery = 5
    /// The number of days before a test in which nothing new is begun and days are half as long.
    static let taperDays = 7
    /// The most minutes on the day before the test.
    static let lastDayMinutes = 20
    /// The number of days before the test without a whole exam: it would show weaknesses too late to mend.
    static let restBeforeTest = 2
    /// The most missed tasks added to a day. More would turn the plan into a backlog.
    static let carriedADay = 2
    /// A task that was missed longer ago than this many days expires.
    static let carriedDays = 7
}
