/// Direct access to PostgreSQL with its own SQL, for code that stands in for a server written by others. It sends one
/// text with one or several statements, and returns the answer as text and errors in full.
///
/// It belongs to one thread at a time. Its calls block.
package final class PlainPostgres {
    private let connection: PostgresConnection

    package struct Answer: Sendable {
        /// The last statement's rows. Nil values are NULL.
        package var rows: [[String?]]
        package var changedCount: Int
    }

    /// A statement that PostgreSQL refuses, with everything it says. `state` is empty if the server cannot be reached.
    package struct Refusal: Error, Equatable, Sendable {
        package var state, message, detail, hint: String
    }

    /// Connects.
    ///
    /// - Parameter url: `postgresql://…` of an ordinary role.
    package init(_ url: String) throws(StoreError) {
        connection = try PostgresConnection(PostgresAddress(url), PostgresPatience())
    }

    /// Sends statements.
    ///
    /// - Parameter sql: several statements are carried out together or not at all, unless they begin their own
    ///   transaction.
    @discardableResult
    package func ask(_ sql: String) throws(Refusal) -> Answer {
        do throws(StoreError) {
            let result = try connection.answer(to: sql)
            return Answer(rows: result.texts, changedCount: result.changedCount)
        } catch {
            guard let said = connection.lastError else {
                throw Refusal(state: "", message: error.message, detail: "", hint: "")
            }
            throw Refusal(state: said.state, message: said.message, detail: said.detail, hint: said.hint)
        }
    }
}
