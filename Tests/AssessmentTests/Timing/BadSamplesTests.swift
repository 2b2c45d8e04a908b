import Assessment
import Foundation
import Testing

/// A broken driver or a damaged file may deliver any samples. The measurements must still be finite: JSON cannot
/// represent NaN or infinity.
@Suite struct BadSamplesTests {
    @Test(arguments: [
        Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        1e6, -1e30,
    ])
    func measurementsOfThemAreNumbers(_ sample: Float) throws {
        let voice = (0..<32_000).map { sin(Float($0) * 0.07) * 0.4 }
        for samples in [[Float](repeating: sample, count: 16_000), voice + [sample] + voice] {
            var measurer = SoundMeasurer()
            samples.withUnsafeBufferPointer { measurer.hear($0) }
            _ = try JSONEncoder().encode(measurer.measured())
        }
    }
}
