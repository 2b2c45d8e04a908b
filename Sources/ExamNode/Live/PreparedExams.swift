package import Assessment
import Assessors
import AudioFiles
package import ExamCore
package import ExamKit
import Foundation
import SessionFolders
import SystemSupport

/// The contents of exams, one for each format, paper and voice. Each is made once, and every prompt is synthesized once
/// and kept.
package actor PreparedExams {
    /// Enough for several formats with several papers in two modes. One has 50 KB.
    private static let most = 64

    /// The voices of this node.
    package nonisolated let voices: ExaminerVoices
    private let cache: String
    private let folders: [String]
    private var made: [(digest: String, exam: Task<PreparedExam, any Error>)] = []

    /// Creates the collection.
    ///
    /// - Parameters:
    ///   - cache: the folder for synthesized prompts.
    ///   - folders: the folders with recordings named by formats and papers.
    package init(cache: String, folders: [String], voices: ExaminerVoices) {
        (self.cache, self.folders, self.voices) = (cache, folders, voices)
    }

    /// Returns an exam.
    ///
    /// - Parameter voice: the name of its voice; nil for the one of its format.
    /// - Throws: `Problem.missing` if no voice with this name is installed, `Problem.malformed` if the format does not
    ///   fit the paper, and the errors of `ExaminerVoice`.
    package func exam(
        _ format: ExamFormat, _ paper: Paper, _ options: ExamOptions, voice: String? = nil
    ) async throws -> PreparedExam {
        guard let speaker = voices.voice(voice, for: format.id) else {
            throw Problem(.missing, "\(voice ?? ""): is not installed")
        }
        let voice = cached(speaker)
        let (instead, folders) = (instead(of: voice), folders)
        // Ids are not enough: papers of drills and of learners share one.
        let digest = SHA256.hexadecimal(of: FrozenExam(format: format, paper: paper, options: options).bytes)
        return try await exam("\(digest)/\(voice.name ?? voice.command)") {
            try await PreparedExam(format, paper, options: options, voice: voice, instead: instead, folders: folders)
        }
    }

    /// Returns an exam from its frozen contents, in the voice with which it began.
    ///
    /// - Parameters:
    ///   - bytes: its `exam.json`.
    ///   - record: its `session.json`; nil if there is none.
    package func exam(frozen bytes: [UInt8], record: [UInt8]?) async throws -> PreparedExam {
        let voice = voice(of: record)
        let (instead, folders) = (instead(of: voice), folders)
        return try await exam("\(SHA256.hexadecimal(of: bytes))/\(voice.name ?? voice.command)") {
            let frozen = try FrozenExam(bytes, from: "exam.json")
            return try await PreparedExam(
                frozen.format, frozen.paper, options: frozen.options, voice: voice, instead: instead, folders: folders)
        }
    }

    /// Returns words outside of an exam in the usual voice, or in espeak-ng's if that fails, as the path of a sound file.
    ///
    /// - Throws: the errors of `ExaminerVoice`.
    package func recording(of words: String) async throws -> String {
        let (voice, clip) = (cached(voices.usual), Clip(id: "said", text: words))
        do throws(Problem) {
            return try await voice.recording(of: clip, in: [])
        } catch {
            guard let other = instead(of: voice).first, error.kind == .unavailable else { throw error }
            return try await other.recording(of: clip, in: [])
        }
    }

    /// Returns a question in the voice with which an exam began, as the path of a sound file.
    ///
    /// - Parameter record: the exam's `session.json`.
    /// - Throws: the errors of `ExaminerVoice`.
    package func recording(of question: String, record: [UInt8]?) async throws -> String {
        try await voice(of: record).recording(of: Clip(id: "said", text: question), in: folders)
    }

    /// Returns the sound of a question in the voice with which an exam began.
    ///
    /// - Throws: the errors of `recording(of:record:)`, `SoundFileError`.
    package func timeline(of question: String, record: [UInt8]?) async throws -> SoundTimeline {
        let path = try await recording(of: question, record: record)
        return try await runBlocking { () throws(SoundFileError) in try RecordingMeasure.measure(path).timeline }
    }

    /// Returns the loudness of an examiner's prompt over time. Empty if this node does not have all of its sound. It
    /// blocks while decoding.
    ///
    /// - Parameters:
    ///   - record: the exam's `session.json`, which says who spoke.
    ///   - language: the format's language.
    ///   - step: the seconds of a stretch.
    package nonisolated func peaks(of prompt: [Clip], record: [UInt8]?, language: String?, step: Double) -> [Double] {
        voice(of: record).speaking(language).peaks(of: prompt, in: folders, step: step)
    }

    /// Returns the voice with which an exam began.
    private nonisolated func voice(of record: [UInt8]?) -> ExaminerVoice {
        let record = record.flatMap { try? JSONDecoder().decode(SessionRecord.self, from: Data($0)) }
        return cached(voices.voice(of: record))
    }

    private nonisolated func cached(_ voice: ExaminerVoice) -> ExaminerVoice {
        var voice = voice
        voice.cache = cache
        return voice
    }

    /// Returns the voices to use instead of one that fails or is not installed.
    private nonisolated func instead(of voice: ExaminerVoice) -> [ExaminerVoice] {
        [voices[ExaminerVoices.espeak]].compactMap(\.self).map(cached).filter { $0.command != voice.command }
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
