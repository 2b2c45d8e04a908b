import ExamCore
import Testing

@testable import ExamNode
@testable import ExamServer

/// Thousands of orders of events of clients, rooms, answers, clocks and nodes, each order from a seed.
@Suite struct JumbledClients {
    @Test(arguments: 0..<20)
    func fiveThousandSeedsKeepEveryPromiseOfAnExam(_ batch: Int) {
        for seed in 0..<250 { LiveExamPromises(seed: UInt64(batch * 250 + seed)).keep() }
    }

    @Test(arguments: 0..<20)
    func fiveThousandSeedsKeepEveryPromiseOfAConversation(_ batch: Int) {
        for seed in 0..<250 { ConversationPromises(seed: UInt64(batch * 250 + seed)).keep() }
    }
}

/// A live exam and a world around it that carries out each command sooner or later.
private final class LiveExamPromises {
    private let seed: UInt64
    private var chance: SplitMix64
    private var exam: LiveExam
    private var now = Duration.seconds(100)

    private enum Room { case open, closing, closed }
    private var room = Room.open
    private var outcome: Exam.Outcome?
    private var connected: Set<Int> = []
    private var clients = 0
    private var takes = 0
    /// Answers on their way to the store.
    private var underway: [String] = []
    private var isEncoded = false
    private var completion: Completion = .notAsked
    private enum Completion { case notAsked, underway, arrived }
    private var ending: LiveExam.Ending?
    private var hasLetGo = false
    private var oversSaid = 0
    private var mayStall = true

    init(seed: UInt64) {
        self.seed = seed
        chance = SplitMix64(seed: seed)
        exam = LiveExam(known: ["part1_q0"], hasBegun: seed % 2 == 0, times: LiveTimes(), at: now)
    }

    func keep() {
        for _ in 0..<Int.random(in: 5...120, using: &chance) {
            step()
            if Int.random(in: 0..<3, using: &chance) > 0 {
                now += .milliseconds(
                    Int.random(in: 0..<(Int.random(in: 0..<20, using: &chance) == 0 ? 130_000 : 900), using: &chance))
            }
        }
        end()
    }

    /// Stops the node, which always ends the exam as soon as its room is closed and ten seconds have passed.
    private func end() {
        happens(.nodeStops)
        #expect(room != .open || ending != nil, "seed \(seed): a node that stops closes the room")
        if room == .closing { closeRoom() }
        now += .seconds(10)
        happens(.timePassed)
        #expect(ending != nil, "seed \(seed): the exam ends")
        let before = exam.phase
        for client in 50..<53 {
            happens(.joined(client))
            happens(.heard(client))
            happens(.left(client))
            happens(.timePassed)
        }
        #expect(exam.phase == before, "seed \(seed): an ended exam stays ended")
    }

    private func step() {
        switch Int.random(in: 0..<100, using: &chance) {
        case 0..<12:
            clients += 1
            connected.insert(clients)
            happens(.joined(clients))
        case 12..<20:
            if let client = connected.randomElement(using: &chance) {
                connected.remove(client)
                happens(.left(client))
            }
        case 20..<45: happens(.heard(connected.randomElement(using: &chance) ?? 0))
        case 45..<52: happens(.spoke)
        case 52..<68: happens(.timePassed)
        case 68..<70: happens(.timeJumped)
        case 70..<72: happens(.leaveAsked)
        case 72..<82: encodeOne()
        case 82..<90: arriveOne()
        case 90..<94: if room == .closing || room == .open && Int.random(in: 0..<4, using: &chance) == 0 { closeRoom() }
        case 94..<96: if room == .closed, !isEncoded { encodeAll() }
        case 96: if Int.random(in: 0..<6, using: &chance) == 0 { happens(.nodeStops) }
        case 97: if Int.random(in: 0..<6, using: &chance) == 0 { happens(.taken(.elsewhere)) }
        case 98: if Int.random(in: 0..<6, using: &chance) == 0 { happens(.taken(.erased)) }
        default:
            if completion == .underway {
                completion = .arrived
                happens(.completed)
            }
        }
    }

    private func encodeOne() {
        guard !isEncoded else { return }
        takes += 1
        let name = "part1_q\(takes % 9)"
        if happens(.takeEncoded(name)).contains(.deliver) { underway.append(name) }
    }

    private func arriveOne() {
        guard !underway.isEmpty else { return }
        happens(.arrived(underway.removeFirst(), LiveExamTranscripts.answer))
    }

    private func closeRoom() {
        if room == .closing, Int.random(in: 0..<10, using: &chance) == 0 {
            room = .closed
            isEncoded = true
            happens(.roomFailed)
            return
        }
        // A room that was not told to close ends with its exam.
        outcome = room == .open || Int.random(in: 0..<5, using: &chance) == 0 ? .completed : nil
        room = .closed
        happens(.roomClosed(outcome))
    }

    private func encodeAll() {
        isEncoded = true
        if Int.random(in: 0..<8, using: &chance) == 0 {
            happens(.encodingFailed)
        } else if happens(.encoded(LiveExamTranscripts.state)).contains(.complete) {
            completion = .underway
        }
    }

