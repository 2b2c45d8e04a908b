extension Sequence<String> {
    /// Returns the name that a person probably meant by a misspelt word: the one that needs the fewest changed letters,
    /// at most two, and at most half of the word's. Of equally near names, the first one. Nil if none is near.
    public func nearest(to word: String) -> String? {
        let letters = Array(word.lowercased())
        let allowed = Swift.min(2, letters.count / 2)
        return lazy.map { (name: $0, distance: AnswerKey.FillInTheBlank.editDistance(letters, Array($0.lowercased()))) }
            .filter { $0.distance <= allowed }.min { $0.distance < $1.distance }?.name
    }
}
