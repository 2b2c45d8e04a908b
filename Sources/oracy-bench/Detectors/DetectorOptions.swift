/// The options of `oracy-bench vad`.
struct DetectorOptions {
    /// The path of the report in Markdown, which is also printed.
    var output: String?
    /// The path of the figures in JSON.
    var json: String?
    var peers = Peer.all
    /// Only rows whose title contains this text.
    var rows: String?
    /// The folder with the numbers of each fold. Each recording is then heard with numbers that were fitted without its
    /// speaker. Nil to use the built-in numbers.
    var folds: String?
    /// The command line.
    let command: String

    init(_ words: [String]) {
        command = (["oracy-bench", "vad"] + words).map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
        var words = words[...]
        while let option = words.popFirst() {
            switch (option, words.popFirst()) {
            case ("--output", let path?): output = path
            case ("--json", let path?): json = path
            case ("--rows", let text?): rows = text
            case ("--folds", let path?): folds = path
            case ("--peers", "all"?): peers = Peer.all
            case ("--peers", "none"?): peers = []
            case ("--peers", let names?): peers = names.split(separator: ",").map { Self.peer(String($0)) }
            default:
                fail(
                    "vad takes --output FILE, --json FILE, --rows TEXT, --folds FOLDER and --peers none, all or names, not \(option)",
                    code: 64)
            }
        }
    }

    private static func peer(_ name: String) -> Peer {
        guard let peer = Peer.all.first(where: { $0.name == name }) else {
            fail("--peers takes none, all or \(Peer.all.map(\.name).joined(separator: ",")), not \(name)", code: 64)
        }
        return peer
    }
}
