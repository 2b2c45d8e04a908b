/// The learner, their aim and their time.
public struct LearnerProfile: Codable, Equatable, Sendable {
    public var name: String
    /// A year or a stage: `second year`, `graduate`.
    public var stage: String
    /// The aim: `nurse in Leeds`, `IELTS 7`.
    public var targetRole: String
    /// More than 0, at most 16.
    public var timeBudgetHoursPerDay: Double
    /// At least one day, without repetition.
    public var availableDays: [Weekday]
    /// Sentences that `PlanConstraint` reads.
    public var constraints: [String]?
    /// 0 to 9 in steps of a half.
    public var goalBand: Double?
    public var testDate: StudyDay?
    /// The kind of occasion. An exam if absent.
    public var format: PlanFormat?

    public init(
        name: String, stage: String, targetRole: String, timeBudgetHoursPerDay: Double, availableDays: [Weekday],
        constraints: [String]? = nil, goalBand: Double? = nil, testDate: StudyDay? = nil, format: PlanFormat? = nil
    ) {
        self.name = name
        self.stage = stage
        self.targetRole = targetRole
        self.timeBudgetHoursPerDay = timeBudgetHoursPerDay
        self.availableDays = availableDays
        self.constraints = constraints
        self.goalBand = goalBand
        self.testDate = testDate
        self.format = format
    }

    /// The time budget of a day in whole minutes.
    public var minutesADay: Int {
        // Also works for an invalid profile whose `fault` was not checked.
        timeBudgetHoursPerDay.isFinite ? Int(min(max(timeBudgetHoursPerDay, 0), Self.mostHours) * 60) : 0
    }

    /// The weekdays that are not available, as the practice log records rest days (`PracticeEvent.restDays`): 1 is
    /// Monday.
    public var restDays: [Int] { Weekday.allCases.filter { !availableDays.contains($0) }.map(\.number) }

    /// The invalid field and what is expected, without a full stop. Nil if the profile is valid.
    public var fault: String? {
        for (field, text) in [("name", name), ("stage", stage), ("targetRole", targetRole)] {
            if text.allSatisfy(\.isWhitespace) { return "\(field): is empty" }
            if text.count > Self.longest { return "\(field): has more than \(Self.longest) characters" }
        }
        if !(timeBudgetHoursPerDay > 0 && timeBudgetHoursPerDay <= Self.mostHours) {
            return "timeBudgetHoursPerDay: should be more than 0 and at most 16, not \(timeBudgetHoursPerDay)"
        }
        if availableDays.isEmpty { return "availableDays: is empty" }
        for (place, day) in availableDays.enumerated() where availableDays[..<place].contains(day) {
            return "availableDays[\(place)]: \(day.rawValue) is there twice"
        }
        for (place, text) in (constraints ?? []).enumerated() {
            if text.allSatisfy(\.isWhitespace) { return "constraints[\(place)]: is empty" }
            if text.count > Self.longest {
                return "constraints[\(place)]: has more than \(Self.longest) characters"
            }
        }
        if let count = constraints?.count, count > Self.mostConstraints {
            return "constraints: should be at most \(Self.mostConstraints), not \(count)"
        }
        if let goalBand, !((0...9).contains(goalBand) && (goalBand * 2).rounded() == goalBand * 2) {
            return "goalBand: should be 0 to 9 in half bands, not \(goalBand)"
        }
        return nil
    }

    /// The most hours a day: a learner who is awake for 16 hours has no more.
    static let mostHours = 16.0
    /// The longest text in characters: a line or two, because plans and prompts contain these texts in full.
    static let longest = 200
    static let mostConstraints = 40
}
