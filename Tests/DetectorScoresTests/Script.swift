import Foundation

/// The labelled data's own scripts, if they, Python and numpy are available.
struct Script {
    let path: String

    /// Finds a script beside the labelled data, which is beside the project or in `ORACY_VAD_DATA`.
    init(_ name: String) {
        let project = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        let data =
            ProcessInfo.processInfo.environment["ORACY_VAD_DATA"] ?? project.appending(path: "../shared/data/vad").path
        path = URL(filePath: data).appending(path: "../../tools/\(name)").standardized.path
    }

    static let canRun: Bool = {
        guard let numpy = try? run(["-c", "import numpy"]), numpy.code == 0 else { return false }
        return ["score_vad.py", "mix_vad.py", "levels_vad.py"].allSatisfy {
            FileManager.default.fileExists(atPath: Script($0).path)
        }
    }()

    /// - Parameter modules: A folder with Python modules that replace others.
    func run(_ words: [String], modules: String? = nil) throws -> String {
        let result = try Self.run([path] + words, modules: modules)
        guard result.code == 0 else { throw Failure(words: words) }
        return result.output
    }

    struct Failure: Error { var words: [String] }

    private static func run(_ words: [String], modules: String? = nil) throws -> (code: Int32, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-W", "ignore"] + words
        var environment = ProcessInfo.processInfo.environment
        environment["PYTHONPATH"] = modules
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
        process.environment = environment
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}

/// A folder that is removed with its last user.
final class Folder {
    let path = NSTemporaryDirectory() + "/detector-scores-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Writes a file.
    ///
    /// - Returns: Its path.
    @discardableResult func write(_ data: Data, to name: String) throws -> String {
        try data.write(to: URL(filePath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}
