import CCurl
import Glibc
import Synchronization

/// The client's thread. Only this thread calls libcurl for exchanges. It waits for all sockets together, and resumes
/// the waiting tasks.
final class CurlLoop {
    private let multi: UnsafeMutableRawPointer
    private let mailbox: Mailbox
    private let certificates: String?
    private let sockets = Sockets()
    private var transfers: [ObjectIdentifier: CurlTransfer] = [:]

    /// The interval for checking silences and reporting progress during exchanges.
    private static let tickMilliseconds: Int32 = 100
    /// The longest sleep. A letter in the mailbox wakes the thread earlier.
    private static let sleepMilliseconds: Int32 = 600_000
    /// The connections kept for later exchanges. By default, libcurl would keep four per exchange in progress.
    private static let keptConnections = 16

    /// libcurl's global initialisation, once for the program.
    private static let isReady: Bool = {
        defer { ProgramExit.watch() }
        return curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
    }()

    /// Starts a thread and returns its mailbox. The thread ends when the mailbox is closed and all exchanges are
    /// complete. If it can't be started, every exchange fails.
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
                // libcurl is configured not to touch signals, so SIGPIPE must not reach this thread. Other threads
                // handle the rest.
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

    /// Closes the kept connections while `sockets` still exists, because libcurl reports each closing to it.
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

    /// Does all work that doesn't wait. Returns whether the mailbox is closed.
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
        // If the task was cancelled, the letter that says so came before this one, or will never come.
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

    /// Removes an exchange and resumes its task. An unknown id belongs to an exchange that ended before its
    /// cancellation arrived.
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
