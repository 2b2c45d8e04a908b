import Glibc

/// Levels in decibels of full scale (dBFS): 0 is a sample of ±1, so that a sine of full scale has an RMS of −3.01 dBFS.
///
/// That is the convention of power itself (mean square 1 is 0 dBFS), as in EBU R 128's meters and this project's detector;
/// AES17 counts 3.01 dB more, its full-scale sine is 0 dBFS.
package enum Decibels {
    /// Stands for digital silence, whose level would be −∞, which JSON cannot say; 16 bits end at −90 dBFS.
    package static let silence = -120.0

    /// The level of a mean square; `silence` at least.
    package static func level(ofPower power: Double) -> Double {
        max(10 * log10(max(power, 1e-30)), silence)
    }

    /// The level of a sample's magnitude; `silence` at least.
    static func level(ofPeak peak: Float) -> Double {
        level(ofPower: Double(peak) * Double(peak))
    }

    /// The mean square that has a level.
    static func power(ofLevel level: Double) -> Double { pow(10, level / 10) }
}
