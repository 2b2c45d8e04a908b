import Testing

@testable import SystemSupport

/// Tests the order in which learners are served.
@Suite struct FairSharesTests {
    /// Serves all that waits, one after the other.
    ///
    /// - Parameter cost: seconds that a learner's work takes.
    private func served(
        _ shares: inout FairShares<Character>, _ owners: [Int: Character], cost: (Character) -> Double = { _ in 1 }
    ) -> String {
        var order = ""
        while let id = shares.next() {
            order.append(owners[id]!)
            shares.end(id, seconds: cost(owners[id]!))
        }
        return order
    }

    private func add(
        _ learners: String, to shares: inout FairShares<Character>, weight: (Character) -> Double = { _ in 1 }
    ) -> [Int: Character] {
        var owners: [Int: Character] = [:]
        for (id, learner) in learners.enumerated() {
            shares.add(id, for: learner, weight: weight(learner))
            owners[id] = learner
        }
        return owners
    }

    @Test func learnersTakeTurnsEvenIfOneSendsMuch() {
        var shares = FairShares<Character>(places: 1)
        let owners = add("aaaaaabbc", to: &shares)
        #expect(served(&shares, owners) == "abcabaaaa")
        #expect(shares.waitingCount == 0 && shares.runningCount == 0)
    }

    @Test func costlierLearnersWaitLonger() {
        var shares = FairShares<Character>(places: 1)
        let owners = add("aaabbbbbb", to: &shares)
        // One job of a takes as long as three jobs of b.
        #expect(served(&shares, owners) { $0 == "a" ? 3 : 1 } == "abbbabbba")
    }

    @Test func aWeightIsAShare() {
        var shares = FairShares<Character>(places: 1)
        let owners = add("aabbbbbb", to: &shares) { $0 == "b" ? 4 : 1 }
        #expect(served(&shares, owners) == "abbbbabb")
    }

    @Test func waitingEarnsNoExtraTurns() {
        var shares = FairShares<Character>(places: 1)
        for id in 0..<10 {
            shares.add(id, for: "a")
            #expect(shares.next() == id)
            shares.end(id, seconds: 1)
        }
        var owners: [Int: Character] = [:]
        for id in 10..<16 {
            owners[id] = id < 13 ? "a" : "b"
            shares.add(id, for: owners[id]!)
        }
        // If b could save up unused turns, all of b's items would come before the second one of a.
        #expect(served(&shares, owners).prefix(4).contains("a"))
    }

    @Test func oneLearnerNeverHasAllPlaces() {
        var shares = FairShares<Character>(places: 3)
        for id in 0..<5 { shares.add(id, for: "a") }
        #expect([shares.next(), shares.next(), shares.next()] == [0, 1, nil])
        shares.add(9, for: "b")
        #expect(shares.next() == 9)
        shares.end(0, seconds: 1)
        #expect(shares.next() == 2)
        var alone = FairShares<Character>(places: 1)
        alone.add(1, for: "a")
        #expect(alone.next() == 1)
    }

    @Test func withdrawnWorkIsNotServed() {
        var shares = FairShares<Character>(places: 1)
        for id in 0..<3 { shares.add(id, for: "a") }
        shares.remove(1)
        #expect(served(&shares, [0: "a", 1: "x", 2: "a"]) == "aa")
    }
}
