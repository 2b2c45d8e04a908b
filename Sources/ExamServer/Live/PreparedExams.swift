import ExamCore
import ExamKit
import SessionFolders
import SystemSupport

/// The contents of exams, one for each format and paper. Each is made once, and every prompt is synthesized once and
/// kept.
actor PreparedExams {
    /// Enough for several formats with several papers in two modes. One has 50 KB.
    private static let most = 64

    private let voice: ExaminerVoice
    private let folders: [String]
    private var made: [(digest: String, exam: Task<PreparedExam, any Error>)] = []

    /// Creates the collection.
    ///
    /// - Parameters:
    ///   - cache: the folder for synthesized prompts.
    ///   - folders: the folders with recordings named by formats and papers.
    init(cache: String, folders: [String]) {
        self.folders = folders
        voice = ExaminerVoice(recordings: UserFolders.recordings, cache: cache)
    }

    /// Returns an exam.
    ///
    /// - Throws: `Problem.malformed` if the format does not fit the paper, and the errors of `ExaminerVoice`.
    func exam(_ format: ExamFormat, _ paper: Paper, _ options: ExamOptions) async throws -> PreparedExam {
        let (voice, folders) = (voice, folders)
        return try await exam("\(format.id)/\(paper.id)/\(options)") {
            try await PreparedExam(format, paper, options: options, voice: voice, folders: folders)
        }
    }

    /// Returns an exam from its frozen contents.
    ///
    /// - Parameter bytes: its `exam.json`.
    func exam(frozen bytes: [UInt8]) async throws -> PreparedExam {
        let (voice, folders) = (voice, folders)
        return try await exam(SHA256.hexadecimal(of: bytes)) {
            let frozen = try FrozenExam(bytes, from: "exam.json")
            return try await PreparedExam(
                frozen.format, frozen.paper, options: frozen.options, voice: voice, folders: folders)
        }
    }

    /// Returns words outside of an exam in the examiner's voice, as the path of a sound file.
    ///
    /// - Throws: the errors of `ExaminerVoice`.
    func recording(of words: String) async throws -> String {
        try await voice.recording(of: Clip(id: "said", text: words), in: [])
    }

    /// Returns the loudness of an examiner's prompt over time. Empty if this node does not have all of its sound. It
    /// blocks while decoding.
    ///
    /// - Parameter step: the seconds of a stretch.
    nonisolated func peaks(of prompt: [Clip], step: Double) -> [Double] {
        voice.peaks(of: prompt, in: folders, step: step)
    }

    private func exam(
        _ digest: String, _ make: @escaping @Sendable () async throws -> PreparedExam
    ) async throws -> PreparedExam {
        if let known = made.first(where: { $0.digest == digest }) { return try await known.exam.value }
        let exam = Task { try await make() }
        made.append((digest, exam))
        if made.count > Self.most { made.removeFirst() }
        do {
            return try await exam.value
        } catch {
            made.removeAll { $0.digest == digest }  // The next request tries again: a voice may be installed meanwhile.
            throw error
        }
    }
}
