package import ExamStore
package import Foundation

/// A class that the server's operator opens: the learners' code, and the teacher's way in.
package struct OpenedClass: Sendable {
    package let name: String
    /// The code as people read it.
    package let code: String
    /// The secret of the teacher's link, which signs in once within a day. An earlier link stops working.
    package let link: String

    /// Opens the class with a name, and makes it if it is missing.
    ///
    /// - Parameters:
    ///   - teacher: the teacher's name, if the class is made.
    /// - Throws: `StoreError`.
    package static func open(
        named name: String, teacher: String, in store: ExamDatabase, at now: Date = Date()
    ) async throws(StoreError) -> OpenedClass {
        let service = store.service
        var found = try await service.schoolClass(named: name)
        while found == nil {
            // Another process may have made the class meanwhile, or the code may be in use.
            _ = try await service.make(SchoolClass(id: UUID(), name: name, code: JoinCode.fresh()))
            found = try await service.schoolClass(named: name)
        }
        let (opened, link) = (found!, SignInToken())
        var teachers = try await service.members(of: opened.id).filter { $0.role == .teacher }
        if teachers.isEmpty {
            let member = ClassMember(id: UUID(), name: teacher, role: .teacher)
            _ = try await service.add(member, to: opened.id, pinHash: nil, limit: ClassAccounts.mostMembers)
            teachers = [member]
        }
        _ = try await service.put(linkHash: link.digest, until: now + 86_400, of: teachers[0].id)
        return OpenedClass(name: name, code: JoinCode.shown(opened.code), link: link.text)
    }
}
