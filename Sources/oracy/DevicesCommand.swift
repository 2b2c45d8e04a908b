import ArgumentParser
import ExamCore
import ExamKit
import PulseRoom

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List microphones and loudspeakers; the default ones are marked with a star."
    )

    @Flag(help: "Print the list as JSON.")
    var json = false

    func run() throws {
        do {
            let devices = try AudioDevice.all()
            print(json ? JSONText.of(devices) : Self.text(devices))
        } catch {
            complain(error.problem.sentence)
            throw ExitCode(error.problem.exitCode)
        }
    }

    static func text(_ devices: [AudioDevice]) -> String {
        let kinds: [(AudioDevice.Kind, String)] = [(.microphone, "Microphones"), (.loudspeaker, "Loudspeakers")]
        return kinds.map { kind, title in
            let own = devices.filter { $0.kind == kind && !$0.isMonitor }
            guard !own.isEmpty else { return "\(title)\n  none" }
            let rows = own.map { device in
                [device.isDefault ? "  * default" : "", device.name, device.isMuted ? "muted" : "", device.description]
            }
            return ([title] + rows.columns()).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
