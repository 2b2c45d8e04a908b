import ExamCore
import Foundation

extension PageRoutes {
    /// Every file of the page, by its name: nothing else can be asked for.
    static let files: [String: [UInt8]] = {
        // What describes the routes lies in this target as well, and is served by a route of its own.
        var files = Dictionary(
            uniqueKeysWithValues: PackageResources.all.filter { !$0.name.hasSuffix(".json") }.map {
                ($0.name, $0.bytes)
            })
        for part in ["plan.html", "practice.html"] { files[part] = nil }
        files["index.html"] = index
        files["troubles.js"] = troubles
        return files
    }()

    /// With the screens of practice and of plans, and the words for a page whose scripts are missing.
    private static let index: [UInt8] = {
        let words = Advice.named("pageBroken")?.text ?? ""
        let practice = String(decoding: PackageResources.practice_html, as: UTF8.self)
        let plan = String(decoding: PackageResources.plan_html, as: UTF8.self)
        return Array(
            String(decoding: PackageResources.index_html, as: UTF8.self).replacing(">pageBroken<", with: ">\(words)<")
                .replacing("  <!-- practice.html -->\n", with: practice).replacing("  <!-- plan.html -->\n", with: plan)
                .utf8)
    }()

    /// What may go wrong, in the words that the terminal has as well.
    private static let troubles: [UInt8] = {
        let words = Advice.all.map { name, advice in
            "    \(name): { title: \(quoted(advice.cause)), detail: \(quoted(advice.remedy)) },\n"
        }
        return Array("/** Made by the server from `Advice`. */\nexport const troubles = {\n\(words.joined())};\n".utf8)
    }()

    private static func quoted(_ text: String) -> String {
        // Only texts that are no Unicode fail.
        (try? JSONEncoder().encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }
}
