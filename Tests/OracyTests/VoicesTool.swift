import AudioFiles
import Foundation
import HTTPClient
import LoopbackServers
import Synchronization
import TestSupport
import Testing

@testable import ExamKit
@testable import oracy

/// `oracy voices`: the choice of a voice. One that doesn't speak is refused.
@Suite struct VoicesTool {
    private let home: TemporaryFolder

    init() throws { home = try TemporaryFolder() }

    private func tool(_ arguments: String...) throws -> Tool.Result {
        try Tool.run(["voices"] + arguments, home: home.path)
    }

    @Test func aVoiceThatSpeaksIsChosen() throws {
        let answer = Tool.fixtures + "/answers/building-1.flac"
        let wav = home.path + "/answer.wav"
        let reader = try BlockReader(path: answer)
        let writer = try GrowingWAV(path: wav)
        for _ in 0..<40 { try reader.next().map { try writer.append($0.samples) } }
        #expect(try tool().output.hasPrefix("espeak-ng "))
        let used = try tool("use", "--command", "cat \(wav)")
        #expect(used.code == 0 && used.output.contains("voice is now: cat"), "\(used.errors)")
        #expect(try tool().output.hasPrefix("cat \(wav)\n"))
        // An invalid command is reported, and the previous voice stays.
        for command in ["false", "no-such-program", "echo"] {
            let wrong = try tool("use", "--command", command)
            #expect(wrong.code == 69 && wrong.errors.contains(command), "\(wrong.errors)")
        }
        #expect(try tool().output.hasPrefix("cat \(wav)\n"))
        let slow = try tool("use", "--words-per-minute", "100", "--pause", "80")
        #expect(slow.code == 0 && slow.output.contains("-s 100 -g 8"), "\(slow.errors)")
        #expect(try tool("use", "--words-per-minute", "20").code == 64)
    }

    @Test func voicesThatAreNotInstalledAreListedWithTheirCommand() throws {
        let list = try tool("list")
        #expect(list.code == 0)
        #expect(list.output.contains("* espeak-ng"))
        #expect(list.output.contains("hibari     American, female; not installed: oracy voices install"))
        for (name, code, words) in [
            ("hibari", 66, "run oracy voices install"), ("pico", 66, "run oracy voices install --pico"),
            ("nonsense", 65, "is not a voice"), ("missing.onnx", 66, "no such file"),
        ] {
            let used = try tool("use", name)
            #expect(used.code == Int32(code) && used.errors.contains(words), "\(used.errors)")
        }
        #expect(try tool("use", "hibari", "--command", "cat").code == 64)
        #expect(try tool("install").code == 64, "it asks, and there is no terminal")
    }

    /// The package oracy-voice has recordings of built-in questions, but no program that speaks.
    @Test func recordingsOfAPackageNeedNoInstalledVoice() throws {
        let (programs, recordings) = (home.path + "/usr/bin", home.path + "/usr/share/oracy/voice")
        for folder in [programs, recordings] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        // The tool looks for recordings relative to its own path.
        let installed = programs + "/oracy"
        if link(Tool.debug, installed) != 0 { try FileManager.default.copyItem(atPath: Tool.debug, toPath: installed) }
        var voice = ExaminerVoice()
        voice.name = ["hibari-tts", "0.2.1", "heart", "seed 1"]
        let prompts = try FileManager.default.contentsOfDirectory(atPath: Tool.fixtures + "/prompts")
        let sound = try #require(prompts.sorted().first { $0.hasSuffix(".opus") })
        for text in [SpokenBank.trial, SpokenBank.shortTrial] {
            try FileManager.default.copyItem(
                atPath: Tool.fixtures + "/prompts/" + sound, toPath: "\(recordings)/\(voice.fileName(for: text))")
        }
        func tool(_ arguments: String...) throws -> Tool.Result {
            try Tool.run(
                ["voices"] + arguments, tool: installed, home: home.path, environment: ["ORACY_PROMPTS": ""])
        }
        let list = try tool("list").output
        #expect(
            list.contains("* hibari     American, female; built-in questions only (package oracy-voice)"), "\(list)")
        let now = try tool("now")
        #expect(now.output.hasPrefix("hibari-tts 0.2.1 heart seed 1\n"), "\(now)")
        #expect(now.output.contains("\(recordings)/hello-let-us-talk"), "\(now)")
        let used = try tool("use", "hibari")
        #expect(used.code == 0, "\(used.errors)")
        let other = try tool("try", "hibari", "--text", "No recording has these words.")
        #expect(other.code == 69, "\(other)")
    }

    @Test func aServerSpeaks() throws {
        let asked = Mutex<[[UInt8]]>([])
        let keys = Mutex<[String]>([])
        let wav = home.path + "/speech.wav"
        let reader = try BlockReader(path: Tool.fixtures + "/answers/building-1.flac")
        let writer = try GrowingWAV(path: wav)
        for _ in 0..<40 { try reader.next().map { try writer.append($0.samples) } }
        let spoken = Array(try Data(contentsOf: URL(filePath: wav)))
        let server = try HTTPServer { request in
            asked.withLock { $0.append(request.bytes) }
            keys.withLock { $0.append(request.headers.first { $0.name.lowercased() == "authorization" }?.value ?? "") }
            guard request.path == "/v1/audio/speech" else { return HTTPResponse(status: 404, headers: [:], body: []) }
            return HTTPResponse(status: 200, headers: ["content-type": "audio/wav"], body: spoken)
        }
        defer { server.stop() }
        try Data("secret\n".utf8).write(to: URL(filePath: home.path + "/key"))
        let used = try tool(
            "use", "--address", server.url + "/v1", "--model", "m", "--server-voice", "v", "--speed", "0.8",
            "--key-file",
            home.path + "/key")
        #expect(used.code == 0, "\(used.errors)")
        let first = try #require(asked.withLock { $0.first })
        let body = try JSONSerialization.jsonObject(with: Data(first)) as? [String: Any]
        #expect(
            body?["model"] as? String == "m" && body?["voice"] as? String == "v" && body?["speed"] as? Double == 0.8)
        #expect(body?["response_format"] as? String == "wav" && body?["input"] as? String == "Hello.")
        #expect(keys.withLock { $0.first } == "Bearer secret")
        #expect(chmod(home.path + "/key", 0o600) == 0)
        let plain = try tool(
            "use", "--address", "http://voices.example.org/v1", "--model", "m", "--key-file", home.path + "/key")
        #expect(plain.code == 65 && plain.errors.contains("is http, and the key would be read"), "\(plain)")
        let gone = try tool("use", "--address", server.url + "/v2")
        #expect(gone.code == 69, "\(gone.errors)")
        #expect(try tool().output.contains("voices speak --address \(server.url)/v1"))
    }
}
