"""Fits the log-odds of speech: a sum of hinges of the inputs.

    logit = sum over units u of outputWeights[u] · max(0, inputs · inputWeights[:, u] + biases[u]) + outputBias

The cost is the mean logistic loss of all frames with equal weights. The detector's settings, not the odds, decide whether answers end
too early or too late. The gradients are written out here, so that training needs only numpy.
"""
import numpy as np

BATCH = 4096  # Rows for each step: few enough to stay in the cache, enough for efficient matrix products.
RATE = 4e-3  # The size of the first step. It falls to zero along a half cosine, so the last passes only settle.
SHRINK = 1e-5  # The cost of squared weights. It hardly matters with millions of rows, but sets the weights of useless inputs to zero.
MOMENTS = (0.9, 0.999)  # The values of Adam's authors (Kingma and Ba 2015, section 2), as is the 1e-8 below.


ALL = -2  # A fold without rows: the fit on all rows leaves it out.
JUDGED = -3  # The fold of rows that only the fit on all rows learns from.


class Fits:
    """Several fits side by side, each on all rows except one fold's. They share each minibatch and each matrix product."""

    def __init__(self, inputs, units, left_out, seed=0):
        """`left_out`: the fold that each fit leaves out; None for a fit on all rows. All fits begin with the same weights."""
        random = np.random.default_rng(seed)
        first = random.standard_normal((inputs, units)) / np.sqrt(inputs)
        last = random.standard_normal(units) / np.sqrt(units)
        count = len(left_out)
        self.left_out = np.array([ALL if fold is None else fold for fold in left_out], np.int8)
        self.weights = [  # The weights of inputs, the biases of units, the weights of units, the bias of the sum.
            np.tile(first, count).astype(np.float32), np.zeros(count * units, np.float32),
            np.tile(last, (count, 1)).astype(np.float32), np.zeros(count, np.float32)]

    def train(self, rows, speech, folds, epochs, seed=0):
        """Fits to `rows` (frames × inputs), `speech` (true or false) and `folds` (−1 for all fits). Returns the last epoch's loss."""
        # The scale of inputs comes from rows that every fit sees, so that a fit learns nothing from the fold it leaves out.
        seen = rows[folds == -1]
        self.mean = seen.mean(0, np.float64).astype(np.float32)
        # Inputs are of the order of one. An input that hardly varies stays small.
        self.spread = seen.std(0, dtype=np.float64).astype(np.float32) + np.float32(1e-2)
        del seen
        random = np.random.default_rng(seed)
        batches = len(rows) // BATCH
        steps, step = epochs * batches, 0
        moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        for _ in range(epochs):
            order, losses = random.permutation(len(rows)), 0
            for batch in range(batches):
                pick = order[batch * BATCH:(batch + 1) * BATCH]
                kept = (folds[pick, None] != self.left_out) & ((folds[pick, None] != JUDGED) | (self.left_out == ALL))
                counts = kept.astype(np.float32)
                x = rows[pick]
                x -= self.mean
                x /= self.spread
                loss, gradients = self._cost(x, speech[pick], counts / counts.sum(0))
                losses = losses + loss
                self._step(gradients, moments, step, RATE * 0.5 * (1 + np.cos(np.pi * step / steps)))
                step += 1
        return losses / batches

    def _cost(self, x, speech, share):
        """Returns each fit's loss and the gradient of their sum. `share`: the weight of a row in each fit."""
        inward, biases, outward, bias = self.weights
        # In place if possible, because new memory costs more than the arithmetic.
        hidden = x @ inward
        hidden += biases
        np.maximum(hidden, 0, out=hidden)
        apart = hidden.reshape(len(x), *outward.shape)
        logit = np.einsum("nfu,fu->nf", apart, outward) + bias
        y = speech[:, None].astype(np.float32)
        loss = ((np.logaddexp(0, logit) - y * logit) * share).sum(0)
        slope = (1 / (1 + np.exp(-logit)) - y) * share
        outward_gradient = np.einsum("nfu,nf->fu", apart, slope) + 2 * SHRINK * outward
        back = np.greater(hidden, 0, out=hidden, casting="unsafe").reshape(apart.shape)
        back *= slope[:, :, None]
        back *= outward
        return loss, [x.T @ hidden + 2 * SHRINK * inward, hidden.sum(0), outward_gradient, slope.sum(0)]

    def _step(self, gradients, moments, step, rate):
        """Adam: moves each weight by its mean gradient, divided by the root of the mean square."""
        first, second = MOMENTS
        for weight, gradient, (mean, square) in zip(self.weights, gradients, moments):
            mean += (1 - first) * (gradient - mean)
            square += (1 - second) * (gradient * gradient - square)
            size = np.sqrt(square / (1 - second ** (step + 1))) + 1e-8
            weight -= np.float32(rate / (1 - first ** (step + 1))) * mean / size.astype(np.float32)

    def results(self):
        """Returns each fit for unscaled inputs: the scale is folded into weights and biases."""
        inward, biases, outward, bias = self.weights
        for i, (into, start) in enumerate(zip(np.split(inward, len(outward), 1), np.split(biases, len(outward)))):
            scaled = into / self.spread[:, None]
            yield {"inputWeights": scaled, "biases": start - self.mean @ scaled,
                   "outputWeights": outward[i], "outputBias": bias[i]}


def logits(fit, rows):
    """Returns the log-odds that each row's frame is speech."""
    return np.maximum(rows @ fit["inputWeights"] + fit["biases"], 0) @ fit["outputWeights"] + fit["outputBias"]
