import AudioFiles
import Glibc

/// Passes 170 to 4000 Hz, approximately what the voice detector hears. Rumble below and hiss above disturb neither it
/// nor a listener.
///
/// Two second-order Butterworth sections at 16 kHz (R. Bristow-Johnson, "Audio EQ Cookbook").
struct VoiceBand {
    private var highPass = Section(at: 170, high: true)
    private var lowPass = Section(at: 4_000, high: false)

    /// Returns the filtered sound with the same length.
    mutating func pass(_ sound: [Float]) -> [Float] {
        sound.map { Float(lowPass.pass(highPass.pass(Double($0)))) }
    }

    private struct Section {
        private let b: (Double, Double)
        private let a: (Double, Double)
        private var x = (0.0, 0.0)
        private var y = (0.0, 0.0)

        init(at hertz: Double, high: Bool) {
            let omega = 2 * Double.pi * hertz / Double(AudioFormat.sampleRate)
            let alpha = sin(omega) / 2.0.squareRoot()
            let edge = high ? 1 + cos(omega) : 1 - cos(omega)
            b = (edge / 2 / (1 + alpha), (high ? -edge : edge) / (1 + alpha))
            a = (-2 * cos(omega) / (1 + alpha), (1 - alpha) / (1 + alpha))
        }

        mutating func pass(_ new: Double) -> Double {
            let out = b.0 * (new + x.1) + b.1 * x.0 - a.0 * y.0 - a.1 * y.1
            x = (new, x.0)
            y = (out, y.0)
            return out
        }
    }
}
