/// Rewrites a Whisper model from whisper.cpp's half precision to q8_0, as that project's own program does.
enum Quantising {
    enum Damage: Error, Equatable {
        /// The file isn't a model in half precision.
        case otherFormat
        /// The file ends too early.
        case short
    }

    /// - Parameters:
    ///   - bytes: the file, which must stay valid.
    ///   - write: gets the new file in pieces.
    static func run(_ bytes: UnsafeRawBufferPointer, _ write: ([UInt8]) -> Void) throws(Damage) {
        var at = 0
        func take(_ count: Int) throws(Damage) -> UnsafeRawBufferPointer {
            guard count >= 0, count <= bytes.count - at else { throw .short }
            defer { at += count }
            return UnsafeRawBufferPointer(rebasing: bytes[at..<(at + count)])
        }
        func number() throws(Damage) -> Int {
            let number = try take(4).number(at: 0)
            guard number <= Int32.max else { throw .otherFormat }
            return Int(number)
        }

        // The magic number, ten sizes, and the precision: 1 for half, which becomes 2007 for q8_0 of the second
        // version.
        let sizes = try take(44)
        guard sizes.number(at: 0) == 0x6767_6D6C, try number() == 1 else { throw .otherFormat }
        var head = Array(sizes)
        head.add([2007])
        let (bands, frequencies) = (try number(), try number())
        head.add([bands, frequencies])
        head += try take(4 * min(bands, 1 << 10) * min(frequencies, 1 << 12))
        let tokens = try number()
        head.add([tokens])
        for _ in 0..<tokens {
            let length = try number()
            head.add([length])
            head += try take(length)
        }
        write(head)
        while at < bytes.count {
            let (sides, nameLength, kind) = (try number(), try number(), try number())
            guard (1...3).contains(sides), kind <= 1 else { throw .otherFormat }
            var shape: [Int] = []
            for _ in 0..<sides { shape.append(try number()) }
            let name = try take(nameLength)
            guard shape.allSatisfy({ $0 < 1 << 20 }), shape.reduce(1, *) < 1 << 40 else { throw .otherFormat }
            let count = shape.reduce(1, *)
            let isQuantised = kind == 1 && sides == 2 && shape[0].isMultiple(of: 32)
            var tensor: [UInt8] = []
            tensor.add([sides, nameLength, isQuantised ? 8 : kind] + shape)
            tensor += name
            let content = try take(count * (kind == 0 ? 4 : 2))
            if isQuantised {
                let array = CT2Model.Array16(shape: [count], bytes: content)
                for start in stride(from: 0, to: count, by: 32) { tensor.addQ8(array, start) }
            } else {
                tensor += content
            }
            write(tensor)
        }
    }
}
