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
    /// the user's choice, otherwise an installed voice, otherwise espeak-ng. An installed voice is followed by
    /// espeak-ng, in case it was removed or its Python is gone.
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
        InstalledVoice(name, in: .find()).map { ExaminerVoice($0, recordings) }
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

extension ExaminerVoice {
    /// The voice of an installation.
    init(_ installed: InstalledVoice, _ recordings: [String] = []) {
        self.init(command: installed.command, recordings: recordings)
        (name, language, linesArgument) = (installed.identity, installed.language, installed.linesArgument)
    }

    /// Whether espeak-ng speaks.
    var isEspeak: Bool { command.first == ExaminerVoice.espeak[0] }
}
