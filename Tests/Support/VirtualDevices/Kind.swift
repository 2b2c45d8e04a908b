import Glibc

extension SoundServer {
    /// The kind of sound server. Debian 12 can install either behind the same PulseAudio protocol.
    public enum Kind: String, Sendable, CaseIterable {
        /// The `pulseaudio` daemon.
        case pulseAudio = "PulseAudio"
        /// `pipewire` with `wireplumber`, accessed through `pipewire-pulse`.
        case pipeWire = "PipeWire"

        /// The reason why this kind can't be started here, in one plain sentence; nil if its programs are installed.
        public var obstacle: String? {
            let missing = programs.filter { Programs.path(of: $0.name) == nil }
            guard let first = missing.first else { return nil }
            let packages = programs.map(\.package)
            let names = packages.enumerated().filter { !packages[..<$0.offset].contains($0.element) }.map(\.element)
            return "\(rawValue) cannot be started because \(first.name) is not installed: "
                + "apt-get install \(names.joined(separator: " "))"
        }

        /// The programs that it needs, with their Debian packages.
        var programs: [(name: String, package: String)] {
            let tools = [
                ("pactl", "pulseaudio-utils"), ("pacat", "pulseaudio-utils"), ("parec", "pulseaudio-utils"),
            ]
            return switch self {
            case .pulseAudio: [("pulseaudio", "pulseaudio")] + tools
            case .pipeWire:
                [("pipewire", "pipewire-bin"), ("wireplumber", "wireplumber"), ("pipewire-pulse", "pipewire-pulse")]
                    + tools
            }
        }
    }
}

/// Finds programs in the `PATH` of this process, like a shell. A name with a slash is a path.
enum Programs {
    static var searchPath: String {
        guard let path = getenv("PATH") else { return "/usr/local/bin:/usr/bin:/bin" }
        return String(cString: path)
    }

    static func path(of program: String) -> String? {
        if program.contains("/") { return access(program, X_OK) == 0 ? program : nil }
        return searchPath.split(separator: ":").map { "\($0)/\(program)" }.first { access($0, X_OK) == 0 }
    }
}
