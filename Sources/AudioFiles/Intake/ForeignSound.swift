import Glibc
import SystemSupport

/// Decodes recordings of telephones and browsers (m4a, WebM, AMR) with the program `ffmpeg`, if it is installed.
///
/// ffmpeg runs as a separate process, so that an untrusted file has no access to this process's memory and files. The
/// process may open only local files, and its time, memory and output are limited.
enum ForeignSound {
    /// The limit in seconds of processor time. An hour of AAC takes about ten.
    private static let mostSeconds = 300
    /// The limit in bytes of memory, including shared libraries.
    private static let mostMemory = 2 << 30
    /// The limit in bytes of decoded sound: four and a half hours at 16 kHz mono.
    private static let mostSound = 512 << 20

    static let undecodable = "holds no sound that ffmpeg can decode; export it again with the program that made it"

    /// Returns the path of `ffmpeg`. Nil if it is not installed.
    ///
    /// - Parameter folders: the folders to search, separated by colons. Nil for those of `PATH`.
    static func program(in folders: String? = nil) -> String? { SpawnedProgram.path(of: "ffmpeg", in: folders) }

    /// Decodes a file to 16 kHz WAV with one or two channels.
    ///
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - demuxer: the only kind of container that ffmpeg may open.
    ///   - program: the path of `ffmpeg`.
    static func decode(_ bytes: SoundBytes, by demuxer: String, with program: String) throws(SourceFailure)
        -> SoundBytes
    {
        let output = NamelessFile.open()
        guard output >= 0 else {
            let reason =
                "has no room for its sound in \(NamelessFile.folder) (\(systemWords(errno))); set TMPDIR to another folder"
            throw SourceFailure(reason: reason, saysWhatToDo: true)
        }
        let sound = SoundBytes(file: output, size: 0)
        let arguments = [
            "-nostdin", "-v", "quiet", "-threads", "1", "-protocol_whitelist", "file,pipe", "-f", demuxer,
            "-i", "file:/dev/stdin", "-map", "0:a:0", "-map_metadata", "-1", "-fflags", "+bitexact", "-flags",
            "+bitexact",
            "-af", "aformat=sample_rates=\(AudioFormat.sampleRate):channel_layouts=mono|stereo",
            "-c:a", "pcm_s16le", "-f", "wav", "pipe:1",
        ]
        try bytes.withFile { input throws(SourceFailure) in try run([program] + arguments, from: input, into: sound) }
        // There is a header, but not a single sample.
        guard sound.part.count > 44 else {
            throw SourceFailure(reason: undecodable, saysWhatToDo: true)
        }
        return sound
    }

    // MARK: - The process

    private static func run(_ command: [String], from input: Int32, into sound: SoundBytes) throws(SourceFailure) {
        guard let limiter = SpawnedProgram.path(of: "prlimit") else {
            throw SourceFailure(
                reason: "needs the program prlimit to be decoded safely; install util-linux", saysWhatToDo: true)
        }
        var ends: [Int32] = [-1, -1]
        // Uses sockets, because only they are closed in other child processes from the first moment on.
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw SourceFailure(reason: "cannot be decoded (\(systemWords(errno)))")
        }
        defer { if ends[0] >= 0 { close(ends[0]) } }
        let (seconds, memory) = (least(mostSeconds, RLIMIT_CPU), least(mostMemory, RLIMIT_AS))
        let limits = ["--cpu=\(seconds)", "--as=\(memory)", "--fsize=0", "--core=0", "--nofile=64", "--"]
        // Pass on nothing from this process's environment, which may contain keys.
        let child = SpawnedProgram.start(
            [limiter] + limits + command, input: input, output: ends[1],
            environment: ["PATH=/usr/bin:/bin", "LC_ALL=C"])
        close(ends[1])
        guard let child else {
            throw SourceFailure(reason: "cannot be decoded: ffmpeg does not start (\(systemWords(errno)))")
        }
        var failure: SourceFailure?
        var piece = [UInt8](repeating: 0, count: 65_536)
        while failure == nil {
            let count = Glibc.read(ends[0], &piece, piece.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { break }
            if sound.part.count + count > mostSound {
                failure = SourceFailure(
                    reason: "is longer than four hours, and too long to be decoded in one piece; cut it into parts",
                    saysWhatToDo: true)
            } else if !sound.append(piece[..<count]) {
                failure = SourceFailure(
                    reason: "has no room for its sound in \(NamelessFile.folder) (\(systemWords(errno)))")
            }
        }
        // The closed pipe ends ffmpeg at its next write. This also works in a process that may not send signals.
        close(ends[0])
        ends[0] = -1
        if failure != nil { kill(child, SIGKILL) }
        let status = SpawnedProgram.wait(for: child)
        if let failure { throw failure }
        // A signal means that a limit was reached. The exit status is not needed: the output shows the rest.
        if status & 0x7f != 0 {
            throw SourceFailure(
                reason: "takes too long or too much memory to be decoded; convert it to WAV yourself",
                saysWhatToDo: true)
        }
    }

    /// Returns a limit for the child, or this process's own limit if that is lower. A server's worker has limits that
    /// depend on the recording's size.
    private static func least(_ most: Int, _ resource: __rlimit_resource) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else { return most }
        return min(most, Int(clamping: limit.rlim_cur))
    }
}
