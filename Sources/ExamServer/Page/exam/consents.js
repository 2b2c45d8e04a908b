/** The recipients of a candidate's answers. Nothing is sent before the candidate has agreed to a recipient by name. */
import { api } from "../kit/api.js";
import { announce, attempt, byId, make, sure } from "../kit/screen.js";
import { date } from "../kit/words.js";

/**
 * Asks for consent, and stores a yes.
 *
 * @param {string} recipient
 */
export async function agreeTo(recipient) {
    const { consents } = await api.consents();
    const asked = consents.find((each) => each.recipient === recipient);
    if (!asked) return;
    if (!(await sure({ title: `Do you agree for ${recipient}?`, text: asked.words, yes: "I agree", no: "No" }))) return;
    await api.agree(recipient);
    announce(`You have agreed for ${recipient}. Its findings appear as they arrive.`);
}

/** Fills its part of the first screen, which is hidden if nothing leaves the server. */
export async function drawConsents() {
    const { consents } = await api.consents();
    byId("third-parties").hidden = consents.length === 0;
    byId("third-parties-list").replaceChildren(...consents.map(item));
}

/** @param {Answered["consents"]["consents"][number]} consent */
function item({ recipient, words, givenAt }) {
    const button = make("button", { type: "button", text: givenAt ? "Take it back" : "Agree…", "aria-label": givenAt
        ? `Take back the consent for ${recipient}`
        : `Agree for ${recipient}` });
    button.onclick = () =>
        attempt(button, async () => {
            if (givenAt) await api.takeConsentBack(recipient);
            else await agreeTo(recipient);
            await drawConsents();
        });
    const stands = givenAt ? `You agreed on ${date(givenAt)}.` : "You have not agreed: nothing is sent there.";
    return make(
        "li",
        {},
        make("p", {}, make("b", { text: recipient }), make("br"), words),
        make("p", { class: "facts", text: stands }),
        make("p", { class: "actions" }, button),
    );
}
