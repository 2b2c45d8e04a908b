import FoundationEssentials
import Glibc
import HearingWorker
import SystemSupport

// Speaks as oracy-words does, without a recogniser. The "model" is a script: one line for each request, which goes on
// after a restart because every request adds a line to a file beside it. The last line of the script is repeated.
//
//   say plain words | verbatim words       the reply; the second half may be missing
//   noise plain words                      the same, and the recogniser takes it for noise
//   crash, illegal, hang, flood, garbage   ends by a signal, never replies, replies too much or something else
//   eat                                    replies, and has used much memory
//   work 0.2 plain words                   gives way as oracy-words does, and computes 0.2 s for each second of sound
//
// A first line of another kind is for the start: unusable WHY, old (another protocol), crashStart.

func line(_ value: some Encodable) -> [UInt8] { Array((try? JSONEncoder().encode(value)) ?? Data()) + [10] }

func send(_ bytes: [UInt8]) { if !PrivateFile.writeAll(bytes, to: STDOUT_FILENO) { exit(74) } }

func end(by signal: Int32) -> Never {
    // A runtime that prints backtraces would return from the signal.
    _ = Glibc.signal(signal, SIG_DFL)
    kill(getpid(), signal)
    exit(70)
}

/// Uses the processor for some seconds.
func compute(_ seconds: Double) {
    let end = ConfinedProcess.processorSeconds + seconds
    while ConfinedProcess.processorSeconds < end {}
}

var input = RequestReader(STDIN_FILENO)
guard let first = input.line(), let start = try? JSONFile.decodeLine(HearingStart.self, from: first),
    let text = try? PrivateFile.read(start.model)
else { exit(65) }
var script = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
var ready = HearingReply.Ready(version: "1.8.5", isMultilingual: true, hasPhones: start.phones != nil)
switch script.first?.split(separator: " ").first {
case "unusable":
    send(line(HearingReply(unusable: .init(.model, String(script[0].dropFirst("unusable ".count))))))
    exit(WordsWorker.unusable)
case "old": ready.protocol = 99
case "crashStart": end(by: SIGSEGV)
default: break
}
send(line(HearingReply(ready: ready)))

let log = start.model + ".log"
let file = open(log, O_RDWR | O_CREAT | O_APPEND, 0o600)
while let bytes = input.line() {
    guard let request = try? JSONFile.decodeLine(HearingRequest.self, from: bytes) else { exit(65) }
    if let align = request.align {
        let words = align.words.enumerated().map { index, phones -> HearingReply.Aligned.Word? in
            phones.isEmpty ? nil : .init(start: 0.1 * Double(index), end: 0.1 * Double(index) + 0.1)
        }
        send(line(HearingReply(aligned: .init(id: align.id, words: words, distance: 0.25, processorSeconds: 0.5))))
        continue
    }
    guard let hear = request.hear, let sound = input.bytes(2 * hear.samples) else { exit(65) }
    let done = ((try? PrivateFile.read(log)) ?? []).count { $0 == 10 }
    let order = script[min(done, script.count - 1)]
    // The first sample names the piece.
    let name = Int16(bitPattern: UInt16(sound[0]) | UInt16(sound[1]) << 8)
    _ = PrivateFile.writeAll(Array("\(name) \(hear.samples) \(hear.language) \(getpid())\n".utf8), to: file)
    var said = order.split(separator: " ").dropFirst()
    var spent = 1.5
    if order.hasPrefix("work "), let rate = said.popFirst().flatMap({ Double($0) }) {
        spent = rate * Double(hear.samples) / 16_000
        ConfinedProcess.giveWay(15)
        compute(spent)
    }
    let words = said.joined(separator: " ").split(separator: "|")
    var reply = HearingReply.Heard(
        id: hear.id, noSpeech: order.hasPrefix("noise") ? 0.9 : 0.01,
        passes: hear.passes.indices.map { index in
            let text = words.isEmpty ? "" : String(words[min(index, words.count - 1)])
            let said = text.split(separator: " ").joined(separator: " ")
            return .init(text: said, tokens: said.count / 4, logProbability: -0.1, end: .said)
        }, processorSeconds: spent, residentMegabytes: order.hasPrefix("eat") ? 400 : 150)
    switch order.split(separator: " ").first {
    case "crash": end(by: SIGSEGV)
    case "illegal": end(by: SIGILL)
    case "hang": while true { pause() }
    case "flood": while true { send(Array(repeating: UInt8(ascii: "x"), count: 65_536)) }
    case "garbage": send(Array("{\"heard\":{\"id\":\(hear.id)}}\n".utf8))
    case "other":
        reply.id += 1
        send(line(HearingReply(heard: reply)))
    default: send(line(HearingReply(heard: reply)))
    }
}
exit(0)
