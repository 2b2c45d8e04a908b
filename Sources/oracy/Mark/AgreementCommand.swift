import ArgumentParser
import Assessment
import SessionFolders
import Study
import StudyFolders
import SystemSupport

struct AgreementCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agreement",
        abstract: "Show how far markers of the same sessions agree on this machine, and machines with them.",
        discussion: """
            Of people, only the first two markers of a session count. Kappa: 1 is full agreement, 0 is chance. --fit \
            writes rules with each machine's error, for --rules of results, report and mark: estimates get as wide as \
            the machine was wrong.
            """
    )

    @OptionGroup var marking: RulesArguments

    @Option(help: ArgumentHelp("Write rules with the machines' errors into this file.", valueName: "file"))
    var fit: String?

    @Flag(help: "Print the figures as JSON.")
    var json = false

    func run() async throws {
        try await failing {
            let rules = try marking.read()
            var (marked, pairs): ([[MarkSheet]], [SourceAgreement.Pair]) = ([], [])
            let shelf = SessionShelf()
            for session in shelf.list() {
                do throws(Problem) {
                    let sheets = try session.folder.readMarks()
                    marked.append(sheets)
                    guard !sheets.isEmpty else { continue }
                    let dossier = try await ExamDossier.of(
                        session.folder, on: .user(shelf, with: session.folder), by: rules)
                    pairs += dossier.comparedMarks(by: rules)
                } catch {
                    complain(error.sentence)
                }
            }
            let people = Dictionary(
                uniqueKeysWithValues: Criterion.allCases.map {
                    ($0, MarkerAgreement.make(of: marked, on: $0, needed: rules.leastExamsForAgreement))
                })
            let machines = SourceAgreement.all(of: pairs, needed: rules.leastExamsForAgreement)
            if let fit { try write(rules, machines, to: fit) }
            print(
                json
                    ? JSONText.of(AgreementReport(people: people, machines: machines))
                    : (Self.text(people) + Self.text(machines)).joined(separator: "\n"), whole: json)
        }
    }

    private func write(
        _ rules: ResultRules, _ machines: [SourceAgreement], to file: String
    ) throws(Problem) {
        guard machines.contains(where: { $0.error != nil }) else {
            throw Problem(
                .missing,
                "No machine can be compared yet. It must have marked \(rules.leastExamsForAgreement) exams that people "
                    + "marked, too.")
        }
        try OutputFile.checkPlace(file)
        try PrivateFile.replace(
            file, with: JSONFile.encode(rules.refitted(to: machines, id: rules.id + "+fit")))
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

    /// The table that compares machines with people. Empty if both marked no exam.
    static func text(_ machines: [SourceAgreement]) -> [String] {
        guard !machines.isEmpty else { return [] }
        let rows = machines.map { one in
            [
                one.source, one.trait.rawValue, "\(one.exams)",
                one.error.map { ($0.lead < 0 ? "-" : "+") + abs($0.lead).asMark } ?? "-",
                one.error?.margin.asMark ?? "-", one.held.map { "\(Int(($0 * 100).rounded())) %" } ?? "-",
            ]
        }
        return [""] + ([["machine", "of", "exams", "higher by", "80 % within", "held"]] + rows).columns(right: 2...5)
    }
}

/// The output of `oracy agreement --json`: a figure for each criterion, and the machines.
struct AgreementReport: Encodable {
    var people: [Criterion: MarkerAgreement]
    var machines: [SourceAgreement]

    private enum CodingKeys: String, CodingKey {
        case machines
    }

    func encode(to encoder: any Encoder) throws {
        try people.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(machines, forKey: .machines)
    }
}
