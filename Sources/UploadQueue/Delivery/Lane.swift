/// What of one session has not arrived yet, in the order in which it should.
struct Lane: Equatable, Sendable {
    /// By stage, then by number.
    private(set) var items: [Delivery.Item] = []

    var isEmpty: Bool { items.isEmpty }

    /// The upload that may go now; nil where one is on its way, none is due, or the ones that are wait for an earlier stage.
    func next(at now: Delivery.Moment) -> Delivery.Item? {
        candidates.first { $0.isDue(at: now) }
    }

    /// When the next may go; nil: not by itself.
    var nextDue: Delivery.Moment? {
        candidates.lazy.compactMap(\.due).min()
    }

    /// What is left of the earliest stage that anything is left of; nothing while one is on its way.
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
    /// nil: only after something else has happened.
    fileprivate var due: Delivery.Moment? {
        if case .waiting(let until) = record.state { until ?? .zero } else { nil }
    }

    fileprivate func isDue(at now: Delivery.Moment) -> Bool { due.map { $0 <= now } ?? false }
}
