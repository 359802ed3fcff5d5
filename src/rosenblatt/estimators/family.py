"""The linear members of the family: each picks a memory and a default margin; the fitting is in linear.py."""

from typing import Any

from sklearn.utils.validation import check_is_fitted

from rosenblatt._typing import Doubles
from rosenblatt.estimators.base import by_name
from rosenblatt.estimators.linear import LinearPerceptron
from rosenblatt.models.voted import VotedModel, survival_counts


class Perceptron(LinearPerceptron):
    """Learn a linear classifier by Rosenblatt's rule: on a mistake, add the example.

    An example is right when ``m = y (w·x + b) > margin``; else ``w += eta0*c*y*x`` and ``b += eta0*c*y``, with c its
    weight. The fit ends with the first clean pass, one without an update.

    Parameters
    ----------
    margin : demanded margin, 0 or more; 0 is the classic rule. Only ``margin / eta0`` matters.
    eta0 : learning rate, above 0. From a zero start with margin 0 it only rescales the weights.
    fit_intercept : learn b too; without it the boundary goes through the origin.
    max_iter : the most passes over the examples.
    max_updates, max_seconds : the most updates (of each machine of one-vs-rest), and the most time; None for no limit.
    shuffle : a fresh permutation before every pass; False shows the rows as given.
    init : "zeros", "random" (standard normal by ``random_state``), or ``(coef, intercept)``. Only ``coef / eta0``
        matters.
    ties : "mistake" (a point on the boundary is wrong for both classes) or "positive" (it counts as predicted
        positive; for margin 0).
    multi_class : more than two classes as "ovr" (one machine each) or "direct" (the true class against its best rival).
    class_weight : a dictionary, "balanced" or None: factors of the steps, times ``sample_weight``.
    early_stopping : set a stratified ``validation_fraction`` of the examples aside, stop when the accuracy on it has
        not grown for ``n_iter_no_change`` passes, and return the best vector, not the last.
    validation_fraction, n_iter_no_change : see ``early_stopping``.
    warm_start : start ``fit`` from the last vector of the fit before.
    n_jobs : threads for the machines of one-vs-rest, to look ahead where updates are rare, to shuffle the next pass, to
        keep the sum of an average, and to check large data; the result does not depend on it.
    random_state : a number is the seed itself; None or a generator gives one.
    verbose : 1 prints the pass and its updates to stderr about once a second.

    Attributes
    ----------
    coef_, intercept_ : (1, d) and (1,) for two classes, (K, d) and (K,) for more.
    classes_ : the labels, sorted.
    n_iter_ : passes, the clean one included.
    n_steps_ : examples shown. n_updates_, n_mistakes_ : steps that moved the weights; steps with m <= 0; in one-vs-rest
        those of all machines together, each of which is shown every example.
    converged_ : whether the last pass was clean. updates_per_pass_ : updates in each pass.
    stop_reason_ : "clean_pass", "max_iter", "max_updates", "max_seconds", "held_out", "interrupted" or (partial_fit)
        "block_end".
    alpha_ : how many updates each training row caused; (n,), or (K, n) in one-vs-rest.
    model_ : what was learnt, as a value that can be saved and exported.
    n_features_in_, feature_names_in_ : what X looked like.

    Notes
    -----
    If some unit (u, v) has ``y (u·x + v) >= gamma`` for every example, a fit from zero with margin 0 makes at most
    ``(R / gamma)²`` updates, where ``R² = max ‖x‖² + 1`` with an intercept (Novikoff 1962, theorem 1). Where there is
    no such vector no pass is ever clean: a ``ConvergenceWarning`` says so. For probabilities wrap the estimator in
    ``CalibratedClassifierCV``.

    References
    ----------
    Rosenblatt (1958), "The perceptron"; Novikoff (1962), "On convergence proofs for perceptrons", theorem 1.

    Examples
    --------
    >>> perceptron = Perceptron(shuffle=False, fit_intercept=False)
    >>> perceptron.fit([[-2, 0], [0, -2], [-2, 2], [2, 2]], ["no", "no", "yes", "yes"]).coef_.tolist()
    [[2.0, 4.0]]
    >>> perceptron.n_updates_, perceptron.n_iter_, perceptron.converged_, perceptron.alpha_.tolist()
    (4, 3, True, [2, 1, 1, 0])
    """


