import ArgumentParser

/// The options with which a server was started, from all sources. The command line takes precedence over the
/// environment, and the environment over the file.
struct OptionSources {
    /// All options in the form of a command line.
    private(set) var arguments: [String]
    /// The options on the actual command line.
    let onCommandLine: Set<String>
    /// The environment, with the file's keys added.
    private(set) var environment: [String: String]
    /// The places of the other options by name: `ORACY_SERVER_PORT`, `/etc/oracy/server.conf, line 3`.
    private(set) var places: [String: String] = [:]
    private(set) var file: ConfigFile?

    /// Reads all sources.
    ///
    /// - Parameter commandLine: the arguments without the program's name. The command, if given, comes first.
    /// - Throws: `ValidationError`, and the errors of `ConfigFile`.
    init(_ commandLine: [String], environment: [String: String]) throws {
        arguments = commandLine
        self.environment = environment
        onCommandLine = Set(
            commandLine.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }.map {
                String($0.dropFirst(2).prefix { $0 != "=" })
            })
        // A request for help must not fail because of an unreadable file.
        guard onCommandLine.isDisjoint(with: ["help", "version"]), !commandLine.contains("-h"),
            commandLine.first != "help"
        else { return }
        if let path = Self.value(of: "config", in: commandLine) ?? variable(OptionName.configVariable) {
            file = try ConfigFile(path: path)
        }
        let names = OptionName.names(for: commandLine.first)
        for option in names where !onCommandLine.contains(option.rawValue) { try find(option) }
        for name in SecretName.allCases where variable(name.variable) == nil {
            self.environment[name.variable] = file?.lines.first { $0.name == name.rawValue }?.value
        }
    }

    /// Names in the environment that look like options but are unknown: a typing mistake, or another program's
    /// variables.
    var unknownVariables: [String] {
        let known = Set(OptionName.allCases.map(\.variable) + [OptionName.configVariable])
        return environment.keys.filter { $0.hasPrefix(OptionName.prefix) && !known.contains($0) }.sorted()
    }

    /// Adds an option's place to a message about it, unless that is the command line.
    func placed(_ sentence: String) -> String {
        let named = places.keys.filter { name in sentence.matches(of: /--[a-z-]+/).contains { $0.output == "--\(name)" }
        }
        guard named.count == 1, let place = places[named[0]] else { return sentence }
        return "\(sentence) (\(place))"
    }

    private mutating func find(_ option: OptionName) throws {
        let names = [option.variable] + (option == .database ? [OptionName.databaseVariable] : [])
        for name in names {
            if let value = variable(name) { return try add(option, [value], at: name) }
        }
        let lines = file?.lines.filter { $0.name == option.rawValue } ?? []
        if let first = lines.first, let file {
            try add(option, lines.map(\.value), at: "\(file.path), line \(first.number)")
        }
    }

    private mutating func add(_ option: OptionName, _ values: [String], at place: String) throws {
        places[option.rawValue] = place
        switch option.kind {
        case .value: arguments += values.map { "--\(option.rawValue)=\($0)" }
        case .list:
            for value in values.joined(separator: ",").split(separator: ",") {
                arguments.append("--\(option.rawValue)=\(value.drop { $0 == " " })")
            }
        case .flag:
            switch values[0].lowercased() {
            case "true": arguments.append("--\(option.rawValue)")
            case "false": break
            default: throw ValidationError("\(place): \(option.rawValue) must be true or false")
            }
        }
    }

    /// Returns a variable's value. An empty variable counts as unset, so that templates can leave it open.
    private func variable(_ name: String) -> String? {
        guard let value = environment[name], !value.isEmpty else { return nil }
        return value
    }

    private static func value(of name: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument.hasPrefix("--\(name)=") { return String(argument.dropFirst(name.count + 3)) }
            if argument == "--\(name)", index + 1 < arguments.count { return arguments[index + 1] }
        }
        return nil
    }
}
