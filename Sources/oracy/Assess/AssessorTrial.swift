import Assessment
import Assessors
import AudioFiles
import ExamCore
import HTTPClient
import SessionFolders
import SystemSupport

/// The data that every assessor would receive about a recording outside any session.
struct AssessorTrial {
    private let answer: AnswerToAssess

    /// - Throws: `Problem` if the recording or the words cannot be read.
    init(recording: String, words: String?) throws(Problem) {
        let sound: MeasuredSound
        do throws(SoundFileError) {
            sound = try RecordingMeasure.measure(recording)
        } catch {
            throw Problem(error)
        }
        let sha256 = try PrivateFile.digest(recording).sha256
        let record = AnswerRecord(question: "trial", part: 1, order: 1)
        guard
            var answer = AnswerToAssess(
                record: record, recording: sha256, path: recording, sound: sound, question: "(the question)")
        else { preconditionFailure("a trial is not an introduction") }
        if let words {
            let text = String(decoding: try PrivateFile.read(words), as: UTF8.self)
            answer.words = AnswerTranscript(
                answer: record.name, recording: sha256, source: .own, writtenAt: WallTime.now.utc,
                text: text.split(whereSeparator: \.isWhitespace).joined(separator: " "))
        }
        self.answer = answer
    }

    func show(_ seats: [AnswerAssessing.Seat]) throws(Problem) {
        for seat in seats {
            let place = seat.assessor.recipient.map { "sent to \($0)" } ?? "stays on this machine"
            print("== \(seat.assessor.source.id) (\(seat.assessor.source.version)): \(place)")
            do throws(ServiceFailure) {
                for request in try seat.assessor.preview(of: answer) { print(request + "\n") }
            } catch {
                throw Problem(.malformed, "\(answer.path): \(error.sentence)")
            }
        }
        print("Nothing was sent.")
    }
}
