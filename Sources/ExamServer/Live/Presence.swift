import ExamStore
import Logging

extension LiveExams {
    /// Says to the store that this node is there, as long as it runs, and to whoever runs it where another one has its name: then logs, jobs
    /// and numbers do not say which of them it was.
    func stayKnown() async {
        let (service, name) = (services.store.service, settings.node)
        var namesakes: Set<String> = []
        repeat {
            // While the store is away nobody is seen: again the next time.
            let others = try? await service.see(
                node: node, name: name, url: settings.nodeURL, within: times.presence.inSeconds * 3)
            guard let others else { continue }
            if !Set(others).subtracting(namesakes).isEmpty {
                services.logger.warning(
                    "another node has this one's name: give each a name of its own",
                    metadata: ["namesakes": "\(others.joined(separator: " "))"])
            }
            namesakes = Set(others)
        } while (try? await Task.sleep(for: times.presence)) != nil
    }
}
