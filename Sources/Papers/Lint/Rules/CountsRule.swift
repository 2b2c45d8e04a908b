import ExamCore

extension ItemRule {
    /// Finds items with the wrong number of questions. A paper uses an item as a whole.
    static let counts = ItemRule(
        id: "counts",
        wish:
            "as many questions as the place has; a card with 3 or 4 points, two questions after it, and two discussions of six"
    ) { item in
        var found: [(String, String)] = []
        func expect(_ field: String, _ count: Int, _ wanted: ClosedRange<Int>) {
            if wanted.contains(count) { return }
            let words = wanted.count == 1 ? "\(wanted.lowerBound)" : "\(wanted.lowerBound) to \(wanted.upperBound)"
            found.append((field, "there are \(count); there should be \(words)"))
        }
        switch item {
        case .frame(let frame):
            expect("questions", frame.questions.count, frame.kind.count...frame.kind.count)
        case .card(let card):
            expect("card.points", card.card.points.count, 3...4)
            expect("roundingOff", card.roundingOff.count, 2...2)
            expect("discussions", card.discussions.count, 2...2)
            for (number, discussion) in card.discussions.enumerated() {
                expect("discussions[\(number)].questions", discussion.questions.count, 6...6)
            }
        }
        return found
    }
}
