import Testing

@testable import ExamNode
@testable import ExamServer

/// The conversation of a client with this server, from hello to the last byte.
@Suite struct ConversationTranscripts {
    private struct Transcript {
        var conversation = Conversation(longestSilence: .seconds(15), at: .seconds(1_000))
        var now = Duration.seconds(1_000)

        mutating func after(_ event: Conversation.Event) -> [Conversation.Command] { after(0, event) }

        mutating func after(_ seconds: Double, _ event: Conversation.Event) -> [Conversation.Command] {
            now += .milliseconds(Int(seconds * 1000))
            return conversation.handle(event, at: now)
        }

        /// Announces bytes to write, as the part that carries out commands does.
        mutating func writes(_ bytes: Int) {
            _ = after(.writing(bytes))
        }
    }

    private static func sitting() -> Transcript {
        var client = Transcript()
        _ = client.after(.hello)
        _ = client.after(.dealing)
        _ = client.after(.entered)
        _ = client.after(.told(0))
        _ = client.after(.dealt)
        return client
    }

    @Test func helloComesFirstAndOnce() {
        var client = Transcript()
        #expect(client.after(.hello) == [.enter])
        #expect(client.after(.dealing) == [])
        #expect(client.after(.entered) == [])
        #expect(client.conversation.phase == .sitting)
        #expect(client.after(.word) == [.pass])
        let closes = client.after(.hello)
        #expect(closes == [.sayWhy(.malformed("second-hello", "A connection says hello once."))])
        #expect(client.after(.word) == [], "later messages are ignored")
    }

    @Test(arguments: [Conversation.Event.word, .leave])
    func nothingComesBeforeHello(_ event: Conversation.Event) {
        var client = Transcript()
        #expect(client.after(event) == [.sayWhy(.noToken)])
    }

    @Test func aSilentClientIsClosed() {
        var client = Transcript()
        #expect(client.after(5, .helloDue) == [.sayWhy(.noToken)])
        var other = Self.sitting()
        #expect(other.after(5, .helloDue) == [])
        #expect(other.after(10.1, .timePassed) == [.sayWhy(.notReading)])
    }

    @Test func silenceDoesNotCountWhileAMessageIsProcessed() {
        var client = Self.sitting()
        _ = client.after(.dealing)
        #expect(client.after(20, .timePassed) == [.beat(0)])
        #expect(client.after(.dealt) == [])
        #expect(client.after(14, .timePassed) == [.beat(0)])
        #expect(client.after(1.1, .timePassed) == [.sayWhy(.notReading)])
    }

    @Test func aWelcomedClientHearsFromTheServerEachSecond() {
        var client = Transcript()
        _ = client.after(.hello)
        #expect(client.after(2, .timePassed) == [], "no acknowledgement is repeated before the welcome")
        _ = client.after(.told(315))
        #expect(client.after(.timePassed) == [.beat(315)])
        #expect(client.after(0.9, .timePassed) == [])
        client.writes(20)
        #expect(client.after(0.2, .timePassed) == [], "nothing is repeated while a message is being written")
        _ = client.after(.written(20))
        #expect(client.after(0.9, .timePassed) == [])
        #expect(client.after(0.1, .timePassed) == [.beat(315)])
    }

    @Test func aClientThatDoesNotReadIsClosed() {
        var client = Self.sitting()
        #expect(client.after(.send(Conversation.mostWaiting)) == [.write])
        client.writes(Conversation.mostWaiting)
        #expect(client.after(.send(1)) == [.sayWhy(.notReading)])
        #expect(client.after(.send(1)) == [])
        client.writes(2)
        #expect(client.after(2, .answerDue) == [.end], "the client would not read the reason")
    }

    @Test func theFirstReasonCounts() {
        var client = Self.sitting()
        #expect(client.after(.close(.takenOver)) == [.sayWhy(.takenOver)])
        #expect(client.after(.close(.done)) == [])
    }

    @Test func aCloseIsAnsweredAndTheLineEndsWhenAllIsWritten() {
        var client = Self.sitting()
        client.writes(500)
        #expect(client.after(.closeReceived) == [.sayWhy(.done)])
        client.writes(2)
        #expect(client.after(.written(500)) == [])
        #expect(client.after(.written(2)) == [.end])
        #expect(client.after(.inputEnded) == [.gone])
        #expect(client.after(2, .answerDue) == [])
    }

    @Test func aClientThatLeavesIsClosedAndItsAnswerEndsTheLine() {
        var client = Self.sitting()
        #expect(client.after(.leave) == [.leaveExam, .sayWhy(.done)])
        client.writes(2)
        _ = client.after(.written(2))
        #expect(client.after(.closeReceived) == [.end])
    }

    @Test func aClientThatKeepsSpeakingHasTimeToReadTheReason() {
        var client = Self.sitting()
        _ = client.after(.close(.takenOver))
        _ = client.after(1.5, .received)
        #expect(client.after(0.5, .answerDue) == [.endOutput])
        var stopped = Self.sitting()
        _ = stopped.after(.close(.goingAway))
        _ = stopped.after(1.5, .received)
        #expect(stopped.after(0.5, .answerDue) == [.end], "a stopping server does not wait")
    }

    @Test func aLineThatEndsIsGoneOnce() {
        var client = Self.sitting()
        #expect(client.after(.inputEnded) == [.gone, .end])
        #expect(client.after(.inputEnded) == [])
        #expect(client.after(.send(5)) == [])
        #expect(client.after(20, .timePassed) == [])
    }
}
