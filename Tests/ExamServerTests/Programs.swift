import Foundation

/// Programs of others that try the server, from the project's environment of Python's (`make trials`).
enum Programs {
    static let trials = ProcessInfo.processInfo.environment["ORACY_TRIALS"] ?? ".build/trials"

    /// Whether a package is there; says loudly where it is not.
    static func has(_ package: String) async -> Bool {
        guard FileManager.default.isExecutableFile(atPath: trials + "/bin/python"),
            await run(trials + "/bin/python", ["-c", "import \(package)"]).status == 0
        else {
            print("SKIPPED: \(package) is not in \(trials) (make trials)")
            return false
        }
        return true
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
