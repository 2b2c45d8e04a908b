/// What assessors may take in a day (UTC), all of them together.
public struct AssessorBudget: Codable, Equatable, Sendable {
    /// Minutes of sound that are sent or judged; nil: any.
    public var minutes: Double?
    /// In whatever the prices are in; nil: any.
    public var money: Double?

    public init(minutes: Double? = nil, money: Double? = nil) {
        self.minutes = minutes
        self.money = money
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
