/**
 * The numbers of questions as they were asked. `order` of the protocol also counts questions that were left out for
 * lack of time, so question 8 would be followed by question 10.
 */

/** @typedef {{part: number, order: number}} Place */

/**
 * Returns the number of a question among those of its part that were asked, from 1.
 *
 * @param {Place} question
 * @param {Place[]} asked the questions, with or without this one, in any order, each as often as it was asked
 */
export const numberOf = ({ part, order }, asked) =>
    1 + new Set(asked.filter((each) => each.part === part && each.order < order).map((each) => each.order)).size;

/**
 * Adds to each answer the number of its question.
 *
 * @param {T[]} answers all of an exam
 * @returns {(T & {number: number})[]}
 * @template {Place} T
 */
export const numbered = (answers) => answers.map((answer) => ({ ...answer, number: numberOf(answer, answers) }));
