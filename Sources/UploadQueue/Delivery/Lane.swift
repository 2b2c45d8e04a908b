/// The uploads of one session that have not arrived yet, in the order in which they should.
struct Lane: Equatable, Sendable {
    /// Sorted by stage, then by number.
    private(set) var items: [Delivery.Item] = []

    var isEmpty: Bool { items.isEmpty }

    /// Returns the upload to send now; nil if one is being sent, or none is due, or an earlier stage is incomplete.
    func next(at now: Delivery.Moment) -> Delivery.Item? {
        candidates.first { $0.isDue(at: now) }
    }

    /// The moment at which the next upload may be sent; nil if that needs another event.
    var nextDue: Delivery.Moment? {
        candidates.lazy.compactMap(\.due).min()
    }

    /// The uploads of the earliest incomplete stage; empty while one is being sent.
    private var candidates: ArraySlice<Delivery.Item> {
        guard let stage = items.first?.stage, !items.contains(where: { $0.record.state == .sending }) else { return [] }
        return items.prefix { $0.stage == stage }
    }

    func item(_ number: Int64) -> Delivery.Item? { index(number).map { items[$0] } }

    func isSending(_ number: Int64) -> Bool { item(number)?.record.state == .sending }

    mutating func insert(_ item: Delivery.Item) {
        let place = items.lastIndex { ($0.stage, $0.number) < (item.stage, item.number) }.map { $0 + 1 } ?? 0
        items.insert(item, at: place)
    }

    mutating func replace(_ item: Delivery.Item) {
        if let index = index(item.number) { items[index] = item }
    }

    mutating func remove(_ number: Int64) -> Delivery.Item? {
        index(number).map { items.remove(at: $0) }
    }

    private func index(_ number: Int64) -> Int? { items.firstIndex { $0.number == number } }
}

extension Delivery.Item {
    /// Nil if it can only be sent after another event.
    fileprivate var due: Delivery.Moment? {
        if case .waiting(let until) = record.state { until ?? .zero } else { nil }
    }

    fileprivate func isDue(at now: Delivery.Moment) -> Bool { due.map { $0 <= now } ?? false }
}
