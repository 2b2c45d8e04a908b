import AudioFiles
import ExamCore
import Synchronization

@testable import ExamKit

/// A room made of recordings that passes on the views and the microphone's sound, and contains a fan that runs for a
/// while.
struct ObservedRoom: ExamRoom {
    var room: ReplayRoom
    /// The fan, and the time until which it runs.
    var fan: (hiss: Hiss, until: ExamTime)?
    /// Called with each block of the microphone.
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

/// The views that were shown, in order.
final class Views: Sendable {
    private let views = Mutex<[SessionView]>([])

    var all: [SessionView] { views.withLock { $0 } }

    /// The problems of the views, without repetitions; nil if a view has no problem.
    var problems: [String?] {
        all.map(\.problem).reduce(into: []) { problems, problem in
            if problems.last != .some(problem) { problems.append(problem) }
        }
    }

    @Sendable func add(_ view: SessionView) {
        views.withLock { $0.append(view) }
    }
}
