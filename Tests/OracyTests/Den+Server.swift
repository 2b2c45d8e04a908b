import Foundation
import Testing
import Waiting

@testable import VirtualDevices

extension Den {
    /// Starts `oracy-server` on the given port or a free one. All requests come from the same user, whose data is in
    /// this folder.
    ///
    /// - Parameter number: A different number for each start.
    func serve(port: Int = 0, number: Int = 1) throws -> (process: ChildProcess, port: Int) {
        let said = "\(folder)/server-\(number).said"
        let program = URL(filePath: Tool.debug).deletingLastPathComponent().appending(path: "oracy-server").path
        let process = try start(
            program, ["--development", "--port", "\(port)", "--data", folder + "/backend"],
            environment: ["PATH": "/usr/bin:/bin", "HOME": folder],
            streams: .init(output: said, errors: "\(folder)/server-\(number).errors"))
        let line = Patience.poll {
            let text = (try? String(contentsOfFile: said, encoding: .utf8)) ?? ""
            return text.hasSuffix("/\n") || process.status != nil ? text : nil
        }
        return (process, try #require(line?.split(separator: ":").last.flatMap { Int($0.dropLast(2)) }))
    }
}
