import Foundation

/// How much is tried of what could be tried for ever: seeds, kills, power cuts, jumbled orders.
///
/// `make test` tries a little of everything; `make check` sets `ORACY_CHECK=1` and tries as much as is promised, `ORACY_CHECK=10` ten
/// times as much. Read here and nowhere else.
public enum Thoroughness {
    /// 0: a little.
    private static let factor = ProcessInfo.processInfo.environment["ORACY_CHECK"].flatMap { Int($0) } ?? 0

    public static var isCheck: Bool { factor > 0 }

    /// - Parameters:
    ///   - quick: how many are enough to see that a promise is kept at all.
    ///   - full: how many it takes to believe it.
    public static func count(_ quick: Int, check full: Int) -> Int { isCheck ? full * factor : quick }

    /// All of these in `make check`; else one of so many, evenly spread.
    public static func some<Item>(of items: [Item], oneIn step: Int) -> [Item] {
        isCheck ? items : stride(from: 0, to: items.count, by: step).map { items[$0] }
    }
}
