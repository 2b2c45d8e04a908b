import Glibc

/// A discrete Fourier transform of real samples that computes only powers: radix 2 over half as many complex numbers
/// (Numerical Recipes, 12.3).
///
/// This target imports no library, so the transform is written here. It is 50 lines, and takes a fifth of the time
/// allowed for measuring.
struct FourierTransform: Sendable {
    let size: Int
    private let half: Int
    private let reversed: [Int]
    /// cos and −sin of 2πk/size.
    private let cosines: [Float]
    private let sines: [Float]
    private var real: [Float]
    private var imaginary: [Float]

    /// Creates a transform.
    ///
    /// - Precondition: `size` is a power of two, 4 or more.
    init(size: Int) {
        precondition(size >= 4 && size & (size - 1) == 0)
        self.size = size
        half = size / 2
        let bits = half.trailingZeroBitCount
        reversed = (0..<half).map { index in
            (0..<bits).reduce(0) { $0 | ((index >> $1) & 1) << (bits - 1 - $1) }
        }
        let size = Float(size)
        cosines = (0..<half).map { cosf(2 * .pi * Float($0) / size) }
        sines = (0..<half).map { -sinf(2 * .pi * Float($0) / size) }
        real = [Float](repeating: 0, count: half)
        imaginary = real
    }

    /// Writes the power at each of the first `powers.count` frequencies.
    ///
    /// - Precondition: there are `size` samples and at most `size / 2` powers.
    mutating func transform(_ samples: UnsafeBufferPointer<Float>, powers: UnsafeMutableBufferPointer<Float>) {
        for index in 0..<half {
            real[reversed[index]] = samples[2 * index]
            imaginary[reversed[index]] = samples[2 * index + 1]
        }
        butterflies()
        // Combines the results for the even and the odd samples.
        powers[0] = (real[0] + imaginary[0]) * (real[0] + imaginary[0])
        for index in 1..<powers.count {
            let other = half - index
            let evenReal = (real[index] + real[other]) / 2
            let evenImaginary = (imaginary[index] - imaginary[other]) / 2
            let oddReal = (imaginary[index] + imaginary[other]) / 2
            let oddImaginary = (real[other] - real[index]) / 2
            let sumReal = evenReal + cosines[index] * oddReal - sines[index] * oddImaginary
            let sumImaginary = evenImaginary + cosines[index] * oddImaginary + sines[index] * oddReal
            powers[index] = sumReal * sumReal + sumImaginary * sumImaginary
        }
    }

    private mutating func butterflies() {
        let (half, cosines, sines) = (half, cosines, sines)
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                cosines.withUnsafeBufferPointer { cosines in
                    sines.withUnsafeBufferPointer { sines in
                        var width = 1
                        while width < half {
                            let step = half / width
                            for start in stride(from: 0, to: half, by: 2 * width) {
                                for offset in 0..<width {
                                    let (low, high) = (start + offset, start + offset + width)
                                    let (c, s) = (cosines[offset * step], sines[offset * step])
                                    let turnedReal = real[high] * c - imaginary[high] * s
                                    let turnedImaginary = real[high] * s + imaginary[high] * c
                                    real[high] = real[low] - turnedReal
                                    imaginary[high] = imaginary[low] - turnedImaginary
                                    real[low] += turnedReal
                                    imaginary[low] += turnedImaginary
                                }
                            }
                            width *= 2
                        }
                    }
                }
            }
        }
    }
}
