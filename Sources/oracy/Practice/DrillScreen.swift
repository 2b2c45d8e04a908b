import Learning

/// A drill on the full screen of a terminal.
struct DrillScreen {
    private var drill: DrillAtHand
    private let voice: DrillVoice

    /// Holds a drill until it is finished or the learner leaves it.
    ///
    /// - Returns: The drill in its last state.
    static func hold(_ drill: DrillAtHand, _ voice: DrillVoice) async throws -> DrillAtHand {
        var held = DrillScreen(drill: drill, voice: voice)
        try await held.hold()
        return held.drill
    }

    private mutating func hold() async throws {
        let (actions, put) = AsyncStream.makeStream(of: DrillDesk.Action.self)
        let screen = FullScreen(DrillDesk()) { action, _, _ in if let action { put.yield(action) } }
        defer { screen.close() }
        try await show(on: screen)
        for await action in actions {
            switch action {
            case .leave: return
            case .listen: await listen(on: screen)
            // Keys that were pressed before the next question appeared don't answer it.
            case .next where drill.asked == nil:
                try await drill.next()
                try await show(on: screen)
            case .answer(let answer):
                guard let asked = drill.asked else { continue }
                if try await drill.answer(answer) {
                    try await show(on: screen)
                } else {
                    screen.change { $0.advise(asked.asked.howToAnswer) }
                }
            case .next: continue
            }
        }
    }

    private mutating func show(on screen: FullScreen<DrillDesk>) async throws {
        switch drill.sheet {
        case .shown(let question): screen.change { $0.show(question) }
        case .asked(let question):
            let place = try await drill.place()
            screen.change { $0.ask(question, place) }
            await listen(on: screen)
        case .told(let verdict, let question, let goesOn):
            screen.change { $0.explain(verdict, question) }
            guard goesOn else { return }
            try await Task.sleep(for: .seconds(Drill.autoAdvance))
            try await drill.next()
            try await show(on: screen)
        case .finished:
            let text = try await drill.end()
            screen.change { $0.finish(text) }
        }
    }

    private func listen(on screen: FullScreen<DrillDesk>) async {
        guard let question = drill.asked else { return }
        await voice.say(question) { sentence in screen.change { $0.advise(sentence) } }
    }
}
