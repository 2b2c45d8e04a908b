import Glibc

/// The discrete Fourier transform for lengths that are powers of two (J. W. Cooley and J. W. Tukey, Math. Comput. 19,
/// 1965).
package enum FourierTransform {
    package struct Spectrum {
        package var real: [Double]
        package var imaginary: [Double]
    }

    /// Returns the least sufficient power of two.
    static func length(atLeast count: Int) -> Int {
        var length = 1
        while length < count { length *= 2 }
        return length
    }

    /// - Parameter samples: Padded with zeros to the length.
    package static func spectrum(of samples: [Double], length: Int) -> Spectrum {
        precondition(length & (length - 1) == 0 && samples.count <= length, "a power of two that holds all samples")
        let zeros = [Double](repeating: 0, count: length - samples.count)
        var spectrum = Spectrum(real: samples + zeros, imaginary: [Double](repeating: 0, count: length))
        transform(&spectrum.real, &spectrum.imaginary)
        return spectrum
    }

    /// Returns the real part of the sound with this spectrum.
    static func samples(of spectrum: Spectrum) -> [Double] {
        // Exchanging both parts turns the forward transform into the inverse.
        var spectrum = spectrum
        transform(&spectrum.imaginary, &spectrum.real)
        return spectrum.real.map { $0 / Double(spectrum.real.count) }
    }

    /// Multiplies each frequency of a sound by its gain, without delay. The sound is assumed to be followed by silence.
    ///
    /// - Parameter gain: Returns the gain at a frequency in hertz, from 0 to 8,000.
    static func filtered(_ samples: [Double], _ gain: (Double) -> Double) -> [Double] {
        let length = length(atLeast: samples.count)
        var spectrum = spectrum(of: samples, length: length)
        for line in 0..<length {
            let factor = gain(Double(min(line, length - line)) * LabelledRecording.rate / Double(length))
            spectrum.real[line] *= factor
            spectrum.imaginary[line] *= factor
        }
        return Array(self.samples(of: spectrum).prefix(samples.count))
    }

    /// Returns the convolution with as many samples as `sound`. The rest of the response is cut off.
    static func convolved(_ sound: [Double], with response: [Double]) -> [Double] {
        let length = length(atLeast: sound.count + response.count)
        let (one, other) = (spectrum(of: sound, length: length), spectrum(of: response, length: length))
        var product = one
        for line in 0..<length {
            product.real[line] = one.real[line] * other.real[line] - one.imaginary[line] * other.imaginary[line]
            product.imaginary[line] = one.real[line] * other.imaginary[line] + one.imaginary[line] * other.real[line]
        }
        return Array(samples(of: product).prefix(sound.count))
    }

    private static func transform(_ real: inout [Double], _ imaginary: inout [Double]) {
        let count = real.count
        var mirror = 0
        for index in 0..<count - 1 {
            if index < mirror {
                real.swapAt(index, mirror)
                imaginary.swapAt(index, mirror)
            }
            var bit = count / 2
            while mirror & bit != 0 {
                mirror &= ~bit
                bit /= 2
            }
            mirror |= bit
        }
        let angles = (0..<count / 2).map { -2 * Double.pi * Double($0) / Double(count) }
        let (cosines, sines) = (angles.map { cos($0) }, angles.map { sin($0) })
        var half = 1
        while half < count {
            let stride = count / (2 * half)
            for start in Swift.stride(from: 0, to: count, by: 2 * half) {
                for offset in 0..<half {
                    let (low, high) = (start + offset, start + offset + half)
                    let (cosine, sine) = (cosines[offset * stride], sines[offset * stride])
                    let turnedReal = real[high] * cosine - imaginary[high] * sine
                    let turnedImaginary = real[high] * sine + imaginary[high] * cosine
                    real[high] = real[low] - turnedReal
                    imaginary[high] = imaginary[low] - turnedImaginary
                    real[low] += turnedReal
                    imaginary[low] += turnedImaginary
                }
            }
            half *= 2
        }
    }
}
