/// The waiting times of a node. Tests use shorter ones.
package struct LiveTimes: Equatable, Sendable {
    /// The interval between checks of exams and connections.
    var tick = Duration.milliseconds(250)
    /// The time without sound after which a client counts as stalled, so that it is noticed within five seconds.
    package var longestSilence = Duration.milliseconds(4_500)
    /// The time for which a client without a line may record sound that still counts. After that the exam is suspended.
    var longestAbsence = Duration.seconds(60)
    /// The time after which a connection without any messages is given up: three times the heartbeat, so that a busy
    /// browser gets a second and a third chance.
    package var clientSilence = Duration.seconds(15)
    /// The time for which an exam without a client stays in memory. After that it is only on disk, and any node may
    /// continue it.
    var lingering = Duration.seconds(120)
    /// The length of a lease: the time for which other nodes wait after a node has died.
    package var lease = Duration.seconds(15)
    /// The interval at which leases are renewed. Two renewals may fail.
    package var renewal = Duration.seconds(5)
    /// The interval at which a node reports its presence. A node not seen for three times as long counts as gone.
    var presence = Duration.seconds(15)
    /// The interval between searches for abandoned exams.
    package var sweep = Duration.seconds(600)
    /// The time to store answers before an exam is left, or reported as over, without them.
    package var delivery = Duration.seconds(10)
}
