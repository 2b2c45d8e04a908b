// A school's own server: exams in the browser and over REST, as in oracy-server, with an assessor and a route of its own.
//
//   swift run own-server 8080 my-school        then http://127.0.0.1:8080/ and http://127.0.0.1:8080/school/exams
//
// Here every request is by the same user. For real learners pass `.tokens(keys)` to `ExamBackend`: docs/embedding.md,
// "A server".
import Assessors
import ExamNode
import ExamServer
import ExamStore
import Foundation
import Glibc
import Hummingbird
import Logging
import RecordingStores

let words = CommandLine.arguments.dropFirst()
guard words.count == 2, let port = words.first.flatMap({ Int($0) }), (0...65_535).contains(port),
    let folder = words.last
else {
    FileHandle.standardError.write(Data("usage: own-server PORT FOLDER\n".utf8))
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
        onServerRunning: { channel in
            let address = "http://127.0.0.1:\(channel.localAddress?.port ?? port)/\n"
            FileHandle.standardOutput.write(Data(address.utf8))
        })
    try await app.runService()
    await store.close()
} catch {
    FileHandle.standardError.write(Data("own-server: \(error)\n".utf8))
    exit(1)
}

/// The route's answer, as JSON.
struct OwnExams: ResponseEncodable {
    var exams, today: Int
}
