extension ItemRule {
    /// Finds questions that a candidate can answer with yes or no, which is not a useful sample. Two of five questions
    /// about the candidate's own life may be of this kind, because "why?" follows.
    static let yesNo = ItemRule(
        id: "yes-no",
        wish:
            "questions that cannot be answered with yes or no: none in a discussion, at most two in a frame about oneself"
    ) { item in
        let asked = item.questions.filter { $0.question.text.asksYesOrNo }
        let inDiscussion = asked.filter { $0.role == .discussion }
        var found = inDiscussion.map { ("\($0.field).text", "can be answered with yes or no") }
        let familiar = asked.filter { $0.role == .familiar }
        if familiar.count > 2 {
            found.append(("questions", "\(familiar.count) of them can be answered with yes or no; two may be"))
        }
        return found
    }
}
