import ExamStore
import Foundation
import HTTPTypes
import Hummingbird
import Learning
import SystemSupport

/// Boards of groups (F7): who of a group practised how many minutes in the last seven days. Only those who joined are on one, under a name
/// that they chose, and only they see it: a teacher as well, who joins in sight of all. Minutes, never bands.
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
            /// From 1; the same for those with the same minutes.
            var place: Int
            var name: String
            var minutes: Double
            var isYou: Bool
        }
        var group: String
        /// Under which the caller is on it; absent, as rows are, where they are not.
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

    /// In tenths, so that what is shown alike is alike.
    private static func minutes(_ member: ServiceStore.BoardMember, _ today: StudyDay) -> Double {
        var history = PracticeHistory()
        for line in member.lines.compactMap(PracticeLine.init) { history.add(line) }
        return PracticeStatistics.minutes(of: history, to: today).tenths
    }

    /// A class, or a course; more would be no board that anybody reads.
    private static let mostMembers = 200
    /// Of a member's log: what a week has. An hour a day at three seconds an answer is 8,400.
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

    /// Also of a group that the caller is in no more.
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
