import Foundation
import StoreTrials
import Testing
import Waiting

@testable import VirtualDevices

/// `oracy-server seal`: on the store while the server runs, and on an exported folder.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct SealCommandTests {
    @Test func aChangedRecordingIsFoundInTheStoreAndInAnExport() async throws {
        let ann = try await OperatedLearner()
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(OperatedLearner.options(), in: den)
            let session = try ann.sit(server)
            let (url, data) = (try server.address(), ["--data", "FOLDER/data"])
            #expect(
                Patience.poll {
                    let row = try? fetch(url, "GET", "/v1/sessions/\(session)", as: ann.user).object
                    return row?["seal"] is String ? true : nil
                } == true)
            let whole = try operate(["seal", session] + data, in: den)
            #expect(whole.code == 0 && whole.said.hasPrefix("sealed  \(session)  sealed 20"), "\(whole)")
            #expect(whole.said.contains("held by the server"))
            #expect(try operate(["export", ann.name, "--to", "FOLDER/ann"] + data, in: den).code == 0)
            let exported = try operate(["seal", "--export", "FOLDER/ann"], in: den)
            #expect(exported.code == 0 && exported.said == whole.said, "\(exported)")

            for (folder, arguments, words) in [
                ("data/audio/\(ann.name)/\(session)", ["seal"] + data, "has other bytes in storage"),
                ("ann/audio/\(session)", ["seal", session, "--export", "FOLDER/ann"], "has other bytes in the export"),
            ] {
                let place = "\(den.folder)/\(folder)"
                let name = try #require(try FileManager.default.contentsOfDirectory(atPath: place).sorted().first)
                let file = URL(filePath: "\(place)/\(name)")
                var bytes = try Data(contentsOf: file)
                bytes[bytes.count - 1] ^= 1
                try bytes.write(to: file)
                let broken = try operate(arguments, in: den)
                #expect(broken.code == 65 && broken.said.hasPrefix("broken  \(session)"), "\(broken)")
                #expect(broken.said.contains(" recording: \(words)"), "\(broken)")
            }
            let log = URL(filePath: "\(den.folder)/ann/sessions/\(session)/log.jsonl")
            try (String(contentsOf: log, encoding: .utf8) + "{}\n").write(to: log, atomically: true, encoding: .utf8)
            let json = try operate(["seal", "--export", "FOLDER/ann", "--json"], in: den)
            let report = try #require(
                try JSONSerialization.jsonObject(with: Data(json.said.utf8)) as? [String: Any])
            #expect(json.code == 65 && report["state"] as? String == "broken")
            #expect((report["differs"] as? [[String: String]])?.first?["item"] == "log", "\(report)")

            let missing = try operate(["seal", UUID().uuidString] + data, in: den)
            #expect(missing.code == 66 && missing.message.contains("there is no session"), "\(missing)")
            #expect(try operate(["seal", "--export", "FOLDER/data"], in: den).code == 66)
            #expect(try server.stop() == 0)
        }
    }
}
