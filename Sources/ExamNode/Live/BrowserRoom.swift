import AudioFiles
import ExamCore
import ExamKit
import Foundation
import SystemSupport

/// A room at the other end of a WebSocket: the candidate's microphone, loudspeaker and keys.
///
/// The client's blocks are the room's clock. A block is 20 ms, whenever it arrives, and while no blocks arrive, time
/// stands still. The exam therefore does not notice if a connection breaks and is replaced without the loss of a block.
/// The same blocks and messages always give the same exam.
struct BrowserRoom: ExamRoom, ~Copyable {
    /// The time after a prompt's length for which the exam waits for the client's message that it ended. After that it
    /// continues.
    static let grace = Duration.seconds(5)
    /// The time in which a client must begin a prompt, if it reports when prompts begin: it may have to fetch the clip
    /// over a slow line.
    static let startGrace = Duration.seconds(60)
    /// If more blocks than this are lost in one piece, the answer no longer counts, as in a live room.
    static let mostLost: UInt32 = 100
    /// In blocks: ten seconds. Blocks of a gap beyond that do not count as lost sound: the client was away, or numbers
    /// its blocks differently.
    private static let mostCounted: UInt32 = 500

    private let inbox: Inbox<RoomItem>
    private let client: ClientSession
    private let metrics: ServerMetrics
    /// The time for which a prompt still sounds in the client's room after its last sample.
    private let echo: Duration
    /// The path under which the exam's pictures are fetched.
    private let path: String
    private let url: @Sendable (Clip.ID) -> String
    /// The prompts that the candidate speaks along with. Each counts as ended when the client begins to play it.
    private let spokenAlong: Set<Clip.ID>
    /// Returns the clips that are likely to be played during a turn and after it.
    private let ahead: @Sendable (_ turn: Int) -> [Clip.ID]
    /// The turn whose expected clips the client already knows.
    private var foretold: Int?
    private let shown: @Sendable (SessionView) -> Void

    private var now = ExamTime.zero
    private var events: [Exam.Event] = []
    /// The message being heard, and how many of its blocks were heard.
    private var sound: (message: SoundMessage, heard: Int)?
    private var blocks = ClientBlocks()
    /// Whether the client reports what it shows.
    private var isFar = false
    /// The number of the state that the candidate must see before the current recording ends. Nil if the recording does
    /// not wait for that.
    private var toBeShown: Int?
    /// Whether the exam is waiting for the line. Sound recorded meanwhile is discarded.
    private var waitsForLine = false
    private var trouble: Exam.Trouble?
    private var prompt: Playing?
    /// The prompt requested but not yet sent to the client: its words come with the view.
    private var toPlay: (clip: Clip, length: Duration)?
    /// The decoder of the client's packets since its stream began. Nil if it sends samples.
    private var decoder: OpusPacketDecoder?
    private var meter = Loudness()
    private var closingSince: ExamTime?
    private var isClosed = false

    private struct Playing {
        var clip: Clip.ID
        var length: Duration
        /// The time at which it counts as ended, even without a message from the client.
        var until: ExamTime
        /// Whether it was played to its end, although it may still echo in the client's room.
        var wasPlayed = false
    }

    /// Creates a room.
    ///
    /// - Parameters:
    ///   - client: the client that is connected.
    ///   - path: the path under which the exam's pictures are fetched.
    ///   - url: returns the address of a clip's sound.
    ///   - spokenAlong: the prompts that the candidate speaks along with.
    ///   - ahead: returns the clips that are likely to be played during a turn and after it.
    ///   - shown: called on the session's task with every change.
    init(
        _ inbox: Inbox<RoomItem>, client: ClientSession, metrics: ServerMetrics, echo: Duration = .zero,
        path: String = "", url: @escaping @Sendable (Clip.ID) -> String, spokenAlong: Set<Clip.ID> = [],
        ahead: @escaping @Sendable (_ turn: Int) -> [Clip.ID] = { _ in [] },
        shown: @escaping @Sendable (SessionView) -> Void = { _ in }
    ) {
        self.inbox = inbox
        self.client = client
        self.metrics = metrics
        self.echo = echo
        self.path = path
        self.url = url
        self.spokenAlong = spokenAlong
        self.ahead = ahead
        self.shown = shown
    }

