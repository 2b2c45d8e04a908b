public import SessionFolders
public import Study
import SystemSupport

/// The figures of an exam in its folder: `figures.json`. They count only as long as this program and the files of which
/// they were made are unchanged, so the file may be deleted at any time.
private struct KeptFigures: Codable, Sendable {
    /// The state of the files before the figures were made.
    var madeOf: FileState
    var figures: ExamFigures
}

private let known = KnownFiles<KeptFigures>()

extension SessionFolder {
    private var figures: String { path + "/figures.json" }

    /// The state of the files of which an exam's figures are made, this program included.
    var stateOfEvidence: FileState {
        FileState(of: exam, manifest, assessment, transcripts, findings, marks, "/proc/self/exe")
    }

    /// The kept figures of the exam. Nil if there are none, or if something of which they were made has changed since.
    ///
    /// An exam with kept figures was measured, and the measurements include all phones that were recognised.
    public var keptFigures: ExamFigures? {
        let state = FileState(of: figures)
        var kept = known.value(of: figures, in: state)
        if kept == nil, let read = try? JSONFile.decodeLine(KeptFigures.self, from: PrivateFile.read(figures)) {
            known.remember(read, of: figures, in: state)
            kept = read
        }
        guard let kept, kept.madeOf == stateOfEvidence else { return nil }
        return kept.figures
    }

    /// Keeps the figures of the exam. If they can't be written, they are made again the next time.
    ///
    /// - Parameter state: `stateOfEvidence` before the figures were made.
    func keep(_ figures: ExamFigures, madeOf state: FileState) {
        let kept = KeptFigures(madeOf: state, figures: figures)
        try? PrivateFile.replace(self.figures, with: JSONFile.encode(kept), durably: false)
    }
}
