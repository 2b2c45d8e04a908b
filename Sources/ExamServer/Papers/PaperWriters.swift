import ExamCore
import ExamStore
import Foundation
import HTTPClient
import Logging
import Papers
import ServiceLifecycle
import SystemSupport
import TextModels

/// Has papers written that users asked for, one at a time on each node: any node goes on with what another one began.
struct PaperWriters: Service {
    let services: Services
    let writer: PaperWriter
    let choice: PaperChoice
    /// Seconds a dead node's paper waits: longer than one piece may take, since the lease is renewed with each answer.
    var lease: Double { Double(writer.seconds) + 60 }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await services.work(on: "papers") { () async throws(StoreError) in try await writeOne() }
        }
    }

    /// Writes the next one.
    ///
    /// - Returns: false where there was none.
    func writeOne() async throws(StoreError) -> Bool {
        guard let claim = try await services.store.service.claimPaper(seconds: lease) else { return false }
        do {
            try await write(claim)
        } catch is LostPaper {
            services.logger.info("a paper was erased, or is another node's now")
        } catch let error as StoreError {
            throw error
        } catch {
            // The kind of an error: what it says may hold what somebody asked for.
            services.logger.warning("a paper failed", metadata: ["what": "\(type(of: error))"])
            try await services.store.service.fail(
                claim, writing: claim.paper.writing ?? "",
                (error as? ServiceFailure)?.sentence ?? "It could not be made.")
        }
        return true
    }

    private func write(_ claim: PaperClaim) async throws {
        let store = services.store.service
        let order = try claim.paper.order()
        let known = KnownItems(bank: .builtIn)
        var limits = GenerationLimits()
        limits.milliseconds = writer.seconds * 1_000
        let start =
            try claim.paper.generation()
            ?? Generation(order.wishes, writer: writer.name, seed: order.request.seed, limits: limits)
        let end = try await ModelWriting<ItemWish>(writer.model, name: "bank_item").run(start, beside: known) {
            guard try await store.keep(claim, writing: OwnPaper.text($1), seconds: lease) else { throw LostPaper() }
        }
        guard end.attempt == nil else { return try await store.giveBack(claim) }
        // Where some of it is as it was wanted, the rest is drawn, and that is said.
        guard end.statistics.failed < end.wishes.count else {
            return try await store.fail(
                claim, writing: OwnPaper.text(end),
                "\(writer.name) wrote nothing that can be used, and the bank has nothing on it.")
        }
        let drawn = try choice.making.paper(of: order, end, seen: await choice.seen(by: claim.user))
        try await store.finish(
            claim, writing: OwnPaper.text(end), paper: OwnPaper.text(drawn.paper), title: drawn.paper.title,
            shortfalls: OwnPaper.text(drawn.shortfalls))
    }
}

/// A paper was erased by its owner, or its lease ran out and another node goes on with it.
private struct LostPaper: Error {}
