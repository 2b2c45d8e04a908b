import ExamCore
import Foundation
import SystemSupport

extension Paper.Picture {
    /// What it is fetched by: of its bytes, so that it may be kept for ever.
    var digest: String { String(SHA256.hexadecimal(of: Array((svg ?? png ?? "").utf8)).prefix(16)) }

    var mediaType: String { svg == nil ? "image/png" : "image/svg+xml" }

    var bytes: [UInt8] { svg.map { Array($0.utf8) } ?? png.flatMap { Data(base64Encoded: $0) }.map(Array.init) ?? [] }

    /// The picture itself as an address: what pages show without asking again.
    var dataURL: String { "data:\(mediaType);base64,\(Data(bytes).base64EncodedString())" }
}

extension ExamScript {
    /// A picture of the exam's by its digest; nil where it has none.
    func picture(_ digest: String) -> Paper.Picture? {
        turns.lazy.compactMap(\.picture).first { $0.digest == digest }
    }
}

/// A picture as a client is told of it.
struct PictureAnswer: Encodable, Equatable, Sendable {
    /// For whoever cannot see it.
    var description: String
    /// Where it is: a path on this server, or all of it as a `data:` address.
    var url: String
}

/// One of two things to choose, as a client is told of it.
struct AlternativeAnswer: Encodable, Equatable, Sendable {
    var title: String
    var points: [String]

    init(_ alternative: Paper.Alternative) { (title, points) = (alternative.title, alternative.points) }
}

/// What belonged to a question beside its words, as it is told afterwards.
struct QuestionAnswer: Encodable, Sendable {
    var card: LiveState.Card?
    var picture: PictureAnswer?
    var alternatives: [AlternativeAnswer]?
    /// What a right answer says; absent where there is no one right answer.
    var rightAnswers: [String]?

    /// - Parameter turn: nil: it is not known any more.
    init(_ turn: ExamScript.Turn?) {
        card = turn?.card.map(LiveState.Card.init)
        picture = turn?.picture.map { PictureAnswer(description: $0.description, url: $0.dataURL) }
        alternatives = turn.flatMap { $0.alternatives.isEmpty ? nil : $0.alternatives.map(AlternativeAnswer.init) }
        rightAnswers = turn.flatMap { $0.answers.isEmpty ? nil : $0.answers }
    }
}
