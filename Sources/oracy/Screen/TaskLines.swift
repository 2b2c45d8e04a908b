import ExamCore

/// The material of a task besides the question's words and the card: a picture in words, two alternatives, questions
/// that are prepared together. The paragraphs are not wrapped.
struct TaskLines {
    private let exam: ExamView

    init(_ exam: ExamView) { self.exam = exam }

    /// The material, one paragraph each; empty if the task has none.
    var paragraphs: [String] {
        picture(exam.picture) + alternatives
            + exam.together.enumerated().flatMap { number, task in
                ["\(number + 1). \(task.text)"] + picture(task.picture)
            }
    }

    private func picture(_ picture: Paper.Picture?) -> [String] {
        picture.map { ["The picture: " + $0.description] } ?? []
    }

    private var alternatives: [String] {
        zip(["A", "B"], exam.alternatives).enumerated().map { number, pair in
            let (letter, alternative) = pair
            let points = alternative.points.isEmpty ? "" : ": " + alternative.points.joined(separator: "; ")
            return "\(letter), \(alternative.title)\(points)" + (exam.chosen == number ? " (your choice)" : "")
        }
    }
}
