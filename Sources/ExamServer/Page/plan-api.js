/**
 * The server's REST of plans, and of what a learner says of themselves.
 */
import { dataURL } from "./api.js";
import { json, request } from "./practice-api.js";

export const planner = {
    /** Profile, plan, what is ticked, today, progress; without a profile only day and progress. */
    told: () => json("GET", "/v1/plan"),
    /** @throws {Problem} 400 with the field in front of its detail */
    keepProfile: (profile) => json("PUT", "/v1/plan/profile", profile),
    /** What another plan would change; without a plan where this one holds. @param {boolean} anew also where nothing was missed */
    preview: (anew) => json("POST", "/v1/plan/preview", { anew }),
    /** Takes the one that was looked at. */
    take: (version, anew) => json("POST", "/v1/plan", { version, anew }),
    /** @param {"resources" | "timeBlocks" | "dailyTasks"} section */
    reroll: (section) => json("POST", "/v1/plan/reroll", { section }),
    undo: () => json("POST", "/v1/plan/undo", {}),
    prep: () => json("GET", "/v1/plan/prep"),
    /** @returns {Promise<Blob>} iCalendar */
    calendar: async () => (await request("GET", "/v1/plan/calendar")).blob(),
    /** @returns {Promise<Blob>} the profile and all plans, as JSON */
    export: async () => (await request("GET", "/v1/plan/export")).blob(),
    erase: () => request("DELETE", "/v1/plan"),
    /** The learner looked at what an exam showed. */
    reviewed: (session) => request("POST", "/v1/plan/reviewed", { session }),
};

export const person = {
    told: () => json("GET", "/v1/profile"),
    keep: (names) => json("PUT", "/v1/profile", names),
    /** As an image shows it. @returns {Promise<string>} */
    picture: async () => dataURL(await (await request("GET", "/v1/profile/picture")).blob()),
    /** @param {File} file a PNG, JPEG or WebP */
    keepPicture: async (file) => request("PUT", "/v1/profile/picture", new Uint8Array(await file.arrayBuffer()), { "Content-Type": file.type }),
    /** There is only one way to be rid of a picture: all goes, and the names come back. */
    async removePicture({ username, fullName }) {
        await request("DELETE", "/v1/profile");
        return person.keep({ username, fullName });
    },
};
