/// The party whose turn a piece uses. A server sets it for each learner, so that assessors need not know whose answer
/// they judge.
package enum HearingTurn {
    /// A learner's id on a server; empty elsewhere.
    @TaskLocal package static var party = ""
    /// The share of turns: 4 if a person waits, otherwise 1.
    @TaskLocal package static var weight = 1.0
}
