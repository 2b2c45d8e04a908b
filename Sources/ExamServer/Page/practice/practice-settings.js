/**
 * A learner's settings for drills and tests, stored in this browser: whether they continue automatically, and whether
 * letters are keys.
 */
import { choiceBox, isChosen } from "../kit/choices.js";

/** The seconds before the next question comes automatically. */
export const AUTO_ADVANCE = 0.5;

const KEPT = "oracy.practice.";

/** @param {string} name @param {boolean} otherwise */
export const isOn = (name, otherwise) => isChosen(KEPT + name, otherwise);

/**
 * A check box.
 *
 * @param {string} name
 * @param {boolean} otherwise
 * @param {string} text
 */
export const choice = (name, otherwise, text) => choiceBox(KEPT + name, otherwise, text);
