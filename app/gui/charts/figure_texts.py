"""The texts of figures that the window knows in other languages, as what makes the figures writes them."""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

# A {0} stands for whatever is said there, which is itself looked up.
_WORDS = (
    # of experiments
    QT_TRANSLATE_NOOP("Figures", "{0} against {1}"),
    QT_TRANSLATE_NOOP("Figures", "Recall@R"),
    QT_TRANSLATE_NOOP("Figures", "recall@R"),
    QT_TRANSLATE_NOOP("Figures", "Recall@10"),
    QT_TRANSLATE_NOOP("Figures", "recall@10"),
    QT_TRANSLATE_NOOP("Figures", "recall@{0}"),
    QT_TRANSLATE_NOOP("Figures", "recall"),
    QT_TRANSLATE_NOOP("Figures", "precision"),
    QT_TRANSLATE_NOOP("Figures", "Precision and recall"),
    QT_TRANSLATE_NOOP("Figures", "Accuracy"),
    QT_TRANSLATE_NOOP("Figures", "accuracy"),
    QT_TRANSLATE_NOOP("Figures", "Overlap@10"),
    QT_TRANSLATE_NOOP("Figures", "time"),
    QT_TRANSLATE_NOOP("Figures", "space"),
    QT_TRANSLATE_NOOP("Figures", "photographs looked at"),
    QT_TRANSLATE_NOOP("Figures", "bits"),
    QT_TRANSLATE_NOOP("Figures", "bits a code"),
    QT_TRANSLATE_NOOP("Figures", "R, photographs that are looked through"),
    QT_TRANSLATE_NOOP("Figures", "recall@10, share of queries"),
    QT_TRANSLATE_NOOP("Figures", "overlap@10, share of the true first 10"),
    QT_TRANSLATE_NOOP("Figures", "mean average precision"),
    QT_TRANSLATE_NOOP("Figures", "accuracy of the vote, share of queries"),
    QT_TRANSLATE_NOOP("Figures", "time of a query, from its vector on"),
    QT_TRANSLATE_NOOP("Figures", "measured exactly, a query"),
    QT_TRANSLATE_NOOP("Figures", "photographs"),
    QT_TRANSLATE_NOOP("Figures", "space of codes and lists"),
    QT_TRANSLATE_NOOP("Figures", "bytes a photograph"),
    # of advice
    QT_TRANSLATE_NOOP("Figures", "Recall against time"),
    QT_TRANSLATE_NOOP("Figures", "Recall against bytes"),
    QT_TRANSLATE_NOOP("Figures", "time of a question"),
    QT_TRANSLATE_NOOP("Figures", "bytes a photograph that a search goes through"),
    QT_TRANSLATE_NOOP("Figures", "share of edited photographs found among the first 10"),
    QT_TRANSLATE_NOOP("Figures", "share of similar photographs found among the first 10"),
    QT_TRANSLATE_NOOP("Figures", "share of matching photographs found among the first 10"),
    QT_TRANSLATE_NOOP("Figures", "share of similar photographs found among the first 10, less the wrong ones"),
    QT_TRANSLATE_NOOP("Figures", "share of matching photographs found among the first 10, less the wrong ones"),
    QT_TRANSLATE_NOOP("Figures", "of the exact first 10 found"),
    QT_TRANSLATE_NOOP("Figures", "frontier"),
    QT_TRANSLATE_NOOP("Figures", "exact"),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Up is more found, left is faster: nothing measured is better than the points on the line.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Up is more found, left is smaller: nothing measured is better than the points on the line.",
    ),
    # of theory: rank
    QT_TRANSLATE_NOOP("Figures", "What low rank costs and gains"),
    QT_TRANSLATE_NOOP("Figures", "Eigenvalues of the centred kernel matrix"),
    QT_TRANSLATE_NOOP("Figures", "How unsure the sample leaves the leading space"),
    QT_TRANSLATE_NOOP("Figures", "rank, leading components that are kept"),
    QT_TRANSLATE_NOOP("Figures", "recall@{0}, and share of the squared length outside"),
    QT_TRANSLATE_NOOP("Figures", "share of the variance along the component"),
    QT_TRANSLATE_NOOP("Figures", "estimation term, no unit"),
    QT_TRANSLATE_NOOP("Figures", "rank {0}: best recall"),
    QT_TRANSLATE_NOOP("Figures", "recall@{0}, {1}"),
    QT_TRANSLATE_NOOP("Figures", "outside, new items"),
    QT_TRANSLATE_NOOP("Figures", "outside, new items, {0}"),
    QT_TRANSLATE_NOOP("Figures", "outside, landmarks"),
    QT_TRANSLATE_NOOP("Figures", "outside, landmarks, {0}"),
    QT_TRANSLATE_NOOP("Figures", "as it is"),
    QT_TRANSLATE_NOOP("Figures", "transform, s = {0}"),
    # of theory: bits
    QT_TRANSLATE_NOOP("Figures", "What {0} bits tell of the kernel"),
    QT_TRANSLATE_NOOP("Figures", "What {0} bilinear bits tell of the kernel"),
    QT_TRANSLATE_NOOP("Figures", "Bits that share a projection"),
    QT_TRANSLATE_NOOP("Figures", "value of the {0} kernel"),
    QT_TRANSLATE_NOOP("Figures", "gaussian"),
    QT_TRANSLATE_NOOP("Figures", "laplacian"),
    QT_TRANSLATE_NOOP("Figures", "cauchy"),
    QT_TRANSLATE_NOOP("Figures", "share of bits that differ"),
    QT_TRANSLATE_NOOP("Figures", "covariance of two bits' differing, no unit"),
    QT_TRANSLATE_NOOP("Figures", "pairs"),
    QT_TRANSLATE_NOOP("Figures", "expected"),
    QT_TRANSLATE_NOOP("Figures", "measured: mean, deviation"),
    QT_TRANSLATE_NOOP("Figures", "expected: mean, deviation"),
    QT_TRANSLATE_NOOP("Figures", "expected of single codes"),
    QT_TRANSLATE_NOOP("Figures", "upper bound"),
    QT_TRANSLATE_NOOP("Figures", "lower bound"),
    QT_TRANSLATE_NOOP("Figures", "lower bound, where it holds"),
    QT_TRANSLATE_NOOP("Figures", "nothing alike: 4/π²"),
    QT_TRANSLATE_NOOP("Figures", "mean"),
    QT_TRANSLATE_NOOP("Figures", "a pair of items"),
    QT_TRANSLATE_NOOP("Figures", "independent"),
    # of theory: norm bounds
    QT_TRANSLATE_NOOP("Figures", "Comparisons that norm bounds spare"),
    QT_TRANSLATE_NOOP("Figures", "Items that norm bounds put beyond a radius"),
    QT_TRANSLATE_NOOP("Figures", "k, nearest that are searched"),
    QT_TRANSLATE_NOOP("Figures", "share of items, and of neighbours"),
    QT_TRANSLATE_NOOP("Figures", "radius, distance in the space of the kernel"),
    QT_TRANSLATE_NOOP("Figures", "share of items, and of those within"),
    QT_TRANSLATE_NOOP("Figures", "bound (1), of norms"),
    QT_TRANSLATE_NOOP("Figures", "bound (2), the paper's"),
    QT_TRANSLATE_NOOP("Figures", "neighbours lost by (2)"),
    QT_TRANSLATE_NOOP("Figures", "lost by (2) within radius"),
    QT_TRANSLATE_NOOP("Figures", "10th nearest, on average"),
    # of theory: rotation
    QT_TRANSLATE_NOOP("Figures", "What each turn of the rotation gains"),
    QT_TRANSLATE_NOOP("Figures", "Variance along each bit"),
    QT_TRANSLATE_NOOP("Figures", "Two bits before the rotation"),
    QT_TRANSLATE_NOOP("Figures", "Two bits after the rotation"),
    QT_TRANSLATE_NOOP("Figures", "turns of the rotation"),
    QT_TRANSLATE_NOOP("Figures", "share of variance"),
    QT_TRANSLATE_NOOP("Figures", "variance captured, of all"),
    QT_TRANSLATE_NOOP("Figures", "lost by signs, of captured"),
    QT_TRANSLATE_NOOP("Figures", "lost without a rotation"),
    QT_TRANSLATE_NOOP("Figures", "bit, by falling variance"),
    QT_TRANSLATE_NOOP("Figures", "share of captured variance"),
    QT_TRANSLATE_NOOP("Figures", "before"),
    QT_TRANSLATE_NOOP("Figures", "after"),
    QT_TRANSLATE_NOOP("Figures", "the same for all"),
    QT_TRANSLATE_NOOP("Figures", "first projected dimension"),
    QT_TRANSLATE_NOOP("Figures", "second projected dimension"),
    QT_TRANSLATE_NOOP("Figures", "first bit's direction"),
    QT_TRANSLATE_NOOP("Figures", "second bit's direction"),
    # of theory: metrics
    QT_TRANSLATE_NOOP("Figures", "How much each direction counts"),
    QT_TRANSLATE_NOOP("Figures", "Distances of marked pairs without the metric"),
    QT_TRANSLATE_NOOP("Figures", "Distances of marked pairs under the metric"),
    QT_TRANSLATE_NOOP("Figures", "direction, by falling eigenvalue"),
    QT_TRANSLATE_NOOP("Figures", "eigenvalue of A, as a multiple of the median"),
    QT_TRANSLATE_NOOP("Figures", "eigenvalue of A, as a multiple of that of a direction left as it was"),
    QT_TRANSLATE_NOOP("Figures", "distance, as a multiple of that of pairs drawn by chance"),
    QT_TRANSLATE_NOOP("Figures", "share of the pairs"),
    QT_TRANSLATE_NOOP("Figures", "eigenvalues"),
    QT_TRANSLATE_NOOP("Figures", "the usual direction"),
    QT_TRANSLATE_NOOP("Figures", "here {0} that stay"),
    QT_TRANSLATE_NOOP("Figures", "similar, {0} pairs"),
    QT_TRANSLATE_NOOP("Figures", "different, {0} pairs"),
)
WORDS: tuple[str, ...] = tuple(map(str, _WORDS))
"""Titles, axes, units, names, and what lines say."""

