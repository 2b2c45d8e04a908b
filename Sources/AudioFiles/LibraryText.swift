extension String {
    /// Without the full stop and the line end that libsndfile's messages have.
    var trimmed: String {
        var words = self[...]
        while let last = words.last, last.isWhitespace || last == "." { words.removeLast() }
        return String(words)
    }
}

extension Double {
    /// For messages: so many decimal places.
    func rounded(to places: Int) -> Double {
        let scale = (0..<places).reduce(1.0) { scale, _ in scale * 10 }
        return (self * scale).rounded() / scale
    }
}
