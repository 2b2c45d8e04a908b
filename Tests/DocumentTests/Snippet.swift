import Foundation

/// A piece of Swift that a document or a comment shows to its readers.
struct Snippet {
    /// By path from the root.
    var file: String
    /// Of its first line of code, from 1.
    var line: Int
    var code: String

    /// Whether it stands for itself, as a program does: it says what it imports.
    var isProgram: Bool { code.hasPrefix("import ") }

    /// All between "```swift" and "```", in a document or behind `///`.
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

    /// As a function of its own, where everything is at hand that comments speak of without making it.
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

    /// At the head of each file; with what comments call without saying how it is done.
    static let head =
        [
            "Assessment", "Assessors", "AudioFiles", "Backends", "ExamCore", "ExamKit", "ExamServer", "HTTPClient",
            "ExamStore", "Foundation",
            "Hummingbird",
            "Logging",
            "PulseRoom", "Reports", "SessionUploads", "UploadQueue", "VoiceActivity",
        ].map { "import \($0)\n" }.joined()
        + "private func transcript(of path: String) async throws -> String { path }\n"
}
