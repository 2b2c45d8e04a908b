import Foundation
import HTTPClient

/// An error in the form of RFC 9457: its type, and a message for people.
struct ProblemDetails {
    /// The last part of the type: `parent-missing` of `https://…/problems/parent-missing`; empty if it has no type of
    /// its own.
    var code: String
    /// The title and the detail.
    var message: String

    /// Reads a response. Nil if it isn't a problem document, or if the document is empty.
    init?(_ response: HTTPResponse) {
        guard response.headers["content-type"]?.lowercased().hasPrefix("application/problem+json") == true,
            let fields = (try? JSONSerialization.jsonObject(with: Data(response.body))) as? [String: Any]
        else { return nil }
        let type = fields["type"] as? String ?? ""
        code = type == "about:blank" ? "" : String(type.split { "/#:".contains($0) }.last ?? "")
        let title = fields["title"] as? String ?? ""
        let detail = fields["detail"] as? String ?? ""
        message = title.isEmpty || detail.isEmpty ? title + detail : "\(title): \(detail)"
        if code.isEmpty && message.isEmpty { return nil }
    }
}
