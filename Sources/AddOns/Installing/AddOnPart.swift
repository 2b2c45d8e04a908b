/// A part of an add-on, such as the recogniser's library or its model, and the ways to make it.
package struct AddOnPart: Equatable, Sendable {
    package let name: String
    /// The ways to make it, the preferred one first.
    package let ways: [Way]

    package init(_ name: String, _ ways: [Way]) {
        self.name = name
        self.ways = ways
    }

    /// A way to make a part from files.
    package struct Way: Equatable, Sendable {
        /// The ids of the files in `AddOnList`, in order.
        package let files: [String]
        package let recipe: Recipe

        package init(_ files: [String], _ recipe: Recipe) {
            self.files = files
            self.recipe = recipe
        }
    }

    /// The treatment of a part's files.
    package enum Recipe: Equatable, Sendable {
        /// Unpack them.
        case unpack
        /// Join the pieces of a model in them, and write the model in whisper.cpp's format as this file.
        case convert(to: String)
        /// Rewrite the model, which is in half precision, with 8 bits as this file.
        case quantise(to: String)
        /// Take the file as it is.
        case copy
    }
}

extension AddOnPart {
    /// Returns whether an installed part has the content that this part would have.
    func isSame(as part: Installation.Part, _ files: [String: AddOnFile]) -> Bool {
        guard part.name == name else { return false }
        return ways.contains { way in
            switch way.recipe {
            case .unpack: way.files.map { files[$0]?.sha256 } == part.origins.map(\.sha256)
            case .convert(let model), .quantise(let model): files[model]?.sha256 == part.files.first?.sha256
            case .copy: files[way.files[0]]?.sha256 == part.files.first?.sha256
            }
        }
    }

    /// Returns the part with only those ways whose files are all in the list. A package may not exist for this
    /// processor.
    package func known(in files: [String: AddOnFile]) -> AddOnPart {
        AddOnPart(name, ways.filter { $0.files.allSatisfy { files[$0] != nil } })
    }
}
