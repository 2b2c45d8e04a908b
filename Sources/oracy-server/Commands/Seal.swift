import ArgumentParser
import ExamServer
import ExamStore
import Foundation
import ServerWork
import SystemSupport

/// The command `oracy-server seal SESSION`.
struct Seal: ServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Says whether sealed exams are still what was sealed.",
        discussion: """
            When an exam is over, the server seals it: it keeps a hash of every recording, of the event log and of each answer's record. \
            This command reads all of them again, recordings to their last byte, and names what differs. It changes nothing, and the \
            server may run. With --export it reads a folder of "oracy-server export" instead, without database and storage.

            Exit codes: 0 nothing differs; 64 invalid option; 65 something differs, or unusable database; 66 no such session or folder; \
            69 database or storage not reachable.
            """)

    @Argument(help: "The exam's id. Default: every exam that has a seal.", transform: Spelling.user)
    var session: UUID?

    @Option(help: "A folder that \"oracy-server export\" wrote.")
    var export: String?

    @Flag(help: "Write a JSON document for each exam, one a line.")
    var json = false

    @OptionGroup var storage: StorageOptions

    @Option(help: .config)
    var config: String?

    func run(with found: OptionSources) async throws {
        let broken = if let export { try exported(export) } else { try await stored(found) }
        if broken > 0 { throw ExitCode(65) }
    }

    /// - Returns: the number of exams that are not what was sealed.
    private func exported(_ folder: String) throws -> Int {
        let seals = try ExportedSeals(of: folder)
        var broken = 0
        for id in session.map({ [$0.uuidString.lowercased()] }) ?? seals.ids {
            broken += try tell(seals.report(of: id))
        }
        return broken
    }

    private func stored(_ found: OptionSources) async throws -> Int {
        let store = try await storage.existingStore()
        let check = SealCheck(store.service, try storage.audioStore(environment: found.environment))
        var (broken, last): (Int, UUID?) = (0, nil)
        if let session {
            let seal = try await store.service.seal(of: session)
            if seal == nil, try await store.service.session(session) == nil {
                throw Problem(.missing, "there is no session \(session.uuidString.lowercased()); check the id")
            }
            broken = try tell(await check.report(of: session, seal))
        } else {
            while true {
                let page = try await store.service.sealedSessions(after: last, limit: 100)
                guard let end = page.last else { break }
                for (session, _) in page {
                    broken += try tell(await check.report(of: session, store.service.seal(of: session)))
                }
                last = end.session
            }
        }
        await store.close()
        return broken
    }

    /// - Returns: 1 if something differs.
    private func tell(_ report: SealReport) throws -> Int {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            say(String(decoding: try encoder.encode(report), as: UTF8.self))
        } else {
            let held = report.held.map { $0 == .server ? "held by the server" : "recorded elsewhere" }
            let facts = [
                report.sealedAt.map { "sealed \($0)" }, held,
                report.seal == nil ? nil : "\(report.recordings) recordings read", report.seal,
            ]
            let words = report.state == .open ? "not sealed" : report.state.rawValue
            say("\(words)  \(report.session)  \(facts.compactMap(\.self).joined(separator: ", "))")
            for difference in report.differs { say("    \(difference.item): \(difference.why)") }
        }
        return report.state == .broken ? 1 : 0
    }
}
