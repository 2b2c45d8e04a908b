/** A teacher's class: how learners join it, and who its members are. */
import { ownClass } from "../kit/class-api.js";
import { announce, button, byId, make, sure } from "../kit/screen.js";
import { date } from "../kit/words.js";

/** Shows the code and the members of the class that the teacher has signed in to. */
export async function showMembers() {
    const { code, members = [] } = await ownClass.told();
    if (code === undefined) return;
    byId("members").hidden = false;
    showCode(code);
    byId("new-code").onclick = () => changeCode();
    const learners = members.filter(({ role }) => role === "learner");
    byId("members-title").textContent = learners.length === 1 ? "1 learner" : `${learners.length} learners`;
    byId("members-none").hidden = learners.length > 0;
    byId("members-list").replaceChildren(...learners.map(item));
}

/** @param {string} code */
function showCode(code) {
    byId("class-code").textContent = code;
    byId("class-address").textContent = `${location.origin}/#/join/${code}`;
}

async function changeCode() {
    const text = "The present code stops working. Learners who have joined need the new one to sign in again.";
    if (!(await sure({ title: "Make a new code?", text, yes: "Make a new code", no: "Keep this one" }))) return;
    showCode((await ownClass.newCode()).code);
    announce("The class has a new code.");
}

/** @param {NonNullable<Schemas["OwnClass"]["members"]>[number]} learner */
function item({ user, name, joinedAt }) {
    const said = make("p", { class: "facts", role: "status" });
    const actions = make(
        "p",
        { class: "actions" },
        button("New PIN…", async () => {
            const text = `${name} is signed out everywhere, and needs the new PIN to come back.`;
            if (!(await sure({ title: `A new PIN for ${name}?`, text, yes: "Make a new PIN", no: "Not now" }))) return;
            const { pin } = await ownClass.newPIN(user);
            said.textContent = `New PIN of ${name}: ${pin}. It is shown only now.`;
        }, `New PIN for ${name}`),
        button("Remove…", async () => {
            const text = `${name} can no longer sign in. Exams that they sat stay in the list below.`;
            if (!(await sure({ title: `Remove ${name}?`, text, yes: "Remove", no: "Keep" }))) return;
            await ownClass.remove(user);
            await showMembers();
            announce(`${name} is removed.`);
            byId("members-title").focus();
        }, `Remove ${name}`),
    );
    const who = make("p", {}, make("b", { dir: "auto", text: name }), ` · joined ${date(joinedAt)}`);
    return make("li", {}, who, said, actions);
}
