import AudioFiles
import ExamCore
import ExamKit
import Glibc

/// Twenty seconds with a microphone: the room while nobody speaks, a sound from the loudspeaker, a voice.
///
/// ```swift
/// var check = try await MicrophoneCheck(scratch: scratch)
/// for step in MicrophoneCheck.Step.allCases { try await check.take(step) }
/// let report = check.report
/// try await check.playBack()
/// ```
/// Nothing is kept: sounds that are played lie in `scratch` for as long as they are played.
public struct MicrophoneCheck: ~Copyable {
    /// In this order; each is recorded from the moment `take` is called.
    public enum Step: Sendable, CaseIterable {
        /// Nobody speaks, for three seconds.
        case silence
        /// The loudspeaker plays a glide of a second, and the room rings for another.
        case probe
        /// The candidate says a sentence or two, in six seconds.
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

    /// Opens microphone and loudspeaker.
    ///
    /// - Parameters:
    ///   - settings: `heard` gets the level while a step is recorded.
    ///   - scratch: a folder of the user's own.
    /// - Throws: `Exam.Trouble`.
    public init(_ settings: PulseAudioRoom.Settings = PulseAudioRoom.Settings(), scratch: String) async throws {
        room = try await PulseAudioRoom(settings)
        self.scratch = scratch
    }

    /// The microphone's name.
    public var microphone: String { room.microphone }

    /// Records a step; a step that is taken again replaces the earlier one.
    ///
    /// - Throws: `Exam.Trouble` where a device is lost meanwhile; `SoundFileError` where the scratch folder is full.
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

    /// Lets the candidate hear what was recorded as speech.
    ///
    /// - Throws: as `take`.
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

    /// What the steps taken so far tell; one that was not taken counts as digital silence.
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
