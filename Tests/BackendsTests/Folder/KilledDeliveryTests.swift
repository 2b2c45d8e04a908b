import BackendAPI
import Foundation
import Glibc
import SystemSupport
import TestSupport
import Testing
import UploadQueue
import VirtualDevices

@testable import Backends

/// Deliveries in another process. strace kills it, or makes its disk fail, at each of its system calls in turn.
@Suite(.needs(Strace.obstacle)) struct KilledDeliveryTests {
    /// The calls that change a disk, with their number in an answer's first delivery: two folders, and three files, the
    /// recording in three pieces. Each file is synced, and so is each folder whenever it contains a new name.
    private static let calls = [("mkdirat", 2), ("write", 5), ("fsync", 8), ("renameat", 3), ("unlinkat", 3)]

    @Test func aDeliveryKilledAtAnyCallIsRepaired() async throws {
        let count = try await everyCall("signal=SIGKILL") { scene, outcome in
            #expect(outcome == nil, "the delivery continued although it was killed")
            #expect(!scene.has("complete.json"))
            // A file under its final name is complete.
            for (name, content) in try scene.named() { #expect(scene.golden[name] == content, "\(name)") }
        }
        print("Folder: killed at \(count) system calls, and mended each time")
    }

    @Test func aDiskThatFailsAtAnyCallIsNeverBelieved() async throws {
        let count = try await everyCall("error=EIO") { scene, outcome in
            // unlinkat only removes files that may not even exist.
            #expect(outcome == "transient errno \(EIO)" || scene.call == "unlinkat", "\(outcome ?? "died")")
            for (name, content) in try scene.named() { #expect(scene.golden[name] == content, "\(name)") }
        }
        print("Folder: \(count) system calls failed, and none was taken for done")
    }

    /// Runs a delivery for each call, checks what it left, delivers again, and compares.
    private func everyCall(
        _ fault: String, _ look: (Scene, _ outcome: String?) throws -> Void
    ) async throws -> Int {
        let strace = try #require(Strace.program)
        var count = 0
        for (call, times) in Self.calls {
            for number in Thoroughness.some(of: Array(1...times + 1), oneIn: 9) {
                let scene = try Scene(call: call)
                let outcome = try await scene.deliver(strace, "\(call):\(fault):when=\(number)")
                if number <= times {
                    try look(scene, outcome)
                    count += 1
                } else {
                    #expect(outcome == "delivered", "\(call) is called more than \(times) times")
                }
                let uploader = FolderUploader(waitingFor: scene.destination)
                #expect(await failure(of: uploader, scene.upload) == nil, "\(call) \(number)")
                #expect(try scene.all() == scene.golden, "\(call) \(number)")
            }
        }
        return count
    }
}

/// One delivery in another process.
private struct Scene {
    let call: String
    private let sample: SampleSession
    let upload: Upload
    let destination: String
    /// The files after a complete delivery.
    let golden: [String: Data]

    init(call: String) throws {
        self.call = call
        sample = try SampleSession(seed: 10)
        upload = try sample.answer(byteCount: 150_000)
        destination = sample.folder + "/destination"
        try FolderUploader.setUp(destination)
        guard case .answer(let facts, let file) = upload.content else { fatalError("not an answer") }
        let path = facts.objectPath(session: upload.session.id, suffix: file.suffix)
        golden = [
            "session.json": Data(SessionRow(upload.session).json(forPeople: true)),
            path: try Data(contentsOf: URL(filePath: file.path)),
            facts.objectPath(session: upload.session.id, suffix: "json"):
                Data(AnswerRow(upload, facts, file, path: path).json(forPeople: true)),
        ]
    }

    private var session: String { "\(destination)/\(upload.session.id.name)" }

    func has(_ name: String) -> Bool { access("\(session)/\(name)", F_OK) == 0 }

    /// Returns everything in the destination by name.
    func all() throws -> [String: Data] {
        guard has(".") else { return [:] }
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: session) where name != "responses" {
            files[name] = try Data(contentsOf: URL(filePath: "\(session)/\(name)"))
        }
        return files
    }

    /// Returns the same without unfinished files, which are named as such.
    func named() throws -> [String: Data] { try all().filter { !$0.key.hasSuffix(".part") } }

    /// - Parameter fault: The fault in strace's syntax: which call, what, and when.
    /// - Returns: The process's result of its delivery; nil if it died before.
    func deliver(_ strace: String, _ fault: String) async throws -> String? {
        let orders = sample.folder + "/orders.json"
        let result = sample.folder + "/result"
        try JSONEncoder().encode(DeliveringChild.Orders(destination: destination, upload: upload, result: result))
            .write(to: URL(filePath: orders))
        // Only calls below the destination count, because a process makes many others.
        let paths =
            [destination, session, session + "/responses"]
            + golden.keys.flatMap { ["\(session)/\($0)", "\(session)/\($0).part"] }
        let process = Process()
        process.executableURL = URL(filePath: strace)
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var arguments = ["-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e", "inject=\(fault)"]
        for path in paths { arguments += ["-P", path] }
        arguments += [program, "--testing-library", "swift-testing", "--filter", "DeliveringChild"]
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([DeliveringChild.variable: orders]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
        return try? String(contentsOfFile: result, encoding: .utf8)
    }
}

/// The test that the other process runs. It does nothing unless it was started for that.
@Suite struct DeliveringChild {
    static let variable = "ORACY_TEST_DELIVERY"

    struct Orders: Codable {
        var destination: String
        var upload: Upload
        /// The path of the result.
        var result: String
    }

    @Test(.child(of: ProcessInfo.processInfo.environment[variable])) func deliver() async throws {
        let path = try #require(ProcessInfo.processInfo.environment[Self.variable])
        let orders = try JSONDecoder().decode(Orders.self, from: Data(contentsOf: URL(filePath: path)))
        let failed = await failure(of: FolderUploader(waitingFor: orders.destination), orders.upload)
        let word = failed.map { "\($0.kind.rawValue) \($0.code)" } ?? "delivered"
        try Data(word.utf8).write(to: URL(filePath: orders.result))
    }
}
