/// The limits for all assessors together in a day (UTC).
public struct AssessorBudget: Codable, Equatable, Sendable {
    /// The minutes of sound that are sent or judged. Nil for no limit.
    public var minutes: Double?
    /// The money, in the unit of the prices. Nil for no limit.
    public var money: Double?

    /// The share of the budget that one learner may use in a day on a server, above 0 and up to 1; nil for a fifth. The
    /// server makes a learner's first call of a day in any case if the whole budget allows it.
    public var share: Double?

    /// The share of a learner if the file sets none.
    public static let usualShare = 0.2

    public init(minutes: Double? = nil, money: Double? = nil, share: Double? = nil) {
        self.minutes = minutes
        self.money = money
        self.share = share
    }

    /// Returns why a call exceeds the budget, without a full stop. Nil if it does not.
    ///
    /// - Parameter spent: today's spending for all calls that were begun, even without an answer: they may have been
    ///   charged.
    public func refusal(of call: AssessorCall, spent: AssessorSpending) -> String? {
        if let minutes, (spent.seconds + call.seconds) / 60 > minutes + 1e-9 {
            return "today's budget of \(minutes.short) minutes is spent; it begins anew at midnight UTC"
        }
        if let money, spent.cost + call.cost > money + 1e-9 {
            return "today's budget of \(money.short) is spent; it begins anew at midnight UTC"
        }
        return nil
    }

    /// Returns the reason why a call exceeds one learner's share, without a full stop; nil if it doesn't.
    ///
    /// - Parameter spent: this learner's spending today.
    public func shareRefusal(of call: AssessorCall, spent: AssessorSpending) -> String? {
        if spent.seconds == 0 && spent.cost == 0 { return nil }
        let share = share ?? Self.usualShare
        let part = AssessorBudget(minutes: minutes.map { $0 * share }, money: money.map { $0 * share })
        guard part.refusal(of: call, spent: spent) != nil else { return nil }
        return "a learner's share of today's budget is spent; it begins anew at midnight UTC"
    }
}

/// The sound and the money that calls used.
public struct AssessorSpending: Codable, Equatable, Sendable {
    /// The seconds of sound.
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
