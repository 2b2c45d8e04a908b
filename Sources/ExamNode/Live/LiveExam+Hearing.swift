extension LiveExam {
    /// Whether sound is arriving.
    package enum Hearing: Equatable, Sendable {
        /// None since this node opened the exam, which begins with a question. It was opened, or the latest client
        /// joined, at this time.
        case expecting(since: Moment)
        /// As far as is known. The latest sound, or a new client, arrived at this time.
        case listening(since: Moment)
        /// No sound arrived for too long, and the exam has been informed.
        case stalled
    }
}
