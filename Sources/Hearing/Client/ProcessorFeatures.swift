import SystemSupport

/// The features of this machine's processors. A process whose recogniser uses a missing feature is killed at once, so
/// the features are compared before the recogniser's library is loaded.
public struct ProcessorFeatures: Equatable, Sendable {
    /// The names of the features that all processors have, as the kernel writes them: `avx2`, `f16c`.
    public var names: Set<String>

    /// Reads the features from the text of `/proc/cpuinfo`.
    public init(cpuinfo: String) {
        var common: Set<String>?
        for line in cpuinfo.split(separator: "\n") {
            // x86 says "flags", ARM "Features".
            guard let colon = line.firstIndex(of: ":"),
                line.hasPrefix("flags\t") || line.hasPrefix("flags ") || line.hasPrefix("Features")
            else { continue }
            let names = Set(line[line.index(after: colon)...].split(separator: " ").map(String.init))
            common = common?.intersection(names) ?? names
        }
        names = common ?? []
    }

    /// The features of this machine. Empty if the kernel does not list them.
    public static var ofThisMachine: ProcessorFeatures {
        let bytes = (try? PrivateFile.read("/proc/cpuinfo")) ?? []
        return ProcessorFeatures(cpuinfo: String(decoding: bytes, as: UTF8.self))
    }

    /// Returns those of the needed features that are missing, sorted.
    public func missing(of needed: some Sequence<String>) -> [String] {
        needed.filter { !names.contains($0) }.sorted()
    }
}
