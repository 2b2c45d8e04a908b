import ExamCore
import ExamKit
import Foundation
import Glibc
import Papers

/// Measures drawing papers, joining them with their format and checking them, one after another in one process.
///
/// The reference is encoding the same papers as JSON with Foundation, which every user of a paper does at least once.
struct PaperDraws {
    private let format: ExamFormat
    private static let papers = 10_000

    init() throws { format = try .builtIn("ielts-style") }

    func report() throws {
        section("papers, \(Self.papers) drawn and checked, processor time of one paper")
        for (name, bank) in [("built-in", ItemBank.builtIn), ("10,000 items", try large(10_000))] {
            var own: [Double] = []
            var written: [Double] = []
            // Alternates, so that a machine that slows down slows both.
            for round in 0..<5 {
                var papers: [Paper] = []
                own.append(
                    try seconds(of: Self.papers / 5) { papers.append(try draw(UInt64(round * 1_000_000 + $0), bank)) })
                written.append(try seconds(of: Self.papers / 5) { _ = try JSONEncoder().encode(papers[$0]) })
            }
            let (drawing, writing) = (Spread(figures: own), Spread(figures: written))
            let ratio = decimal(drawing.median / writing.median, 2)
            print("  \(name): \(drawing.text("ms", scale: 1000, places: 3)), \(ratio) × writing it as JSON")
        }
        print("  bar: 2 ms\n")
    }

    /// Returns the processor time for one paper in seconds.
    private func seconds(of count: Int, _ make: (Int) throws -> Void) rethrows -> Double {
        let began = Self.processorSeconds
        for number in 0..<count { try make(number) }
        return (Self.processorSeconds - began) / Double(count)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private func draw(_ seed: UInt64, _ bank: ItemBank) throws -> Paper {
        let drawn = try bank.draw(PaperRequest(format: format.id, seed: seed), for: format)
        guard ExamScript.assemble(format, drawn.paper).script != nil else { fail("a paper cannot be sat") }
        return drawn.paper
    }

    /// Returns a bank of the built-in items, repeated with their own ids and keywords.
    private func large(_ count: Int) throws -> ItemBank {
        let source = ItemBank.builtIn.items
        return try ItemBank(
            (0..<count).map { number in
                let item = source[number % source.count]
                let about = BankLabel(
                    id: "\(item.id)-\(number)", title: item.about.title, difficulty: item.about.difficulty,
                    keywords: item.about.keywords.map { "\($0)\(number)" })
                switch item {
                case .frame(var frame):
                    frame.about = about
                    return .frame(frame)
                case .card(var card):
                    card.about = about
                    return .card(card)
                }
            })
    }
}
