import Synchronization
import Testing

@testable import SystemSupport

/// The channel for every block of every exam.
@Suite struct InboxTests {
    /// Waits until a task waits in `next`.
    private func isAwaited(_ inbox: Inbox<Int>) async {
        while inbox.state.withLock({ $0.waiting == nil }) { await Task.yield() }
    }

    /// Waits until a number of tasks wait in `emptied`.
    private func arePatient(_ count: Int, _ inbox: Inbox<Int>) async {
        while inbox.state.withLock({ $0.patient.count }) != count { await Task.yield() }
    }

    /// Puts more than 64 items: only after 64 taken ones does the inbox remove them from the front of its array.
    @Test func itemsComeOutInTheirOrder() async {
        let inbox = Inbox<Int>()
        var taken: [Int] = []
        for number in 0..<1_000 {
            inbox.put(number)
            if number % 3 == 0, let item = await inbox.next() { taken.append(item) }
        }
        #expect(inbox.count == 1_000 - taken.count)
        while inbox.count > 0, let item = await inbox.next() { taken.append(item) }
        #expect(taken == Array(0..<1_000))
    }

    @Test func eachOfManySendersKeepsItsOrderAndNothingIsLost() async {
        let (senders, each) = (8, 5_000)
        let inbox = Inbox<(sender: Int, number: Int)>()
        let reader = Task {
            var seen = Array(repeating: 0, count: senders)
            var isInOrder = true
            while let item = await inbox.next() {
                isInOrder = isInOrder && item.number == seen[item.sender]
                seen[item.sender] += 1
            }
            return (seen, isInOrder)
        }
        await withTaskGroup { group in
            for sender in 0..<senders {
                group.addTask { for number in 0..<each { inbox.put((sender, number)) } }
            }
        }
        inbox.close()
        let (seen, isInOrder) = await reader.value
        #expect(isInOrder && seen == Array(repeating: each, count: senders))
    }

    @Test func aWaitingReaderGetsTheNextItemItself() async {
        let inbox = Inbox<Int>()
        let reader = Task { await inbox.next() }
        await isAwaited(inbox)
        #expect(inbox.put(7))
        #expect(inbox.count == 0, "the waiting reader got the item")
        #expect(await reader.value == 7)
    }

    @Test func closingEndsAWaitingReader() async {
        let inbox = Inbox<Int>()
        let reader = Task { await inbox.next() }
        await isAwaited(inbox)
        inbox.close()
        #expect(await reader.value == nil)
    }

    @Test func aClosedInboxHandsOutWhatItHasAndTakesNothingMore() async {
        let inbox = Inbox<Int>()
        inbox.put(1)
        inbox.put(2)
        inbox.close()
        inbox.close()
        #expect(!inbox.put(3))
        #expect(inbox.count == 2)
        #expect(await inbox.next() == 1)
        #expect(inbox.takeAll() == [2])
        #expect(await inbox.next() == nil)
        #expect(await inbox.next() == nil, "a closed inbox returns nil every time")
    }

    /// Only an item or the end wakes a waiting task: a cancelled exam closes its inbox.
    @Test func aCancelledReaderStillGetsTheNextItem() async {
        let inbox = Inbox<Int>()
        let reader = Task { await inbox.next() }
        await isAwaited(inbox)
        reader.cancel()
        #expect(inbox.state.withLock { $0.waiting != nil })
        inbox.put(5)
        #expect(await reader.value == 5, "nothing is lost by a cancellation")
        let late = Task { await inbox.next() }
        await isAwaited(inbox)
        late.cancel()
        inbox.close()
        #expect(await late.value == nil)
    }

    /// The inbox has no limit of its own. A sender waits until it is emptier.
    @Test func aSenderWaitsUntilTheInboxIsEmptyEnough() async {
        let inbox = Inbox<Int>()
        await inbox.emptied(to: 0)
        for number in 0..<10 { #expect(inbox.put(number)) }
        await inbox.emptied(to: 10)
        let waits = [8, 5, 0].map { most in Task { await inbox.emptied(to: most) } }
        await arePatient(3, inbox)
        func patient() -> [Int] { inbox.state.withLock { $0.patient.map(\.most).sorted() } }
        _ = await inbox.next()
        #expect(patient() == [0, 5, 8], "nine items are one too many for the sender that waits for eight")
        _ = await inbox.next()
        await waits[0].value
        #expect(patient() == [0, 5])
        inbox.forget { $0 < 5 }
        await waits[1].value
        #expect(patient() == [0])
        #expect(inbox.takeAll() == [5, 6, 7, 8, 9])
        await waits[2].value
        #expect(inbox.count == 0)
    }

    @Test func closingEndsWaitingSenders() async {
        let inbox = Inbox<Int>()
        for number in 0..<4 { inbox.put(number) }
        let waits = (0..<3).map { most in Task { await inbox.emptied(to: most) } }
        await arePatient(3, inbox)
        inbox.close()
        for wait in waits { await wait.value }
        await inbox.emptied(to: 0)
        #expect(inbox.count == 4)
    }

    @Test func forgettingKeepsTheOrderOfTheRest() async {
        let inbox = Inbox<Int>()
        for number in 0..<200 { inbox.put(number) }
        for _ in 0..<10 { _ = await inbox.next() }
        inbox.forget { $0 % 2 == 0 }
        inbox.put(200)
        #expect(inbox.takeAll() == (10..<200).filter { $0 % 2 == 1 } + [200])
    }
}
