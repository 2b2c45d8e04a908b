import ExamKit
import FoundationEssentials
import Glibc
import SystemSupport

/// The examiner's voice that the user chose, stored in `voice.json` in the user's data folder.
struct VoiceSetting: Codable {
    static let layoutVersion = 1

    var version = VoiceSetting.layoutVersion
    /// A program and its arguments. It reads text and writes WAV.
    var command: [String]

    private static var path: String { UserFolders.data + "/voice.json" }

    /// Returns the command that an option names, otherwise the user's choice, otherwise espeak-ng.
    ///
    /// - Throws: `Problem.malformed` if the file is invalid.
    static func command(_ option: String?) throws(Problem) -> [String] {
        if let option { return option.split(separator: " ").map(String.init) }
        guard access(path, F_OK) == 0 else { return ExaminerVoice.espeak }
        let chosen = try JSONFile.decode(
            Self.self, "voice", version: layoutVersion, from: PrivateFile.read(path), name: path)
        return chosen.command.isEmpty ? ExaminerVoice.espeak : chosen.command
    }

    /// - Throws: `Problem.unwritable`.
    static func choose(_ command: [String]) throws(Problem) {
        try PrivateFile.createFolder(UserFolders.data)
        try PrivateFile.replace(path, with: JSONFile.encode(VoiceSetting(command: command)))
    }
}
