/** The server's REST interface for plans and learners' profiles. */
import { dataURL } from "./api.js";
import { json, request } from "./practice-api.js";

export const planner = {
    /**
     * Returns the profile, plan, ticks, today and progress, or without a profile only today and progress.
     *
     * @returns {Promise<Answered["plan"]>}
     */
    told: () => json("GET", "/v1/plan"),
    /**
     * Returns the exams of a format with their drawings.
     *
     * @param {string} [format] the newest exam's if absent
     * @returns {Promise<Answered["progress"]>}
     */
    progress: (format) => json("GET", `/v1/progress${format ? `?format=${encodeURIComponent(format)}` : ""}`),
    /**
     * @param {Asked["setProfile"]} profile
     * @returns {Promise<Answered["setProfile"]>}
     * @throws {Problem} 400 with the field in front of its detail
     */
    keepProfile: (profile) => json("PUT", "/v1/plan/profile", profile),
    /**
     * Returns the changes in a new plan. They contain no plan if the current one stays.
     *
     * @param {boolean} anew whether to make another plan even if no task was missed
     * @returns {Promise<Answered["previewPlan"]>}
     */
    preview: (anew) => json("POST", "/v1/plan/preview", { anew }),
    /**
     * Accepts the plan that was shown.
     *
     * @param {Asked["acceptPlan"]["version"]} version
     * @param {boolean} anew
     * @returns {Promise<Answered["acceptPlan"]>}
     */
    take: (version, anew) => json("POST", "/v1/plan", { version, anew }),
    /** @param {"resources" | "timeBlocks" | "dailyTasks"} section @returns {Promise<Answered["rerollPlan"]>} */
    reroll: (section) => json("POST", "/v1/plan/reroll", { section }),
    /** @returns {Promise<Answered["undoPlan"]>} */
    undo: () => json("POST", "/v1/plan/undo", {}),
    /** @returns {Promise<Answered["planPrep"]>} */
    prep: () => json("GET", "/v1/plan/prep"),
    /** @returns {Promise<Blob>} iCalendar */
    calendar: async () => (await request("GET", "/v1/plan/calendar")).blob(),
    /** @returns {Promise<Blob>} the profile and all plans, as JSON */
    export: async () => (await request("GET", "/v1/plan/export")).blob(),
    erase: () => request("DELETE", "/v1/plan"),
    /**
     * Records that the learner looked at the result of an exam.
     *
     * @param {Asked["reviewedExam"]["session"]} session
     */
    reviewed: (session) => request("POST", "/v1/plan/reviewed", { session }),
};

export const person = {
    /** @returns {Promise<Answered["profile"]>} */
    told: () => json("GET", "/v1/profile"),
    /** @param {Asked["putProfile"]} names @returns {Promise<Answered["putProfile"]>} */
    keep: (names) => json("PUT", "/v1/profile", names),
    /**
     * Returns the picture in the form for an image.
     *
     * @returns {Promise<string>}
     */
    picture: async () => dataURL(await (await request("GET", "/v1/profile/picture")).blob()),
    /** @param {File} file a PNG, JPEG or WebP */
    keepPicture: async (file) => request(
        "PUT",
        "/v1/profile/picture",
        new Uint8Array(await file.arrayBuffer()),
        { "Content-Type": file.type },
    ),
    /**
     * Removes the picture. The only way is to erase the whole profile and store the names again.
     *
     * @param {{username?: string, fullName?: string}} names
     * @returns {Promise<Answered["putProfile"]>}
     */
    async removePicture({ username, fullName }) {
        await request("DELETE", "/v1/profile");
        return person.keep({ username, fullName });
    },
};
