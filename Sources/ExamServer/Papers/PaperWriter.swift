import Assessors
import SystemSupport
import TextModels

/// The model that writes papers here, as whoever runs the server set it up.
public struct PaperWriter: Sendable {
    let model: any TextModel
    /// Whom topics are sent to; nil where they stay here.
    let recipient: String?
    /// For one piece of a paper.
    let seconds: Int

    /// - Throws: `Problem` where the entry or its key cannot be used.
    init(_ entry: AssessorEntry, in folder: String) throws(Problem) {
        model = try entry.textModel(in: folder)
        recipient = entry.thirdParty
        seconds = Int(entry.seconds ?? 60)
    }

    var name: String { model.model }

    /// What a user agrees to before a model writes a paper for them.
    var words: String? {
        recipient.map {
            "Your topic, and titles of questions that stand here, are sent to \($0), without your name; nothing else is."
        }
    }
}
