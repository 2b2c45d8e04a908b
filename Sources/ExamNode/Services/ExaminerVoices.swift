package import ExamKit
package import SessionFolders
import SystemSupport

/// The examiner's voices of a node by their names: those that are installed, and espeak-ng.
package struct ExaminerVoices: Sendable {
    /// The name of the voice that every node has.
    package static let espeak = "espeak-ng"

    /// The names, the usual voice first.
    package let names: [String]
    private let voices: [String: ExaminerVoice]
    private let formats: [String: String]

    /// - Parameters:
    ///   - installed: the installed voices by their names.
    ///   - usual: the voice of exams for which none is chosen. If it is not installed, espeak-ng.
    ///   - formats: the voices of formats by the formats' ids.
    package init(
        _ installed: [(name: String, voice: ExaminerVoice)] = [], usual: String? = nil,
        formats: [String: String] = [:]
    ) {
        let all = installed.filter { $0.name != Self.espeak } + [(Self.espeak, ExaminerVoice())]
        let known = Dictionary(all.map { ($0.name, $0.voice) }) { first, _ in first }
        let first = usual.flatMap { known[$0] == nil ? nil : $0 } ?? Self.espeak
        names = [first] + all.map(\.name).filter { $0 != first }
        voices = known
        self.formats = formats
    }

    /// The voice of exams for which none is chosen.
    package var usual: ExaminerVoice { self[names[0]] ?? ExaminerVoice() }

    /// Nil if no installed voice has this name.
    package subscript(name: String) -> ExaminerVoice? {
        voices[name].map { voice in
            var voice = voice
            voice.recordings = UserFolders.recordings
            return voice
        }
    }

    /// Returns the voice of an exam: the requested one, else that of its format, else the usual one.
    ///
    /// - Parameters:
    ///   - wanted: the voice that a request names.
    ///   - format: the format's id.
    /// - Returns: Nil if the requested voice is not installed.
    package func voice(_ wanted: String?, for format: String) -> ExaminerVoice? {
        if let wanted { return self[wanted] }
        return formats[format].flatMap { self[$0] } ?? usual
    }

    /// Returns the voice with which an exam began. If the voice is not installed on this node, existing recordings of
    /// it are used, and its command only if this node has the same program.
    ///
    /// - Parameter record: the exam's record; nil for the usual voice.
    package func voice(of record: SessionRecord?) -> ExaminerVoice {
        guard let record else { return usual }
        guard let name = record.voiceName else { return self[Self.espeak] ?? usual }
        let known = names.lazy.compactMap { self[$0] }.first { $0.name == name }
        return known ?? ExaminerVoice(of: record, recordings: UserFolders.recordings)
    }
}
