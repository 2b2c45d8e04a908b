import Foundation
import StoreTrials
import Testing
import Waiting

@testable import ExamServer

/// The path of an exam through the log, from the request for it to its results.
@Suite(.store(only: .sqlite, because: "The program is started with a folder alone; OptionMatrix starts it on both."))
struct TraceTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"

    @Test func anExamIsFoundByItsSessionAtEachStep() async throws {
        let ann = try await OperatedLearner()
        try await withDen { den in
            try OperatedLearner.copyExam(to: den)
            let server = try OperatedServer(OperatedLearner.options() + ["--log-format", "json"], in: den)
            let session = try ann.sit(server, headers: [("traceparent", "00-\(Self.trace)-00f067aa0ba902b7-01")])
            let isDone = Patience.poll {
                server.log.contains("evaluation done") ? true : nil
            }
            #expect(isDone == true, "\(server.log)")
            _ = try fetch(server.address(), "GET", "/v1/sessions/\(session)", as: ann.user)
            #expect(try server.stop() == 0)

            // The lines that `grep SESSION` finds.
            let lines = server.lines.filter { $0.contains(session) }.compactMap(LoggedLine.init(json:))
            #expect(lines.allSatisfy { $0.fields["session"] == session })
            let made = try #require(lines.first { $0.message == "exam made" })
            let asked = try #require(lines.first { $0.fields["route"] == "/v1/exams" })
            #expect(made.fields["request"] == asked.fields["request"] && asked.fields["request"] != nil)
            #expect(made.fields["trace"] == Self.trace && asked.fields["trace"] == Self.trace)
            #expect(asked.message == "request" && asked.fields["status"] == "201")
            let begun = try #require(lines.first { $0.message == "exam begun" })
            #expect(begun.fields["connection"] != nil)
            let stored = lines.filter { $0.message == "answer stored" }
            #expect(!stored.isEmpty && stored.allSatisfy { $0.fields["answer"] != nil && $0.fields["take"] != nil })
            #expect(Set(stored.compactMap { $0.fields["take"] }).count == stored.count)
            let steps = ["exam made", "exam begun", "exam over", "evaluation begun", "evaluation done"]
            #expect(lines.map(\.message).filter(steps.contains) == steps)
            // A worker may begin with the stored exam before the exam's own task has logged that it is stored.
            let order = ["exam made", "exam begun", "exam over", "exam stored"]
            #expect(lines.map(\.message).filter(order.contains) == order)
            let jobs = lines.filter { $0.message.hasPrefix("evaluation") }.compactMap { $0.fields["job"] }
            #expect(jobs.count == 2 && Set(jobs).count == 1)
            let shown = try #require(lines.last { $0.fields["route"] == "/v1/sessions/{session}" })
            #expect(shown.fields["trace"] == nil && shown.fields["method"] == "GET")
        }
    }

    /// By the standard (w3.org/TR/trace-context, 3.2.2), an invalid field counts as not sent.
    @Test func anInvalidTraceparentIsIgnored() {
        let span = "00f067aa0ba902b7"
        for field in ["00-\(Self.trace)-\(span)-01", "00-\(Self.trace)-\(span)-00", "01-\(Self.trace)-\(span)-01-more"]
        {
            #expect(TraceParent(field)?.trace == Self.trace, "\(field)")
        }
        for field in [
            "", "00", "00-\(Self.trace)-\(span)", "00-\(Self.trace)-\(span)-01-more", "ff-\(Self.trace)-\(span)-01",
            "00-\(Self.trace.uppercased())-\(span)-01", "00-\(String(repeating: "0", count: 32))-\(span)-01",
            "00-\(Self.trace)-\(String(repeating: "0", count: 16))-01", "00-\(Self.trace)x-\(span)-01",
            "00-\(Self.trace.dropLast())-\(span)-01", "0-\(Self.trace)-\(span)-01", "00-\(Self.trace)-\(span)-1",
            "00-\(Self.trace) \(span)-01", "00-\(Self.trace)-\(span)-0\u{661}",
        ] {
            #expect(TraceParent(field) == nil, "\(field)")
        }
    }
}
