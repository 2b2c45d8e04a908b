import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

/// Resumable uploads by foreign clients: tuspy and aiotus, from PyPI.
@Suite(.needs(Trials.obstacle(to: "tusclient") ?? Trials.obstacle(to: "aiotus")), .bothStores(quick: .sqlite))
struct ForeignClients {
    private let user = UUID()
    private let folder: TemporaryFolder
    private let python = packageFolder + "/.build/trials/bin/python"

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: ["tuspy", "aiotus"]) func uploadsArrive(_ name: String) async throws {
        try await withUploadServer { server in
            for byteCount in [1, 700_000, 3_000_000] {
                let (session, answer) = (try await server.makeSession(of: user), UUID())
                let client = try ForeignClient(
                    python, name, server, user, try folder.file(noise(byteCount)), session, answer, folder)
                while await client.line() != nil {}
                #expect(client.end() == 0, "\(client.errors)")
                #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: user).body == noise(byteCount))
            }
            #expect(server.storedFiles.count == 3)
        }
    }

    @Test func aKilledClientContinuesItsUpload() async throws {
        try await withUploadServer { server in
            let (session, answer) = (try await server.makeSession(of: user), UUID())
            let path = try folder.file(noise(1_000_000))
            var begun = "begin 0"
            for round in 1...3 {
                let client = try ForeignClient(
                    python, "tuspy", server, user, path, session, answer, folder, steps: true)
                #expect(await client.line() == begun, "\(client.errors)")
                let offset = try #require(await client.line())
                #expect(offset == "\(round * 262_144)")
                client.kill()
                begun = "begin \(offset)"
            }
            let last = try ForeignClient(python, "tuspy", server, user, path, session, answer, folder)
            #expect(await last.line() == begun)
            while await last.line() != nil {}
            #expect(last.end() == 0, "\(last.errors)")
            #expect(try await server.ask("GET", "/v1/recordings/\(answer)", as: user).body == noise(1_000_000))
        }
    }
}

/// A process of `tus-clients.py`.
private final class ForeignClient: @unchecked Sendable {
    private let process = Process()
    private let (output, input) = (Pipe(), Pipe())
    private let errorPath: String

    init(
        _ python: String, _ name: String, _ server: UploadServer, _ user: UUID, _ path: String, _ session: UUID,
        _ answer: UUID,
        _ folder: TemporaryFolder, steps: Bool = false
    ) throws {
        errorPath = "\(folder.path)/errors-\(UUID().uuidString)"
        _ = FileManager.default.createFile(atPath: errorPath, contents: nil)
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                python, packageFolder + "/Tests/ExamServerTests/Uploads/tus-clients.py", name,
                server.url + "/v1/uploads",
                user.uuidString, path, session.uuidString.lowercased(), answer.uuidString.lowercased(), folder.path,
            ] + (steps ? ["step"] : [])
        process.standardOutput = output
        process.standardInput = input
        process.standardError = FileHandle(forWritingAtPath: errorPath)
        try process.run()
    }

    /// Returns the next line of output. Nil at its end. Reads on a Dispatch thread, which may block.
    func line() async -> String? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                var line: [UInt8] = []
                var byte: UInt8 = 0
                while read(self.output.fileHandleForReading.fileDescriptor, &byte, 1) == 1 {
                    if byte == 10 { return continuation.resume(returning: String(decoding: line, as: UTF8.self)) }
                    line.append(byte)
                }
                continuation.resume(returning: nil)
            }
        }
    }

    func kill() {
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Waits for the end, after the last line, and returns the exit status.
    func end() -> Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    var errors: String { (try? String(contentsOfFile: errorPath, encoding: .utf8)) ?? "" }
}
