import Foundation
import Learning
package import Study
package import SystemSupport

/// The operator's own packs of questions, `packs/*.json` beside custom formats and papers. All learners practise them,
/// and tests draw from them. `oracy practice import` makes such files from those of other programs.
package enum ServerPacks {
    /// Reads the packs.
    ///
    /// - Parameter folder: the folder of `--exams`. Nil for none.
    /// - Returns: all material to practise, with the packs that come with Oracy.
    /// - Throws: `Problem.malformed`, with file and line or field, if a file is invalid or a pack's id is taken.
    package static func content(in folder: String?) throws(Problem) -> PracticeContent {
        let folder = folder.map { "\($0)/packs" }
        let names = folder.flatMap { try? FileManager.default.contentsOfDirectory(atPath: $0) } ?? []
        var packs: [QuestionPack] = []
        for name in names.sorted() where name.hasSuffix(".json") && !name.hasPrefix(".") {
            let file = "\(folder ?? "")/\(name)"
            let pack = try QuestionPack.read(from: PrivateFile.read(file), name: file)
            let isTaken = PracticeContent.builtIn.catalogue.pack(pack.id) != nil || packs.contains { $0.id == pack.id }
            if isTaken || pack.id == MendedSentences.pack {
                throw Problem(
                    .malformed, "\(file): id: there is another pack called \"\(pack.id)\"; give it an id of its own")
            }
            packs.append(pack)
        }
        return packs.isEmpty ? .builtIn : PracticeContent(own: packs)
    }
}
