// Holds an exam over two pipes:
//
//   ffmpeg -i call.wav -f s16le -ac 1 -ar 16000 - | swift run pipe-room my-exam > examiner.raw
//
// If the folder contains an unfinished exam, it is resumed.
import ExamCore
import ExamKit
import Foundation
import Glibc
import SessionFolders

let words = CommandLine.arguments.dropFirst()
guard let path = words.first, words.count <= 3, !path.hasPrefix("-") else {
    FileHandle.standardError.write(
        Data("usage: pipe-room FOLDER [FORMAT [PAPER]] < microphone.raw > examiner.raw\n".utf8))
    exit(64)
}
let format = words.dropFirst().first ?? "ielts-style"
let paper = words.dropFirst(2).first ?? "bridges"
// If the reader goes away, `write` fails, instead of the program being ended.
signal(SIGPIPE, SIG_IGN)

do {
    let room = PipeRoom(input: STDIN_FILENO, output: STDOUT_FILENO)
    let session: Session<PipeRoom>
    if let folder = try? SessionFolder.open(at: path) {
        session = try Session(resuming: try await PreparedExam(resuming: folder), in: room, folder: folder)
    } else {
        let prepared = try await PreparedExam(.builtIn(format), .builtIn(paper))
        session = try Session(prepared, in: room, folder: .create(at: path))
    }
    let result = try await session.run()
    let end = result.outcome.map { "over: \($0.rawValue)" } ?? "left: the same command goes on"
    FileHandle.standardError.write(Data("\(result.takes.count) answers in \(path)/takes; \(end)\n".utf8))
} catch {
    // `Problem` and this room's errors are one sentence each.
    FileHandle.standardError.write(Data("pipe-room: \(error)\n".utf8))
    exit(1)
}
