import ArgumentParser
import Assessors
import Glibc
import SystemSupport

/// Asks the user before anything is sent to a third party, by its name.
struct AssessorConsent {
    private let home: AssessorsHome

    init(_ home: AssessorsHome) { self.home = home }

    /// - Parameter given: The third parties that the command line names.
    /// - Returns: The third parties that may receive data. A refused one is left out, and the user is still asked about
    ///   the others.
    func obtain(for seats: [AnswerAssessing.Seat], given: [String]) throws -> Set<String> {
        let parties = Set(seats.compactMap(\.assessor.recipient))
        if let stranger = given.first(where: { !parties.contains($0) }) {
            let known =
                parties.isEmpty ? "they send nothing anywhere" : "they use \(parties.sorted().joined(separator: ", "))"
            throw Problem(.malformed, "--consent-to \(stranger): none of your assessors uses it; \(known)")
        }
        let before = try home.consents()
        var agreed = Set(before.filter { $0.value.words == AssessorsHome.words($0.key) }.keys)
        for party in parties.subtracting(agreed).sorted() {
            if !given.contains(party) {
                guard isatty(STDIN_FILENO) == 1 else { continue }
                print(AssessorsHome.words(party).wrapped(to: terminalColumns - 4).joined(separator: "\n"))
                guard try Consent.ask("Do you agree? (y/n) ") else { continue }
            }
            try home.agree(to: party)
            agreed.insert(party)
        }
        return agreed.intersection(parties)
    }
}
