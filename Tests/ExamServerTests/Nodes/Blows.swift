import ExamCore
import Foundation

@testable import ExamKit

/// When a node is killed during an exam: anywhere, and just after answers, while they are on their way to be stored.
///
/// The same for the same seed, as far as the exam is.
struct Blows: CustomStringConvertible {
    /// Blocks of the exam.
    private var points: [UInt32]
    /// So many blocks after the answer of this number ended. A block takes about a millisecond here, and storing some fifty.
    private var afterAnswers: [Int: UInt32]
    private var answersEnded = 0
    private var wasAnswering = false
    private(set) var struck: [UInt32] = []

    /// - Parameter blocks: how many the exam has at least.
    init(seed: UInt64, blocks: UInt32, anywhere: Int, afterAnswers count: Int) {
        var chance = SplitMix64(seed: seed)
        points = (0..<anywhere).map { _ in UInt32.random(in: 1..<blocks, using: &chance) }.sorted()
        let numbers = Array(1...9).shuffled(using: &chance).prefix(count)
        afterAnswers = Dictionary(
            uniqueKeysWithValues: numbers.map { ($0, UInt32.random(in: 0..<60, using: &chance)) })
    }

    /// Whether to strike before this block is sent; told of every block.
    mutating func areDue(at block: UInt32, activity: ExamView.Activity) -> Bool {
        let isAnswering = [.waitingForSpeech, .speaking, .closing].contains(activity)
        if wasAnswering && !isAnswering {
            answersEnded += 1
            if let delay = afterAnswers.removeValue(forKey: answersEnded) {
                points = (points + [block + delay]).sorted()
            }
        }
        wasAnswering = isAnswering
        guard let next = points.first, next <= block else { return false }
        points.removeFirst()
        struck.append(block)
        return true
    }

    var description: String { struck.map(String.init).joined(separator: ", ") }
}
