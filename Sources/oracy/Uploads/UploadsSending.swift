import ArgumentParser
import Backends
import SystemSupport
import UploadQueue

extension UploadsCommand {
    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Send waiting uploads and show the progress. ^C leaves the rest for later.")

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let queue = try home.completeQueue()
                let screen = UploadsScreen(place: destination.place)
                let uploader = try home.uploader(to: destination)
                let end = try await Stoppable.run { () async throws -> SendingProgress? in
                    try await queue.sendOrFollow(through: uploader, report: { screen.show($0) })
                }
                if let end { screen.show(end, isLast: true) }
                try UploadsCommand.tell(queue, end?.breaker)
            }
        }
    }

    struct Flush: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "flush",
            abstract: "Send waiting uploads until a deadline. The rest stays queued.")

        @Option(help: "Seconds until the deadline.")
        var deadline = 30.0

        @Flag(help: "Print the queue afterwards as JSON.")
        var json = false

        func validate() throws { _ = try Deadline.duration(deadline) }

        func run() async throws {
            try await failing {
                let home = UploadsHome()
                let destination = try home.chosenDestination()
                let queue = try home.completeQueue()
                let uploader = try home.uploader(to: destination)
                let deadline = try Deadline.duration(deadline)
                let end = try await Stoppable.run { () async throws -> SendingProgress? in
                    try await queue.send(through: uploader, until: .atRest, deadline: deadline)
                }
                if json {
                    print(
                        try JSONText.of(
                            UploadsReport(
                                destination: destination.place,
                                entries: queue.entries().filter(\.isLeft),
                                counts: queue.counts())),
                        whole: true)
                }
                try UploadsCommand.tell(queue, end?.breaker, quietly: json)
            }
        }
    }

    /// Reports what is left, and throws the matching exit code.
    fileprivate static func tell(
        _ queue: DeliveryQueue, _ breaker: Delivery.Breaker?, quietly: Bool = false
    ) throws {
        let counts = try queue.counts()
        if breaker == .signInNeeded {
            // The backend's own words, because not every refusal is due to a missing sign-in.
            let words = try queue.entries().last { $0.isLeft && $0.failure?.kind == .signInNeeded }?.failure?.message
            complain("\(words.flatMap { $0.isEmpty ? nil : $0 } ?? "you are not signed in"): oracy account sign-in")
            throw ExitCode(77)
        }
        if counts.open + counts.parked == 0 {
            if !quietly { print("Everything has arrived.") }
            return
        }
        var left: [String] = []
        if counts.open > 0 { left.append("\(counts.open.of("upload")) still waiting (\(counts.openBytes.bytes))") }
        if counts.parked > 0 { left.append("\(counts.parked) parked") }
        complain(left.joined(separator: ", ") + "; they are kept. To see why: oracy uploads")
        throw ExitCode(75)
    }
}

extension DeliveryQueue {
    /// Sends until nothing more can be sent. If another program is sending already, waits until that is done or gone.
    ///
    /// - Returns: nil if the user interrupted it while another program was sending.
    func sendOrFollow(
        through uploader: any Uploader, report: @escaping @Sendable (SendingProgress) -> Void
    ) async throws(Problem) -> SendingProgress? {
        var wasSaid = false
        while !Task.isCancelled {
            do throws(Problem) {
                return try await send(through: uploader, until: .atRest, report: report)
            } catch {
                guard error.kind == .occupied else { throw error }
            }
            if !wasSaid { complain("another program is sending; waiting for it") }
            wasSaid = true
            try? await Task.sleep(for: .seconds(1))
        }
        return nil
    }
}

/// The value of `--deadline`, in seconds.
enum Deadline {
    /// - Throws: `ValidationError` unless it is between zero and a day.
    static func duration(_ seconds: Double) throws -> Duration {
        guard (0...86_400).contains(seconds) else {
            throw ValidationError("--deadline must be between 0 and 86400 seconds.")
        }
        return .milliseconds(Int(seconds * 1000))
    }
}
