extension Exam {
    /// A problem that keeps an exam from using its room. The exam stands still until the room is back, and then asks
    /// again for the answer in progress.
    public enum Trouble: String, Error, CaseIterable, Equatable, Sendable {
        /// The sound server is not running, or refuses connections.
        case noServer
        /// The sound server ended or broke the connection.
        case serverGone
        /// There is no microphone, or only a loudspeaker's own monitor.
        case noMicrophone
        /// The system's default microphone is a loudspeaker's monitor, although real ones exist.
        case monitorIsDefault
        /// The microphone was unplugged, or its module unloaded.
        case microphoneGone
        /// The recording was switched to another device.
        case microphoneMoved
        case microphoneSuspended
        case microphoneMuted
        /// The microphone delivers nothing, although it reports no error.
        case microphoneStalled
        case noLoudspeaker
        case loudspeakerGone
        case loudspeakerSuspended
        case loudspeakerMuted
        /// The loudspeaker accepts nothing, although it reports no error.
        case loudspeakerStalled
        /// The line is so slow that some of what was said has not arrived yet. Nothing is lost.
        case lineSlow
        /// The microphone missed so much sound in one piece that the candidate has to give the answer again.
        case soundLost
        /// The room was closed before the exam was over: the candidate left, or the terminal closed.
        case roomClosed
        /// The program ended: it was killed, ran out of memory, or the power failed.
        case processEnded
    }
}
