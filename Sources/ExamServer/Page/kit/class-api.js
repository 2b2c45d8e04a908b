/** The server's REST interface for accounts of its own: signing in, and a member's class. */
import { json, path, request } from "./api.js";

export const account = {
    /** @returns {Promise<Answered["signInWays"]>} */
    ways: () => json("GET", "/v1/sign-in"),
    /** @param {Asked["joinClass"]} who @returns {Promise<Answered["joinClass"]>} */
    join: (who) => json("POST", "/v1/class/join", who),
    /** @param {Asked["signInToClass"]} who @returns {Promise<Answered["signInToClass"]>} */
    signIn: (who) => json("POST", "/v1/class/sign-in", who),
    /** @param {Asked["followSignInLink"]["link"]} link @returns {Promise<Answered["followSignInLink"]>} */
    follow: (link) => json("POST", "/v1/class/link", { link }),
    /** @param {Asked["changePIN"]} pins */
    changePIN: (pins) => request("PUT", "/v1/class/pin", pins),
    /**
     * Returns the address at which a person of a school begins to sign in.
     *
     * @param {string} school
     * @returns {Promise<Answered["beginSchoolSignIn"]>}
     */
    beginAtSchool: (school) => json("POST", path`/v1/sign-in/${school}`),
    /**
     * Signs this browser out. Returns the address at which a person of a school signs out there, too.
     *
     * @returns {Promise<string | null>}
     */
    signOut: async () => {
        const answer = await request("POST", "/v1/class/sign-out");
        return answer.status === 200 ? (await answer.json()).address : null;
    },
    signOutEverywhere: () => request("DELETE", "/v1/class/sign-ins"),
};

export const ownClass = {
    /** @returns {Promise<Answered["ownClass"]>} */
    told: () => json("GET", "/v1/class"),
    /** @returns {Promise<Answered["newJoinCode"]>} */
    newCode: () => json("POST", "/v1/class/code"),
    /** @param {string} member @returns {Promise<Answered["newPIN"]>} */
    newPIN: (member) => json("POST", path`/v1/class/members/${member}/pin`),
    /** @param {string} member */
    remove: (member) => request("DELETE", path`/v1/class/members/${member}`),
};
