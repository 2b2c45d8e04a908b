package import UploadQueue

/// The configuration of a server.
public struct ServerSettings: Sendable {
    /// The folder of this node, which only its owner can read: exams in progress (`exams/<session>`) and answers to be
    /// delivered (`uploads`).
    public var folder: String
    /// This node's name in leases and logs.
    public var node: String
    /// The URL at which clients reach this node, without a slash at the end. Another node gives it to clients that ask
    /// there for an exam of this node. Nil if clients cannot reach this node directly.
    public var nodeURL: String?
    /// Whether every caller is the same user, without a token. For a laptop, on loopback only.
    public var development = false
    /// The origins of other sites whose pages have the same access as the server's own: `https://exams.example.org`, in
    /// lower case.
    public var allowedOrigins: Set<String> = []
    /// The host names by which the server may be addressed: `exams.example.org`, in lower case and without a port. In
    /// development, localhost, 127.0.0.1, [::1] and the host of `nodeURL` are allowed, too. Outside development, the
    /// hosts in this set and the host of `nodeURL` are allowed, or any host if the set is empty.
    public var allowedHosts: Set<String> = []
    /// The port of `/metrics`. Nil if it is on the server's own port.
    public var metricsPort: Int?
    /// Whether sound may arrive faster than it is spoken, for tests.
    public var anyPace = false
    /// Whether prompts are synthesized when the server starts, instead of when the first exam needs them.
    public var speaksAhead = true
    /// The examiner's voices that are installed on this node.
    package var voices = ExaminerVoices()
    /// The folder with custom formats, papers and packs of questions (`formats/*.json`, `papers/*.json`,
    /// `packs/*.json`), besides the built-in ones.
    public var ownExams: String?
    /// The folders, separated by colons, with the program that decodes recordings of telephones and browsers
    /// (`ffmpeg`). Nil for `PATH`. Without the program such recordings are refused.
    public var decoderFolders: String?
    /// A program whose `main` calls `SoundWorker.main()`, with its arguments. The server decodes recordings in
    /// processes of this program. nil to decode them in this process, which a malicious recording can then harm.
    public var soundProgram: [String]?
    /// The limits on what decoding a recording may cost.
    public var soundLimits = SoundLimits()
    /// The limits of each user.
    public var limits = Limits()
    /// The bytes that must be free on this node's disk before an exam begins, so that no exam ends for lack of space.
    public var freeBytes = 200 << 20

    /// The time after which the server closes a connection whose client reads nothing.
    public var readerPatience = Duration.seconds(30)

    /// The time for which running exams may continue after the server is told to stop. No new ones begin meanwhile.
    /// Only `ExamBackend.run` uses it: an application that runs the server's services itself decides when to stop them.
    public var drainTime = Duration.zero

    /// The number of people asked to mark each finished exam, 0 to 2. Teachers and services may ask for more.
    public var markers = 0

    /// The days for which a session is kept after its end. Nil for no limit.
    public var retentionDays: Int?

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - folder: this node's own folder, which is created if necessary.
    ///   - node: the node's name, which must be unique among the nodes that share a store.
    public init(folder: String, node: String = "node-1") {
        self.folder = folder
        self.node = node
    }

    /// The limits for one user.
    public struct Limits: Sendable {
        /// The maximum size of a recording: 10 MB.
        public var recordingBytes = 10 << 20
        /// The maximum size of all of a user's stored recordings: about 50 exams in Opus.
        public var storedBytes = 200 << 20
        /// The maximum number of a user's stored sessions, wherever they were held: ten a day for more than a year.
        public var sessions = 5_000
        /// The maximum number of a user's attempts at quizzes.
        public var submissions = 10_000
        /// The maximum number of exams that a user may begin in a day.
        public var examsPerDay = 50
        /// The maximum number of spoken drills that a user may begin in a day. They are not counted as exams.
        public var drillsPerDay = 200
        /// The maximum number of a user's own papers.
        public var papers = 100
        /// The maximum number of papers that a user may have written by a model in a day.
        public var papersWrittenPerDay = 10
        /// The maximum number of a user's practice tests.
        public var practiceTests = 200
        /// The maximum number of lines in a user's practice log: a hundred answers a day for more than ten years.
        public var practiceLines = 500_000
        /// The maximum number of practice tasks that a user's clients of the item bank may store.
        public var practiceTasks = 1_000
        /// The maximum number of requests a minute. A page that waits for results sends six.
        public var requestsPerMinute = 300
        /// The maximum number of exams that a marker may have taken and not marked.
        public var takenExams = 5
        /// The maximum number of simultaneous connections to exams.
        public var liveConnections = 4
        /// The time for which an exam can be continued after its candidate left.
        public var patience = Duration.seconds(86_400)

        /// Creates the default limits of `oracy-server`.
        public init() {}
    }
}

extension ServerSettings {
    /// The folder for uploads whose use is not decided yet.
    package var uploadFolder: String { folder + "/incoming" }

    package var room: QueueRoom {
        var room = QueueRoom()
        room.free = freeBytes
        return room
    }
}
