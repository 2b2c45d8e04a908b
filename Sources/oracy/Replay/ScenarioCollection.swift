import FoundationEssentials
import SystemSupport

/// The scenarios in a folder, each in its own subfolder.
struct ScenarioCollection: Sendable {
    let folder: String
    /// The names of their folders, in order. There is at least one.
    let names: [String]

    /// Finds the scenarios. A folder with only an `expected.log` counts too: its scenario was lost, and the user should
    /// notice.
    ///
    /// - Throws: `Problem.missing` if the folder doesn't exist or contains no scenario.
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
        let advice =
            holdsScenario(folder)
            ? "it is a scenario itself; leave out --all" : "name a folder that holds their folders"
        throw Problem(.missing, "\(folder): holds no scenarios; \(advice)")
    }
}
