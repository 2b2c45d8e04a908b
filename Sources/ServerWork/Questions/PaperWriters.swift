import ExamCore
import ExamNode
import ExamStore
import Foundation
import HTTPClient
import Logging
import Papers
import ServiceLifecycle
import TextModels

/// Writes the papers that users requested, one at a time on each node. Any node continues papers begun by another one.
struct PaperWriters: Service {
    let services: Services
    let writer: PaperWriter
    let making: PaperMaking
    /// The seconds after which a dead node's paper is taken over. It is longer than one item may take, because the
    /// lease is renewed after each of the model's responses.
    var lease: Double { Double(writer.seconds) + 60 }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await services.work(on: "papers") { () async throws(StoreError) in try await writeOne() }
        }
    }

    /// Writes the next paper.
    ///
    /// - Returns: false if no paper is waiting.
    func writeOne() async throws(StoreError) -> Bool {
        guard let claim = try await services.store.service.claimPaper(seconds: lease) else { return false }
        do {
            try await write(claim)
        } catch is LostPaper {
            services.logger.info("a paper was erased, or is another node's now")
        } catch let error as StoreError {
            throw error
        } catch {
            // Log only the kind of error: the message may contain a user's words.
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
        // If at least one item was written or found in the bank, the rest of the paper is drawn, and the shortfalls say
        // so.
        guard end.statistics.failed < end.wishes.count else {
            return try await store.fail(
                claim, writing: OwnPaper.text(end),
                "\(writer.name) wrote nothing that can be used, and the bank has no suitable questions.")
        }
        let drawn = try making.paper(of: order, end, seen: await services.seenItems(by: claim.user))
        try await store.finish(
            claim, writing: OwnPaper.text(end), paper: OwnPaper.text(drawn.paper), title: drawn.paper.title,
            shortfalls: OwnPaper.text(drawn.shortfalls.map(\.sentence)))
    }
}

/// The paper was erased by its owner, or its lease ended and another node continues it.
private struct LostPaper: Error {}
