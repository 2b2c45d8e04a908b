import ArgumentParser
import Assessment
import SessionFolders
import SystemSupport

struct AgreementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agreement",
        abstract: "Show how far markers of the same sessions agree on this machine.",
        discussion:
            "Only the first two markers of a session count. Kappa: 1 is full agreement, 0 is chance."
    )

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func run() async throws {
        try await failing {
            var marked: [[MarkSheet]] = []
            for session in SessionShelf().list() {
                do throws(Problem) {
                    marked.append(try session.folder.readMarks())
                } catch {
                    complain(error.sentence)
                }
            }
            let agreements = Dictionary(
                uniqueKeysWithValues: Criterion.allCases.map { ($0, MarkerAgreement.make(of: marked, on: $0)) })
            print(json ? JSONText.of(agreements) : Self.text(agreements).joined(separator: "\n"), whole: json)
        }
    }

    static func text(_ agreements: [Criterion: MarkerAgreement]) -> [String] {
        var rows = [["", "exams", "apart by", "kappa"]]
        for criterion in Criterion.allCases {
            guard let agreement = agreements[criterion] else { continue }
            rows.append([
                criterion.title, "\(agreement.exams)", agreement.meanDifference?.asMark ?? "-",
                agreement.kappa.map { ($0 < 0 ? "-" : "") + abs($0).asMark } ?? "-",
            ])
        }
        let needed = agreements.values.map(\.needed).max() ?? 0
        let isShort = agreements.values.contains { $0.exams < $0.needed }
        let note = isShort ? ["", "Figures need at least \(needed) exams that two people have marked."] : []
        return rows.columns(right: 1...3) + note
    }
}
