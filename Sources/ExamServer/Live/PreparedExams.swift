import ExamCore
import ExamKit

/// What exams are made of: one for each format and paper, made once, with every prompt spoken once and kept.
actor PreparedExams {
    /// Some formats with some papers in two modes; one has 50 KB.
    private static let most = 64

    private let voice: ExaminerVoice
    private let folders: [String]
    private var made: [(digest: String, exam: Task<PreparedExam, any Error>)] = []

    /// - Parameters:
    ///   - cache: the folder for what is spoken.
    ///   - folders: where recordings lie that formats and papers name.
    init(cache: String, folders: [String]) {
        self.folders = folders
        voice = ExaminerVoice(recordings: UserFolders.recordedPrompts.map { [$0] } ?? [], cache: cache)
    }

    /// - Throws: `Problem.malformed` where the format does not go with the paper; as `ExaminerVoice`.
    func exam(_ format: ExamFormat, _ paper: Paper, _ options: ExamOptions) async throws -> PreparedExam {
        let (voice, folders) = (voice, folders)
        return try await exam("\(format.id)/\(paper.id)/\(options)") {
            try await PreparedExam(format, paper, options: options, voice: voice, folders: folders)
        }
    }

    /// What an exam was frozen with.
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

    /// Words that belong to no exam, in the examiner's voice: a sound file.
    ///
    /// - Throws: as `ExaminerVoice`.
    func recording(of words: String) async throws -> String {
        try await voice.recording(of: Clip(id: "said", text: words), in: [])
    }

    /// What the examiner says, as a picture (B6); empty where this node has not all of its sound. Blocks as long as decoding it.
    ///
    /// - Parameter step: seconds of a stretch.
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
            made.removeAll { $0.digest == digest }  // Tried again next time: a voice may be installed meanwhile.
            throw error
        }
    }
}
