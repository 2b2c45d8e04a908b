import ArgumentParser

/// The options for processing and keeping data.
struct KeepingOptions: ParsableArguments {
    @Option(help: "How many sessions to evaluate at a time; 0 leaves that to other nodes.")
    var workers = 1

    @Option(help: "Days to keep a session after its end; then it is erased with its recordings. Default: forever.")
    var retention: Int?

    func validate() throws {
        if let retention, !(1...36_500 ~= retention) {
            throw ValidationError(
                "--retention \(retention): use 1 to 36500 days, or leave it out to keep sessions forever")
        }
        guard 0...1_000 ~= workers else { throw ValidationError("--workers \(workers): use 0 to 1000") }
    }
}
