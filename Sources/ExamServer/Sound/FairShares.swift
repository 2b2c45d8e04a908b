/// Whose turn it is: places for work, shared by learners in turn, whatever each of them waits with.
///
/// Each learner has an account of what their work has cost, by its weight; the one with the least is next (start-time fair queuing, Goyal et
/// al., SIGCOMM 1996). A learner who comes anew begins at the account of whoever is served, so that nobody saves up. One learner never has
/// all places, as long as there are two.
struct FairShares<Learner: Hashable> {
    /// Work that waits.
    private struct Item {
        var id: Int
        var weight: Double
    }

    private struct Account {
        /// Seconds that were charged, by weight.
        var charged = 0.0
        var waiting: [Item] = []
        var running = 0
        var isIdle: Bool { waiting.isEmpty && running == 0 }
    }

    private let places: Int
    private let mostEach: Int
    private var accounts: [Learner: Account] = [:]
    private var running: [Int: (learner: Learner, weight: Double)] = [:]
    /// The account of whoever was served last.
    private var now = 0.0

    /// What work counts as until it is known what it took, seconds.
    private static var guess: Double { 0.25 }

    /// - Parameter mostEach: places that one learner may have; nil: all but one.
    init(places: Int, mostEach: Int? = nil) {
        self.places = max(1, places)
        self.mostEach = mostEach ?? max(1, places - 1)
    }

    /// How much waits.
    var waitingCount: Int { accounts.values.reduce(0) { $0 + $1.waiting.count } }
    var runningCount: Int { running.count }

    /// - Parameters:
    ///   - id: a number that no other work has; later work has a higher one.
    ///   - weight: how much of a share this work gets: 4 is charged a quarter.
    mutating func add(_ id: Int, for learner: Learner, weight: Double = 1) {
        var account = accounts[learner] ?? Account()
        if account.isIdle { account.charged = max(account.charged, now) }
        account.waiting.append(Item(id: id, weight: weight))
        accounts[learner] = account
    }

    /// The work that begins now; nil if no place is free or nothing may take it.
    mutating func next() -> Int? {
        guard running.count < places else { return nil }
        let able = accounts.filter { !$0.value.waiting.isEmpty && $0.value.running < mostEach }
        // Of equals the one who waits longest.
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

    /// - Parameter seconds: what it took.
    mutating func end(_ id: Int, seconds: Double) {
        guard let (learner, weight) = running.removeValue(forKey: id) else { return }
        accounts[learner]!.running -= 1
        accounts[learner]!.charged += (seconds - Self.guess) / weight
        // Whoever owes nothing is forgotten.
        accounts = accounts.filter { !$0.value.isIdle || $0.value.charged > now }
    }

    func isRunning(_ id: Int) -> Bool { running[id] != nil }

    /// Takes back what waits.
    mutating func remove(_ id: Int) {
        for learner in accounts.keys { accounts[learner]!.waiting.removeAll { $0.id == id } }
    }
}
