import ExamKit
import FoundationEssentials

/// The scenarios that lie in a folder, each in one of its own.
struct ScenarioCollection: Sendable {
    let folder: String
    /// Of their folders, in order. At least one.
    let names: [String]

    /// A folder with an `expected.log` alone counts, too: its scenario was lost, and somebody should hear of it.
    ///
    /// - Throws: `Problem.missing` where the folder is not there or holds no scenario.
    init(_ folder: String) throws(Problem) {
        self.folder = folder
        let files = FileManager.default
        func holdsScenario(_ path: String) -> Bool {
            ["scenario.json", "expected.log"].contains { files.fileExists(atPath: "\(path)/\($0)") }
        }
        guard let found = try? files.contentsOfDirectory(atPath: folder) else {
            throw Problem(.missing, "\(folder): there is no such folder")
        }
        names = found.filter { holdsScenario("\(folder)/\($0)") }.sorted()
        guard names.isEmpty else { return }
        let advice = holdsScenario(folder) ? "it is one; leave out --all" : "name a folder that holds their folders"
        throw Problem(.missing, "\(folder): holds no scenarios; \(advice)")
    }
}
