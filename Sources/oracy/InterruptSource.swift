import Dispatch
import Glibc

/// A signal that ends programs, taken as a wish while this lives; afterwards it ends the program again.
struct InterruptSource {
    private let number: Int32
    private let source: any DispatchSourceSignal

    init(_ number: Int32, _ wish: @escaping @Sendable () -> Void) {
        self.number = number
        signal(number, SIG_IGN)
        source = DispatchSource.makeSignalSource(signal: number, queue: .global())
        source.setEventHandler(handler: wish)
        source.resume()
    }

    func cancel() {
        source.cancel()
        signal(number, SIG_DFL)
    }
}
