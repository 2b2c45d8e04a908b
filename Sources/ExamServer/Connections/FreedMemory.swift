import CMalloc
import ServiceLifecycle
import SystemSupport

/// Returns memory to the system when many bytes that clients left unread have gone.
///
/// glibc keeps freed pieces between living ones in its arenas. After 500 slow readers it kept all of the 40 MB that had
/// waited for them, whatever its threshold for trimming and its number of arenas. A search for free pages returns them.
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
