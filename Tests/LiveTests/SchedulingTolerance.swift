/// The distance from a promise that real time is allowed, because of the machine and not of Oracy.
///
/// A test asserts on samples in a recording or on the log's own times wherever it can. These are for the rest: each lies well above what
/// the sound server and the scheduler add, and well below what the fault adds that the test looks for.
enum SchedulingTolerance {
    /// Between two lines of a live exam's log, compared with the replay's, seconds.
    ///
    /// The candidate's program takes a moment to start (0.1 s on an idle machine), the end of what is played is known some 60 ms late, and the
    /// lines lie on blocks of 20 ms. A silence that is measured wrong is off by its rule's whole length, 0.7 s or more.
    static let betweenLines = 0.4

    /// Between a line of a log and the test that waits for it, seconds: the test looks every 50 ms, at the end of all who want the
    /// processor. A program that did not count the time it was frozen would be off by 3 or 6 s.
    static let lineOfALog = 2.0

    /// The sound that may still be heard after a stop, counted in samples: 50 ms that the server has, 20 ms to fill a block, 20 ms on its
    /// way to the test, and for the rest the server itself, which renders what is due before it hears of the stop when it is late. A
    /// tone that was not stopped would go on for 19 s.
    static let stop = Duration.seconds(1)
}
