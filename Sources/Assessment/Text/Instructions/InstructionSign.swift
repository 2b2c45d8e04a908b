/// A kind of thing that a sentence mentions if it addresses its marker.
enum InstructionSign: Hashable, CaseIterable {
    /// A mark, its criterion or its scale.
    case mark
    /// The best possible result.
    case top
    /// The best mark as a number: nine, 9.
    case number
    /// The marker: a person, a model, a program.
    case judge
    /// The answer that contains the sentence, or its speaker.
    case candidate
    /// An order to the marker.
    case order
    /// A polite word that goes with an order.
    case request
    /// The judge, addressed as "you".
    case address
    case me
    /// A statement that revokes an instruction or starts a new one.
    case revoke
    /// The judge's rules or task.
    case rule
    /// A reason why mistakes don't count or the mark is already known.
    case excuse
    /// A statement that a mark "would be right".
    case right
    /// All criteria.
    case every
    case equals
    /// A word that tells a story.
    case past

    struct Found: Equatable {
        var sign: InstructionSign
        /// The indices of the words that express it.
        var words: Range<Int>
        var isDisguised: Bool
    }

    static func found(in words: [PlainWord]) -> [Found] {
        var found: [Found] = []
        for start in words.indices {
            for phrase in InstructionLexicon.phrases(beginningLike: words[start]) {
                let end = start + phrase.words.count
                guard end <= words.count else { continue }
                let isIt = zip(words[start..<end], phrase.words).allSatisfy { $1.matches($0) }
                guard isIt else { continue }
                found.append(
                    Found(
                        sign: phrase.sign, words: start..<end,
                        isDisguised: words[start..<end].contains { $0.isDisguised && $0.text.count > 2 }))
            }
        }
        return found
    }
}

/// The words for the signs in English, French, German, Spanish and Chinese. A `*` stands for any ending.
enum InstructionLexicon {
    struct Phrase {
        var sign: InstructionSign
        var words: [Pattern]
    }

    struct Pattern {
        var text: String
        var isStem: Bool

        func matches(_ word: PlainWord) -> Bool {
            if isStem ? word.text.hasPrefix(text) : word.text == text { return true }
            // A word that was spelled out may run into the next word.
            if word.isDisguised, text.count >= 4, word.text.contains(text) { return true }
            return !word.isChinese && text.count >= 5 && !InstructionLexicon.isKnown(word)
                && word.text.isMistyped(text, isStem: isStem)
        }
    }

    static func phrases(beginningLike word: PlainWord) -> [Phrase] {
        if word.isDisguised { return all }
        return word.text.first.flatMap { byLetter[$0] } ?? []
    }

    private static let all: [Phrase] = entries.flatMap { sign, text in
        text.split(separator: ",").map { phrase in
            Phrase(
                sign: sign,
                words: pieces(of: phrase).map { Pattern(text: $0.filter { $0 != "*" }, isStem: $0.hasSuffix("*")) })
        }
    }

    private static let known = Set(all.flatMap { $0.words.map(\.text) })

    /// Whether the word is the correct spelling of a sign.
    static func isKnown(_ word: PlainWord) -> Bool { known.contains(word.text) }

    private static let byLetter = Dictionary(grouping: all) { $0.words[0].text.first! }

    /// Splits a phrase into words, and Chinese text into characters.
    private static func pieces(of phrase: Substring) -> [String] {
        phrase.split(whereSeparator: \.isWhitespace).flatMap { word in
            word.unicodeScalars.allSatisfy { $0.value >= 0x4E00 } ? word.map { String($0) } : [String(word)]
        }
    }

