import Glibc
import SystemSupport

/// Makes the parts of an add-on from files whose content was checked. Blocks for seconds.
struct PartMaking: Sendable {
    /// The paths of the files by their ids.
    let stored: [String: String]
    let files: [String: AddOnFile]
    /// The new folder.
    let folder: String

    /// Makes a part.
    ///
    /// - Returns: the part as the installation lists it.
    /// - Throws: `Problem`: `malformed` if a file isn't what the list says, `unwritable`.
    func make(_ part: String, _ way: AddOnPart.Way) throws(Problem) -> Installation.Part {
        var made: [Installation.File] = []
        switch way.recipe {
        case .unpack: for id in way.files { made += try unpack(id) }
        case .convert(let model): made.append(try convert(way.files, to: model))
        case .quantise(let model): made.append(try quantise(way.files[0], to: model))
        case .copy: made.append(try copy(way.files[0]))
        }
        let origins = way.files.compactMap { files[$0] }.map {
            Installation.Origin(title: $0.title, licence: $0.licence, sha256: $0.sha256)
        }
        return Installation.Part(name: part, origins: origins, files: made)
    }

    private func unpack(_ id: String) throws(Problem) -> [Installation.File] {
        let file = try file(id)
        let package = try Package(path(of: id), file.title)
        var made: [Installation.File] = []
        for name in package.names {
            guard let place = try place(of: name, in: file) else { continue }
            var output = try NewFile("\(folder)/\(place)")
            output.add(try package.content(of: name, is: file.members?[name]))
            let (byteCount, sha256) = try output.end()
            made.append(Installation.File(path: place, byteCount: byteCount, sha256: sha256))
        }
        return made
    }

    /// Returns the path of a member in the installation; nil if it isn't needed.
    private func place(of name: String, in file: AddOnFile) throws(Problem) -> String? {
        if let members = file.members { return members[name]?.to }
        guard !name.hasSuffix("/") else { return nil }
        guard !name.hasPrefix("/"), !name.split(separator: "/").contains("..") else {
            throw Problem(.malformed, "\(file.title): \(name) is outside of its folder")
        }
        return (file.folder.map { $0 + "/" } ?? "") + name
    }

    /// Joins the pieces of a model in the order of their files, and writes it for whisper.cpp.
    private func convert(_ ids: [String], to model: String) throws(Problem) -> Installation.File {
        let joined = "\(folder)/model.bin"
        defer { unlink(joined) }
        var tokens: [[UInt8]]?
        var output = try NewFile(joined)
        for id in ids {
            let file = try file(id)
            let package = try Package(path(of: id), file.title)
            for (name, member) in file.members ?? [:] {
                let content = try package.content(of: name, is: member)
                if member.to == "model.bin" {
                    output.add(content)
                } else {
                    tokens = ModelTokens.texts(in: content)
                }
            }
        }
        _ = try output.end()
        guard let tokens else { throw Problem(.malformed, "\(ids[0]): has no list of tokens") }
        let mapped = try MappedFile(joined)
        return try write(model) { (write) throws(Problem) in
            do throws(CT2Model.Damage) {
                try GGMLModel(try CT2Model(mapped.bytes), .q8).write(tokens: tokens, write)
            } catch {
                throw Problem(.malformed, "\(ids[0]): is not a Whisper model (\(error))")
            }
        }
    }

    private func quantise(_ id: String, to model: String) throws(Problem) -> Installation.File {
        let mapped = try MappedFile(path(of: id))
        return try write(model) { (write) throws(Problem) in
            do throws(Quantising.Damage) {
                try Quantising.run(mapped.bytes, write)
            } catch {
                throw Problem(.malformed, "\(id): is not a model in half precision (\(error))")
            }
        }
    }

    private func copy(_ id: String) throws(Problem) -> Installation.File {
        let path = try path(of: id)
        return try write(id) { (write) throws(Problem) in
            try PrivateFile.forEachChunk(of: path) { write(Array($0)) }
        }
    }

    /// Writes a model, and compares it with the list.
    private func write(
        _ id: String, _ body: (_ write: ([UInt8]) -> Void) throws(Problem) -> Void
    ) throws(Problem) -> Installation.File {
        let file = try file(id)
        let place = "model/\(file.name)"
        var output = try NewFile("\(folder)/\(place)")
        try body { output.add($0) }
        let (byteCount, sha256) = try output.end()
        guard byteCount == file.byteCount, sha256 == file.sha256 else {
            throw Problem(.malformed, "\(file.name): was made with the wrong content; install again")
        }
        return Installation.File(path: place, byteCount: byteCount, sha256: sha256)
    }

    private func file(_ id: String) throws(Problem) -> AddOnFile {
        guard let file = files[id] else { throw Problem(.missing, "\(id): is not in the list of add-ons") }
        return file
    }

    private func path(of id: String) throws(Problem) -> String {
        guard let path = stored[id] else { throw Problem(.missing, "\(id): was not fetched") }
        return path
    }
}

/// An open package of PyPI.
private struct Package: ~Copyable {
    private let file: MappedFile
    private let archive: ZipArchive
    private let title: String

    /// - Throws: `Problem`: `missing`, `malformed`.
    init(_ path: String, _ title: String) throws(Problem) {
        let file = try MappedFile(path)
        let archive: ZipArchive
        do throws(ZipArchive.Damage) {
            archive = try ZipArchive(file.bytes)
        } catch {
            throw Problem(.malformed, "\(title): is not a package")
        }
        self.file = file
        self.archive = archive
        self.title = title
    }

    var names: [String] { archive.members.map(\.name) }

    /// Returns the content of a member.
    ///
    /// - Parameter listed: its length and hash; nil if the list has only those of the whole package.
    /// - Throws: `Problem.malformed` if it is missing, damaged or different.
    func content(of name: String, is listed: AddOnFile.Member?) throws(Problem) -> [UInt8] {
        do throws(ZipArchive.Damage) {
            guard let member = archive.members.first(where: { $0.name == name }) else { throw .member(name) }
            // Check the size before unpacking: a damaged member may announce gigabytes.
            if let listed, member.byteCount != listed.byteCount { throw .member(name) }
            let content = try archive.content(of: member)
            if let listed, SHA256.hexadecimal(of: content) != listed.sha256 { throw .member(name) }
            return content
        } catch {
            throw Problem(.malformed, "\(title): \(name) is missing or damaged")
        }
    }
}
