import Foundation
import Synchronization
import TestSupport
import Testing
import Waiting

/// One kind of outside data that the program decodes.
protocol FuzzKind: Sendable {
    static var name: String { get }
    /// Its share of a million cases.
    static var share: Int { get }

    /// Makes a case and has it decoded. Throws `Wrong` if the outcome is not one of the allowed ones.
    func attempt(_ chance: inout Chance) async throws
}

/// The number of cases of each kind, and the seed.
struct FuzzPlan: Sendable {
    let cases: Int
    let seed: UInt64
    /// If set, only this kind is tried, and only its case with this number.
    private let onlyKind: String?
    private let onlyNumber: Int?
    /// A folder of this process for the current cases and the files that they need. Removed after the last case.
    static let folder = NSTemporaryDirectory() + "oracy-fuzz-\(ProcessInfo.processInfo.processIdentifier)"

    init(_ environment: [String: String]) {
        cases = environment["ORACY_FUZZ"].flatMap { Int($0) } ?? Thoroughness.count(2_000, check: 20_000)
        let repeated = environment["ORACY_FUZZ_SEED"].flatMap { $0.isEmpty ? nil : $0 }
        let isFuzzing = environment["ORACY_FUZZ"] != nil
        seed = repeated == nil && isFuzzing ? .random(in: 0...999_999_999) : Thoroughness.seed(repeated: repeated)
        let parts = environment["ORACY_FUZZ_CASE"]?.split(separator: "/") ?? []
        onlyNumber = parts.count == 2 ? Int(parts[1]) : nil
        let kind = onlyNumber == nil ? environment["ORACY_FUZZ_KIND"] : String(parts[0])
        onlyKind = kind == "" ? nil : kind
    }

    func numbers(of kind: any FuzzKind) -> Range<Int> {
        let name = type(of: kind).name
        guard onlyKind == nil || onlyKind == name else { return 0..<0 }
        if let onlyNumber { return onlyNumber..<(onlyNumber + 1) }
        return 0..<max(1, cases * type(of: kind).share / 1_000_000)
    }

    func count(of kind: any FuzzKind) -> Int { numbers(of: kind).count }
}

/// The kinds that have not begun yet.
final class KindQueue: Sendable {
    private let kinds: Mutex<[any FuzzKind]>

    init(_ kinds: [any FuzzKind]) {
        self.kinds = Mutex(kinds)
    }

    func next() -> (any FuzzKind)? { kinds.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
}

/// Works through kinds, case by case. Before each case it writes down which one it is, into a file that survives the
/// process.
struct FuzzLane: Sendable {
    let plan: FuzzPlan
    let number: Int

    /// The time after which a case counts as hanging. The longest conversation has a much shorter deadline of its own.
    private static let patience = Patience.limit

    func work(through queue: KindQueue) async throws -> Int {
        let path = "\(FuzzPlan.folder)/\(number)"
        try Data().write(to: URL(filePath: path))
        let file = try #require(FileHandle(forWritingAtPath: path))
        defer { try? file.close() }
        var total = 0
        while let kind = queue.next() {
            let name = type(of: kind).name
            let begin = ContinuousClock.now
            for number in plan.numbers(of: kind) {
                try file.seek(toOffset: 0)
                try file.write(contentsOf: Data("\(name)/\(number)          \n".utf8))
                await attempt(kind, name, number)
            }
            let count = plan.count(of: kind)
            total += count
            print("fuzz: \(name) \(count) cases, \((ContinuousClock.now - begin) / .seconds(1)) s")
        }
        return total
    }

    private func attempt(_ kind: any FuzzKind, _ name: String, _ number: Int) async {
        let watch = DispatchWorkItem { fatalError("fuzz: \(name)/\(number) of seed \(plan.seed) hangs") }
        DispatchQueue.global(qos: .userInteractive).asyncAfter(
            deadline: .now() + .seconds(Int(Self.patience.components.seconds)), execute: watch)
        defer { watch.cancel() }
        var chance = Chance(seed: plan.seed, kind: name, number: number)
        do {
            try await kind.attempt(&chance)
        } catch {
            Issue.record("\(name)/\(number) of seed \(plan.seed): \(error)")
        }
    }
}

/// A violation that a case found.
struct Wrong: Error, CustomStringConvertible {
    var description: String

    init(_ what: String) {
        description = what
    }
}

/// Checks a condition.
///
/// - Throws: `Wrong` if it doesn't hold.
func demand(_ isSo: Bool, _ otherwise: @autoclosure () -> String) throws {
    if !isSo { throw Wrong(otherwise()) }
}
