import AudioFiles
import Dispatch
import ExamCore
import ExamKit
import Synchronization

/// Keeps a microphone and a loudspeaker open: notices within two seconds whatever takes them away, says so by name, and
/// opens them again when they are back.
///
/// ```
///            open                  trouble                    both there, sound comes
///  closed ─────────▶ open ──────────────────────▶ lost ──────────────────────────────▶ open
///                                                   │ longer than `deviceTimeout`
///                                                   └──────────────────────────────────▶ closed
/// ```
/// Everything here happens on one queue; libpulse's thread only hands news to it. Sound and news go to the inbox.
final class DeviceWatch: @unchecked Sendable {
    private let queue = DispatchQueue(label: "oracy.devices", qos: .userInitiated)
    private let settings: PulseAudioRoom.Settings
    private let inbox: Inbox<PulseAudioRoom.News>
    private var devices: Devices?
    /// Nil while they are open, and before.
    private var lost: Loss?
    /// The microphone that is used, or to be used if it is there, by name.
    private var microphone: String?
    private var loudspeakerIsMuted = false
    /// The number of the latest play; nil where it was stopped.
    private var playing: Int?
    private var timer: (any DispatchSourceTimer)?
    private var tickedAt = SteadyClock.now
    private var isClosed = false

    private struct Loss {
        var since: Duration
        var to: Exam.Trouble
        /// The microphone fell silent by itself: it is back when it sounds again.
        var isSilence = false
    }

    /// What is open.
    private struct Devices {
        var server: PulseServer
        var recorder: Recorder
        var player: Player
        var valve: Gate
    }

    /// How often devices are looked at.
    private static let tick = Duration.milliseconds(100)
    /// A microphone that delivers nothing for so long has stalled: fragments come every 20 ms, and a busy machine holds
    /// one up for some tenths of a second.
    private static let longestSilence = Duration.seconds(1)
    /// The server has half a second of sound waiting, and may take as long to ask for more.
    private static let longestStandstill = Duration.milliseconds(1_500)
    /// Between two attempts to open what was lost.
    private static let retry = Duration.milliseconds(300)
    /// The first sound of a microphone may take a moment over Bluetooth.
    private static let firstSound = Duration.milliseconds(1_500)
    /// After so much lost sound at once an answer is no answer any more.
    private static let mostLost = Duration.seconds(2)

    init(_ settings: PulseAudioRoom.Settings, inbox: Inbox<PulseAudioRoom.News>) {
        self.settings = settings
        self.inbox = inbox
        microphone = settings.preferredMicrophone
    }

    /// Closes everything, for good; returns when it is closed, after 6 s at worst. Not from libpulse's thread, which ends
    /// with it: so whoever owns the watch closes it, since its last reference may be anybody's.
    func close() {
        queue.sync {
            isClosed = true
            timer?.cancel()
            timer = nil
            closeDevices()
        }
    }

    /// Opens microphone and loudspeaker for the first time.
    ///
    /// - Throws: `Exam.Trouble`. Takes 6 s at most.
    func open() async throws {
        try await withCheckedThrowingContinuation { (done: CheckedContinuation<Void, any Error>) in
            queue.async { [self] in
                done.resume(
                    with: Result {
                        try openDevices()
                        startTicking()
                    })
            }
        }
    }

    /// The microphone that is used; from any thread.
    var microphoneName: String { queue.sync { microphone ?? "" } }

    /// Plays a clip; what comes of it goes to the inbox under this number.
    func play(_ path: String, clip: Clip.ID, number: Int) {
        queue.async { [weak self] in
            // While they are lost nothing plays; what does not play is asked for again.
            guard let self, let player = devices?.player else { return }
            if loudspeakerIsMuted { return lose(.loudspeakerMuted) }
            playing = number
            do {
                _ = try duration(ofWholeSoundFile: path)
                try player.play(path) { [weak self] ending in self?.ended(clip, number, ending) }
            } catch {
                inbox.put(.played(number, .promptFailed(clip)))
            }
        }
    }

    func stopPlaying() {
        queue.async { [weak self] in
            self?.playing = nil
            self?.devices?.player.stop()
        }
    }

    // MARK: - Opening

    private func openDevices() throws(Exam.Trouble) {
        let server = try PulseServer(settings.server)
        var recorder: Recorder?
        do throws(Exam.Trouble) {
            let list = try server.devices()
            let valve = Gate()
            let opened = try openMicrophone(list, on: server, valve)
            recorder = opened
            guard let loudspeaker = list.chosen(.loudspeaker, named: settings.loudspeaker) else { throw .noLoudspeaker }
            guard !loudspeaker.isMuted else { throw .loudspeakerMuted }
            let isSilenced = lost?.isSilence == true
            if let trouble = valve.waitForSound(Self.firstSound, silenceCounts: !isSilenced) {
                throw isSilenced ? .microphoneMuted : trouble
            }
            let player = Player(on: server, loudspeaker: settings.loudspeaker)
            // It is there, and takes nothing: the exam would be interrupted again by its next words.
            if lost?.to == .loudspeakerSuspended, player.isSuspended { throw .loudspeakerSuspended }
            devices = Devices(server: server, recorder: opened, player: player, valve: valve)
        } catch {
            recorder?.close()
            server.close()
            throw error
        }
        loudspeakerIsMuted = false
        if lost != nil { inbox.put(.happened(.deviceBack)) }
        lost = nil
        devices?.valve.open()
        server.watch(
            broke: { [weak self] in self?.report(.serverGone) },
            changed: { [weak self, queue] in queue.async { [weak self] in self?.lookAtDevices() } }
        )
    }