class MarginPerceptron(LinearPerceptron):
    """Learn a perceptron that also moves when an example is right by too little: update iff ``m <= margin``.

    Parameters and attributes are those of :class:`Perceptron`; ``margin`` is 1.0 by default.

    Notes
    -----
    On data of margin gamma and radius R at most ``(R² + 2 margin/eta0) / gamma²`` updates from zero; with a growing
    margin the geometric margin reached approaches half the best and more.

    References
    ----------
    Krauth and Mézard (1987), "Learning algorithms with optimal stability in neural networks", section 2.

    Examples
    --------
    >>> machine = MarginPerceptron(margin=8.0, shuffle=False, fit_intercept=False)
    >>> X, y = [[-2, 0], [0, -2], [-2, 2], [2, 2]], [0, 0, 1, 1]
    >>> bool(abs(machine.fit(X, y).decision_function(X)).min() > 8)
    True
    """

    @by_name
    def __init__(
        self,
        *,
        margin: float = 1.0,
        eta0: float = 1.0,
        fit_intercept: bool = True,
        max_iter: int = 1000,
        max_updates: int | None = None,
        max_seconds: float | None = None,
        shuffle: bool = True,
        init: Any = "zeros",
        ties: str = "mistake",
        multi_class: str = "ovr",
        class_weight: Any = None,
        early_stopping: bool = False,
        validation_fraction: float = 0.1,
        n_iter_no_change: int = 5,
        warm_start: bool = False,
        n_jobs: int | None = None,
        random_state: Any = 0,
        verbose: int = 0,
    ) -> None:
        super().__init__(
            margin=margin,
            eta0=eta0,
            fit_intercept=fit_intercept,
            max_iter=max_iter,
            max_updates=max_updates,
            max_seconds=max_seconds,
            shuffle=shuffle,
            init=init,
            ties=ties,
            multi_class=multi_class,
            class_weight=class_weight,
            early_stopping=early_stopping,
            validation_fraction=validation_fraction,
            n_iter_no_change=n_iter_no_change,
            warm_start=warm_start,
            n_jobs=n_jobs,
            random_state=random_state,
            verbose=verbose,
        )


class AveragedPerceptron(LinearPerceptron):
    """Learn with the perceptron's rule and answer with the mean of all vectors passed through.

    ``coef_`` is the mean over all steps of the vector in force after each, intercept included; kept lazily (work only
    on updates) and equal to the plain mean. Parameters and attributes are those of :class:`Perceptron`.

    Notes
    -----
    The average needs no clean pass: where the classes overlap none ever comes, and ``max_iter`` is what ends the
    fit. It still gives its ``ConvergenceWarning``, because ``converged_`` is False and silence would hide that the
    classes overlap, but the warning says that this is no fault; in a cross-validation turn it off with
    ``warnings.filterwarnings("ignore", category=rosenblatt.ConvergenceWarning)``. The vote and the pocket do the same.

    References
    ----------
    Freund and Schapire (1999), "Large margin classification using the perceptron algorithm", section 2;
    Collins (2002), "Discriminative training methods for hidden Markov models", section 2.

    Examples
    --------
    The first row makes w = 2 and b = 1; the second, right from then on, changes nothing.

    >>> AveragedPerceptron(shuffle=False).fit([[2], [-3]], [1, 0]).coef_.tolist()
    [[2.0]]
    """

    _memory = "average"


class VotedPerceptron(LinearPerceptron):
    """Learn with the perceptron's rule and let every vector passed through vote, as often as it survived.

    The prediction is ``sign(Σ c_k sign(w_k·x + b_k))`` with sign(0) = +1; ``decision_function`` is that sum divided by
    the number of steps. Stored are the rows that caused updates and their sequence, never a vector per update.
    Parameters and attributes are those of :class:`Perceptron`; ``coef_`` is the last vector, not what predicts. A vote
    needs no clean pass; see the notes of :class:`AveragedPerceptron`.

    Attributes
    ----------
    survival_counts_ : steps after which each vector was in force, the start's first (one-vs-rest: an array a class).

    References
    ----------
    Freund and Schapire (1999), "Large margin classification using the perceptron algorithm", figure 1, theorem 2.

    Examples
    --------
    >>> voted = VotedPerceptron(shuffle=False, fit_intercept=False)
    >>> voted.fit([[-2, 0], [0, -2], [-2, 2], [2, 2]], [0, 0, 1, 1]).survival_counts_.tolist()
    [0.0, 1.0, 1.0, 2.0, 8.0]
    """

    _memory = "vote"

    @property
    def model_(self) -> VotedModel:
        """What was learnt, as a value of the library."""
        return self._stream.voted(self.classes_)

    @property
    def survival_counts_(self) -> Doubles | list[Doubles]:
        """Survival counts of the vectors, the start's first."""
        check_is_fitted(self)
        return survival_counts(self.model_.ballots)


class PocketPerceptron(LinearPerceptron):
    """Learn with the perceptron's rule and keep the vector with the fewest training errors seen.

    A new vector replaces the one in the pocket only if it has strictly fewer rows with ``m <= 0`` (the ratchet), so
    the result is never worse on the training rows than any vector passed through; of several classes that is said of
    each machine, not of their joint prediction. Weights scale steps; errors are counted, not weighted. Parameters and
    attributes are those of :class:`Perceptron`. The pocket needs no clean pass; see the notes of
    :class:`AveragedPerceptron`.

    References
    ----------
    Gallant (1990), "Perceptron-based learning algorithms", section III.

    Examples
    --------
    One row is mislabelled; the pocket still finds the vector that errs on it alone.

    >>> X, y = [[-2], [-1], [1], [2], [2]], [0, 0, 1, 1, 0]
    >>> pocket = PocketPerceptron(max_iter=10)
    >>> import warnings
    >>> with warnings.catch_warnings(action="ignore"):
    ...     pocket.fit(X, y).score(X, y)
    0.8
    """

    _memory = "pocket"
