import Foundation
import PackagePlugin

/// Puts the files beside a target's sources into the program, as `PackageResources`: a program is one file, wherever it is copied.
///
/// SwiftPM's `embedInCode` does the same with arrays of bytes, and the compiler reads 2 MB of them for minutes; as literals of text
/// it is a second. So files have to be UTF-8.
@main struct EmbedText: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let files = (target.sourceModule?.sourceFiles.filter { $0.type == .unknown }.map(\.url) ?? [])
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of \(target.name)",
                executable: try context.tool(named: "embed-text").url,
                arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
