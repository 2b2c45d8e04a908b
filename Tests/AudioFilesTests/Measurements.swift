import AudioFiles
import DetectorScores
import Glibc

/// A tone in one second of sound, and the sound besides it.
struct ToneMeasurement {
    var amplitude: Double
    var signalToNoise: Double

    /// Fits a sine of a known frequency by least squares to the second that begins after 0.25 s.
    ///
    /// A second contains whole periods of a whole number of hertz, so sine, cosine and offset are orthogonal, and three
    /// sums are enough.
    init(of hertz: Int, in sound: [Float], rate: Int = AudioFormat.sampleRate) {
        let second = sound.dropFirst(rate / 4).prefix(rate)
        precondition(second.count == rate)
        var (sine, cosine, power) = (0.0, 0.0, 0.0)
        for (index, sample) in second.enumerated() {
            let phase = 2 * Double.pi * Double(index * hertz % rate) / Double(rate)
            sine += Double(sample) * sin(phase)
            cosine += Double(sample) * cos(phase)
        }
        (sine, cosine) = (2 * sine / Double(rate), 2 * cosine / Double(rate))
        for (index, sample) in second.enumerated() {
            let phase = 2 * Double.pi * Double(index * hertz % rate) / Double(rate)
            let rest = Double(sample) - sine * sin(phase) - cosine * cos(phase)
            power += rest * rest
        }
        amplitude = (sine * sine + cosine * cosine).squareRoot()
        signalToNoise = decibels(amplitude * amplitude / 2 / (power / Double(rate)))
    }
}

/// Returns a power ratio in decibels.
func decibels(_ ratio: Double) -> Double { 10 * log10(ratio) }

func power(_ sound: some Collection<Float>) -> Double {
    sound.reduce(0) { $0 + Double($1) * Double($1) } / Double(sound.count)
}

/// Returns the number of samples by which `copy` is later than `original`, by the correlation of two seconds, up to 10
/// ms either way.
func lag(of copy: [Float], behind original: [Float]) -> Int {
    let reach = 160
    let range = reach..<(2 * AudioFormat.sampleRate)
    precondition(min(copy.count, original.count) >= range.upperBound + reach)
    let correlations = (-reach...reach).map { lag in
        original.withUnsafeBufferPointer { original in
            copy.withUnsafeBufferPointer { copy in
                var sum: Float = 0
                for index in range { sum += original[index] * copy[index + lag] }
                return sum
            }
        }
    }
    return correlations.firstIndex(of: correlations.max()!)! - reach
}

/// Returns the power of a sound divided by the power of its copy's error, in dB.
func signalToNoise(of copy: [Float], against original: [Float]) -> Double {
    let differences = zip(original, copy).map { $0 - $1 }
    return decibels(power(original) / power(differences))
}

/// Returns the distance of the spectra of a sound and its copy in dB: the mean over windows of 32 ms of the root mean
/// square, over 257 lines, of the difference of levels (A. H. Gray and J. D. Markel, 1976). Lines weaker than the last
/// bit of 16 count as that bit.
func logSpectralDistance(of copy: [Float], to original: [Float]) -> Double {
    let length = 512
    let window = (0..<length).map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(length)) }
    func levels(_ sound: [Float], _ start: Int) -> [Double] {
        let spectrum = FourierTransform.spectrum(
            of: window.indices.map { window[$0] * Double(sound[start + $0]) }, length: length)
        return (0...length / 2).map { line in
            let (real, imaginary) = (spectrum.real[line], spectrum.imaginary[line])
            // White noise as loud as the rounding to 16 bits (1/32,768² ÷ 12), times the window's power, 192.
            return decibels(max(real * real + imaginary * imaginary, 1.5e-8))
        }
    }
    let starts = Array(stride(from: 0, through: original.count - length, by: length))
    let sum = starts.reduce(0.0) { sum, start in
        let squares = zip(levels(original, start), levels(copy, start)).map { ($0 - $1) * ($0 - $1) }
        return sum + (squares.reduce(0, +) / Double(squares.count)).squareRoot()
    }
    return sum / Double(starts.count)
}
