// Sends the answers of an exam to a WebDAV server. `oracy sessions` shows the folders of exams, and pipe-room makes one:
//
//   swift run own-uploader my-exam https://cloud.example.org/remote.php/dav/files/ann/exams
//
// WEBDAV_AUTHORIZATION is the header's value, such as `Basic …`. If the program is interrupted, the next call
// continues.
import Foundation
import Glibc
import SessionFolders
import SessionUploads
import SystemSupport
import UploadQueue

guard CommandLine.arguments.count == 3 else {
    FileHandle.standardError.write(Data("usage: own-uploader EXAM-FOLDER URL\n".utf8))
    exit(64)
}
let (path, url) = (CommandLine.arguments[1], CommandLine.arguments[2])

do {
    let exam = try SessionFolder.open(at: path)
    guard let manifest = try exam.readManifest() else {
        throw Problem(.missing, "\(path): the exam is not over: hold it to its end first")
    }
    // When `add` returns, the upload is on disk. Adding it again doesn't queue it again.
    let queue = try DeliveryQueue(folder: path + "-uploads", destination: url)
    let delivery = try SessionDelivery(of: exam, into: queue)
    for take in manifest.takes { try delivery.add(take) }
    try delivery.complete(manifest)

    let uploader = WebDAVUploader(
        folder: url, authorization: getenv("WEBDAV_AUTHORIZATION").map { String(cString: $0) })
    // Sends until everything has arrived, or the rest waits for a person. If the network is away, waits for it, here
    // for a minute.
    let progress = try await queue.send(through: uploader, until: .atRest, deadline: .seconds(60))
    print("\(progress.delivered) arrived at \(uploader.place)")
    let waiting = try queue.entries().count { $0.state != .delivered && $0.state != .dropped }
    if waiting > 0 { print("\(waiting) wait: the same command goes on") }
    exit(waiting == 0 ? 0 : 1)
} catch {
    FileHandle.standardError.write(Data("own-uploader: \(error)\n".utf8))
    exit(1)
}
