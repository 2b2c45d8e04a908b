import FoundationEssentials
import Glibc
package import HearingWorker
import SystemSupport

/// The files with which words are heard on this machine.
package struct WordsFiles: Equatable, Sendable {
    /// The name of the model, which is part of the version of everything heard with it: `base-q8_0`.
    package var modelName: String
    /// The files that the worker loads.
    package var start: HearingStart
    /// The version of whisper.cpp's library: `1.8.5`.
    package var libraryVersion: String
    /// The dictionary of pronunciations, in the format of CMUdict. Nil without phones.
    package var pronunciations: String?
    /// The features that the library needs of a processor, as the kernel names them.
    package var neededFeatures: [String]
    /// The file that a process locks while it uses the model.
    package var lock: String

    package init(
        modelName: String, start: HearingStart, libraryVersion: String, pronunciations: String? = nil,
        neededFeatures: [String] = [], lock: String? = nil
    ) {
        self.modelName = modelName
        self.start = start
        self.libraryVersion = libraryVersion
        self.pronunciations = pronunciations
        self.neededFeatures = neededFeatures
        self.lock = lock ?? start.model
    }

    /// The folder of the user's installation. `ORACY_WORDS` names another one.
    package static var usualFolder: String { UserFolders.environment("ORACY_WORDS") ?? UserFolders.data + "/words" }

    /// Finds the user's installation, otherwise the machine's. Nil if nothing is installed.
    package static func find() -> WordsFiles? {
        WordsFiles(in: usualFolder) ?? WordsFiles(in: "/usr/share/oracy/words")
    }

    /// The instructions for which the library of x86_64 was built. The library has no code for older processors.
    private static let features = ["avx", "avx2", "bmi2", "f16c", "fma"]

    /// Reads the folder of an installation, which is complete if it has an `installed.json`.
    ///
    /// ```
    /// installed.json
    /// library/libwhisper-….so.1.8.5    and what it needs
    /// model/ggml-base-q8_0.bin
    /// phones/libhama.so  asr_waveform.hama  cmudict.dict
    /// words.lock
    /// ```
    package init?(in folder: String) {
        func names(_ part: String) -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(part)")) ?? []).sorted()
        }
        func isThere(_ path: String) -> Bool { access("\(folder)/\(path)", R_OK) == 0 }
        guard isThere("installed.json"),
            let library = names("library").first(where: { $0.hasPrefix("libwhisper") }),
            let model = names("model").first(where: { $0.hasPrefix("ggml-") && $0.hasSuffix(".bin") })
        else { return nil }
        let parts = ["phones/libhama.so", "phones/asr_waveform.hama", "phones/cmudict.dict"]
        let hasPhones = parts.allSatisfy(isThere)
        let phones = HearingStart.Phones(library: "\(folder)/\(parts[0])", model: "\(folder)/\(parts[1])")
        #if arch(x86_64)
            let features = Self.features
        #else
            let features: [String] = []
        #endif
        self.init(
            modelName: String(model.dropFirst("ggml-".count).dropLast(".bin".count)),
            start: HearingStart(
                library: "\(folder)/library/\(library)", model: "\(folder)/model/\(model)",
                phones: hasPhones ? phones : nil),
            libraryVersion: library.split(separator: ".so.").dropFirst().last.map(String.init) ?? "unknown",
            pronunciations: hasPhones ? "\(folder)/\(parts[2])" : nil, neededFeatures: features,
            lock: isThere("words.lock") ? "\(folder)/words.lock" : nil)
    }
}
