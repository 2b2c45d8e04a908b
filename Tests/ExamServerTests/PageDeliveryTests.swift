import Foundation
import HTTPClient
import StoreTrials
import Testing

@testable import ExamServer

/// Tests that a browser fetches the page with few requests and few bytes, and only what has changed.
@Suite(.bothStores) struct PageDeliveryTests {
    private static let gzip = [("Accept-Encoding", "gzip, deflate")]
    /// Browsers name it over TLS and on their own machine.
    private static let brotli = [("Accept-Encoding", "gzip, deflate, br, zstd")]

    /// Returns the addresses that the page loads by itself.
    private func addresses(in page: String) -> [String] {
        page.matches(of: /(?:src|href)="(\/page\/[^"]+)"/).map { String($0.1) }
    }

    @Test func thePageIsAFewSmallFilesThatAreKept() async throws {
        let server = try await RunningServer()
        let page = try await server.ask("GET", "/", as: nil)
        #expect(page.header("Content-Encoding") == nil && page.header("Vary") == "Accept-Encoding")
        let addresses = addresses(in: page.text)
        #expect((3...9).contains(addresses.count), "\(addresses)")
        // The first screen needs all of it. At 64 kbit/s, 15 seconds are 120,000 bytes, of which round trips take 2.7:
        // Chromium needed 14.3 seconds for 92,700 bytes.
        for (coding, accepted, most) in [("gzip", Self.gzip, 120_000), ("br", Self.brotli, 98_000)] {
            let compressed = try await server.ask("GET", "/", as: nil, headers: accepted)
            #expect(compressed.header("Content-Encoding") == coding && compressed.body.count < page.body.count / 3)
            var bytes = compressed.body.count
            for address in addresses {
                let file = try await server.ask("GET", address, as: nil, headers: accepted)
                #expect(file.status == 200 && file.header("Content-Encoding") == coding, "\(address)")
                #expect(file.header("Cache-Control") == "public, max-age=31536000, immutable", "\(address)")
                bytes += file.body.count
            }
            #expect(bytes < most, "the page has \(bytes) bytes as \(coding)")
        }
        await server.stop()
    }

    @Test func aVersionThatTheBrowserHasIsNotSentAgain() async throws {
        let server = try await RunningServer()
        for path in ["/", "/page/exam/capture-worklet.js", "/openapi.json"] {
            let tag = try #require(try await server.ask("GET", path, as: nil).header("ETag"))
            let gzipTag = try #require(try await server.ask("GET", path, as: nil, headers: Self.gzip).header("ETag"))
            #expect(tag != gzipTag)
            for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                let again = try await server.ask("GET", path, as: nil, headers: [("If-None-Match", known)])
                #expect(again.status == 304 && again.body.isEmpty && again.header("ETag") == tag, "\(path) \(known)")
            }
            let other = try await server.ask("GET", path, as: nil, headers: [("If-None-Match", "\"other\"")])
            #expect(other.status == 200 && !other.body.isEmpty)
        }
        var tags: Set<String?> = []
        for accepted in [[], Self.gzip, Self.brotli] {
            tags.insert(try await server.ask("GET", "/", as: nil, headers: accepted).header("ETag"))
        }
        #expect(tags.count == 3, "each coding has a tag of its own: \(tags)")
        for refused in ["gzip;q=0", "identity", "gzip; q=0.0, br;q=0"] {
            let plain = try await server.ask("GET", "/", as: nil, headers: [("Accept-Encoding", refused)])
            #expect(plain.header("Content-Encoding") == nil && plain.text.hasPrefix("<!doctype html>"), "\(refused)")
        }
        await server.stop()
    }

    @Test func theWorkerNamesThePagesFilesAndNothingElse() async throws {
        let server = try await RunningServer()
        let page = try await server.ask("GET", "/", as: nil)
        let worker = try await server.ask("GET", "/page/worker.js", as: nil)
        #expect(worker.header("Service-Worker-Allowed") == "/" && worker.header("Cache-Control") == "no-cache")
        let named = worker.text.matches(of: /"(\/page\/[^"]+)"/).map { String($0.1) }
        #expect(Set(named) == Set(addresses(in: page.text)) && !worker.text.contains("/v1"))
        #expect(worker.text.contains("page-\(StaticFile.digest(of: page.body))"))
        await server.stop()
    }

    /// Android and Chromium install the page only if it has icons of these sizes.
    @Test func theManifestNamesIconsThatAreThere() async throws {
        let server = try await RunningServer()
        let manifest = try await server.ask("GET", "/page/app.webmanifest", as: nil).object
        let icons = try #require(manifest["icons"] as? [[String: String]])
        #expect(icons.map { $0["sizes"] } == ["192x192", "512x512", "any"])
        for icon in icons {
            let file = try await server.ask("GET", try #require(icon["src"]), as: nil)
            #expect(file.status == 200 && file.header("Content-Type") == icon["type"])
            guard icon["type"] == "image/png" else { continue }
            // A PNG begins with eight bytes of its own, the length and name of its first chunk, and width and height.
            let size = file.body.dropFirst(16).prefix(8).map { UInt32($0) }
            let (width, height) = (size.prefix(4).reduce(0) { $0 << 8 | $1 }, size.suffix(4).reduce(0) { $0 << 8 | $1 })
            #expect("\(width)x\(height)" == icon["sizes"])
        }
        await server.stop()
    }

    @Test func everyScriptOfThePageIsBundled() throws {
        let index = String(decoding: PageRoutes.bundled.index, as: UTF8.self)
        let scripts = addresses(in: index).filter { $0.hasSuffix(".js") }
        #expect(scripts.count == 2)
        for script in scripts {
            let path = String(script.dropFirst("/page/".count))
            let text = String(decoding: try #require(PageRoutes.bundled.files[path], "\(path)"), as: UTF8.self)
            #expect(
                !text.split(separator: "\n").contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") }, "\(path)")
        }
    }
}

/// Tests of how modules become one script.
@Suite struct PageBundleTests {
    private func script(_ modules: [String: String]) throws(PageBundle.Unsupported) -> String {
        try PageBundle.script(of: "main.js", in: modules)
    }

    @Test func modulesRunOnceAndBeforeThoseThatImportThem() throws {
        let script = try script([
            "main.js":
                "/** Long. */\nimport { one, two as second } from \"./kit/a.js\";\nimport {\n    b,\n} from \"./b.js\";\nb(one, second);",
            "b.js": "import { one } from \"./kit/a.js\";\nexport async function b() { return one; }\n",
            "kit/a.js":
                "// A comment.\nexport const one = 1;\n/** Two. */ /* Or more. */ const two = \"// no comment\";\nexport { two };\nexport class C {}\n",
        ])
        #expect(
            script == """
                const $0 = await (async () => {
                const one = 1;
                const two = "// no comment";
                class C {}
                return { one, two, C };
                })();
                const $1 = await (async () => {
                const { one } = $0;
                async function b() { return one; }
                return { b };
                })();
                const $2 = await (async () => {
                const { one, two: second } = $0;
                const { b } = $1;
                b(one, second);
                return {  };
                })();

                """)
    }

    @Test(arguments: [
        ("import a from \"./a.js\";", "has an import of another form: import a from \"./a.js\";"),
        ("export default 1;", "has an export of another form: export default 1;"),
        ("const a = `one", "has a multi-line template literal: const a = `one"),
        ("export let a = 1;", "has an export of another form: export let a = 1;"),
        ("import { a } from \"./main.js\";", "imports itself by way of others"),
    ])
    func whatItDoesNotKnowIsRefused(text: String, what: String) {
        #expect(throws: PageBundle.Unsupported(module: "main.js", what: what)) { try script(["main.js": text]) }
    }

    @Test func aMissingModuleIsNamed() {
        #expect(throws: PageBundle.Unsupported(module: "kit/a.js", what: "does not exist")) {
            try script(["main.js": "import { a } from \"./kit/a.js\";"])
        }
    }
}
