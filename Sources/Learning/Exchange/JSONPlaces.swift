/// The position of each value in a JSON text: `questions[2].prompt` → its line and its bytes.
struct JSONPlaces {
    struct Place: Equatable {
        /// Counted from 1.
        var line: Int
        var bytes: Range<Int>
    }

    private let bytes: [UInt8]
    private var places: [String: Place] = [:]
    private var place = 0
    private var line = 1

    /// Scans a JSON text.
    ///
    /// - Parameter bytes: valid JSON (`JSONSyntax` finds no mistake in it) that is not nested too deep.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        value("")
    }

    subscript(path: String) -> Place? { places[path] }

    /// Returns the line of a field, or of the nearest enclosing value that exists.
    func line(of path: String) -> Int {
        var path = path[...]
        while !path.isEmpty {
            if let place = places[String(path)] { return place.line }
            path = path.lastIndex { $0 == "." || $0 == "[" }.map { path[..<$0] } ?? ""
        }
        return places[""]?.line ?? 1
    }

    /// Returns a value as the file has it. Nil if there is none at this path.
    func text(of path: String) -> String? {
        places[path].map { String(decoding: bytes[$0.bytes], as: UTF8.self) }
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0a, 0x0d].contains(bytes[place]) {
            if bytes[place] == 0x0a { line += 1 }
            place += 1
        }
    }

    private mutating func value(_ path: String) {
        skipSpace()
        let (begin, first) = (place, line)
        switch bytes[place] {
        case UInt8(ascii: "{"):
            list(until: UInt8(ascii: "}")) { places, _ in
                let key = places.text()
                places.skipSpace()
                places.place += 1
                places.value(path.isEmpty ? key : "\(path).\(key)")
            }
        case UInt8(ascii: "["): list(until: UInt8(ascii: "]")) { $0.value("\(path)[\($1)]") }
        case UInt8(ascii: "\""): _ = text()
        default: while place < bytes.count, !",]} \t\r\n".utf8.contains(bytes[place]) { place += 1 }
        }
        places[path] = Place(line: first, bytes: begin..<place)
    }

    private mutating func list(until end: UInt8, _ element: (inout JSONPlaces, Int) -> Void) {
        place += 1
        skipSpace()
        var number = 0
        while bytes[place] != end {
            element(&self, number)
            number += 1
            skipSpace()
            if bytes[place] == UInt8(ascii: ",") { place += 1 }
            skipSpace()
        }
        place += 1
    }

    /// Reads a string and returns its bytes without decoding escapes.
    private mutating func text() -> String {
        let begin = place + 1
        place = begin
        while bytes[place] != UInt8(ascii: "\"") { place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1 }
        place += 1
        return String(decoding: bytes[begin..<(place - 1)], as: UTF8.self)
    }
}
