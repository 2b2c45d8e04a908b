/// The odds that a frame is speech, from its `Surroundings`: a sum of hinges.
///
/// Each *unit* weighs all the numbers, adds a bias, and counts only if the sum is positive. The weighted sum of the
/// units is the log-odds that the frame is speech. This is J. Friedman and W. Stuetzle's "Projection Pursuit
/// Regression" (1981) with hinges, also known as a neural network with one small hidden layer. It has no memory, so
/// each unit can be drawn as a picture of bands and windows. docs/vad-training.md says how the numbers were found.
public struct SpeechLikeness: Codable, Equatable, Sendable {
    /// The weight of each number of the surroundings in each unit: all units of the first number come first.
    private let inputWeights: [Float]
    /// The bias of each unit.
    private let biases: [Float]
    private let outputWeights: [Float]
    private let outputBias: Float

    init(inputWeights: [Float], biases: [Float], outputWeights: [Float], outputBias: Float) {
        (self.inputWeights, self.biases) = (inputWeights, biases)
        (self.outputWeights, self.outputBias) = (outputWeights, outputBias)
    }

    /// A likeness that gives every frame even odds.
    static let none = SpeechLikeness(
        inputWeights: [Float](repeating: 0, count: 8 * Surroundings.count), biases: [Float](repeating: 0, count: 8),
        outputWeights: [Float](repeating: 0, count: 8), outputBias: 0)

    /// Whether the arrays fit each other: a multiple of eight units, each with a weight for every number of the
    /// surroundings.
    public var isWhole: Bool {
        !biases.isEmpty && biases.count % 8 == 0 && outputWeights.count == biases.count
            && inputWeights.count == biases.count * Surroundings.count
    }

    /// The log-odds of speech in the frame that the surroundings are about, nats.
    func logOdds(_ surroundings: Surroundings, staying: FilterBank.Bands) -> Float {
        withUnsafeTemporaryAllocation(of: Float.self, capacity: Surroundings.count) { numbers in
            surroundings.write(to: numbers.baseAddress!, staying: staying)
            var sum = Eight.zero
            for first in stride(from: 0, to: biases.count, by: 8) {
                sum +=
                    units(first, of: UnsafeBufferPointer(numbers)).atLeast(0) * Self.eight(outputWeights, from: first)
            }
            return sum.total + outputBias
        }
    }

    private typealias Eight = SIMD8<Float>

    /// Eight units' sums before the hinge.
    private func units(_ first: Int, of numbers: UnsafeBufferPointer<Float>) -> Eight {
        inputWeights.withUnsafeBytes { weights in
            var sums = Self.eight(biases, from: first)
            var row = weights.baseAddress! + first * MemoryLayout<Float>.size
            let step = biases.count * MemoryLayout<Float>.size
            for number in numbers {
                sums += row.loadUnaligned(as: Eight.self) * number
                row += step
            }
            return sums
        }
    }

    private static func eight(_ numbers: [Float], from first: Int) -> Eight {
        numbers.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: first * MemoryLayout<Float>.size, as: Eight.self) }
    }
}
