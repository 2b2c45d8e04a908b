/**
 * Buttons that need the network, which have the attribute `data-online`. While the browser knows that there is no
 * network, they are disabled and say why.
 */

/** The message at a press of such a button. */
export const OFFLINE = { title: "You are offline.", detail: "This works again as soon as the network is back." };

/** The banner's id. Screen readers read it as the reason. */
const REASON = "offline";

/**
 * Whether a button is disabled because there is no network.
 *
 * @param {Element | null} button
 */
export const isOff = (button) => Boolean(button?.hasAttribute("data-online")) && !navigator.onLine;

/**
 * Disables or enables a button, if it needs the network.
 *
 * @param {Element | null} button
 */
export function markButton(button) {
    if (!button?.hasAttribute("data-online")) return;
    const reasons = new Set((button.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean));
    if (isOff(button)) {
        button.setAttribute("aria-disabled", "true");
        reasons.add(REASON);
    } else if (reasons.delete(REASON)) button.removeAttribute("aria-disabled");
    if (reasons.size > 0) button.setAttribute("aria-describedby", [...reasons].join(" "));
    else button.removeAttribute("aria-describedby");
}

/** Marks all buttons of the page, and those that are added while there is no network. */
export function watchButtons() {
    const markAll = () => document.querySelectorAll("[data-online]").forEach(markButton);
    addEventListener("offline", markAll);
    addEventListener("online", markAll);
    const added = new MutationObserver(() => navigator.onLine || markAll());
    added.observe(document.body, { childList: true, subtree: true });
    markAll();
}
