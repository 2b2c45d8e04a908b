import SystemSupport

extension ItemBank {
    /// The bank that comes with Oracy, read once.
    public static let builtIn: ItemBank = {
        // Tests read each of them strictly.
        let items = PackageResources.all.compactMap { name, bytes in
            try? JSONFile.decodeOwn(
                BankItem.self, "bank item", version: BankItem.layoutVersion, from: bytes, name: name)
        }
        guard let bank = try? ItemBank(items) else { preconditionFailure("two items of the built-in bank have one id") }
        return bank
    }()
}
