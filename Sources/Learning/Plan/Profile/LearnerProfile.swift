/// Who learns, for what, and when (V2).
public struct LearnerProfile: Codable, Equatable, Sendable {
    public var name: String
    /// A year or a stage: `second year`, `graduate`.
    public var stage: String
    /// What it is for: `nurse in Leeds`, `IELTS 7`.
    public var targetRole: String
    /// More than 0, at most 16.
    public var timeBudgetHoursPerDay: Double
    /// At least one, none twice.
    public var availableDays: [Weekday]
    /// Sentences that `PlanConstraint` reads.
    public var constraints: [String]?
    /// 0 … 9 by halves.
    public var goalBand: Double?
    public var testDate: StudyDay?
    /// An exam where absent.
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

    /// Whole minutes of a day.
    public var minutesADay: Int {
        // Whoever made it without looking at `fault` still gets a plan.
        timeBudgetHoursPerDay.isFinite ? Int(min(max(timeBudgetHoursPerDay, 0), Self.mostHours) * 60) : 0
    }

    /// Weekdays that are not available, as the practice log takes rest days (`PracticeEvent.restDays`): 1 is Monday.
    public var restDays: [Int] { Weekday.allCases.filter { !availableDays.contains($0) }.map(\.number) }

    /// The field that is wrong, and what should be there; nil where all is well. No full stop.
    public var fault: String? {
        for (field, text) in [("name", name), ("stage", stage), ("targetRole", targetRole)] {
            if text.allSatisfy(\.isWhitespace) { return "\(field): is empty" }
            if text.count > Self.longest { return "\(field): has more than \(Self.longest) characters" }
        }
        if !(timeBudgetHoursPerDay > 0 && timeBudgetHoursPerDay <= Self.mostHours) {
            return "timeBudgetHoursPerDay: is more than 0 and at most 16, not \(timeBudgetHoursPerDay)"
        }
        if availableDays.isEmpty { return "availableDays: are none" }
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
            return "constraints: are at most \(Self.mostConstraints), not \(count)"
        }
        if let goalBand, !((0...9).contains(goalBand) && (goalBand * 2).rounded() == goalBand * 2) {
            return "goalBand: is 0 to 9 by halves, not \(goalBand)"
        }
        return nil
    }

    /// Who is awake for 16 hours has no more for this.
    static let mostHours = 16.0
    /// A line or two: such texts go into plans and prompts whole.
    static let longest = 200
    static let mostConstraints = 40
}
