import ExamCore
import Papers
import Study
import SystemSupport

/// The body of `POST /v1/exams`: a whole exam, one part of it, or a spoken drill.
struct WantedExam: Decodable {
    var wish: PaperWishFields
    var paper: String?
    /// The number of the only part to hold.
    private var part: Int?
    /// The name of a spoken drill.
    private var drill: String?
    /// The answer of an exam to give again.
    private var again: DrillOrigin?
    private var mode: String?
    /// The name of the examiner's voice.
    var voice: String?
    var consent: Bool

    var kind: SessionKind { drill == nil && again == nil ? .exam : .drill }

    private enum Field: CodingKey { case paper, part, drill, again, mode, voice, consent }

    init(from decoder: any Decoder) throws {
        wish = try PaperWishFields(from: decoder)
        let fields = try decoder.container(keyedBy: Field.self)
        paper = try fields.decodeIfPresent(String.self, forKey: .paper)
        part = try fields.decodeIfPresent(Int.self, forKey: .part)
        drill = try fields.decodeIfPresent(String.self, forKey: .drill)
        again = try fields.decodeIfPresent(DrillOrigin.self, forKey: .again)
        mode = try fields.decodeIfPresent(String.self, forKey: .mode)
        voice = try fields.decodeIfPresent(String.self, forKey: .voice)
        consent = try fields.decode(Bool.self, forKey: .consent)
    }

    /// Returns the spoken drill. Nil if an exam is wanted.
    ///
    /// - Throws: `APIProblem` 400 for an unknown name, or if other fields cannot go with it.
    func spokenDrill() throws(APIProblem) -> SpokenDrill? {
        guard let drill else { return nil }
        guard let kind = SpokenDrill.chosen.first(where: { $0.rawValue == drill }) else {
            throw .malformed("drill: must be \(SpokenDrill.chosen.map(\.rawValue).spoken).")
        }
        guard wish.format == nil, paper == nil, part == nil, wish.minutes == nil, wish.questions == nil else {
            throw .malformed("drill: has its own questions; leave out format, paper, part, minutes and questions.")
        }
        guard try options(part: nil, by: .practice).mode == .practice else {
            throw .malformed("mode: must be \"practice\" or left out for a drill.")
        }
        let isForDrawn = try wish.wish().isForDrawn
        guard !kind.hasModel || !isForDrawn else {
            throw .malformed("drill: \(drill) says sentences of lessons; leave out topics, difficulty and seed.")
        }
        return kind
    }

    /// Returns the answer to give again. Nil if something else is wanted.
    ///
    /// - Throws: `APIProblem` 400 if other fields cannot go with it.
    func origin() throws(APIProblem) -> DrillOrigin? {
        guard let again else { return nil }
        let isForDrawn = try wish.wish().isForDrawn
        guard wish.format == nil, paper == nil, part == nil, drill == nil, !isForDrawn else {
            throw .malformed("again: asks one question again; leave out all other choices.")
        }
        guard try options(part: nil, by: .practice).mode == .practice else {
            throw .malformed("mode: must be \"practice\" or left out for an answer that is given again.")
        }
        return again
    }

    /// Returns the options of an exam.
    ///
    /// - Throws: `APIProblem` 400 with the field.
    func options(for format: ExamFormat) throws(APIProblem) -> ExamOptions {
        let parts = format.parts.map(\.number)
        guard part.map(parts.contains) ?? true else {
            throw .malformed("part: must be \(parts.map { "\($0)" }.spoken).")
        }
        return try options(part: part, by: .test)
    }

    private func options(part: Int?, by usual: ExamOptions.Mode) throws(APIProblem) -> ExamOptions {
        guard let mode = ExamOptions.Mode(rawValue: mode ?? usual.rawValue) else {
            throw .malformed("mode: must be \"test\" or \"practice\".")
        }
        return ExamOptions(mode: mode, part: part)
    }
}
