/// The choice of voices to install for the examiner.
package struct VoiceChoice: Equatable, Sendable {
    /// A version of Python for which the packages exist: those of Debian 12 and 13.
    package enum Python: String, CaseIterable, Sendable {
        case v311 = "3.11"
        case v313 = "3.13"

        /// The version in the names of packages: `311`.
        var digits: String { rawValue.filter { $0 != "." } }
    }

    package var python: Python
    /// Whether to install the British voice Pico, too.
    package var hasPico: Bool

    package init(_ python: Python, hasPico: Bool = false) {
        self.python = python
        self.hasPico = hasPico
    }

    /// Returns the installation of this choice. The packages run only on x86_64.
    package func install(on architecture: String) -> AddOnInstall {
        let isKnown = architecture == "x86_64"
        let files = ["voice", "numpy-\(python.digits)", "onnxruntime-\(python.digits)"]
        var parts = [AddOnPart("hibari", isKnown ? [.init(files, .unpack)] : [])]
        if hasPico { parts.append(AddOnPart("pico", isKnown ? [.init(["pico"], .unpack)] : [])) }
        return AddOnInstall(parts, workBytes: 220_000_000)
    }

    /// The Python program that uses the packages to speak. It is installed beside them.
    package static let program = Array(PackageResources.voice_py)
}
