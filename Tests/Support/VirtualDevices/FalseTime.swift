import Foundation
import Glibc

/// Gives one program another time of day, as if the machine's clock had been set, with a small library that is loaded
/// before all others. Clocks that are never set (CLOCK_MONOTONIC, CLOCK_BOOTTIME) stay as they are.
public enum FalseTime {
    /// The system's C compiler, or the one that comes with Swift.
    public static let compiler: String? = ["/usr/bin/cc", "/opt/swift/usr/bin/clang", "/usr/bin/clang"].first {
        (path: String) in access(path, X_OK) == 0
    }

    /// The reason why no program's clock can be set here, in one plain sentence; nil if it can.
    public static let obstacle = compiler == nil ? "no C compiler for a program's clock: apt-get install gcc" : nil

    /// - Returns: The path of the library. The program must preload it (`LD_PRELOAD`), and have the path of the
    ///   offset's file in `FALSE_TIME`.
    /// - Throws: `Failure` if there is no compiler, or it fails.
    public static func build(in folder: String) throws -> String {
        try source.write(toFile: folder + "/false-time.c", atomically: true, encoding: .utf8)
        let process = Process()
        guard let compiler else { throw Failure(what: "no C compiler") }
        process.executableURL = URL(filePath: compiler)
        process.arguments = ["-shared", "-fPIC", "-O1", "-o", folder + "/false-time.so", folder + "/false-time.c"]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(what: "the C compiler failed") }
        return folder + "/false-time.so"
    }

    public struct Failure: Error {
        public let what: String
    }

    /// The offset is the text of a file, in seconds. It is read each time, so it can be changed while the program runs.
    private static let source = """
        #define _GNU_SOURCE
        #include <fcntl.h>
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long offset(void) {
            char text[32] = {0};
            const char *path = getenv("FALSE_TIME");
            int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
            if (file < 0) return 0;
            if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
            close(file);
            return atol(text);
        }

        int clock_gettime(clockid_t clock, struct timespec *now) {
            int failed = syscall(SYS_clock_gettime, clock, now);
            if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) now->tv_sec += offset();
            return failed;
        }

        int gettimeofday(struct timeval *now, void *zone) {
            struct timespec t;
            clock_gettime(CLOCK_REALTIME, &t);
            now->tv_sec = t.tv_sec;
            now->tv_usec = t.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *now) {
            struct timespec t;
            clock_gettime(CLOCK_REALTIME, &t);
            if (now) *now = t.tv_sec;
            return t.tv_sec;
        }
        """
}
