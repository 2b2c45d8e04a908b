// A school's own server: exams in the browser and over REST as oracy-server holds them, an assessor of its own, and a route of its own.
//
//   swift run own-server 8080 my-school        then http://127.0.0.1:8080/ and http://127.0.0.1:8080/school/exams
//
// Everybody is the same user here. For learners hand `.tokens(keys)` to `ExamBackend`: docs/embedding.md, "A server".
import Assessors
import ExamServer
import ExamStore
import Glibc
import Hummingbird
import Logging

let words = CommandLine.arguments.dropFirst()
guard words.count == 2, let port = words.first.flatMap({ Int($0) }), (0...65_535).contains(port),
    let folder = words.last
else {
    fputs("usage: own-server PORT FOLDER\n", stderr)
    exit(64)
}

do {
    let store = try ExamDatabase.sqlite(path: folder + "/oracy.sqlite")
    try await store.migrate()
    let services = Services(
        settings: ServerSettings(folder: folder), store: store, audio: try FolderAudioStore(path: folder + "/audio"),
        logger: Logger(label: "school"))
    let exams = try await ExamBackend(
        services, signIn: .development, assessors: AssessorPanel([.init(LongSilences(longest: 3))]))

    let router = Router(context: ServerContext.self)
    exams.ownRoutes(on: router).get("school/exams") { _, context in
        guard let caller = context.caller else { throw HTTPError(.unauthorized) }
        let usage = try await store.owned(by: caller.user).usage()
        return OwnExams(exams: usage.sessions, today: usage.sessionsToday)
    }
    exams.addRoutes(to: router)
    let app = Application(
        router: router, server: exams.channel,
        configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: port)),
        services: exams.background(workers: 1),
        onServerRunning: { print("http://127.0.0.1:\($0.localAddress?.port ?? port)/") })
    try await app.runService()
    await store.close()
} catch {
    fputs("own-server: \(error)\n", stderr)
    exit(1)
}

/// What the route answers, as JSON.
struct OwnExams: ResponseEncodable {
    var exams, today: Int
}
