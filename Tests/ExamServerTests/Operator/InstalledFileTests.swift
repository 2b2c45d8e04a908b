import ArgumentParser
import Foundation
import Testing

@testable import oracy_server

/// `/etc/oracy/server.conf`, as Debian's package installs it.
@Suite struct InstalledFileTests {
    private static let path = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../packaging/server.conf").standardized.path

    /// Returns each option of the file, set or commented out.
    private static func lines() throws -> [(name: String, value: String, isSet: Bool)] {
        try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
            line.wholeMatch(of: #/(#?)([a-z-]+) = (.+)/#).map { (String($0.2), String($0.3), $0.1.isEmpty) }
        }
    }

    @Test func everyOptionStandsThereOnce() throws {
        let names = try Self.lines().map(\.name)
        let all = OptionName.allCases.map(\.rawValue) + SecretName.allCases.map(\.rawValue)
        #expect(names.sorted() == all.sorted())
    }

    @Test func asInstalledItServesThisMachineAlone() throws {
        let found = try OptionSources(["--config", Self.path], environment: [:])
        let server = try Serve.parse(found.arguments)
        #expect(server.options.signingIn.development)
        #expect(server.options.place.isLoopback)
        #expect(server.options.storage.folder == "/var/lib/oracy-server")
        #expect(try Self.lines().filter(\.isSet).map(\.name) == ["development", "data"])
    }

    /// The examples in comments are valid settings.
    @Test func everyExampleCanBeUsed() throws {
        let signIn = ["development", "jwks", "token-secret", "sign-in"]
        let lines = try Self.lines().filter { SecretName(rawValue: $0.name) == nil }
        #expect(lines.count > 10)
        for line in lines {
            let option = try #require(OptionName(rawValue: line.name))
            let environment = [option.variable: line.value]
            let alone = signIn.contains(line.name) ? [] : ["--development"]
            #expect(throws: Never.self, "\(line.name)") {
                _ = try Serve.parse(try OptionSources(alone, environment: environment).arguments)
            }
        }
    }
}
