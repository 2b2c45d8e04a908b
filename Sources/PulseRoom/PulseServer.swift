import CPulse
import ExamCore
import Glibc

/// A connection to a sound server (PulseAudio, or PipeWire's pulse server), run by a thread of libpulse's own.
///
/// The asynchronous API, since only it tells of suspended and moved streams and can be given up at a deadline. Callbacks come on
/// libpulse's thread with its lock held; everything else takes the lock (`locked`) for microseconds and never holds it
/// while waiting for anything but libpulse. A connection that broke is not mended: a new one is made.
final class PulseServer: @unchecked Sendable {
    private let mainloop: OpaquePointer
    /// For libpulse calls, with the lock held.
    let context: OpaquePointer
    private let news: News
    private var isClosed = false

    /// What callbacks may touch; libpulse's lock guards it.
    private final class News {
        let mainloop: OpaquePointer
        var isReady = false
        var broke: (@Sendable () -> Void)?
        var changed: (@Sendable () -> Void)?

        init(_ mainloop: OpaquePointer) {
            self.mainloop = mainloop
        }
    }

    /// Connects, without starting a server where there is none.
    ///
    /// - Parameters:
    ///   - address: `PULSE_SERVER`'s syntax; nil: as the environment and the user's configuration say.
    ///   - deadline: a server that hangs is given up; libpulse itself would wait half a minute.
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

    /// Ends the connection and its thread; not from one of its callbacks. Idempotent.
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

    /// Reports, on libpulse's thread, that the connection broke, and each time a device or a default changed.
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

    /// Does something with libpulse's lock held; not from one of its callbacks, which hold it already.
    func locked<Value>(_ body: () throws -> Value) rethrows -> Value {
        pa_threaded_mainloop_lock(mainloop)
        defer { pa_threaded_mainloop_unlock(mainloop) }
        return try body()
    }

    /// Whether the connection is there or on its way; with the lock held.
    var isGood: Bool { PA_CONTEXT_IS_GOOD(pa_context_get_state(context)) != 0 }

    /// Wakes `wait`; from callbacks.
    func signal() {
        pa_threaded_mainloop_signal(mainloop, 0)
    }

    /// Lets libpulse work until something is so; with the lock held.
    ///
    /// - Returns: false where it was not so within the span.
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
            return  // On its way.
        }
        pa_threaded_mainloop_signal(news.mainloop, 0)
    }
}

/// What a C callback gets back as its `userdata`; whoever registers it keeps the object alive.
func pointer(to object: AnyObject) -> UnsafeMutableRawPointer {
    Unmanaged.passUnretained(object).toOpaque()
}

func from<Object: AnyObject>(_ userdata: UnsafeMutableRawPointer, as type: Object.Type) -> Object {
    Unmanaged<Object>.fromOpaque(userdata).takeUnretainedValue()
}
