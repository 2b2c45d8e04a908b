import ExamCore

extension Exam.Trouble {
    /// What happened and what the candidate can do about it. The clock stands still meanwhile.
    var advice: String {
        switch self {
        case .noServer:
            "The sound server cannot be reached. Start PulseAudio or PipeWire; the exam then goes on."
        case .serverGone:
            "The sound server has stopped. Start it again if it does not come back by itself; the exam then goes on."
        case .noMicrophone:
            "There is no microphone. Plug one in; the exam then goes on."
        case .microphoneGone:
            "The microphone is gone. Plug it in again; the question will then be asked again."
        case .microphoneMoved:
            "The recording was switched to another device. Switch it back; the question will then be asked again."
        case .microphoneSuspended:
            "The microphone is switched off by the system. Wake it in the sound settings; the question will then be "
                + "asked again."
        case .microphoneMuted:
            "The microphone is muted. Turn it on; the question will then be asked again."
        case .microphoneStalled:
            "The microphone delivers no sound. Check its cable, or unplug it and plug it in again; the question will "
                + "then be asked again."
        case .noLoudspeaker:
            "There is no loudspeaker. Plug in headphones or a loudspeaker; the exam then goes on."
        case .loudspeakerGone:
            "The loudspeaker is gone. Plug it in again; the examiner then goes on."
        case .loudspeakerSuspended:
            "The loudspeaker is switched off by the system. Wake it in the sound settings; the examiner then goes on."
        case .loudspeakerMuted:
            "The loudspeaker is muted. Turn it on; the examiner then goes on."
        case .loudspeakerStalled:
            "The loudspeaker takes no sound. Check its cable, or unplug it and plug it in again; the examiner then "
                + "goes on."
        case .soundLost:
            "Some of the microphone's sound was lost. Close what keeps the computer busy; the question will be asked "
                + "again."
        case .roomClosed:
            "The exam was left. Go on later with `oracy resume`."
        case .processEnded:
            "The program was ended during the exam. It goes on where it was; nothing needs to be done."
        }
    }
}
