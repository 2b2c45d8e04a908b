/**
 * The assessors' findings on one answer, each under its own name, and the assessors without findings, with the reasons.
 */
import { agreeTo } from "./consents.js";
import { evidenceWords } from "./marks.js";
import { attempt, make } from "../kit/screen.js";
import { transcriptOf } from "./transcript.js";
import { clock, CRITERIA, date } from "../kit/words.js";

/** The reasons for discarded words, by their names in the protocol. */
const DROPPED = {
    noSpeech: "passages that it took for noise itself",
    silence: "passages without a voice",
    repetition: "passages that repeat words",
    tooFast: "passages with more words than anyone can say",
    phones: "passages with words unlike their sounds",
    unheard: "parts that the recogniser could not hear",
    quote: "quotes that are not in the answer",
    number: "numbers that are not marks",
    run: "replies that made no sense",
};

/**
 * @param {{said?: Schemas["Finding"][], gaps?: Schemas["Gap"][]}} news
 * @param {{transcript?: string, listen: (at: number) => void, mayAgree: boolean}} about `transcript`: the words that
 *     are shown already; `mayAgree`: whether the reader is the candidate
 * @returns {HTMLElement[]}
 */
export function saidOf({ said = [], gaps = [] }, about) {
    return [...said.map((finding) => opinion(finding, about)), ...gaps.map((gap) => absence(gap, about))];
}

/**
 * @param {Schemas["Finding"]} finding
 * @param {Parameters<typeof saidOf>[1]} about
 */
function opinion(finding, { transcript, listen }) {
    const {
        source,
        saidAt,
        sentTo,
        failure,
        evidence,
        pronunciation,
        strengths,
        improvements,
        dropped,
        suspectInstructions,
    } = finding;
    /** @type {Node[]} */
    const parts = [];
    if (failure) parts.push(make("p", { text: `It could not assess this answer: ${failure}.` }));
    const heard = finding.transcript?.text;
    if (heard && heard === transcript) parts.push(make("p", { text: "The words it heard are shown above." }));
    else {
        const words = transcriptOf({ transcript: heard, mistakes: finding.mistakes, title: "What it heard" });
        if (words) parts.push(words);
    }
    if (evidence.length > 0) {
        parts.push(bullets("Marks", evidence.map((each) => `${CRITERIA[each.trait]}. ${evidenceWords(each)}`)));
    }
    if (pronunciation) parts.push(...pronounced(pronunciation, listen));
    if (strengths.length > 0) parts.push(bullets("What went well", strengths));
    if (improvements.length > 0) parts.push(bullets("What to work on", improvements));
    if (suspectInstructions) {
        parts.push(make("p", { text: "This answer seems to instruct its marker. A person should look at it." }));
    }
    const lost = Object.entries(dropped ?? {}).map(([what, count]) => `${count} × ${DROPPED[what] ?? what}`);
    if (lost.length > 0) {
        parts.push(make("p", { class: "facts", text: `Rejected findings: ${lost.join(", ")}.` }));
    }
    const where = sentTo ? `sent to ${sentTo}` : "on this server only";
    parts.push(make(
        "p",
        { class: "facts", text: [`version ${source.version}`, date(saidAt), where].filter(Boolean).join(" · ") },
    ));
    return make("details", { class: "said" }, make("summary", { text: `What ${source.id} said` }), ...parts);
}

/** @param {string} title @param {string[]} texts */
const bullets = (title, texts) => make("div", {}, make("h4", { text: title }), make(
    "ul",
    { lang: "en" },
    ...texts.map((text) => make("li", { text })),
));

/** The names of a service's measures, in the service's order. */
const SOUND = {
    overall: "overall",
    accuracy: "accuracy",
    fluency: "fluency",
    completeness: "completeness",
    prosody: "melody",
};

/** @param {NonNullable<Schemas["Finding"]["pronunciation"]>} scores @param {(at: number) => void} listen */
function pronounced(scores, listen) {
    const numbers = Object.entries(SOUND).filter(([name]) => typeof scores[name] === "number").map(([name, title]) =>
        `${title} ${Math.round(scores[name])}`);
    const words = [
        numbers.length > 0 && `Of 100 on its own scale: ${numbers.join(", ")}.`,
        scores.isMonotone && "The melody hardly moves.",
    ];
    const made = [make("h4", { text: "Pronunciation" }), make("p", { text: words.filter(Boolean).join(" ") })];
    const faults = scores.words.filter(({ error }) => error);
    if (faults.length > 0) {
        const places = faults.map(({ text, start, error }) => {
            const button = make("button", {
                type: "button",
                text: `${text} ${clock(start)}`,
                "aria-label": `Listen to “${text}” at ${clock(start)}: ${error}`,
            });
            button.onclick = () => attempt(button, () => listen(Math.max(0, start - 1)));
            return button;
        });
        made.push(make("p", { class: "pauses" }, "Words that it marked down: ", ...places));
    }
    return made;
}

/**
 * @param {Schemas["Gap"]} gap
 * @param {Parameters<typeof saidOf>[1]} about
 */
function absence({ assessor, why, lacksConsentTo }, { mayAgree }) {
    const made = make("p", { class: "facts", text: `${assessor} said nothing. ${why}` });
    if (lacksConsentTo && mayAgree) {
        const button = make("button", { type: "button", text: `Agree for ${lacksConsentTo}…` });
        button.onclick = () => attempt(button, () => agreeTo(lacksConsentTo));
        made.append(" ", button);
    }
    return made;
}
