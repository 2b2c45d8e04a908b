import Learning
import Papers
import StudyFolders

/// A drill on the full screen of a terminal.
struct DrillScreen {
    let run: DrillRun
    let voice: DrillVoice

    /// - Returns: Whether the drill was finished.
    func hold() async throws -> Bool {
        let (actions, put) = AsyncStream.makeStream(of: DrillDesk.Action.self)
        let screen = FullScreen(DrillDesk()) { action, _, _ in if let action { put.yield(action) } }
        defer { screen.close() }
        var isFinished = try await show(run.begin(), on: screen)
        for await action in actions {
            switch action {
            case .leave:
                if !isFinished { _ = try run.handle(.leave) }
                return isFinished
            case .listen: await listen(on: screen)
            // Keys that were pressed before the next question appeared don't answer it.
            case .next where run.drill.phase != .asking: isFinished = try await show(run.handle(.next), on: screen)
            case .answer(let answer) where run.drill.phase == .asking:
                do {
                    isFinished = try await show(run.answer(answer), on: screen)
                } catch is IllegalEvent {
                    screen.change { $0.advise(run.drill.question?.asked.howToAnswer ?? "") }
                }
            case .next, .answer: continue
            }
        }
        return isFinished
    }

    /// - Returns: Whether the drill is finished.
    private func show(_ commands: [Drill.Command], on screen: FullScreen<DrillDesk>) async throws -> Bool {
        for command in commands {
            switch command {
            case .show(let question): screen.change { $0.show(question) }
            case .ask(let question):
                screen.change { $0.ask(question, DrillText.place(run.drill, of: run.catalogue)) }
                await listen(on: screen)
            case .explain(let verdict, let question): screen.change { $0.explain(verdict, question) }
            case .goOn(let seconds):
                try await Task.sleep(for: .seconds(seconds))
                return try await show(run.handle(.next), on: screen)
            case .finish(let summary):
                screen.change { $0.finish(DrillText.finished(summary, run.history, at: .now)) }
                return true
            case .keep: break
            }
        }
        return false
    }

    private func listen(on screen: FullScreen<DrillDesk>) async {
        guard let question = run.drill.question else { return }
        await voice.say(question) { sentence in screen.change { $0.advise(sentence) } }
    }
}
