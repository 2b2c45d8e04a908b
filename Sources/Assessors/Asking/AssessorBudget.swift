/// What assessors may take in a day (UTC), all of them together.
public struct AssessorBudget: Codable, Equatable, Sendable {
    /// Minutes of sound that are sent or judged; nil: any.
    public var minutes: Double?
    /// In whatever the prices are in; nil: any.
    public var money: Double?

    /// The part of it that one learner may take in a day on a server, above 0 and up to 1; nil: a fifth. A learner's first call of a day is
    /// made in any case, if the budget reaches.
    public var share: Double?

    /// What a learner may take if a file does not say.
    public static let usualShare = 0.2

    public init(minutes: Double? = nil, money: Double? = nil, share: Double? = nil) {
        self.minutes = minutes
        self.money = money
        self.share = share
    }

    /// Why a call is beyond it, without a full stop; nil where it is not.
    ///
    /// - Parameter spent: today, by calls that were begun, answered or not: they may have been paid for.
    public func refusal(of call: AssessorCall, spent: AssessorSpending) -> String? {
        if let minutes, (spent.seconds + call.seconds) / 60 > minutes + 1e-9 {
            return "today's budget of \(minutes.short) minutes is spent; it begins anew at midnight UTC"
        }
        if let money, spent.cost + call.cost > money + 1e-9 {
            return "today's budget of \(money.short) is spent; it begins anew at midnight UTC"
        }
        return nil
    }

    /// Why a call is beyond one learner's share, without a full stop; nil where it is not.
    ///
    /// - Parameter spent: today, for this learner.
    public func shareRefusal(of call: AssessorCall, spent: AssessorSpending) -> String? {
        if spent.seconds == 0 && spent.cost == 0 { return nil }
        let share = share ?? Self.usualShare
        let part = AssessorBudget(minutes: minutes.map { $0 * share }, money: money.map { $0 * share })
        guard part.refusal(of: call, spent: spent) != nil else { return nil }
        return "a learner's share of today's budget is spent; it begins anew at midnight UTC"
    }
}

/// What calls took.
public struct AssessorSpending: Codable, Equatable, Sendable {
    /// Of sound.
    public var seconds: Double
    public var cost: Double

    public init(seconds: Double = 0, cost: Double = 0) {
        self.seconds = seconds
        self.cost = cost
    }
}

extension Double {
    /// `5`, `2.5`
    fileprivate var short: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}
