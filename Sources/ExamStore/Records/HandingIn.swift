/// What was handed in to a submission, and what becomes of more: a machine without a database.
///
/// ```
/// nothing ── a batch ──▶ some of n ── the others, in any order ──▶ whole
/// ```
/// What was taken stays as it is, whatever comes later.
///
/// | here | a batch comes | becomes |
/// |---|---|---|
/// | nothing | any | `accepted`; whole where it is 1 of 1 |
/// | some | one that is missing | `accepted`; whole where it is the last |
/// | some | a missing one, with another answer to a question of a batch that is here | `otherAnswers` |
/// | some | one that is here, the same | `repeated` |
/// | some | one that is here, with other answers | `otherAnswers` |
/// | some | one of another number of batches | `otherCount` |
/// | whole | one that is here, the same | `repeated` |
/// | whole | all of it as 1 of 1 | `repeated` |
/// | whole | anything else | `alreadySubmitted` |
struct HandingIn: Equatable, Sendable {
    /// How many batches there are; nil until one is here.
    var count: Int?
    /// By number, 1 … `count`; the answers by question.
    var batches: [Int: [String: String]] = [:]

    var isWhole: Bool { batches.count == count }

    enum Outcome: Equatable {
        case accepted, repeated
        case refused(Submitted.Conflict)
    }

    /// Takes a batch, or leaves everything as it was.
    ///
    /// - Parameter number: 1 … `of`.
    mutating func take(_ number: Int, of: Int, _ answers: [String: String]) -> Outcome {
        if isWhole {
            let isHere = count == of ? batches[number] == answers : of == 1 && all == answers
            return isHere ? .repeated : .refused(.alreadySubmitted)
        }
        guard count ?? of == of else { return .refused(.otherCount) }
        if let here = batches[number] { return here == answers ? .repeated : .refused(.otherAnswers) }
        let all = all
        guard answers.allSatisfy({ question, answer in all[question] ?? answer == answer }) else {
            return .refused(.otherAnswers)
        }
        count = of
        batches[number] = answers
        return .accepted
    }

    /// Everything, by question: one that stands in two batches has the same answer in both.
    var all: [String: String] {
        batches.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
}