_SENTENCES = (
    # of experiments
    QT_TRANSLATE_NOOP(
        "Figures",
        "The share of queries for which the exact nearest photograph is among the first R: the further left "
        "and up, the better.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "The share of the right photographs that is among the first R: the further left and up, the better.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Each curve widens the Hamming radius from left to right: the higher it stays, the fewer wrong "
        "photographs come with the right ones.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Longer codes rank better and take more space: a curve that rises no more says how many bits are enough.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Where a curve is highest, {0} is best for these photographs; bars are deviations over seeds.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "The further left and up, the better: a point above and left of another finds more in less time.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "How many candidates are measured exactly for each query, and how much of the truth they hold: left "
        "and up is better.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Space that a photograph takes in the index, and how well its codes rank: left and up is better.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Codes of {0} bits; {1} other rows are in the table."),
    # of what experiments are of
    QT_TRANSLATE_NOOP("Figures", "{0} photographs, {1} queries."),
    QT_TRANSLATE_NOOP("Figures", "{0}: {1} photographs, {2} queries."),
    QT_TRANSLATE_NOOP("Figures", "Right answers: {0}."),
    QT_TRANSLATE_NOOP("Figures", "what exact search by the {0} kernel finds"),
    QT_TRANSLATE_NOOP("Figures", "what exact search by the {0} kernel with {1} finds"),
    QT_TRANSLATE_NOOP("Figures", "what exact search by Euclidean distance finds"),
    QT_TRANSLATE_NOOP("Figures", "what exact search by cosine finds"),
    QT_TRANSLATE_NOOP("Figures", "what exact search by the metric finds"),
    QT_TRANSLATE_NOOP("Figures", "what is marked as similar"),
    QT_TRANSLATE_NOOP("Figures", "what is in the same folder"),
    QT_TRANSLATE_NOOP("Figures", "what has the same label"),
    QT_TRANSLATE_NOOP("Figures", "the photograph that was edited ({0})"),
    QT_TRANSLATE_NOOP("Figures", "histogram intersection"),
    QT_TRANSLATE_NOOP("Figures", "chi-square"),
    QT_TRANSLATE_NOOP("Figures", "One seed."),
    QT_TRANSLATE_NOOP("Figures", "Mean and standard deviation of {0} seeds."),
    QT_TRANSLATE_NOOP("Figures", "{0} of {1} steps are measured."),
    QT_TRANSLATE_NOOP("Figures", "Precision and recall count the first {0} of them."),
    # of what an experiment found
    QT_TRANSLATE_NOOP("Figures", "So far: {0}"),
    QT_TRANSLATE_NOOP("Figures", "All find about as much: {0} {1} to {2}."),
    QT_TRANSLATE_NOOP("Figures", "{0} finds most: {1}; {2} least: {3}."),
    QT_TRANSLATE_NOOP("Figures", "{0} finds as much in {1} bytes a photograph instead of {2}."),
    QT_TRANSLATE_NOOP("Figures", "{0} come as near as chance can tell."),
    QT_TRANSLATE_NOOP("Figures", "{0} and {1} more come as near as chance can tell."),
    QT_TRANSLATE_NOOP("Figures", "{0} finds most: {1}, in {2} a query; no other is much quicker."),
    QT_TRANSLATE_NOOP("Figures", "{0} finds most: {1}, in {2} a query; {3} is quickest: {4}, in {5}."),
    # of samples
    QT_TRANSLATE_NOOP("Figures", "{0} photographs of the index “{1}” ({2})."),
    QT_TRANSLATE_NOOP("Figures", "A sample of {0} of {1} photographs of the index “{2}” ({3}), drawn with seed {4}."),
    QT_TRANSLATE_NOOP("Figures", "{0} marked pairs; {1} photographs, drawn with seed {2}, for comparison."),
    # of the reasons of advice, and what must be known of them
    QT_TRANSLATE_NOOP(
        "Figures",
        "Nothing that was measured finds any of it among the first 10 answers: learn from marks, or make an "
        "index that compares something else.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Your library has {0} photographs: exact search takes {1}, hash nothing."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Your library has {0} photographs: exact search takes {1}, and no index is felt to be faster.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "To learn these would have taken longer than was left, as far as the others tell: {0}.",
    ),
    QT_TRANSLATE_NOOP("Figures", "It finds {0} of what exact search finds, in {1} B a photograph."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "It finds {0} of what exact search finds, {1} times as fast ({2}), in {3} B a photograph instead of {4} B.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "It finds {0} of what exact search finds, {1} times as slow ({2}), in {3} B a photograph instead of {4} B.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Of the edited photographs {0} are among the first 10 answers."),
    QT_TRANSLATE_NOOP("Figures", "Of what should match {0} are among the first 10 answers."),
    QT_TRANSLATE_NOOP("Figures", "Of what should not match {0} is among them."),
    QT_TRANSLATE_NOOP("Figures", "By {0} exact search has {1}, in {2}."),
    QT_TRANSLATE_NOOP("Figures", "More bits ({0}) would gain {1} and cost {2}x."),
    QT_TRANSLATE_NOOP("Figures", "More bits ({0}) would lose {1} and cost {2}x."),
    QT_TRANSLATE_NOOP("Figures", "More bits ({0}) would change nothing and cost {1}x."),
    QT_TRANSLATE_NOOP("Figures", "Fewer bits ({0}) would gain {1} and cost {2}x."),
    QT_TRANSLATE_NOOP("Figures", "Fewer bits ({0}) would lose {1} and cost {2}x."),
    QT_TRANSLATE_NOOP("Figures", "Fewer bits ({0}) would change nothing and cost {1}x."),
    QT_TRANSLATE_NOOP("Figures", "With ten times as many photographs it takes about {0}."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "With ten times as many photographs it takes about {0}; then choose {1} with {2}: about {3}, and what"
        " it finds is to be measured then.",
    ),
    QT_TRANSLATE_NOOP("Figures", "The library has it: “{0}”."),
    QT_TRANSLATE_NOOP("Figures", "Your current index finds as much and is as fast. No change needed."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "“{0}”, which the library has, finds as much and is as fast.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "There was no time to search all {0} photographs: recall is of {1} of them, times are reckoned for all.",
    ),
    QT_TRANSLATE_NOOP("Figures", "There was time for {0} questions of {1}."),
    QT_TRANSLATE_NOOP("Figures", "Not everything was tried in the time; more time may find a better one."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "A time is near a limit between classes (at once: under 50 ms; soon: under 200 ms; a moment: under a "
        "second; long: more): another run may propose another index.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Indexes alone are measured."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "A search that also checks its first results point by point can find more of the edited copies, "
        "whichever index it asks.",
    ),
    QT_TRANSLATE_NOOP("Figures", "{0} questions decide little: name or mark more pairs."),
    # of what is being done
    QT_TRANSLATE_NOOP("Figures", "Compiling loops"),
    QT_TRANSLATE_NOOP("Figures", "Making edited copies"),
    QT_TRANSLATE_NOOP("Figures", "{0}, seed {1}"),
    QT_TRANSLATE_NOOP("Figures", "Eigenvalues"),
    QT_TRANSLATE_NOOP("Figures", "Comparing codes"),
    QT_TRANSLATE_NOOP("Figures", "Bilinear codes"),
    QT_TRANSLATE_NOOP("Figures", "Spectra of differences"),
    QT_TRANSLATE_NOOP("Figures", "Expected distances"),
    QT_TRANSLATE_NOOP("Figures", "Bounds of all pairs"),
    QT_TRANSLATE_NOOP("Figures", "Directions of the metric"),
    QT_TRANSLATE_NOOP("Figures", "Distances"),
    # of advice
    QT_TRANSLATE_NOOP(
        "Figures",
        "The line is of what was asked {0} questions; the others were asked fewer, and may find as much by chance.",
    ),
    # of theory: rank
    QT_TRANSLATE_NOOP(
        "Figures",
        "More components leave less outside, but the later ones are noise: {0} results hold the nearest item "
        "in {1} of searches at rank {2}, and in {3} with all {4}.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "More components leave less outside; here recall stays as good up to all {0} of them: {1} results "
        "hold the nearest item in {2} of searches at rank {3}, {4} at the end.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Where dashed lies above dotted, the sample does not know the space of new items."),
    QT_TRANSLATE_NOOP("Figures", "Bars: least and most."),
    QT_TRANSLATE_NOOP("Figures", "Kernel {0}, {1} landmarks, {2} bits, {3} held-out queries, {4} splits."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "The steeper the fall, the fewer components tell the items apart: the first {0} of {1} hold half of "
        "the variance.",
    ),
    QT_TRANSLATE_NOOP("Figures", "The transform flattens the curve."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "1 / (δ √m), with δ half the gap behind a component and m landmarks: where the line rises, "
        "neighbouring components can hardly be told apart, and those kept are partly chance.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Median of neighbouring ranks."),
    # of theory: bits
    QT_TRANSLATE_NOOP(
        "Figures",
        "Each pair of items is a place in the cloud: the more alike, the further right and the fewer bits differ.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Its middle follows the expected curve, {0} off at most."),
    QT_TRANSLATE_NOOP("Figures", "Kernel width gamma = {0}; single codes."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "As for single codes, but bits share projections, and what is expected depends on the shape of a "
        "difference, too: it lies below the curve of single codes, more for some pairs than for others.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "The lower bound's condition, a largest eigenvalue of at most {0}, holds for {1} of pairs drawn by chance.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Vectors are laid out as {0} x {1}."),
    QT_TRANSLATE_NOOP("Figures", "0 means that one of two bits tells nothing of the other."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "They vary together most at kernel values about {0}, and hardly for near items: there, sharing "
        "projections costs nothing.",
    ),
    QT_TRANSLATE_NOOP("Figures", "A bit's own variance is about {0} for items that are not alike."),
    QT_TRANSLATE_NOOP("Figures", "Drawn are up to {0} pairs of each of {1} stretches of the kernel's values."),
    # of theory: norm bounds
    QT_TRANSLATE_NOOP("Figures", "Under this kernel all items have about the same norm, so no bound spares anything."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "With k = {0}, bound (1) spares {1} of the comparisons and loses none; bound (2) spares {2}, but is "
        "not true, and loses up to {3} of neighbours.",
    ),
    QT_TRANSLATE_NOOP("Figures", "All items have about the same norm here, so no bound puts any beyond a radius."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "The larger the radius that is searched, the fewer items a bound can put beyond it unseen; bound (1) "
        "never loses one that is within, bound (2) does where its dotted line is above 0.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Kernel {0}, {1} held-out queries."),
    # of theory: rotation
    QT_TRANSLATE_NOOP(
        "Figures",
        "Every turn brings the projections nearer to their signs: at the end signs lose {0} of what the {1} "
        "directions hold, less than without a rotation ({2}).",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Every turn brings the projections nearer to their signs: at the end signs lose {0} of what the {1} "
        "directions hold, no less than without a rotation ({2}).",
    ),
    QT_TRANSLATE_NOOP("Figures", "Lost at the scale of signs that suits best."),
    QT_TRANSLATE_NOOP("Figures", "The quantisation error |B - VR|² falls from {0} to {1} an item."),
    QT_TRANSLATE_NOOP("Figures", "Rotating leaves the captured variance as it is."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Before the rotation the first direction holds {0} of what is captured and the last {1}, though each "
        "gets one bit; after it, from {2} to {3}.",
    ),
    QT_TRANSLATE_NOOP("Figures", "{0} of all variance is captured."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "The same points, turned so that they lie nearer to the corners of a square: {0} of the coordinates "
        "are close to a border, where {1} were.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Each quadrant is a code."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Points close to a border, {0} of the coordinates here, get another code than neighbours just across it.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "With two bits alone, so that the whole rotation lies in the picture; {0} points drawn.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Close: within {0} of the root mean square."),
    # of theory: metrics
    QT_TRANSLATE_NOOP(
        "Figures",
        "Above 1 a direction is stretched, below it is shrunk: {0} of {1} are stretched, the first {2} times,"
        " and {3} are shrunk.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Lengths are the roots: 4 makes a difference count twice as long."),
    QT_TRANSLATE_NOOP("Figures", "{0} are within 1 % of the usual."),
    QT_TRANSLATE_NOOP("Figures", "{0} do not count at all, and are drawn at {1}."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Drawn are the directions that were learned; all others of the kernel's space count as they did.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Those that stay are left out of the drawing."),
    QT_TRANSLATE_NOOP("Figures", "Distances of the marked pairs; there are none of the other kind to compare with."),
    QT_TRANSLATE_NOOP("Figures", "The less the two overlap, the better distances tell them apart."),
    QT_TRANSLATE_NOOP("Figures", "A similar pair is nearer than a different one in {0} of cases."),
    QT_TRANSLATE_NOOP("Figures", "A similar pair is nearer than a different one in {0} of cases; without it, in {1}."),
    QT_TRANSLATE_NOOP("Figures", "The less the two overlap, the better."),
    QT_TRANSLATE_NOOP("Figures", "The pairs that a metric was learned from are told apart better than others."),
    # of the answers of theory: rank
    QT_TRANSLATE_NOOP(
        "Figures",
        "Low rank helps: with the first {0} of {1} components, {2} results hold the nearest photograph in {3}"
        " of searches; with all of them, in {4}.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Low rank helps a little, if at all: with the first {0} of {1} components, {2} results hold the "
        "nearest photograph in {3} of searches; with all of them, in {4}.",
    ),
    QT_TRANSLATE_NOOP("Figures", "One run differs from another by up to {0}."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Low rank gains little here: recall stays at {0} up to all {1} components, and is at most {2}, at rank {3}.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Rank {0} already comes within one percent of the best."),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Rank {0} holds {1} of the variance of the landmarks, and {2} of other photographs: the components "
        "know the sample better than what it stands for.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Rank {0} holds {1} of the variance of the landmarks, and {2} of other photographs: the sample stands"
        " well for the others.",
    ),
    QT_TRANSLATE_NOOP("Figures", "The transform with s = {0} helps: {1} at its best rank, {2}."),
    QT_TRANSLATE_NOOP("Figures", "The transform with s = {0} harms: {1} at its best rank, {2}."),
    QT_TRANSLATE_NOOP("Figures", "The transform with s = {0} changes little: {1} at its best rank, {2}."),
    QT_TRANSLATE_NOOP("Figures", "rank {0} of {1}: {2}, all: {3}"),
    # of the answers of theory: bits
    QT_TRANSLATE_NOOP(
        "Figures",
        "The share of {0} bits that differ follows theory: it is {1} off on average where it is worst, and "
        "single pairs scatter by {2}.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "A kernel value of 0.9 can so be read off to within about {0}; four times the bits halve that.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Bilinear bits, which need far fewer random numbers, keep to their own curve as well (on average {0} off).",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Bilinear bits, which need far fewer random numbers, keep to their own curve less well (on average {0} off).",
    ),
    QT_TRANSLATE_NOOP("Figures", "{0} bits: {1} off at most, ± {2}"),
    # of the answers of theory: norm bounds
    QT_TRANSLATE_NOOP(
        "Figures",
        "Norm bounds spare nothing here: under this kernel all photographs have nearly the same norm, so "
        "norms tell none apart.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Try the polynomial kernel on an index whose vectors are not made of length 1."),
    QT_TRANSLATE_NOOP("Figures", "Searching the {0} nearest, bound (1) spares {1} of the comparisons and loses none."),
    QT_TRANSLATE_NOOP("Figures", "The paper's bound (2) spares {0}, but it is not true: it loses {1} of neighbours."),
    QT_TRANSLATE_NOOP("Figures", "The paper's bound (2) spares {0}, and loses {1} of neighbours."),
    QT_TRANSLATE_NOOP("Figures", "spare nothing: all norms are alike"),
    QT_TRANSLATE_NOOP("Figures", "{0} spared; paper's: {1}, {2} lost"),
    # of the answers of theory: rotation
    QT_TRANSLATE_NOOP(
        "Figures",
        "Signs lose {0} of what the directions hold without a rotation, {1} after one by chance, and {2} "
        "after {3} turns of learning.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "The rotation moves variance, and adds none: {0} of all is captured throughout, but the largest share"
        " of one bit falls from {1} to {2}, so that every bit tells about as much.",
    ),
    QT_TRANSLATE_NOOP("Figures", "signs lose {0} instead of {1}"),
    # of the answers of theory: metrics
    QT_TRANSLATE_NOOP(
        "Figures",
        "Of {0} learned directions {1} are stretched, the first {2} times as much as the usual one, and {3} "
        "are shrunk; the others stay.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "Of {0} directions {1} are stretched, the first {2} times as much as the usual one, and {3} are "
        "shrunk; the others stay.",
    ),
    QT_TRANSLATE_NOOP(
        "Figures",
        "A pair marked as similar is nearer than one marked as different in {0} of cases, {1} before.",
    ),
    QT_TRANSLATE_NOOP("Figures", "Most of these pairs it was learned from: of others expect less."),
    QT_TRANSLATE_NOOP("Figures", "{0} directions stretched"),
    QT_TRANSLATE_NOOP("Figures", "{0} of pairs told apart, {1} before"),
)
SENTENCES: tuple[str, ...] = tuple(map(str, _SENTENCES))
"""How figures are read, and what must be known of them; whole, or a sentence of several."""
