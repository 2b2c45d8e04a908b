import ExamCore
import ExamStore
import Logging

extension LiveExams {
    /// Reports this node's presence to the store as long as it runs. Warns the operator if another node has the same
    /// name, because logs, jobs and metrics would not distinguish them.
    func stayKnown() async {
        let (service, name) = (services.store.service, settings.node)
        var namesakes: Set<String> = []
        repeat {
            // While the store is unavailable no node is seen. The next round tries again.
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
