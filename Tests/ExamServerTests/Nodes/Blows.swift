import ExamCore
import Foundation

/// The moments of an exam at which a node is killed: at random, and just after answers, while they are on their way to
/// be stored.
///
/// The same seed gives the same moments, as far as the exam is the same.
struct Blows: CustomStringConvertible {
    /// The blocks before which to kill.
    private var points: [UInt32]
    /// For the numbers of answers, the blocks between the answer's end and the kill. A block takes about a millisecond
    /// here, and storing an answer about fifty.
    private var afterAnswers: [Int: UInt32]
    private var answersEnded = 0
    private var wasAnswering = false
    private(set) var struck: [UInt32] = []

    /// - Parameter blocks: The least number of blocks of the exam.
    init(seed: UInt64, blocks: UInt32, anywhere: Int, afterAnswers count: Int) {
        var chance = SplitMix64(seed: seed)
        points = (0..<anywhere).map { _ in UInt32.random(in: 1..<blocks, using: &chance) }.sorted()
        let numbers = Array(1...9).shuffled(using: &chance).prefix(count)
        afterAnswers = Dictionary(
            uniqueKeysWithValues: numbers.map { ($0, UInt32.random(in: 0..<60, using: &chance)) })
    }

    /// Returns whether to kill before this block is sent. Must be called for every block.
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
