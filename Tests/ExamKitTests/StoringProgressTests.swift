import SystemSupport
import Testing

@testable import ExamKit

/// The messages to a candidate about answers on their way to disk.
@Suite struct StoringProgressTests {
    private let progress = StoringProgress()
    private let full = Problem(.unwritable, "the disk is full")

    @Test func aProblemIsOverWhenALaterTakeIsStored() {
        let takes = (0..<3).map { _ in progress.began() }
        progress.ended(takes[0], nil)
        #expect(progress.now.problem == nil)
        progress.ended(takes[1], full)
        #expect(progress.now.problem == full && progress.now.pending == 1)
        progress.ended(takes[2], nil)
        #expect(progress.now.problem == nil && progress.now.pending == 0)
        #expect(progress.now.firstProblem == full, "the take stays as it was recorded, and the end says so")
    }

    /// Takes are stored concurrently. The success of a take that was begun earlier doesn't clear a later problem.
    @Test func anEarlierTakeThatIsStoredLateEndsNoProblem() {
        let takes = (0..<2).map { _ in progress.began() }
        progress.ended(takes[1], full)
        progress.ended(takes[0], nil)
        #expect(progress.now.problem == full)
    }

    @Test func anEarlierTakesProblemThatComesLateIsOverAlready() {
        let takes = (0..<2).map { _ in progress.began() }
        progress.ended(takes[1], nil)
        progress.ended(takes[0], full)
        #expect(progress.now.problem == nil && progress.now.firstProblem == full)
    }
}
