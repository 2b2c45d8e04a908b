import CPulse
public import ExamCore

/// A microphone or a loudspeaker, as the sound server lists it.
public struct AudioDevice: Codable, Equatable, Sendable {
    /// The kind of device.
    public enum Kind: String, Codable, Sendable {
        /// A PulseAudio source. A loudspeaker's monitor is one too (`isMonitor`).
        case microphone
        /// A PulseAudio sink.
        case loudspeaker
    }

    /// The kind of this device.
    public var kind: Kind
    /// The server's name for the device, for use in options: `alsa_input.pci-0000_00_1f.3.analog-stereo`.
    public var name: String
    /// The name for people: "Built-in Audio Analog Stereo".
    public var description: String
    /// Whether it is used if no name is given.
    public var isDefault: Bool
    /// Whether it is muted at the sound server, or its volume is zero there.
    public var isMuted: Bool
    /// Whether this "microphone" records a loudspeaker's output. It would record the examiner, so it is never used.
    public var isMonitor: Bool
    /// The rate of its native format, 1/s.
    public var sampleRate: Int
    /// The channels of its native format.
    public var channelCount: Int

    /// Returns all microphones and loudspeakers of a server. Blocks for at most 4 s.
    ///
    /// - Parameter server: In `PULSE_SERVER`'s syntax; nil to use the environment's.
    /// - Throws: `Exam.Trouble.noServer`.
    public static func all(on server: String? = nil) throws(Exam.Trouble) -> [AudioDevice] {
        let server = try PulseServer(server)
        defer { server.close() }
        return try server.devices()
    }
}

extension String {
    /// The text without control characters, safe for a line of a terminal. A device's name may contain line breaks and
    /// terminal commands.
    package var withoutControls: String {
        String(String.UnicodeScalarView(unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}

extension [AudioDevice] {
    /// Returns the device of this name, or the default one if the name is nil; nil if no such device may be used.
    public func chosen(_ kind: AudioDevice.Kind, named name: String?) -> AudioDevice? {
        let usable = filter { $0.kind == kind && !$0.isMonitor }
        guard let name else { return usable.first(where: \.isDefault) }
        return usable.first { $0.name == name }
    }

    /// Whether the default "microphone" is a loudspeaker's monitor although there are real microphones.
    var hidesMicrophones: Bool {
        contains { $0.kind == .microphone && $0.isMonitor && $0.isDefault }
            && contains { $0.kind == .microphone && !$0.isMonitor }
    }
}

extension PulseServer {
    /// - Throws: `Exam.Trouble.serverGone` if the server does not answer within 2 s.
    func devices() throws(Exam.Trouble) -> [AudioDevice] {
        let answer = Answer(self)
        let isComplete = locked {
            let operations = [
                pa_context_get_server_info(
                    context, { _, info, answer in from(answer!, as: Answer.self).take(info) }, pointer(to: answer)),
                pa_context_get_source_info_list(
                    context, { _, info, end, answer in from(answer!, as: Answer.self).take(info, end) },
                    pointer(to: answer)),
                pa_context_get_sink_info_list(
                    context, { _, info, end, answer in from(answer!, as: Answer.self).take(info, end) },
                    pointer(to: answer)),
            ]
            defer {
                for case let operation? in operations {
                    pa_operation_cancel(operation)  // Nothing may call back once the answer is gone.
                    pa_operation_unref(operation)
                }
            }
            guard operations.allSatisfy({ $0 != nil }) else { return false }
            return wait(for: .seconds(2)) {
                answer.missing == 0 || !isGood
            }
                && answer.missing == 0
        }
        guard isComplete else { throw .serverGone }
        return answer.devices.map { device in
            var device = device
            device.isDefault = device.name == (device.kind == .microphone ? answer.source : answer.sink)
            return device
        }
    }

    /// Collects the server's answers. Guarded by libpulse's lock.
    private final class Answer {
        let server: PulseServer
        var devices: [AudioDevice] = []
        var source: String?
        var sink: String?
        var missing = 3

        init(_ server: PulseServer) {
            self.server = server
        }

        func take(_ info: UnsafePointer<pa_server_info>?) {
            source = info?.pointee.default_source_name.map { String(cString: $0) }
            sink = info?.pointee.default_sink_name.map { String(cString: $0) }
            complete()
        }

        func take(_ info: UnsafePointer<pa_source_info>?, _ end: Int32) {
            guard end == 0, let info = info?.pointee else { return complete() }
            devices.append(
                AudioDevice(
                    kind: .microphone,
                    name: String(cString: info.name),
                    description: String(cString: info.description).withoutControls,
                    isDefault: false,
                    isMuted: info.mute != 0 || isSilent(info.volume),
                    isMonitor: info.monitor_of_sink != UInt32.max,
                    sampleRate: Int(info.sample_spec.rate),
                    channelCount: Int(info.sample_spec.channels)
                )
            )
        }

        func take(_ info: UnsafePointer<pa_sink_info>?, _ end: Int32) {
            guard end == 0, let info = info?.pointee else { return complete() }
            devices.append(
                AudioDevice(
                    kind: .loudspeaker,
                    name: String(cString: info.name),
                    description: String(cString: info.description).withoutControls,
                    isDefault: false,
                    isMuted: info.mute != 0 || isSilent(info.volume),
                    isMonitor: false,
                    sampleRate: Int(info.sample_spec.rate),
                    channelCount: Int(info.sample_spec.channels)
                )
            )
        }

        private func isSilent(_ volume: pa_cvolume) -> Bool {
            withUnsafePointer(to: volume) { pa_cvolume_channels_equal_to($0, 0) != 0 }
        }

        private func complete() {
            missing -= 1
            server.signal()
        }
    }
}