    /// The one that was used before if it is there; else the one that is asked for, or the default.
    private func openMicrophone(_ list: [AudioDevice], on server: PulseServer, _ valve: Gate) throws(Exam.Trouble)
        -> Recorder
    {
        let used = microphone.flatMap { list.chosen(.microphone, named: $0) }
        guard let device = used ?? list.chosen(.microphone, named: settings.microphone) else {
            throw settings.microphone == nil && list.hidesMicrophones ? .monitorIsDefault : .noMicrophone
        }
        guard !device.isMuted else { throw .microphoneMuted }
        let recorder = try Recorder(device, on: server) { [weak self, inbox] report in
            switch (report, valve.pass(report)) {
            case (.heard(let block), true): inbox.put(.heard(block))
            case (.lost(let span), true) where span <= Self.mostLost: inbox.put(.lost(span))
            case (.lost, true): self?.report(.soundLost)
            case (.failed(let trouble), true): self?.report(trouble)
            case (.silenced, true): self?.report(.microphoneMuted, isSilence: true)
            case (_, false): break  // Not open yet.
            }
        }
        microphone = device.name
        return recorder
    }

    // MARK: - Watching

    private func startTicking() {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(Self.tick.milliseconds))
        timer.setEventHandler { [weak self] in self?.look() }
        timer.resume()
        self.timer = timer
    }

    private func look() {
        let now = SteadyClock.now
        let wasHeldUp = now - tickedAt > Self.tick * 3
        tickedAt = now
        // Where this program itself stood still, the microphone is given the time to hand over what waits.
        guard let devices, !wasHeldUp else { return }
        if devices.recorder.silence > Self.longestSilence { return lose(.microphoneStalled) }
        if let standstill = devices.player.standstill, standstill > Self.longestStandstill { lose(.loudspeakerStalled) }
    }

    /// Something about a device changed: was it muted?
    private func lookAtDevices() {
        guard let devices, let list = try? devices.server.devices() else { return }
        if list.chosen(.microphone, named: microphone)?.isMuted == true { return lose(.microphoneMuted) }
        loudspeakerIsMuted = list.chosen(.loudspeaker, named: settings.loudspeaker)?.isMuted == true
        if loudspeakerIsMuted && devices.player.isPlaying { lose(.loudspeakerMuted) }
    }

    private func ended(_ clip: Clip.ID, _ number: Int, _ ending: Player.Ending) {
        switch ending {
        case .finished where settings.echo > .zero:
            queue.asyncAfter(deadline: .now() + .milliseconds(settings.echo.milliseconds)) { [weak self] in
                guard let self, playing == number, devices != nil else { return }
                inbox.put(.played(number, .promptEnded(clip)))
            }
        case .finished: inbox.put(.played(number, .promptEnded(clip)))
        case .failed: inbox.put(.played(number, .promptFailed(clip)))
        case .lost(let trouble): report(trouble)
        case .stopped: break  // By whoever asked for it.
        }
    }

    // MARK: - Losing

    /// From any thread.
    private func report(_ trouble: Exam.Trouble, isSilence: Bool = false) {
        queue.async { [weak self] in self?.lose(trouble, isSilence: isSilence) }
    }

    private func lose(_ trouble: Exam.Trouble, isSilence: Bool = false) {
        guard devices != nil else { return }  // Late news of devices that are closed.
        closeDevices()
        lost = Loss(since: SteadyClock.now, to: trouble, isSilence: isSilence)
        inbox.put(.happened(.deviceLost(trouble)))
        reopen()
    }

    private func reopen() {
        guard let lost, !isClosed else { return }
        guard (try? openDevices()) == nil else { return }
        guard SteadyClock.now - lost.since < settings.deviceTimeout else { return inbox.close() }
        queue.asyncAfter(deadline: .now() + .milliseconds(Self.retry.milliseconds)) { [weak self] in self?.reopen() }
    }

    private func closeDevices() {
        guard let devices else { return }
        self.devices = nil
        devices.valve.close()
        devices.player.stop()
        devices.recorder.close()
        devices.server.close()
    }
}

/// Lets a microphone's reports through once it counts, and tells when its first sound has come.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var hasSound = false
        /// Whether a sample came that is not zero.
        var isAudible = false
        var trouble: Exam.Trouble?
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    /// - Returns: whether the report counts.
    func pass(_ report: Recorder.Report) -> Bool {
        state.withLock { state in
            if state.isOpen { return true }
            switch report {
            case .heard(let block):
                state.hasSound = true
                state.isAudible = state.isAudible || !block.isDigitalSilence
            case .failed(let trouble): state.trouble = state.trouble ?? trouble
            case .lost, .silenced: break
            }
            news.signal()
            return false
        }
    }

    func open() { state.withLock { $0.isOpen = true } }
    func close() { state.withLock { $0.isOpen = false } }

    /// - Parameter silenceCounts: whether samples that are zero are sound, too.
    /// - Returns: what keeps the sound from coming; nil: it came.
    func waitForSound(_ span: Duration, silenceCounts: Bool) -> Exam.Trouble? {
        let deadline = DispatchTime.now() + .milliseconds(span.milliseconds)
        while true {
            let (hasSound, trouble) = state.withLock {
                (silenceCounts ? $0.hasSound : $0.isAudible, $0.trouble)
            }
            if let trouble { return trouble }
            if hasSound { return nil }
            if news.wait(timeout: deadline) == .timedOut { return .microphoneStalled }
        }
    }
}
