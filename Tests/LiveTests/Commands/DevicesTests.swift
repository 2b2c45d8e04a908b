import Foundation
import PulseRoom
import Testing
import VirtualDevices

extension Commands {
    @Suite(.serialized) struct Devices {
        @Test func theListStarsDefaultsAndNamesMutedDevices() async throws {
            let booth = try Booth()
            _ = try booth.server.addSeat("anna")
            let tool = try await booth.run("devices")
            #expect(tool.code == 0 && tool.errors.isEmpty)
            let titles = tool.lines.filter { !$0.hasPrefix(" ") && !$0.isEmpty }
            #expect(titles == ["Microphones", "Loudspeakers"])
            let starred = tool.lines.filter { $0.hasPrefix("  * ") }
            #expect(starred.map { $0.split(separator: " ")[1] } == ["microphone", "loudspeaker"])
            let names = tool.lines.filter { $0.hasPrefix("  ") }.map { String($0.dropFirst(5)) }
            #expect(names.allSatisfy { $0.dropFirst(18).hasPrefix("Null") || $0.dropFirst(18).hasPrefix("Remapped") })
            #expect(!tool.output.contains(".monitor"), "a loudspeaker's monitor is not a microphone")
            #expect(!tool.output.contains("muted"))

            try booth.server.muteMicrophone()
            try booth.server.pactl("set-sink-mute", "anna-loudspeaker", "1")
            let muted = try await booth.run("devices").lines.filter { $0.hasSuffix("  muted") }
            #expect(muted.map { $0.dropFirst(5).prefix { $0 != " " } } == ["microphone", "anna-loudspeaker"])
        }

        @Test func jsonDescribesEachDevice() async throws {
            let booth = try Booth()
            try booth.server.muteMicrophone()
            let tool = try await booth.run("devices", "--json")
            #expect(tool.code == 0 && tool.errors.isEmpty)
            let devices = try JSONDecoder().decode([AudioDevice].self, from: Data(tool.output.utf8))
            let microphone = try #require(devices.first { $0.name == "microphone" })
            #expect(microphone.kind == .microphone && microphone.isDefault && microphone.isMuted)
            #expect(!microphone.isMonitor && microphone.sampleRate == 48_000 && microphone.channelCount == 1)
            let monitor = try #require(devices.first { $0.name == "loudspeaker.monitor" })
            #expect(monitor.isMonitor && !monitor.isDefault)
        }

        @Test func withoutASoundServerOneSentenceSaysWhatToDo() async throws {
            let booth = try Booth()
            booth.server.kill()
            for arguments in [["devices"], ["devices", "--json"]] {
                let tool = try booth.start(arguments)
                #expect(await tool.end() == 69)
                #expect(tool.output.isEmpty)
                #expect(
                    tool.errors
                        == "oracy: The sound server cannot be reached. Start PulseAudio or PipeWire\n")
            }
        }
    }
}
