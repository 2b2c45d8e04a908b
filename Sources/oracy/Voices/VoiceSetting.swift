import AddOns
import ExamKit
import FoundationEssentials
import Glibc
import SystemSupport

/// The examiner's voice that the user chose, stored in `voice.json` in the user's data folder.
struct VoiceSetting: Codable {
    static let layoutVersion = 1

    var version = VoiceSetting.layoutVersion
    /// A program and its arguments. It reads text and writes WAV. Empty for an installed voice.
    var command: [String]
    /// An installed voice: `hibari`, `pico`, or the path of a voice file for hibari.
    var voice: String?

    private static var path: String { UserFolders.data + "/voice.json" }

    /// Whether the user has chosen a voice.
    static var isChosen: Bool { access(path, F_OK) == 0 }

    /// Returns the voices for an exam, the first of which speaks if it can: the command that an option names, otherwise
    /// the user's choice, otherwise an installed voice, otherwise espeak-ng. An installed voice is followed by espeak-ng,
    /// in case it was removed or its Python is gone.
    ///
    /// - Throws: `Problem.malformed` if the file is invalid.
    static func voices(_ option: String?) throws(Problem) -> [ExaminerVoice] {
        let recordings = UserFolders.recordings
        if let option {
            return [ExaminerVoice(command: option.split(separator: " ").map(String.init), recordings: recordings)]
        }
        let espeak = ExaminerVoice(recordings: recordings)
        guard let chosen = try read() else {
            return [named("hibari", recordings), espeak].compactMap(\.self)
        }
        if let voice = chosen.voice { return [named(voice, recordings), espeak].compactMap(\.self) }
        return chosen.command.isEmpty ? [espeak] : [ExaminerVoice(command: chosen.command, recordings: recordings)]
    }

    /// Returns an installed voice; nil if it is not installed.
    ///
    /// - Parameter name: `hibari`, `pico`, or the path of a voice file for hibari.
    static func named(_ name: String, _ recordings: [String] = []) -> ExaminerVoice? {
        if let installed = InstalledVoices.find(), name != "pico" || installed.hasPico {
            return installed.voice(name, recordings)
        }
        // The package oracy-voice has recordings in this voice, but no program that speaks it.
        guard name == "hibari", UserFolders.recordedVoice != nil else { return nil }
        var voice = ExaminerVoice(command: ["hibari"], recordings: recordings)
        (voice.name, voice.language) = (InstalledVoices.hibari("heart"), "en")
        return voice
    }

    /// The user's choice; nil if the user has made none.
    static func read() throws(Problem) -> VoiceSetting? {
        guard isChosen else { return nil }
        return try JSONFile.decode(Self.self, "voice", version: layoutVersion, from: PrivateFile.read(path), name: path)
    }

    /// - Throws: `Problem.unwritable`.
    static func choose(_ command: [String], voice: String? = nil) throws(Problem) {
        try PrivateFile.createFolder(UserFolders.data)
        try PrivateFile.replace(path, with: JSONFile.encode(VoiceSetting(command: command, voice: voice)))
    }
}

extension InstalledVoices {
    /// Returns an installed voice. Its name is the same on every machine, so that recordings made elsewhere are found.
    ///
    /// - Parameter name: `hibari`, `pico`, or the path of a voice file for hibari.
    func voice(_ name: String, _ recordings: [String] = []) -> ExaminerVoice {
        let speaker = name == "hibari" ? "heart" : name
        var voice = ExaminerVoice(command: command(speaker), recordings: recordings)
        voice.name =
            name == "pico"
            ? ["py-nanotts", "0.1.1", "en-GB", "speed 0.9"]
            : Self.hibari(speaker)
        voice.language = "en"
        voice.linesArgument = "--lines"
        return voice
    }

    /// Returns the name of hibari with a speaker: `heart`, or the path of a voice file.
    static func hibari(_ speaker: String) -> [String] {
        ["hibari-tts", "0.2.1", speaker.split(separator: "/").last.map(String.init) ?? speaker, "seed 1"]
    }
}

extension ExaminerVoice {
    /// Whether espeak-ng speaks.
    var isEspeak: Bool { command.first == ExaminerVoice.espeak[0] }
}
