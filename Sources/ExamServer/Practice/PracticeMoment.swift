import Foundation
import HTTPTypes
import Hummingbird
import Learning

extension Request {
    /// When it came, by its learner's clock: `Oracy-Offset` says how far that is from UTC, in seconds; whole minutes of them count.
    ///
    /// - Throws: `APIProblem` 400.
    func moment(_ services: Services) throws(APIProblem) -> StudyMoment {
        var offset = 0
        if let text = headers[.oracyOffset] {
            guard text.wholeMatch(of: /-?[0-9]{1,5}/) != nil, let seconds = Int(text), abs(seconds) <= Self.farthest
            else {
                throw .malformed("Oracy-Offset: must be seconds east of UTC, \(-Self.farthest) to \(Self.farthest).")
            }
            offset = seconds - seconds % 60
        }
        return StudyMoment(seconds: Int(services.clock().timeIntervalSince1970), offset: offset)
    }

    /// Fourteen hours: Kiribati's Line Islands.
    private static let farthest = 50_400
}

extension HTTPField.Name {
    static let oracyOffset = HTTPField.Name("Oracy-Offset")!
}

extension Double {
    /// To one decimal.
    var tenths: Double { (self * 10).rounded() / 10 }
}
