/// One sentence about what disturbs an exam and one about what the candidate can do. The terminal, the server and its
/// page all show this text.
///
/// Advice about an `Exam.Trouble` has the same name as its case. The rest concerns the browser or its connection.
public struct Advice: Equatable, Sendable {
    /// The cause, in one sentence.
    public var cause: String
    /// The candidate's remedy and its result.
    public var remedy: String

    public var text: String { "\(cause) \(remedy)" }

    /// All advice with its names, in the order in which the documentation lists it.
    public static let all: [(name: String, advice: Advice)] = [
        // Sound, in a terminal or a browser.
        entry(
            "noServer", "The sound server cannot be reached.",
            "Start PulseAudio or PipeWire; the exam then goes on."),
        entry(
            "serverGone", "The sound server has stopped.",
            "Start it again if it does not come back by itself; the exam then goes on."),
        entry(
            "noMicrophone", "There is no microphone.", "Plug one in, or turn on your headset; the exam then goes on."),
        entry(
            "monitorIsDefault", "The system's default microphone records the loudspeaker, not you.",
            "Choose a real one in the sound settings, or with --microphone: `oracy devices` lists them."),
        entry("microphoneGone", "The microphone is gone.", "Plug it in again; the question will then be asked again."),
        entry(
            "microphoneMoved", "The recording was switched to another device.",
            "Switch it back; the question will then be asked again."),
        entry(
            "microphoneSuspended", "The microphone is switched off by the system.",
            "Wake it in the sound settings; the question will then be asked again."),
        entry("microphoneMuted", "The microphone is muted.", "Turn it on; the question will then be asked again."),
        entry(
            "microphoneStalled", "The microphone delivers no sound.",
            "Check its cable, or unplug it and plug it in again; the question will then be asked again."),
        entry(
            "noLoudspeaker", "There is no loudspeaker.",
            "Plug in headphones or a loudspeaker; the exam then goes on."),
        entry("loudspeakerGone", "The loudspeaker is gone.", "Plug it in again; the examiner then goes on."),
        entry(
            "loudspeakerSuspended", "The loudspeaker is switched off by the system.",
            "Wake it in the sound settings; the examiner then goes on."),
        entry("loudspeakerMuted", "The loudspeaker is muted.", "Turn it on; the examiner then goes on."),
        entry(
            "loudspeakerStalled", "The loudspeaker takes no sound.",
            "Check its cable, or unplug it and plug it in again; the examiner then goes on."),
        entry(
            "soundLost", "Some of your sound was lost.",
            "Close what keeps the computer busy; the question will be asked again."),
        entry("roomClosed", "The exam was left.", "You can continue it later, at the same question."),
        entry(
            "processEnded", "The program was ended during the exam.",
            "The exam continues by itself; you need to do nothing."),
        // The connection to a browser.
        entry(
            "lineSlow", "The line is slow, and what you said is still on its way.",
            "Please wait: nothing of it is lost, and the clock stands still."),
        entry(
            "lineSlowInAnswer", "The line is slow.",
            "Go on as usual: everything you say counts, and the exam waits for it."),
        entry(
            "lineLost", "The connection is lost; trying again.",
            "If it is your turn, go on speaking: up to a minute is kept and counts."),
        entry(
            "lineLostInStrictExam", "The connection is lost; trying again.",
            "This exam asks the question again when the connection is back."),
        entry(
            "lineLostForLong", "The connection has been lost for over a minute.",
            "Check your network. When it is back, the question will be asked again."),
        entry(
            "clipLate", "The examiner's words have not arrived yet.",
            "The line is slow or was lost; the exam waits for them."),
        entry(
            "clipFailed", "The examiner's words could not be played.",
            "The exam goes on; if you do not know the question, ask for it again."),
        // The browser.
        entry(
            "otherWindow", "The exam goes on in another window.",
            "Only one window at a time can hold it. You can take it over here."),
        entry(
            "tooManyConnections", "You have too many exams open at once.",
            "Close the other windows; this one then goes on by itself."),
        entry(
            "playerMuted", "The browser keeps the examiner silent.", "Press the button to hear the examiner."),
        entry(
            "microphoneStopped", "The browser has stopped the microphone.",
            "Press the button to turn it on; the question will then be asked again."),
        entry(
            "microphoneNotAllowed", "The microphone is not allowed.",
            "Open the site settings beside the address at the top of the browser and allow it. Some systems ask in their own privacy settings, too."
        ),
        entry(
            "noMicrophoneFound", "The browser finds no microphone.",
            "Plug one in, or turn on your headset; then try again."),
        entry(
            "microphoneBusy", "The microphone cannot be used.",
            "Close other programs that use it, or unplug it and plug it in again; then try again."),
        entry(
            "microphoneFailed", "The microphone could not be started.", "Try again, or try another browser."),
        entry(
            "insecureAddress", "This address cannot use a microphone.",
            "Browsers allow it only through https, or on the computer on which the server runs."),
        entry(
            "oldBrowser", "This browser is too old for an exam.",
            "Use a current Firefox, Chrome, Edge or Safari."),
        entry(
            "noSoundOutput", "The browser finds no loudspeaker or headphones.",
            "Without them you would not hear the examiner. Plug some in, and try again."),
        entry(
            "pageBroken", "A part of this page could not be loaded.",
            "Load the page again. What you said in an exam is kept."),
    ]

    private static func entry(_ name: String, _ cause: String, _ remedy: String) -> (String, Advice) {
        (name, Advice(cause: cause, remedy: remedy))
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.advice) })

    /// Returns the advice with this name, or nil if the name is unknown.
    public static func named(_ name: String) -> Advice? { byName[name] }
}

extension Exam.Trouble {
    /// Says what happened and what the candidate can do about it. The exam's clock stands still meanwhile.
    public var advice: String { Advice.named(rawValue)?.text ?? "" }
}
