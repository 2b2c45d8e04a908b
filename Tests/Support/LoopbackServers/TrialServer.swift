import Foundation

/// A third-party server with its own folder. It runs as long as this process holds its standard input open.
public final class TrialServer: @unchecked Sendable {
    public let folder: String
    /// The line that it printed when it was ready.
    public let word: String
    private let process = Process()
    private let leash = Pipe()

    /// - Parameters:
    ///   - folder: The parent of its folder.
    ///   - arguments: Returns the arguments of the program, given its folder. The program prints a line when it is
    ///     ready, and ends when its standard input ends.
    /// - Throws: `Failure` if it does not start.
    public init(_ name: String, in parent: String = "/tmp", _ arguments: (_ folder: String) -> [String]) throws {
        folder = "\(parent)/oracy-\(name)-\(UUID().uuidString.prefix(8))"
        let errors = "\(folder)/errors"
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
            FileManager.default.createFile(atPath: errors, contents: nil)
        else {
            throw Failure(description: "\(name): \(folder) cannot be made")
        }
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments(folder)
        process.standardInput = leash
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: errors)
        var said = Data()
        if (try? process.run()) != nil {
            while !said.contains(UInt8(ascii: "\n")) {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                said += more
            }
        }
        word = String(decoding: said, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        if word.hasPrefix("ready") { return }
        let why = (try? String(contentsOfFile: errors, encoding: .utf8)) ?? ""
        end()
        throw Failure(description: "\(name) did not start: \(why.suffix(600))")
    }

    /// The reason why there is no server, for a person.
    public struct Failure: Error, CustomStringConvertible {
        public let description: String

        public init(description: String) { self.description = description }
    }

    deinit { end() }

    private func end() {
        try? leash.fileHandleForWriting.close()
        if process.isRunning { process.waitUntilExit() }
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// The folder of the package.
public let packageFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
