/// The processor of this machine.
package enum Processor {
    /// The architecture in the names of packages: `x86_64` or `aarch64`.
    package static var architecture: String {
        #if arch(arm64)
            "aarch64"
        #else
            "x86_64"
        #endif
    }
}
