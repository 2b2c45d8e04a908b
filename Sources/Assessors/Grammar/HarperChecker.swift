public import Assessment
import FoundationEssentials
import Glibc
import Subprocess
import SystemPackage
public import SystemSupport

/// Harper (writewithharper.com, Apache-2.0), a grammar checker that needs no network: PyPI's `harper-py` in a Python of its own process.
///
/// Of 25 mistakes of learners it finds about half, and raises no false alarm in 30 right sentences (`Tests/AssessorsTests/Grammar`).
public struct HarperChecker: LanguageChecking {
    /// A Python that has `harper-py`: a name, or a path.
    public var python: String
    private let time: Duration

    /// - Parameter time: after which it is ended.
    public init(python: String = "python3", time: Duration = LanguageCheckLimits.time) {
        self.python = python
        self.time = time
    }

    /// Reads the text from standard input, so that no list of processes shows it. Harper counts in Unicode scalars, as Python does.
    private static let program = """
        import importlib.metadata, json, sys
        import harper
        text = sys.stdin.buffer.read().decode()
        found = [
            {"start": lint.span.start, "end": lint.span.end, "kind": str(lint.lint_kind),
             "corrections": [each.replacement_text for each in lint.suggestions if each.kind == harper.SuggestionKind.REPLACE]}
            for lint in harper.Linter().lint(text, language=harper.Language.PLAINTEXT)]
        json.dump({"version": importlib.metadata.version("harper-py"), "found": found}, sys.stdout)
        """

    private struct Answer: Decodable {
        var version: String
        var found: [Found]

        struct Found: Decodable {
            var start, end: Int
            var kind: String
            var corrections: [String]
        }
    }

    /// Kinds of what is written and not heard.
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
        // A file and no pipe: a program that ends before it reads would break one.
        let input = NamelessFile.open()
        guard input >= 0 else { throw PrivateFile.unwritable(NamelessFile.folder) }
        defer { close(input) }
        guard PrivateFile.writeAll(Array(text.utf8), to: input), lseek(input, 0, SEEK_SET) == 0 else {
            throw PrivateFile.unwritable(NamelessFile.folder)
        }
        let (python, time) = (python, time)
        let outcome: String? = await withTaskGroup(of: String?.self) { group in
            group.addTask {
                let run = try? await Subprocess.run(
                    python.contains("/") ? .path(.init(python)) : .name(python),
                    arguments: ["-I", "-c", Self.program],
                    input: .fileDescriptor(.init(rawValue: input), closeAfterSpawningProcess: false),
                    output: .string(limit: LanguageCheckLimits.answer), error: .discarded)
                guard let run, case .exited(0) = run.terminationStatus else { return nil }
                return run.standardOutput
            }
            group.addTask {
                try? await Task.sleep(for: time)
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        guard let outcome else {
            throw Problem(
                .unavailable,
                "\(python): harper-py gives no answer; install it (pip install harper-py), or name a Python that has it: "
                    + "ORACY_GRAMMAR=harper:/path/to/python")
        }
        return outcome
    }
}

extension String {
    /// `WordChoice` → `word choice`
    fileprivate var inWords: String {
        reduce(into: "") { words, letter in
            if letter.isUppercase && !words.isEmpty { words += " " }
            words += letter.lowercased()
        }
    }
}
