import AddOns
import ArgumentParser
import ExamKit
import SystemSupport

struct VoicesListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the voices, installed or not; * marks the one that is used.")

    func run() async throws {
        try await failing {
            let used = try VoiceSetting.voices(nil)[0]
            let chosen = try VoiceSetting.read()
            let installed = InstalledVoices.find()
            var rows: [(name: String, about: String)] = [
                ("hibari", "American, female" + Self.lack(installed)),
                (
                    "pico",
                    "British, female, old-fashioned"
                        + (installed?.hasPico == true ? "" : "; not installed: oracy voices install --pico")
                ),
                ("espeak-ng", "British, male, a robot"),
            ]
            let name = used.name.map { $0[0] == "py-nanotts" ? "pico" : chosen?.voice ?? "hibari" }
            let current = name ?? (used.isEspeak ? "espeak-ng" : used.command.joined(separator: " "))
            if !rows.contains(where: { $0.name == current }) { rows.append((current, "your own")) }
            for row in rows {
                let gap = String(repeating: " ", count: max(1, 11 - row.name.count))
                print("\(row.name == current ? "*" : " ") \(row.name)\(gap)\(row.about)")
            }
        }
    }

    /// Returns what hibari lacks on this machine.
    private static func lack(_ installed: InstalledVoices?) -> String {
        if installed != nil { return "" }
        return UserFolders.recordedVoice == nil
            ? "; not installed: oracy voices install"
            : "; built-in questions only (package oracy-voice). For others: oracy voices install"
    }
}
