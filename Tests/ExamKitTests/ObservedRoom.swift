import AudioFiles
import ExamCore
import Synchronization

@testable import ExamKit

/// A room made of recordings in which somebody watches what is shown and listens to the microphone, and a fan runs for a while.
struct ObservedRoom: ExamRoom {
    var room: ReplayRoom
    /// The fan, and until when it runs.
    var fan: (hiss: Hiss, until: ExamTime)?
    /// Gets each block of the microphone.
    var hear: @Sendable (AudioBlock) -> Void = { _ in }
    var watch: @Sendable (SessionView) -> Void

    mutating func next() throws -> Moment? {
        var moment = try room.next()
        if case .heard(var block) = moment?.what, var fan, moment!.at < fan.until {
            fan.hiss.add(to: &block)
            self.fan = fan
            moment!.what = .heard(block)
        }
        if case .heard(let block) = moment?.what { hear(block) }
        return moment
    }
    mutating func play(_ prompt: Prompt) { room.play(prompt) }
    mutating func stopPlaying() { room.stopPlaying() }
    mutating func show(_ view: SessionView) {
        watch(view)
        room.show(view)
    }
}

/// What was shown, in order.
final class Views: Sendable {
    private let views = Mutex<[SessionView]>([])

    var all: [SessionView] { views.withLock { $0 } }

    /// The problem of each view, each change of it once; nil: there was none.
    var problems: [String?] {
        all.map(\.problem).reduce(into: []) { problems, problem in
            if problems.last != .some(problem) { problems.append(problem) }
        }
    }

    @Sendable func add(_ view: SessionView) {
        views.withLock { $0.append(view) }
    }
}
