import Testing

@testable import ExamCore
@testable import ExamKit
@testable import ExamNode
@testable import ExamServer

/// The lifecycle of a live exam: events, the commands that answer them, and the state afterwards.
@Suite struct LiveExamTranscripts {
    private static let times = LiveTimes()

    /// An exam on a node, and the time there.
    private struct Transcript {
        var exam: LiveExam
        var now = Duration.seconds(1_000)

        init(hasBegun: Bool = false, known: Set<String> = []) {
            exam = LiveExam(known: known, hasBegun: hasBegun, times: LiveExamTranscripts.times, at: now)
        }

        mutating func after(_ event: LiveExam.Event) -> [LiveExam.Command] { after(0, event) }

        /// Handles an event.
        ///
        /// - Parameter seconds: The time since the event before.
        mutating func after(_ seconds: Double, _ event: LiveExam.Event) -> [LiveExam.Command] {
            now += .milliseconds(Int(seconds * 1000))
            return exam.handle(event, at: now)
        }
    }

    /// Returns an exam that is over and whose room is closed.
    private static func over() -> Transcript {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        _ = exam.after(.roomClosed(.completed))
        return exam
    }

    static let answer = AnswerRecord(question: "name", part: 1, order: 1, end: "finished")
    static let state = LiveState(
        SessionView(at: .zero, exam: ExamView(stage: .completed, activity: .idle), storing: 0))

    // MARK: - Clients

    @Test func theFirstBeginsAndTheNewestWins() {
        var exam = Transcript()
        #expect(exam.after(.joined(1)) == [.note(.begun), .pass])
        #expect(exam.after(2, .joined(2)) == [.note(.takenOver), .pass])
        #expect(exam.after(.left(1)) == [.pass], "the client that was replaced does not count as left")
        #expect(exam.after(.left(2)) == [.note(.left), .pass])
        #expect(exam.after(3, .joined(3)) == [.note(.joinedAgain), .pass])
        #expect(exam.exam.attendance == .present(3))
    }

    @Test func aClientOfAnExamThatHasBegunJoinsAgain() {
        var exam = Transcript(hasBegun: true)
        #expect(exam.after(.joined(1, hasSound: false)) == [.note(.joinedAgain), .pass], "it begins with a question")
    }

