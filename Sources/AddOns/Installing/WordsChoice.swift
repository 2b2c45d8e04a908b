/// The choice of what to install to recognise words: the recogniser's model, and optional parts.
package struct WordsChoice: Equatable, Sendable {
    /// The recogniser's model.
    package enum Model: String, CaseIterable, Sendable {
        case base
        case small = "tiny.en"
    }

    package var model: Model
    package var hasPhones: Bool
    package var hasGrammar: Bool

    package init(_ model: Model = .base, hasPhones: Bool = false, hasGrammar: Bool = false) {
        self.model = model
        self.hasPhones = hasPhones
        self.hasGrammar = hasGrammar
    }

    /// The kinds of places that models come from.
    package enum Place: Sendable { case packages, publicHome, folder }

    /// The processor features that the library for x86_64 was built for. On a processor without one of them, the
    /// library crashes.
    private static let features: [String: Set<String>] = ["x86_64": ["avx", "avx2", "bmi2", "f16c", "fma"]]

    /// Returns the installation of this choice.
    ///
    /// - Parameters:
    ///   - architecture: the processor's: `x86_64` or `aarch64`.
    ///   - place: the origin of the files. A folder may have any form of the model, PyPI has only packages.
    package func install(on architecture: String, from place: Place) -> AddOnInstall {
        let quantised = "ggml-\(model.rawValue)-q8"
        let packages: [[String]] =
            model == .base ? [["base-1", "base-2"], ["base-other-1", "base-other-2"]] : [["tiny"]]
        let converted = packages.map { AddOnPart.Way($0, .convert(to: quantised)) }
        let ways: [AddOnPart.Way] =
            switch place {
            case .packages: converted
            case .publicHome: [.init([quantised], .copy)]
            case .folder:
                [.init([quantised], .copy), .init(["ggml-\(model.rawValue)"], .quantise(to: quantised))] + converted
            }
        var parts = [
            AddOnPart("library", [.init(["whisper-\(architecture)"], .unpack)]), AddOnPart("model", ways),
        ]
        if hasPhones {
            parts.append(AddOnPart("phones", [.init(["phones-\(architecture)", "pronunciations"], .unpack)]))
        }
        if hasGrammar { parts.append(AddOnPart("grammar", [.init(["grammar-\(architecture)"], .unpack)])) }
        return AddOnInstall(
            parts.map { $0.known(in: AddOnList.files) }, features: Self.features[architecture] ?? [],
            workBytes: model == .base ? 280_000_000 : 150_000_000)
    }
}
