import CPulse
import ExamCore
import Glibc

/// A connection to a sound server (PulseAudio, or PipeWire's pulse server) that runs on a thread of libpulse.
///
/// It uses the asynchronous API, because only that reports suspended and moved streams, and allows deadlines. Callbacks
/// come on libpulse's thread with its lock held. Everything else takes the lock (`locked`) for microseconds, and never
/// holds it while waiting for anything but libpulse. A broken connection is replaced by a new one.
final class PulseServer: @unchecked Sendable {
    private let mainloop: OpaquePointer
    /// The context for calls of libpulse, with the lock held.
    let context: OpaquePointer
    private let news: News
    private var isClosed = false

    /// The state for callbacks. Guarded by libpulse's lock.
    private final class News {
        let mainloop: OpaquePointer
        var isReady = false
        var broke: (@Sendable () -> Void)?
        var changed: (@Sendable () -> Void)?

        init(_ mainloop: OpaquePointer) {
            self.mainloop = mainloop
        }
    }

    /// Connects, without starting a server if none is running.
    ///
    /// - Parameters:
    ///   - address: In `PULSE_SERVER`'s syntax; nil for that of the environment and the user's configuration.
    ///   - deadline: The time after which a server that hangs is given up. libpulse itself would wait half a minute.
    /// - Throws: `Exam.Trouble.noServer`.
    init(_ address: String?, deadline: Duration = .seconds(2)) throws(Exam.Trouble) {
        guard let mainloop = pa_threaded_mainloop_new() else { throw .noServer }
        guard let context = pa_context_new(pa_threaded_mainloop_get_api(mainloop), "Oracy") else {
            pa_threaded_mainloop_free(mainloop)
            throw .noServer
        }
        self.mainloop = mainloop
        self.context = context
        news = News(mainloop)
        let started = locked {
            pa_context_set_state_callback(
                context,
                { context, news in PulseServer.stateChanged(context, from(news!, as: News.self)) },
                pointer(to: news)
            )
            guard pa_context_connect(context, address, PA_CONTEXT_NOAUTOSPAWN, nil) >= 0,
                pa_threaded_mainloop_start(mainloop) >= 0
            else { return false }
            _ = wait(for: deadline) { news.isReady || !isGood }
            return news.isReady
        }
        guard started else {
            close()
            throw .noServer
        }
    }

    deinit { close() }

    /// Ends the connection and its thread. Don't call it from one of its callbacks. May be called twice.
    func close() {
        guard !isClosed else { return }
        isClosed = true
        locked {
            news.broke = nil
            news.changed = nil
            pa_context_set_state_callback(context, nil, nil)
            pa_context_set_subscribe_callback(context, nil, nil)
            pa_context_disconnect(context)
            pa_context_unref(context)
        }
        pa_threaded_mainloop_stop(mainloop)
        pa_threaded_mainloop_free(mainloop)
    }

    /// Reports, on libpulse's thread, a broken connection and every change of a device or a default.
    func watch(broke: @escaping @Sendable () -> Void, changed: @escaping @Sendable () -> Void) {
        locked {
            news.broke = broke
            news.changed = changed
            pa_context_set_subscribe_callback(
                context, { _, _, _, news in from(news!, as: News.self).changed?() }, pointer(to: news))
            let mask = PA_SUBSCRIPTION_MASK_SOURCE.rawValue | PA_SUBSCRIPTION_MASK_SINK.rawValue
            let all = pa_subscription_mask_t(rawValue: mask | PA_SUBSCRIPTION_MASK_SERVER.rawValue)
            if let operation = pa_context_subscribe(context, all, nil, nil) { pa_operation_unref(operation) }
            if !news.isReady { broke() }
        }
    }

    /// Runs code with libpulse's lock held. Don't call it from a callback, which holds the lock already.
    func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        pa_threaded_mainloop_lock(mainloop)
        defer { pa_threaded_mainloop_unlock(mainloop) }
        return try body()
    }

    /// Whether the connection exists or is being made. Call it with the lock held.
    var isGood: Bool { PA_CONTEXT_IS_GOOD(pa_context_get_state(context)) != 0 }

    /// Wakes `wait`. Call it from callbacks.
    func signal() {
        pa_threaded_mainloop_signal(mainloop, 0)
    }

    /// Lets libpulse work until a condition is true. Call it with the lock held.
    ///
    /// - Returns: Whether the condition became true within the time.
    func wait(for span: Duration, until isSo: () -> Bool) -> Bool {
        final class Alarm {
            let mainloop: OpaquePointer
            var rang = false
            init(_ mainloop: OpaquePointer) { self.mainloop = mainloop }
        }
        let alarm = Alarm(mainloop)
        let event = pa_context_rttime_new(
            context, pa_rtclock_now() + pa_usec_t(span.milliseconds) * 1000,
            { _, _, _, alarm in
                let alarm = from(alarm!, as: Alarm.self)
                alarm.rang = true
                pa_threaded_mainloop_signal(alarm.mainloop, 0)
            },
            pointer(to: alarm)
        )
        defer { if let event { pa_threaded_mainloop_get_api(mainloop).pointee.time_free(event) } }
        while !isSo() && !alarm.rang && event != nil { pa_threaded_mainloop_wait(mainloop) }
        return isSo()
    }

    private static func stateChanged(_ context: OpaquePointer?, _ news: News) {
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            news.isReady = true
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
            if news.isReady { news.broke?() }
            news.isReady = false
        default:
            return  // Still connecting.
        }
        pa_threaded_mainloop_signal(news.mainloop, 0)
    }
}

/// Returns a pointer for a C callback's `userdata`. The code that registers it has to keep the object alive.
func pointer(to object: AnyObject) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque()
}

func from<Object: AnyObject>(_ userdata: UnsafeMutableRawPointer, as type: Object.Type) -> Object {
    Unmanaged<Object>.fromOpaque(userdata).takeUnretainedValue()
}
