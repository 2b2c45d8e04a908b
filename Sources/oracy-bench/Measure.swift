import Foundation
import Glibc

/// A completed run of a program, measured by the operating system.
struct Run {
    /// The user and system time together, in seconds.
    var cpu: Double
    /// The peak of the resident memory in MB.
    var memory: Double
    /// The elapsed time in seconds.
    var wall: Double
}

/// Runs a program to its end and discards its output.
///
/// - Returns: nil if it can't be started, or fails.
func measure(_ arguments: [String]) -> Run? {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var pid: pid_t = 0
    let began = clockNow()
    guard posix_spawn(&pid, arguments[0], &actions, nil, &words, environ) == 0 else { return nil }
    var status: Int32 = 0
    var usage = rusage()
    guard wait4(pid, &status, 0, &usage) == pid, status == 0 else { return nil }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return Run(
        cpu: seconds(usage.ru_utime) + seconds(usage.ru_stime), memory: Double(usage.ru_maxrss) / 1024,
        wall: clockNow() - began)
}

/// Returns the CPU time of this thread so far, in seconds.
func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The median of several figures with the smallest and the largest. A machine's speed drifts, so a single run says
/// little.
struct Spread {
    var figures: [Double]

    var median: Double { figures.sorted()[figures.count / 2] }

    func text(_ unit: String, scale: Double = 1, places: Int = 0) -> String {
        func text(_ figure: Double) -> String { decimal(figure * scale, places) }
        return "\(text(median)) \(unit) (\(text(figures.min()!)) to \(text(figures.max()!)))"
    }
}

func decimal(_ figure: Double, _ places: Int) -> String {
    let scale = (0..<places).reduce(1) { scale, _ in scale * 10 }
    let whole = Int((figure * Double(scale)).rounded())
    let sign = whole < 0 ? "-" : ""
    guard places > 0 else { return "\(whole)" }
    let rest = String(abs(whole) % scale)
    return "\(sign)\(abs(whole) / scale)." + String(repeating: "0", count: places - rest.count) + rest
}

/// The load average of the last minute. It limits the accuracy of the figures.
private var load: String {
    (try? String(contentsOfFile: "/proc/loadavg", encoding: .utf8)).map { String($0.prefix { $0 != " " }) } ?? "?"
}

/// Prints the title of a group of rows.
func section(_ title: String) {
    print("\n\(title); load \(load)")
}

/// Prints a row of the report, for figures in seconds.
func row(_ name: String, _ figures: [Double], places: Int = 0, bar: String? = nil) {
    let text = Spread(figures: figures).text("ms", scale: 1000, places: places)
    let padded = name.padding(toLength: max(44, name.count), withPad: " ", startingAt: 0)
    print("  \(padded) \(text)\(bar.map { "   bar: " + $0 } ?? "")")
}
