/// The reason why a connection is closed, and the message sent before closing.
package struct CloseReason: Error, Equatable, Sendable {
    /// The codes of PROTOCOL.md. Those above 4000 are specific to this protocol. Their last three digits are the
    /// matching HTTP status.
    package enum Code: UInt16, CaseIterable, Sendable {
        case done = 1000
        case goingAway = 1001
        /// Frames that break WebSocket's own rules (RFC 6455, 7.4.1).
        case badFrame = 1002
        case notText = 1007
        case tooLong = 1009
        case malformed = 4400
        case noToken = 4401
        case noExam = 4404
        case notReading = 4408
        case takenOver = 4409
        case over = 4410
        case elsewhere = 4421
        case tooMuch = 4429
        case fault = 4500
    }

    package var code: Code
    /// The name for programs: lower case with hyphens between words. Empty if only the code is sent.
    package var name = ""
    package var title = ""
    /// The details in plain words, without any of the client's data.
    package var detail = ""
    /// The seconds to wait.
    package var retryAfter: Int?
    /// The address of the node that holds the exam.
    package var url: String?

    package static let done = CloseReason(code: .done)
    package static let goingAway = CloseReason(code: .goingAway)
    static let takenOver = CloseReason(
        code: .takenOver, name: "taken-over", title: "Another connection took over",
        detail: "The exam goes on over the newest connection.")
    static let notReading = CloseReason(code: .notReading)
    package static let tooLong = CloseReason(code: .tooLong)
    package static let badFrame = CloseReason(code: .badFrame)
    package static let notText = CloseReason(code: .notText)
    package static let noToken = CloseReason(
        code: .noToken, name: "no-token", title: "Not let in",
        detail: "This needs the live token of an exam that is not over.")
    static let noExam = CloseReason(
        code: .noExam, name: "no-exam", title: "No such exam", detail: "There is no such exam, or it was erased.")
    static let over = CloseReason(
        code: .over, name: "over", title: "The exam is over", detail: "Its results can be fetched.")
    package static let fault = CloseReason(
        code: .fault, name: "fault", title: "A fault of the server's",
        detail: "The exam is kept and can be continued.", retryAfter: 1)

    /// The reason for clients that come while an exam is being saved.
    static let saving = CloseReason(
        code: .elsewhere, name: "saving", title: "The exam is being saved", detail: "Connect again in a second.",
        retryAfter: 1)

    package static func malformed(_ name: String, _ detail: String) -> CloseReason {
        CloseReason(code: .malformed, name: name, title: "The message cannot be read", detail: detail)
    }

    package static func tooMuch(_ detail: String, retryAfter: Int) -> CloseReason {
        CloseReason(code: .tooMuch, name: "too-much", title: "Too much", detail: detail, retryAfter: retryAfter)
    }

    package static func elsewhere(_ url: String?) -> CloseReason {
        CloseReason(
            code: .elsewhere, name: "elsewhere", title: "Another server holds this exam",
            detail: "Connect there, or here again in some seconds.", retryAfter: 5, url: url)
    }
}
