// What an embedder imports: sessions, rooms, takes, and with them the exam itself and what goes wrong (`Problem`).
@_exported public import ExamCore
@_exported public import SystemSupport
