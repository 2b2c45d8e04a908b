import Foundation

extension Encodable {
    /// Encodes the value as one line of JSON, or as several for people. Equal values give equal bytes.
    func json(forPeople: Bool = false) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if forPeople { encoder.outputFormatting.insert(.prettyPrinted) }
        // Encoding fails only for values that JSON can't represent, such as infinity.
        return Array((try? encoder.encode(self)) ?? Data()) + (forPeople ? [UInt8(ascii: "\n")] : [])
    }
}
