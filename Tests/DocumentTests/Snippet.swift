import Foundation

/// A piece of Swift in a document or a comment.
struct Snippet {
    /// The path from the root.
    var file: String
    /// The number of its first line of code, from 1.
    var line: Int
    var code: String

    /// Whether it is a whole program, with its own imports.
    var isProgram: Bool { code.hasPrefix("import ") }

    /// Returns all code between "```swift" and "```", in a document or after `///`.
    static func all(in file: String) throws -> [Snippet] {
        let isCode = file.hasSuffix(".swift")
        var snippets: [Snippet] = []
        var open: Snippet?
        for (number, line) in try House.text(file).components(separatedBy: "\n").enumerated() {
            var text = line
            if isCode {
                let bare = line.drop { $0 == " " }
                guard bare.hasPrefix("///") else {
                    open = nil
                    continue
                }
                text = String(bare.dropFirst(bare.hasPrefix("/// ") ? 4 : 3))
            }
            switch text {
            case "```swift": open = Snippet(file: file, line: number + 2, code: "")
            case "```":
                if let open { snippets.append(open) }
                open = nil
            default: open?.code += text + "\n"
            }
        }
        return snippets
    }

    static func inDocuments() throws -> [Snippet] { try House.documents.flatMap { try all(in: $0) } }

    static func inComments() throws -> [Snippet] {
        try House.files(under: "Sources", ending: ".swift").flatMap { try all(in: $0) }
    }

    /// Returns the snippet as a function, with the values that comments use without making them.
    func function(_ number: Int) -> String {
        """
        func snippet\(number)(
            prepared: PreparedExam, room: ReplayRoom, folder: SessionFolder, result: SessionResult, queue: DeliveryQueue,
            scratch: String, user: UUID, sessions: [UUID], keys: TokenKeys, services: Services, router: Router<ServerContext>, exams: ExamBackend
        ) async throws {
        #sourceLocation(file: "\(file)", line: \(line))
        \(code)
        #sourceLocation()
        }

        """
    }

    /// The head of each file, with the functions that comments call without defining them.
    static let head =
        [
            "Assessment", "Assessors", "AudioFiles", "Backends", "ExamCore", "ExamKit", "ExamNode", "ExamServer",
            "HTTPClient",
            "ExamStore", "Foundation",
            "Hummingbird",
            "Logging",
            "PulseRoom", "RecordingStores", "Reports", "SessionFolders", "SessionUploads", "Study", "StudyFolders",
            "SystemSupport",
            "UploadQueue", "VoiceActivity",
        ].map { "import \($0)\n" }.joined()
        + "private func transcript(of path: String) async throws -> String { path }\n"
}
