/// An element of a stream that can absorb its right neighbour.
protocol Foldable {
    mutating func fold(in next: Self)
}

/// A stream of any length in a bounded number of elements. When there are too many, neighbours are folded in pairs.
struct Folding<Element: Foldable> {
    /// An element and the places of the stream that it stands for.
    typealias Column = (range: Range<Int>, element: Element)

    /// The number of places in an element. The last element may have fewer.
    private(set) var width = 1
    private(set) var count = 0
    private var elements: [Element] = []
    private let limit: Int

    /// - Parameter limit: An even number of elements, several times the number of columns wanted in the end.
    init(limit: Int = 9_600) {
        self.limit = limit
    }

    mutating func append(_ element: Element) {
        if count == limit * width { halve() }
        if count % width == 0 { elements.append(element) } else { elements[elements.count - 1].fold(in: element) }
        count += 1
    }

    private mutating func halve() {
        for index in 0..<(limit / 2) {
            var pair = elements[2 * index]
            pair.fold(in: elements[2 * index + 1])
            elements[index] = pair
        }
        elements.removeLast(limit / 2)
        width *= 2
    }

    /// Returns the whole stream in at most `most` columns of nearly equal widths.
    func columns(atMost most: Int) -> [Column] {
        let columnCount = min(most, elements.count)
        return (0..<columnCount).map { column in
            let part = (column * elements.count / columnCount)..<((column + 1) * elements.count / columnCount)
            var element = elements[part.lowerBound]
            for index in part.dropFirst() { element.fold(in: elements[index]) }
            return (part.lowerBound * width..<min(part.upperBound * width, count), element)
        }
    }
}