    @discardableResult
    private func happens(_ event: LiveExam.Event) -> [LiveExam.Command] {
        let wasEnded = ending != nil
        let commands = exam.handle(event, at: now)
        if case .joined = event {
            let fates = commands.count { [.pass, .welcome, .turnAway].contains($0) }
            #expect(fates == 1, "seed \(seed): a client that comes is let in once, or turned away")
        }
        if case .heard = event { mayStall = true }
        if case .joined = event { mayStall = true }
        if wasEnded {
            let late: [LiveExam.Command] = [.deliver, .complete, .turnAway]
            #expect(
                commands.allSatisfy { command in
                    if case .say(.stored) = command { return true }
                    return late.contains(command)
                }, "seed \(seed): an ended exam only delivers, completes and turns clients away: \(commands)")
        }
        for command in commands { look(at: command) }
        return commands
    }

    private func look(at command: LiveExam.Command) {
        switch command {
        case .pass: #expect(room != .closed, "seed \(seed): no event is passed to a closed room")
        case .answer, .welcome, .unseat:
            #expect(room == .closed, "seed \(seed): the exam answers clients only after its room is closed")
        case .stall:
            #expect(room == .open && mayStall, "seed \(seed): each silence is reported once")
            mayStall = false
        case .closeRoom:
            #expect(room == .open, "seed \(seed): a room is closed once")
            room = .closing
        case .say(.over(let said)):
            oversSaid += 1
            #expect(said == outcome && oversSaid == 1, "seed \(seed): over is said once, and only after the end")
        case .say(.stored), .deliver, .complete:
            #expect(!hasLetGo, "seed \(seed): nothing is written to a released session")
        case .letGo:
            #expect(!hasLetGo, "seed \(seed): the session is released only once")
            hasLetGo = true
        case .end(let how):
            #expect(ending == nil, "seed \(seed): the exam ends only once")
            #expect(room == .closed, "seed \(seed): the exam ends only after its room is closed")
            if how == .arrived {
                #expect(completion == .arrived, "seed \(seed): an exam is discarded only after it was delivered")
            }
            if case .lost = how { #expect(hasLetGo) } else { #expect(!hasLetGo) }
            ending = how
        case .say, .close, .note, .turnAway: break
        }
    }
}

/// A conversation whose frames are written sooner or later.
private final class ConversationPromises {
    private let seed: UInt64
    private var chance: SplitMix64
    private var conversation = Conversation(longestSilence: .seconds(15), at: .seconds(100))
    private var now = Duration.seconds(100)
    private var writing: [Int] = []
    private var whys = 0
    private var gones = 0
    private var ends = 0

    init(seed: UInt64) {
        self.seed = seed
        chance = SplitMix64(seed: seed)
    }

    func keep() {
        for _ in 0..<Int.random(in: 3...80, using: &chance) {
            step()
            now += .milliseconds(Int.random(in: 0..<1_500, using: &chance))
        }
        // At the end the conversation is closed, all bytes are written, and the client ends its input.
        happens(.close(.done))
        while !writing.isEmpty { happens(.written(writing.removeFirst())) }
        happens(.inputEnded)
        #expect(gones == 1, "seed \(seed): a client's leaving is reported once")
        #expect(ends >= 1 && conversation.phase == .ended, "seed \(seed): the line ends")
        #expect(conversation.waiting == 0, "seed \(seed): all written bytes were counted")
    }

    private func step() {
        switch Int.random(in: 0..<16, using: &chance) {
        case 0: happens(.hello)
        case 1: if conversation.phase == .entering { happens(.entered) }
        case 2, 3: happens(.word)
        case 4: if Int.random(in: 0..<5, using: &chance) == 0 { happens(.leave) }
        case 5: happens(.received)
        case 6: happens(.dealing)
        case 7: happens(.dealt)
        case 8: if Int.random(in: 0..<6, using: &chance) == 0 { happens(.closeReceived) }
        case 9: if Int.random(in: 0..<12, using: &chance) == 0 { happens(.inputEnded) }
        case 10: happens(.send(Int.random(in: 0..<60_000, using: &chance)))
        case 11: happens(.told(7))
        case 12, 13: if !writing.isEmpty { happens(.written(writing.removeFirst())) }
        case 14: happens(.timePassed)
        default:
            if Int.random(in: 0..<8, using: &chance) == 0 {
                happens([.helloDue, .answerDue, .close(.takenOver)].randomElement(using: &chance)!)
            }
        }
    }

    private func happens(_ event: Conversation.Event) {
        let wasOpen = conversation.isOpen
        let phase = conversation.phase
        let commands = conversation.handle(event, at: now)
        if !wasOpen { #expect(!conversation.isOpen, "seed \(seed): a closed connection stays closed") }
        for command in commands {
            switch command {
            case .enter: #expect(phase == .greeting, "seed \(seed): one hello")
            case .pass, .leaveExam:
                #expect(phase == .sitting, "seed \(seed): an exam hears only a client that sits in it")
            case .write:
                guard case .send(let bytes) = event else { continue }
                #expect(wasOpen, "seed \(seed): nothing is said after the close")
                write(bytes)
            case .beat:
                #expect(wasOpen, "seed \(seed): nothing is said after the close")
                write(20)
            case .sayWhy:
                whys += 1
                #expect(wasOpen && whys == 1, "seed \(seed): one reason")
                write(100)
                write(2)
            case .gone: gones += 1
            case .end, .endOutput: ends += 1
            }
        }
    }

    private func write(_ bytes: Int) {
        writing.append(bytes)
        _ = conversation.handle(.writing(bytes), at: now)
    }
}
