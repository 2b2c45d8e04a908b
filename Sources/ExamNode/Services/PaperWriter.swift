package import Assessors
package import SystemSupport
package import TextModels

/// The model that writes papers on this server, as configured by the operator.
public struct PaperWriter: Sendable {
    package let model: any TextModel
    /// The recipient of topics. Nil if they stay here.
    package let recipient: String?
    /// The seconds allowed for one item of a paper.
    package let seconds: Int

    /// Creates the writer.
    ///
    /// - Throws: `Problem` if the entry or its key cannot be used.
    package init(_ entry: AssessorEntry, in folder: String) throws(Problem) {
        model = try entry.textModel(in: folder)
        recipient = entry.thirdParty
        seconds = Int(entry.seconds ?? 60)
    }

    package var name: String { model.model }

    /// The statement to which a user agrees before a model writes a paper for them.
    package var words: String? {
        recipient.map {
            "Your topic, and titles of questions that stand here, are sent to \($0), without your name; nothing else is."
        }
    }
}
