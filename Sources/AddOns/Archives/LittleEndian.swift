extension UnsafeRawBufferPointer {
    /// Returns a number of two bytes, the lowest first.
    func short(at place: Int) -> UInt16 { UInt16(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt16.self)) }
    /// Returns a number of four bytes, the lowest first.
    func number(at place: Int) -> UInt32 { UInt32(littleEndian: loadUnaligned(fromByteOffset: place, as: UInt32.self)) }
}
