// What an embedder imports: sessions, rooms, takes, and with them the exam itself.
@_exported public import ExamCore
