"""Searches for the best numbers by CMA-ES (N. Hansen, "The CMA Evolution Strategy: A Tutorial", 2016), written out for numpy."""
import numpy as np


def least(cost_of, start, steps, rounds, population=12, seed=0):
    """Returns the best candidate after this many rounds. `cost_of`: returns candidates' costs. `steps`: the first step of each number."""
    random, count = np.random.default_rng(seed), len(start)
    weights = np.log((population + 1) / 2) - np.log(np.arange(1, population // 2 + 1))
    weights /= weights.sum()
    mass = 1 / np.sum(weights ** 2)
    for_path, for_step = (4 + mass / count) / (count + 4 + 2 * mass / count), (mass + 2) / (count + mass + 5)
    rank_one = 2 / ((count + 1.3) ** 2 + mass)
    rank_many = min(1 - rank_one, 2 * (mass - 2 + 1 / mass) / ((count + 2) ** 2 + mass))
    damping = 1 + 2 * max(0, np.sqrt((mass - 1) / (count + 1)) - 1) + for_step
    usual = np.sqrt(count) * (1 - 1 / (4 * count) + 1 / (21 * count ** 2))
    mean, step, covariance = np.zeros(count), 1.0, np.eye(count)
    path, step_path = np.zeros(count), np.zeros(count)
    best = (cost_of([np.array(start, float)])[0], np.array(start, float))
    for round in range(rounds):
        values, vectors = np.linalg.eigh(covariance)
        spread = np.sqrt(np.maximum(values, 1e-12))
        drawn = [vectors @ (spread * random.standard_normal(count)) for _ in range(population)]
        tried = [start + steps * (mean + step * one) for one in drawn]
        costs = cost_of(tried)
        order = np.argsort(costs, kind="stable")
        if costs[order[0]] < best[0]:
            best = (costs[order[0]], tried[order[0]])
        chosen = np.array([drawn[i] for i in order[:len(weights)]])
        moved = weights @ chosen
        mean = mean + step * moved
        whitened = vectors @ ((vectors.T @ moved) / spread)
        step_path = (1 - for_step) * step_path + np.sqrt(for_step * (2 - for_step) * mass) * whitened
        length = np.linalg.norm(step_path)
        steady = length / np.sqrt(1 - (1 - for_step) ** (2 * (round + 1))) < (1.4 + 2 / (count + 1)) * usual
        path = (1 - for_path) * path + steady * np.sqrt(for_path * (2 - for_path) * mass) * moved
        covariance = ((1 - rank_one - rank_many) * covariance + rank_one * np.outer(path, path)
                      + rank_many * (chosen.T * weights) @ chosen)
        step *= np.exp(for_step / damping * (length / usual - 1))
    return best
