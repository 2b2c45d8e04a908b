/** The learner's habits of practice among the settings: minutes a day, rest days, and a pause. */
import { practice } from "../kit/practice-api.js";
import { dayWords, WEEKDAYS } from "./practice-words.js";
import { announce, attempt, byId, checked, make, showProblem } from "../kit/screen.js";

/** @param {Schemas["PracticeDay"]} day */
export function offerHabits(day) {
    byId("minutes-a-day").value = String(day.minutesADay);
    byId("rest-days").replaceChildren(...WEEKDAYS.map((name, place) => {
        const box = make("input", { type: "checkbox", value: String(place + 1) });
        box.checked = day.restDays.includes(place + 1);
        return make("label", { class: "choice" }, box, make("span", { text: name }));
    }));
    byId("pause-until").min = day.day;
    byId("pause-until").value = "";
    byId("pause-now").hidden = !day.pauseUntil;
    byId("pause-words").textContent = day.pauseUntil
        ? `You pause until ${dayWords(day.pauseUntil)}; your streak is kept meanwhile.`
        : "";
    byId("end-pause").onclick = (event) =>
        attempt(event.target, async () => {
            offerHabits(await practice.settle({ endPause: true }));
            byId("pause-until").focus();
            announce("The pause is over.");
        });
    byId("practice-settings").onsubmit = (event) => {
        event.preventDefault();
        attempt(event.submitter, save);
    };
}

async function save() {
    const minutes = Number(byId("minutes-a-day").value);
    if (!(Number.isInteger(minutes) && minutes >= 1 && minutes <= 240)) {
        showProblem({ title: "How many minutes a day?", detail: "A whole number, from 1 to 240." });
        return byId("minutes-a-day").focus();
    }
    const pause = byId("pause-until").value;
    const restDays = checked(byId("rest-days")).map(Number);
    offerHabits(await practice.settle({ minutesADay: minutes, restDays, ...(pause && { pauseUntil: pause }) }));
    byId("settings-kept").textContent = pause
        ? `Kept. You pause until ${dayWords(pause)}; your streak is kept meanwhile.`
        : "Kept.";
    announce(byId("settings-kept").textContent ?? "");
}
