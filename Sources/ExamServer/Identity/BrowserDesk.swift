import ExamStore
import Foundation
import HTTPTypes

/// A desk that keeps browsers signed in with a cookie: that of classes, or that of schools.
protocol BrowserDesk: Sendable {
    var cookies: SignInCookies { get }

    /// Returns the caller whose token a browser sent. Nil if it is unknown or has expired.
    func caller(by token: SignInToken) async throws(StoreError) -> SignedBrowser?

    /// Ends the sign-in of a browser.
    ///
    /// - Returns: the address at which the person also signs out of the service that had signed them in. Nil for a
    ///   member of a class, and for a service without such an address.
    func signOut(_ token: SignInToken) async throws(StoreError) -> String?

    /// Ends the sign-ins of a user in all browsers.
    func signOutEverywhere(_ user: UUID) async throws(StoreError)
}

/// The caller that a cookie identifies.
struct SignedBrowser: Sendable {
    var caller: Caller
    /// The name of the school that signed the caller in. Nil for a member of a class.
    var school: String?
    /// The header for the browser if its token is to be replaced.
    var renewal: HTTPField?
}

extension BrowserDesk {
    func token(in headers: HTTPFields) -> SignInToken? { cookies.value(.signIn, in: headers).flatMap(SignInToken.init) }

    /// Refuses requests that do not come from this server's own page. Only such a page may sign in, or change anything
    /// with a cookie.
    ///
    /// - Throws: `APIProblem` 403.
    func requireOwnPage(_ headers: HTTPFields, at authority: String?) throws(APIProblem) {
        guard cookies.isOwnPage(headers, at: authority) else {
            throw APIProblem(
                .forbidden, "other-origin", "Another site's page",
                "Only this server's own page may do this for someone who signed in here.")
        }
    }
}
