/// A fixed number of places for work. Learners take turns at them, however much work each learner has waiting.
///
/// Each learner has an account of the weighted cost of their work. The learner with the lowest account is next
/// (start-time fair queuing, Goyal et al., SIGCOMM 1996). A new learner starts with the account of the learner who was
/// served last, so idle learners save up no credit. If there are at least two places, one learner never gets all of
/// them.
struct FairShares<Learner: Hashable> {
    /// A piece of waiting work.
    private struct Item {
        var id: Int
        var weight: Double
    }

    private struct Account {
        /// The seconds charged so far, divided by weight.
        var charged = 0.0
        var waiting: [Item] = []
        var running = 0
        var isIdle: Bool { waiting.isEmpty && running == 0 }
    }

    private let places: Int
    private let mostEach: Int
    private var accounts: [Learner: Account] = [:]
    private var running: [Int: (learner: Learner, weight: Double)] = [:]
    /// The account of the learner who was served last.
    private var now = 0.0

    /// The cost in seconds to charge until the real cost is known.
    private static var guess: Double { 0.25 }

    /// - Parameter mostEach: the most places that one learner may have; nil for all but one.
    init(places: Int, mostEach: Int? = nil) {
        self.places = max(1, places)
        self.mostEach = mostEach ?? max(1, places - 1)
    }

    /// The number of waiting items.
    var waitingCount: Int { accounts.values.reduce(0) { $0 + $1.waiting.count } }
    var runningCount: Int { running.count }

    /// - Parameters:
    ///   - id: a unique number. Later work has a higher one.
    ///   - weight: the share that this work gets: with 4 it is charged a quarter.
    mutating func add(_ id: Int, for learner: Learner, weight: Double = 1) {
        var account = accounts[learner] ?? Account()
        if account.isIdle { account.charged = max(account.charged, now) }
        account.waiting.append(Item(id: id, weight: weight))
        accounts[learner] = account
    }

    /// Starts the next work and returns it; nil if no place is free, or if no waiting work may take one.
    mutating func next() -> Int? {
        guard running.count < places else { return nil }
        let able = accounts.filter { !$0.value.waiting.isEmpty && $0.value.running < mostEach }
        // If accounts are equal, the longest-waiting learner is next.
        let chosen = able.min {
            ($0.value.charged, $0.value.waiting[0].id) < ($1.value.charged, $1.value.waiting[0].id)
        }
        guard let (learner, account) = chosen else { return nil }
        now = max(now, account.charged)
        let item = accounts[learner]!.waiting.removeFirst()
        accounts[learner]!.running += 1
        accounts[learner]!.charged += Self.guess / item.weight
        running[item.id] = (learner, item.weight)
        return item.id
    }

    /// - Parameter seconds: the time that the work took.
    mutating func end(_ id: Int, seconds: Double) {
        guard let (learner, weight) = running.removeValue(forKey: id) else { return }
        accounts[learner]!.running -= 1
        accounts[learner]!.charged += (seconds - Self.guess) / weight
        // Forget learners whose account is settled.
        accounts = accounts.filter { !$0.value.isIdle || $0.value.charged > now }
    }

    func isRunning(_ id: Int) -> Bool { running[id] != nil }

    /// Removes waiting work.
    mutating func remove(_ id: Int) {
        for learner in accounts.keys { accounts[learner]!.waiting.removeAll { $0.id == id } }
    }
}
