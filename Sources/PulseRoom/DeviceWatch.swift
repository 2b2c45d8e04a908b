import AudioFiles
import Dispatch
import ExamCore
import Synchronization
import SystemSupport

/// Keeps a microphone and a loudspeaker open. Notices within two seconds if anything takes them away, reports the
/// cause, and opens them again when they are back.
///
/// ```
///            open                  trouble                    both there, sound comes
///  closed ─────────▶ open ──────────────────────▶ lost ──────────────────────────────▶ open
///                                                   │ longer than `deviceTimeout`
///                                                   └──────────────────────────────────▶ closed
/// ```
/// Everything here runs on one queue; libpulse's thread only passes news to it. Sound and news go to the inbox.
final class DeviceWatch: @unchecked Sendable {
    private let queue = DispatchQueue(label: "oracy.devices", qos: .userInitiated)
    private let settings: PulseAudioRoom.Settings
    private let inbox: Inbox<PulseAudioRoom.News>
    private var devices: Devices?
    /// The present loss; nil while the devices are open, and before they were.
    private var lost: Loss?
    /// The name of the microphone in use, or of the preferred one.
    private var microphone: String?
    private var loudspeakerIsMuted = false
    /// The number of the latest play; nil if it was stopped.
    private var playing: Int?
    private var timer: (any DispatchSourceTimer)?
    private var tickedAt = SteadyClock.now
    private var isClosed = false

    private struct Loss {
        var since: Duration
        var to: Exam.Trouble
        /// Whether the microphone fell silent by itself. It is back when it sounds again.
        var isSilence = false
    }

    /// The open devices.
    private struct Devices {
        var server: PulseServer
        var recorder: Recorder
        var player: Player
        var valve: Gate
    }

    /// The interval between two looks at the devices.
    private static let tick = Duration.milliseconds(100)
    /// A microphone without a delivery for this long has stalled. Fragments come every 20 ms, and a busy machine delays
    /// one by some tenths of a second.
    private static let longestSilence = Duration.seconds(1)
    /// The server has half a second of sound in its queue, and may take as long to ask for more.
    private static let longestStandstill = Duration.milliseconds(1_500)
    /// The pause between two attempts to reopen the devices.
    private static let retry = Duration.milliseconds(300)
    /// Over Bluetooth, the first sound of a microphone may take a moment.
    private static let firstSound = Duration.milliseconds(1_500)
    /// If this much sound is lost in one piece, the answer is unusable.
    private static let mostLost = Duration.seconds(2)

    init(_ settings: PulseAudioRoom.Settings, inbox: Inbox<PulseAudioRoom.News>) {
        self.settings = settings
        self.inbox = inbox
        microphone = settings.preferredMicrophone
    }

    /// Closes everything for good, and returns when it is closed, after at most 6 s. Don't call it from libpulse's
    /// thread, because this call ends that thread. The watch's owner has to call it: the last reference may be released
    /// on any thread, so a `deinit` cannot.
    func close() {
        queue.sync {
            isClosed = true
            timer?.cancel()
            timer = nil
            closeDevices()
        }
    }

    /// Opens the microphone and the loudspeaker for the first time. Takes at most 6 s.
    ///
    /// - Throws: `Exam.Trouble`.
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

    /// The name of the microphone in use. Call it from any thread.
    var microphoneName: String { queue.sync { microphone ?? "" } }

    /// Plays a clip. The outcome goes to the inbox with this number.
    func play(_ path: String, clip: Clip.ID, number: Int) {
        queue.async { [weak self] in
            // While the devices are lost, nothing plays. The exam asks again for prompts that did not play.
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
            // The loudspeaker is there but accepts no sound, so the next prompt would interrupt the exam again.
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

    /// Opens the microphone used before if it is there, otherwise the requested one or the default.
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
            case (_, false): break  // The microphone is not open yet.
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
        // If this program itself stood still, the microphone gets time to deliver what is waiting.
        guard let devices, !wasHeldUp else { return }
        if devices.recorder.silence > Self.longestSilence { return lose(.microphoneStalled) }
        if let standstill = devices.player.standstill, standstill > Self.longestStandstill { lose(.loudspeakerStalled) }
    }

    /// Checks whether a changed device was muted.
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
        case .stopped: break  // The function that stopped it handles this.
        }
    }

    // MARK: - Losing

    /// Reports a trouble. Call it from any thread.
    private func report(_ trouble: Exam.Trouble, isSilence: Bool = false) {
        queue.async { [weak self] in self?.lose(trouble, isSilence: isSilence) }
    }

    private func lose(_ trouble: Exam.Trouble, isSilence: Bool = false) {
        guard devices != nil else { return }  // The news comes late: the devices are closed.
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

/// Passes a microphone's reports once it is in use, and reports when its first sound has come.
private final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var hasSound = false
        /// Whether a sample other than zero came.
        var isAudible = false
        var trouble: Exam.Trouble?
    }

    private let state = Mutex(State())
    private let news = DispatchSemaphore(value: 0)

    /// - Returns: Whether the report counts.
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

    /// - Parameter silenceCounts: Whether samples of zero count as sound.
    /// - Returns: The reason why no sound comes; nil if it came.
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
