// Everything that an embedder needs with one import: sessions, rooms and takes, and with them the exam itself and its
// errors (`Problem`).
@_exported public import ExamCore
@_exported public import SystemSupport
