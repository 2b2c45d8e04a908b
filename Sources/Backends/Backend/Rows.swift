import BackendAPI
import ExamCore
import Foundation
import UploadQueue

extension SessionRow {
    init(_ facts: SessionFacts) {
        self.init(
            id: facts.id, name: facts.name, format: facts.format, paper: facts.paper, startedAt: facts.startedAt)
    }
}

extension AnswerRow {
    init(_ upload: Upload, _ record: AnswerRecord, _ file: UploadFile, path: String) {
        self.init(
            id: upload.id, session: upload.session.id, record: record,
            recording: Recording(
                path: path, byteCount: file.byteCount, sha256: file.sha256.lowercased(), mediaType: file.mediaType))
    }
}

extension CompletionRow {
    init(_ upload: Upload, _ facts: CompletionFacts) {
        self.init(
            id: upload.id, session: upload.session.id, completedAt: facts.completedAt, outcome: facts.outcome,
            answers: facts.answers, delivered: facts.delivered)
    }
}

extension BackendRoutes {
    func session(_ upload: Upload) -> String { session(upload.session.id) }
    func answer(_ upload: Upload) -> String { answer(upload.id, of: upload.session.id) }
    func recording(_ upload: Upload) -> String { recording(upload.id, of: upload.session.id) }
    func completion(_ upload: Upload) -> String { completion(of: upload.session.id) }
}
