public import Assessment
import FoundationEssentials
public import SystemSupport

/// Harper (writewithharper.com, Apache-2.0), a grammar checker that needs no network: `harper-py` from PyPI, in a
/// separate Python process.
///
/// It finds about half of 25 learners' mistakes, and raises no false alarm in 30 correct sentences
/// (`Tests/AssessorsTests/Grammar`).
public struct HarperChecker: LanguageChecking {
    /// A Python with `harper-py`, as a name or a path.
    public var python: String
    /// The folder of `harper-py`, as `oracy words install --grammar` makes it; nil if Python finds it by itself.
    public var packages: String?
    private let time: Duration

    /// Creates a checker.
    ///
    /// - Parameter time: the time after which the process is ended.
    public init(python: String = "python3", packages: String? = nil, time: Duration = LanguageCheckLimits.time) {
        self.python = python
        self.packages = packages
        self.time = time
    }

    /// `harper.py`, passed as an argument. The text is passed through standard input, which keeps it out of the list of
    /// processes.
    private static let program = String(decoding: PackageResources.harper_py, as: UTF8.self)

    private struct Answer: Decodable {
        var version: String
        var found: [Found]

        struct Found: Decodable {
            var start, end: Int
            var kind: String
            var corrections: [String]
        }
    }

    /// The kinds of mistakes that exist only in writing.
    private static let unheard: Set<String> = [
        "Capitalization", "Punctuation", "Spelling", "Typo", "Formatting", "Regionalism", "BoundaryError", "Eggcorn",
    ]
    private static let style: Set<String> = ["Style", "Enhancement", "Readability", "WordChoice", "Redundancy"]

    public func check(_ text: String) async throws(Problem) -> LanguageCheck {
        try LanguageCheckLimits.check(text)
        let said = try await run(text)
        guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(said.utf8)) else {
            throw Problem(.unavailable, "\(python): harper-py answered something else than a check")
        }
        let found = answer.found.filter { !Self.unheard.contains($0.kind) }.compactMap { one in
            one.corrections.first.map {
                FoundMistake(
                    start: one.start, end: one.end, correction: $0, isStyle: Self.style.contains(one.kind),
                    category: one.kind.inWords)
            }
        }
        return LanguageCheck(source: "harper-py \(answer.version)", found, in: text)
    }

    private func run(_ text: String) async throws(Problem) -> String {
        let end = try await ProgramRun.run(
            python, ["-I", "-c", Self.program] + [packages].compactMap(\.self), input: Array(text.utf8), time: time,
            longest: LanguageCheckLimits.answer
        )
        guard case .said(let outcome) = end else {
            throw Problem(
                .unavailable,
                "\(python): harper-py gives no answer; install it (oracy words install --grammar), or name a Python that has it: "
                    + "ORACY_GRAMMAR=harper:/path/to/python")
        }
        return outcome
    }
}

extension String {
    /// The category in words: `WordChoice` → `word choice`
    fileprivate var inWords: String {
        reduce(into: "") { words, letter in
            if letter.isUppercase && !words.isEmpty { words += " " }
            words += letter.lowercased()
        }
    }
}
