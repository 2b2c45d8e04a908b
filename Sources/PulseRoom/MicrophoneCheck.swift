import AudioFiles
import ExamCore
import ExamKit
import Glibc

/// A check of a microphone in twenty seconds: the room while no one speaks, a sound from the loudspeaker, a voice.
///
/// ```swift
/// var check = try await MicrophoneCheck(scratch: scratch)
/// for step in MicrophoneCheck.Step.allCases { try await check.take(step) }
/// let report = check.report
/// try await check.playBack()
/// ```
/// Nothing is kept. Sounds to play are in `scratch` only while they play.
public struct MicrophoneCheck: ~Copyable {
    /// The steps in their order. Each is recorded from the moment `take` is called.
    public enum Step: Sendable, CaseIterable {
        /// No one speaks for three seconds.
        case silence
        /// The loudspeaker plays a glide of one second, and the room rings for another.
        case probe
        /// The candidate says one or two sentences in six seconds.
        case speech

        var sampleCount: Int {
            switch self {
            case .silence: 3 * AudioFormat.sampleRate
            case .probe: LeakProbe.recordingSamples
            case .speech: 6 * AudioFormat.sampleRate
            }
        }
    }

    private var room: PulseAudioRoom
    private let scratch: String
    private var recordings: [Step: [Float]] = [:]

    /// Opens the microphone and the loudspeaker.
    ///
    /// - Parameters:
    ///   - settings: `heard` receives the level while a step is recorded.
    ///   - scratch: A folder that belongs to the user.
    /// - Throws: `Exam.Trouble`.
    public init(_ settings: PulseAudioRoom.Settings = PulseAudioRoom.Settings(), scratch: String) async throws {
        room = try await PulseAudioRoom(settings)
        self.scratch = scratch
    }

    /// The microphone's name.
    public var microphone: String { room.microphone }

    /// Records a step. Repeating a step replaces its recording.
    ///
    /// - Throws: `Exam.Trouble` if a device is lost meanwhile; `SoundFileError` if the scratch folder is full.
    public mutating func take(_ step: Step) async throws {
        let file = step == .probe ? try write(LeakProbe().sound) : nil
        defer { if let file { unlink(file) } }
        room.forgetSound()
        if let file { room.play(Self.prompt(file)) }
        var samples: [Float] = []
        while samples.count < step.sampleCount {
            if case .heard(let block) = try await next() { samples += block.samples }
        }
        if step == .probe { room.stopPlaying() }
        recordings[step] = samples
    }

    /// Plays the recorded speech to the candidate.
    ///
    /// - Throws: The same errors as `take`.
    public mutating func playBack() async throws {
        let file = try write(recordings[.speech] ?? [])
        defer { unlink(file) }
        room.play(Self.prompt(file))
        while true {
            guard case .happened(let event) = try await next() else { continue }
            if case .promptEnded = event { return }
            if case .promptFailed = event { return }
        }
    }

    /// The result of the steps so far. A missing step counts as digital silence.
    public var report: MicrophoneReport {
        func samples(_ step: Step) -> [Float] {
            recordings[step] ?? Array(repeating: 0, count: step.sampleCount)
        }
        return MicrophoneReport(silence: samples(.silence), probe: samples(.probe), speech: samples(.speech))
    }

    private mutating func next() async throws -> Moment.What {
        guard let moment = await room.next() else { throw Exam.Trouble.roomClosed }
        if case .happened(.deviceLost(let trouble)) = moment.what { throw trouble }
        return moment.what
    }

    private func write(_ samples: [Float]) throws(SoundFileError) -> String {
        let path = "\(scratch)/check.\(getpid()).wav"
        let writer = try SoundFileWriter(path: path, encoding: .wav)
        try writer.write(samples[...])
        try writer.close(durably: false)
        return path
    }

    private static func prompt(_ path: String) -> Prompt {
        Prompt(clip: Clip(id: "check", text: ""), path: path)
    }
}
