/// Decides the order of an installation's steps: facts in, the next step out.
///
/// ```
/// refuse? → fetch each file → make each part → try → finish
/// ```
///
/// If a file cannot be fetched, the next way to make its part is tried. Parts that the present installation has are
/// kept.
package struct AddOnInstall: Equatable, Sendable {
    /// The parts in the order in which to make them.
    package let parts: [AddOnPart]
    /// The features that the processor must have, as `/proc/cpuinfo` names them.
    package let features: Set<String>
    /// The bytes that the installation needs on the disk while it is made, besides the files to fetch.
    package let workBytes: Int
    private let files: [String: AddOnFile]

    package init(
        _ parts: [AddOnPart], features: Set<String> = [], workBytes: Int, files: [String: AddOnFile] = AddOnList.files
    ) {
        self.parts = parts
        self.features = features
        self.workBytes = workBytes
        self.files = files
    }

    /// The facts on which the next step depends.
    package struct Facts: Equatable, Sendable {
        /// The features of this machine's processor.
        package var features: Set<String> = []
        package var freeBytes = 0
        /// The ids of the files that were fetched and have the right content.
        package var stored: Set<String> = []
        /// The reasons why files cannot be fetched or used, by their ids.
        package var failures: [String: String] = [:]
        /// The parts that the present installation has, with the right content.
        package var installed: Set<String> = []
        /// The parts that are in the new folder.
        package var made: Set<String> = []
        package var isTried = false

        package init() {}
    }

    /// The next thing to do.
    package enum Step: Equatable, Sendable {
        /// Stop: one sentence that says why, and what the user may do.
        case refuse(String)
        /// Fetch a file.
        case fetch(String)
        /// Copy a part from the present installation.
        case keep(String)
        /// Make a part from its files.
        case make(part: String, AddOnPart.Way)
        /// Try what was made.
        case attempt
        /// Put the new folder in the place of the old one.
        case finish
    }

    /// Returns the next step.
    package func next(_ facts: Facts) -> Step {
        let lacking = features.subtracting(facts.features).sorted()
        if !lacking.isEmpty {
            return .refuse("this processor lacks \(lacking.joined(separator: ", "))")
        }
        var (toFetch, firstToFetch, firstToMake) = (0, String?.none, Step?.none)
        for part in parts where !facts.made.contains(part.name) {
            if facts.installed.contains(part.name) {
                if firstToMake == nil { firstToMake = .keep(part.name) }
                continue
            }
            guard let way = part.ways.first(where: { $0.files.allSatisfy { facts.failures[$0] == nil } }) else {
                return .refuse(reason(for: part, facts))
            }
            let missing = way.files.filter { !facts.stored.contains($0) }
            for id in missing { toFetch += files[id]?.byteCount ?? 0 }
            if firstToFetch == nil { firstToFetch = missing.first }
            if firstToMake == nil { firstToMake = .make(part: part.name, way) }
        }
        if let first = firstToFetch {
            let needed = toFetch + workBytes
            return facts.freeBytes < needed
                ? .refuse("the disk has \(megabytes(facts.freeBytes)) free, and \(megabytes(needed)) are needed")
                : .fetch(first)
        }
        // Everything is fetched before the first part is made.
        if let firstToMake { return firstToMake }
        return facts.isTried ? .finish : .attempt
    }

    /// Returns the failures of a part's files. If there are several ways, all of them have failed.
    private func reason(for part: AddOnPart, _ facts: Facts) -> String {
        var reasons: [String] = []
        for id in part.ways.flatMap(\.files) {
            if let reason = facts.failures[id], !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.isEmpty ? "there is no \(part.name) for this machine" : reasons.joined(separator: "\n")
    }

    private func megabytes(_ bytes: Int) -> String { "\((bytes + 999_999) / 1_000_000) MB" }
}
