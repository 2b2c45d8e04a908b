import CMalloc
import ExamNode
import ServiceLifecycle
import SystemSupport

/// Returns memory to the system after many bytes that clients had left unread are gone.
///
/// glibc keeps freed memory that lies between blocks in use. After 500 slow readers it kept all of the 40 MB that had
/// waited for them, with any trim threshold and number of arenas. A search for free pages returns this memory.
struct FreedMemory: Service {
    let room: OutboundRoom
    /// The time between two looks.
    var interval = Duration.seconds(2)

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            while true {
                try await Task.sleep(for: interval)
                if room.hasEmptied() { await runBlocking { oracy_return_free_memory() } }
            }
        }
    }
}
