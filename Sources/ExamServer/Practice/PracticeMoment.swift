import ExamNode
import Foundation
import HTTPTypes
import Hummingbird
import Learning

extension Request {
    /// Returns the time of the request by the learner's clock. `Oracy-Offset` contains its offset from UTC in seconds,
    /// of which whole minutes count.
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

    /// The largest offset: fourteen hours, in Kiribati's Line Islands.
    private static let farthest = 50_400
}

extension HTTPField.Name {
    static let oracyOffset = HTTPField.Name("Oracy-Offset")!
}

extension Double {
    /// The number to one decimal.
    var tenths: Double { (self * 10).rounded() / 10 }
}
