extension AnswerKey {
    /// The right answer in words, with the options themselves instead of their letters.
    public var words: String {
        switch self {
        case .multipleChoice(let key):
            key.options.indices.contains(key.correct) ? key.options[key.correct] : ""
        case .multipleResponse(let key):
            key.correct.compactMap { Self.option($0, of: key.options) }.joined(separator: "; ")
        case .ordering(let key): key.correct.compactMap { Self.option($0, of: key.options) }.joined(separator: " → ")
        case .matching(let key):
            zip(key.premises, key.correct).map { "\($0): \(Self.option($1, of: key.options) ?? "")" }.joined(
                separator: "; ")
        case .fillInTheBlank(let key): key.accepted.first ?? ""
        case .calculation(let key): key.value.plain + (key.units?.first.map { " \($0)" } ?? "")
        case .spoken(let key): "\(key.speech.plain) seconds of speech"
        }
    }

    private static func option(_ place: Int, of options: [String]) -> String? {
        options.indices.contains(place) ? options[place] : nil
    }
}
