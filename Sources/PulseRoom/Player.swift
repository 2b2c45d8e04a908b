import AudioFiles
import CPulse
import ExamCore
import SystemSupport

/// A loudspeaker that plays one sound file at a time.
///
/// Every play ends in exactly one of finished, stopped, failed and lost. Stopping takes effect at once: the server
/// discards this stream's queue, in which nearly all of the sound waits. Hardly any waits in the device.
final class Player: @unchecked Sendable {
    enum Ending: Equatable, Sendable {
        /// Everything was played, to the last sample.
        case finished
        case stopped
        /// The file could not be decoded to its end.
        case failed
        /// The loudspeaker, or the connection to it, was lost.
        case lost(Exam.Trouble)
    }

    /// The error if a file is already playing.
    struct Busy: Error {}

    private let server: PulseServer
    private let loudspeaker: String?
    /// Guarded by libpulse's lock.
    private var play: Play?

    /// 20 ms: the amount in the device, and of each request.
    private static let request = UInt32(2 * AudioFormat.blockSize)
    /// Half a second in the server's queue, so that a delay of this program isn't audible.
    private static let queue = 25 * request

    /// - Parameter loudspeaker: The device's name; nil for the default at the time of each play.
    init(on server: PulseServer, loudspeaker: String?) {
        self.server = server
        self.loudspeaker = loudspeaker
    }

    /// Begins to play, and returns at once.
    ///
    /// - Parameters:
    ///   - first: The position in the file, rounded to a block. Past its end nothing is heard.
    ///   - ended: Called once, on libpulse's thread or on the thread that calls `stop`.
    /// - Throws: `Busy`; `SoundFileError` if the file can't be opened, or can't be read up to `first`. `ended` is not
    ///   called then.
    func play(_ path: String, from first: Duration = .zero, ended: @escaping @Sendable (Ending) -> Void) throws {
        let file = try BlockReader(path: path)
        let duration = try AudioFiles.duration(ofSoundFile: path)
        while AudioFormat.duration(ofSamples: file.sampleCount) < first, try file.next() != nil {}
        try server.locked {
            guard play == nil else { throw Busy() }
            let skipped = AudioFormat.duration(ofSamples: file.sampleCount)
            let play = Play(self, file, duration, skipped, ended)
            self.play = play
            guard start(play) else { return end(.lost(.loudspeakerGone)) }
        }
    }

    /// Stops the file that is playing, if any.
    func stop() {
        server.locked { end(.stopped) }
    }

