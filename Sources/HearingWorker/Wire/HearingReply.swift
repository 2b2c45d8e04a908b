package import Assessment

/// A line from a worker, with exactly one of the fields.
package struct HearingReply: Codable, Equatable, Sendable {
    /// The worker has loaded its files and waits for requests.
    package struct Ready: Codable, Equatable, Sendable {
        package var `protocol` = hearingProtocol
        /// The version of whisper.cpp: `1.8.5`.
        package var version: String
        /// Whether the model knows languages other than English.
        package var isMultilingual: Bool
        /// Whether it can align words by phones.
        package var hasPhones: Bool

        package init(version: String, isMultilingual: Bool, hasPhones: Bool) {
            self.version = version
            self.isMultilingual = isMultilingual
            self.hasPhones = hasPhones
        }
    }

    /// The worker cannot work with these files on this machine, and ends.
    package struct Unusable: Codable, Equatable, Error, Sendable {
        package enum Part: String, Codable, Sendable {
            case library, model, phones, `protocol`, guards
        }

        package var what: Part
        /// The reason, without a subject and a full stop.
        package var why: String

        package init(_ what: Part, _ why: String) {
            self.what = what
            self.why = why
        }
    }

    /// The words of a piece.
    package struct Heard: Codable, Equatable, Sendable {
        package var id: Int
        /// The probability that the piece contains no speech, by the recogniser.
        package var noSpeech: Double
        /// One for each requested pass.
        package var passes: [Pass]
        /// The processor time for this piece.
        package var processorSeconds: Double
        /// The largest memory of the worker so far, in megabytes of 2²⁰ bytes.
        package var residentMegabytes: Int

        package init(id: Int, noSpeech: Double, passes: [Pass], processorSeconds: Double, residentMegabytes: Int) {
            self.id = id
            self.noSpeech = noSpeech
            self.passes = passes
            self.processorSeconds = processorSeconds
            self.residentMegabytes = residentMegabytes
        }
    }

    /// The result of one pass.
    package struct Pass: Codable, Equatable, Sendable {
        /// The reason why the pass ended.
        package enum End: String, Codable, Sendable {
            /// The recogniser wrote the end of the text.
            case said
            /// It wrote as many tokens as it may.
            case full
            /// It repeated itself.
            case loop
        }

        package var text: String
        package var tokens: Int
        /// The mean of the tokens' logarithmic probabilities. It says nothing about the speaker.
        package var logProbability: Double
        package var end: End

        package init(text: String, tokens: Int, logProbability: Double, end: End) {
            self.text = text
            self.tokens = tokens
            self.logProbability = logProbability
            self.end = end
        }
    }

    /// The places of words.
    package struct Aligned: Codable, Equatable, Sendable {
        package struct Word: Codable, Equatable, Sendable {
            /// Seconds in the piece.
            package var start: Double
            package var end: Double

            package init(start: Double, end: Double) {
                self.start = start
                self.end = end
            }
        }

        package var id: Int
        /// One for each word, including those of `again`; nil for a word without phones.
        package var words: [Word?]
        /// The words that were repeated immediately. Nil if no word was, and in replies of earlier versions.
        package var again: [SaidAgain]?
        /// The phones that differ between the sound and the words, divided by the words' phones. Those of `again`
        /// count once, so that repetitions cannot make words of noise look right.
        package var distance: Double
        /// The phones that were heard in the sound, independently of the words, with times in the piece. Nil if there
        /// are none, and in replies of earlier versions.
        package var phones: HeardPhones?
        /// The numbers of these phones, in order. Nil in replies of earlier versions.
        package var heard: [Int]?
        package var processorSeconds: Double

        package init(
            id: Int, words: [Word?], again: [SaidAgain]? = nil, distance: Double, phones: HeardPhones? = nil,
            heard: [Int]? = nil, processorSeconds: Double
        ) {
            self.id = id
            self.words = words
            self.again = again
            self.distance = distance
            self.phones = phones
            self.heard = heard
            self.processorSeconds = processorSeconds
        }
    }

    package var ready: Ready?
    package var unusable: Unusable?
    package var heard: Heard?
    package var aligned: Aligned?

    package init(ready: Ready) { self.ready = ready }
    package init(unusable: Unusable) { self.unusable = unusable }
    package init(heard: Heard) { self.heard = heard }
    package init(aligned: Aligned) { self.aligned = aligned }
}
