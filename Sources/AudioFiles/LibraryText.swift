extension String {
    /// The text without the full stop and line end of libsndfile's messages.
    var trimmed: String {
        var words = self[...]
        while let last = words.last, last.isWhitespace || last == "." { words.removeLast() }
        return String(words)
    }
}

extension Double {
    /// Returns the number rounded to a number of decimal places, for messages.
    func rounded(to places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
