import ExamStore
import Foundation

@testable import ExamServer
@testable import RecordingStores

/// Names that a client receives and sends back: keys of recordings, upload tickets, page cursors.
struct Places: FuzzKind {
    static let name = "places"
    static let share = 170_000

    private let secret: Result<UploadSecret, any Error>

    init() {
        let folder = FuzzPlan.folder + "/secret"
        secret = Result { try UploadSecret(folder: folder) }
    }

    func attempt(_ chance: inout Chance) async throws {
        let key =
            "8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11/9d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11/direct-7d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11"
        switch chance.below(4) {
        case 0:
            let text = UploadHeaders.changed(key, &chance)
            guard let read = AudioKey(text) else { return }
            try demand(!text.contains("..") || !text.split(separator: "/").contains(".."), "a way out: \(text)")
            _ = (read.isResumable, read.directUpload, read.user)
        case 1:
            let secret = try secret.get()
            guard let whole = AudioKey(key), let kind = AudioMediaType("audio/ogg") else { return }
            let ticket = UploadTicket(key: whole, mediaType: kind, byteLimit: 10, end: 2_000_000_000)
            let text = ticket.text(signedBy: secret)
            let changed = UploadHeaders.changed(text, &chance)
            // Base64 has more than one valid ending, so a changed text may be the same ticket, but never another one.
            let read = UploadTicket(changed, signedBy: secret)
            try demand(read == nil || read == ticket, "another ticket: \(changed)")
        case 2:
            let text = UploadHeaders.changed("2026-11-21T09:12:29Z_8d0f3a55-7b29-4f0e-9f64-5f3f2f6f3a11", &chance)
            _ = PageCursor(text).map(\.description)
        default:
            let moment = UploadHeaders.changed(
                chance.one(of: ["2026-11-21T09:12:29Z", "1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z"]), &chance)
            _ = try? Field.moment(moment, "startedAt")
            if let time = UTCText(iso: moment) { _ = time.header }
            let facts = SignedFacts(
                part: 1, question: UploadHeaders.changed("home-1_a2", &chance), mediaType: "audio/ogg")
            _ = (facts.attempt, facts.plainQuestion)
        }
    }
}
