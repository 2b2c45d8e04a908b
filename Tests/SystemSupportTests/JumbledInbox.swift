import Synchronization
import Testing

@testable import SystemSupport

/// Compares an inbox with a plain list over thousands of random steps.
@Suite struct JumbledInbox {
    @Test(arguments: UInt64(1)...8) func theInboxBehavesLikeAPlainList(_ seed: UInt64) async {
        var chance = Chance(seed)
        for _ in 0..<20 { await round(&chance, steps: 500) }
    }

    /// Performs random steps from an empty inbox to a closed one.
    private func round(_ chance: inout Chance, steps: Int) async {
        let inbox = Inbox<Int>()
        var (list, last) = ([Int](), 0)
        var reader: Task<Int?, Never>?
        var senders: [(most: Int, task: Task<Void, Never>)] = []
        for step in 0..<steps {
            switch chance.next(in: 10) {
            case 0..<4:
                last += 1
                #expect(inbox.put(last))
                if let waiting = reader {
                    #expect(await waiting.value == last, "the waiting reader gets it")
                    reader = nil
                } else {
                    list.append(last)
                }
            case 4..<7:
                guard reader == nil else { continue }
                if list.isEmpty {
                    reader = Task { await inbox.next() }
                    while inbox.state.withLock({ $0.waiting == nil }) { await Task.yield() }
                } else {
                    #expect(await inbox.next() == list.removeFirst())
                }
            case 7:
                let most = chance.next(in: 4)
                let task = Task { await inbox.emptied(to: most) }
                if list.count <= most {
                    await task.value
                } else {
                    senders.append((most, task))
                    while inbox.state.withLock({ $0.patient.count }) != senders.count { await Task.yield() }
                }
            case 8:
                let rest = chance.next(in: 3)
                inbox.forget { $0 % 3 == rest }
                list.removeAll { $0 % 3 == rest }
            default:
                // Rare, so that the list grows beyond the length at which items are moved up.
                guard step % 20 == 0 else { continue }
                #expect(inbox.takeAll() == list)
                list = []
            }
            #expect(inbox.count == list.count)
            for sender in senders where list.count <= sender.most { await sender.task.value }
            senders.removeAll { list.count <= $0.most }
            #expect(
                inbox.state.withLock { $0.patient.count } == senders.count, "senders that need not wait have gone on")
        }
        inbox.close()
        for sender in senders { await sender.task.value }
        if let reader { #expect(await reader.value == nil) }
        #expect(!inbox.put(0))
        for item in list { #expect(await inbox.next() == item) }
        #expect(await inbox.next() == nil)
    }

    /// A seeded random generator (SplitMix64).
    private struct Chance {
        private var state: UInt64

        init(_ seed: UInt64) { state = seed }

        mutating func next(in count: Int) -> Int {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Int((mixed ^ (mixed >> 31)) % UInt64(count))
        }
    }
}
