/// How long a node waits for what; tests wait less.
struct LiveTimes: Equatable, Sendable {
    /// How often exams and connections are looked at.
    var tick = Duration.milliseconds(250)
    /// Without sound for so long a client has stalled: noticed within five seconds.
    var longestSilence = Duration.milliseconds(4_500)
    /// A client whose line is lost keeps what its candidate says for so long, and it counts; then the exam stands still.
    var longestAbsence = Duration.seconds(60)
    /// A connection over which nothing at all came for so long is given up: three times the heartbeat, so that a browser that is busy
    /// gets a second and a third chance.
    var clientSilence = Duration.seconds(15)
    /// An exam that nobody is connected to stays in memory for so long; then it is on disk only, and any node may go on with it.
    var lingering = Duration.seconds(120)
    /// A node that dies is waited for so long.
    var lease = Duration.seconds(15)
    /// How often leases are renewed: two renewals may fail.
    var renewal = Duration.seconds(5)
    /// How often a node says that it is there; one that was not seen three times as long is taken for gone.
    var presence = Duration.seconds(15)
    /// How often exams that were left are looked for.
    var sweep = Duration.seconds(600)
    /// How long answers may take to storage before an exam is left or said to be over without them.
    var delivery = Duration.seconds(10)
}
