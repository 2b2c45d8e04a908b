import CWhisper
import Glibc
import SystemSupport

/// A Whisper model, called through whisper.cpp's library. Use it in one thread.
final class WhisperModel: NextToken {
    private var whisper = oracy_whisper()
    private let model: UnsafeMutableRawPointer
    private let tokenCount: Int
    /// The texts of all tokens before the end of text.
    let texts: TokenTexts

    /// More threads cost more processor time in all, because they wait for each other without sleeping: two threads
    /// took 1.81 s for work that one thread does in 1.53 s.
    private static let threads: Int32 = 1

    /// Loads the library and the model.
    ///
    /// - Parameters:
    ///   - library: the path of whisper.cpp's library.
    ///   - path: the path of the model.
    init(library: String, path: String) throws(HearingReply.Unusable) {
        if let why = oracy_whisper_load(&whisper, library, library.folder) {
            throw HearingReply.Unusable(.library, String(cString: why))
        }
        guard let opened = whisper.open_model(path) else {
            throw HearingReply.Unusable(.model, "\(path) is not a model of whisper.cpp")
        }
        model = opened
        tokenCount = Int(whisper.vocabulary(opened))
        let read = whisper
        texts = TokenTexts(
            bytes: (0..<read.end_of_text(opened)).map { token in
                read.token_text(opened, token).map {
                    Array(UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) })
                } ?? []
            })
    }

    deinit { whisper.free_model(model) }

    /// The version of the library: `1.8.5`.
    var version: String { whisper.version().map { String(cString: $0) } ?? "" }

    /// Whether the model knows languages other than English.
    var isMultilingual: Bool { whisper.is_multilingual(model) != 0 }

    var endOfText: Int32 { whisper.end_of_text(model) }
    var noSpeech: Int32 { whisper.no_speech(model) }

    /// The tokens before a text in a language. Nil if the model doesn't know the language.
    func beginning(in language: String) -> [Int32]? {
        let (start, noTimes) = (whisper.start(model), whisper.no_timestamps(model))
        guard isMultilingual else { return language == "en" ? [start, noTimes] : nil }
        let number = whisper.language(language)
        guard number >= 0 else { return nil }
        return [start, whisper.language_token(model, number), whisper.transcribe(model), noTimes]
    }

    /// Returns the tokens of a text that is assumed to precede the recording.
    func previous(_ text: String) -> [Int32] {
        var tokens = [Int32](repeating: 0, count: 100)
        let count = whisper.tokenize(model, text, &tokens, Int32(tokens.count))
        return [whisper.previous(model)] + tokens.prefix(Int(max(0, count)))
    }

    /// Takes the sound that later tokens are about.
    ///
    /// - Parameter samples: mono at 16 kHz, full scale ±1, 201 samples to 30 s. The call takes as long for few samples
    ///   as for many.
    /// - Returns: false if the library fails.
    func hear(_ samples: [Float]) -> Bool {
        whisper.set_sound(model, samples, Int32(samples.count), Self.threads) == 0
            && whisper.encode(model, 0, Self.threads) == 0
    }

    func after(_ tokens: [Int32], past: Int) -> LogitRow? {
        guard whisper.decode(model, tokens, Int32(tokens.count), Int32(past), Self.threads) == 0,
            let rows = whisper.logits(model)
        else { return nil }
        // The library fills only the last row.
        let last = UnsafeBufferPointer(start: rows + (tokens.count - 1) * tokenCount, count: tokenCount)
        return LogitRow(values: Array(last))
    }
}
