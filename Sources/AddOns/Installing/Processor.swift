/// The facts about this machine's processor that decide which programs it can run.
package enum Processor {
    /// The architecture in the names of packages: `x86_64` or `aarch64`.
    package static var architecture: String {
        #if arch(arm64)
            "aarch64"
        #else
            "x86_64"
        #endif
    }

    /// Returns the features of the first processor in the text of `/proc/cpuinfo`.
    package static func features(in text: String) -> Set<String> {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = parts[0].filter { !$0.isWhitespace }
            guard name == "flags" || name == "Features" else { continue }
            return Set(parts[1].split(separator: " ").map(String.init))
        }
        return []
    }
}
