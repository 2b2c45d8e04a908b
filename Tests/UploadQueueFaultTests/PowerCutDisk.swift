import Foundation
import Glibc
import Testing

/// A disk whose power can be cut (`power-cut-disk.py`), mounted on a folder. The folder itself contains what survived a
/// cut.
final class PowerCutDisk: Sendable {
    /// The data that survives in addition to synced data.
    enum Variant: Int, CaseIterable {
        case nothing, pieces, untilSomeMoment
    }

    let path: String
    private let process: pid_t
    private let questions: Int32
    private let answers: Int32

    /// A Python with FUSE, made by `make trials`.
    private static let python =
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path + "/.build/trials/bin/python"

    /// The reason why power can't be cut here, in one plain sentence; nil if it can.
    static let obstacle: String? = {
        if access("/dev/fuse", W_OK) != 0 { return "no power can be cut: this machine has no /dev/fuse for this user" }
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "command -v fusermount && '\(python)' -c 'import fuse'"]
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        guard (try? process.run()) != nil else { return "no power can be cut: no shell" }
        process.waitUntilExit()
        if process.terminationStatus == 0 { return nil }
        return "no power can be cut: apt-get install fuse libfuse2, then make trials"
    }()

    /// - Parameter path: An empty folder, preferably in memory.
    init(path: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let program = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "power-cut-disk.py").path
        var (question, answer): ([Int32], [Int32]) = ([0, 0], [0, 0])
        try #require(pipe(&question) == 0 && pipe(&answer) == 0)
        for end in question + answer { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, question[0], 0)
        posix_spawn_file_actions_adddup2(&actions, answer[1], 1)
        posix_spawn_file_actions_addopen(&actions, 2, path + ".errors", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(Self.python), strdup(program), nil]
        let settings: [UnsafeMutablePointer<CChar>?] = [strdup("PATH=/usr/bin:/bin"), nil]
        defer { for word in words + settings { free(word) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, words[0]!, &actions, nil, words, settings)
        close(question[0])
        close(answer[1])
        try #require(code == 0)
        (process, questions, answers) = (pid, question[1], answer[0])
    }

    /// Unmounts the disk by closing its pipe. So the disk is also unmounted if this program is killed.
    func remove() {
        close(questions)
        close(answers)
        var status: Int32 = 0
        waitpid(process, &status, 0)
        unlink(path + ".errors")
    }

    /// Mounts the content of the folder.
    ///
    /// - Parameter cut: The number of the change before which the power fails, and the program that makes it is killed;
    ///   0 for never.
    func mount(cut: Int, _ variant: Variant, seed: Int) async throws {
        let answer = try await ask("mount \(path) \(cut) \(variant.rawValue) \(seed)")
        try #require(
            answer == "mounted", "\(answer) \((try? String(contentsOfFile: path + ".errors", encoding: .utf8)) ?? "")")
    }

    /// - Returns: The number of changes, and whether the power failed.
    func unmount() async throws -> (changes: Int, wasCut: Bool) {
        let answer = try await ask("unmount")
        let words = answer.split(separator: " ")
        try #require(words.count == 4 && words[0] == "changes", "\(answer)")
        return (Int(words[1])!, words[3] == "1")
    }

    private func ask(_ question: String) async throws -> String {
        let (questions, answers) = (questions, answers)
        return try await Faults.runBlocking {
            let line = question + "\n"
            try #require(write(questions, line, line.utf8.count) == line.utf8.count)
            var answer: [UInt8] = []
            var byte: UInt8 = 0
            while read(answers, &byte, 1) == 1, byte != UInt8(ascii: "\n") { answer.append(byte) }
            return String(decoding: answer, as: UTF8.self)
        }
    }
}
