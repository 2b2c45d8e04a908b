/// The batches of answers handed in to a submission, as a state machine without a database.
///
/// ```
/// nothing ── a batch ──▶ some of n ── the others, in any order ──▶ whole
/// ```
/// Accepted answers never change.
///
/// | stored | arriving batch | outcome |
/// |---|---|---|
/// | nothing | any | `accepted`; whole if it is 1 of 1 |
/// | some | a missing one | `accepted`; whole if it is the last |
/// | some | a missing one with another answer to a question of a stored batch | `otherAnswers` |
/// | some | a stored one with the same answers | `repeated` |
/// | some | a stored one with other answers | `otherAnswers` |
/// | some | one that states another number of batches | `otherCount` |
/// | whole | a stored one with the same answers | `repeated` |
/// | whole | all answers as 1 of 1 | `repeated` |
/// | whole | anything else | `alreadySubmitted` |
struct HandingIn: Equatable, Sendable {
    /// The number of batches. Nil until the first one arrives.
    var count: Int?
    /// The answers by question, for each batch number 1 … `count`.
    var batches: [Int: [String: String]] = [:]

    var isWhole: Bool { batches.count == count }

    enum Outcome: Equatable {
        case accepted, repeated
        case refused(Submitted.Conflict)
    }

    /// Takes a batch, or changes nothing.
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

    /// All answers by question. A question in two batches has the same answer in both.
    var all: [String: String] {
        batches.values.reduce(into: [:]) { $0.merge($1) { first, _ in first } }
    }
}
