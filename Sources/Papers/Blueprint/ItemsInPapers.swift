import ExamCore
import SystemSupport

// Converts items into frames of papers. The ids of questions begin with the item's id.

extension BankFrame {
    var inPaper: Paper.Frame {
        Paper.Frame(
            id: about.id, lead: lead.map { Paper.Prompt(text: $0) }, passage: passage.map { Paper.Prompt(text: $0) },
            picture: picture,
            questions: questions.enumerated().map { $1.inPaper("\(about.id)-\($0 + 1)") })
    }
}

extension BankCard {
    /// Returns the examiner's words when giving a card.
    static func prompt(_ topic: String) -> String { "Here is your card. \(topic)" }

    private var cardID: String { "\(about.id)-card" }

    var inPaper: Paper.Frame {
        Paper.Frame(
            id: about.id,
            questions: [Paper.Question(id: cardID, text: Self.prompt(card.topic), card: card)])
    }

    var roundingOffInPaper: Paper.Frame {
        Paper.Frame(
            id: "\(about.id)-after", about: cardID,
            questions: roundingOff.enumerated().map {
                Paper.Question(id: "\(about.id)-after-\($0 + 1)", text: $1)
            })
    }

    var discussionsInPaper: [Paper.Frame] {
        discussions.map { discussion in
            Paper.Frame(
                id: discussion.id, lead: Paper.Prompt(text: discussion.lead), about: cardID,
                questions: discussion.questions.enumerated().map { $1.inPaper("\(discussion.id)-\($0 + 1)") })
        }
    }
}

extension BankQuestion {
    fileprivate func inPaper(_ id: String) -> Paper.Question {
        Paper.Question(
            id: id, text: text, rephrased: rephrased.map { [Paper.Prompt(text: $0)] },
            followUp: followUp.map { Paper.Prompt(text: $0) }, alternatives: alternatives, answers: answers)
    }
}

extension Paper {
    /// Creates a paper from its sections. Its id consists of the last item's id, so that people recognise it, and a
    /// digest of the content (`view-0d989fc8`).
    init(title: String, difficulty: Difficulty?, sections: [String: [Frame]], origin: Origin) {
        self.init(id: "", title: title, sections: sections)
        self.difficulty = difficulty
        self.origin = origin
        let digest = SHA256.hexadecimal(of: JSONFile.encode(self)).prefix(8)
        id = "\(origin.items.last ?? "paper")-\(digest)"
    }
}
