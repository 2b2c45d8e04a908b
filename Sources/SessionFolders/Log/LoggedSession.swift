package import ExamCore
package import SystemSupport

/// A session rebuilt from the events in its log: the state of the exam, and the takes with everything but their files.
package struct LoggedSession {
    package let exam: Exam
    /// The time of the last line.
    package private(set) var last = ExamTime.zero
    /// The bookkeeping, including the take that is open, if any.
    package private(set) var account: TakeBookkeeping
    /// The closed takes in order, each as the WAV that it was recorded to.
    package private(set) var takes: [StoredTake] = []

    /// - Throws: The same errors as `SessionLog.replay`.
    package init(_ path: String, script: ExamScript) throws(Problem) {
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

    /// The takes that resuming the session would give. An open take ends with what was recorded of it.
    var takesIfLeftNow: [StoredTake] {
        var account = account
        guard let open = account.open, let take = account.note(.closeTake(open.take, .deviceLost), at: last) else {
            return takes
        }
        return takes + [take]
    }
}
