import Dispatch
import Glibc

/// Turns a signal that would end the program into a request, as long as this value exists. After `cancel` the signal
/// ends the program again.
struct InterruptSource {
    private let number: Int32
    private let source: any DispatchSourceSignal

    /// Waits until the signal is watched, so that one that comes right afterwards is not lost.
    init(_ number: Int32, _ wish: @escaping @Sendable () -> Void) {
        self.number = number
        signal(number, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: wish)
        // Dispatch begins to watch on its own thread, some time after `resume` has returned.
        let isWatched = DispatchSemaphore(value: 0)
        source.setRegistrationHandler { isWatched.signal() }
        source.resume()
        isWatched.wait()
    }

    func cancel() {
        source.cancel()
        signal(number, SIG_DFL)
    }
}
