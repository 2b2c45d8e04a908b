// The numbers in ggml's files.
extension [UInt8] {
    /// Adds numbers of four bytes, the lowest byte first.
    mutating func add(_ numbers: [Int]) {
        for number in numbers { Swift.withUnsafeBytes(of: Int32(number).littleEndian) { append(contentsOf: $0) } }
    }

    /// Adds a number of 32 bits.
    mutating func add(_ value: Float) {
        Swift.withUnsafeBytes(of: value.bitPattern.littleEndian) { append(contentsOf: $0) }
    }

    /// Adds 32 values as ggml's q8_0: a scale in half precision, and a byte each.
    mutating func addQ8(_ array: CT2Model.Array16, _ start: Int) {
        var greatest: Float = 0
        for index in start..<(start + 32) { greatest = Swift.max(greatest, abs(array.value(index))) }
        let scale = greatest / 127
        let factor = scale > 0 ? 1 / scale : 0
        Swift.withUnsafeBytes(of: Float16(scale).bitPattern.littleEndian) { append(contentsOf: $0) }
        for index in start..<(start + 32) {
            // Halves are rounded away from zero, as C's roundf does.
            append(UInt8(bitPattern: Int8((array.value(index) * factor).rounded())))
        }
    }
}
