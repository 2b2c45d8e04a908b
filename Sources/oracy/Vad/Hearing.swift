import AudioFiles
import ExamCore
import ExamKit
import PulseRoom
import SessionFolders
import SystemSupport
import VoiceActivity

/// Hears a recording like an exam that listens from the first sample.
///
/// It is a stream: memory grows only with the number of sounds. The result doesn't depend on how the samples are split
/// into calls.
struct Hearing {
    /// The detector's frame of 10 ms. The detector's decisions are read after each.
    static let frameSize = 160

    private(set) var sampleCount = 0
    /// The data for a picture; nil if none was requested.
    private(set) var trace: HearingTrace?
    private var channelsCancelled = false
    private var warnings: [RecordingWarning] = []
    private var detector = VoiceDetector()
    private var energy = EnergyHistory()
    private var sounds: [HeardFile.Sound] = []
    private var ends: EndsOfAnswers?
    /// The beginning of the sound in progress, and the energy of everything before it.
    private var open: (sample: Int, energy: Double)?

    /// - Parameter ends: Finds the ends of answers; nil if they were not requested.
    init(tracing: Bool = false, ends: EndsOfAnswers? = nil) {
        self.ends = ends
        trace = tracing ? HearingTrace() : nil
        detector.listen()
    }

    /// Hears a whole recording.
    ///
    /// - Throws: `Problem`: `missing`; `malformed`, with advice; `unwritable` if there is no room for a pipe's sound.
    static func hear(
        _ path: String, as name: String, tracing: Bool, ends: EndsOfAnswers? = nil
    ) throws(Problem) -> (HeardFile, HearingTrace?) {
        var hearing = Hearing(tracing: tracing, ends: ends)
        do throws(SoundFileError) {
            let reader = BlockReader(try NamedRecording.open(path))
            while let block = try reader.next() {
                let count = reader.sampleCount - hearing.sampleCount  // At the end, less than a block.
                block.samples.withUnsafeBufferPointer { hearing.hear(UnsafeBufferPointer(rebasing: $0[..<count])) }
            }
            hearing.channelsCancelled = reader.channelsCancelled
            hearing.warnings = reader.warnings
        } catch {
            throw Problem(error, advice: "name a whole WAV, FLAC, Ogg or MP3 file")
        }
        return (hearing.file(name: name, path: path), hearing.trace)
    }

    /// Hears more samples at 16 kHz, full scale ±1.
    mutating func hear(_ samples: UnsafeBufferPointer<Float>) {
        var rest = samples[...]
        while !rest.isEmpty {
            let piece = rest.prefix(Self.frameSize - sampleCount % Self.frameSize)
            rest = rest.dropFirst(piece.count)
            hear(piece: UnsafeBufferPointer(rebasing: piece))
        }
    }

    /// Returns the findings so far, as if the recording ended here. A sound in progress ends with it.
    func file(name: String, path: String) -> HeardFile {
        var last = self
        if open != nil { last.end(atSample: sampleCount, as: .speech) }
        last.ends?.finish()
        return HeardFile(
            name: name, path: path, duration: .ofSamples(sampleCount), sounds: last.sounds,
            ends: last.ends.map { ends in ends.ends.map { HeardFile.AnswerEnd($0, in: ends.range) } },
            voiceOverNoiseDB: detector.voiceOverNoise.map(Double.init), channelsCancelled: channelsCancelled,
            warnings: warnings)
    }

    /// Hears a whole frame, or the rest of one.
    private mutating func hear(piece: UnsafeBufferPointer<Float>) {
        sampleCount += piece.count
        energy.add(piece)
        trace?.hear(piece)
        var changes: [VoiceChange] = []
        detector.hear(piece) { changes.append($0) }
        for change in changes {
            switch change {
            case .began(let sample): open = (sample, energy.total(before: sample))
            case .ended(let sample, let kind): end(atSample: sample, as: EndOfAnswer.Sound(kind))
            }
        }
        ends?.hear(changes, until: sampleCount, unsureSince: detector.mayHaveBegun)
        if sampleCount % Self.frameSize == 0 { trace?.follow(FrameColumn(detector.frame)) }
    }

    private mutating func end(atSample sample: Int, as kind: EndOfAnswer.Sound) {
        guard let open, sample > open.sample else { return }
        let power = (energy.total(before: sample) - open.energy) / Double(sample - open.sample)
        sounds.append(
            HeardFile.Sound(
                start: .ofSamples(open.sample), end: .ofSamples(sample), levelDBFS: Decibels.level(ofPower: power),
                kind: kind))
        self.open = nil
    }
}

/// The energy of the sound up to each recent frame. It gives segments a level although changes are dated back.
struct EnergyHistory {
    /// In frames: 20 s. Any change is decided sooner.
    private static let capacity = 2_000

    private var total = 0.0
    private var sampleCount = 0
    /// The energy of all samples before each frame. New frames overwrite the oldest.
    private var totals = Array(repeating: 0.0, count: capacity)

    /// - Precondition: All samples belong to the same frame.
    mutating func add(_ samples: UnsafeBufferPointer<Float>) {
        for sample in samples { total += Double(sample * sample) }
        sampleCount += samples.count
        guard sampleCount % Hearing.frameSize == 0 else { return }
        totals[sampleCount / Hearing.frameSize % Self.capacity] = total
    }

    /// Returns the sum of the squares of all samples before this one, rounded to the frame.
    func total(before sample: Int) -> Double {
        if sample >= sampleCount { return total }
        let newest = sampleCount / Hearing.frameSize
        return totals[max(sample / Hearing.frameSize, newest - Self.capacity + 1) % Self.capacity]
    }
}

extension Duration {
    /// Returns a duration rounded to the nearest millisecond.
    static func ofSamples(_ count: Int) -> Duration {
        .milliseconds((count * 1000 + AudioFormat.sampleRate / 2) / AudioFormat.sampleRate)
    }
}

extension HeardFile.AnswerEnd {
    fileprivate init(_ end: EndsOfAnswers.End, in range: ExamScript.SilenceRange?) {
        self.init(
            at: end.at.sinceBegin, silentSince: end.silentSince.sinceBegin, reason: end.reason,
            words: end.reason.words(in: range))
    }
}

extension Problem {
    fileprivate init(_ error: SoundFileError, advice: String) {
        self.init(error)
        if kind == .malformed && !error.saysWhatToDo { sentence += "; " + advice }
    }
}
