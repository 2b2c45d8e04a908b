public import Assessment
public import SystemSupport

extension DeliveryCalibration {
    /// Reads a calibration written by `oracy calibrate --fit`.
    ///
    /// - Throws: `Problem`: `missing`, or `malformed` with the field.
    public init(file path: String) throws(Problem) {
        self = try JSONFile.decode(
            DeliveryCalibration.self, "calibration", version: DeliveryCalibration.layoutVersion,
            from: PrivateFile.read(path), name: path)
        for feature in features {
            guard CalibrationFit.measuredNames.contains(feature.name) else {
                throw Problem(
                    .malformed,
                    "\(path): features: \"\(feature.name)\" is not measured here; there are \(CalibrationFit.measuredNames.joined(separator: ", "))"
                )
            }
            guard feature.deviation > 0, feature.low <= feature.high else {
                throw Problem(
                    .malformed, "\(path): features: \(feature.name): deviation must be over 0, and low not over high")
            }
        }
        guard !features.isEmpty, cuts.count == 2, cuts[0] < cuts[1], speakerVariance > 0, secondVariance >= 0 else {
            throw Problem(
                .malformed,
                "\(path): needs features, two rising cuts, speakerVariance over 0 and secondVariance of 0 or more; fit it with: oracy calibrate FOLDER --fit FILE"
            )
        }
        guard id == identified.id else {
            throw Problem(.malformed, "\(path): id: was changed by hand, or the rest of it was; fit it again")
        }
    }

    /// The calibration with an id that identifies its contents: its name and the first eight digits of the SHA-256 of
    /// the rest.
    public var identified: DeliveryCalibration {
        var copy = self
        if let dash = id.lastIndex(of: "-"), id[dash...].dropFirst().count == 8,
            id[dash...].dropFirst().allSatisfy(\.isHexDigit)
        {
            copy.id = String(id[..<dash])
        }
        copy.id += "-" + SHA256.hexadecimal(of: JSONFile.encode(copy)).prefix(8)
        return copy
    }
}
