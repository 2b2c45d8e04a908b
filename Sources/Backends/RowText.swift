import Foundation

extension Encodable {
    /// One line of JSON, or several for people; the same bytes for the same value.
    func json(forPeople: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if forPeople { encoder.outputFormatting.insert(.prettyPrinted) }
        // Only values that JSON cannot hold (an infinite number) fail.
        return Array((try? encoder.encode(self)) ?? Data()) + (forPeople ? [UInt8(ascii: "\n")] : [])
    }
}
