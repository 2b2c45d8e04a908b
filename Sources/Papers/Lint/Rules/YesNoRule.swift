extension ItemRule {
    /// A yes is no sample of anybody's English. Of a learner's own life two questions of five may ask so: a "why?" follows.
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
