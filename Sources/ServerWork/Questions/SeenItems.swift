import ExamCore
package import ExamNode
package import ExamStore
package import Foundation
package import Papers
import SystemSupport

extension Services {
    /// The maximum number of earlier exams considered. A user with more in a month may get the older ones' items again.
    private static let mostEarlierExams = 60

    /// Returns the items of the exams that a user began in recent weeks, from the sessions' frozen contents.
    package func seenItems(by user: UUID) async throws(StoreError) -> [SeenItem] {
        struct Frozen: Decodable {
            struct Paper: Decodable { var origin: ExamCore.Paper.Origin? }
            var paper: Paper
        }
        var seen: [SeenItem] = []
        let now = WallTime.now
        for session in try await owned(by: user).sessions(limit: Self.mostEarlierExams, papers: .exams) {
            guard let began = WallTime(utc: session.startedAt) else { continue }
            let days = max(0, now.secondsSince1970 - began.secondsSince1970) / 86_400
            if days >= SeenRules.standard.days { break }
            guard let bytes = try await store.service.files(of: session.id)["exam.json"],
                let frozen = try? JSONDecoder().decode(Frozen.self, from: Data(bytes))
            else { continue }
            seen += (frozen.paper.origin?.items ?? []).map { SeenItem(item: $0, days: days) }
        }
        return seen
    }
}
