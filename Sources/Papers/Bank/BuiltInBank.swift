import SystemSupport

extension ItemBank {
    /// The built-in bank, read once.
    public static let builtIn: ItemBank = {
        // Tests read each file strictly.
        let items = PackageResources.all.compactMap { name, bytes in
            try? JSONFile.decodeOwn(
                BankItem.self, "bank item", version: BankItem.layoutVersion, from: bytes, name: name)
        }
        guard let bank = try? ItemBank(items) else {
            preconditionFailure("two items of the built-in bank have the same id")
        }
        return bank
    }()
}
