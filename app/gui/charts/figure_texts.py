"""The texts of figures that the window knows in other languages, as what makes the figures writes them."""

from __future__ import annotations

from core.message import Message

# A {0} stands for whatever is said there, which is itself looked up.
_WORDS = (
    # of experiments
    Message("{0} against {1}"),
    Message("Recall@R"),
    Message("recall@R"),
    Message("Recall@10"),
    Message("recall@10"),
    Message("recall@{0}"),
    Message("recall"),
    Message("precision"),
    Message("Precision and recall"),
    Message("Accuracy"),
    Message("accuracy"),
    Message("Overlap@10"),
    Message("time"),
    Message("space"),
    Message("photographs looked at"),
    Message("bits"),
    Message("bits a code"),
    Message("R, photographs that are looked through"),
    Message("recall@10, share of queries"),
    Message("overlap@10, share of the true first 10"),
    Message("mean average precision"),
    Message("accuracy of the vote, share of queries"),
    Message("time of a query, from its vector on"),
    Message("measured exactly, a query"),
    Message("photographs"),
    Message("space of codes and lists"),
    Message("bytes a photograph"),
    # of advice
    Message("Recall against time"),
    Message("Recall against bytes"),
    Message("time of a question"),
    Message("bytes a photograph that a search goes through"),
    Message("share of edited photographs found among the first 10"),
    Message("share of similar photographs found among the first 10"),
    Message("share of matching photographs found among the first 10"),
    Message("share of similar photographs found among the first 10, less the wrong ones"),
    Message("share of matching photographs found among the first 10, less the wrong ones"),
    Message("of the exact first 10 found"),
    Message("frontier"),
    Message("exact"),
    Message("Up is more found, left is faster: nothing measured is better than the points on the line."),
    Message("Up is more found, left is smaller: nothing measured is better than the points on the line."),
    # of theory: rank
    Message("What low rank costs and gains"),
    Message("Eigenvalues of the centred kernel matrix"),
    Message("How unsure the sample leaves the leading space"),
    Message("rank, leading components that are kept"),
    Message("recall@{0}, and share of the squared length outside"),
    Message("share of the variance along the component"),
    Message("estimation term, no unit"),
    Message("rank {0}: best recall"),
    Message("recall@{0}, {1}"),
    Message("outside, new items"),
    Message("outside, new items, {0}"),
    Message("outside, landmarks"),
    Message("outside, landmarks, {0}"),
    Message("as it is"),
    Message("transform, s = {0}"),
    # of theory: bits
    Message("What {0} bits tell of the kernel"),
    Message("What {0} bilinear bits tell of the kernel"),
    Message("Bits that share a projection"),
    Message("value of the {0} kernel"),
    Message("gaussian"),
    Message("laplacian"),
    Message("cauchy"),
    Message("share of bits that differ"),
    Message("covariance of two bits' differing, no unit"),
    Message("pairs"),
    Message("expected"),
    Message("measured: mean, deviation"),
    Message("expected: mean, deviation"),
    Message("expected of single codes"),
    Message("upper bound"),
    Message("lower bound"),
    Message("lower bound, where it holds"),
    Message("nothing alike: 4/π²"),
    Message("mean"),
    Message("a pair of items"),
    Message("independent"),
    # of theory: norm bounds
    Message("Comparisons that norm bounds spare"),
    Message("Items that norm bounds put beyond a radius"),
    Message("k, nearest that are searched"),
    Message("share of items, and of neighbours"),
    Message("radius, distance in the space of the kernel"),
    Message("share of items, and of those within"),
    Message("bound (1), of norms"),
    Message("bound (2), the paper's"),
    Message("neighbours lost by (2)"),
    Message("lost by (2) within radius"),
    Message("10th nearest, on average"),
    # of theory: rotation
    Message("What each turn of the rotation gains"),
    Message("Variance along each bit"),
    Message("Two bits before the rotation"),
    Message("Two bits after the rotation"),
    Message("turns of the rotation"),
    Message("share of variance"),
    Message("variance captured, of all"),
    Message("lost by signs, of captured"),
    Message("lost without a rotation"),
    Message("bit, by falling variance"),
    Message("share of captured variance"),
    Message("before"),
    Message("after"),
    Message("the same for all"),
    Message("first projected dimension"),
    Message("second projected dimension"),
    Message("first bit's direction"),
    Message("second bit's direction"),
    # of theory: metrics
    Message("How much each direction counts"),
    Message("Distances of marked pairs without the metric"),
    Message("Distances of marked pairs under the metric"),
    Message("direction, by falling eigenvalue"),
    Message("eigenvalue of A, as a multiple of the median"),
    Message("eigenvalue of A, as a multiple of that of a direction left as it was"),
    Message("distance, as a multiple of that of pairs drawn by chance"),
    Message("share of the pairs"),
    Message("eigenvalues"),
    Message("the usual direction"),
    Message("here {0} that stay"),
    Message("similar, {0} pairs"),
    Message("different, {0} pairs"),
)
WORDS: tuple[str, ...] = tuple(one.template for one in _WORDS)
"""Titles, axes, units, names, and what lines say."""

