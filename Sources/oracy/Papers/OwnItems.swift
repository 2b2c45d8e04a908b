import FoundationEssentials
import Papers
import SystemSupport

/// A user's own items, one file each in a folder.
struct OwnItems {
    var items: [BankItem] = []

    /// - Throws: `Problem.malformed` with the file and its error. An item that violates a rule is malformed, too.
    init(in folder: String) throws(Problem) {
        for path in Self.files(in: folder) {
            let item = try ItemBank.item(from: PrivateFile.read(path), name: path)
            if let finding = item.findings.first {
                throw Problem(.malformed, "\(path): \(finding.sentence); `oracy papers lint` shows all flaws")
            }
            items.append(item)
        }
    }

    /// Returns the paths of a folder's items; empty if the folder is missing.
    static func files(in folder: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.sorted().filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }.map { "\(folder)/\($0)" }
    }
}
