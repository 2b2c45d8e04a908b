import ArgumentParser

/// The options that choose the questions of a test.
struct TestArguments: ParsableArguments {
    @Option(help: "Ask about this topic: food, travel. Repeatable. Without it: all topics.")
    var topic: [String] = []

    @Option(help: "Ask questions of this difficulty: easy, medium or hard. Default: mixed.")
    var difficulty: WantedDifficulty?
}