_SENTENCES = (
    # of experiments
    Message(
        "The share of queries for which the exact nearest photograph is among the first R: the further left "
        "and up, the better."
    ),
    Message("The share of the right photographs that is among the first R: the further left and up, the better."),
    Message(
        "Each curve widens the Hamming radius from left to right: the higher it stays, the fewer wrong "
        "photographs come with the right ones."
    ),
    Message("Longer codes rank better and take more space: a curve that rises no more says how many bits are enough."),
    Message("Where a curve is highest, {0} is best for these photographs; bars are deviations over seeds."),
    Message("The further left and up, the better: a point above and left of another finds more in less time."),
    Message(
        "How many candidates are measured exactly for each query, and how much of the truth they hold: left "
        "and up is better."
    ),
    Message("Space that a photograph takes in the index, and how well its codes rank: left and up is better."),
    Message("Codes of {0} bits; {1} other rows are in the table."),
    # of what experiments are of
    Message("{0} photographs, {1} queries."),
    Message("{0}: {1} photographs, {2} queries."),
    Message("Right answers: {0}."),
    Message("what exact search by the {0} kernel finds"),
    Message("what exact search by the {0} kernel with {1} finds"),
    Message("what exact search by Euclidean distance finds"),
    Message("what exact search by cosine finds"),
    Message("what exact search by the metric finds"),
    Message("what is marked as similar"),
    Message("what is in the same folder"),
    Message("what has the same label"),
    Message("the photograph that was edited ({0})"),
    Message("histogram intersection"),
    Message("chi-square"),
    Message("One seed."),
    Message("Mean and standard deviation of {0} seeds."),
    Message("{0} of {1} steps are measured."),
    Message("Precision and recall count the first {0} of them."),
    # of what an experiment found
    Message("So far: {0}"),
    Message("All find about as much: {0} {1} to {2}."),
    Message("{0} finds most: {1}; {2} least: {3}."),
    Message("{0} finds as much in {1} bytes a photograph instead of {2}."),
    Message("{0} come as near as chance can tell."),
    Message("{0} and {1} more come as near as chance can tell."),
    Message("{0} finds most: {1}, in {2} a query; no other is much quicker."),
    Message("{0} finds most: {1}, in {2} a query; {3} is quickest: {4}, in {5}."),
    # of samples
    Message("{0} photographs of the index “{1}” ({2})."),
    Message("A sample of {0} of {1} photographs of the index “{2}” ({3}), drawn with seed {4}."),
    Message("{0} marked pairs; {1} photographs, drawn with seed {2}, for comparison."),
    # of the reasons of advice, and what must be known of them
    Message(
        "Nothing that was measured finds any of it among the first 10 answers: learn from marks, or make an "
        "index that compares something else."
    ),
    Message("Your library has {0} photographs: exact search takes {1}, hash nothing."),
    Message("Your library has {0} photographs: exact search takes {1}, and no index is felt to be faster."),
    Message("To learn these would have taken longer than was left, as far as the others tell: {0}."),
    Message("It finds {0} of what exact search finds, in {1} B a photograph."),
    Message(
        "It finds {0} of what exact search finds, {1} times as fast ({2}), in {3} B a photograph instead of {4} B."
    ),
    Message(
        "It finds {0} of what exact search finds, {1} times as slow ({2}), in {3} B a photograph instead of {4} B."
    ),
    Message("Of the edited photographs {0} are among the first 10 answers."),
    Message("Of what should match {0} are among the first 10 answers."),
    Message("Of what should not match {0} is among them."),
    Message("By {0} exact search has {1}, in {2}."),
    Message("More bits ({0}) would gain {1} and cost {2}x."),
    Message("More bits ({0}) would lose {1} and cost {2}x."),
    Message("More bits ({0}) would change nothing and cost {1}x."),
    Message("Fewer bits ({0}) would gain {1} and cost {2}x."),
    Message("Fewer bits ({0}) would lose {1} and cost {2}x."),
    Message("Fewer bits ({0}) would change nothing and cost {1}x."),
    Message("With ten times as many photographs it takes about {0}."),
    Message(
        "With ten times as many photographs it takes about {0}; then choose {1} with {2}: about {3}, and what"
        " it finds is to be measured then."
    ),
    Message("The library has it: “{0}”."),
    Message("Your current index finds as much and is as fast. No change needed."),
    Message("“{0}”, which the library has, finds as much and is as fast."),
    Message("There was no time to search all {0} photographs: recall is of {1} of them, times are reckoned for all."),
    Message("There was time for {0} questions of {1}."),
    Message("Not everything was tried in the time; more time may find a better one."),
    Message(
        "A time is near a limit between classes (at once: under 50 ms; soon: under 200 ms; a moment: under a "
        "second; long: more): another run may propose another index."
    ),
    Message("Indexes alone are measured."),
    Message(
        "A search that also checks its first results point by point can find more of the edited copies, "
        "whichever index it asks."
    ),
    Message("{0} questions decide little: name or mark more pairs."),
    # of what is being done
    Message("Compiling loops"),
    Message("Making edited copies"),
    Message("{0}, seed {1}"),
    Message("Eigenvalues"),
    Message("Comparing codes"),
    Message("Bilinear codes"),
    Message("Spectra of differences"),
    Message("Expected distances"),
    Message("Bounds of all pairs"),
    Message("Directions of the metric"),
    Message("Distances"),
    # of advice
    Message(
        "The line is of what was asked {0} questions; the others were asked fewer, and may find as much by chance."
    ),
    # of theory: rank
    Message(
        "More components leave less outside, but the later ones are noise: {0} results hold the nearest item "
        "in {1} of searches at rank {2}, and in {3} with all {4}."
    ),
    Message(
        "More components leave less outside; here recall stays as good up to all {0} of them: {1} results "
        "hold the nearest item in {2} of searches at rank {3}, {4} at the end."
    ),
    Message("Where dashed lies above dotted, the sample does not know the space of new items."),
    Message("Bars: least and most."),
    Message("Kernel {0}, {1} landmarks, {2} bits, {3} held-out queries, {4} splits."),
    Message(
        "The steeper the fall, the fewer components tell the items apart: the first {0} of {1} hold half of "
        "the variance."
    ),
    Message("The transform flattens the curve."),
    Message(
        "1 / (δ √m), with δ half the gap behind a component and m landmarks: where the line rises, "
        "neighbouring components can hardly be told apart, and those kept are partly chance."
    ),
    Message("Median of neighbouring ranks."),
    # of theory: bits
    Message("Each pair of items is a place in the cloud: the more alike, the further right and the fewer bits differ."),
    Message("Its middle follows the expected curve, {0} off at most."),
    Message("Kernel width gamma = {0}; single codes."),
    Message(
        "As for single codes, but bits share projections, and what is expected depends on the shape of a "
        "difference, too: it lies below the curve of single codes, more for some pairs than for others."
    ),
    Message(
        "The lower bound's condition, a largest eigenvalue of at most {0}, holds for {1} of pairs drawn by chance."
    ),
    Message("Vectors are laid out as {0} x {1}."),
    Message("0 means that one of two bits tells nothing of the other."),
    Message(
        "They vary together most at kernel values about {0}, and hardly for near items: there, sharing "
        "projections costs nothing."
    ),
    Message("A bit's own variance is about {0} for items that are not alike."),
    Message("Drawn are up to {0} pairs of each of {1} stretches of the kernel's values."),
    # of theory: norm bounds
    Message("Under this kernel all items have about the same norm, so no bound spares anything."),
    Message(
        "With k = {0}, bound (1) spares {1} of the comparisons and loses none; bound (2) spares {2}, but is "
        "not true, and loses up to {3} of neighbours."
    ),
    Message("All items have about the same norm here, so no bound puts any beyond a radius."),
    Message(
        "The larger the radius that is searched, the fewer items a bound can put beyond it unseen; bound (1) "
        "never loses one that is within, bound (2) does where its dotted line is above 0."
    ),
    Message("Kernel {0}, {1} held-out queries."),
    # of theory: rotation
    Message(
        "Every turn brings the projections nearer to their signs: at the end signs lose {0} of what the {1} "
        "directions hold, less than without a rotation ({2})."
    ),
    Message(
        "Every turn brings the projections nearer to their signs: at the end signs lose {0} of what the {1} "
        "directions hold, no less than without a rotation ({2})."
    ),
    Message("Lost at the scale of signs that suits best."),
    Message("The quantisation error |B - VR|² falls from {0} to {1} an item."),
    Message("Rotating leaves the captured variance as it is."),
    Message(
        "Before the rotation the first direction holds {0} of what is captured and the last {1}, though each "
        "gets one bit; after it, from {2} to {3}."
    ),
    Message("{0} of all variance is captured."),
    Message(
        "The same points, turned so that they lie nearer to the corners of a square: {0} of the coordinates "
        "are close to a border, where {1} were."
    ),
    Message("Each quadrant is a code."),
    Message("Points close to a border, {0} of the coordinates here, get another code than neighbours just across it."),
    Message("With two bits alone, so that the whole rotation lies in the picture; {0} points drawn."),
    Message("Close: within {0} of the root mean square."),
    # of theory: metrics
    Message(
        "Above 1 a direction is stretched, below it is shrunk: {0} of {1} are stretched, the first {2} times,"
        " and {3} are shrunk."
    ),
    Message("Lengths are the roots: 4 makes a difference count twice as long."),
    Message("{0} are within 1 % of the usual."),
    Message("{0} do not count at all, and are drawn at {1}."),
    Message("Drawn are the directions that were learned; all others of the kernel's space count as they did."),
    Message("Those that stay are left out of the drawing."),
    Message("Distances of the marked pairs; there are none of the other kind to compare with."),
    Message("The less the two overlap, the better distances tell them apart."),
    Message("A similar pair is nearer than a different one in {0} of cases."),
    Message("A similar pair is nearer than a different one in {0} of cases; without it, in {1}."),
    Message("The less the two overlap, the better."),
    Message("The pairs that a metric was learned from are told apart better than others."),
    # of the answers of theory: rank
    Message(
        "Low rank helps: with the first {0} of {1} components, {2} results hold the nearest photograph in {3}"
        " of searches; with all of them, in {4}."
    ),
    Message(
        "Low rank helps a little, if at all: with the first {0} of {1} components, {2} results hold the "
        "nearest photograph in {3} of searches; with all of them, in {4}."
    ),
    Message("One run differs from another by up to {0}."),
    Message(
        "Low rank gains little here: recall stays at {0} up to all {1} components, and is at most {2}, at rank {3}."
    ),
    Message("Rank {0} already comes within one percent of the best."),
    Message(
        "Rank {0} holds {1} of the variance of the landmarks, and {2} of other photographs: the components "
        "know the sample better than what it stands for."
    ),
    Message(
        "Rank {0} holds {1} of the variance of the landmarks, and {2} of other photographs: the sample stands"
        " well for the others."
    ),
    Message("The transform with s = {0} helps: {1} at its best rank, {2}."),
    Message("The transform with s = {0} harms: {1} at its best rank, {2}."),
    Message("The transform with s = {0} changes little: {1} at its best rank, {2}."),
    Message("rank {0} of {1}: {2}, all: {3}"),
    # of the answers of theory: bits
    Message(
        "The share of {0} bits that differ follows theory: it is {1} off on average where it is worst, and "
        "single pairs scatter by {2}."
    ),
    Message("A kernel value of 0.9 can so be read off to within about {0}; four times the bits halve that."),
    Message(
        "Bilinear bits, which need far fewer random numbers, keep to their own curve as well (on average {0} off)."
    ),
    Message(
        "Bilinear bits, which need far fewer random numbers, keep to their own curve less well (on average {0} off)."
    ),
    Message("{0} bits: {1} off at most, ± {2}"),
    # of the answers of theory: norm bounds
    Message(
        "Norm bounds spare nothing here: under this kernel all photographs have nearly the same norm, so "
        "norms tell none apart."
    ),
    Message("Try the polynomial kernel on an index whose vectors are not made of length 1."),
    Message("Searching the {0} nearest, bound (1) spares {1} of the comparisons and loses none."),
    Message("The paper's bound (2) spares {0}, but it is not true: it loses {1} of neighbours."),
    Message("The paper's bound (2) spares {0}, and loses {1} of neighbours."),
    Message("spare nothing: all norms are alike"),
    Message("{0} spared; paper's: {1}, {2} lost"),
    # of the answers of theory: rotation
    Message(
        "Signs lose {0} of what the directions hold without a rotation, {1} after one by chance, and {2} "
        "after {3} turns of learning."
    ),
    Message(
        "The rotation moves variance, and adds none: {0} of all is captured throughout, but the largest share"
        " of one bit falls from {1} to {2}, so that every bit tells about as much."
    ),
    Message("signs lose {0} instead of {1}"),
    # of the answers of theory: metrics
    Message(
        "Of {0} learned directions {1} are stretched, the first {2} times as much as the usual one, and {3} "
        "are shrunk; the others stay."
    ),
    Message(
        "Of {0} directions {1} are stretched, the first {2} times as much as the usual one, and {3} are "
        "shrunk; the others stay."
    ),
    Message("A pair marked as similar is nearer than one marked as different in {0} of cases, {1} before."),
    Message("Most of these pairs it was learned from: of others expect less."),
    Message("{0} directions stretched"),
    Message("{0} of pairs told apart, {1} before"),
)
SENTENCES: tuple[str, ...] = tuple(one.template for one in _SENTENCES)
"""How figures are read, and what must be known of them; whole, or a sentence of several."""
