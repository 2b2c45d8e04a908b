import Foundation
import Glibc
import SystemSupport

/// Runs a program with text as input, reads its output, and ends it when its time is over.
///
/// The program leads a process group. When it ends, or is ended, the programs that it started in this group are killed:
/// none of them outlives the assessment.
enum ProgramRun {
    enum End: Equatable {
        case said(String)
        /// The program exited with a status other than 0, or was ended by a signal (nil).
        case failed(Int32?)
        case timedOut
        /// The program wrote more than it may.
        case tooLong
        /// The program does not exist or may not be run.
        case missing
    }

    /// Runs a program.
    ///
    /// - Parameters:
    ///   - program: a name or a path.
    ///   - input: the bytes for standard input, which keeps them out of the list of processes.
    ///   - longest: the maximum size of the output in bytes.
    /// - Throws: `Problem.unwritable` if there is no space for the input.
    static func run(
        _ program: String, _ arguments: [String], input: [UInt8], time: Duration, longest: Int
    ) async throws(Problem) -> End {
        guard let path = SpawnedProgram.path(of: program) else { return .missing }
        // A file and not a pipe: a program that exits before it reads would break a pipe.
        let file = NamelessFile.open()
        guard file >= 0 else { throw PrivateFile.unwritable(NamelessFile.folder) }
        defer { close(file) }
        guard PrivateFile.writeAll(input, to: file), lseek(file, 0, SEEK_SET) == 0 else {
            throw PrivateFile.unwritable(NamelessFile.folder)
        }
        guard let child = ProgramProcess([path] + arguments, input: file) else { return .missing }
        let end = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: child.end(within: time, longest: longest)) }
            }
        } onCancel: {
            child.kill()
        }
        // The program was killed because its caller stops, which says nothing about the program.
        return Task.isCancelled ? .timedOut : end
    }
}
