import ExamCore
import Foundation

extension PageRoutes {
    /// The page's files by their paths in its folder. No other files can be requested.
    static let files: [String: [UInt8]] = {
        let (folder, base64) = ("Page/", ".base64")
        // The description of the routes is also a resource of this target, but has its own route.
        var files = Dictionary(
            uniqueKeysWithValues: zip(PackageResources.paths, PackageResources.all)
                .filter { path, _ in path.hasPrefix(folder) }
                .map { path, file in (String(path.dropFirst(folder.count)), file.bytes) })
        // Only text is embedded.
        for (path, text) in files where path.hasSuffix(base64) {
            files[path] = nil
            files[String(path.dropLast(base64.count))] = Data(
                base64Encoded: Data(text), options: .ignoreUnknownCharacters
            ).map(Array.init)
        }
        for part in ["plan/plan.html", "practice/practice.html"] { files[part] = nil }
        files["index.html"] = index
        files["kit/troubles.js"] = troubles
        return files
    }()

    /// The page with its bundled scripts and style sheets, and these bundles by their paths, which contain digests.
    static let bundled: (index: [UInt8], files: [String: [UInt8]]) = {
        let modules = files.filter { $0.key.hasSuffix(".js") }.mapValues { String(decoding: $0, as: UTF8.self) }
        var made: [String: [UInt8]] = [:]
        let index = String(decoding: files["index.html"] ?? [], as: UTF8.self)
            .replacing(/(src|href)="\/page\/([^"]+)\.(js|css|svg|webmanifest)"/) { match in
                let path = "\(match.2).\(match.3)"
                // A test bundles everything. A script that cannot be bundled still works by its modules.
                guard
                    let bytes = match.3 == "js"
                        ? (try? PageBundle.script(of: path, in: modules)).map({ Array($0.utf8) }) : files[path]
                else { return String(match.0) }
                let address = "\(match.2).\(StaticFile.digest(of: bytes)).\(match.3)"
                made[address] = bytes
                return "\(match.1)=\"/page/\(address)\""
            }
        return (Array(index.utf8), made)
    }()

    /// The script by which a browser keeps this version of the page. It changes whenever anything in the page does.
    static let worker: [UInt8] = {
        let files = bundled.files.keys.sorted().map { "\"/page/\($0)\"" }.joined(separator: ", ")
        return Array(
            String(decoding: PackageResources.worker_js, as: UTF8.self)
                .replacing("\"pageVersion\"", with: "\"page-\(StaticFile.digest(of: bundled.index))\"")
                .replacing("\"pageFiles\"", with: files).utf8)
    }()

    /// The page with the screens of practice and plans, and the message for a page whose scripts are missing.
    private static let index: [UInt8] = {
        let words = Advice.named("pageBroken")?.text ?? ""
        let practice = String(decoding: PackageResources.practice_html, as: UTF8.self)
        let plan = String(decoding: PackageResources.plan_html, as: UTF8.self)
        return Array(
            String(decoding: PackageResources.index_html, as: UTF8.self).replacing(">pageBroken<", with: ">\(words)<")
                .replacing("  <!-- practice.html -->\n", with: practice).replacing("  <!-- plan.html -->\n", with: plan)
                .utf8)
    }()

    /// The descriptions of problems, in the same words as in the terminal.
    private static let troubles: [UInt8] = {
        let words = Advice.all.map { name, advice in
            "    \(name): { title: \(quoted(advice.cause)), detail: \(quoted(advice.remedy)) },\n"
        }
        return Array("/** Made by the server from `Advice`. */\nexport const troubles = {\n\(words.joined())};\n".utf8)
    }()

    private static func quoted(_ text: String) -> String {
        // Encoding fails only for invalid Unicode.
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
