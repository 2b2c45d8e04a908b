import Foundation

/// A server of somebody else's that lives in a folder of its own, and as long as this process holds its standard input open.
public final class TrialServer: @unchecked Sendable {
    public let folder: String
    /// What it said when it was ready.
    public let word: String
    private let process = Process()
    private let leash = Pipe()

    /// - Parameters:
    ///   - folder: where its folder is made.
    ///   - arguments: of the program, given that folder; the program says a line when it is ready, and ends when its standard
    ///     input does.
    /// - Returns: nil where it does not start; why is printed.
    public init?(_ name: String, in parent: String = "/tmp", _ arguments: (_ folder: String) -> [String]) {
        folder = "\(parent)/oracy-\(name)-\(UUID().uuidString.prefix(8))"
        let errors = "\(folder)/errors"
        guard (try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
            FileManager.default.createFile(atPath: errors, contents: nil)
        else {
            print("SKIPPED: \(name): \(folder) cannot be made")
            return nil
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
        print("SKIPPED: \(name) did not start: \(why.suffix(600))")
        end()
        return nil
    }

    deinit { end() }

    private func end() {
        try? leash.fileHandleForWriting.close()
        if process.isRunning { process.waitUntilExit() }
        try? FileManager.default.removeItem(atPath: folder)
    }
}

/// The package's own folder.
public let packageFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().path
