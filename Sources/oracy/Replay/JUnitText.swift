import ExamCore
import SystemSupport

/// The results of many scenarios as a JUnit report, in the XML that Jenkins and GitLab read.
struct JUnitText {
    let text: String

    init(_ report: ReplaysReport) {
        let suite = report.folder.split(separator: "/").last.map(String.init) ?? report.folder
        let counts = Self.attributes([
            ("tests", "\(report.verdicts.count)"), ("failures", "\(report.differing)"),
            ("errors", "\(report.unusable)"),
            ("skipped", "\(report.notCompared)"), ("time", Self.seconds(report.elapsed)),
        ])
        let cases = report.verdicts.map { verdict in
            let place = [
                ("classname", suite), ("name", verdict.name), ("time", Self.seconds(verdict.elapsed)),
            ]
            let head = "    <testcase\(Self.attributes(place))"
            return Self.element(of: verdict.result).map { "\(head)>\n      \($0)\n    </testcase>" } ?? "\(head)/>"
        }
        let lines =
            [
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
                "<testsuites\(Self.attributes([("name", "oracy replay")]))\(counts)>",
                "  <testsuite\(Self.attributes([("name", suite)]))\(counts)>",
            ] + cases + ["  </testsuite>", "</testsuites>"]
        text = lines.joined(separator: "\n") + "\n"
    }

    /// Returns the element for a test that did not pass; nil if it passed.
    private static func element(of result: ReplayVerdict.Result) -> String? {
        switch result {
        case .passed, .updated: return nil
        case .notCompared: return "<skipped\(attributes([("message", "has no expected.log")]))/>"
        case .failed(let problem):
            let name = problem.kind == .differs ? "failure" : "error"
            let first = problem.sentence.split(separator: "\n").first.map(String.init) ?? ""
            let about = attributes([("message", first), ("type", "\(problem.kind)")])
            return "<\(name)\(about)>\(XMLNode.escaped(problem.sentence))</\(name)>"
        }
    }

    private static func attributes(_ pairs: [(name: String, value: String)]) -> String {
        pairs.map { " \($0.name)=\"\(XMLNode.escaped($0.value))\"" }.joined()
    }

    private static func seconds(_ span: Duration) -> String {
        let thousandths = String(span.milliseconds % 1000 + 1000).dropFirst()
        return "\(span.milliseconds / 1000).\(thousandths)"
    }
}
