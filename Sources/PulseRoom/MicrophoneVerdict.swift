import Glibc

/// A finding of a check, with advice.
public enum MicrophoneVerdict: Equatable, Sendable {
    /// Every sample is zero: the microphone is unplugged or muted.
    case noSignal
    /// Sound came, but no voice.
    case nobodySpoke
    /// The level of the speech, dBFS.
    case tooQuiet(speechDBFS: Double)
    /// The share of samples that clipped, 0 … 1.
    case tooLoud(clippedPart: Double)
    /// The level of the speech over the room's noise, dB.
    case noisy(speechOverNoiseDB: Double)
    /// The frequency of the mains, 50 or 60 Hz.
    case hums(mainsHz: Int)
    /// The microphone hears the examiner, and a raised gate helps.
    case leaks(gateDBFS: Double)
    /// The microphone hears the examiner too well for a gate to help.
    case leaksMuch
    /// Everything is fine.
    case ready

    /// The severity of a finding, in rising order.
    public enum Severity: String, Codable, Comparable, Sendable {
        /// Nothing needs to be done.
        case fine
        /// An exam is possible, but would go better without this.
        case warning
        /// An exam would not hear the candidate.
        case problem

        public static func < (one: Severity, other: Severity) -> Bool { one.rank < other.rank }

        private var rank: Int {
            switch self {
            case .fine: 0
            case .warning: 1
            case .problem: 2
            }
        }
    }

    /// A warning lets the exam begin. A problem would spoil it.
    public var severity: Severity {
        switch self {
        case .ready: .fine
        case .hums, .leaks: .warning
        case .tooQuiet(let speechDBFS): speechDBFS < Thresholds.hardlyHeardDBFS ? .problem : .warning
        case .tooLoud(let part): part >= Thresholds.muchClippedPart ? .problem : .warning
        case .noisy(let ratio): ratio < Thresholds.veryNoisyDB ? .problem : .warning
        case .noSignal, .nobodySpoke, .leaksMuch: .problem
        }
    }

    /// One plain sentence with advice.
    public var sentence: String {
        switch self {
        case .noSignal: "No sound arrives. Unmute the microphone, plug it in, or select another one."
        case .nobodySpoke: "No voice was heard. Speak when asked, come closer to the microphone, or turn it up."
        case .tooQuiet: "Your voice is very quiet. Turn the microphone up or come closer to it."
        case .tooLoud: "Your voice is so loud that it distorts. Turn the microphone down or move away from it."
        case .noisy:
            "The room is too loud for your voice. Close windows, turn fans off, or come closer to the microphone."
        case .hums(let mains):
            "The microphone picks up mains hum (\(mains) Hz). Try another socket or cable, away from chargers."
        case .leaks(let gate):
            "The microphone hears the examiner a little. Use headphones, or a gate of \(Int(gate.rounded(.up))) dBFS."
        case .leaksMuch: "The microphone hears the examiner about as well as you. Use headphones."
        case .ready: "The microphone is ready: it hears you well, and nothing else."
        }
    }
}

/// The limits for findings, measured on the labelled answers, mixed and attenuated.
private enum Thresholds {
    /// The smallest step of 16 bits. A signal that moves less comes from no microphone.
    static let smallestStepDBFS = -90.4
    /// In six seconds, less voice than a word is a cough or a chair.
    static let leastSpeechSeconds = 0.5
    /// Out of 52 answers, the detector misses the end of one at −40 dBFS, of four at −45, and of a dozen at −50 …
    static let quietDBFS = -40.0
    /// … which would spoil an exam.
    static let hardlyHeardDBFS = -48.0
    /// A few loud peaks: at 2 dB over full scale, the median answer has 0.005 % of clipped samples …
    static let clippedPart = 1e-4
    /// … and at 6 dB 0.3 %, which is clearly audible.
    static let muchClippedPart = 2e-3
    /// Below 10 dB, ends of answers begin to be missed: of 79 in babble 5 % at 7.5 dB …
    static let noisyDB = 10.0
    /// … and a quarter at 5 dB.
    static let veryNoisyDB = 5.0
    /// Half of the noise, and loud enough to be heard in a pause: 30 dB below an ordinary voice.
    static let humPart = 0.5
    static let humDBFS = -55.0
}

extension MicrophoneReport {
    /// The findings on this microphone, the worst first; only `ready` if all is well.
    public var verdicts: [MicrophoneVerdict] {
        guard peakDBFS > Thresholds.smallestStepDBFS else { return [.noSignal] }
        let found = voiceVerdicts + roomVerdicts
        return found.isEmpty ? [.ready] : found.sorted { $0.severity > $1.severity }
    }

    private var voiceVerdicts: [MicrophoneVerdict] {
        guard let speechDBFS, speechSeconds >= Thresholds.leastSpeechSeconds else { return [.nobodySpoke] }
        var found: [MicrophoneVerdict] = []
        if clippedPart >= Thresholds.clippedPart {
            found.append(.tooLoud(clippedPart: clippedPart))
        } else if speechDBFS < Thresholds.quietDBFS {
            found.append(.tooQuiet(speechDBFS: speechDBFS))
        }
        if let speechOverNoiseDB, speechOverNoiseDB < Thresholds.noisyDB {
            found.append(.noisy(speechOverNoiseDB: speechOverNoiseDB))
        }
        return found
    }

    private var roomVerdicts: [MicrophoneVerdict] {
        var found: [MicrophoneVerdict] = []
        if let hum, hum.partOfNoise >= Thresholds.humPart, hum.levelDBFS >= Thresholds.humDBFS {
            found.append(.hums(mainsHz: hum.mainsHz))
        }
        if let suggestedGateDBFS {
            found.append(.leaks(gateDBFS: suggestedGateDBFS))
        } else if let leak, RaisedGate.needed(for: leak) > RaisedGate.harmless {
            found.append(.leaksMuch)
        }
        return found
    }
}
