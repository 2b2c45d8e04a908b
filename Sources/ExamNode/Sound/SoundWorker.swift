import AudioFiles
import Foundation
import Glibc
import SystemSupport

/// The worker's side of decoding: a process that reads untrusted recordings without network access and with limits of
/// processor time and memory.
///
/// ```
/// main: if CommandLine.arguments.dropFirst().first == SoundWorker.argument { SoundWorker.main() }
/// ```
/// The worker reads requests from standard input and writes answers to standard output, each as a line of JSON. The
/// bytes of an MP3 follow its line. The worker ends when its input ends.
public enum SoundWorker {
    /// The hidden subcommand that makes a server's program a worker.
    public static let argument = "sound-worker"

    /// A request to decode one recording.
    package struct Request: Codable {
        package var task: SoundTask
        package var path: String
        /// Seconds of processor time for this recording.
        package var seconds: Double
        /// Bytes of memory; nil for no limit.
        package var memory: Int?
    }

    /// An answer with exactly one of the two fields.
    package struct Answer: Codable {
        package var found: SoundTask.Found?
        /// The reason why it cannot be decoded, without a subject.
        package var refusal: String?
    }

    /// The exit code if this kernel cannot filter system calls. The worker then decodes nothing.
    static let unguarded: Int32 = 71

    /// The worker's niceness: work that other programs wait for goes first.
    private static let niceness: Int32 = 10
    /// The most bytes that it may write to a file: two hours of samples, and a reserve.
    private static let mostFile = 300 << 20

    /// Works until its input ends.
    public static func main() -> Never {
        ConfinedProcess.giveWay(niceness)
        ConfinedProcess.limit(RLIMIT_CORE, 0, hard: 0)
        ConfinedProcess.limit(RLIMIT_FSIZE, mostFile, hard: mostFile)
        guard ConfinedProcess.denyNetwork() else { exit(unguarded) }
        // libsndfile prints what is wrong with some files to standard output. There it would be taken for an answer.
        let answers = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        let nowhere = open("/dev/null", O_WRONLY)
        guard answers >= 0, nowhere >= 0, dup2(nowhere, STDOUT_FILENO) >= 0 else { exit(74) }
        while let line = readLine() {
            guard let request = try? JSONDecoder().decode(Request.self, from: Data(line.utf8)) else { exit(65) }
            let (answer, bytes) = answer(to: request)
            guard var data = try? JSONEncoder().encode(answer) else { exit(70) }
            data.append(10)
            guard PrivateFile.writeAll(Array(data) + bytes, to: answers) else { exit(74) }
        }
        exit(0)
    }

    private static func answer(to request: Request) -> (Answer, [UInt8]) {
        // The hard limits leave room for ffmpeg, which has its own limits.
        let seconds = Int((ConfinedProcess.processorSeconds + request.seconds).rounded(.up))
        ConfinedProcess.limit(RLIMIT_CPU, seconds, hard: Int.max)
        if let memory = request.memory { ConfinedProcess.limit(RLIMIT_AS, memory, hard: Int.max) }
        do throws(SoundFileError) {
            let (found, bytes) = try request.task.perform(on: request.path)
            return (Answer(found: found), bytes)
        } catch {
            return (Answer(refusal: error.reason), [])
        }
    }
}
