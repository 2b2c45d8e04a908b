/** The banner that says that there is no network, as far as the browser knows. */
import { watchButtons } from "./offline.js";
import { announce, byId, isShown } from "./screen.js";

export function watchNetwork() {
    watchButtons();
    const tell = () => {
        // The exam's own screen says what happens to an answer meanwhile.
        byId("offline").hidden = navigator.onLine || isShown("exam");
    };
    addEventListener("offline", () => {
        tell();
        if (!byId("offline").hidden) announce("You are offline.");
    });
    addEventListener("online", () => {
        const was = !byId("offline").hidden;
        tell();
        if (was) announce("You are online again.");
    });
    tell();
}
