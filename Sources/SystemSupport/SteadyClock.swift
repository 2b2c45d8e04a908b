import Glibc

/// The time since the machine was started, the time it slept included: it is never set and never stands still.
public enum SteadyClock {
    /// Since the machine was started.
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Which start of the machine `now` counts from: the kernel's own random id; "" where it tells none.
    public static var boot: String {
        guard let bytes = try? PrivateFile.read("/proc/sys/kernel/random/boot_id") else { return "" }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
