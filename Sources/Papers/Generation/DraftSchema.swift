/// JSON Schemas for a model's answer, as JSON. All fields are required, as OpenAI's strict mode demands.
package enum DraftSchema {
    package static let text = "{\"type\":\"string\"}"

    package static func one(of texts: [String]) -> String {
        "{\"type\":\"string\",\"enum\":[\(texts.map { "\"\($0)\"" }.joined(separator: ","))]}"
    }

    package static func integer(_ range: ClosedRange<Int>) -> String {
        "{\"type\":\"integer\",\"minimum\":\(range.lowerBound),\"maximum\":\(range.upperBound)}"
    }

    package static func list(_ items: String, _ count: ClosedRange<Int>) -> String {
        "{\"type\":\"array\",\"minItems\":\(count.lowerBound),\"maxItems\":\(count.upperBound),\"items\":\(items)}"
    }

    package static func object(_ fields: [(String, String)]) -> String {
        let names = fields.map { "\"\($0.0)\"" }.joined(separator: ",")
        let own = fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return "{\"type\":\"object\",\"additionalProperties\":false,\"required\":[\(names)],\"properties\":{\(own)}}"
    }
}
