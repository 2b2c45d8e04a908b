import ExamCore
import FoundationEssentials
import Glibc
import SystemSupport

// Many prompts in one run of the command. A voice takes a second to load its model, and then a tenth of a second for
// each prompt.
extension ExaminerVoice {
    /// A line of the file that the command gets.
    private struct Line: Encodable {
        var text, path: String
    }

    /// Has the command speak all clips in one call.
    ///
    /// - Throws: `Problem`: as `recording(of:in:)`.
    func speak(_ clips: [Clip], _ linesArgument: String) async throws(Problem) {
        guard let program = command.first else { throw Problem(.unavailable, "the examiner's voice has no command") }
        let spoken = clips.filter { $0 != .beep }
        for clip in clips where clip == .beep { _ = try await make(clip) }
        try PrivateFile.createFolder(cache)
        // A unique name: two exams may prepare the same prompts at the same time.
        let part = "\(cache)/lines.\(String(UInt64.random(in: .min ... .max), radix: 36)).part"
        let paths = spoken.indices.map { "\(part).\($0).wav" }
        defer { for path in paths + [part, part + ".out"] { unlink(path) } }
        var lines: [UInt8] = []
        for (clip, path) in zip(spoken, paths) {  // Encoding two strings cannot fail.
            lines += (try? JSONEncoder().encode(Line(text: clip.text, path: path))) ?? Data()
            lines.append(UInt8(ascii: "\n"))
        }
        try PrivateFile.replace(part, with: lines)
        try await run(
            program, Array(command.dropFirst()) + [linesArgument, part], text: "", output: part + ".out")
        for (clip, path) in zip(spoken, paths) {
            _ = try await put(into: fileName(for: clip)) { (part) throws(Problem) in
                try convert(path, of: clip.text, to: part)
            }
        }
    }
}
