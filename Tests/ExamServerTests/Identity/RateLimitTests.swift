import Foundation
import Testing

@testable import ExamServer

@Suite struct RateLimitTests {
    @Test func aMinutesWorthMayComeAtOnceAndThenOneByOne() {
        let (limit, user, other) = (RateLimit(perMinute: 60), UUID(), UUID())
        for _ in 0..<60 { #expect(limit.wait(for: user, at: .seconds(100)) == nil) }
        #expect(limit.wait(for: user, at: .seconds(100)) == 1)
        #expect(limit.wait(for: other, at: .seconds(100)) == nil)
        #expect(limit.wait(for: user, at: .seconds(101)) == nil)
        #expect(limit.wait(for: user, at: .seconds(101)) == 1)
        #expect(limit.wait(for: user, at: .seconds(10_000)) == nil)
    }
}
