import Foundation

/// Third-party programs that test Oracy's output, from the project's Python environment (`make trials`).
public enum Trials {
    public static let folder = ProcessInfo.processInfo.environment["ORACY_TRIALS"] ?? ".build/trials"

    /// The packages that Python can import there.
    private static let packages: Set<Substring> = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/lib")) ?? []
        let files = versions.flatMap {
            (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/lib/\($0)/site-packages")) ?? []
        }
        // A folder, or a native library: `name.cpython-311-x86_64-linux-gnu.so`.
        return Set(files.compactMap { $0.split(separator: ".").first })
    }()

    /// Returns the reason why one of these Python packages can't be used, in one plain sentence; nil if all are there.
    public static func obstacle(to names: String...) -> String? {
        names.first { !packages.contains($0[...]) }.map { "\($0) is not in \(folder): make trials" }
    }

    /// The reason why no page can be opened in a browser.
    public static let browserObstacle =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/chromium")
        ? obstacle(to: "playwright", "axe_playwright_python") : "no browser: apt-get install chromium"

    /// The reason why no page can be opened in Firefox.
    public static let firefoxObstacle =
        FileManager.default.isExecutableFile(atPath: "/usr/bin/firefox-esr")
        ? obstacle(to: "websockets") : "no Firefox: apt-get install firefox-esr"

    /// Runs a Python script to its end.
    ///
    /// - Parameter script: A file beside the calling one.
    public static func python(
        _ script: String, _ arguments: [String], file: String = #filePath
    ) async -> (status: Int32, said: String) {
        let path = URL(filePath: file).deletingLastPathComponent().appending(path: script).path
        return await run(folder + "/bin/python", [path] + arguments)
    }

    /// Runs a program to its end, off the tasks' threads.
    ///
    /// - Returns: Its exit status and all output; -1 if it can't be started.
    public static func run(
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
}
