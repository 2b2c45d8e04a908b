import Foundation

/// The configuration of PipeWire 0.3.65 and WirePlumber 0.4.13, reduced to the needs of virtual devices and streams.
///
/// Compared with Debian's, it has no D-Bus (`support.dbus`, no portal, no device reservation), no real-time scheduling
/// (no `rt` module), no hardware (ALSA, Bluetooth, cameras), no data on disk, and no `suspend-node.lua`, so that
/// devices don't fall asleep.
enum PipeWireSettings {
    /// Writes all of the files. `environment` makes the programs use them instead of /etc and /usr/share.
    static func write(into den: Den, socket: String) throws {
        let files = [
            "pipewire/pipewire.conf": daemon, "pipewire/pipewire-pulse.conf": pulse(socket),
            "pipewire/client.conf": client, "wireplumber/wireplumber.conf": sessionManager,
            "wireplumber/virtual.lua.d/10-virtual.lua": policy,
        ]
        for (name, text) in files { try den.write(Data(text.utf8), to: name) }
    }

    static func environment(in folder: String) -> [String: String] {
        ["PIPEWIRE_CONFIG_DIR": "\(folder)/pipewire", "WIREPLUMBER_CONFIG_DIR": "\(folder)/wireplumber"]
    }

    private static let libraries = """
        context.spa-libs = { audio.convert.* = audioconvert/libspa-audioconvert support.* = support/libspa-support }
        """

    /// Locking memory fails with a warning if RLIMIT_MEMLOCK is small, as in a container.
    private static let quiet = "support.dbus = false mem.allow-mlock = false log.level = 2"

    /// 1024 frames, 21 ms, is Debian's own. 960 would be rounded down to 512, a power of two, which is late on a busy
    /// two-core machine: up to 40 gaps in 2 s, while 1024 has none or, rarely, one.
    private static let daemon = """
        context.properties = {
            \(quiet) core.daemon = true core.name = pipewire-0
            default.clock.rate = 48000 default.clock.quantum = 1024
            default.clock.min-quantum = 1024 default.clock.max-quantum = 1024
        }
        \(libraries)
        context.modules = [
            { name = libpipewire-module-protocol-native }
            { name = libpipewire-module-metadata }
            { name = libpipewire-module-spa-node-factory }
            { name = libpipewire-module-client-node }
            { name = libpipewire-module-access }
            { name = libpipewire-module-adapter }
            { name = libpipewire-module-link-factory }
            { name = libpipewire-module-session-manager }
        ]
        context.objects = [
            { factory = spa-node-factory args = {
                factory.name = support.node.driver node.name = Dummy-Driver
                node.group = pipewire.dummy priority.driver = 20000
            } }
        ]
        """

    private static let clientModules = """
            { name = libpipewire-module-protocol-native }
            { name = libpipewire-module-client-node }
            { name = libpipewire-module-adapter }
            { name = libpipewire-module-metadata }
        """

    private static let client = """
        context.properties = { \(quiet) }
        \(libraries)
        context.modules = [
        \(clientModules)
        ]
        """

    private static func pulse(_ socket: String) -> String {
        """
        context.properties = { \(quiet) }
        \(libraries)
        context.modules = [
        \(clientModules)
            { name = libpipewire-module-protocol-pulse }
        ]
        pulse.properties = { server.address = [ "unix:\(socket)" ] }
        """
    }

    private static let sessionManager = """
        context.properties = { \(quiet) wireplumber.script-engine = lua-scripting }
        \(libraries)
        context.modules = [
        \(clientModules)
            { name = libpipewire-module-client-device }
            { name = libpipewire-module-session-manager }
        ]
        wireplumber.components = [
            { name = libwireplumber-module-lua-scripting, type = module }
            { name = libwireplumber-module-metadata, type = module }
            { name = libwireplumber-module-si-node, type = module }
            { name = libwireplumber-module-si-audio-adapter, type = module }
            { name = libwireplumber-module-si-audio-endpoint, type = module }
            { name = libwireplumber-module-si-standard-link, type = module }
            { name = libwireplumber-module-default-nodes-api, type = module }
            { name = virtual.lua, type = config/lua }
        ]
        """

    /// `move` and `follow` are Debian's own: a stream moves on request, and follows the default device.
    /// `policy-node.lua` names `SiEndpoint`, so `si-audio-endpoint` above must be there although there are no
    /// endpoints.
    private static let policy = """
        components = {
          { "libwireplumber-module-default-nodes", type = "module", args = { ["use-persistent-storage"] = false } },
          { "access/access-default.lua", type = "script/lua", args = { rules = {} } },
          { "create-item.lua", type = "script/lua", args = { ["move"] = true, ["follow"] = true } },
          { "policy-node.lua", type = "script/lua", args = { ["move"] = true, ["follow"] = true } },
        }
        """
}
