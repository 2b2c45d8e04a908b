import Foundation
import Glibc
import HTTPClient
import LoopbackServers
import StoreTrials
import TestSupport
import Testing

@testable import ExamNode
@testable import ExamServer
@testable import VirtualDevices

/// The files in docs/operating for administrators of a server: a dashboard, alerts and a proxy's settings.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct OperatingFiles {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    static func text(_ name: String) throws -> String {
        try String(contentsOf: root.appending(path: "docs/operating/\(name)"), encoding: .utf8)
    }

    /// Returns the metrics that queries name. The parts of a histogram count as the histogram.
    private static func metrics(in queries: String) -> Set<String> {
        Set(
            queries.matches(of: /oracy_[a-z_]+/).map { match in
                let name = String(match.output)
                return ["_bucket", "_sum", "_count"].first { name.hasSuffix($0) }.map {
                    String(name.dropLast($0.count))
                }
                    ?? name
            })
    }

    private static let known = Set(ServerMetrics.Name.allCases.map(\.rawValue))

    @Test func theDashboardQueriesExistingMetrics() throws {
        let dashboard = try #require(
            try JSONSerialization.jsonObject(with: Data(Self.text("grafana.json").utf8)) as? [String: Any])
        let panels = try #require(dashboard["panels"] as? [[String: Any]])
        var asked: Set<String> = []
        for panel in panels {
            let queries = (panel["targets"] as? [[String: Any]] ?? []).compactMap { $0["expr"] as? String }
            let named = Self.metrics(in: queries.joined(separator: " "))
            #expect(!named.isEmpty && named.isSubset(of: Self.known), "\(panel["title"] ?? "") asks for \(named)")
            asked.formUnion(named)
        }
        #expect(asked == Self.known, "no panel shows \(Self.known.subtracting(asked))")
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
    }

    @Test func alertsQueryExistingMetricsAndNameTheRemedy() throws {
        let alerts = try Self.text("alerts.yml")
        let rules = alerts.components(separatedBy: "- alert: ").dropFirst()
        let runbook = try String(contentsOf: Self.root.appending(path: "docs/operating.md"), encoding: .utf8)
        let headings = Set(
            runbook.split(separator: "\n").filter { $0.hasPrefix("## ") }.map {
                $0.dropFirst(3).lowercased().filter { $0.isLetter || " -".contains($0) }.replacing(" ", with: "-")
            })
        #expect(rules.count > 10)
        for rule in rules {
            let name = rule.prefix { !$0.isNewline }
            #expect(Self.metrics(in: rule).isSubset(of: Self.known), "\(name)")
            let anchor = rule.firstMatch(of: /runbook: docs\/operating\.md#([a-z-]+)/).map { String($0.1) }
            #expect(headings.contains(anchor ?? ""), "\(name) leads to \(anchor ?? "nothing")")
        }
    }

    /// Checks the queries against `/metrics` of a running server, and not only against the list of names.
    @Test func aServerReportsTheQueriedMetrics() async throws {
        try await withDen { den in
            let server = try OperatedServer(["--development", "--port", "0", "--data", "FOLDER/data"], in: den)
            let told = try fetch(server.address(), "GET", "/metrics").text
            for name in Self.metrics(in: try Self.text("grafana.json") + Self.text("alerts.yml")) {
                #expect(told.contains("# TYPE \(name) "), "\(name)")
            }
            #expect(told.firstMatch(of: /\noracy_free_bytes \d{6,}/) != nil && told.contains("\noracy_draining 0.0\n"))
            #expect(try server.stop() == 0)
        }
    }

    @Test(.needs(Trials.obstacle(to: "yaml"))) func theAlertsAreYAML() async throws {
        let path = Self.root.appending(path: "docs/operating/alerts.yml").path
        let script = """
            import sys, yaml
            rules = [rule for group in yaml.safe_load(open(sys.argv[1]))["groups"] for rule in group["rules"]]
            assert all(rule["alert"] and rule["expr"] and rule["annotations"]["summary"] for rule in rules)
            assert {rule["labels"]["severity"] for rule in rules} == {"page", "ticket"}
            print(len(rules))
            """
        let parsed = await Trials.run(Trials.folder + "/bin/python", ["-c", script, path])
        #expect(parsed.status == 0, "\(parsed.said)")
    }

    // MARK: - nginx

    /// An exam is sat through the file itself. Only names are replaced and TLS is left out, which this suite's
    /// WebSocket doesn't have.
    @Test(.needs(Nginx.obstacle)) func anExamIsSatThroughNginx() async throws {
        let ann = try await OperatedLearner()
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(OperatedLearner.options() + ["--allow-host", "127.0.0.1"], in: den)
            let port = try #require(freePort())
            let site = try Nginx.site(
                try Self.text("nginx.conf"), at: port, in: den, upstream: "server 127.0.0.1:\(try server.port());")
            let nginx = try Nginx(site, in: den)
            let url = "http://127.0.0.1:\(port)"
            let ready = try nginx.answer { try? fetch(url, "GET", "/ready") }
            #expect(ready.status == 200, "\(ready.text) \(nginx.errors)")
            #expect(try fetch(url, "GET", "/metrics").status == 404)
            let made = try fetch(
                url, "POST", "/v1/exams",
                json: #"{"format":"pocket","paper":"pocket","mode":"practice","consent":true}"#,
                as: ann.user)
            #expect(made.status == 201, "\(made.text)")
            let id = try #require((made.object["session"] as? String).flatMap(UUID.init))
            let live = try #require(LiveToken((made.object["live"] as? [String: String])?["token"] ?? ""))
            let client = try ReplayClient(
                .init(session: id, token: live, prepared: ann.sitting), ann.scenario, port: port)
            try client.sit()
            #expect(client.outcome == "completed" && client.connections == 1)
            #expect(try server.stop() == 0)
            // Both logs have the same trace, and nginx's has no path.
            let line = try #require(server.lines.first { $0.contains("exam made") })
            let trace = try #require(line.firstMatch(of: #/ trace=([0-9a-f]{32})/#)).1
            let log = try String(contentsOfFile: den.folder + "/nginx.log", encoding: .utf8)
            #expect(log.contains("POST 201 ") && log.contains("trace=\(trace)") && !log.contains("/v1/"), "\(log)")
        }
    }

    private static let opensslObstacle =
        access("/usr/bin/openssl", X_OK) == 0 ? Nginx.obstacle : "openssl is not installed: apt-get install openssl"

    /// nginx accepts the unchanged file, with TLS.
    @Test(.needs(opensslObstacle)) func nginxTakesTheFileAsItIs() async throws {
        let site = try Self.text("nginx.conf")
        let den = try Den()
        defer { den.clear() }
        let made = await Trials.run(
            "/usr/bin/openssl",
            ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=exams.example.org"]
                + ["-keyout", den.folder + "/privkey.pem", "-out", den.folder + "/fullchain.pem"])
        #expect(made.status == 0, "\(made.said)")
        let there = site.replacing("/etc/ssl/oracy", with: den.folder).replacing("/var/log/nginx", with: den.folder)
        let file = try Nginx.write(there, in: den)
        let tested = await Trials.run("/usr/sbin/nginx", ["-t", "-p", den.folder, "-c", file])
        #expect(tested.status == 0 && !tested.said.contains("[warn]"), "\(tested.said)")
    }
}
