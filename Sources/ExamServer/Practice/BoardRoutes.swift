import ExamNode
import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning

/// Routes for boards of groups: the minutes that members of a group practised in the last seven days. Only learners who
/// join appear on a board, under a name of their choice, and only they can see it. A teacher must join, too, visibly
/// for all. Boards show minutes, never bands.
struct BoardRoutes: Sendable {
    let services: Services

    func add(to routes: some RouterMethods<ServerContext>) {
        routes.get("v1/practice/boards", use: boards)
        routes.put("v1/practice/boards/:group", use: join)
        routes.delete("v1/practice/boards/:group", use: leave)
    }

    private struct Boards: Encodable, Sendable { var boards: [Board] }

    private struct Board: Encodable, Sendable {
        struct Row: Encodable, Sendable {
            /// The place, from 1. Members with the same minutes have the same place.
            var place: Int
            var name: String
            var minutes: Double
            var isYou: Bool
        }
        var group: String
        /// The caller's name on the board. It and the rows are absent if the caller has not joined.
        var name: String?
        var rows: [Row]?
    }

    @Sendable private func boards(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let caller = try context.requireCaller()
        let today = try request.moment(services).day
        let names = try await services.owned(by: caller.user).boardNames()
        var boards: [Board] = []
        for group in caller.groups.sorted() {
            guard let name = names[group] else {
                boards.append(Board(group: group))
                continue
            }
            let members = try await services.store.service.board(
                of: group, limit: Self.mostMembers, lineLimit: Self.mostLines)
            let rows = members.map { ($0, Self.minutes($0, today)) }.sorted {
                ($1.1, $0.0.name, $0.0.user.uuidString) < ($0.1, $1.0.name, $1.0.user.uuidString)
            }
            boards.append(
                Board(
                    group: group, name: name,
                    rows: rows.map { member, minutes in
                        Board.Row(
                            place: 1 + rows.count { $0.1 > minutes }, name: member.name, minutes: minutes,
                            isYou: member.user == caller.user)
                    }))
        }
        return Answer(Boards(boards: boards), headers: [.cacheControl: "no-store"])
    }

    /// Returns the minutes to one decimal, so that equal figures get the same place.
    private static func minutes(_ member: ServiceStore.BoardMember, _ today: StudyDay) -> Double {
        var history = PracticeHistory()
        for line in member.lines.compactMap(PracticeLine.init) { history.add(line) }
        return PracticeStatistics.minutes(of: history, to: today).tenths
    }

    /// The size of a class or a course. A larger board would be unreadable.
    private static let mostMembers = 200
    /// The maximum number of lines read from a member's log, enough for a week. An hour a day with three seconds for
    /// each answer is 8,400.
    private static let mostLines = 10_000

    @Sendable private func join(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        struct Wanted: Decodable { var name: String }
        let (caller, group) = try member(context)
        let wanted = try await request.json(Wanted.self, context)
        let name = wanted.name.trimmingCharacters(in: .whitespacesAndNewlines)
        try Field.text(name, "name", atMost: 40)
        guard !name.isEmpty else { throw APIProblem.malformed("name: must not be empty.") }
        try await services.owned(by: caller.user).joinBoard(of: group, as: name)
        return HTTPResponse.Status.noContent
    }

    /// Leaves a board. This also works for a group to which the caller no longer belongs.
    @Sendable private func leave(_ request: Request, _ context: ServerContext) async throws -> some ResponseGenerator {
        let group = context.parameters.get("group")?.removingPercentEncoding ?? ""
        _ = try await services.owned(by: try context.requireUser()).leaveBoard(of: group)
        return HTTPResponse.Status.noContent
    }

    private func member(_ context: ServerContext) throws -> (Caller, group: String) {
        let caller = try context.requireCaller()
        guard let group = context.parameters.get("group")?.removingPercentEncoding,
            caller.groups.contains(group)
        else { throw APIProblem.missing("group") }
        return (caller, group)
    }
}
