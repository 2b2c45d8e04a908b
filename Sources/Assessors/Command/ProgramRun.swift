import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage
import SystemSupport

/// A program that is given text and says something, and is ended when its time is over.
enum ProgramRun {
    enum End: Equatable {
        case said(String)
        /// With another status than 0, or by a signal.
        case failed(Int32?)
        case timedOut
        /// It is not there, or may not be run.
        case missing
    }

    /// - Parameters:
    ///   - program: a name, or a path.
    ///   - input: through standard input, where no list of processes shows it.
    ///   - longest: bytes of what it says.
    /// - Throws: `Problem.unwritable` where there is no room for the input.
    static func run(
        _ program: String, _ arguments: [String], input: [UInt8], time: Duration, longest: Int
    ) async throws(Problem) -> End {
        // A file and no pipe: a program that ends before it reads would break one.
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
