/**
 * The results of an exam: what was assessed, or that nothing was; how it sounded and what to do next; each answer to be seen and heard;
 * and their end, when they are erased.
 */
import { answerItem, fileName } from "./answer.js";
import { api } from "./api.js";
import { drawDelivery } from "./delivery.js";
import { ERASED, erase } from "./home.js";
import { announce, attempt, byId, isShown, make, show } from "./screen.js";
import { CRITERIA, date, outcomeWords, statusWords } from "./words.js";
import { zip } from "./zip.js";

/**
 * An assessment is waited for: 30 looks, which the server holds back until it has news, for 25 s at most; then a press of a button.
 * Pictures of recordings come by looks 10 s apart; an exam just over is looked at each second at first.
 */
const LOOKS = 30;
const FIRST_LOOKS = 10;
const WAIT = 25;
const BETWEEN = 10_000;
const BETWEEN_FIRST = 1000;

/** Which results are shown: a look that comes back late must not be drawn over another exam's. */
let shown = null;
/** Its answers as `answerItem` makes them, by their recordings' addresses. */
let items = new Map();

/** @param {{isFresh?: boolean}} options `isFresh`: the exam was over a moment ago */
export async function results(session, goHome, { isFresh = false } = {}) {
    const turn = (shown = Symbol());
    const look = async (looksLeft, wait = 0) => {
        const found = await api.results(session, wait);
        if (turn !== shown) return;
        // Where many exams end at once, encoding takes a while.
        const isStoring = isFresh && found.status === "in_progress";
        const changed = async () => tell(found.answers, await api.assessment(session));
        fill({ ...found, status: isStoring ? "storing" : found.status }, { session, changed });
        const isWaiting = found.assessment === "waiting" && found.status !== "in_progress";
        if (found.answers.length > 0) {
            const assessment = await api.assessment(session);
            if (turn !== shown) return;
            tell(found.answers, assessment);
        }
        const isMeasuring = ["pending", "processing"].includes(found.session?.evaluation?.status);
        if (looksLeft === 0 || !(isStoring || isWaiting || isMeasuring)) return;
        const isSoon = isWaiting || (isFresh && looksLeft > LOOKS - FIRST_LOOKS);
        setTimeout(() => {
            if (turn === shown && isShown("results")) look(looksLeft - 1, isWaiting ? WAIT : 0).catch(() => {});
        }, isSoon ? BETWEEN_FIRST : BETWEEN);
    };
    byId("results-home").onclick = (event) => attempt(event.target, goHome);
    byId("results-again").onclick = (event) =>
        attempt(event.target, () => look(0).then(() => announce("These are the results as they are now.")));
    byId("erase").onclick = (event) => attempt(event.target, async () => {
            if (!(await erase(session))) return;
            await goHome();
            announce(ERASED);
        });
    byId("save").onclick = (event) => attempt(event.target, () => saveRecordings(session));
    byId("save-report").onclick = (event) => attempt(event.target, () => saveReport(session));
    empty();
    show("results");
    await attempt(byId("results-again"), () => look(LOOKS));
}

/** Saves all recordings as one file. */
async function saveRecordings(session) {
    const { session: about, answers } = await api.results(session);
    const files = [];
    for (const answer of answers) {
        const sound = await api.recording(answer.recording);
        files.push({ name: fileName(answer, sound.type), bytes: new Uint8Array(await sound.arrayBuffer()) });
    }
    saveFile(zip(files), `exam-${about.startedAt.slice(0, 10)}.zip`);
    announce(`${files.length} recordings were saved.`);
}

/** Saves all that is known of the exam as one page, which needs no server and no network. */
async function saveReport(session) {
    const { session: about } = await api.results(session);
    saveFile(await api.report(session), `report-${about.startedAt.slice(0, 10)}.html`);
    announce("The report was saved.");
}

function saveFile(bytes, name) {
    const address = URL.createObjectURL(bytes);
    make("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

function empty() {
    items = new Map();
    for (const id of ["results-about", "scores", "answers"]) byId(id).replaceChildren();
    for (const id of ["no-answers", "delivery", "next", "not-assessed"]) byId(id).hidden = true;
}

function fill({ session, status, assessment, scores, notes, answers }, desk) {
    byId("written").hidden = !notes;
    byId("written-notes").textContent = notes ?? "";
    const parts = [date(session?.startedAt), session?.outcome && outcomeWords(session.outcome), statusWords(status)];
    byId("results-about").textContent = [...new Set(parts)].filter(Boolean).join(" · ");
    byId("scores").replaceChildren(assessed(status, assessment, scores));
    // What is being listened to and typed stays: answers only come to those that are there, and pictures to them.
    const place = byId("answers");
    answers.forEach((answer, index) => {
        const known = items.get(answer.recording);
        if (known) return known.draw(answer);
        const made = answerItem(answer, desk);
        items.set(answer.recording, made);
        place.insertBefore(made.item, place.children[index] ?? null);
    });
    byId("no-answers").hidden = answers.length > 0 || status === "storing";
    for (const id of ["save", "save-report"]) byId(id).hidden = answers.length === 0;
}

/** What was measured and typed: of all answers, and of each. */
function tell(answers, assessment) {
    const byName = new Map();
    const recordings = new Map(answers.map(({ id, recording }) => [id, recording]));
    for (const { id, answer, delivery, pauses } of assessment.answers) {
        const item = items.get(recordings.get(id));
        if (!item) continue;
        byName.set(answer, item);
        const transcript = assessment.transcripts.find((each) => each.answer === answer);
        const text = assessment.text.answers.find((each) => each.answer === answer)?.profile;
        item.tell({ delivery, pauses, transcript, text });
    }
    drawDelivery(assessment, (answer, at) => byName.get(answer)?.listen(at));
}

/** Numbers only where somebody gave them; what was not judged says so. */
export function assessed(status, assessment, scores) {
    const given = Object.entries(CRITERIA).filter(([name]) => typeof scores?.[name] === "number");
    if (given.length === 0) {
        const instead = {
            storing: "The last answers are being stored; they are shown here as they arrive.",
            none: "Nobody scores answers on this server. Listen to them yourself, or with somebody who knows the exam.",
            waiting: status === "in_progress" ? "The exam is not over yet." : "The answers are being assessed.",
            failed: "The assessment failed. The recordings are kept.",
        };
        const words = instead[status === "storing" ? "storing" : assessment];
        return make("p", { text: words ?? "Not assessed: nobody has judged these answers, so there are no scores." });
    }
    const list = make("dl", { class: "scores" });
    for (const [name, title] of Object.entries(CRITERIA)) {
        const score = typeof scores[name] === "number" ? String(scores[name]) : "not assessed";
        list.append(make("dt", { text: title }), make("dd", { text: score }));
    }
    return list;
}
