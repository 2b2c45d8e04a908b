import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage
import SystemSupport

/// Runs a program with text as input, reads its output, and ends it when its time is over.
enum ProgramRun {
    enum End: Equatable {
        case said(String)
        /// The program exited with a status other than 0, or was ended by a signal (nil).
        case failed(Int32?)
        case timedOut
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
        // A file and not a pipe: a program that exits before it reads would break a pipe.
        let file = NamelessFile.open()
        guard file >= 0 else { throw PrivateFile.unwritable(NamelessFile.folder) }
        defer { close(file) }
        guard PrivateFile.writeAll(input, to: file), lseek(file, 0, SEEK_SET) == 0 else {
            throw PrivateFile.unwritable(NamelessFile.folder)
        }
        return await withTaskGroup(of: End.self) { group in
            group.addTask {
                do {
                    let run = try await Subprocess.run(
                        program.contains("/") ? .path(.init(program)) : .name(program),
                        arguments: Arguments(arguments),
                        input: .fileDescriptor(.init(rawValue: file), closeAfterSpawningProcess: false),
                        output: .string(limit: longest), error: .discarded)
                    switch run.terminationStatus {
                    case .exited(0):
                        let said: String? = run.standardOutput
                        return said.map { End.said($0) } ?? .failed(0)
                    case .exited(let code): return .failed(code)
                    default: return .failed(nil)
                    }
                } catch {
                    return .missing
                }
            }
            group.addTask {
                try? await Task.sleep(for: time)
                return .timedOut
            }
            let first = await group.next() ?? .timedOut
            group.cancelAll()
            return first
        }
    }
}
