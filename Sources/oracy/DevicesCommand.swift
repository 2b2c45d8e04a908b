import ArgumentParser
import PulseRoom
import SystemSupport

struct DevicesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "List microphones and loudspeakers. A star marks the default ones."
    )

    @Flag(help: "Print the list as JSON.")
    var json = false

    func run() throws {
        do {
            let devices = try AudioDevice.all()
            print(json ? JSONText.of(devices) : Self.text(devices), whole: json)
        } catch {
            complain(error.problem.sentence)
            throw ExitCode(error.problem.exitCode)
        }
    }

    static func text(_ devices: [AudioDevice]) -> String {
        let own = devices.filter { !$0.isMonitor }
        // Both lists share the same columns.
        let lines = own.map { device in
            [
                "  " + (device.isDefault ? "*" : " "), device.name.withoutControls, device.description.withoutControls,
                device.isMuted ? "muted" : "",
            ]
        }.rowLines(shrinking: 2)
        let kinds: [(AudioDevice.Kind, String)] = [(.microphone, "Microphones"), (.loudspeaker, "Loudspeakers")]
        return kinds.map { kind, title in
            let rows = zip(own, lines).filter { $0.0.kind == kind }.flatMap(\.1)
            return ([title] + (rows.isEmpty ? ["  none"] : rows)).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
