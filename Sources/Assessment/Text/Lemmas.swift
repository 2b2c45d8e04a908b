/// Finds the base form of inflected English words: `go` for `went`, `study` for `studies`. It uses rules and a table of
/// exceptions. It does not know the meaning in a sentence (`left` can be from `leave`, or the side), so it returns all
/// possibilities.
enum Lemmas {
    /// Returns the word itself and then the words that it may be a form of, the likely ones first.
    ///
    /// - Parameters:
    ///   - word: in lower case.
    ///   - comparatives: whether a word in -er or -est may be a comparative.
    static func candidates(of word: String, comparatives: Bool = true) -> [String] {
        var found = [word]
        found += irregular[word] ?? []
        found += plural(word) + past(word) + progressive(word) + (comparatives ? comparative(word) : [])
        var seen: Set<String> = []
        return found.filter { $0.count > 1 || $0 == word }.filter { seen.insert($0).inserted }
    }

    /// Returns the form under which to count a word. For an irregular word it is the base. Otherwise it is the first
    /// candidate after the word itself that is in the word list, or else the word.
    static func base(of word: String) -> String {
        if let base = irregular[word]?.first { return base }
        return candidates(of: word).dropFirst().first { VocabularyProfile.level(listed: $0) != nil } ?? word
    }

    // MARK: - Rules

    private static func plural(_ word: String) -> [String] {
        guard word.hasSuffix("s"), !word.hasSuffix("ss"), word.count > 3 else { return [] }
        var bases: [String] = []
        if word.hasSuffix("ies") { bases.append(String(word.dropLast(3)) + "y") }
        if word.hasSuffix("ves") { bases += ["f", "fe"].map { String(word.dropLast(3)) + $0 } }
        bases.append(String(word.dropLast()))
        if word.hasSuffix("es") { bases.append(String(word.dropLast(2))) }
        return bases
    }

    private static func past(_ word: String) -> [String] {
        guard word.hasSuffix("ed"), word.count > 3 else { return [] }
        let ied = word.hasSuffix("ied") ? [String(word.dropLast(3)) + "y"] : []
        return ied + bases(ofStem: String(word.dropLast(2)))
    }

    private static func progressive(_ word: String) -> [String] {
        guard word.hasSuffix("ing"), word.count > 4 else { return [] }
        let stem = String(word.dropLast(3))
        return bases(ofStem: stem) + (stem.hasSuffix("y") ? [String(stem.dropLast()) + "ie"] : [])
    }

    private static func comparative(_ word: String) -> [String] {
        let ending = word.hasSuffix("est") ? 3 : word.hasSuffix("er") ? 2 : 0
        guard ending > 0, word.count > ending + 2 else { return [] }
        let stem = String(word.dropLast(ending))
        return (stem.hasSuffix("i") ? [String(stem.dropLast()) + "y"] : []) + bases(ofStem: stem)
    }

    /// Returns possible bases of a stem: `hop` for `hopp`, `hope` for `hop`, `walk` for `walk`.
    private static func bases(ofStem stem: String) -> [String] {
        let letters = Array(stem)
        let isDoubled = letters.count > 2 && letters[letters.count - 1] == letters[letters.count - 2]
        let doubled = isDoubled && !"sz".contains(letters[letters.count - 1]) ? [String(stem.dropLast())] : []
        return [stem, stem + "e"] + doubled
    }

    // MARK: - Exceptions

    /// The bases of each irregular form.
    private static let irregular: [String: [String]] = {
        var table: [String: [String]] = [:]
        for line in forms.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            for form in words.dropFirst() where form != words[0] { table[form, default: []].append(words[0]) }
        }
        return table
    }()

    /// Each line has the base and then its forms.
    private static let forms = """
        be am is are was were been being 'm 're
        have has had having 've
        do does did done doing
        go goes went gone going
        can could ca
        will would wo 'll
        shall should sha
        may might
        not n't
        arise arose arisen
        awake awoke awoken
        bear bore borne born
        beat beaten
        become became
        begin began begun beginning
        bend bent
        bet betting
        bind bound
        bite bit bitten
        bleed bled
        blow blew blown
        break broke broken
        breed bred
        bring brought
        broadcast broadcasting
        build built
        burn burnt
        buy bought
        catch caught
        choose chose chosen
        come came
        creep crept
        deal dealt
        dig dug
        draw drew drawn
        dream dreamt
        drink drank drunk
        drive drove driven
        eat ate eaten
        fall fell fallen
        feed fed
        feel felt
        fight fought
        find found
        flee fled
        fly flew flown flies
        forbid forbade forbidden
        forget forgot forgotten
        forgive forgave forgiven
        freeze froze frozen
        get got gotten
        give gave given
        grind ground
        grow grew grown
        hang hung
        hear heard
        hide hid hidden
        hold held
        keep kept
        kneel knelt
        know knew known
        lay laid
        lead led
        lean leant
        leap leapt
        learn learnt
        leave left
        lend lent
        lie lay lain lying
        light lit
        lose lost
        make made
        mean meant
        meet met
        mistake mistook mistaken
        overcome overcame
        pay paid
        prove proven
        ride rode ridden
        ring rang rung
        rise rose risen
        run ran
        say said
        see saw seen
        seek sought
        sell sold
        send sent
        sew sewn
        shake shook shaken
        shine shone
        shoot shot
        show shown
        shrink shrank shrunk
        sing sang sung
        sink sank sunk
        sit sat
        sleep slept
        slide slid
        smell smelt
        speak spoke spoken
        speed sped
        spell spelt
        spend spent
        spill spilt
        spin spun
        spoil spoilt
        stand stood
        steal stole stolen
        stick stuck
        sting stung
        strike struck stricken
        strive strove striven
        swear swore sworn
        sweep swept
        swell swollen
        swim swam swum
        swing swung
        take took taken
        teach taught
        tear tore torn
        tell told
        think thought
        throw threw thrown
        understand understood
        undertake undertook undertaken
        wake woke woken
        wear wore worn
        weave wove woven
        weep wept
        win won
        wind wound
        withdraw withdrew withdrawn
        write wrote written
        man men
        woman women
        child children
        person people persons
        foot feet
        tooth teeth
        goose geese
        mouse mice
        ox oxen
        analysis analyses
        basis bases
        crisis crises
        hypothesis hypotheses
        phenomenon phenomena
        criterion criteria
        medium media
        good better best
        well better best
        bad worse worst
        far farther farthest further furthest
        little less least
        many more most
        much more most
        old elder eldest
        i me my mine myself
        we us our ours
        this these
        that those
        a an
        """

    /// Words with a grammatical function that say nothing about the topic, and fillers.
    static let functionWords: Set<String> = Set(
        """
        a an the and or but so because if when while as than that this these those there here i you he she it we they me him her us them
        my your his its our their mine yours hers ours theirs myself yourself himself herself itself ourselves themselves who whom whose
        which what where why how am is are was were be been being have has had having do does did done doing will would shall should can
        could may might must ought not no nor yes to of in on at by for from with without about into onto over under after before between
        through during against up down out off again then also too very really just only even still already yet ever never always often
        sometimes usually maybe perhaps quite rather more most much many some any every each all both few several other another such own
        same one two first next last well like get got go going gonna wanna let's okay ok yeah um uh erm er hmm oh i'm i've i'll i'd you're
        you've it's that's there's he's she's we're we've they're they've don't doesn't didn't isn't aren't wasn't weren't can't couldn't
        won't wouldn't shouldn't haven't hasn't hadn't lot lots kind sort thing things something anything everything nothing
        """.split(whereSeparator: \.isWhitespace).map(String.init))
}
