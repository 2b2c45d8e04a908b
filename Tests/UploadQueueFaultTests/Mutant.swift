import Foundation
import Testing

/// The queue without one of its promises: a patched copy of its sources, built into its own probe.
struct Mutant: Sendable {
    var name: String
    /// A file of `Sources/UploadQueue`, the text to replace, and its replacement.
    var file: String
    var says: String
    var saysThen: String

    static let all = [
        noSyncOfRecording, noSyncOfFolder, normalSynchronous, acknowledgedTooEarly, removedTooEarly, deliveredTooEarly,
    ]

    static let noSyncOfRecording = Mutant(
        name: "no fsync of the recording", file: "UploadFile.swift",
        says: "        try PrivateFile.synchronize(self.path)\n", saysThen: "")
    static let noSyncOfFolder = Mutant(
        name: "no fsync of its folder", file: "UploadFile.swift",
        says: "        try PrivateFile.anchor(self.path.folder)\n", saysThen: "")
    static let normalSynchronous = Mutant(
        name: "synchronous=NORMAL", file: "Journal.swift", says: "PRAGMA synchronous=FULL",
        saysThen: "PRAGMA synchronous=NORMAL")
    static let acknowledgedTooEarly = Mutant(
        name: "acknowledged before it is committed", file: "DeliveryQueue.swift",
        says: "        let items = try journal.add(uploads)\n",
        saysThen: """
                    let journal = journal
                    Task.detached { try? journal.add(uploads) }
                    let items: [Delivery.Item] = []

            """)
    static let removedTooEarly = Mutant(
        name: "removed before the journal says delivered", file: "Sender.swift",
        says: "        if !records.isEmpty { try journal.keep(",
        saysThen: """
                    if case .delivered(let number) = event { try journal.removeFile(of: number) }
                    if !records.isEmpty { try journal.keep(
            """)
    static let deliveredTooEarly = Mutant(
        name: "delivered before the backend has said so", file: "Sender.swift",
        says: "            try await uploader.deliver(upload, with: courier)\n",
        saysThen: """
                        inbox.yield(.delivery(.delivered(number)))
                        await Task.detached { try? await Task.sleep(for: .milliseconds(10)) }.value
                        try await uploader.deliver(upload, with: courier)

            """)

    /// A mutant without a change, to test the build itself.
    static let none = Mutant(name: "unchanged", file: "Journal.swift", says: "PRAGMA", saysThen: "PRAGMA")
}

/// Builds probes from patched sources of the queue, with the options that SwiftPM recorded for the probe beside this
/// test.
struct MutantBuild {
    private let products = URL(filePath: RunningProbe.program).deletingLastPathComponent().path
    private let sources: [String]
    private let compiler: String
    private let options: [String]
    private let objects: [String]

    init() throws {
        let data = try Data(contentsOf: URL(filePath: products + "/description.json"))
        let all = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let commands = try #require(all["swiftCommands"] as? [String: [String: Any]])
        let command = try #require(commands.first { $0.key.hasPrefix("C.UploadQueue-") }?.value)
        sources = try #require(command["sources"] as? [String])
        compiler = try #require(command["executable"] as? String)
        options = Self.withoutBookkeeping(try #require(command["otherArguments"] as? [String]))
        objects = try String(contentsOfFile: products + "/queue-probe.product/Objects.LinkFileList", encoding: .utf8)
            .split(separator: "\n").map(String.init)
        try #require(objects.contains { $0.contains("/UploadQueue.build/") })
    }

    /// Removes the options for later builds and for debuggers.
    private static func withoutBookkeeping(_ options: [String]) -> [String] {
        let single = [
            "-incremental", "-enable-batch-mode", "-serialize-diagnostics", "-parseable-output", "-emit-objc-header",
            "-g",
        ]
        let withValue = ["-index-store-path", "-emit-objc-header-path"]
        var kept: [String] = []
        var rest = options[...]
        while let option = rest.popFirst() {
            // "-Xcc -g" and similar options are pairs.
            if option == "-Xcc", let value = rest.popFirst() {
                kept += [option, value]
            } else if withValue.contains(option) {
                _ = rest.popFirst()
            } else if !single.contains(option) {
                kept.append(option)
            }
        }
        return kept
    }

    /// - Returns: The path of the probe.
    func build(_ mutant: Mutant, in folder: String) async throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        var patched = 0
        var copies: [String] = []
        for source in sources {
            let name = URL(filePath: source).lastPathComponent
            var text = try String(contentsOfFile: source, encoding: .utf8)
            if name == mutant.file, let place = text.range(of: mutant.says) {
                text.replaceSubrange(place, with: mutant.saysThen)
                patched += 1
            }
            copies.append("\(folder)/\(name)")
            try text.write(toFile: copies.last!, atomically: false, encoding: .utf8)
        }
        // The source has changed. The patch must change too, or it tests nothing.
        try #require(patched == 1, "\(mutant.name): \(mutant.file) does not say \"\(mutant.says)\" any more")
        let object = folder + "/UploadQueue.o"
        try await run(
            ["-module-name", "UploadQueue", "-emit-object", "-o", object, "-wmo", "-I", products + "/Modules"] + options
                + copies, in: folder)
        let list = folder + "/objects"
        try (objects.filter { !$0.contains("/UploadQueue.build/") } + [object]).joined(separator: "\n")
            .write(toFile: list, atomically: false, encoding: .utf8)
        let probe = folder + "/queue-probe"
        try await run(
            [
                "-L", products, "-o", probe, "-module-name", "queue_probe", "-emit-executable", "-Xlinker", "--defsym",
                "-Xlinker", "main=queue_probe_main", "-Xlinker", "-rpath=\(products)", "@" + list, "-ldl",
            ], in: folder)
        return probe
    }

    private func run(_ words: [String], in folder: String) async throws {
        let end = try await RunningProbe.run(words, scratch: folder, program: compiler)
        try #require(end.code == 0, "\(end.output.prefix(2_000)) \(end.errors.prefix(2_000))")
    }
}