    mutating func next() async -> Moment? {
        while true {
            if !events.isEmpty { return Moment(at: now, .happened(events.removeFirst())) }
            if let happened = blocks.reached() {
                happen(happened)
                continue
            }
            if let isBehind = blocks.lagChanged() {
                events.append(isBehind ? .fellBehind : .caughtUp)
                continue
            }
            if let block = nextBlock() { return Moment(at: now, .heard(block)) }
            if !events.isEmpty { continue }
            guard !isClosed, let item = await inbox.next() else { return nil }
            take(item)
        }
    }

    mutating func play(_ prompt: Prompt) {
        do {
            toPlay = (prompt.clip, try duration(ofWholeSoundFile: prompt.path))
        } catch {
            events.append(.promptFailed(prompt.clip.id))
        }
    }

    mutating func stopPlaying() {
        toPlay = nil
        prompt = nil
        if let number = client.prompt { client.tell(.stop(prompt: number)) }
    }

    mutating func show(_ view: SessionView) {
        if let (clip, length) = toPlay {
            toPlay = nil
            prompt = Playing(clip: clip.id, length: length, until: now + patience(for: length))
            client.tell(
                .play(
                    LivePrompt(
                        url: url(clip.id), seconds: length.wireSeconds, text: view.exam.text,
                        ahead: urlsAhead(view.exam.turn, but: clip.id))))
        }
        let number = client.tell(.state(LiveState(view, path: path)))
        toBeShown = view.exam.runsOn ? toBeShown ?? number : nil
        waitsForLine = view.exam.trouble == .lineSlow
        noteEnd(view)
        shown(view)
    }

    private mutating func urlsAhead(_ turn: Int?, but clip: Clip.ID) -> [String]? {
        guard let turn, turn != foretold else { return nil }
        foretold = turn
        return ahead(turn).filter { $0 != clip }.map(url)
    }

    // MARK: - Items from outside

    private mutating func take(_ item: RoomItem) {
        switch item {
        case .sound(let message, let connection, let at):
            guard connection === client.connection else { return }  // A newer connection has taken over.
            sound = (message, 0)
            client.hearing(since: at)
            metrics.add(.heardBlocks, Double(message.count))
        case .said(let said, let connection):
            guard connection === client.connection else { return }
            take(said)
        case .joined(let connection, let hello): welcome(connection, hello)
        case .left(let connection): client.left(connection)
        case .stalled:
            guard trouble == nil else { return }  // The exam already knows.
            lose(.microphoneStalled)
        case .closing: isClosed = true
        }
    }

    private mutating func take(_ said: ClientMessage) {
        switch said {
        case .happened(let what, let block): blocks.note(what, before: block).map { happen($0) }
        case .ping(let at): client.connection?.send(Wire.pong(at: at))
        case .hello, .notes, .leave: break  // The connection handles these.
        }
    }

    private mutating func happen(_ what: ClientMessage.Happening) {
        switch what {
        case .shown(let event):
            guard let toBeShown, event >= toBeShown else { return }
            self.toBeShown = nil
            events.append(.noticed)
        case .began(let number):
            guard number == client.prompt, var playing = prompt, !playing.wasPlayed else { return }
            // The client plays the prompt to its end, but its later report of that is ignored.
            guard !spokenAlong.contains(playing.clip) else { return promptEnded(.promptEnded(playing.clip)) }
            playing.until = now + playing.length + Self.grace
            prompt = playing
        case .played(let number):
            guard number == client.prompt, var playing = prompt, !playing.wasPlayed else { return }
            guard echo > .zero else { return promptEnded(.promptEnded(playing.clip)) }
            playing.wasPlayed = true
            playing.until = now + echo
            prompt = playing
        case .notPlayed(let number):
            guard number == client.prompt, let playing = prompt else { return }
            promptEnded(.promptFailed(playing.clip))
        case .ask(let wish): events.append(.asked(wish))
        case .lost: if trouble == nil { lose(.microphoneGone) }
        case .back: if trouble != nil { found() }
        case .recorded: break
        }
    }

