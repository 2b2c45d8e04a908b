import Foundation
import SystemSupport
import Testing
import VirtualDevices

/// A clock for tools that a test runs: it stands at a moment that the test names and goes on from there, so that no test depends on the hour or the weekday
/// at which it is run. Needs `FalseTime`.
struct ToolClock {
    private let library: String
    private let offset: String

    /// - Parameter moment: in UTC; a Monday morning unless the test is about another one.
    init(in home: Home, at moment: String = "2026-11-23T09:00:00Z") throws {
        library = try FalseTime.build(in: home.path)
        offset = home.path + "/clock"
        try set(moment)
    }

    /// The environment in which a tool reads this clock, in the time zone of UTC.
    var environment: [String: String] { ["LD_PRELOAD": library, "FALSE_TIME": offset, "TZ": "UTC"] }

    func set(_ moment: String) throws {
        let seconds = try #require(WallTime(utc: moment)).secondsSince1970
        try "\(seconds - WallTime.now.secondsSince1970)\n".write(toFile: offset, atomically: true, encoding: .utf8)
    }
}
