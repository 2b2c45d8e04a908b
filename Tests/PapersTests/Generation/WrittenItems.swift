import ExamCore
import SystemSupport

@testable import Papers

/// Possible answers of a model.
enum WrittenItems {
    /// Returns an item as a model writes it: without id, version and kind.
    static func answer(_ item: BankItem) -> String {
        let fields = String(decoding: JSONFile.encode(item), as: UTF8.self)
        return fields.split(separator: "\n").filter { line in
            !["\"id\"", "\"version\"", "\"kind\""].contains { line.hasPrefix("  " + $0) }
        }.joined(separator: "\n").replacing(/,\n\}/, with: "\n}")
    }

    static let rain = answer(SampleItems.frame)

    /// The same answer with one question too few.
    static let short: String = {
        guard case .frame(var frame) = SampleItems.frame else { return "" }
        frame.questions.removeLast()
        return answer(.frame(frame))
    }()

    static let wish = ItemWish(section: "topics", topic: "rain", difficulty: .medium)

    /// Returns a bank without items about rain.
    static func bank() throws -> ItemBank {
        try ItemBank(ItemBank.builtIn.items.filter { ["sleep", "shoes", "fruit", "calm-person"].contains($0.id) })
    }

    static func known() throws -> KnownItems { KnownItems(bank: try bank()) }
}
