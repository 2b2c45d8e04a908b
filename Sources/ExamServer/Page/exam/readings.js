/** Other people's readings of a candidate's exams: the lines of the server's audit log about them. */
import { api } from "../kit/api.js";
import { attempt, byId, make } from "../kit/screen.js";
import { answerName, date } from "../kit/words.js";

/**
 * Returns what was read in the candidate's words. The page requests results in several ways.
 *
 * @param {string} what
 */
function matterWords(what) {
    const [, recording] = /^recording (.*)$/.exec(what) ?? [];
    if (recording) {
        return answerName(recording) === recording ? "a recording" : `the recording of ${answerName(recording)}`;
    }
    if (what === "list") return "the list of exams";
    if (what === "answers to mark") return "the answers, to mark them";
    return what === "report" ? "the report" : "the results";
}

/**
 * Combines the readings of an exam by one kind of reader within an hour, latest first.
 *
 * @param {Answered["readings"]["readings"]} readings latest first
 */
export function visits(readings) {
    /** @type {{at: string, session: string, role: string, matters: string[]}[]} */
    const found = [];
    for (const { at, session, role, what } of readings) {
        const last = found.find((each) =>
            each.session === session && each.role === role && Date.parse(each.at) - Date.parse(at) < 3_600_000);
        const matter = matterWords(what);
        if (!last) found.push({ at, session, role, matters: [matter] });
        else if (!last.matters.includes(matter)) last.matters.push(matter);
    }
    return found;
}

/** Fetches the list when it is opened, because few learners look, and few have readings. */
export function offerReadings() {
    const place = byId("readings");
    place.open = false;
    place.ontoggle = () => place.open && attempt(null, draw);
}

async function draw() {
    const { readings } = await api.readings();
    const lines = visits(readings).map(({ at, role, matters }) => make(
        "li",
        { text: `${date(at)} · a ${role} · ${matters.join(", ")}` },
    ));
    byId("readings-list").replaceChildren(
        ...(lines.length > 0 ? lines : [make("li", { text: "No other user has read any of your exams." })]),
    );
}
