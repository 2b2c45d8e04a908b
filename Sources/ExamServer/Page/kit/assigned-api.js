/** Work that teachers assign: the server's REST interface, and the texts about it. */
import { path } from "./api.js";
import { json, request } from "./practice-api.js";

export const assigned = {
    /** @returns {Promise<Answered["ownAssignments"]["assignments"]>} */
    own: async () => (await json("GET", "/v1/assignments")).assignments,

    // For teachers.
    /** @param {string} group @returns {Promise<Answered["groupAssignments"]>} */
    table: (group) => json("GET", path`/v1/groups/${group}/assignments`),
    /** @param {string} group @param {Asked["assign"]} wish @returns {Promise<Answered["assign"]>} */
    assign: (group, wish) => json("POST", path`/v1/groups/${group}/assignments`, wish),
    /** @param {string} group @param {string} assignment */
    withdraw: (group, assignment) => request("DELETE", path`/v1/groups/${group}/assignments/${assignment}`),
    /** @param {string} group @returns {Promise<Blob>} comma-separated values */
    csv: async (group) => (await request("GET", path`/v1/groups/${group}/assignments.csv`)).blob(),
};

/**
 * "2026-11-25" → "Wednesday 25 November", in the reader's own format
 *
 * @param {string} day
 */
export function longDay(day) {
    const [year, month, date] = day.split("-").map(Number);
    /** @type {Intl.DateTimeFormatOptions} */
    const format = { weekday: "long", day: "numeric", month: "long" };
    return new Date(year, month - 1, date).toLocaleDateString(undefined, format);
}

/**
 * Returns the state of an assignment in words: "done on Monday 23 November".
 *
 * @param {Schemas["AssignmentState"]} state
 */
export function workStateWords({ status, day }) {
    const on = day ? ` on ${longDay(day)}` : "";
    return { open: "to do", missing: "missing", done: `done${on}`, late: `done late,${on}` }[status];
}
