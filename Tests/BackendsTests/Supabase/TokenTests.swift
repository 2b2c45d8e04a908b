import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import SupabaseStandIn
import Synchronization
import SystemSupport
import TestSupport
import Testing
import UploadQueue
import Waiting

import struct ExamCore.SplitMix64

@testable import Backends

/// Tokens that expire, rotate, are requested concurrently, and are lost.
@Suite(.needs(StandInProject.obstacle), .endsIfItHangs) struct TokenTests {
    private static let hour = 3_600
    private static let seeds = Thoroughness.count(5, check: 50)

    @Test(arguments: [12, 13])
    func aTokenThatExpiresInTheMiddleOfABatchIsRenewedOnce(_ version: Int) async throws {
        let device = try await Device.ready(try StandInProject { $0.rest.version = version })
        let uploader = try device.uploader()
        try await device.deliver(device.answer(order: 1), by: uploader)
        device.standIn.with { $0.now += Self.hour + 100 }
        for order in 2...4 { try await device.deliver(device.answer(order: order), by: uploader) }
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
        #expect(device.rows("responses").count == 4)
        #expect(device.complaints.isEmpty)
    }

    /// Storage reports an expired token with HTTP 400, the resumable part with 403. Only the message names the cause.
    @Test(arguments: [48_000, 7 << 20])
    func storageSaysInWordsThatATokenExpired(_ bytes: Int) async throws {
        let device = try await Device.ready()
        let uploader = try device.uploader()
        device.standIn.with { $0.now += Self.hour + 10 }
        try await device.deliver(device.answer(bytes: bytes), by: uploader)
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
        #expect(device.objects.count == 1 && device.rows("responses").count == 1)
    }

    @Test func aTokenIsRenewedShortlyBeforeItExpiresByTheServersClock() async throws {
        let device = try await Device.ready()
        let uploader = try device.uploader()
        try await device.deliver(device.answer(order: 1), by: uploader)
        device.standIn.with { $0.now += Self.hour - 30 }
        try await device.deliver(device.answer(order: 2), by: uploader)
        try await device.deliver(device.answer(order: 3), by: uploader)
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
        // Nothing was refused on the way.
        let tokens = device.standIn.with { Set($0.requests.compactMap { $0["Authorization"] }) }
        #expect(tokens.count == 2)
    }

    /// A machine whose clock is years off, since nothing here uses it, and a server whose clocks differ.
    @Test func clocksThatDifferMakeNoLoopOfRefreshes() async throws {
        let device = try Device(try StandInProject { $0.auth.lifetime = 20 })
        try await device.signIn()
        let uploader = try device.uploader()
        try await device.deliver(device.sessionUpload, by: uploader)
        // Each token is within a minute of its end from its first second.
        for order in 1...4 { try await device.deliver(device.answer(order: order), by: uploader) }
        #expect(device.standIn.with { $0.auth.refreshes } <= 1)
        #expect(device.rows("responses").count == 4)
    }

    /// The expiry `1e30` becomes the least `Int`, from which subtracting the present time would overflow.
    @Test func aTokenWithoutAnExpiryIsRenewed() async throws {
        let project = try SupabaseProject(url: "http://127.0.0.1", key: "sb_publishable_x")
        let server = TokenOfNoTime()
        let auth = SupabaseAuth(project, over: server, store: StoredInMemory())
        try await auth.signIn(email: "a@example.org", password: "p")
        #expect(try await auth.credentials().user == "u")
        #expect(server.count.withLock { $0 } == 1, "a new token is not refreshed")
    }

    private final class TokenOfNoTime: HTTPExchanging {
        let count = Mutex(0)

        func exchange(
            _ request: HTTPRequest, limits: HTTPLimits, sent: @escaping @Sendable (Int) -> Void
        ) async throws(HTTPFailure) -> HTTPResponse {
            count.withLock { $0 += 1 }
            let claims = Data(#"{"sub":"u","exp":1e30}"#.utf8).base64EncodedString()
            return HTTPResponse(
                status: 200, headers: ["date": "Sun, 22 Nov 2026 08:49:37 GMT"],
                body: Array(#"{"access_token":"e30.\#(claims).x","refresh_token":"r"}"#.utf8))
        }
    }

    private final class StoredInMemory: CredentialStore {
        private let kept = Mutex<Credentials?>(nil)

        func read() -> Credentials? { kept.withLock { $0 } }
        func write(_ credentials: Credentials) { kept.withLock { $0 = credentials } }
        func remove() { kept.withLock { $0 = nil } }
        func lock() -> CredentialLock { CredentialLock() }
    }

    /// Eight lanes are refused at the same time, and then all of them ask for a token.
    @Test func eightLanesMakeOneRefresh() async throws {
        for seed in 0..<Self.seeds {
            let device = try await Device.ready()
            let auth = try device.auth()
            let held = try await auth.credentials()
            device.standIn.with { $0.now += Self.hour + 100 }
            var random = SplitMix64(seed: UInt64(seed))
            let order = (0..<8).shuffled(using: &random)
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for lane in order {
                    group.addTask {
                        for _ in 0..<(lane * seed % 5) { await Task.yield() }
                        return try await auth.credentials(insteadOf: held).accessToken
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tokens.count == 1, "seed \(seed)")
            #expect(device.standIn.with { $0.auth.refreshes } == 1, "seed \(seed)")
        }
        print("row 9: \(Self.seeds) seeds of 8 lanes, one refresh each")
    }

    /// The same with whole deliveries: no refresh is answered before all eight lanes have begun.
    @Test func eightDeliveriesMakeOneRefresh() async throws {
        let device = try await Device.ready()
        let uploader = try device.uploader()
        let uploads = try (1...8).map { number in
            try device.answer(part: 1 + number % 3, order: number, session: Device.withoutTemplate)
        }
        device.standIn.with { $0.now += Self.hour + 100 }
        let lanes = Count()
        device.standIn.before { request in
            guard request.url.contains("/auth/") else { return }
            _ = await Patience.wait { lanes.value == 8 }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for upload in uploads {
                group.addTask {
                    lanes.add()
                    try await device.deliver(upload, by: uploader)
                }
            }
            try await group.waitForAll()
        }
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
        #expect(device.rows("responses").count == 8)
    }

    @Test func aLaneThatIsCancelledDoesNotStopTheRefreshOfOthers() async throws {
        let device = try await Device.ready()
        let auth = try device.auth()
        let held = try await auth.credentials()
        let (asked, opened) = (Count(), Count())
        device.standIn.before { _ in
            asked.add()
            _ = await Patience.wait { opened.value > 0 }
        }
        let first = Task { try await auth.credentials(insteadOf: held) }
        try await eventually("the server is asked") { asked.value > 0 }
        let second = Task { try await auth.credentials(insteadOf: held) }
        first.cancel()
        await #expect(throws: DeliveryFailure(.cancelled)) { try await first.value }
        opened.add()
        #expect(try await second.value.accessToken != held.accessToken)
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
    }

    // MARK: - Killed between rotation and use

    /// A program dies at each step of a refresh. The next one must recover without the user.
    @Test func aProgramThatDiesDuringARefreshKeepsAllSessions() async throws {
        var counts: [String: Int] = [:]
        for seed in 0..<Self.seeds {
            let device = try await Device.ready()
            let uploads = try (1...3).map { try device.answer(order: $0) }
            var random = SplitMix64(seed: UInt64(seed))
            for upload in uploads {
                device.standIn.with { $0.now += Self.hour + 100 }
                let death = ["before the request", "before the answer", "before it is on disk", "after it is on disk"]
                    .randomElement(using: &random)!
                counts[death, default: 0] += 1
                try await die(death, device)
                // Longer than the grace period of a used token.
                device.standIn.with { $0.now += 60 }
                try await device.deliver(upload)
            }
            #expect(device.rows("responses").count == 3, "seed \(seed)")
            #expect(device.standIn.with { $0.auth.ended.isEmpty }, "seed \(seed)")
        }
        print("row 9: killed while refreshing, \(Self.seeds) seeds, \(counts.sorted { $0.key < $1.key })")
    }

    private func die(_ death: String, _ device: Device) async throws {
        let old = try #require(try device.store.read())
        switch death {
        case "before the request": device.standIn.fault { _, request in request.url.contains("/auth/") ? .lost : nil }
        case "before the answer":
            device.standIn.fault { _, request in request.url.contains("/auth/") ? .answerLost : nil }
        default: break
        }
        let auth = try device.auth()
        _ = try? await auth.credentials(insteadOf: old)
        device.standIn.fault { _, _ in nil }
        // Pretend that the program was killed before the write: the server has rotated the token, but the disk has the
        // old one.
        if death == "before it is on disk" { try device.store.write(old) }
    }

    @Test func theNextTokenIsOnDiskBeforeItIsUsed() async throws {
        let device = try await Device.ready()
        let auth = try device.auth()
        let old = try await auth.credentials()
        let new = try await auth.credentials(insteadOf: old)
        #expect(try device.store.read() == new)
        #expect(new.refreshToken != old.refreshToken)

        // On a full disk the new token isn't used, and the old one isn't lost.
        let full = FullStore(credentials: new)
        let other = SupabaseAuth(try Device.project(), over: device.standIn, store: full)
        await #expect(throws: DeliveryFailure(.unwritable, message: "/credentials: No space left on device")) {
            try await other.credentials(insteadOf: new)
        }
        #expect(try await other.credentials() == new)
        device.standIn.with { $0.now += 60 }
        full.isFull.withLock { $0 = false }
        #expect(try await other.credentials(insteadOf: new) != new)
        #expect(device.standIn.with { $0.auth.ended.isEmpty })
    }

    // MARK: - Sessions that are over

    @Test(arguments: ["session_expired", "session_not_found", "user_banned", "refresh_token_already_used"])
    func anEndedSessionNeedsAPerson(_ why: String) async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        device.standIn.with {
            $0.now += Self.hour + 100
            $0.auth.ended[1] = why
        }
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .signInNeeded)
        #expect(failure.code == "400/\(why)")
        #expect(!failure.message.contains(StandInAuth.email))
        // The recording is there. The next sign-in has it delivered.
        try await device.signIn()
        try await device.deliver(upload)
        #expect(device.objects.count == 1)
    }

    @Test func aRefreshTokenThatComesTwiceEndsTheSession() async throws {
        let device = try await Device.ready()
        let auth = try device.auth()
        let first = try await auth.credentials()
        let second = try await auth.credentials(insteadOf: first)
        _ = try await auth.credentials(insteadOf: second)
        device.standIn.with { $0.now += 60 }
        // For example a copy of the file from a backup.
        try device.store.write(first)
        let other = try device.auth()
        let failure = await #expect(throws: DeliveryFailure.self) { try await other.credentials(insteadOf: first) }
        #expect(failure?.kind == .signInNeeded)
        #expect(failure?.code == "400/refresh_token_already_used")
    }

    @Test func theOldFormOfTheErrorAlsoNeedsAPerson() async throws {
        let device = try await Device.ready()
        device.standIn.with { $0.now += Self.hour + 100 }
        let body = #"{"code":400,"error_code":"refresh_token_not_found","msg":"Invalid Refresh Token"}"#
        device.standIn.fault { _, request in request.url.contains("/auth/") ? .answer(.text(400, body)) : nil }
        let failure = try #require(await device.failure(of: try device.answer()))
        #expect(failure.kind == .signInNeeded && failure.code == "400/refresh_token_not_found")
    }

    @Test(arguments: [(429, DeliveryFailure.Kind.transient), (500, .transient), (503, .transient), (504, .timedOut)])
    func aSignInServiceThatIsBusyIsAskedAgain(_ status: Int, _ kind: DeliveryFailure.Kind) async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        device.standIn.with { $0.now += Self.hour + 100 }
        device.standIn.fault { _, request in
            request.url.contains("/auth/") ? .answer(.text(status, headers: ["retry-after": "30"])) : nil
        }
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == kind && failure.retryAfter == .seconds(30))
        device.standIn.fault { _, _ in nil }
        try await device.deliver(upload)
        #expect(device.rows("responses").count == 1)
    }

    @Test func aSecondRefusedTokenStopsTheLane() async throws {
        let device = try await Device.ready()
        let upload = try device.answer()
        device.standIn.fault { _, request in
            request.url.contains("/rest/") ? .answer(StandInRest.error(401, "PGRST301", "JWSError")) : nil
        }
        let failure = try #require(await device.failure(of: upload))
        #expect(failure.kind == .signInNeeded && failure.code == "401/PGRST301")
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
    }

    @Test func aMissingSignInNeedsAPerson() async throws {
        let device = try Device()
        let failure = try #require(await device.failure(of: device.sessionUpload))
        #expect(failure.kind == .signInNeeded)
        #expect(device.lines.isEmpty)
    }

    @Test func aWrongPasswordIsTheServersWord() async throws {
        let device = try Device()
        let auth = try device.auth()
        let failure = await #expect(throws: DeliveryFailure.self) {
            try await auth.signIn(email: StandInAuth.email, password: "wrong")
        }
        #expect(failure?.kind == .signInNeeded && failure?.code == "400/invalid_credentials")
        #expect(try device.store.read() == nil)
    }

    @Test func credentialsGoToNoOtherProject() async throws {
        let device = try await Device.ready()
        let other = SupabaseAuth(
            try SupabaseProject(url: "https://zyxw.supabase.co", key: StandInProject.key), over: device.standIn,
            store: device.store)
        let failure = await #expect(throws: DeliveryFailure.self) { try await other.credentials() }
        #expect(failure?.kind == .signInNeeded)
        #expect(await other.user == nil)
    }

    // MARK: - Two programs, one file

    @Test func aTokenRenewedElsewhereIsUsed() async throws {
        let device = try await Device.ready()
        let (one, two) = (try device.auth(), try device.auth())
        let old = try await one.credentials()
        #expect(try await two.credentials() == old)
        let new = try await one.credentials(insteadOf: old)
        #expect(try await two.credentials(insteadOf: old) == new)
        #expect(device.standIn.with { $0.auth.refreshes } == 1)
    }

    @Test func twoProgramsThatRefreshAtOnceWaitForEachOther() async throws {
        for _ in 0..<10 {
            let device = try await Device.ready()
            let programs = try (0..<4).map { _ in try device.auth() }
            let old = try #require(try device.store.read())
            let tokens = try await withThrowingTaskGroup(of: String.self) { group in
                for program in programs {
                    group.addTask { try await program.credentials(insteadOf: old).accessToken }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(tokens.count == 1)
            #expect(device.standIn.with { $0.auth.refreshes } == 1)
        }
    }

    @Test func aProgramThatHangsIsNotWaitedForForEver() async throws {
        let device = try await Device.ready()
        let lock = try await device.store.lock()
        var impatient = device.store
        impatient.lockTimeout = .milliseconds(50)
        let auth = SupabaseAuth(try Device.project(), over: device.standIn, store: impatient)
        let old = try await auth.credentials()
        let failure = await #expect(throws: DeliveryFailure.self) { try await auth.credentials(insteadOf: old) }
        #expect(failure?.kind == .transient)
        withExtendedLifetime(lock) {}
    }

    // MARK: - The file

    @Test func theFileIsForItsOwnerOnly() async throws {
        let device = try await Device.ready()
        var status = stat()
        #expect(stat(device.store.path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        let folder = try FileManager.default.contentsOfDirectory(atPath: device.folder + "/credentials")
        #expect(Set(folder) == ["supabase.json", "supabase.json.lock"])
    }

    @Test func anInvalidFileNeedsAPerson() async throws {
        let device = try await Device.ready()
        try Data("{".utf8).write(to: URL(filePath: device.store.path))
        #expect(throws: Problem.self) { try device.store.read() }
        let failure = try #require(await device.failure(of: device.sessionUpload))
        #expect(failure.kind == .signInNeeded)
        try await device.signIn()
        try await device.deliver(device.sessionUpload)
    }
}

/// A store on a full disk.
private final class FullStore: CredentialStore {
    let credentials: Mutex<Credentials>
    let isFull = Mutex(true)

    init(credentials: Credentials) { self.credentials = Mutex(credentials) }

    func read() throws(Problem) -> Credentials? { credentials.withLock { $0 } }

    func write(_ new: Credentials) throws(Problem) {
        if isFull.withLock({ $0 }) { throw Problem(.unwritable, "/credentials: No space left on device") }
        credentials.withLock { $0 = new }
    }

    func remove() throws(Problem) { throw Problem(.unwritable, "/credentials: Read-only file system") }

    func lock() async throws(Problem) -> CredentialLock { CredentialLock() }
}
