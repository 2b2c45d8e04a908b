import Foundation
import LoopbackServers
import SupabaseStandIn

/// `supabase-project [--audio FOLDER] [--confirm]`: a Supabase project on this machine for trying the product, until
/// standard input ends.
///
/// Prints its address as one line of JSON to standard output, and e-mails to standard error. With `--confirm`, new
/// users must open one to sign up.

func say(_ line: String, to stream: FileHandle) { stream.write(Data((line + "\n").utf8)) }

if let obstacle = StandInProject.obstacle {
    say(obstacle, to: .standardError)
    exit(69)
}
let words = CommandLine.arguments.dropFirst()
let folder = words.firstIndex(of: "--audio").flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
let sounds: [String] =
    folder.map { folder in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let known: Set = ["opus", "ogg", "wav", "mp3", "flac", "m4a"]
        return names.filter { known.contains(URL(filePath: $0).pathExtension) }.sorted().map { "\(folder)/\($0)" }
    } ?? []

let project = try StandInProject(isSeeded: false) { state in
    state.auth.confirmsEmail = words.contains("--confirm")
    state.auth.mailed = { mail in
        say(
            "to \(mail.to): \(mail.kind) code \(mail.token), or https://project/auth/v1/verify?token=\(mail.hash)&type=\(mail.kind)",
            to: .standardError)
    }
}
let server = try project.serve()
project.addNeighbourhoods(sounds: sounds)

let place = ["url": server.url, "key": StandInProject.key, "psql": project.address]
let line = try JSONSerialization.data(withJSONObject: place, options: [.sortedKeys, .withoutEscapingSlashes])
say(String(decoding: line, as: UTF8.self), to: .standardOutput)
say(
    "sign in as \(StandInAuth.email) with \"\(StandInAuth.password)\"; the template is \(StandInProject.template)",
    to: .standardError)

while readLine() != nil {}
server.stop()
