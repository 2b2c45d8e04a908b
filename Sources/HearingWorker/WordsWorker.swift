import FoundationEssentials
import Glibc
import SystemSupport

/// The main program of `oracy-words`: a process that recognises words for the program that started it.
///
/// ```
/// start ──▶ load ──▶ close itself off ──▶ ready ──▶ hear, align …  until its input ends
///             └────▶ unusable, exit 69
/// ```
/// It reads requests from standard input, and writes replies to standard output, each as a line of JSON. The samples of
/// a piece follow their line. After loading it can open no connection and write no file, and its memory is limited.
public enum WordsWorker {
    /// The exit code of a worker that cannot work with its files: `EX_UNAVAILABLE`.
    package static let unusable: Int32 = 69

    /// The worker's niceness: words are needed soon, but exams in progress go first.
    private static let niceness: Int32 = 15
    /// The address space in bytes. Whisper base reserves 700 MB, of which it uses 180.
    private static let mostMemory = 1 << 30
    /// Seconds of processor time for a request. A piece of 30 s takes three.
    private static let mostSeconds = 60.0
    /// The samples of a piece: 0.1 to 30 s.
    private static let lengths = 1_600...480_000

    /// Works until its input ends.
    public static func main() -> Never {
        // Libraries print to standard output and would be taken for replies.
        let replies = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
        let nowhere = open("/dev/null", O_WRONLY)
        guard replies >= 0, nowhere >= 0, dup2(nowhere, STDOUT_FILENO) >= 0 else { exit(74) }
        var input = RequestReader(STDIN_FILENO)
        guard let line = input.line(), let start = try? JSONFile.decodeLine(HearingStart.self, from: line) else {
            exit(65)
        }
        let models: HearingModels
        do throws(HearingReply.Unusable) {
            models = try HearingModels(start)
            try closeOff()
        } catch {
            say(HearingReply(unusable: error), to: replies)
            exit(unusable)
        }
        say(HearingReply(ready: models.ready), to: replies)
        while let line = input.line() {
            guard let request = try? JSONFile.decodeLine(HearingRequest.self, from: line) else { exit(65) }
            let seconds = Int((ConfinedProcess.processorSeconds + mostSeconds).rounded(.up))
            ConfinedProcess.limit(RLIMIT_CPU, seconds, hard: Int.max)
            guard let reply = reply(to: request, models, &input) else { exit(70) }
            say(reply, to: replies)
        }
        exit(0)
    }

    private static func closeOff() throws(HearingReply.Unusable) {
        ConfinedProcess.giveWay(niceness)
        ConfinedProcess.limit(RLIMIT_CORE, 0, hard: 0)
        ConfinedProcess.limit(RLIMIT_FSIZE, 0, hard: 0)
        ConfinedProcess.limit(RLIMIT_NOFILE, 8, hard: 8)
        ConfinedProcess.limit(RLIMIT_AS, mostMemory, hard: mostMemory)
        guard ConfinedProcess.denyNetwork() else {
            throw HearingReply.Unusable(.guards, "this kernel cannot filter system calls")
        }
    }

    private static func reply(
        to request: HearingRequest, _ models: HearingModels, _ input: inout RequestReader
    ) -> HearingReply? {
        if let hear = request.hear {
            guard lengths.contains(hear.samples), (1...200).contains(hear.mostTokens), !hear.passes.isEmpty,
                let bytes = input.bytes(2 * hear.samples)
            else { exit(65) }
            let samples = (0..<hear.samples).map { index in
                Float(Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)) / 32_768
            }
            return models.hear(hear, samples).map { HearingReply(heard: $0) }
        }
        return request.align.flatMap(models.align).map { HearingReply(aligned: $0) }
    }

    private static func say(_ reply: HearingReply, to file: Int32) {
        guard let data = try? JSONEncoder().encode(reply), PrivateFile.writeAll(Array(data) + [10], to: file) else {
            exit(74)
        }
    }
}
