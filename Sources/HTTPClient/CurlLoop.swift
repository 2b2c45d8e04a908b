import CCurl
import Glibc
import Synchronization

/// The client's thread: it alone calls libcurl for the exchanges under way, waits for all of their sockets at once, and
/// resumes the tasks that wait.
final class CurlLoop {
    private let multi: UnsafeMutableRawPointer
    private let mailbox: Mailbox
    private let certificates: String?
    private let sockets = Sockets()
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]

    /// How often silences and reports are looked at while something is under way.
    private static let tickMilliseconds: Int32 = 100
    /// A letter wakes the thread; this is only how long it sleeps where none comes.
    private static let sleepMilliseconds: Int32 = 600_000
    /// Connections that are kept for the next exchange. libcurl would keep four for each exchange under way.
    private static let keptConnections = 16

    /// libcurl's own beginning, once for the program.
    private static let isReady: Bool = {
        defer { ProgramExit.watch() }
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// Starts a thread, and returns where it takes its letters from. It ends when the mailbox is closed and nothing is under
    /// way. Where it cannot be started, every exchange fails.
    static func start(certificates: String?) -> Mailbox {
        let mailbox = Mailbox()
        guard isReady, let multi = curl_multi_init() else { return mailbox }
        _ = oracy_curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, keptConnections)
        let loop = CurlLoop(multi: multi, mailbox: mailbox, certificates: certificates)
        mailbox.open(for: multi)

        var thread = pthread_t()
        let context = Unmanaged.passRetained(loop)
        let code = pthread_create(
            &thread, nil,
            { context in
                // libcurl is told not to touch signals, so SIGPIPE must not reach this thread; others are for others.
                var signals = sigset_t()
                sigfillset(&signals)
                pthread_sigmask(SIG_BLOCK, &signals, nil)
                Unmanaged<CurlLoop>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            mailbox.end()
            context.release()
            return mailbox
        }
        pthread_detach(thread)
        return mailbox
    }

    private init(multi: UnsafeMutableRawPointer, mailbox: Mailbox, certificates: String?) {
        self.multi = multi
        self.mailbox = mailbox
        self.certificates = certificates
    }

    /// Kept connections are closed here, while `sockets` is still there to be told.
    deinit { _ = ProgramExit.guarding { curl_multi_cleanup(multi) } }

    private func run() {
        while true {
            let isClosed = ProgramExit.guarding { work() }
            if isClosed && transfers.isEmpty { break }
            let pause = transfers.isEmpty ? Self.sleepMilliseconds : Self.tickMilliseconds
            curl_multi_poll(multi, nil, 0, pause, nil)
        }
        mailbox.end()
    }

    /// Everything that can be done without waiting. Returns whether no letter comes any more.
    private func work() -> Bool {
        let (letters, isClosed) = mailbox.collect()
        for letter in letters {
            switch letter {
            case .begin(let order): begin(order)
            case .cancel(let ticket): end(ObjectIdentifier(ticket), .failure(.cancelled))
            }
        }

        var running: Int32 = 0
        curl_multi_perform(multi, &running)
        endWhatIsDone()
        let now = ContinuousClock.now
        for (id, transfer) in transfers {
            if let failure = transfer.tick(at: now) { end(id, .failure(failure)) }
        }
        return isClosed
    }

    private func begin(_ order: Order) {
        // The letter that cancels it came before this one, or will never come.
        guard !order.ticket.isCancelled.load(ordering: .acquiring) else {
            return order.continuation.resume(returning: .failure(.cancelled))
        }
        do throws(HTTPFailure) {
            let transfer = try CurlTransfer(order, sockets: sockets, certificates: certificates)
            guard curl_multi_add_handle(multi, transfer.easy) == CURLM_OK else {
                throw HTTPFailure(.unknown, "libcurl did not take the exchange")
            }
            transfers[ObjectIdentifier(order.ticket)] = transfer
        } catch {
            order.continuation.resume(returning: .failure(error))
        }
    }

    private func endWhatIsDone() {
        var remaining: Int32 = 0
        while let message = curl_multi_info_read(multi, &remaining) {
            guard message.pointee.msg == CURLMSG_DONE else { continue }
            let transfer = CurlTransfer.of(message.pointee.easy_handle)
            end(ObjectIdentifier(transfer.order.ticket), transfer.outcome(of: message.pointee.data.result))
        }
    }

    /// Forgets it and resumes its task. An unknown one was ended before: a late cancellation.
    private func end(_ id: ObjectIdentifier, _ outcome: Result<HTTPResponse, HTTPFailure>) {
        guard let transfer = transfers.removeValue(forKey: id) else { return }
        curl_multi_remove_handle(multi, transfer.easy)
        if case .success = outcome { transfer.reportAll() }
        transfer.order.continuation.resume(returning: outcome)
    }
}

extension HTTPFailure {
    static let cancelled = HTTPFailure(.cancelled, "cancelled")
}
