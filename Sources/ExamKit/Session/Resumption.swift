import AudioFiles
import ExamCore
import Glibc
import SystemSupport

/// Where a session stands that was not finished, as its log and its files tell it.
struct Resumption {
    let log: SessionLog
    let exam: Exam
    /// The room's time when it was left, as far as anything tells.
    let at: ExamTime
    /// With the take that was open, if any.
    let account: TakeBookkeeping
    /// Closed before; encoded or not.
    let takes: [StoredTake]

    /// Takes the session for this process and makes its files whole again.
    ///
    /// - Throws: `Problem`: `occupied` where another process is using the session; `malformed` where its log is no log of this
    ///   script; `unwritable`.
    init(_ folder: SessionFolder, script: ExamScript) throws(Problem) {
        log = try SessionLog(continuing: folder.log, script: script)
        let logged = try LoggedSession(folder.log, script: script)
        exam = logged.exam
        account = logged.account
        var at = max(logged.last, SessionClock.read(folder.clock) ?? .zero)
        if let open = logged.account.open {
            // What is in the open take was heard after the log's last line; so the word in progress counts too.
            let wav = "\(folder.path)/\(open.name).wav"
            let heard = try withSound { () throws(SoundFileError) in try GrowingWAV(continuing: wav).sampleCount }
            at = max(at, open.openedAt + max(AudioFormat.duration(ofSamples: heard) - open.leadIn, .zero))
        }
        self.at = at
        takes = try logged.takes.map { take throws(Problem) in try Self.found(take, in: folder) }
    }

    /// The take with the file it has: the encoded one if that was put in its place, else the WAV, made whole.
    private static func found(_ take: StoredTake, in folder: SessionFolder) throws(Problem) -> StoredTake {
        var take = take
        let wav = "\(folder.path)/\(take.file)"
        let opus = "\(folder.path)/\(take.encodedFile)"
        unlink(folder.unfinished(take.encodedFile))
        let samples: Int
        if access(opus, F_OK) == 0 {
            // It was whole and on disk before it got this name; only the WAV may still lie beside it.
            unlink(wav)
            take.file = take.encodedFile
            samples = try withSound { () throws(SoundFileError) in try SoundFileReader(path: opus).frameCount }
        } else {
            samples = try withSound { () throws(SoundFileError) in try GrowingWAV(continuing: wav).sampleCount }
        }
        take.record.duration = Seconds(AudioFormat.duration(ofSamples: samples))
        return take
    }
}
