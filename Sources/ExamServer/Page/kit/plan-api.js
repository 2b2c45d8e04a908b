/** The server's REST interface for plans and learners' profiles. */
import { dataURL } from "./api.js";
import { json, request } from "./practice-api.js";

export const planner = {
    /** Returns the profile, plan, ticks, today and progress, or without a profile only today and progress. */
    told: () => json("GET", "/v1/plan"),
    /** @throws {Problem} 400 with the field in front of its detail */
    keepProfile: (profile) => json("PUT", "/v1/plan/profile", profile),
    /**
     * Returns the changes of a new plan. Without a plan if the current one stays.
     *
     * @param {boolean} anew also if nothing was missed
     */
    preview: (anew) => json("POST", "/v1/plan/preview", { anew }),
    /** Accepts the plan that was shown. */
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
    /** Records that the learner looked at the result of an exam. */
    reviewed: (session) => request("POST", "/v1/plan/reviewed", { session }),
};

export const person = {
    told: () => json("GET", "/v1/profile"),
    keep: (names) => json("PUT", "/v1/profile", names),
    /** Returns the picture in the form for an image. @returns {Promise<string>} */
    picture: async () => dataURL(await (await request("GET", "/v1/profile/picture")).blob()),
    /** @param {File} file a PNG, JPEG or WebP */
    keepPicture: async (file) => request(
        "PUT",
        "/v1/profile/picture",
        new Uint8Array(await file.arrayBuffer()),
        { "Content-Type": file.type },
    ),
    /** Removes the picture. The only way is to erase the whole profile and store the names again. */
    async removePicture({ username, fullName }) {
        await request("DELETE", "/v1/profile");
        return person.keep({ username, fullName });
    },
};
