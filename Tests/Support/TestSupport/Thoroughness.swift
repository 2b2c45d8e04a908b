import Foundation

/// The number of cases to run, of kinds that have no natural end: seeds, kills, power cuts, random orders.
///
/// `make test` runs a few of everything. `make check` sets `ORACY_CHECK=1` and runs as many as promised, and
/// `ORACY_CHECK=10` ten times as many. The variable is read only here.
public enum Thoroughness {
    /// 0 for a few.
    private static let factor = ProcessInfo.processInfo.environment["ORACY_CHECK"].flatMap { Int($0) } ?? 0

    public static var isCheck: Bool { factor > 0 }

    /// - Parameters:
    ///   - quick: The number that shows whether a promise is kept at all.
    ///   - full: The number that it takes to trust it.
    public static func count(_ quick: Int, check full: Int) -> Int { isCheck ? full * factor : quick }

    /// The seed of random cases. `make test` always tries the same cases, so that its verdict depends on the code
    /// alone. `make check` tries new ones each time, so a test prints the seed when it fails.
    ///
    /// - Parameter repeated: the printed seed of a run to repeat, from the test's own variable.
    public static func seed(repeated: String? = nil) -> UInt64 {
        repeated.flatMap { UInt64($0) } ?? (isCheck ? .random(in: 0...999_999_999) : 1)
    }

    /// Returns all items in `make check`, and otherwise one of `step`, evenly spread.
    public static func some<Item>(of items: [Item], oneIn step: Int) -> [Item] {
        isCheck ? items : stride(from: 0, to: items.count, by: step).map { items[$0] }
    }
}
