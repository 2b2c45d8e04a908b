import AudioFiles
import ExamCore
import Glibc
import SessionFolders
import SystemSupport

/// The state of an unfinished session, rebuilt from its log and its files.
struct Resumption {
    let log: SessionLog
    let exam: Exam
    /// The latest room time that the files show: about when the session was left.
    let at: ExamTime
    /// The bookkeeping, including the take that was open, if any.
    let account: TakeBookkeeping
    /// The takes that were closed before, encoded or not.
    let takes: [StoredTake]

    /// Locks the session for this process and repairs its files.
    ///
    /// - Throws: `Problem`: `occupied` if another process is using the session; `malformed` if its log doesn't belong
    ///   to this script; `unwritable`.
    init(_ folder: SessionFolder, script: ExamScript) throws(Problem) {
        log = try SessionLog(continuing: folder.log, script: script)
        let logged = try LoggedSession(folder.log, script: script)
        exam = logged.exam
        account = logged.account
        var at = max(logged.last, SessionClock.read(folder.clock) ?? .zero)
        if let open = logged.account.open {
            // The open take may contain newer sound than the log's last line, such as the word in progress.
            let wav = "\(folder.path)/\(open.name).wav"
            let heard = try withSound { () throws(SoundFileError) in try GrowingWAV(continuing: wav).sampleCount }
            at = max(at, open.openedAt + max(AudioFormat.duration(ofSamples: heard) - open.leadIn, .zero))
        }
        self.at = at
        takes = try logged.takes.map { take throws(Problem) in try Self.found(take, in: folder) }
    }

    /// Returns the take with the file it has: the encoded one if it is in its place, otherwise the WAV, repaired.
    private static func found(_ take: StoredTake, in folder: SessionFolder) throws(Problem) -> StoredTake {
        var take = take
        let wav = "\(folder.path)/\(take.file)"
        let opus = "\(folder.path)/\(take.encodedFile)"
        unlink(folder.unfinished(take.encodedFile))
        let samples: Int
        if access(opus, F_OK) == 0 {
            // The file was whole and on disk before it got this name. Only its WAV may still exist.
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
