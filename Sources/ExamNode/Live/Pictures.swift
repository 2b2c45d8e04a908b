package import ExamCore
import Foundation
import SystemSupport

extension Paper.Picture {
    /// The identifier for fetching the picture, made from its bytes, so that it may be cached for ever.
    package var digest: String { String(SHA256.hexadecimal(of: Array((svg ?? png ?? "").utf8)).prefix(16)) }

    package var mediaType: String { svg == nil ? "image/png" : "image/svg+xml" }

    package var bytes: [UInt8] {
        svg.map { Array($0.utf8) } ?? png.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? []
    }

    /// The picture itself as an address, which pages show without another request.
    var dataURL: String { "data:\(mediaType);base64,\(Data(bytes).base64EncodedString())" }
}

extension ExamScript {
    /// Returns a picture of the exam by its digest. Nil if there is no such picture.
    package func picture(_ digest: String) -> Paper.Picture? {
        turns.lazy.compactMap(\.picture).first { $0.digest == digest }
    }
}

/// A picture in an answer to a client.
package struct PictureAnswer: Encodable, Equatable, Sendable {
    /// The description for people who cannot see the picture.
    package var description: String
    /// The picture's address: a path on this server, or the whole picture as a `data:` address.
    package var url: String
}

/// One of two alternatives in an answer to a client.
package struct AlternativeAnswer: Encodable, Equatable, Sendable {
    package var title: String
    package var points: [String]

    package init(_ alternative: Paper.Alternative) { (title, points) = (alternative.title, alternative.points) }
}

/// The parts of a question other than its words, as shown after the exam.
package struct QuestionAnswer: Encodable, Sendable {
    package var card: LiveState.Card?
    package var picture: PictureAnswer?
    package var alternatives: [AlternativeAnswer]?
    /// The right answers. Absent if the question has no single right answer.
    package var rightAnswers: [String]?

    /// Creates the answer.
    ///
    /// - Parameter turn: nil if the turn is no longer known.
    package init(_ turn: ExamScript.Turn?) {
        card = turn?.card.map(LiveState.Card.init)
        picture = turn?.picture.map { PictureAnswer(description: $0.description, url: $0.dataURL) }
        alternatives = turn.flatMap { $0.alternatives.isEmpty ? nil : $0.alternatives.map(AlternativeAnswer.init) }
        rightAnswers = turn.flatMap { $0.answers.isEmpty ? nil : $0.answers }
    }
}