    /// Whether the loudspeaker is suspended and stays so for new sound. One that only idles would wake up. Takes at
    /// most 2 s.
    var isSuspended: Bool {
        var format = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: UInt32(AudioFormat.sampleRate), channels: 1)
        return server.locked {
            guard let stream = pa_stream_new(server.context, "The examiner", &format, nil) else { return false }
            defer {
                pa_stream_set_state_callback(stream, nil, nil)
                pa_stream_disconnect(stream)
                pa_stream_unref(stream)
            }
            pa_stream_set_state_callback(
                stream, { _, server in from(server!, as: PulseServer.self).signal() }, pointer(to: server))
            guard pa_stream_connect_playback(stream, loudspeaker, nil, PA_STREAM_NOFLAGS, nil, nil) >= 0 else {
                return false
            }
            _ = server.wait(for: .seconds(2)) { pa_stream_get_state(stream) != PA_STREAM_CREATING }
            return pa_stream_get_state(stream) == PA_STREAM_READY && pa_stream_is_suspended(stream) > 0
        }
    }

    var isPlaying: Bool { server.locked { play != nil } }

    /// The length of the file that is playing; nil if nothing is playing.
    var duration: Duration? { server.locked { play?.duration } }

    /// The listener's position in the file; nil if nothing is playing.
    var position: Duration? {
        server.locked {
            guard let play, let stream = play.stream else { return nil }
            var time: pa_usec_t = 0
            guard pa_stream_get_time(stream, &time) >= 0 else { return play.skipped }
            return min(play.skipped + .microseconds(Int64(time)), play.duration)
        }
    }

    /// The time for which the loudspeaker has accepted nothing; nil if nothing is playing.
    var standstill: Duration? { server.locked { play.map { SteadyClock.now - $0.movedAt } } }

    // MARK: - With libpulse's lock held

    /// A file that is being played.
    private final class Play {
        unowned let player: Player
        let file: BlockReader
        let duration: Duration
        /// The part of the file before the first sample to play.
        let skipped: Duration
        let ended: @Sendable (Ending) -> Void
        var stream: OpaquePointer?
        var draining: OpaquePointer?
        var movedAt = SteadyClock.now

        init(
            _ player: Player, _ file: BlockReader, _ duration: Duration, _ skipped: Duration,
            _ ended: @escaping @Sendable (Ending) -> Void
        ) {
            self.player = player
            self.file = file
            self.duration = duration
            self.skipped = skipped
            self.ended = ended
        }
    }

    private func start(_ play: Play) -> Bool {
        var format = pa_sample_spec(format: PA_SAMPLE_S16LE, rate: UInt32(AudioFormat.sampleRate), channels: 1)
        guard let stream = pa_stream_new(server.context, "The examiner", &format, nil) else { return false }
        play.stream = stream
        let me = pointer(to: play)
        pa_stream_set_write_callback(
            stream, { _, size, play in Player.fill(from(play!, as: Play.self), size) }, me)
        pa_stream_set_state_callback(
            stream,
            { stream, play in
                guard let state = stream.map(pa_stream_get_state) else { return }
                if state == PA_STREAM_FAILED || state == PA_STREAM_TERMINATED {
                    from(play!, as: Play.self).player.end(.lost(.loudspeakerGone))
                }
            }, me)
        pa_stream_set_suspended_callback(
            stream,
            { stream, play in
                if pa_stream_is_suspended(stream) > 0 {
                    from(play!, as: Play.self).player.end(.lost(.loudspeakerSuspended))
                }
            }, me)
        var buffer = pa_buffer_attr(
            maxlength: .max, tlength: Self.queue, prebuf: Self.request, minreq: Self.request, fragsize: .max)
        // Early requests keep the device's buffer as short as a request.
        let flags =
            PA_STREAM_EARLY_REQUESTS.rawValue | PA_STREAM_INTERPOLATE_TIMING.rawValue
            | PA_STREAM_AUTO_TIMING_UPDATE.rawValue
        return pa_stream_connect_playback(stream, loudspeaker, &buffer, pa_stream_flags(rawValue: flags), nil, nil) >= 0
    }

    private static func fill(_ play: Play, _ size: Int) {
        play.movedAt = SteadyClock.now
        var wanted = size
        while wanted > 0 && play.draining == nil {
            do {
                guard let block = try play.file.next() else { return drain(play) }
                let written = withUnsafeTemporaryAllocation(of: Int16.self, capacity: block.samples.count) { pcm in
                    block.samples.withUnsafeBufferPointer { roundToPCM16($0, pcm) }
                    return pa_stream_write(play.stream, pcm.baseAddress, 2 * pcm.count, nil, 0, PA_SEEK_RELATIVE)
                }
                guard written >= 0 else { return play.player.end(.lost(.loudspeakerGone)) }
                wanted -= 2 * block.samples.count
            } catch {
                return play.player.end(.failed)
            }
        }
    }

    private static func drain(_ play: Play) {
        play.draining = pa_stream_drain(
            play.stream,
            { _, success, play in
                from(play!, as: Play.self).player.end(success != 0 ? .finished : .lost(.loudspeakerGone))
            }, pointer(to: play))
        if play.draining == nil { play.player.end(.lost(.loudspeakerGone)) }
    }

    /// Ends a play. Every play ends here.
    private func end(_ ending: Ending) {
        guard let play else { return }
        self.play = nil
        if let draining = play.draining {
            if ending != .finished { pa_operation_cancel(draining) }
            pa_operation_unref(draining)
        }
        if let stream = play.stream {
            pa_stream_set_write_callback(stream, nil, nil)
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_set_suspended_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
        play.ended(ending)
    }
}
