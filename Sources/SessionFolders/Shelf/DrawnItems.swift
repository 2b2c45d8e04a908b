import ExamCore
public import SystemSupport

extension SessionShelf {
    /// Returns the items of banks that recent exams contained, with the whole days since each exam began. The sessions
    /// themselves are the only source: erasing a session also erases this memory.
    ///
    /// - Parameter days: Sessions that began longer ago are ignored.
    public func drawnItems(days: Int, now: WallTime = .now) -> [(item: String, days: Int)] {
        var items: [(item: String, days: Int)] = []
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
