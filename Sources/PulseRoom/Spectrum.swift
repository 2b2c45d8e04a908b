import Glibc

/// Complex numbers in two arrays, and the Fourier transform that works on them in place.
///
/// The length is a power of two. The radix-2 transform is implemented here because it has twenty lines and runs a few
/// times per check, so that a library would cost more than it saves.
struct Spectrum {
    var real: [Double]
    var imaginary: [Double]

    init(zeros count: Int) {
        precondition(count > 1 && count & (count - 1) == 0, "a power of two")
        real = Array(repeating: 0, count: count)
        imaginary = real
    }

    /// The spectrum of real sound, padded with zeros or cut off. Bin b lies at b · 16 000 / count Hz.
    init(of sound: some Collection<Float>, count: Int) {
        self.init(zeros: count)
        for (index, sample) in sound.prefix(count).enumerated() { real[index] = Double(sample) }
        transform()
    }

    func power(_ bin: Int) -> Double { real[bin] * real[bin] + imaginary[bin] * imaginary[bin] }

    /// Computes X[k] = Σ x[n]·e^(−2πi·kn/count), unscaled. The inverse differs only in order and scale, which
    /// magnitudes ignore.
    mutating func transform() {
        real.withUnsafeMutableBufferPointer { real in
            imaginary.withUnsafeMutableBufferPointer { imaginary in
                Self.reorder(real, imaginary)
                Self.combine(real, imaginary)
            }
        }
    }

    private typealias Numbers = UnsafeMutableBufferPointer<Double>

    /// Sorts the numbers into bit-reversed order.
    private static func reorder(_ real: Numbers, _ imaginary: Numbers) {
        var reversed = 0
        for index in 1..<real.count {
            var bit = real.count >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if index < reversed {
                real.swapAt(index, reversed)
                imaginary.swapAt(index, reversed)
            }
        }
    }

    /// Computes the butterflies of J. W. Cooley and J. W. Tukey (Math. Comp. 19, 1965). Uses plain loops, because
    /// unoptimised builds run this too.
    private static func combine(_ real: Numbers, _ imaginary: Numbers) {
        let count = real.count
        var half = 1
        while half < count {
            var k = 0
            while k < half {
                let angle = -Double.pi * Double(k) / Double(half)
                let (c, s) = (cos(angle), sin(angle))
                var upper = k
                while upper < count {
                    let lower = upper + half
                    let re = real[lower] * c - imaginary[lower] * s
                    let im = real[lower] * s + imaginary[lower] * c
                    real[lower] = real[upper] - re
                    imaginary[lower] = imaginary[upper] - im
                    real[upper] += re
                    imaginary[upper] += im
                    upper = lower + half
                }
                k += 1
            }
            half *= 2
        }
    }
}
