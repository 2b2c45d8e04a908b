/// Reads a long object piece by piece on demand, without holding the rest in memory.
actor PieceReader {
    typealias Fetch = @Sendable (Range<Int>) async throws(AudioStoreError) -> [UInt8]

    /// The maximum size of a returned piece.
    private static let longest = 65_536

    private let fetch: Fetch
    private let fetched: Int
    private var rest: Range<Int>
    private var piece: ArraySlice<UInt8> = []

    /// Creates a reader.
    ///
    /// - Parameters:
    ///   - range: the range to read. It may extend beyond the end.
    ///   - fetched: the number of bytes to fetch at a time.
    ///   - fetch: returns the bytes of a range, fewer at the end.
    init(_ range: Range<Int>, by fetched: Int, fetch: @escaping Fetch) {
        rest = range
        self.fetched = fetched
        self.fetch = fetch
    }

    /// Fetches the first piece, so that a missing object is noticed before anything is returned.
    func begin() async throws(AudioStoreError) { try await refill() }

    func next() async throws(AudioStoreError) -> [UInt8]? {
        if piece.isEmpty { try await refill() }
        guard !piece.isEmpty else { return nil }
        let next = Array(piece.prefix(Self.longest))
        piece = piece.dropFirst(next.count)
        return next
    }

    nonisolated var stream: AsyncThrowingStream<[UInt8], any Error> { AsyncThrowingStream { try await self.next() } }

    private func refill() async throws(AudioStoreError) {
        guard !rest.isEmpty else { return }
        let wanted = rest.lowerBound..<min(rest.upperBound, rest.lowerBound + fetched)
        piece = try await fetch(wanted)[...]
        rest = piece.count < wanted.count ? 0..<0 : wanted.upperBound..<rest.upperBound
    }
}
