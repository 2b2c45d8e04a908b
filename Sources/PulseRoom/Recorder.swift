import AudioFiles
import CPulse
import ExamCore
import Glibc
import SystemSupport

/// An open microphone. It delivers blocks of 20 ms, 16 kHz mono, as they come, until it is closed.
///
/// It delivers whether or not an answer is being recorded; the exam decides that (`ExamView.recording`,
/// `recordingTime`). There is one capture stream, and all users of the sound get it from here. Reports come on
/// libpulse's thread, in order, and the receiver must return at once.
final class Recorder: @unchecked Sendable {
    enum Report: Sendable {
        case heard(AudioBlock)
        /// The microphone was switched off at the device itself, and delivers zeros.
        case silenced
        /// This much sound was lost, up to about a second ago.
        case lost(Duration)
        /// The microphone delivers nothing more. This is the last report.
        case failed(Exam.Trouble)
    }

    private let server: PulseServer
    private let stream: OpaquePointer
    private let report: @Sendable (Report) -> Void
    private var isClosed = false
    // Guarded by libpulse's lock.
    private var hasFailed = false
    private var samples: [Float] = []
    private var silenced = SilencedMicrophone()
    private let channelCount: Int
    private var mix: ChannelMix
    private var clock = FrameClock()
    private var heardAt = SteadyClock.now

    /// The limit for requested channels. No device has more microphones.
    private static let mostChannels = 8
    /// 20 ms of 16-bit samples of one channel. The server collects this much before it sends. Measured: it arrives
    /// every 20 ms, at worst after 24.
    private static let fragment = UInt32(2 * AudioFormat.blockSize)

    /// Opens a microphone.
    ///
    /// - Throws: `Exam.Trouble.microphoneGone` if the server refuses it, or does not answer within 2 s.
    init(_ microphone: AudioDevice, on server: PulseServer, report: @escaping @Sendable (Report) -> Void)
        throws(Exam.Trouble)
    {
        precondition(!microphone.isMonitor, "a loudspeaker's monitor is not a microphone")
        self.server = server
        self.report = report
        samples.reserveCapacity(2 * AudioFormat.blockSize)
        // The device's own channels are mixed here, like those of files. The server's mean of two channels that cancel
        // each other out would be silence.
        channelCount = min(max(microphone.channelCount, 1), Self.mostChannels)
        mix = ChannelMix(channels: channelCount)
        var format = pa_sample_spec(
            format: PA_SAMPLE_S16LE, rate: UInt32(AudioFormat.sampleRate), channels: UInt8(channelCount))
        guard let stream = server.locked({ pa_stream_new(server.context, "The candidate", &format, nil) }) else {
            throw .serverGone
        }
        self.stream = stream
        let isOpen = server.locked {
            pa_stream_set_read_callback(
                stream, { _, _, me in from(me!, as: Recorder.self).read() }, pointer(to: self))
            pa_stream_set_state_callback(
                stream, { _, me in from(me!, as: Recorder.self).stateChanged() }, pointer(to: self))
            pa_stream_set_suspended_callback(
                stream, { _, me in from(me!, as: Recorder.self).suspended() }, pointer(to: self))
            pa_stream_set_moved_callback(
                stream, { _, me in from(me!, as: Recorder.self).fail(.microphoneMoved) }, pointer(to: self))
            // Lets the server queue as much as it is willing to while this program is held up.
            var buffer = pa_buffer_attr(
                maxlength: .max, tlength: .max, prebuf: .max, minreq: .max,
                fragsize: Self.fragment * UInt32(channelCount))
            let flags = PA_STREAM_ADJUST_LATENCY.rawValue | PA_STREAM_DONT_MOVE.rawValue
            guard pa_stream_connect_record(stream, microphone.name, &buffer, pa_stream_flags(rawValue: flags)) >= 0
            else { return false }
            _ = server.wait(for: .seconds(2)) { pa_stream_get_state(stream) != PA_STREAM_CREATING }
            return pa_stream_get_state(stream) == PA_STREAM_READY && pa_stream_is_suspended(stream) == 0
        }
        guard isOpen else {
            let isSuspended = server.locked { pa_stream_is_suspended(stream) > 0 }
            close()
            throw isSuspended ? .microphoneSuspended : .microphoneGone
        }
    }

    deinit { close() }

    /// Closes the microphone. Nothing is reported any more. May be called twice, but not from a report.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        server.locked {
            hasFailed = true
            pa_stream_set_read_callback(stream, nil, nil)
            pa_stream_set_state_callback(stream, nil, nil)
            pa_stream_set_suspended_callback(stream, nil, nil)
            pa_stream_set_moved_callback(stream, nil, nil)
            pa_stream_disconnect(stream)
            pa_stream_unref(stream)
        }
    }

    /// The time since the last sound arrived.
    var silence: Duration { server.locked { SteadyClock.now - heardAt } }

    // MARK: - On libpulse's thread

    private func read() {
        var arrived = 0
        while !hasFailed && pa_stream_readable_size(stream) > 0 {
            var data: UnsafeRawPointer?
            var size = 0
            guard pa_stream_peek(stream, &data, &size) >= 0, size > 0 else { break }
            let samples = size / 2 / channelCount
            if let data {
                take(UnsafeBufferPointer(start: data.assumingMemoryBound(to: Int16.self), count: size / 2))
            } else {
                report(.lost(AudioFormat.duration(ofSamples: samples)))  // A hole has a size but no sound.
            }
            arrived += samples
            pa_stream_drop(stream)
        }
        guard arrived > 0 else { return }
        heardAt = SteadyClock.now
        if let lost = clock.arrived(arrived, at: heardAt) { report(.lost(lost)) }
    }

    private func take(_ pcm: UnsafeBufferPointer<Int16>) {
        let heard = pcm.map { Float(Int16(littleEndian: $0)) / 32_768 }
        for sample in channelCount == 1 ? heard : mixed(heard) {
            samples.append(sample)
            guard samples.count == AudioFormat.blockSize else { continue }
            let block = AudioBlock(samples: samples)
            report(.heard(block))
            if silenced.hear(block) { report(.silenced) }
            samples.removeAll(keepingCapacity: true)
        }
    }

    /// - Parameter frames: Interleaved samples.
    private func mixed(_ frames: [Float]) -> [Float] {
        let count = frames.count / channelCount
        return [Float](unsafeUninitializedCapacity: count) { mono, filled in
            frames.withUnsafeBufferPointer { frames in
                guard let first = frames.baseAddress, let mono = mono.baseAddress else { return }
                mix.mix(first, count, rate: AudioFormat.sampleRate, into: mono)
            }
            filled = count
        }
    }

    private func stateChanged() {
        switch pa_stream_get_state(stream) {
        case PA_STREAM_FAILED, PA_STREAM_TERMINATED: fail(.microphoneGone)
        default: server.signal()
        }
    }

    private func suspended() {
        if pa_stream_is_suspended(stream) > 0 { fail(.microphoneSuspended) }
    }

    private func fail(_ trouble: Exam.Trouble) {
        server.signal()
        guard !hasFailed else { return }
        hasFailed = true
        report(.failed(trouble))
    }
}
