/// The allowed deviations in real time that the machine causes, and not Oracy.
///
/// Tests use samples in a recording or the log's own times if they can. These tolerances are for the rest. Each is well
/// above the delays of the sound server and the scheduler, and well below the effect of the fault that the test looks
/// for.
enum SchedulingTolerance {
    /// Seconds between two lines of a live exam's log, compared with the replay's.
    ///
    /// The candidate's program takes a moment to start (0.1 s on an idle machine), the end of a clip is known some 60
    /// ms late, and lines lie on blocks of 20 ms. A silence that is measured wrong would be off by its rule's whole
    /// length, 0.7 s or more.
    static let betweenLines = 0.4

    /// Seconds between a line of a log and the test that waits for it. The test looks every 50 ms, after all others
    /// that want the processor. A program that did not count the time for which it was frozen would be off by 3 or 6 s.
    static let lineOfALog = 2.0

    /// The sound that may still be heard after a stop, counted in samples. The server has 50 ms, a block takes 20 ms to
    /// fill, and 20 ms are on their way to the test. The rest is for a late server, which renders what is due before it
    /// reads the stop. A tone that was not stopped would continue for 19 s.
    static let stop = Duration.seconds(1)
}
