/// PostgreSQL asked in its own words, for whoever stands in for a server that others wrote: one text of one or several statements, and
/// what it answers as text, errors whole.
///
/// Belongs to one thread at a time; its calls block.
package final class PlainPostgres {
    private let connection: PostgresConnection

    package struct Answer: Sendable {
        /// The last statement's; nil is NULL.
        package var rows: [[String?]]
        package var changedCount: Int
    }

    /// What PostgreSQL refuses, with all that it says; the state is empty where it is not there.
    package struct Refusal: Error, Equatable, Sendable {
        package var state, message, detail, hint: String
    }

    /// - Parameter url: `postgresql://…`, of an ordinary role.
    package init(_ url: String) throws(StoreError) {
        connection = try PostgresConnection(PostgresAddress(url), PostgresPatience())
    }

    /// - Parameter sql: several statements are all done or none, unless they begin a transaction of their own.
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
