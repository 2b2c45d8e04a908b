import ExamKit
import PulseRoom

/// What the last accepted microphone check found: the exam listens accordingly.
struct AcceptedMicrophone: Codable {
    static let path = UserFolders.data + "/microphone.json"

    var version = 1
    /// ISO 8601 in UTC.
    var checkedAt: String
    /// The microphone's name.
    var microphone: String
    var report: MicrophoneReport

    /// The raised gate, where the examiner leaks and a gate helps.
    var gateDBFS: Double? { report.suggestedGateDBFS }

    /// How long the examiner's last word still sounds in the microphone: its delay, and a small room's echo of a quarter of
    /// a second; nothing where none was found.
    var echo: Duration {
        report.leak.map { .milliseconds(Int($0.delayMS.rounded()) + 250) } ?? .zero
    }

    /// nil where nothing was accepted, or what was cannot be read any more.
    static func read() -> AcceptedMicrophone? {
        try? UserFile.read(AcceptedMicrophone.self, from: path)
    }
}
