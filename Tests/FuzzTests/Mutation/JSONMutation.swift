extension JSON {
    /// Returns the value with one to three changes: a field dropped, doubled, renamed or moved into another one, or
    /// replaced by something odd.
    func changed(_ chance: inout Chance) -> JSON {
        var changed = self
        for _ in 0...chance.below(3) {
            changed = changed.changed(at: chance.below(changed.size), &chance)
        }
        return changed
    }

    /// Returns the changed value as bytes, which are also spoiled now and then.
    func spoiled(_ chance: inout Chance) -> [UInt8] {
        var bytes = Array(changed(&chance).written.utf8)
        if chance.once(in: 6) { bytes.spoil(&chance) }
        return bytes
    }

    /// The number of values in this one, including itself.
    private var size: Int {
        switch self {
        case .object(let fields): fields.reduce(1) { $0 + $1.value.size }
        case .list(let values): values.reduce(1) { $0 + $1.size }
        case .text, .word: 1
        }
    }

    /// Changes one value.
    ///
    /// - Parameter place: The value's place in the order of writing; 0 is this one.
    private func changed(at place: Int, _ chance: inout Chance) -> JSON {
        if place == 0 { return odd(&chance) }
        var rest = place - 1
        switch self {
        case .object(var fields):
            for index in fields.indices {
                let size = fields[index].value.size
                guard rest >= size else {
                    if rest == 0, chance.once(in: 2) {
                        Self.shuffle(&fields, index, &chance)
                    } else {
                        fields[index].value = fields[index].value.changed(at: rest, &chance)
                    }
                    return .object(fields)
                }
                rest -= size
            }
        case .list(var values):
            for index in values.indices {
                let size = values[index].size
                guard rest >= size else {
                    if rest == 0, chance.once(in: 2) {
                        Self.shuffle(&values, index, &chance)
                    } else {
                        values[index] = values[index].changed(at: rest, &chance)
                    }
                    return .list(values)
                }
                rest -= size
            }
        case .text, .word: break
        }
        return self
    }

    private static func shuffle(_ values: inout [JSON], _ index: Int, _ chance: inout Chance) {
        switch chance.below(4) {
        case 0: values.remove(at: index)
        case 1: values.insert(values[index], at: index)
        case 2: values.swapAt(index, chance.below(values.count))
        default: values += Array(repeating: values[index], count: chance.one(of: [2, 50, 600]))
        }
    }

    private static func shuffle(
        _ fields: inout [(name: String, value: JSON)], _ index: Int, _ chance: inout Chance
    ) {
        switch chance.below(5) {
        case 0: fields.remove(at: index)
        case 1: fields.append((name: fields[index].name, value: Oddities.value(&chance)))
        case 2: fields[index].name = Oddities.text(&chance)
        case 3:
            let other = chance.below(fields.count)
            (fields[index].value, fields[other].value) = (fields[other].value, fields[index].value)
        default: fields.append((name: Oddities.text(&chance), value: fields[index].value))
        }
    }

    /// Returns an odd replacement, more often of the same kind than of another, so that the code behind the type check
    /// is reached.
    private func odd(_ chance: inout Chance) -> JSON {
        switch self {
        case .text where chance.once(in: 2): .text(Oddities.text(&chance))
        case .text(let text) where chance.once(in: 2):
            .text(text.spoiled(&chance))
        case .word where chance.once(in: 2): .word(chance.one(of: Oddities.numbers))
        case .object where chance.once(in: 3): .list([self])
        default: Oddities.value(&chance)
        }
    }
}

extension String {
    /// Returns the text with spoiled bytes. Invalid UTF-8 is then repaired, as decoders of headers do.
    func spoiled(_ chance: inout Chance) -> String {
        var bytes = Array(utf8)
        bytes.spoil(&chance)
        return String(decoding: bytes, as: UTF8.self)
    }
}
