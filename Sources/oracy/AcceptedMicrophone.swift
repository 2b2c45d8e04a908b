import PulseRoom
import SystemSupport

/// The result of the last accepted microphone check, to which the exam adjusts its detector.
struct AcceptedMicrophone: Codable {
    static let path = UserFolders.data + "/microphone.json"

    var version = 1
    /// ISO 8601 in UTC.
    var checkedAt: String
    /// The microphone's name.
    var microphone: String
    var report: MicrophoneReport

    /// The raised gate, if the examiner leaks into the microphone and a gate helps.
    var gateDBFS: Double? { report.suggestedGateDBFS }

    /// The time for which the examiner's last word can still be heard in the microphone: the measured delay plus a
    /// quarter of a second for the echo of a small room. Zero if no leak was found.
    var echo: Duration {
        report.leak.map { .milliseconds(Int($0.delayMS.rounded()) + 250) } ?? .zero
    }

    /// Reads the last accepted check; nil if the file is missing or unreadable.
    static func read() -> AcceptedMicrophone? {
        try? UserFile.read(AcceptedMicrophone.self, from: path)
    }
}