    @Test func messagesReachTheRoomInOrder() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        #expect(exam.after(.heard(1)) == [.pass])
        #expect(exam.after(.spoke) == [.pass])
        _ = exam.after(.leaveAsked)
        #expect(exam.after(.heard(1)) == [], "the room is being closed")
        #expect(exam.after(.spoke) == [.pass], "the room answers once it is closed")
        _ = exam.after(.roomClosed(nil))
        #expect(exam.after(.spoke) == [.answer])
    }

    // MARK: - Time

    @Test func missingSoundIsNoticedOnceIfTheProcessWasAwake() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        #expect(exam.after(2, .spoke) == [.pass], "the client's line is open")
        #expect(exam.after(2.4, .timePassed) == [])
        #expect(exam.after(1, .timeJumped) == [], "messages that the client sent meanwhile may be waiting")
        #expect(exam.after(.timePassed) == [.stall])
        #expect(exam.after(9, .timePassed) == [])
        #expect(exam.after(.heard(1)) == [.pass])
        #expect(exam.after(2, .spoke) == [.pass])
        #expect(exam.after(2.4, .timePassed) == [])
        #expect(exam.after(0.1, .timePassed) == [.stall])
    }

    /// The client keeps the sound of the lost minute, and sends it later.
    @Test func aLineThatIsLostIsWaitedForAMinute() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        _ = exam.after(5, .heard(1))
        #expect(exam.after(20, .timePassed) == [], "a line without any messages may be lost")
        #expect(exam.after(.left(1)) == [.note(.left), .pass])
        #expect(exam.after(39.9, .timePassed) == [])
        #expect(exam.after(.joined(2)) == [.note(.joinedAgain), .pass])
        _ = exam.after(.heard(2))
        _ = exam.after(.left(2))
        #expect(exam.after(59.9, .timePassed) == [])
        #expect(exam.after(0.1, .timePassed) == [.stall])
    }

    /// A reloaded page has lost its sound, however quick it was. So has a page in another window.
    @Test func aClientThatHasLostItsSoundGetsTheQuestionAgain() {
        var exam = Transcript()
        #expect(exam.after(.joined(1, hasSound: false)) == [.note(.begun), .pass], "there was no question yet")
        #expect(exam.after(.joined(1, hasSound: false)) == [.note(.takenOver), .pass], "nothing was said yet")
        _ = exam.after(.heard(1))
        _ = exam.after(.left(1))
        #expect(exam.after(0.1, .joined(2, hasSound: false)) == [.note(.joinedAgain), .stall, .pass])
        _ = exam.after(.heard(2))
        #expect(exam.after(0.1, .joined(3, hasSound: false)) == [.note(.takenOver), .stall, .pass])
    }

    @Test func aNewClientGetsTimeToSpeak() {
        var exam = Transcript()
        #expect(exam.after(4, .joined(1)) == [.note(.begun), .pass])
        _ = exam.after(2, .spoke)
        #expect(exam.after(2, .timePassed) == [])
        #expect(exam.after(.heard(7)) == [.pass], "the sound comes from another client")
        #expect(exam.after(0.5, .timePassed) == [.stall])
    }

    @Test func anExamWithoutAClientIsPutOnDisk() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        _ = exam.after(5, .timePassed)
        _ = exam.after(.left(1))
        #expect(exam.after(60, .timePassed) == [.stall])
        #expect(exam.after(59, .timePassed) == [])
        #expect(exam.after(1, .timePassed) == [.closeRoom])
        #expect(exam.after(.joined(2)) == [.turnAway], "the client is turned away until the room is closed")
        _ = exam.after(.encoded(Self.state))
        #expect(exam.after(.roomClosed(nil)) == [.close(.goingAway), .end(.left)])
    }

    // MARK: - Leaving

    @Test func leavingAnExamWaitsUntilItsAnswersAreStored() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        #expect(exam.after(.takeEncoded("part1_q1")) == [.deliver])
        #expect(exam.after(.leaveAsked) == [.note(.left), .closeRoom])
        #expect(exam.after(.left(1)) == [.pass], "the leaving is noted once")
        #expect(exam.after(.roomClosed(nil)) == [], "an answer is on its way")
        #expect(exam.after(1, .encoded(Self.state)) == [])
        #expect(exam.after(1, .joined(2)) == [.turnAway])
        #expect(
            exam.after(1, .arrived("part1_q1", Self.answer)) == [
                .say(.stored(Self.answer)), .close(.done), .end(.left),
            ])
        #expect(exam.after(.leaveAsked) == [])
    }

    @Test func answersThatDoNotArriveAreWaitedForTenSeconds() {
        var exam = Transcript()
        _ = exam.after(.takeEncoded("part1_q1"))
        _ = exam.after(.nodeStops)
        _ = exam.after(.roomClosed(nil))
        _ = exam.after(.encoded(Self.state))
        #expect(exam.after(9.9, .timePassed) == [])
        #expect(exam.after(0.1, .timePassed) == [.close(.goingAway), .end(.left)])
    }

    @Test func anExamThatEndsWhileItsNodeStopsIsOver() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        _ = exam.after(.nodeStops)
        #expect(exam.after(.roomClosed(.withdrawn)) == [])
        #expect(exam.exam.phase == .storing(.withdrawn, until: exam.now + .seconds(10)))
    }

    @Test func aRoomThatBreaksIsAFault() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        #expect(exam.after(.roomFailed) == [.close(.fault), .end(.left)])
    }

    // MARK: - Over

    @Test func overIsSaidWhenAllOfItIsStored() {
        var exam = Self.over()
        #expect(exam.after(1, .takeEncoded("part1_q1")) == [.deliver])
        #expect(exam.after(.encoded(Self.state)) == [.say(.state(Self.state)), .complete])
        #expect(exam.after(1, .arrived("part1_q1", Self.answer)) == [.say(.stored(Self.answer))])
        #expect(exam.after(1, .completed) == [.say(.over(.completed)), .close(.done), .end(.arrived)])
        #expect(exam.after(.spoke) == [])
        #expect(exam.after(.joined(2)) == [.turnAway])
    }

    @Test func overIsSaidAfterTenSecondsThoughAnswersFollow() {
        var exam = Self.over()
        _ = exam.after(.takeEncoded("part1_q1"))
        _ = exam.after(.encoded(Self.state))
        #expect(exam.after(9.9, .timePassed) == [])
        #expect(exam.after(0.1, .timePassed) == [.say(.over(.completed)), .close(.done)])
        #expect(exam.after(1, .joined(2)) == [.welcome, .close(.done)], "a client that comes back is told as well")
        #expect(exam.after(60, .arrived("part1_q1", Self.answer)) == [.say(.stored(Self.answer))])
        #expect(exam.after(1, .completed) == [.end(.arrived)])
    }

    @Test func aClientThatLostTheLineAtTheEndIsWelcomedWhileAnswersAreStored() {
        var exam = Self.over()
        #expect(exam.after(.left(1)) == [.unseat])
        #expect(exam.after(1, .joined(2)) == [.welcome])
        #expect(exam.after(.heard(2)) == [], "sound no longer counts")
        #expect(exam.after(.spoke) == [.answer])
    }

    @Test func aNodeThatStopsDoesNotWaitForEver() {
        var exam = Self.over()
        _ = exam.after(.takeEncoded("part1_q1"))
        #expect(exam.after(1, .nodeStops) == [])
        #expect(exam.after(9, .timePassed) == [.say(.over(.completed)), .close(.done), .end(.unfinished)])
        #expect(exam.after(1, .encoded(Self.state)) == [.complete], "the node delivers the answer after its next start")
    }

    @Test func unreadableAnswersLeaveTheExamResumable() {
        var exam = Self.over()
        #expect(exam.after(1, .encodingFailed) == [.close(.fault), .end(.left)])
    }

    @Test func storedAnswersAreNeitherSentNorReportedAgain() {
        var exam = Transcript(hasBegun: true, known: ["part1_q1"])
        #expect(exam.after(.takeEncoded("part1_q1")) == [])
        #expect(exam.after(.arrived("part1_q1", Self.answer)) == [])
    }

    // MARK: - Lost

    @Test func anExamTakenElsewhereWritesNothingMore() {
        var exam = Transcript()
        _ = exam.after(.joined(1))
        #expect(exam.after(.taken(.elsewhere)) == [.letGo, .closeRoom])
        #expect(!exam.exam.isOurs)
        #expect(exam.after(.takeEncoded("part1_q1")) == [])
        #expect(exam.after(.joined(2)) == [.turnAway])
        #expect(exam.after(.roomClosed(nil)) == [.close(.elsewhere(nil)), .end(.lost(.elsewhere))])
        #expect(exam.after(.encoded(Self.state)) == [])
        #expect(exam.after(.completed) == [])
    }

    @Test func anExamThatIsErasedIsGoneForItsClient() {
        var exam = Self.over()
        #expect(exam.after(.taken(.erased)) == [.letGo, .close(.noExam), .end(.lost(.erased))])
        var taken = Transcript()
        _ = taken.after(.taken(.elsewhere))
        #expect(taken.after(.taken(.erased)) == [])
        #expect(taken.after(.roomClosed(.completed)) == [.close(.noExam), .end(.lost(.erased))])
    }
}
