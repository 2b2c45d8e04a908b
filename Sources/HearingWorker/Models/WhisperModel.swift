import CWhisper
import SystemSupport

/// A Whisper model, called through whisper.cpp's library. Use it in one thread.
final class WhisperModel {
    private var whisper = oracy_whisper()
    private let model: UnsafeMutableRawPointer

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
    }

    deinit { whisper.free_model(model) }

    /// The version of the library: `1.8.5`.
    var version: String { whisper.version().map { String(cString: $0) } ?? "" }

    /// Whether the model knows languages other than English.
    var isMultilingual: Bool { whisper.is_multilingual(model) != 0 }
}
