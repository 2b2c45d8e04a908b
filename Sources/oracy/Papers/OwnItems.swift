import ExamKit
import FoundationEssentials
import Papers
import SystemSupport

/// A user's own items: a file each in a folder.
struct OwnItems {
    var items: [BankItem] = []

    /// - Throws: `Problem.malformed` with the file and what is wrong in it, also where a rule objects.
    init(in folder: String) throws(Problem) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
            let path = "\(folder)/\(name)"
            let item = try ItemBank.item(from: PrivateFile.read(path), name: path)
            if let finding = item.findings.first {
                throw Problem(.malformed, "\(path): \(finding.sentence); `oracy papers lint` shows all")
            }
            items.append(item)
        }
    }
}
