import Glibc

/// The time since the machine was started, including sleep. It never stops, and setting the machine's clock doesn't
/// change it.
public enum SteadyClock {
    /// The time since the machine was started.
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// The kernel's random id of the machine's start, from which `now` counts; "" if it is unavailable.
    public static var boot: String {
        guard let bytes = try? PrivateFile.read("/proc/sys/kernel/random/boot_id") else { return "" }
        return String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
