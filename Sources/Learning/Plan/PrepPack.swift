public import SystemSupport

/// Material for a learner who prepares for an exam or an interview: an outline, daily drills, first questions and
/// resources.
public struct PrepPack: Codable, Equatable, Sendable {
    /// The steps of the exam and their requirements.
    public var prepOutline: [String]
    /// The drills of each day, in the order of the week.
    public var weeklyDrillPlan: [DrillDay]
    public var starterQuestions: [String]
    public var resources: [PlanResource]

    public struct DrillDay: Codable, Equatable, Sendable {
        public var day: Weekday
        public var drills: [PlanTask]

        public init(day: Weekday, drills: [PlanTask]) {
            self.day = day
            self.drills = drills
        }
    }

    /// Creates the pack.
    ///
    /// - Parameters:
    ///   - plan: the week's plan. Its drills, lessons, tests and spoken tasks appear in the pack again.
    ///   - questions: questions as the paper generator draws them. The first ten that are not empty are used.
    public init(for profile: LearnerProfile, plan: StudyPlan, starterQuestions questions: [String]) {
        prepOutline = Self.steps(for: profile).map(\.sentence)
        weeklyDrillPlan = Weekday.allCases.compactMap { day in
            let drills = (plan.dailyTasks[day] ?? []).filter { ![.exam, .review].contains($0.link.kind) }
            return drills.isEmpty ? nil : DrillDay(day: day, drills: drills)
        }
        var seen: Set<String> = []
        starterQuestions = Array(
            questions.filter { $0.contains { !$0.isWhitespace } && seen.insert($0).inserted }.prefix(Self.mostQuestions)
        )
        resources = plan.resources
    }

    /// A step of the exam or interview.
    public struct Step: Equatable, Sendable {
        public var title: String
        /// Whole sentences.
        public var points: [String]

        init(_ title: String, _ points: String...) { (self.title, self.points) = (title, points) }

        /// `Title: first point. Second point.`
        fileprivate var sentence: String {
            let text = points.joined(separator: " ")
            return "\(title): \(text.prefix(1).lowercased())\(text.dropFirst())"
        }
    }

    /// Returns the steps of the exam or interview that a learner prepares for, the occasion itself first.
    public static func steps(for profile: LearnerProfile) -> [Step] {
        let date = profile.testDate.map { " on \($0.text)" } ?? ""
        switch profile.format ?? .exam {
        case .exam:
            let goal = profile.goalBand.map { ", for \($0.figure(1))" } ?? ""
            return [
                Step("A speaking exam\(date)\(goal)", "Three parts in 11 to 14 minutes."),
                Step(
                    "Part 1, 4 to 5 minutes", "Questions about yourself and familiar topics.",
                    "Answer, and add a reason or an example."),
                Step(
                    "Part 2, 3 to 4 minutes", "A card, one minute to prepare, up to two minutes to talk.",
                    "Say something on each point of the card."),
                Step(
                    "Part 3, 4 to 5 minutes", "A discussion of the card's subject.",
                    "Compare, give reasons, say what may happen."),
            ]
        case .interview:
            return [
                Step("An interview\(date)", "For the role of \(profile.targetRole)."),
                Step("Warm-up", "Who you are and what you did, in a minute or two."),
                Step("Behaviour", "Something that happened to you, told as situation, task, action and result."),
                Step(
                    "Your field", "Questions about the work itself.", "Say what you know, and what you would find out."),
                Step("Closing", "What you would ask them.", "Have two questions ready."),
            ]
        }
    }

    /// About as many questions as one exam asks.
    private static let mostQuestions = 10
}

extension PrepPack {
    /// Reads a prep pack from its file, strictly.
    ///
    /// - Throws: `Problem.malformed` with the line and column or the field. A command that does not match its link is
    ///   malformed, too.
    public static func read(from bytes: [UInt8], name: String) throws(Problem) -> PrepPack {
        let pack = try JSONFile.decode(PrepPack.self, "prep pack", version: nil, from: bytes, name: name)
        for (place, day) in pack.weeklyDrillPlan.enumerated() {
            for (number, task) in day.drills.enumerated() where task.command != task.link.command {
                throw Problem(
                    .malformed,
                    "\(name): weeklyDrillPlan[\(place)].drills[\(number)].command: should be \"\(task.link.command)\"")
            }
        }
        for (place, one) in pack.resources.enumerated() where one.command != one.link.command {
            throw Problem(.malformed, "\(name): resources[\(place)].command: should be \"\(one.link.command)\"")
        }
        return pack
    }

    public var json: [UInt8] { JSONFile.encode(self) }
}
