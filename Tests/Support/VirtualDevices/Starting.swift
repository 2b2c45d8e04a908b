import Foundation
import Glibc
import Waiting

/// Starting the daemons, one after another, each once the previous one is ready.
extension SoundServer {
    var socket: String { String(address.dropFirst("unix:".count)) }

    /// Starts the graph and its session manager, without which a stream would stay in the state CREATING forever.
    func startFoundation(_ state: inout State) throws {
        try PipeWireSettings.write(into: den, socket: socket)
        for program in ["pipewire", "wireplumber"] {
            let process = try den.start(program, [], environment: environment)
            state.foundation.append(process)
            if program == "pipewire" { try wait(for: "\(den.folder)/pipewire-0", of: program, process) }
        }
    }

    /// Starts the program that clients talk to, and makes the devices of every seat.
    func startPulse(_ state: inout State) throws {
        // A killed server leaves its socket behind.
        unlink(socket)
        let (program, arguments) = daemon
        let process = try den.start(program, arguments, environment: environment)
        state.pulse = process
        do {
            try wait(for: socket, of: program, process)
            for seat in state.seats { try furnish(seat, &state) }
            try makeDefault(state.seats[0])
        } catch {
            process.kill()
            state.pulse = nil
            state.modules = [:]
            if let failure = error as? CommandFailure {
                throw Unavailable("\(kind.rawValue) started but its devices did not come: \(failure).")
            }
            throw error
        }
    }

    private var daemon: (program: String, arguments: [String]) {
        switch kind {
        case .pipeWire: ("pipewire-pulse", [])
        case .pulseAudio:
            (
                "pulseaudio",
                [
                    "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no",
                    "--high-priority=no", "--log-target=file:\(den.log(of: "pulseaudio"))",
                    "--load=module-native-protocol-unix auth-anonymous=1 auth-cookie-enabled=0 socket=\(socket)",
                ]
            )
        }
    }

    /// Waits until a program listens on its socket.
    private func wait(for socket: String, of program: String, _ process: ChildProcess) throws {
        let listens = Patience.poll { () -> Bool? in
            if process.status != nil { return false }
            return accepts(socket) ? true : nil
        }
        guard listens != true else { return }
        let log = (try? String(contentsOfFile: den.log(of: program), encoding: .utf8)) ?? ""
        let words = log.split(separator: "\n").last ?? "it said nothing"
        throw Unavailable("\(program) \(listens == nil ? "did not come up in time" : "ended at once"): \(words).")
    }

    private func accepts(_ socket: String) -> Bool {
        let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
        return withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
