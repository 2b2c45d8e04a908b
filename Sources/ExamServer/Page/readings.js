/**
 * Who else read a candidate's exams: the lines of the server's audit log that are about them.
 */
import { api } from "./api.js";
import { attempt, byId, make } from "./screen.js";
import { date } from "./words.js";

/** Fetched when it is opened: few look, and few have been read. */
export function offerReadings() {
    const place = byId("readings");
    place.open = false;
    place.ontoggle = () => place.open && attempt(null, draw);
}

async function draw() {
    const { readings } = await api.readings();
    const lines = readings.map(({ at, role, what }) => make("li", { text: `${date(at)} · a ${role} · ${what}` }));
    byId("readings-list").replaceChildren(...(lines.length > 0 ? lines : [make("li", { text: "Nobody but you has read any of your exams." })]));
}
