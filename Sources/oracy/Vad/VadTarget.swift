import Glibc
import SystemSupport

/// The destination of the result.
struct VadTarget {
    private enum Place {
        case standardOutput
        case file(String)
        /// A file for each recording, named like the recording.
        case folder(String)
    }

    private let place: Place
    private let format: VadFormat
    private let names: [String]

    /// - Parameter names: The names of all recordings that will be heard.
    init(_ output: String?, _ format: VadFormat, names: [String]) {
        place =
            if let output {
                format.isFileEach && (names.count > 1 || output.isFolder) ? .folder(output) : .file(output)
            } else {
                .standardOutput
            }
        self.format = format
        self.names = names
    }

    /// Checks the output paths before the work.
    ///
    /// - Throws: `Problem.occupied`.
    func check() throws(Problem) {
        var seen: Set<String> = []
        for file in files {
            guard seen.insert(file).inserted else {
                throw Problem(.occupied, "\(file): would be written for two recordings; name them one at a time")
            }
            try OutputFile.checkPlace(file)
        }
    }

    /// Returns whether a path, in any spelling, is one of the files to be written.
    func writes(_ path: String) -> Bool {
        files.contains { OutputFile.place(of: $0) == OutputFile.place(of: path) }
    }

    /// All files that may be written.
    private var files: [String] {
        switch place {
        case .standardOutput: []
        case .file(let path): [path]
        case .folder(let folder): names.map { path(of: $0, in: folder) }
        }
    }

    /// - Throws: `Problem`: `unwritable`; `occupied` if the folder is a file.
    func write(_ heard: [HeardFile]) throws(Problem) {
        switch place {
        case .standardOutput: try OutputFile.print(format.text(heard))
        case .file(let path): try OutputFile.replace(path, with: format.text(heard))
        case .folder(let folder):
            try PrivateFile.createFolder(folder, mode: 0o777)
            for file in heard { try OutputFile.replace(path(of: file.name, in: folder), with: format.text([file])) }
        }
    }

    private func path(of name: String, in folder: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + RecordingNames.fileName(name) + "." + format.fileExtension
    }
}

extension String {
    /// Whether the path ends in a slash, or a folder exists there.
    fileprivate var isFolder: Bool {
        var status = stat()
        return hasSuffix("/") || (stat(self, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR)
    }
}
