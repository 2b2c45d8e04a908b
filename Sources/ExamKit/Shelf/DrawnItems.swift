import SystemSupport

extension SessionShelf {
    /// The items of banks that exams of the last days held, with how many whole days ago each was begun. It is told by the sessions
    /// themselves: what is erased is remembered nowhere.
    ///
    /// - Parameter days: sessions that began longer ago are not looked at.
    public func drawnItems(days: Int, now: WallTime = .now) -> [(item: String, days: Int)] {
        var items: [(item: String, days: Int)] = []
        // The newest first.
        for folder in folders() {
            guard let record = try? folder.readRecord(), let began = WallTime(utc: record.startedAt) else { continue }
            let ago = max(0, now.secondsSince1970 - began.secondsSince1970) / 86_400
            if ago >= days { break }
            guard let origin = try? folder.frozenExam().paper.origin else { continue }
            items += origin.items.map { ($0, ago) }
        }
        return items
    }
}
