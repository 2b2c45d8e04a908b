extension LiveExam {
    /// Whether sound is arriving.
    package enum Hearing: Equatable, Sendable {
        /// No sound has arrived since this node opened the exam, which begins with a question. `since` is the time when
        /// it was opened, or when the latest client joined.
        case expecting(since: Moment)
        /// Sound arrives, as far as is known. `since` is the time when the latest sound or a new client arrived.
        case listening(since: Moment)
        /// No sound arrived for too long, and the exam has been informed.
        case stalled
    }
}
