/// A model in the format of CTranslate2 (`model.bin`, binary version 6): named arrays.
struct CT2Model {
    enum Damage: Error, Equatable {
        /// It is another kind of file, or another version.
        case otherFormat
        /// It ends too early.
        case short
        /// An array that a Whisper model has is missing or has another type.
        case missing(String)
    }

    /// An array of numbers in half precision.
    struct Array16 {
        var shape: [Int]
        var bytes: UnsafeRawBufferPointer

        /// Returns the value at an index in the order of memory.
        func value(_ index: Int) -> Float { Float(bytes.loadUnaligned(fromByteOffset: 2 * index, as: Float16.self)) }
        var count: Int { bytes.count / 2 }

        /// Returns some of the rows; nil if it has fewer.
        func rows(_ range: Range<Int>) -> Array16? {
            guard let count = shape.first, range.upperBound <= count else { return nil }
            let row = bytes.count / count
            return Array16(
                shape: [range.count] + shape.dropFirst(),
                bytes: UnsafeRawBufferPointer(rebasing: bytes[(range.lowerBound * row)..<(range.upperBound * row)]))
        }
    }

    private var arrays: [String: Array16] = [:]

    /// - Parameter bytes: the file, which must stay valid.
    init(_ bytes: UnsafeRawBufferPointer) throws(Damage) {
        var at = 0
        func take(_ count: Int) throws(Damage) -> UnsafeRawBufferPointer {
            guard count >= 0, at + count <= bytes.count else { throw .short }
            defer { at += count }
            return UnsafeRawBufferPointer(rebasing: bytes[at..<(at + count)])
        }
        func number() throws(Damage) -> Int { Int(try take(4).number(at: 0)) }
        func name() throws(Damage) -> String {
            let length = Int(try take(2).short(at: 0))
            return String(decoding: try take(length).prefix { $0 != 0 }, as: UTF8.self)
        }
        guard try number() == 6, try name() == "WhisperSpec" else { throw .otherFormat }
        _ = try number()  // The revision.
        for _ in 0..<(try number()) {
            let name = try name()
            var shape: [Int] = []
            for _ in 0..<(try take(1)[0]) { shape.append(try number()) }
            let kind = try take(1)[0]
            let content = try take(try number())
            // Kind 4 is half precision. The other arrays are settings.
            if kind == 4, content.count == 2 * Self.product(shape) {
                arrays[name] = Array16(shape: shape, bytes: content)
            }
        }
    }

    /// Returns the number of values of an array; -1 if it is too large for any file.
    private static func product(_ shape: [Int]) -> Int {
        var product = 1
        for side in shape {
            let (next, isTooLarge) = product.multipliedReportingOverflow(by: side)
            guard !isTooLarge, next < 1 << 40 else { return -1 }
            product = next
        }
        return product
    }

    subscript(name: String) -> Array16 {
        get throws(Damage) {
            guard let array = arrays[name] else { throw .missing(name) }
            return array
        }
    }

    /// The number of layers of the encoder, and of the decoder.
    var layerCount: Int { arrays.keys.count { $0.hasPrefix("encoder/layer_") && $0.hasSuffix("ffn/linear_0/bias") } }
}
