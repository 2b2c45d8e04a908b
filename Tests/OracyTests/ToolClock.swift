import Foundation
import SystemSupport
import Testing
import VirtualDevices

/// A clock for the tools that a test runs. It starts at a time that the test chooses and runs on from there, so that no
/// test depends on the hour or the weekday of its run. Needs `FalseTime`.
struct ToolClock {
    private let library: String
    private let offset: String

    /// - Parameter moment: The time in UTC; a Monday morning by default.
    init(in home: Home, at moment: String = "2026-11-23T09:00:00Z") throws {
        library = try FalseTime.build(in: home.path)
        offset = home.path + "/clock"
        try set(moment)
    }

    /// The environment in which a tool reads this clock, in the UTC time zone.
    var environment: [String: String] { ["LD_PRELOAD": library, "FALSE_TIME": offset, "TZ": "UTC"] }

    func set(_ moment: String) throws {
        let seconds = try #require(WallTime(utc: moment)).secondsSince1970
        try "\(seconds - WallTime.now.secondsSince1970)\n".write(toFile: offset, atomically: true, encoding: .utf8)
    }
}
