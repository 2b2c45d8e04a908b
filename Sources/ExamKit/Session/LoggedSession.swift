import ExamCore
import SystemSupport

/// A session as its log tells it, from events alone: where the exam is, and the takes with everything but their files.
struct LoggedSession {
    let exam: Exam
    /// The time of the last line.
    private(set) var last = ExamTime.zero
    /// With the take that is open, if any.
    private(set) var account: TakeBookkeeping
    /// Closed ones, in order; each as the WAV that it was recorded to.
    private(set) var takes: [StoredTake] = []

    /// - Throws: as `SessionLog.replay`.
    init(_ path: String, script: ExamScript) throws(Problem) {
        var account = TakeBookkeeping(script: script)
        var takes: [StoredTake] = []
        var last = ExamTime.zero
        exam = try SessionLog.replay(path, script: script) { event, at, commands in
            last = at
            account.note(event, at: at)
            for command in commands {
                if let take = account.note(command, at: at) { takes.append(take) }
            }
        }
        self.account = account
        self.takes = takes
        self.last = last
    }

    /// The takes as going on with the session would have them: the open one ends with what is in it.
    var takesIfLeftNow: [StoredTake] {
        var account = account
        guard let open = account.open, let take = account.note(.closeTake(open.take, .deviceLost), at: last) else {
            return takes
        }
        return takes + [take]
    }
}
