import Foundation
import HTTPClient
import SupabaseStandIn
import TestSupport
import Testing
import UploadQueue

@testable import Backends

/// The rows that are sent to a project fit the tables of the reference application, column by column.
@Suite(.needs(StandInProject.obstacle)) struct ReferenceTables {
    private func columns() throws -> [String: Set<String>] {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Support/ReferenceWire/tables.json")
        let tables = try #require(
            try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: Any])
        return tables.compactMapValues { table in
            ((table as? [String: Any])?["columns"] as? String).map { Set($0.split(separator: " ").map(String.init)) }
        }
    }

    @Test func everyColumnThatIsSentIsOneOfTheApplications() async throws {
        let device = try await Device.ready()
        try await device.deliver(device.answer(seconds: 12))
        try await device.deliver(device.completion(of: 1, delivered: 1))
        let known = try columns()
        var sent: [String: Set<String>] = [:]
        for request in device.standIn.with({ $0.requests }) {
            guard let found = request.line.firstMatch(of: /^(?:POST|PATCH) \/rest\/v1\/([a-z_]+)/),
                case .bytes(let bytes) = request.body,
                let row = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
            else { continue }
            sent[String(found.1), default: []].formUnion(row.keys)
        }
        #expect(Set(sent.keys) == ["test_sessions", "responses", "processing_queue"], "\(sent.keys)")
        for (table, names) in sent {
            #expect(names.subtracting(known[table] ?? []) == [], "\(table) has no such columns")
        }
        let session = Device.session.id.uuidString.lowercased()
        #expect(
            device.objects.keys.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
                == ["responses/\(session)_part1_q1.opus"], "\(device.objects.keys)")
    }
}
