import AudioFiles
import Foundation

@testable import ExamServer

/// Programs of others that try the server, from the project's environment of Python's (`make trials`).
enum Programs {
    static let trials = ProcessInfo.processInfo.environment["ORACY_TRIALS"] ?? ".build/trials"

    /// What Python can import there.
    private static let packages: [String] = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: trials + "/lib")) ?? []
        return versions.flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: "\(trials)/lib/\($0)/site-packages")) ?? []
        }
    }()

    /// Why a package of Python's cannot be used, in one plain sentence; nil where it is there.
    static func obstacle(to package: String) -> String? {
        packages.contains(package) ? nil : "\(package) is not in \(trials): make trials"
    }

    /// Why no page can be opened in a browser.
    static let browserObstacle =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")
        ? obstacle(to: "playwright") : "no browser: apt-get install chromium"

    /// Why no page can be opened in Firefox.
    static let firefoxObstacle =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/firefox-esr")
        ? obstacle(to: "websockets") : "no Firefox: apt-get install firefox-esr"

    /// A sound file at 16 kHz mono.
    static func samples(of path: String) throws -> [Float] {
        let reader = try BlockReader(path: path)
        var samples: [Float] = []
        while let block = try reader.next() { samples += block.samples }
        return Array(samples.prefix(reader.sampleCount))
    }

    /// A recorded answer as a microphone gives it, as WAV.
    static func answer(in folder: String) throws -> String {
        let path = folder + "/answer.wav"
        try GrowingWAV(path: path).append(samples(of: "AudioFixtures/answers/building-1.flac"))
        return path
    }

    /// A server for many short exams: `--format short --paper few`.
    static func serverForThePage() async throws -> RunningServer {
        try await RunningServer {
            $0.ownExams = file("Page/exams")
            $0.limits.requestsPerMinute = 100_000
            $0.limits.examsPerDay = 1_000
        }
    }

    /// Runs a program to its end, off the tasks' threads.
    static func run(
        _ program: String, _ arguments: [String], in folder: String = ".", environment: [String: String] = [:]
    ) async -> (status: Int32, said: String) {
        await withCheckedContinuation { done in
            Thread.detachNewThread {
                let process = Process()
                process.executableURL = URL(filePath: program)
                process.currentDirectoryURL = URL(filePath: folder)
                process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
                process.arguments = arguments
                let output = Pipe()
                (process.standardOutput, process.standardError) = (output, output)
                guard (try? process.run()) != nil else { return done.resume(returning: (-1, "\(program): not there")) }
                let said = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                done.resume(returning: (process.terminationStatus, said))
            }
        }
    }

    /// Beside this file.
    static func file(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: name).path
    }
}