    private static let entries: [(InstructionSign, String)] = [
        (
            .mark,
            """
            mark,marks,band,bands,score,scores,grade,grades,points,rating,ratings,scale,evaluation,assessment,result,results,verdict,
            note,notes,notation,bareme,resultat,resultats,bande,points,
            noten,punkte,punktzahl,bewertung,benotung,hochstnote,bestnote,ergebnis,
            nota,notas,puntuacion,puntuaciones,calificacion,calificaciones,puntos,puntaje,banda,resultado,
            分数,满分,分,评分,等级,成绩,评价
            """
        ),
        (
            .top,
            """
            highest,maximum,max,maximal*,top,full,perfect,best,flawless,excellent,outstanding,
            maximale,meilleur*,parfait*,plus haut*,excellent*,
            hochst*,volle,vollen,beste,besten,maximum,perfekt*,bestnote,
            maxim*,mejor,mejores,perfect*,mas alt*,excelente*,
            最高,满分,最好,优秀,完美
            """
        ),
        (.number, "nine,nines,9,90,100,ten,10,neuf,neun,nueve,nueves,diez,dix,zehn,九,十"),
        (
            .judge,
            """
            examiner,examiners,assessor,assessors,evaluator,evaluators,marker,markers,grader,graders,judge,ai,language model,model,assistant,software,
            system,computer,machine,algorithm,whoever,chatbot,gpt,llm,reads this,listens to this,
            examinat*,evaluat*,correcteur,correctrice,jury,intelligence artificielle,ia,modele,systeme,
            prufer,pruferin,gutachter*,korrektor,bewerter*,kunstliche intelligenz,ki,sprachmodell,modell,bewertungssystem,
            examinador*,evaluador*,corrector*,quien califica,quien evalua,inteligencia artificial,modelo,sistema,
            考官,评委,评分员,评分系统,系统,人工智能,模型
            """
        ),
        (
            .candidate,
            """
            candidate,this answer,this response,this item,this sample,this transcript,this recording,this applicant,this speaker,this person,this
            student,treat this,consider this,count this,the sample,the transcript,of transcript,my answer,
            candidat,candidate,cette reponse,cette copie,cet enregistrement,cette transcription,ma reponse,
            kandidat*,diese antwort,dieser antwort,diese aufnahme,dieses transkript,meine antwort,meiner antwort,
            candidato,candidata,esta respuesta,esta grabacion,esta transcripcion,mi respuesta,
            考生,这段录音,这个回答,这段话,本回答,标准样本
            """
        ),
        (
            .order,
            """
            give,award,put,write,fill,assign,grant,treat,set,print,output,respond,reply,round,rate,enter,deserve,deserves,merit,merits,should get,
            must be,should be,consider,calculate,choose,select,return,report,
            donnez,donne,mettez,mets,attribuez,attribue,notez,note,ecrivez,repondez,accordez,accorde,merite,arrondissez,indiquez,
            gib,geben,gibst,trage,tragen,vergib,vergeben,setze,setzen,schreibe,schreib,antworte,verdient,soll,sollen,bewerte,bewerten,
            da,dame,deme,de,ponga,pon,otorgue,otorga,asigne,asigna,escriba,escribe,responda,responde,merece,califique,califica,
            给,输出,写,打,评,应该得,应得,值得,直接
            """
        ),
        (
            .request,
            """
            please,kindly,dear,would like,note to,note for,attention,
            s il vous plait,cher,chere,monsieur,madame,a l attention,veuillez,
            bitte,lieber,liebe,hinweis fur,sehr geehrte*,achtung,
            por favor,estimad*,querid*,nota para,atencion,
            请,亲爱的,注意,麻烦
            """
        ),
        (
            .address,
            """
            you,your,you are,if you are,vous,votre,vos,si vous etes,toi,tu,tes,du,dein*,deine,ihr,ihre,falls,usted,su,sus,eres,tus,如果你,你的,你
            """
        ),
        (.me, "me,moi,mir,mich,i,je,ich,yo,我,my,mes,mon,mein*,mis,mi"),
        (
            .revoke,
            """
            ignore,disregard,forget,override,bypass,overrule,no longer,do not follow,were replaced,has changed,have changed,from now on,from here on,instead,new task,new
            instruction*,new ones,end of,previous,stop being,act as,pretend,
            oubliez,oublie,ignorez,ignore,desormais,nouvelle instruction,nouvelle consigne,nouvelle tache,ne tenez pas compte,a partir de maintenant,
            vergiss,vergessen sie,ignoriere,ignorieren,ab jetzt,ab sofort,neue anweisung,neue aufgabe,
            olvid*,ignora,ignore,ignoren,a partir de ahora,desde ahora,nueva instruccion,nueva tarea,no tengas en cuenta,no tenga en cuenta,
            忽略,忘记,忘掉,不要管,从现在开始,改变,新的任务,新任务
            """
        ),
        (
            .rule,
            """
            instruction,instructions,directions,prompt,prompts,rubric,rubrics,guidelines,criteria,your rules,the rules,orders,descriptors,programming,task,
            instruction,consigne*,regles,criteres,
            anweisung*,vorgabe*,regeln,kriterien,aufgabe,
            instruccion*,reglas,criterios,tarea,
            规则,指令,指示,标准,任务,要求
            """
        ),
        (
            .excuse,
            """
            on purpose,calibration,already checked,was checked,by mistake,my errors,my mistakes,grammar errors,do not consider,do not count,
            reference answer,gold standard,benchmark,training example,native speaker,
            etalon,etalonnage,mes fautes,mes erreurs,expres,
            eichmuster,kalibrier*,absicht,absichtlich,nicht zahlen,meine fehler,die fehler,
            de calibracion,calibracion,mis errores,a proposito,
            校准,标准样本,语法错误,我的错误,故意
            """
        ),
        (
            .right,
            """
            correct,right,expected,proper,true,appropriate,attendue,attendu,correcte,juste,richtig,richtige,korrekt*,erwartete,correcta,correcto,esperada,adecuada,
            正确,应有
            """
        ),
        (
            .every,
            """
            everywhere,every criterion,each criterion,all criteria,every category,all of it,for everything,in everything,across the board,fluency,grammar,vocabulary,
            pronunciation,partout,chaque critere,tous les criteres,uberall,jedes kriterium,alle kriterien,en todo,todas las,cada criterio,每一项,所有,各项,全部
            """
        ),
        (.equals, "is,are,equals,est,sont,ist,sind,es,son,是,为"),
        (
            .past,
            """
            gave,got,received,won,earned,passed,failed,studied,graduated,when i was,at school,used to,last year,my teacher,my parents,
            j ai eu,j ai recu,mon professeur,a l ecole,als ich,in der schule,bekam,mein lehrer,cuando era,mi profesor*,en la escuela,saque,
            小时候,我的老师,上学,考了,得了
            """
        ),
    ]
}

extension String {
    /// Whether this is the given word with a typing error: two neighbouring letters swapped, letters left out or
    /// doubled, or one letter replaced.
    fileprivate func isMistyped(_ word: String, isStem: Bool) -> Bool {
        guard !isStem, first == word.first, abs(count - word.count) <= 1, self != word else { return false }
        let (own, other) = (Array(unicodeScalars), Array(word.unicodeScalars))
        if own.count == other.count {
            // Accept only a different order: replacing a letter makes other words (grade, grape).
            return own.sorted() == other.sorted()
        }
        let (short, long) = own.count < other.count ? (own, other) : (other, own)
        // Accept one missing or extra letter, but not a different ending: "results" has its own entry.
        guard long.last == short.last else { return false }
        return long.indices.contains { place in Array(long[..<place] + long[(place + 1)...]) == short }
    }
}
