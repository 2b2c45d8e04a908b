import Foundation
import HTTPClient
import SystemSupport

/// Signing up, e-mails and signing out of users.
extension StandInAuth {
    mutating func signUp(_ call: StandInCall, _ database: StandInDatabase) -> HTTPResponse {
        let fields = call.fields
        guard let email = (fields["email"] as? String)?.lowercased(), email.contains("@") else {
            return Self.refusal(400, "validation_failed", "Unable to validate email address: invalid format", call)
        }
        guard let password = fields["password"] as? String, password.count >= 6 else {
            return Self.refusal(422, "weak_password", "Password should be at least 6 characters.", call)
        }
        if let known = users.first(where: { $0.email == email }) {
            guard confirmsEmail else {
                return Self.refusal(422, "user_already_exists", "User already registered", call)
            }
            // The answer doesn't reveal who has an account.
            if known.isConfirmed { return .json(200, Self.unconfirmed(User(id: UUID().name, email: email))) }
            mail("signup", to: email)
            return .json(200, Self.unconfirmed(known))
        }
        let user = add(
            User(id: UUID().name, email: email, password: password, isConfirmed: !confirmsEmail), to: database)
        guard confirmsEmail else { return signedIn(user, call.now) }
        mail("signup", to: email)
        return .json(200, Self.unconfirmed(user))
    }

    mutating func sendCode(_ call: StandInCall, _ database: StandInDatabase) -> HTTPResponse {
        guard let email = (call.fields["email"] as? String)?.lowercased(), email.contains("@") else {
            return Self.refusal(400, "validation_failed", "Unable to validate email address: invalid format", call)
        }
        if !users.contains(where: { $0.email == email }) {
            guard call.fields["create_user"] as? Bool ?? true else {
                return Self.refusal(422, "otp_disabled", "Signups not allowed for otp", call)
            }
            _ = add(User(id: UUID().name, email: email, isConfirmed: false), to: database)
        }
        mail("email", to: email)
        return .json(200, [:] as [String: Any])
    }

    mutating func verify(_ call: StandInCall) -> HTTPResponse {
        let fields = call.fields
        let kind = fields["type"] as? String ?? ""
        let hash = fields["token_hash"] as? String
        let email = mails.first { $0.hash == hash }?.to ?? (fields["email"] as? String)?.lowercased() ?? ""
        // `email` covers the former `signup` and `magiclink`.
        let kinds: Set<String> = kind == "email" || kind == "magiclink" ? ["email", "signup", "magiclink"] : [kind]
        guard
            let found = mails.lastIndex(where: {
                $0.to == email && ($0.hash == hash || $0.token == fields["token"] as? String) && kinds.contains($0.kind)
            }), let index = users.firstIndex(where: { $0.email == email })
        else { return Self.refusal(403, "otp_expired", "Token has expired or is invalid", call) }
        mails.remove(at: found)
        users[index].isConfirmed = true
        return signedIn(users[index], call.now)
    }

    mutating func recover(_ call: StandInCall) -> HTTPResponse {
        if let email = (call.fields["email"] as? String)?.lowercased(), users.contains(where: { $0.email == email }) {
            mail("recovery", to: email)
        }
        return .json(200, [:] as [String: Any])
    }

    mutating func user(_ call: StandInCall) -> HTTPResponse {
        switch asking(call) {
        case .failure(let refusal): return refusal.response
        case .success(let session):
            guard let index = users.firstIndex(where: { $0.id == owners[session] }) else {
                return Self.refusal(403, "user_not_found", "User from sub claim in JWT does not exist", call)
            }
            if call.method == "PUT" {
                if let password = call.fields["password"] as? String {
                    guard password.count >= 6 else {
                        return Self.refusal(422, "weak_password", "Password should be at least 6 characters.", call)
                    }
                    guard password != users[index].password else {
                        return Self.refusal(
                            422, "same_password", "New password should be different from the old password.", call)
                    }
                    users[index].password = password
                }
                if let email = call.fields["email"] as? String { users[index].email = email.lowercased() }
            }
            return .json(200, Self.json(users[index]))
        }
    }

    mutating func signOut(_ call: StandInCall) -> HTTPResponse {
        switch asking(call) {
        case .failure(let refusal): return refusal.response
        case .success(let session):
            let owner = owners[session]
            let scope = call.value("scope") ?? "global"
            for (other, user) in owners where user == owner {
                if scope == "local" ? other == session : scope == "others" ? other != session : true {
                    ended[other] = "session_not_found"
                }
            }
            return .text(204)
        }
    }

    private struct Refused: Error { var response: HTTPResponse }

    /// Returns the number of the requesting session.
    private func asking(_ call: StandInCall) -> Result<Int, Refused> {
        guard let bearer = call.bearer else {
            return .failure(
                Refused(response: Self.refusal(401, "no_authorization", "This endpoint requires a Bearer token", call)))
        }
        if flaw(in: bearer, at: call.now) != nil {
            let words = "invalid JWT: unable to parse or verify signature"
            return .failure(Refused(response: Self.refusal(403, "bad_jwt", words, call)))
        }
        let session = Self.fields(of: bearer)["session_id"] as? Int ?? 0
        if ended[session] != nil {
            let words = "Session from session_id claim in JWT does not exist"
            return .failure(Refused(response: Self.refusal(403, "session_not_found", words, call)))
        }
        return .success(session)
    }

    private mutating func add(_ user: User, to database: StandInDatabase) -> User {
        users.append(user)
        database.owner(
            "INSERT INTO auth.users (id, email) VALUES ('\(user.id)', \(StandInDatabase.quoted(user.email)))")
        return user
    }

    private mutating func mail(_ kind: String, to email: String) {
        // Six digits that can't be guessed from earlier ones.
        let hash = String(UInt64.random(in: .min ... .max), radix: 16)
        let mail = Mail(to: email, kind: kind, token: String(Int.random(in: 100_000...999_999)), hash: hash)
        mails.append(mail)
        mailed(mail)
    }

    private static func unconfirmed(_ user: User) -> [String: Any] {
        json(user).merging(["confirmation_sent_at": "2026-11-23T12:00:00Z", "identities": [Any]()] as [String: Any]) {
            a, _ in a
        }
    }
}
