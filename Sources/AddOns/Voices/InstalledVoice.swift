import SystemSupport

/// A voice for the examiner that is installed on this machine.
package struct InstalledVoice: Equatable, Sendable {
    /// The command that speaks: text on standard input, WAV on standard output.
    package var command: [String]
    /// The words that identify the voice on every machine, so that recordings made elsewhere are found.
    package var identity: [String]
    /// The only language that it speaks.
    package let language = "en"
    /// The option with which the command speaks a file with many texts. Nil if it has no such option.
    package var linesArgument: String?

    /// The names of the voices that can be installed, the best first.
    package static let names = ["hibari", "pico"]

    /// Finds a voice.
    ///
    /// - Parameters:
    ///   - name: `hibari`, `pico`, or the path of a voice file for hibari.
    ///   - installed: the installation; nil without one.
    /// - Returns: Nil if the voice is not installed.
    package init?(_ name: String, in installed: InstalledVoices?) {
        let speaker = name == "hibari" ? "heart" : name
        identity = name == "pico" ? ["py-nanotts", "0.1.1", "en-GB", "speed 0.9"] : Self.hibari(speaker)
        if let installed, name != "pico" || installed.hasPico {
            command = installed.command(speaker)
            linesArgument = "--lines"
            return
        }
        // The package oracy-voice has recordings in this voice, but no program that speaks it.
        guard name == "hibari", UserFolders.recordedVoice != nil else { return nil }
        command = ["hibari"]
    }

    /// Returns the identity of hibari with a speaker: `heart`, or the path of a voice file.
    private static func hibari(_ speaker: String) -> [String] {
        ["hibari-tts", "0.2.1", speaker.split(separator: "/").last.map(String.init) ?? speaker, "seed 1"]
    }
}
