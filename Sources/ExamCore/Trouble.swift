extension Exam {
    /// What took the room away from an exam. The exam stands still until it is back, and asks again what was being answered.
    public enum Trouble: String, Error, CaseIterable, Equatable, Sendable {
        /// There is no sound server, or it refuses connections.
        case noServer
        /// The sound server ended or broke the connection.
        case serverGone
        /// There is no microphone: none at all, or only the loudspeaker's own monitor.
        case noMicrophone
        /// The system's default microphone is a loudspeaker's monitor, though there are real ones.
        case monitorIsDefault
        /// The microphone was unplugged, or its module unloaded.
        case microphoneGone
        /// Somebody switched the recording to another device.
        case microphoneMoved
        case microphoneSuspended
        case microphoneMuted
        /// The microphone delivers nothing, though nothing is said to be wrong with it.
        case microphoneStalled
        case noLoudspeaker
        case loudspeakerGone
        case loudspeakerSuspended
        case loudspeakerMuted
        /// The loudspeaker takes nothing, though nothing is said to be wrong with it.
        case loudspeakerStalled
        /// The line is so slow that what was said has not all been heard yet; nothing is lost.
        case lineSlow
        /// So much of the microphone was lost at once that the answer has to be given again.
        case soundLost
        /// The room was closed before the exam was over: the candidate left, the terminal went away.
        case roomClosed
        /// The program was ended: killed, out of memory, the power cut.
        case processEnded
    }
}
