import Foundation
import StoreTrials
import Testing

/// The process must survive and answer any outside data. Each kind of data is tried in as many forms as `ORACY_FUZZ`
/// says (`make test` some thousand, `make fuzz` a million, under the address sanitizer).
///
/// A case follows from the seed, its kind and its number, so it can be repeated alone with the printed values:
/// `ORACY_FUZZ_SEED=… ORACY_FUZZ_CASE=tokens/1234 swift test --filter FuzzTests`.
@Suite(.serialized, .bothStores(quick: .postgres)) struct FuzzTests {
    @Test func nothingFromOutsideEndsTheProcess() async throws {
        let plan = FuzzPlan(ProcessInfo.processInfo.environment)
        print("fuzz: seed \(plan.seed), \(plan.cases) cases; those in progress stand in \(FuzzPlan.folder)")
        try FileManager.default.createDirectory(atPath: FuzzPlan.folder, withIntermediateDirectories: true)
        // Two lanes share the kinds: while one waits for a socket, the other has the machine.
        let server = try await FuzzServer()
        let kinds = try await Self.kinds(server)
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            let queue = KindQueue(
                kinds.filter { plan.count(of: $0) > 0 }.sorted { plan.count(of: $0) > plan.count(of: $1) })
            for lane in 0..<2 {
                group.addTask { try await FuzzLane(plan: plan, number: lane).work(through: queue) }
            }
            return try await group.reduce(0, +)
        }
        #expect(try await server.isWell(), "it no longer answers")
        await server.stop()
        try FileManager.default.removeItem(atPath: FuzzPlan.folder)
        print("fuzz: all kinds together \(total) cases")
        #expect(total > 0)
    }

    private static func kinds(_ server: FuzzServer) async throws -> [any FuzzKind] {
        [
            SignedTokens(), try KeySets(), Frames(), try Packets(), Messages(), UploadHeaders(), Places(),
            ForeignAnswers(),
            try Exams(), try Logs(), try Recordings(server), try await Requests(server), RawRequests(server),
            Conversations(server),
        ]
    }
}
