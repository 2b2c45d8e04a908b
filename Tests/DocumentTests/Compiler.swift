import Foundation

/// The compiler with the flags of this build's own tests, but as in another package: it sees only public declarations.
struct Compiler {
    /// The folder with modules and objects: `…/debug`.
    let products: String
    private let program: String
    private let flags: [String]
    private let objects: [String]

    struct Failure: Error, CustomStringConvertible { var description: String }

    init() throws {
        let bundle = URL(filePath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        let folder = bundle.deletingLastPathComponent()
        products = folder.path
        // The build's own plan, beside the triple's folder, with the configuration's name.
        let plan = folder.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "\(folder.lastPathComponent).yaml")
        let lines = try String(contentsOf: plan, encoding: .utf8).components(separatedBy: "\n")
        guard let start = lines.firstIndex(where: { $0.contains("\"C.DocumentTests-") && $0.contains(".module\"") }),
            let line = lines[start...].first(where: { $0.hasPrefix("    args: ") }),
            let arguments = try JSONSerialization.jsonObject(with: Data(line.dropFirst(10).utf8)) as? [String]
        else { throw Failure(description: "\(plan.path) does not say how DocumentTests is compiled") }
        program = arguments[0]
        var flags: [String] = []
        var rest = arguments.dropFirst()
        while let flag = rest.popFirst() {
            switch flag {
            case "-Xcc": flags += [flag, rest.removeFirst()]
            case "-I", "-target", "-swift-version", "-sdk": flags += [flag, rest.removeFirst()]
            default: if flag.hasPrefix("-sanitize") { flags.append(flag) }
            }
        }
        self.flags = flags
        let list = try String(contentsOfFile: "\(products)/oracy.product/Objects.LinkFileList", encoding: .utf8)
        objects = list.split(separator: "\n").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "'\"")) }
            .filter { !$0.contains("/oracy.build/") }
    }

    /// Checks files for errors of types, ownership and isolation.
    ///
    /// - Returns: The compiler's output. Empty if there is nothing wrong.
    func check(_ files: [String]) async throws -> String {
        try await run(
            program, flags + ["-emit-sil", "-whole-module-optimization", "-Onone", "-o", "/dev/null"] + files
        ).said
    }

    /// Builds a program from a `main.swift`, with all objects of the kit, the queue and the backends.
    func link(_ main: String, as path: String) async throws {
        let (status, said) = try await run(program, flags + ["-Onone", "-L", products, "-o", path, main] + objects)
        guard status == 0 else { throw Failure(description: said) }
    }

    /// Writes the public symbols of a module to `MODULE.symbols.json`, in a folder.
    func symbols(of module: String, into folder: String) async throws {
        var flags = flags
        // The extractor compiles nothing, and only needs the paths of modules.
        while let place = flags.firstIndex(where: { $0 == "-swift-version" || $0.hasPrefix("-sanitize") }) {
            flags.removeSubrange(place..<(flags[place] == "-swift-version" ? place + 2 : place + 1))
        }
        let extractor = URL(filePath: program).deletingLastPathComponent().appending(path: "swift-symbolgraph-extract")
            .path
        let (status, said) = try await run(
            extractor,
            [
                "-module-name", module, "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir",
                folder,
            ]
                + flags)
        guard status == 0 else { throw Failure(description: said) }
    }

    /// - Returns: The exit status, and the output if it failed. Warnings don't count.
    func run(
        _ program: String, _ arguments: [String], in folder: String = House.root
    ) async throws -> (status: Int32, said: String) {
        let process = Process()
        process.executableURL = URL(filePath: program)
        process.arguments = arguments
        process.currentDirectoryURL = URL(filePath: folder)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let said = await Task.detached { pipe.fileHandleForReading.readDataToEndOfFile() }.value
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
    }
}
