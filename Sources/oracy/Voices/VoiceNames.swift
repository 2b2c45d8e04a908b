import AddOns
import ExamCore
import ExamKit
import Glibc
import SystemSupport

/// The voices that have a name: hibari, pico, and voice files for hibari.
enum VoiceNames {
    /// Returns the voice of a name.
    ///
    /// - Throws: `Problem.missing` if it is not installed, or the voice file does not exist.
    static func voice(_ name: String) throws(Problem) -> ExaminerVoice {
        let name = try path(name)
        if let voice = VoiceSetting.named(name, UserFolders.recordings) { return voice }
        let option = name == "pico" ? " --pico" : ""
        throw Problem(.missing, "\(name): is not installed; run oracy voices install\(option)")
    }

    /// Tries a voice, and uses it from then on.
    static func choose(_ name: String) async throws {
        let voice = try voice(name)
        _ = try await voice.recording(of: Clip(id: "trial", text: SpokenBank.shortTrial), in: [])
        try VoiceSetting.choose([], voice: path(name))
        print("The examiner's voice is now: \(name)")
    }

    /// Returns the absolute path of a voice file; any other name as it is.
    private static func path(_ name: String) throws(Problem) -> String {
        if name == "hibari" || name == "pico" { return name }
        guard name.hasSuffix(".onnx") else {
            throw Problem(
                .malformed, "\(name): is not a voice; choose hibari, pico, espeak-ng, or a voice file (.onnx)")
        }
        guard let real = realpath(name, nil) else { throw PrivateFile.missing(name) }
        defer { free(real) }
        return String(cString: real)
    }
}