    private mutating func welcome(_ connection: any ClientConnection, _ hello: ClientMessage.Hello) {
        // Discards sound recorded while the exam was suspended, and blocks heard or lost before the exam was restored.
        let isStill = trouble == .microphoneStalled
        let wanted = blocks.next.map { isStill ? max($0, hello.blocks.upperBound) : $0 } ?? hello.blocks.upperBound
        blocks.begin(at: wanted, recorded: hello.blocks.upperBound)
        // A client that continues over another line also continues its stream of packets.
        if hello.form == .pcm {
            decoder = nil
        } else if decoder == nil || !hello.hasSound {
            decoder = try? OpusPacketDecoder()  // If there is no memory for the decoder, the sound is silent.
        }
        if isFar != hello.shows {
            isFar = hello.shows
            events.append(.screen(isFar ? .far : .near))
        }
        // A new client plays the prompt from the beginning.
        if var playing = prompt, !playing.wasPlayed {
            playing.until = now + patience(for: playing.length)
            prompt = playing
        }
        client.join(connection, hello, block: wanted)
    }

    /// Returns the time that a prompt may take after it was requested.
    private func patience(for length: Duration) -> Duration {
        length + Self.grace + (isFar ? Self.startGrace : .zero)
    }

    private mutating func lose(_ what: Exam.Trouble) {
        trouble = what
        events.append(.deviceLost(what))
    }

    private mutating func found() {
        trouble = nil
        events.append(.deviceBack)
    }

    // MARK: - Sound

    /// Returns the next block that counts. Nil if no block is available, or another event must be reported first.
    private mutating func nextBlock() -> AudioBlock? {
        while let (message, heard) = sound {
            guard heard < message.count else {
                sound = nil
                client.hearing(since: nil)
                client.heard(before: blocks.next ?? 0)
                return nil
            }
            let number = message.first + UInt32(heard)
            let expected = blocks.next ?? number
            if number < expected {
                sound = (message, heard + 1)  // The client sent it twice.
                continue
            }
            if number > expected {
                blocks.pass(to: number)
                missed(number - expected)
                return nil
            }
            if trouble == .microphoneStalled {
                found()
                return nil
            }
            if heard > 0 { client.heard(before: number) }
            sound = (message, heard + 1)
            blocks.pass(to: number + 1)
            return hear(message.block(heard, decoder))
        }
        return nil
    }

    private mutating func hear(_ block: AudioBlock) -> AudioBlock {
        now = now + AudioFormat.blockDuration
        if client.wantsLevels, let level = meter.hear(block) { client.level(level) }
        if let prompt, now >= prompt.until {
            if prompt.wasPlayed {
                promptEnded(.promptEnded(prompt.clip))
            } else {
                if let number = client.prompt { client.tell(.stop(prompt: number)) }
                promptEnded(.promptFailed(prompt.clip))
            }
        }
        return block
    }

    /// Handles blocks that will never arrive. While the exam is suspended they do not count.
    private mutating func missed(_ blocks: UInt32) {
        if !waitsForLine { metrics.add(.lostBlocks, Double(min(blocks, Self.mostCounted))) }
        guard trouble == nil, !waitsForLine else { return }
        if blocks <= Self.mostLost {
            let span = Duration.milliseconds(20 * Int(blocks))
            now = now + span
            events.append(.soundLost(span))
        } else {
            events += [.deviceLost(.soundLost), .deviceBack]
        }
    }

    private mutating func promptEnded(_ event: Exam.Event) {
        prompt = nil
        client.promptEnded()
        events.append(event)
    }

    // MARK: - Measuring

    /// Records the length of an answer's last silence before the answer was ended.
    private mutating func noteEnd(_ view: SessionView) {
        if view.exam.activity == .closing {
            closingSince = closingSince ?? view.at
        } else {
            if let closingSince, view.exam.recording == nil, view.exam.activity != .suspended {
                metrics.observe(.endOfAnswer, (view.at - closingSince).inSeconds)
            }
            closingSince = nil
        }
    }
}

/// The loudness of a tenth of a second, for a level meter. The exam does not use it.
struct Loudness {
    private var power = 0.0
    private var blocks = 0

    /// Adds a block.
    ///
    /// - Returns: the level in dBFS after every fifth block, at least −120. A sine of full scale has −3.
    mutating func hear(_ block: AudioBlock) -> Double? {
        power += block.samples.withUnsafeBufferPointer { samples in
            var sum: Float = 0
            for sample in samples { sum += sample * sample }
            return Double(sum)
        }
        blocks += 1
        guard blocks == 5 else { return nil }
        defer { self = Loudness() }
        return max(10 * log10(max(power / Double(5 * AudioFormat.blockSize), 1e-30)), -120)
    }
}
