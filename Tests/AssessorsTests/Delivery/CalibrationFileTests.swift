import Assessment
import Foundation
import SystemSupport
import Testing

@testable import Assessors

/// Calibration files are read whole, or refused with the invalid field.
@Suite struct CalibrationFileTests {
    private static func with(_ change: (inout [String: Any]) -> Void) throws -> Result<DeliveryCalibration, Problem> {
        var fields = try #require(
            try JSONSerialization.jsonObject(with: JSONEncoder().encode(DeliveryCalibration.builtIn)) as? [String: Any])
        change(&fields)
        let path = FileManager.default.temporaryDirectory.appending(path: "oracy-calibration-\(UUID()).json")
        defer { try? FileManager.default.removeItem(at: path) }
        try JSONSerialization.data(withJSONObject: fields).write(to: path)
        return Result { () throws(Problem) in try DeliveryCalibration(file: path.path) }
    }

    @Test func theBuiltInCalibrationsMatchTheirNames() throws {
        for calibration in [DeliveryCalibration.builtIn, .builtInWithPhones] {
            #expect(calibration.identified.id == calibration.id)
        }
        #expect(try Self.with { _ in }.get() == .builtIn)
    }

    @Test func eachMistakeIsReported() throws {
        let wrong: [(String, (inout [String: Any]) -> Void)] = [
            ("id: was changed", { $0["intercept"] = 9 }), ("features", { $0["features"] = [] }),
            ("cuts", { $0["cuts"] = [8, 6] }), ("version", { $0["version"] = 2 }), ("corpus", { $0["corpus"] = nil }),
            (
                "\"loudness\" is not measured here",
                {
                    $0["features"] = [
                        ["name": "loudness", "low": 0, "high": 1, "mean": 0, "deviation": 1, "weight": 1]
                    ]
                }
            ),
            (
                "deviation must be over 0",
                {
                    $0["features"] = [
                        ["name": "pitchBend", "low": 0, "high": 1, "mean": 0, "deviation": 0, "weight": 1]
                    ]
                }
            ),
        ]
        for (words, change) in wrong {
            guard case .failure(let problem) = try Self.with(change) else {
                Issue.record("was taken: \(words)")
                continue
            }
            #expect(problem.kind == .malformed)
            #expect(problem.sentence.contains(words), "\(problem.sentence)")
        }
    }
}
