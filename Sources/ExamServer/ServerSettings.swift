import UploadQueue

/// How a server is set up.
public struct ServerSettings: Sendable {
    /// The folder of this node: exams that are held (`exams/<session>`), answers on their way (`uploads`); its owner's only.
    public var folder: String
    /// This node's name among others: in leases and logs.
    public var node: String
    /// Where clients reach this node, without a slash at the end: given to those who ask another node for its exams. nil: nowhere else.
    public var nodeURL: String?
    /// Whether everybody is one user, without a token: for a laptop, and on loopback only.
    public var development = false
    /// `https://exams.example.org`, in lower case: other sites whose pages may do what the server's own does.
    public var allowedOrigins: Set<String> = []
    /// `exams.example.org`, in lower case and without a port: names by which it may be asked for. In development these beside its own
    /// (localhost, 127.0.0.1, [::1], and the host of `nodeURL`); else all, where there are any, and any, where there are none.
    public var allowedHosts: Set<String> = []
    /// Where `/metrics` is asked for instead of the server's own port; nil: there.
    public var metricsPort: Int?
    /// Whether sound may come faster than it is spoken: for tests.
    public var anyPace = false
    /// Whether what exams say is spoken when the server starts, and not when the first of them is made.
    public var speaksAhead = true
    /// A folder with formats and papers of one's own, `formats/*.json` and `papers/*.json`, beside those that come with the program.
    public var ownExams: String?
    /// Folders in which the program is looked for that decodes recordings of telephones and browsers, with colons between; nil: `PATH`.
    /// Without it they are refused.
    public var decoderFolders: String?
    /// A program that decodes recordings in processes of their own, and its arguments: one whose `main` calls `SoundWorker.main()`. nil:
    /// they are decoded in this process, where one that is made to harm does.
    public var soundProgram: [String]?
    /// What decoding a recording may cost.
    public var soundLimits = SoundLimits()
    /// What each user may have and do.
    public var limits = Limits()
    /// Bytes that have to be free on this node's disk before an exam is begun, so that none ends for want of them.
    public var freeBytes = 200 << 20

    /// How long a client may take nothing of what was written to it before its connection is closed.
    public var readerPatience = Duration.seconds(30)

    /// How long exams under way go on when the server is told to stop; no new ones begin meanwhile. What `ExamBackend.run` does: an application
    /// that runs the server's services itself stops them when it likes.
    public var drainTime = Duration.zero

    /// How many people are asked to mark each exam that is over, 0 to 2. Teachers and services may ask for more.
    public var markers = 0

    /// How many days a session is kept after its end; nil: for ever.
    public var retentionDays: Int?

    /// - Parameters:
    ///   - folder: this node's own; made where it is not there.
    ///   - node: its name among those that share a store; no two have the same.
    public init(folder: String, node: String = "node-1") {
        self.folder = folder
        self.node = node
    }

    /// What one user may ask for.
    public struct Limits: Sendable {
        /// A recording's bytes: 10 MB (C4).
        public var recordingBytes = 10 << 20
        /// All of a user's stored bytes: some 50 exams as Opus.
        public var storedBytes = 200 << 20
        /// Sessions that are kept for a user, wherever they were held: ten a day for more than a year.
        public var sessions = 5_000
        /// A user's attempts at quizzes.
        public var submissions = 10_000
        /// Exams a user may begin in a day.
        public var examsPerDay = 50
        /// Papers of a user's own that are kept.
        public var papers = 100
        /// Papers that a user may have a model write in a day.
        public var papersWrittenPerDay = 10
        /// Practice tests that are kept for a user.
        public var practiceTests = 200
        /// Lines of a user's practice log: a hundred answers a day for more than ten years.
        public var practiceLines = 500_000
        /// Tasks that clients of the item bank keep for a user.
        public var practiceTasks = 1_000
        /// Requests a minute; a page that looks for results makes six.
        public var requestsPerMinute = 300
        /// Exams that a marker may have taken and not marked.
        public var takenExams = 5
        /// Connections to exams at a time.
        public var liveConnections = 4
        /// How long an exam whose candidate went away can be gone on with.
        public var patience = Duration.seconds(86_400)

        /// The limits that `oracy-server` has where no option says otherwise.
        public init() {}
    }
}

extension ServerSettings {
    var hosts: Hosts { Hosts(self) }

    var room: QueueRoom {
        var room = QueueRoom()
        room.free = freeBytes
        return room
    }
}
