import Foundation
import PackagePlugin

/// Embeds the files beside a target's sources in the program, as `PackageResources`, so that the program is a single
/// file that works wherever it is copied.
///
/// SwiftPM's `embedInCode` writes byte arrays, and the compiler takes minutes for 2 MB of them. Text literals take a
/// second, so the files have to be UTF-8.
@main struct EmbedText: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        let files = (target.sourceModule?.sourceFiles.filter { $0.type == .unknown }.map(\.url) ?? [])
            .sorted { $0.path < $1.path }
        let output = context.pluginWorkDirectoryURL.appending(path: "PackageResources.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files of \(target.name)",
                executable: try context.tool(named: "embed-text").url,
                arguments: [output.path, target.directoryURL.path] + files.map(\.path), inputFiles: files,
                outputFiles: [output])
        ]
    }
}
