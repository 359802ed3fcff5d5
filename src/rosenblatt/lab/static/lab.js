// The Perceptron Lab, joined from js/src by js/build.js: change it there.

// src/generator.js
var MASK = (1n << 64n) - 1n;
var Generator = class {
	constructor(seed) {
		this.state = BigInt(seed) & MASK;
	}
	below(n) {
		this.state = this.state + 0x9e3779b97f4a7c15n & MASK;
		let z = this.state;
		z = (z ^ z >> 30n) * 0xbf58476d1ce4e5b9n & MASK;
		z = (z ^ z >> 27n) * 0x94d049bb133111ebn & MASK;
		return Number((z ^ z >> 31n) * BigInt(n) >> 64n);
	}
	permutation(n) {
		const place = Array.from({ length: n }, (_, i) => i);
		for (let i = 0; i < n - 1; i++) {
			const j = i + this.below(n - i);
			[place[i], place[j]] = [place[j], place[i]];
		}
		return place;
	}
	unit() {
		return this.below(2 ** 32) / 2 ** 32;
	}
	normal() {
		return Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
	}
};

// src/engine.js
var Linear = class {
	constructor(X, y, bias, start, one) {
		this.X = X;
		this.y = y;
		this.one = bias ? one : 0;
		this.w1 = start[0];
		this.w2 = start[1];
		this.b = start[2];
	}
	judge(i) {
		const x = this.X[i];
		return this.y[i] * (x[0] * this.w1 + x[1] * this.w2 + this.b);
	}
	add(i, tau) {
		const x = this.X[i], step = tau * this.y[i];
		this.w1 += step * x[0];
		this.w2 += step * x[1];
		this.b += step * this.one;
	}
	vector() {
		return [this.w1, this.w2, this.b];
	}
	become(v) {
		[this.w1, this.w2, this.b] = v;
	}
};
var Dual = class {
	constructor(X, y, bias, kernel, one) {
		this.y = y;
		const extra = bias ? one : 0;
		this.K = X.map((a) => X.map((b) => kernel(a, b) + extra));
		this.alpha = new Array(X.length).fill(0);
	}
	judge(i) {
		const K = this.K[i], { alpha, y } = this;
		let score = 0;
		for (let j = 0; j < alpha.length; j++) if (alpha[j]) score += alpha[j] * y[j] * K[j];
		return this.y[i] * score;
	}
	add(i, tau) {
		this.alpha[i] += tau;
	}
	vector() {
		return this.alpha.slice();
	}
	become(v) {
		this.alpha = v.slice();
	}
};
var Run = class {
	constructor(X, y, f, options, unit = { w: 1, b: 1, m: 1, tau: 1 }) {
		this.X = X;
		this.y = y;
		this.f = f;
		this.options = options;
		this.unit = unit;
		this.dual = f instanceof Dual;
		this.n = X.length;
		this.start = f.vector();
		this.row = [];
		this.m = [];
		this.after = [];
		this.pass = [];
		this.journal = [];
		this.vectors = this.dual ? [] : [this.start];
		this.updatesPerPass = [];
		this.mistakes = 0;
		this.converged = false;
		this.stoppedBy = "max_passes";
		this.replayed = false;
		this.pocketTrail = [];
	}
	get steps() {
		return this.row.length;
	}
	get updates() {
		return this.journal.length;
	}
	updatesAt(t) {
		return t === 0 ? 0 : this.after[Math.min(t, this.steps) - 1];
	}
	moved(t) {
		return this.updatesAt(t) > this.updatesAt(t - 1);
	}
	stored(k) {
		if (!this.dual) return this.vectors[k];
		const alpha = this.start.slice();
		for (let u = 0; u < k; u++) alpha[this.journal[u].row] += this.journal[u].tau * this.unit.tau;
		return alpha;
	}
	vector(k) {
		return this.#shown(this.stored(k), 1);
	}
	#shown(v, n) {
		const { w, b } = this.unit;
		return this.dual ? v.map((a) => a / (n * w)) : [v[0] / (n * w), v[1] / (n * w), v[2] / (n * b)];
	}
	margins(k) {
		this.f.become(this.stored(k));
		return this.y.map((_, i) => this.f.judge(i) / this.unit.m + 0);
	}
	survival(t) {
		const made = this.journal.slice(0, this.updatesAt(t)).map((u) => u.step), from = [0, ...made];
		return [...made, t].map((to, u) => to - from[u]);
	}
	average(t) {
		if (t === 0) return this.vector(0);
		const count2 = this.survival(t), sum = this.start.map(() => 0), v = this.start.slice();
		for (let k = 0; k < count2.length; k++) {
			if (k > 0) {
				if (this.dual) v[this.journal[k - 1].row] += this.journal[k - 1].tau * this.unit.tau;
				else for (let j = 0; j < 3; j++) v[j] = this.vectors[k][j];
			}
			for (let j = 0; j < sum.length; j++) sum[j] += count2[k] * v[j];
		}
		return this.#shown(sum, t);
	}
	alpha(k) {
		const alpha = new Array(this.n).fill(0);
		for (let u = 0; u < k; u++) alpha[this.journal[u].row] += this.journal[u].tau;
		return alpha;
	}
	pocket(k) {
		const trail = this.pocketTrail;
		for (let u = trail.length; u <= k; u++) {
			this.f.become(this.stored(u));
			const errors = this.y.filter((_, i) => this.f.judge(i) <= 0).length, best = trail[u - 1];
			trail.push(best && best.errors <= errors ? best : { k: u, errors });
		}
		return trail[k];
	}
	nextUpdate(from) {
		const update = this.journal.find((u) => u.step + 1 >= from);
		return update ? update.step + 1 : null;
	}
};
function asks(m, y, margin, ties) {
	return ties === "positive" ? m < 0 || m === 0 && y < 0 : m <= margin;
}
function learn(X, y, options = {}, unit) {
	const { margin = 0, rate = 1, bias = true, start = null, order = "cyclic", seed = 0, ties = "mistake" } = options;
	const { maxPasses = 1e3, maxUpdates = Infinity, kernel = null, picks = [], one = 1 } = options;
	const n = X.length;
	const f = kernel ? new Dual(X, y, bias, kernel, one) : new Linear(X, y, bias, start ?? [0, 0, 0], one);
	const run = new Run(X, y, f, options, unit);
	const generator = new Generator(seed);
	const ask = (i) => asks(f.judge(i), y[i], margin, ties);
	const quiet = () => y.every((_, i) => !ask(i));
	let rows = order === "manual" ? picks.filter((i) => i < n) : y.map((_, i) => i);
	for (let pass = 0; pass < maxPasses && n > 0; pass++) {
		if (order === "shuffle" || order === "shuffle_once" && pass === 0) rows = generator.permutation(n);
		else if (order === "random") rows = y.map(() => generator.below(n));
		else if (order === "worst") rows = [worst(f, y, margin, ties)];
		let updates = 0;
		for (const i of rows) {
			const m = f.judge(i);
			if (m <= 0) run.mistakes++;
			if (asks(m, y[i], margin, ties)) {
				f.add(i, rate);
				run.journal.push({ step: run.steps, row: i, tau: rate / run.unit.tau, m: m / run.unit.m + 0 });
				if (!run.dual) run.vectors.push(f.vector());
				updates++;
			}
			run.row.push(i);
			run.m.push(m / run.unit.m + 0);
			run.after.push(run.updates);
			run.pass.push(order === "manual" ? Math.ceil(run.row.length / n) : pass + 1);
			if (run.updates === maxUpdates) {
				run.stoppedBy = "max_updates";
				run.updatesPerPass.push(updates);
				return run;
			}
			if (updates && order === "first") break;
		}
		run.updatesPerPass.push(updates);
		const clean = order === "manual" ? quiet() : updates === 0 && (order !== "random" || quiet());
		if (clean || order === "manual") {
			run.converged = clean;
			run.stoppedBy = clean ? "clean_pass" : "no_more_picks";
			break;
		}
	}
	return run;
}
function worst(f, y, margin, ties) {
	let best = 0, least = Infinity;
	y.forEach((label2, i) => {
		const m = f.judge(i);
		if (m < least && asks(m, label2, margin, ties)) [best, least] = [i, m];
	});
	return best;
}

// src/kernels.js
var inner = (a, b) => a[0] * b[0] + a[1] * b[1];
function kernelFunction({ name, gamma, degree, coef0 }) {
	if (name === "linear") return inner;
	if (name === "poly") return (a, b) => power(gamma * inner(a, b) + coef0, degree);
	return (a, b) => {
		const p = a[0] - b[0], q = a[1] - b[1];
		return Math.exp(-gamma * (p * p + q * q));
	};
}
function power(base, degree) {
	let product = base;
	for (let i = 1; i < degree; i++) product *= base;
	return product;
}
function kernelFormula({ name, gamma, degree, coef0 }) {
	if (name === "linear") return "K(a, b) = a·b";
	if (name === "poly") {
		const scale = gamma === 1 ? "" : `${gamma} `, shift = coef0 === 0 ? "" : ` + ${coef0}`;
		return `K(a, b) = (${scale}a·b${shift})^${degree}`;
	}
	return `K(a, b) = exp(−${gamma} ‖a − b‖²)`;
}

// src/exact.js
var SHORT = 6;
var SAFE = 2 ** 53;
function decimals(x) {
	const text = String(x), dot2 = text.indexOf(".");
	if (text.includes("e") || !Number.isFinite(x)) return Infinity;
	const digits = dot2 < 0 ? 0 : text.length - dot2 - 1;
	return digits <= SHORT ? digits : Infinity;
}
var places = (numbers) => numbers.reduce((most, x) => Math.max(most, decimals(x)), 0);
var whole = (x, scale) => Math.round(x * scale);
function learnExactly(X, y, options, kernel) {
	if (kernel?.name === "rbf") return null;
	const { margin = 0, rate = 1, start = null } = options;
	const p = places(X.flat());
	const [w1, w2, b] = start ?? [0, 0, 0];
	const poly = kernel?.name === "poly" ? kernel : null, shape = poly ? places([poly.gamma, poly.coef0]) : 0;
	const data = (2 * p + shape) * (poly?.degree ?? 1);
	const q = Math.max(decimals(rate), places([w1, w2]) - p, decimals(b) - data, decimals(margin) - data, 0);
	if (!Number.isFinite(p + q + shape)) return null;
	const s2 = 10 ** p, Q = 10 ** q, one = 10 ** data;
	const unit = kernel ? { w: Q, b: Q, m: one * Q, tau: Q } : { w: s2 * Q, b: s2 * s2 * Q, m: s2 * s2 * Q, tau: Q };
	const scaled = X.map((x) => [whole(x[0], s2), whole(x[1], s2)]);
	const run = learn(
		scaled,
		y,
		{
			...options,
			margin: whole(margin, unit.m),
			rate: whole(rate, Q),
			start: kernel ? null : [whole(w1, unit.w), whole(w2, unit.w), whole(b, unit.b)],
			kernel: kernel && kernelFunction(scaledKernel(kernel, shape, p)),
			one
		},
		unit
	);
	return staysWhole(run) ? run : null;
}
function scaledKernel(kernel, shape, p) {
	if (kernel.name === "linear") return kernel;
	return { ...kernel, gamma: whole(kernel.gamma, 10 ** shape), coef0: whole(kernel.coef0, 10 ** (shape + 2 * p)) };
}
function staysWhole(run) {
	const largest = (all) => all.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
	if (run.dual) {
		const K = largest(run.f.K.flat());
		return K * run.unit.tau * Math.max(1, run.updates) * (run.options.rate ?? 1) < SAFE && run.unit.m < SAFE;
	}
	const weight = largest(run.vectors.flatMap((v) => v.slice(0, 2))), bias = largest(run.vectors.map((v) => v[2])), x = largest(run.X.flat()), count2 = run.steps || 1;
	return 2 * x * weight + bias < SAFE && count2 * Math.max(weight, bias) < SAFE && run.unit.m * count2 < SAFE;
}

// src/nearest.js
function nearest(n, G, limit = 2e3) {
	let first = 0, size = 0;
	for (let i = 0; i < n; i++) {
		size = Math.max(size, G(i, i));
		if (G(i, i) < G(first, first)) first = i;
	}
	let support = [first], lambda = [1];
	let before = Infinity;
	for (let round2 = 0; round2 < limit; round2++) {
		const { square, least, where } = measure(n, G, support, lambda);
		if (square - least <= 1e-13 * Math.max(square, 1e-4 * size) || support.includes(where) || square >= before) break;
		before = square;
		const kept = { support, lambda };
		support = [...support, where];
		lambda = [...lambda, 0];
		for (; ; ) {
			const affine = affineMinimum(support, G);
			if (!affine) return { ...kept, square };
			if (affine.every((v) => v > 1e-12)) {
				lambda = affine;
				break;
			}
			let step = 1;
			affine.forEach((v, i) => {
				if (v <= 1e-12 && lambda[i] - v > 0) step = Math.min(step, lambda[i] / (lambda[i] - v));
			});
			const moved = lambda.map((v, i) => v + step * (affine[i] - v));
			const drop = moved.reduce(
				(low, v, i) => affine[i] <= 1e-12 && v < moved[low] ? i : low,
				affine.findIndex((v) => v <= 1e-12)
			);
			support = support.filter((_, i) => i !== drop);
			lambda = moved.filter((_, i) => i !== drop);
			const total = lambda.reduce((a, b) => a + b, 0);
			lambda = lambda.map((v) => Math.max(0, v) / total);
		}
	}
	return { support, lambda, square: Math.max(0, measure(n, G, support, lambda).square) };
}
function measure(n, G, support, lambda) {
	const along = (j) => support.reduce((sum, i, a) => sum + lambda[a] * G(i, j), 0);
	const square = support.reduce((sum, i, a) => sum + lambda[a] * along(i), 0);
	let least = Infinity, where = 0;
	for (let j = 0; j < n; j++) {
		const value = along(j);
		if (value < least) [least, where] = [value, j];
	}
	return { square, least, where };
}
function affineMinimum(support, G) {
	const m = support.length;
	const A = support.map((i) => [...support.map((j) => G(i, j)), 1, 0]);
	A.push([...support.map(() => 1), 0, 1]);
	for (let c = 0; c <= m; c++) {
		let p = c;
		for (let r = c + 1; r <= m; r++) if (Math.abs(A[r][c]) > Math.abs(A[p][c])) p = r;
		if (Math.abs(A[p][c]) < 1e-14) return null;
		[A[c], A[p]] = [A[p], A[c]];
		for (let r = 0; r <= m; r++) {
			if (r === c) continue;
			const factor = A[r][c] / A[c][c];
			if (factor) for (let k = c; k <= m + 1; k++) A[r][k] -= factor * A[c][k];
		}
	}
	return support.map((_, i) => A[i][m + 1] / A[i][i]);
}

// src/rational.js
function gcd(a, b) {
	if (a < 0n) a = -a;
	while (b) [a, b] = [b < 0n ? -b : b, a % b];
	return a;
}
function rational(n, d = 1n) {
	const g = gcd(n, d) || 1n, sign2 = d < 0n ? -1n : 1n;
	return { n: sign2 * n / g, d: sign2 * d / g };
}
function fromNumber(x) {
	const text = String(x), dot2 = text.indexOf(".");
	if (text.includes("e") || text.length > 15) return fromDouble(x);
	const digits = dot2 < 0 ? 0 : text.length - dot2 - 1;
	return rational(BigInt(text.replace(".", "")), 10n ** BigInt(digits));
}
function fromDouble(x) {
	let d = 1n;
	while (!Number.isInteger(x)) {
		x *= 2;
		d *= 2n;
	}
	return rational(BigInt(x), d);
}
var plus = (a, b) => rational(a.n * b.d + b.n * a.d, a.d * b.d);
var minus = (a, b) => rational(a.n * b.d - b.n * a.d, a.d * b.d);
var times = (a, b) => rational(a.n * b.n, a.d * b.d);
var over = (a, b) => rational(a.n * b.d, a.d * b.n);
function toNumber({ n, d }) {
	const excess = BigInt(Math.max(0, 4 * Math.max(n.toString(16).length, d.toString(16).length) - 1e3));
	return Number(n >> excess) / Number(d >> excess);
}
var toText = (a) => a.d === 1n ? `${a.n}` : `${a.n}/${a.d}`;
var ZERO = rational(0n);
var ONE = rational(1n);
var dot = (a, b) => a.reduce((sum, v, j) => plus(sum, times(v, b[j])), ZERO);
var notBelow = (a, b) => a.n * b.d >= b.n * a.d;
function wholeRoot(n) {
	let x = 1n << BigInt(n.toString(16).length * 2);
	for (; ; ) {
		const y = x + n / x >> 1n;
		if (y >= x) return x;
		x = y;
	}
}
function largerRoot(half, c) {
	const inside = minus(times(half, half), c);
	const d = half.d * inside.d, h2 = half.n * inside.d, m = inside.n * inside.d * half.d * half.d;
	const value = toNumber(rational((h2 << 64n) + wholeRoot(m << 128n), d << 64n));
	return { value, most: Number((h2 + wholeRoot(m)) / d) };
}
function nullVector(A) {
	const rows = A.map((r2) => r2.slice()), columns = rows[0].length;
	const pivots = [];
	let r = 0;
	for (let c = 0; c < columns && r < rows.length; c++) {
		const p = rows.findIndex((row, i) => i >= r && row[c].n !== 0n);
		if (p < 0) continue;
		[rows[r], rows[p]] = [rows[p], rows[r]];
		rows[r] = rows[r].map((v) => over(v, rows[r][c]));
		rows.forEach((row, i) => {
			if (i !== r && row[c].n !== 0n) rows[i] = row.map((v, j) => minus(v, times(row[c], rows[r][j])));
		});
		pivots.push(c);
		r++;
	}
	const free = Array.from({ length: columns }, (_, c) => c).find((c) => !pivots.includes(c));
	if (free === void 0) return null;
	const x = new Array(columns).fill(ZERO);
	x[free] = ONE;
	pivots.forEach((c, i) => x[c] = minus(ZERO, rows[i][free]));
	return x;
}

// src/geometry.js
function judge(X, y, bias, kernel = null) {
	const n = X.length;
	if (n < 2 || !y.includes(1) || !y.includes(-1)) return null;
	const one = bias ? 1 : 0;
	const product = kernel ?? inner;
	const gram = (i, j) => y[i] * y[j] * (product(X[i], X[j]) + one);
	const R = Math.sqrt(Math.max(...y.map((_, i) => gram(i, i))));
	const G = kernel ? table(n, gram) : gram;
	const found = nearest(n, G);
	const gamma = Math.sqrt(found.square);
	const blank = { u: null, along: [], touching: [], certificate: [], meeting: null, exact: null };
	const verdict = { separable: true, proved: false, gamma, R, ...blank };
	const lifted = kernel !== null;
	if (gamma > 1e-6 * R) return separator(verdict, X, y, one, found, G, lifted);
	const refused = obstacle(verdict, X, y, one, found, lifted);
	if (refused.proved || lifted || gamma === 0) return refused;
	const allowed = separator(verdict, X, y, one, found, G, lifted);
	return allowed.proved ? allowed : refused;
}
function table(n, G) {
	const rows = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_2, j) => G(i, j)));
	return (i, j) => rows[i][j];
}
function separator(verdict, X, y, one, { support, lambda }, G, lifted) {
	const { gamma } = verdict;
	const along = y.map((_, j) => support.reduce((sum, i, a) => sum + lambda[a] * G(i, j), 0) / gamma);
	const touching = y.map((_, i) => i).filter((i) => along[i] <= gamma * (1 + 1e-7));
	if (lifted) return { ...verdict, along, touching };
	const u = [0, 0, 0];
	support.forEach((i, a) => {
		u[0] += lambda[a] * y[i] * X[i][0] / gamma;
		u[1] += lambda[a] * y[i] * X[i][1] / gamma;
		u[2] += lambda[a] * y[i] * one / gamma;
	});
	const Z = X.map((x, i) => signedRow(x, y[i], one));
	const exact = exactMargin(support, Z);
	const proved = exact !== null || Z.every((z) => dot(z, u.map(fromNumber)).n > 0n);
	return { ...verdict, proved, u, along, touching, exact };
}
var signedRow = (x, y, one) => [...x, one].map((v) => fromNumber(y * v || 0));
function exactMargin(rows, Z) {
	const minusOne = minus(ZERO, ONE);
	const lambda = nullVector(rows.map((i) => [...rows.map((j) => dot(Z[i], Z[j])), minusOne]))?.slice(0, -1);
	const total = lambda?.reduce(plus, ZERO);
	if (!lambda || !total?.n) return null;
	const share2 = lambda.map((v) => over(v, total));
	const columns = [0, 1, 2].map((j) => rows.map((i) => Z[i][j])), p = columns.map((column2) => dot(share2, column2));
	const gamma2 = dot(p, p);
	if (!gamma2.n || share2.some((v) => v.n < 0n) || !Z.every((z) => notBelow(dot(z, p), gamma2))) return null;
	const R2 = Z.map((z) => dot(z, z)).reduce((a, b) => notBelow(a, b) ? a : b);
	return { p, gamma2, R2 };
}
function obstacle(verdict, X, y, one, { support, lambda }, lifted) {
	const kept = support.map((row, a) => ({ row, weight: lambda[a] })).filter(({ weight }) => weight > 1e-9);
	const rows = kept.map(({ row }) => row), exact = lifted ? null : resolve(rows, X, y, one);
	const certificate = exact ? exact.map(({ row, exact: weight }) => ({ row, weight: toNumber(weight), exact: weight })) : kept.map((c) => ({ ...c, exact: null }));
	certificate.sort((a, b) => a.row - b.row);
	const positive = certificate.filter(({ row }) => y[row] > 0);
	const share2 = positive.reduce((sum, { weight }) => sum + weight, 0);
	const mean = (j) => positive.reduce((sum, { row, weight }) => sum + weight * X[row][j], 0) / share2;
	const meeting2 = lifted || !one || !share2 ? null : [mean(0), mean(1)];
	return { ...verdict, separable: false, gamma: 0, proved: exact !== null, certificate, meeting: meeting2 };
}
function resolve(rows, X, y, one) {
	const Z = rows.map((i) => signedRow(X[i], y[i], one));
	const x = nullVector([0, 1, 2].map((j) => Z.map((z) => z[j])));
	if (!x) return null;
	const lambda = x.every((v) => v.n <= 0n) ? x.map((v) => minus(ZERO, v)) : x;
	if (lambda.some((v) => v.n < 0n)) return null;
	const total = lambda.reduce(plus, ZERO);
	return rows.map((row, a) => ({ row, exact: over(lambda[a], total) })).filter(({ exact }) => exact.n > 0n);
}
var inner3 = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
function bound({ R, u, along, exact }, { rate, margin, start }) {
	if (exact) {
		const [r, beta, ...w0] = [rate, margin, ...start].map(fromNumber), V = over(ONE, exact.gamma2), r2 = times(r, r), q = plus(times(r2, exact.R2), times(r, plus(beta, beta)));
		const a = times(V, dot(exact.p, w0)), excess = minus(times(a, a), times(V, dot(w0, w0)));
		const half2 = minus(times(V, q), times(r, plus(a, a)));
		return largerRoot(over(half2, plus(r2, r2)), over(excess, r2));
	}
	const gamma = Math.min(...along), ahead = u ? inner3(u, start) : 0, square = u ? inner3(start, start) : 0;
	const scale = (rate * gamma) ** 2, growth = rate * rate * R * R + 2 * rate * margin;
	const half = ahead * rate * gamma - growth / 2;
	const value = (-half + Math.sqrt(Math.max(0, half * half - scale * (ahead * ahead - square)))) / scale;
	return { value, most: Math.floor(value * (1 + 1e-12)) };
}
function proofCurves(run, verdict, { rate, margin, start }, square) {
	const { gamma, R, u } = verdict;
	const s2 = u ? start : [0, 0, 0];
	const along0 = u ? inner3(u, s2) : 0, norm0 = inner3(s2, s2);
	let p = along0, q = norm0;
	const at = (k) => {
		const norm = Math.sqrt(Math.max(0, q)), least = along0 + k * rate * gamma, most = Math.sqrt(norm0 + k * (rate * rate * R * R + 2 * rate * margin));
		return { along: p, norm, cos: norm ? p / norm : NaN, least, most, cosLeast: k ? least / most : NaN };
	};
	const points = [at(0)];
	run.journal.forEach(({ row, tau, m }, index) => {
		p += tau * verdict.along[row];
		q += 2 * tau * m + tau * tau * square(row);
		points.push(at(index + 1));
	});
	return points;
}
function smallestMargin(margins, w) {
	const least = Math.min(...margins);
	return least > 0 ? least / Math.hypot(...w) : -Infinity;
}

// src/strings.js
var tabs = {
	examples: "Examples",
	proof: "Proof",
	dual: "Weights",
	compare: "Compare",
	study: "Study",
	share: "Share"
};
var TEXT = {
	title: "Perceptron Lab",
	variants: {
		standard: "Standard",
		margin: "With a margin",
		averaged: "Averaged",
		voted: "Voted",
		pocket: "Pocket",
		kernel: "Kernel"
	},
	orders: {
		cyclic: "As given",
		shuffle: "Shuffled every pass",
		shuffle_once: "Shuffled once",
		random: "Drawn with replacement",
		first: "First mistake",
		worst: "Worst mistake",
		manual: "You click the next one"
	},
	ties: { mistake: "count as mistakes", positive: "count as +1" },
	kernels: { linear: "Linear", poly: "Polynomial", rbf: "Gaussian (rbf)" },
	memories: { last: "Last", average: "Averaged", vote: "Voted", pocket: "Pocket" },
	tabs,
	parts: {
		header: "Heading",
		settings: "Settings",
		tools: "Drawing tools",
		verdict: "Verdict",
		transport: "Time controls",
		words: "Arithmetic",
		...tabs
	},
	tools: {
		plus: ["+1", "Place +1 examples; a click on an example changes its label, then removes it"],
		minus: ["−1", "Place −1 examples; a click on an example changes its label, then removes it"],
		move: ["Move", "Select an example, then click where it should go; or drag it"],
		erase: ["Erase", "Remove examples"],
		show: ["Show", "Show the learner the example you click"]
	},
	layers: {
		w: "The vector w",
		band: "Margin band",
		best: "Best separator",
		certificate: "Why not separable",
		alpha: "Size by α",
		regions: "Tinted sides",
		numbers: "Numbers",
		beats: "Updates in two beats"
	},
	hints: {
		rate: "From a zero start without a margin the rate only rescales w; with a start, only w₀/r matters.",
		margin: "Update while y(w·x + b) is at most this. Only margin/rate matters.",
		ties: "A point exactly on the line: wrong for both classes, or counted as +1.",
		bias: "An offset b moves the line off the origin: the same as a constant feature 1.",
		start: "The vector before the first example. Drag its tip in the figure at step 0.",
		seed: "The same seed gives the same order here, in Python and in C++.",
		gamma: "How narrow the bell around each example is."
	}
};

// src/state.js
var { keys } = Object;
var WORDS = {
	memory: keys(TEXT.memories),
	kernel: ["none", ...keys(TEXT.kernels)],
	ties: keys(TEXT.ties),
	order: keys(TEXT.orders)
};
var TABS = keys(TEXT.tabs);
var LAYERS = keys(TEXT.layers);
var HIDEABLE = keys(TEXT.parts);
var SNAPS = [0, 0.1, 0.5, 1];
var LIMITS = { points: 500, coordinate: 1e6, picks: 2e3, pinned: 5, passes: 1e3, steps: 1e5 };
var RANGES = {
	rate: [1e-4, 1e4],
	margin: [0, LIMITS.coordinate],
	gamma: [1e-4, 1e4],
	coef0: [0, 1e4],
	degree: [1, 9],
	start: [-LIMITS.coordinate, LIMITS.coordinate],
	seed: [0, Number.MAX_SAFE_INTEGER]
};
var WHOLE = ["degree", "seed"];
var DRAWN = ["shuffle", "shuffle_once", "random"];
var PLAIN = {
	memory: "last",
	kernel: "none",
	degree: 2,
	gamma: 1,
	coef0: 1,
	rate: 1,
	margin: 0,
	bias: true,
	ties: "mistake",
	start: [0, 0, 0],
	order: "cyclic",
	seed: 0
};
var DEFAULT = {
	...PLAIN,
	points: [],
	title: "",
	classes: [],
	columns: [],
	picks: [],
	step: 0,
	tab: "examples",
	layers: ["w", "certificate", "alpha", "regions", "numbers", "beats"],
	hide: [],
	snap: 0.5,
	pinned: [],
	lesson: -1,
	page: 0
};
var FRESH = { classes: [], columns: [], picks: [], snap: DEFAULT.snap };
var VARIANTS = {
	standard: { memory: "last", kernel: "none", margin: 0 },
	margin: { memory: "last", kernel: "none", margin: 1, ties: "mistake" },
	averaged: { memory: "average", kernel: "none" },
	voted: { memory: "vote", kernel: "none" },
	pocket: { memory: "pocket", kernel: "none" },
	kernel: { memory: "last", kernel: "rbf", start: [0, 0, 0] }
};
function variantOf({ kernel, memory, margin }) {
	if (kernel !== "none") return "kernel";
	const last = margin > 0 ? "margin" : "standard";
	return { last, average: "averaged", vote: "voted", pocket: "pocket" }[memory];
}
function problemWith(points) {
	const rows = list(points);
	if (rows.length > LIMITS.points) return `There are ${rows.length} examples; the lab takes at most ${LIMITS.points}.`;
	for (const [i, row] of rows.entries()) {
		const [a, b, y] = list(row);
		const at = [a, b].findIndex((v) => !inReach(v));
		if (at >= 0) return beyond(`Example ${i + 1}, x${at + 1}`, String([a, b][at]));
		if (y !== 1 && y !== -1) return `Example ${i + 1} has no label.`;
	}
	return "";
}
function readPoints(text) {
	const read = (v) => v?.trim() ? Number(v) : NaN;
	const rows = text.split(";").filter(Boolean);
	return rows.map((row) => {
		const [a, b, y] = row.split(",");
		return [read(a), read(b), { p: 1, n: -1 }[y] ?? NaN];
	});
}
var inReach = (v) => typeof v === "number" && Math.abs(v) <= LIMITS.coordinate;
var beyond = (where, what) => `${where}: ${what.slice(0, 24)} is not a number within ±${LIMITS.coordinate}, the lab’s limit; scale that column, for example divide it by 1000.`;
function number(value, low, high, fallback) {
	const x = typeof value === "string" && value.trim() === "" ? NaN : Number(value);
	return Number.isFinite(x) ? Math.min(high, Math.max(low, x)) : fallback;
}
var whole2 = (value, low, high, fallback) => Math.round(number(value, low, high, fallback));
var oneOf = (value, allowed, fallback) => allowed.includes(value) ? value : fallback;
var list = (value) => Array.isArray(value) ? value : [];
function cleanSettings(raw) {
	const from = raw && typeof raw === "object" ? raw : {};
	const s2 = { ...PLAIN };
	for (const key in WORDS) s2[key] = oneOf(from[key], WORDS[key], s2[key]);
	for (const key in RANGES) s2[key] = number(from[key], ...RANGES[key], s2[key]);
	for (const key of WHOLE) s2[key] = Math.round(s2[key]);
	if (typeof from.bias === "boolean") s2.bias = from.bias;
	s2.start = [0, 1, 2].map((j) => number(list(from.start)[j], ...RANGES.start, 0));
	if (!s2.bias) s2.start[2] = 0;
	if (s2.kernel !== "none") {
		s2.start = [0, 0, 0];
		if (s2.memory === "pocket") s2.memory = "last";
	}
	if (s2.margin > 0) s2.ties = "mistake";
	return s2;
}
var pairOfNames = (value) => list(value).length === 2 ? list(value).map((name) => String(name).slice(0, 40)) : [];
function cleanState(raw) {
	const from = raw && typeof raw === "object" ? raw : {};
	const points = problemWith(from.points) ? [] : list(from.points);
	const known = (value, allowed) => allowed.filter((word2) => list(value).includes(word2));
	return {
		...cleanSettings(from),
		points,
		title: typeof from.title === "string" ? from.title.slice(0, 80) : "",
		classes: pairOfNames(from.classes),
		columns: pairOfNames(from.columns).join() === "x1,x2" ? [] : pairOfNames(from.columns),
		// they say nothing
		picks: list(from.picks).slice(0, LIMITS.picks).map((i) => whole2(i, 0, LIMITS.points, 0)).filter((i) => i < points.length),
		step: whole2(from.step, 0, LIMITS.steps, 0),
		tab: oneOf(from.tab, TABS, DEFAULT.tab),
		layers: from.layers === void 0 ? DEFAULT.layers : known(from.layers, LAYERS),
		hide: known(from.hide, HIDEABLE),
		snap: oneOf(Number(from.snap ?? DEFAULT.snap), SNAPS, DEFAULT.snap),
		pinned: list(from.pinned).slice(0, LIMITS.pinned).map(cleanSettings),
		lesson: whole2(from.lesson, -1, 5, -1),
		page: whole2(from.page, 0, 20, 0)
	};
}

// src/derive.js
var KERNEL_ROWS = 60;
var isLifted = ({ kernel }) => kernel === "poly" || kernel === "rbf";
var kernelOf = (s2) => s2.kernel === "none" ? null : { ...s2, name: s2.kernel };
function mostPasses(order, n, maxSteps) {
	if (order === "worst") return maxSteps;
	const fit2 = Math.max(1, Math.floor(maxSteps / n));
	return order === "first" ? fit2 : Math.min(fit2, LIMITS.passes);
}
function runOf(X, y, s2, picks, maxSteps = LIMITS.steps) {
	const kernel = kernelOf(s2);
	const options = { ...s2, kernel: null, maxPasses: mostPasses(s2.order, X.length, maxSteps), picks };
	const exact = learnExactly(X, y, options, kernel);
	if (exact) return { run: exact, exact: true };
	return { run: learn(X, y, { ...options, kernel: kernel && kernelFunction(kernel) }), exact: false };
}
function memo(size) {
	const kept = new Map();
	return (key, make2) => {
		const found = kept.get(key) ?? make2();
		kept.delete(key);
		kept.set(key, found);
		if (kept.size > size) kept.delete(kept.keys().next().value);
		return found;
	};
}
function makeDerive() {
	const runs = memo(12);
	const facts = memo(4);
	const seen = new WeakMap();
	return (state, { maxSteps = LIMITS.steps, trace = null } = {}) => {
		const X = state.points.map(([a, b]) => [a, b]), y = state.points.map(([, , label2]) => label2);
		const { memory, order, picks } = state;
		const chosen = { ...cleanSettings(state), memory: "" };
		const key = JSON.stringify([state.points, chosen, order === "manual" ? picks : 0, maxSteps, trace !== null]);
		const { run, exact } = runs(
			key,
			() => trace ? { run: trace, exact: false } : runOf(X, y, state, picks, maxSteps)
		);
		const t = Math.min(state.step, run.steps), k = run.updatesAt(t);
		const rest = facts(JSON.stringify([key, memory, t]), () => {
			return {
				X,
				y,
				run,
				exact,
				k,
				...judged(seen, state, X, y, run),
				replayed: trace !== null,
				row: t > 0 ? run.row[t - 1] : null,
				moved: t > 0 && run.moved(t),
				margins: run.margins(k),
				alpha: run.alpha(k),
				answer: hypothesis(state, X, y, run, t),
				w: run.vector(k)
			};
		});
		return { ...rest, state, t };
	};
}
function judged(seen, state, X, y, run) {
	const known = seen.get(run);
	if (known) return known;
	const kernel = isLifted(state) ? kernelOf(state) : null, lifted = kernel && kernelFunction(kernel);
	const tooMany = lifted !== null && X.length > KERNEL_ROWS;
	const verdict = tooMany ? null : judge(X, y, state.bias, lifted);
	const boundReason = tooMany ? `γ in the kernel's space is computed for up to ${KERNEL_ROWS} examples` : !verdict ? "both classes are needed" : !verdict.separable ? "the data are not separable, so no bound holds" : "";
	const applies = verdict !== null && boundReason === "";
	const product = lifted ?? inner;
	const facts = {
		verdict,
		boundReason,
		bound: applies ? bound(verdict, state) : null,
		curves: applies ? proofCurves(run, verdict, state, (i) => product(X[i], X[i]) + (state.bias ? 1 : 0)) : null,
		cycle: cycleOf(run)
	};
	seen.set(run, facts);
	return facts;
}
function cycleOf(run) {
	if (run.converged || run.dual || !["cyclic", "shuffle_once", "first", "worst"].includes(run.options.order ?? "cyclic"))
		return null;
	const met = new Map();
	for (let t = 0; t < run.steps; t++) {
		if (t > 0 && run.pass[t] === run.pass[t - 1]) continue;
		const key = run.stored(run.updatesAt(t)).join();
		if (met.has(key)) return met.get(key);
		met.set(key, run.pass[t]);
	}
	return null;
}
function hypothesis(s2, X, y, run, t) {
	const k = run.updatesAt(t);
	if (s2.memory === "vote") return votes(s2, X, y, run, t);
	const v = s2.memory === "average" ? run.average(t) : s2.memory === "pocket" ? run.vector(run.pocket(k).k) : run.vector(k);
	if (!run.dual) return { line: v, score: (a, b) => a * v[0] + b * v[1] + v[2] };
	const K = kernelFunction(kernelOf(s2)), one = s2.bias ? 1 : 0;
	const used = X.map((_, i) => i).filter((i) => v[i] !== 0);
	const score = (a, b) => {
		let sum = 0;
		for (const i of used) sum += v[i] * y[i] * (K(X[i], [a, b]) + one);
		return sum;
	};
	return { line: s2.kernel === "linear" ? primal(v, X, y, one) : null, score };
}
function primal(alpha, X, y, one) {
	const w = [0, 0, 0];
	alpha.forEach((a, i) => {
		w[0] += a * y[i] * X[i][0];
		w[1] += a * y[i] * X[i][1];
		w[2] += a * y[i] * one;
	});
	return w;
}
function votes(s2, X, y, run, t) {
	const count2 = run.survival(t), total = Math.max(1, t), one = s2.bias ? 1 : 0;
	if (!run.dual) {
		const voters = count2.map((c, k) => ({ c, v: run.vector(k) })).filter(({ c }) => c > 0);
		return {
			line: null,
			score: (a, b) => {
				let sum = 0;
				for (const { c, v } of voters) sum += a * v[0] + b * v[1] + v[2] >= 0 ? c : -c;
				return sum / total;
			}
		};
	}
	const K = kernelFunction(kernelOf(s2));
	const used = [...new Set(run.journal.slice(0, count2.length - 1).map((u) => u.row))];
	const value = new Array(X.length).fill(0);
	return {
		line: null,
		score: (a, b) => {
			for (const i of used) value[i] = y[i] * (K(X[i], [a, b]) + one);
			let score = 0, sum = count2[0];
			for (let u = 0; u < count2.length - 1; u++) {
				score += run.journal[u].tau * value[run.journal[u].row];
				sum += score >= 0 ? count2[u + 1] : -count2[u + 1];
			}
			return sum / total;
		}
	};
}

// src/store.js
var PASSING = ["step", "tab", "page", "lesson", "layers"];
var DEPTH = 200;
function makeStore(initial) {
	let state = initial;
	const past = [], future = [];
	const listeners = new Set();
	let open = "";
	const tell = () => listeners.forEach((f) => f(state));
	const travel = (from, to) => {
		const found = from.pop();
		if (!found) return;
		to.push(state);
		state = { ...found, tab: state.tab, layers: state.layers };
		open = "";
		tell();
	};
	return {
		get: () => state,
		canUndo: () => past.length > 0,
		canRedo: () => future.length > 0,
		set(patch, gesture = "") {
			const renamed = patch.points && patch.title === void 0 ? { title: "" } : {};
			const next = cleanState({ ...state, ...patch, ...renamed });
			if (JSON.stringify(next) === JSON.stringify(state)) return;
			if (Object.keys(patch).some((key) => !PASSING.includes(key))) {
				if (!gesture || gesture !== open) {
					past.push(state);
					if (past.length > DEPTH) past.shift();
				}
				open = gesture;
				future.length = 0;
			}
			state = next;
			tell();
		},
		closeGesture() {
			open = "";
		},
		undo: () => travel(past, future),
		redo: () => travel(future, past),
		listen(f) {
			listeners.add(f);
			return () => listeners.delete(f);
		}
	};
}

// src/app.js
var BEAT = 650;
var DRAG_STEPS = 2e4;
function makeApp(initial, model, trace) {
	const store = makeStore(initial);
	const derive = makeDerive();
	const parts = [];
	const endings = [];
	const prefix = `rb${Math.random().toString(36).slice(2, 8)}`;
	const traced = replayKey(initial);
	const ui = {
		tool: "plus",
		selected: null,
		beat: 2,
		playing: false,
		speed: 2,
		dragging: false,
		notice: ""
	};
	let frame = 0, beatTimer = 0, playTimer = 0, cached = null;
	const still = () => typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
	const app = {
		store,
		ui,
		model,
		parts,
		endings,
		el: document.createElement("div"),
		hear(name, f) {
			const heard = (event) => {
				const path2 = event.composedPath();
				if (path2[0] === document.body || path2.includes(app.el)) f(event);
			};
			const from = model.get("heading") ? document : app.el;
			from.addEventListener(name, heard);
			endings.push(() => from.removeEventListener(name, heard));
		},
		id: (name) => `${prefix}-${name}`,
		view() {
			if (!cached) {
				const state = store.get();
				const same = trace !== null && replayKey(state) === traced;
				cached = derive(state, { maxSteps: ui.dragging ? DRAG_STEPS : void 0, trace: same ? trace : null });
			}
			return cached;
		},
		get state() {
			return store.get();
		},
		set(patch, gesture) {
			const problem = patch.points ? problemWith(patch.points) : "";
			if (problem) return app.notify(problem);
			if (!("tab" in patch) && Object.keys(patch).join() !== "step") ui.notice = "";
			store.set(patch, gesture);
		},
		refresh() {
			cached = null;
			if (!frame) frame = requestAnimationFrame(draw);
		},
		flush() {
			if (frame) cancelAnimationFrame(frame);
			draw();
		},
		go(t, beats = false) {
			const { run, state } = app.view();
			const to = Math.max(0, Math.min(run.steps, t));
			clearTimeout(beatTimer);
			const two = beats && to > 0 && run.moved(to) && state.layers.includes("beats") && !still() && !(ui.playing && ui.speed > 4);
			ui.beat = two ? 1 : 2;
			if (two)
				beatTimer = Number(
					setTimeout(() => {
						ui.beat = 2;
						app.refresh();
					}, BEAT)
				);
			if (to === state.step) app.refresh();
			else app.set({ step: to });
		},
		step: (by) => app.go(app.view().t + by, by > 0),
		mistake(way) {
			const { run, t } = app.view();
			if (way > 0) return app.go(run.nextUpdate(t + 1) ?? run.steps, true);
			const before = run.journal.filter((u) => u.step + 1 < t);
			return app.go(before.length ? before[before.length - 1].step + 1 : 0);
		},
		pass(way) {
			const { run, t } = app.view();
			let to = t + way;
			const ends = (at) => at <= 0 || at >= run.steps || run.pass[at] !== run.pass[at - 1];
			while (!ends(to)) to += way;
			app.go(to);
		},
		play() {
			if (app.view().t >= app.view().run.steps) app.go(0);
			ui.playing = !ui.playing;
			clearTimeout(playTimer);
			if (ui.playing) tick();
			app.refresh();
		},
		select(i) {
			ui.selected = i;
			app.refresh();
		},
		notify(text) {
			ui.notice = text;
			app.refresh();
		},
		pick(i) {
			const { t, state } = app.view();
			app.set({ picks: [...state.picks.slice(0, t), i], step: t + 1 });
			app.go(t + 1, true);
		},
		end() {
			cancelAnimationFrame(frame);
			clearTimeout(beatTimer);
			clearTimeout(playTimer);
			endings.forEach((f) => f());
		}
	};
	function tick() {
		const { t, run } = app.view();
		if (t >= run.steps || !ui.playing) {
			ui.playing = false;
			app.refresh();
			return;
		}
		app.step(1);
		const pause = 1e3 / ui.speed;
		playTimer = Number(setTimeout(tick, ui.beat === 1 ? Math.max(pause, 2 * BEAT) : pause));
	}
	function draw() {
		frame = 0;
		const view = app.view();
		for (const { el, part, update } of parts) {
			if (part) el.hidden = view.state.hide.includes(part);
			update(view);
		}
	}
	endings.push(store.listen(() => app.refresh()));
	return app;
}
var replayKey = (state) => JSON.stringify(state, ["points", "kernel", "rate", "margin", "bias", "ties", "start", "order", "seed", "picks"]);

// src/dom.js
function assign(node, attributes) {
	for (const [key, value] of Object.entries(attributes)) {
		if (typeof value === "function") node.addEventListener(key.slice(2), value);
		else if (value === false || value === null || value === void 0) node.removeAttribute(key);
		else if (node.getAttribute(key) !== String(value)) node.setAttribute(key, value === true ? "" : String(value));
	}
}
var h = (tag, ...rest) => make(tag, rest);
var s = (tag, ...rest) => make(tag, rest, SVG);
var SVG = "http://www.w3.org/2000/svg";
function make(tag, rest, space) {
	const [name, ...classes] = tag.split("."), node = space ? document.createElementNS(space, name) : document.createElement(name);
	if (classes.length) node.setAttribute("class", classes.join(" "));
	if (rest[0]?.constructor === Object) assign(node, rest.shift());
	fill(node, rest);
	return node;
}
var svgText = (name, x, y, anchor, words) => s(`text.${name}`, { x, y, "text-anchor": anchor }, words);
function fill(node, children) {
	const kept = children.flat().filter((c) => c !== null && c !== false && c !== void 0).map((c) => c instanceof Node ? c : String(c));
	node.replaceChildren(...kept);
}
function prose(text) {
	return text.split(/(\*[^*]+\*|~[^~]+~)/).filter(Boolean).map((part) => {
		if (part.startsWith("*")) return h("i", prose(part.slice(1, -1)));
		if (part.startsWith("~")) return h("sub", part.slice(1, -1));
		return document.createTextNode(part);
	});
}
var column = (text, title) => h("th", { scope: "col", title }, prose(text));
function barRow(tag, attributes, name, share2, value, colour = "") {
	const bar = h("span", { class: `rb-bar ${colour}` });
	bar.style.width = `${100 * share2}%`;
	const cell = (style, [seen, said]) => h("span", { class: style }, seen, said && h("span.rb-hidden", said));
	const track = h("span.rb-bar-track", bar);
	return h(tag, { class: "rb-bar-row", ...attributes }, cell("rb-bar-name", name), track, cell("rb-bar-count", value));
}
function say(node, text) {
	if (node.textContent !== text) node.textContent = text;
}
function button(text, name, press2, more = {}) {
	const spoken = /^\W*$/.test(text) || name.toLowerCase().includes(text.toLowerCase());
	return h(
		"button",
		{ type: "button", title: name, "aria-label": spoken && name !== text ? name : null, onclick: press2, ...more },
		text
	);
}
function check(text, id, change) {
	const box = h("input", { type: "checkbox", id, onchange: () => change(box.checked) });
	return { box, row: h("div.rb-check", box, h("label", { for: id }, prose(text))) };
}
var sideClass = (y) => y > 0 ? "rb-plus" : "rb-minus";
function table2(tag, caption, heads2, body) {
	const cells = heads2.map((head) => typeof head === "string" ? column(head) : head);
	return h(tag, h("caption", prose(caption)), h("thead", h("tr", cells)), body);
}
function tableRow(head, ...rest) {
	const cells = rest.map((cell) => cell instanceof HTMLElement || cell === false ? cell : h("td", cell));
	return h("tr", h("th", { scope: "row" }, head), cells);
}
var scroller = (name, ...inside) => h("div.rb-scroll", { role: "group", tabindex: 0, "aria-label": name }, inside);
function field(text, control, id, hint = "") {
	control.id = id;
	if (hint) control.title = hint;
	return h("div.rb-field", h("label", { for: id }, prose(text)), control);
}
function select(options, choose, leave = () => void 0) {
	const node = h(
		"select",
		options.map(([value, text]) => h("option", { value }, text))
	);
	let walking = false;
	node.addEventListener("keydown", ({ key }) => walking = !["Enter", " "].includes(key));
	node.addEventListener("pointerdown", () => walking = false);
	node.addEventListener("change", () => {
		choose(node.value);
		if (!walking) leave();
	});
	return node;
}
function readNumber(text) {
	const value = Number(text.replaceAll("−", "-").replace(",", "."));
	return text.trim() !== "" && Number.isFinite(value) ? value : NaN;
}
function numberInput(take, more = {}) {
	const node = h("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", ...more });
	node.addEventListener("change", () => take(readNumber(node.value), node.value));
	return node;
}
function show(node, value) {
	if (node.value !== value) node.value = value;
}

// src/format.js
function fmt(x, digits = 4) {
	if (Number.isNaN(x)) return "–";
	if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
	const size = Math.abs(x);
	if (Number.isInteger(x) && size < 1e7) return sign(String(x + 0));
	if (size !== 0 && (size < 1e-4 || size >= 1e7)) return sign(x.toExponential(2).replace("e+", "e"));
	const after = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
	return sign(String(Number(x.toFixed(Math.min(after, 10)))));
}
var sign = (text) => text.replace(/-/g, "−");
var tuple = (v) => `(${v.map((x) => fmt(x)).join(", ")})`;
var label = (y) => y > 0 ? "+1" : "−1";
var named = (y, classes) => classes.length ? `${label(y)} ${brief(classes[y > 0 ? 1 : 0])}` : label(y);
var brief = (name) => name.length > 14 ? `${name.slice(0, 13)}…` : name;
var bracket = (x) => `(${fmt(x)})`;
var count = (n, one, many = `${one}s`) => `${fmt(n)} ${n === 1 ? one : many}`;
function ticks(low, high, about) {
	const rough = (high - low) / about || 1, power2 = 10 ** Math.floor(Math.log10(rough));
	const step = [1, 2, 5, 10].map((k) => k * power2).find((s2) => s2 >= rough) ?? power2;
	const found = [];
	for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
		found.push(Number((i * step).toPrecision(12)));
	return found;
}

// src/presets.js
function cloud(n, seed, draw) {
	const g = new Generator(seed);
	const example = () => {
		const y = g.below(2) ? 1 : -1, [a, b] = draw(g, y);
		return [round(a), round(b), y];
	};
	return { points: Array.from({ length: n }, example) };
}
var round = (x) => Math.round(x * 100) / 100 + 0;
var blobs = (gap) => cloud(40, 12, (g, y) => {
	const along = 1.5 * g.normal(), away = gap / 2 + Math.abs(g.normal()) * 0.9;
	return [(along + y * away) / Math.SQRT2, (-along + y * away) / Math.SQRT2];
});
var overlap = () => cloud(40, 4, (g, y) => [g.normal() + 0.9 * y, g.normal() + 0.5 * y]);
var moons = () => cloud(60, 21, (g, y) => {
	const a = Math.PI * g.unit(), noise = 0.12;
	const p = y > 0 ? [Math.cos(a), Math.sin(a)] : [1 - Math.cos(a), 0.45 - Math.sin(a)];
	return [2 * (p[0] - 0.5) + noise * g.normal(), 2 * (p[1] - 0.2) + noise * g.normal()];
});
var ring = () => cloud(50, 8, (g, y) => {
	const a = 2 * Math.PI * g.unit(), r = y > 0 ? 0.9 * Math.sqrt(g.unit()) : 1.7 + 0.6 * g.unit();
	return [r * Math.cos(a), r * Math.sin(a)];
});
var fixed = (points, more) => () => ({ points: readPoints(points), ...more });
var TABLE = [
	[
		"four",
		"Four points",
		"Through the origin, from zero: four mistakes, w = (2, 4).",
		fixed("-2,0,n;0,-2,n;-2,2,p;2,2,p", { bias: false })
	],
	[
		"three",
		"Three points, a chosen start",
		"Through the origin, from (1, −0.8): three mistakes, w = (3, 0.2).",
		fixed("1,2,p;-1,2,n;0,-1,n", { bias: false, start: [1, -0.8, 0], snap: 0.1 })
	],
	["and", "AND", "One corner against three.", fixed("0,0,n;0,1,n;1,0,n;1,1,p")],
	["or", "OR", "Three corners against one.", fixed("0,0,n;0,1,p;1,0,p;1,1,p")],
	["xor", "XOR", "No line does it, and the lab says why.", fixed("0,0,n;0,1,p;1,0,p;1,1,n")],
	["blobs", "Two clouds", "Set how far apart they are.", blobs],
	["overlap", "Overlapping clouds", "Not separable: try pocket, averaged or voted.", overlap],
	["moons", "Two moons", "A kernel's work.", moons],
	["circles", "A ring and its centre", "A kernel's work: degree 2 is enough.", ring],
	[
		"ties",
		"Near ties",
		"One-decimal data on which floating point and hand calculation part ways.",
		fixed("0.1,0.2,p;0.3,0.6,n;-0.3,0.1,p;0.2,-0.4,n;0.6,0.1,p", { bias: false, snap: 0.1 })
	],
	[
		"narrow",
		"A narrow gap",
		"Large R/γ: the bound is far away, and the run is long.",
		fixed("9,0,n;11,0,p", { snap: 1 })
	]
];
var PRESETS = TABLE.map(([name, title, note, make2]) => ({ name, title, note, make: make2 }));

// src/lessons.js
var overlap2 = {
	points: readPoints("-2,-1,n;-1,-2,n;-1.5,0.5,n;0.5,-1.5,n;1.5,1,n;2,1,p;1,2,p;0.5,0.5,p;2.5,-0.5,p;-1,-0.5,p")
};
var PROVED = ["w", "best", "numbers", "regions", "beats"];
var [four, three, xor] = [0, 1, 4].map((i) => PRESETS[i].make(0));
var LESSONS = [
	{
		title: "A line that learns from its mistakes",
		pages: [
			{
				text: "Discs are labelled +1, squares −1. A vector *w* scores a point by *w*·*x*: above zero it says +1, below zero −1. At first *w* = (0, 0), so every score is 0. An example with *y*(*w*·*x*) ≤ 0 counts as a mistake.",
				stage: four,
				ask: "Example 1 is shown first. Is it a mistake?",
				choices: ["Yes: its score is 0", "No: nothing is wrong yet"],
				right: 0,
				after: "0 ≤ 0, so it is. On the line is not on the right side. The update adds *y x* = −(−2, 0) to *w*: now *w* = (2, 0).",
				reveal: { step: 1 }
			},
			{
				text: "The line stands at right angles to *w*. Look at the table: with *w* = (2, 0) the margins are 4, 0, −4, 4.",
				stage: { ...four, step: 1 },
				ask: "Which example, shown next in order, is a mistake?",
				choices: ["Example 2, with margin 0", "Example 3, with margin −4", "Example 4, with margin 4"],
				right: 0,
				after: "The examples come in order, so 2 is next, and a tie is a mistake. *w* becomes (2, 0) − (0, −2) = (2, 2).",
				reveal: { step: 2 }
			},
			{
				text: "After four updates *w* = (2, 4), and a whole pass without an update follows: that is how it knows it is done.",
				stage: { ...four, step: 12 }
			}
		]
	},
	{
		title: "What one update does",
		pages: [
			{
				text: "The start is *w* = (1, −0.8), and example 1, *x* = (1, 2) with *y* = +1, is on the wrong side: its score is 1 − 1.6 = −0.6.",
				stage: three,
				ask: "Which way will *w* turn?",
				choices: ["Towards example 1", "Away from example 1"],
				right: 0,
				after: "A +1 example is added, so *w* turns towards it: (1, −0.8) + (1, 2) = (2, 1.2). A −1 example is taken away, and *w* turns from it.",
				reveal: { step: 1 }
			},
			{
				text: "The margin of the example just shown was −0.6.",
				stage: { ...three, step: 1 },
				ask: "What is it after the update?",
				choices: ["0.6", "4.4", "1"],
				right: 1,
				after: "An update raises the margin of its example by exactly ‖*x*‖² = 1 + 4 = 5: from −0.6 to 4.4. It may need several to become right."
			},
			{
				text: "It can spoil others: see how example 2 fares, and step on until a clean pass.",
				stage: { ...three, step: 2 }
			}
		]
	},
	{
		title: "The order and the start matter",
		pages: [
			{
				text: "The same four points, from four different starts: the lines that are found differ.",
				stage: {
					...four,
					start: [0, -5, 0],
					step: 1e5,
					tab: "compare",
					pinned: [
						[5, 0, 0],
						[0, 5, 0],
						[-5, 0, 0]
					].map((start) => ({ bias: false, start }))
				},
				ask: "Do all of them separate the examples?",
				choices: ["Yes, each one", "Only the best one"],
				right: 0,
				after: "Any separating line stops the learner: it asks no more than that. Which one it finds depends on the start and on the order."
			},
			{
				text: "The study runs the same data in many random orders. Press “Run the study”.",
				stage: { ...four, tab: "study" },
				ask: "Can the order make the number of updates exceed 10?",
				choices: ["Yes, with bad luck", "No, never"],
				right: 1,
				after: "(*R*/*γ*)² = 10 holds for every order. The next lesson says why."
			}
		]
	},
	{
		title: "Why it must stop",
		pages: [
			{
				text: "Let *u* be the best unit separator, with margin *γ*. Each update adds *y x*, and *u*·(*y x*) ≥ *γ*.",
				stage: { ...four, step: 12, tab: "proof", layers: PROVED },
				ask: "After *k* updates from zero, how large is *u*·*w* at least?",
				choices: ["*kγ*", "*γ*", "√*k*·*γ*"],
				right: 0,
				after: "Every update brings at least *γ*, so at least *kγ*: the first curve."
			},
			{
				text: "But an update happens only when *y*(*w*·*x*) ≤ 0, so ‖*w* + *y x*‖² = ‖*w*‖² + 2*y*(*w*·*x*) + ‖*x*‖² ≤ ‖*w*‖² + *R*².",
				stage: { ...four, step: 12, tab: "proof", layers: PROVED },
				ask: "So ‖*w*‖ after *k* updates is at most …",
				choices: ["*kR*", "√*k*·*R*", "*R*"],
				right: 1,
				after: "Since *u*·*w* ≤ ‖*w*‖, we get *kγ* ≤ √*k*·*R*, and *k* ≤ (*R*/*γ*)². Here that is 10, and 4 were needed."
			}
		]
	},
	{
		title: "When no line will do",
		pages: [
			{
				text: "Exclusive or: +1 where exactly one coordinate is 1.",
				stage: { ...xor, layers: ["w", "regions", "numbers", "beats", "alpha"] },
				ask: "Will the perceptron stop?",
				choices: ["Yes, after enough passes", "No, never"],
				right: 1,
				after: "The segments 1–4 and 2–3 cross. A line with both ends of a segment on one side has the whole segment there, so the crossing would have to be on both sides. The weights ¼ each are the proof.",
				reveal: { layers: ["w", "regions", "numbers", "beats", "alpha", "certificate"] }
			},
			{
				text: "A kernel lifts the points where a plane can part them. Degree 2 has the product *x*₁*x*₂ in it.",
				stage: { ...xor, kernel: "poly", degree: 2, tab: "dual" },
				ask: "Will it stop now?",
				choices: ["Yes", "No"],
				right: 0,
				after: "With *K*(*a*, *b*) = (*a*·*b* + 1)² exclusive or is separable; the boundary is a curve.",
				reveal: { step: 1e5 }
			}
		]
	},
	{
		title: "Which vector to answer with",
		pages: [
			{
				text: "These examples overlap, so the last vector depends on where you happen to stop. Watch it jump: press End, then go back a few steps.",
				stage: { ...overlap2, step: 60 },
				ask: "Which rule keeps the best vector seen so far?",
				choices: ["Averaged", "Voted", "Pocket"],
				right: 2,
				after: "The pocket keeps the vector with the fewest training errors, and is never worse than any vector visited.",
				reveal: { memory: "pocket", step: 60 }
			},
			{
				text: "The averaged perceptron takes the mean over all steps instead: vectors that survive long weigh more.",
				stage: { ...overlap2, memory: "average", step: 60, tab: "dual" },
				ask: "And the voted one?",
				choices: ["Lets every vector vote, weighted by its survival", "Asks the last two vectors"],
				right: 0,
				after: "Its boundary is not a line: it is a majority of lines.",
				reveal: { memory: "vote", step: 60 }
			}
		]
	}
];
function stageOf(lesson2, page = 0) {
	const here = LESSONS[Number(lesson2)]?.pages[Number(page)];
	if (!here) return {};
	const { layers, pinned, title, step, tab } = DEFAULT;
	return {
		...PLAIN,
		...FRESH,
		layers,
		pinned,
		title,
		step,
		tab,
		...here.stage,
		lesson: Number(lesson2),
		page: Number(page)
	};
}

// src/permalink.js
var LONGEST = 4e4;
function word(value) {
	if (typeof value === "boolean") return value ? "1" : "0";
	if (Array.isArray(value)) return value.map(word).join(",");
	return encodeURIComponent(String(value));
}
function toHash(state) {
	const parts = [`d=${state.points.map(([a, b, y]) => `${a},${b},${y > 0 ? "p" : "n"}`).join(";")}`];
	const { points, pinned, ...rest } = DEFAULT;
	for (const [key, value] of differences(state, rest)) parts.push(`${key}=${word(value)}`);
	for (const pin of state.pinned) {
		const pairs = differences(pin).map(([key, value]) => `${key}:${word(value)}`);
		parts.push(`vs=${pairs.join("+")}`);
	}
	return parts.join("&");
}
function differences(s2, from = PLAIN) {
	const own = { ...s2 };
	return Object.keys(from).filter((key) => JSON.stringify(own[key]) !== JSON.stringify(from[key])).map((key) => [key, own[key]]);
}
function fromHash(hash, otherwise) {
	const text = hash.replace(/^#/, "");
	const refused = (why) => ({ state: otherwise, problem: `The link was not taken. ${why}` });
	if (text.length > LONGEST) return refused(`It is longer than ${LONGEST} characters.`);
	const raw = Object.create(null);
	const pinned = [];
	for (const part of text.split("&")) {
		if (!part.includes("=")) continue;
		const [key, value] = setting(part, "=");
		if (key === "vs") {
			const pairs = String(value).split("+");
			pinned.push(cleanSettings(Object.fromEntries(pairs.map((pair) => setting(pair, ":")))));
		} else raw[key] = value;
	}
	if (pinned.length) raw.pinned = pinned;
	if (raw.d === void 0)
		return { state: cleanState({ ...otherwise, ...stageOf(raw.lesson, raw.page), ...raw }), problem: "" };
	const points = readPoints(String(raw.d));
	const problem = problemWith(points);
	return problem ? refused(problem) : { state: cleanState({ ...raw, points }), problem };
}
var LISTS = ["start", "picks", "layers", "hide", "classes", "columns"];
function setting(pair, mark) {
	const at = pair.indexOf(mark), key = pair.slice(0, at), value = pair.slice(at + 1);
	if (key === "bias") return [key, value !== "0"];
	if (LISTS.includes(key)) return [key, value === "" ? [] : value.split(",").map(decode)];
	return [key === "__proto__" ? "" : key, decode(value)];
}
function decode(text) {
	try {
		return decodeURIComponent(text);
	} catch {
		return "";
	}
}

// src/panels/compare.js
function compare(app) {
	const el = h("div");
	const pin = (pinned) => app.set({ pinned });
	const current = () => cleanSettings(app.state);
	const many = (patches) => pin(patches.map((p) => cleanSettings({ ...current(), ...p })));
	const linear = () => app.state.kernel === "none" ? {} : { kernel: "none" };
	const actions = h(
		"div.rb-row",
		button(
			"Keep this run",
			"Keep the present settings for comparison",
			() => pin([...app.state.pinned, current()].slice(-5))
		),
		button("Four starts", "Compare four start vectors", () => {
			const r = Math.max(1, Math.ceil(1.7 * Math.max(...app.view().X.map((x) => Math.hypot(...x)))));
			const starts = [r, -r].flatMap((v) => [
				[v, 0, 0],
				[0, v, 0]
			]);
			many(starts.map((start) => ({ ...linear(), start })));
		}),
		button(
			"Orders",
			"Compare the orders",
			() => many(["cyclic", "shuffle", "first", "worst"].map((order) => ({ order })))
		),
		button(
			"Memories",
			"Compare last, averaged, voted and pocket",
			() => many(Object.keys(TEXT.memories).map((memory) => ({ ...linear(), memory })))
		),
		button("Forget all", "Remove the runs kept", () => pin([]))
	);
	const update = (view) => {
		const { state, X, y, t } = view;
		const shown = cleanSettings(state);
		const describeRun = (name, key, s2, run, act2) => {
			const at = Math.min(t, run.steps);
			return tableRow(
				[h(`i.rb-key.${key}`, { "aria-hidden": "true" }), ` ${name}`],
				h("td.rb-left", describe(s2, shown)),
				fmt(run.updatesAt(at)),
				`${fmt(run.updates)}${run.converged ? "" : " …"}`,
				answers(s2, hypothesis(s2, X, y, run, at).line, run, at),
				h("td", act2)
			);
		};
		const rows = state.pinned.map((s2, i) => {
			const name = "ABCDE"[i], forget = () => pin(state.pinned.filter((_, j) => j !== i));
			const act2 = h(
				"div.rb-row",
				button("Load", `Load run ${name}`, () => app.set({ ...s2, step: Math.min(t, LIMITS.steps) })),
				button("×", `Forget run ${name}`, forget, { class: "rb-bare" })
			);
			return describeRun(name, `rb-pin-${i}`, s2, runOf(X, y, s2, state.picks, 2e4).run, act2);
		});
		const act = h("th", { scope: "col" }, h("span.rb-hidden", "Load or forget"));
		const runs = table2(
			"table.rb-table",
			"Runs on the same examples, at the same step",
			["Run", "What differs", "Updates", "in all", state.bias ? "(w, b)" : "w", act],
			h("tbody", describeRun("shown", "rb-real", shown, view.run, null), rows)
		);
		fill(el, [
			h(
				"p",
				"Keep runs with other starts, orders or machines: their lines are drawn in the figure, and move with the same step."
			),
			actions,
			scroller("Runs compared", runs)
		]);
	};
	return { el, update };
}
function answers(s2, line2, run, at) {
	if (line2) return tuple(line2.slice(0, s2.bias ? 3 : 2));
	return s2.memory === "vote" ? `${count(run.survival(at).filter((c) => c > 0).length, "vector")} vote` : "–";
}
function describe(s2, shown) {
	const words = differences(s2, shown).map(([key, value]) => {
		if (key === "order") return TEXT.orders[s2.order].toLowerCase();
		if (key === "start") return `start ${tuple(s2.bias ? s2.start : s2.start.slice(0, 2))}`;
		if (key === "seed") return DRAWN.includes(s2.order) ? `seed ${s2.seed}` : "";
		if (["memory", "kernel", "degree", "gamma", "coef0"].includes(key)) return "";
		if (key === "bias") return s2.bias ? "with offset" : "no offset";
		if (key === "ties") return `ties ${TEXT.ties[s2.ties]}`;
		return `${key} ${fmt(Number(value))}`;
	}).filter(Boolean);
	const [mine, theirs] = [variantOf(s2), variantOf(shown)];
	return [mine === theirs ? "" : TEXT.variants[mine].toLowerCase(), ...words].filter(Boolean).join(", ") || "nothing";
}

// src/panels/dual.js
var MOST_BARS = 20;
var MOST_LIVES = 40;
function dual(app) {
	const el = h("div");
	const update = (view) => {
		const { alpha, k, y, X, run, t, state } = view;
		const added = alpha.map((_, i) => i).filter((i) => alpha[i] > 0).sort((a, b) => alpha[b] - alpha[a]);
		const most = Math.max(1, ...alpha), total = alpha.reduce((a, b) => a + b, 0);
		const relation = run.dual ? "*f*(*x*) = Σ *α~i~ y~i~ K*(*x~i~*, *x*)" : state.start.some((v) => v) ? "*w* = *w*₀ + Σ *α~i~ y~i~ x~i~*" : "*w* = Σ *α~i~ y~i~ x~i~*";
		const bars = added.slice(0, MOST_BARS).map((i) => {
			const name = `${i + 1}: ${tuple(X[i])} ${label(y[i])}`;
			return barRow("li", {}, [name, ""], alpha[i] / most, [fmt(alpha[i]), ""], sideClass(y[i]));
		});
		const survival = run.survival(t), longest = Math.max(1, ...survival), from = Math.max(0, survival.length - MOST_LIVES);
		const lives = survival.slice(from).map((c, j) => {
			const name = run.dual ? `k = ${from + j}` : tuple(run.vector(from + j).slice(0, state.bias ? 3 : 2));
			return barRow("li", {}, [name, ""], c / longest, [String(c), ""], "rb-life");
		});
		const earlier = survival.slice(0, from).reduce((a, b) => a + b, 0);
		const note = (needed, text) => needed && h("p.rb-grey", text);
		fill(el, [
			h(
				"p",
				prose(
					`Every update adds its example, so ${relation}, where *α~i~* is how much example *i* has been added. So far Σ*α* = ${fmt(total)}${state.rate === 1 ? `, the ${count(k, "update")}` : ""}.`
				)
			),
			h(
				"ul.rb-bars",
				{ "aria-label": "Alpha of each example" },
				...bars.length ? bars : [h("li.rb-grey", "No example has been added yet.")]
			),
			note(
				added.length > MOST_BARS,
				`These are the ${MOST_BARS} largest; ${count(added.length - MOST_BARS, "more example")} have been added.`
			),
			h("h3", "How long each vector survived"),
			h("p", "A vector that stands for many steps votes, and is averaged, with that weight."),
			note(
				from > 0,
				`The last ${MOST_LIVES} of ${fmt(survival.length)} vectors; those before them stood for ${count(earlier, "step")}.`
			),
			h("ul.rb-bars", { "aria-label": "Survival of each vector" }, ...lives)
		]);
	};
	return { el, update };
}

// src/csv.js
var POSITIVE = ["+1", "1", "+", "true", "yes", "p", "pos", "positive"];
var NEGATIVE = ["-1", "−1", "0", "-", "−", "false", "no", "n", "neg", "negative"];
function parseRows(text) {
	const lines = text.split(/\r\n|\r|\n/).map((line2, i) => ({ line: line2.trim(), at: i + 1 })).filter(({ line: line2 }) => line2 && !line2.startsWith("#"));
	const rows = lines.map(({ line: line2, at }) => ({
		at,
		cells: line2.split(/\s*[,;\t]\s*|\s+/).map((c) => c.replace(/^["'(\[]+|["')\]]+$/g, ""))
	}));
	const columns = rows.length > 1 && rows[0].cells.every(isName) ? rows.shift().cells.slice(0, 2) : [];
	const fail = (problem) => ({ points: [], problem, positive: "", names: [], columns: [] });
	if (!rows.length) return fail("There is nothing to read: give lines such as  1, 2, +1");
	if (rows.length > LIMITS.points)
		return fail(`There are ${rows.length} rows; the lab takes at most ${LIMITS.points}.`);
	for (const { at, cells } of rows) {
		if (cells.length !== 3) return fail(`Line ${at} has ${cells.length} columns; give three: x1, x2 and the label.`);
		const bad = [0, 1].find((j) => !isNumber(cells[j]));
		if (bad !== void 0) return fail(`Line ${at}, column ${bad + 1}: "${cells[bad].slice(0, 20)}" is not a number.`);
		const far = [0, 1].find((j) => !inReach(toNumber2(cells[j])));
		if (far !== void 0) return fail(beyond(`Line ${at}, column ${far + 1}`, cells[far]));
	}
	const found = [...new Set(rows.map(({ cells }) => cells[2]))].sort();
	const sides2 = found.map(sideOf);
	const names = sides2.includes(0) ? found : [];
	if (names.length) {
		if (found.length !== 2)
			return fail(
				`The labels are ${found.slice(0, 4).map((f) => `"${f.slice(0, 12)}"`).join(", ")}${found.length > 4 ? ", …" : ""}; give two classes.`
			);
		sides2.splice(0, 2, -1, 1);
	}
	const points = rows.map(
		({ cells }) => [toNumber2(cells[0]), toNumber2(cells[1]), sides2[found.indexOf(cells[2])]]
	);
	const positive = found.length === 2 && found[sides2.indexOf(1)] || "";
	return { points, problem: "", positive, names, columns };
}
var sideOf = (cell) => POSITIVE.includes(cell.toLowerCase()) ? 1 : NEGATIVE.includes(cell.toLowerCase()) ? -1 : 0;
var toNumber2 = (cell) => Number(cell.replace("−", "-"));
var isNumber = (cell) => /^[+\-−]?(\d+\.?\d*|\.\d+)(e[+\-]?\d+)?$/i.test(cell);
var isName = (cell) => cell !== "" && !isNumber(cell) && !/^[+\-−]?(nan|inf|infinity)$/i.test(cell);
var toCsv = (points) => `x1,x2,y
${points.map(([a, b, y]) => `${a},${b},${y}`).join("\n")}
`;

// src/plot/scale.js
var WIDTH = 640;
var EDGE = 46;
function fit(width, height, X, reach, tips) {
	const edge = EDGE * (width / WIDTH);
	const radius = Math.max(1e-9, ...X.map((x) => Math.hypot(x[0], x[1])));
	const arrow2 = X.length === 0 || reach <= 2.2 * radius ? 1 : niceBelow(1.2 * radius / reach);
	const seen = [
		...X,
		...tips.map((t) => [t[0] * arrow2, t[1] * arrow2]),
		[0, 0]
	];
	let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
	for (const [a, b] of seen)
		[left, right, low, high] = [Math.min(left, a), Math.max(right, a), Math.min(low, b), Math.max(high, b)];
	if (X.length === 0) [left, right, low, high] = [-3, 3, -3, 3];
	const least = 1e-6 + Math.max(right - left, high - low) * 0.5;
	const spanX = Math.max(right - left, least), spanY = Math.max(high - low, least);
	const unit = Math.min((width - 2 * edge) / spanX, (height - 2 * edge) / spanY) * 0.94;
	return { width, height, unit, cx: (left + right) / 2, cy: (low + high) / 2, arrow: arrow2 };
}
function niceBelow(x) {
	const power2 = 10 ** Math.floor(Math.log10(x));
	return ([5, 2, 1].find((k) => k * power2 <= x) ?? 1) * power2;
}
var tenth = (x) => x.toFixed(1);
var spot = (x, y) => `${tenth(x)} ${tenth(y)}`;
var toX = (s2, x) => s2.width / 2 + (x - s2.cx) * s2.unit;
var toY = (s2, y) => s2.height / 2 - (y - s2.cy) * s2.unit;
var toPlane = (s2, px, py) => [s2.cx + (px - s2.width / 2) / s2.unit, s2.cy - (py - s2.height / 2) / s2.unit];
var corners = (s2) => [
	toPlane(s2, 0, 0),
	toPlane(s2, s2.width, 0),
	toPlane(s2, s2.width, s2.height),
	toPlane(s2, 0, s2.height)
];
function halfPlane(s2, [w1, w2, b]) {
	const f = (p) => w1 * p[0] + w2 * p[1] + b;
	const box = corners(s2), kept = [];
	box.forEach((p, i) => {
		const q = box[(i + 1) % 4], fp = f(p), fq = f(q);
		if (fp >= 0) kept.push(p);
		if (fp >= 0 !== fq >= 0)
			kept.push([p[0] + fp / (fp - fq) * (q[0] - p[0]), p[1] + fp / (fp - fq) * (q[1] - p[1])]);
	});
	return kept.map((p) => [toX(s2, p[0]), toY(s2, p[1])]);
}
function segment(s2, [w1, w2, b]) {
	const norm = Math.hypot(w1, w2);
	if (!norm) return null;
	const far = (s2.width + s2.height) / s2.unit;
	const away = (w1 * s2.cx + w2 * s2.cy + b) / norm;
	const foot = [s2.cx - away * w1 / norm, s2.cy - away * w2 / norm];
	if (Math.abs(away) > far) return null;
	const end = (k) => [toX(s2, foot[0] - k * far * w2 / norm), toY(s2, foot[1] + k * far * w1 / norm)];
	return [end(1), end(-1)];
}
var closed = (points) => points.length ? `${path(points)}Z` : "";
var path = (points) => points.map((p, i) => `${i ? "L" : "M"}${spot(p[0], p[1])}`).join("");

// src/plot/touch.js
var SLIP = 5;
function listenToPointer(app, svg, geometry) {
	let held = null;
	const place = (event) => {
		const box = svg.getBoundingClientRect(), { width, height } = geometry.scale;
		return [(event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.height * height];
	};
	const nearestPoint = (px, py, reach) => {
		let best = null, least = reach;
		app.state.points.forEach(([a, b], i) => {
			const d = Math.hypot(toX(geometry.scale, a) - px, toY(geometry.scale, b) - py);
			if (d < least) [best, least] = [i, d];
		});
		return best;
	};
	svg.addEventListener("pointerdown", (event) => {
		if (event.button !== 0 || app.state.hide.includes("tools")) return;
		const [px, py] = place(event), reach = event.pointerType === "touch" ? 26 : 15;
		const onHandle = geometry.handle !== null && Math.hypot(geometry.handle[0] - px, geometry.handle[1] - py) < reach;
		held = { point: onHandle ? null : nearestPoint(px, py, reach), start: onHandle, x: px, y: py, moved: false };
		if (held.point !== null || held.start) {
			svg.setPointerCapture(event.pointerId);
			event.preventDefault();
		}
		svg.focus({ preventScroll: true });
	});
	svg.addEventListener("pointermove", (event) => {
		if (!held) return;
		const [px, py] = place(event);
		if (!held.moved && Math.hypot(px - held.x, py - held.y) < SLIP) return;
		held.moved = true;
		if (held.point === null && !held.start) return;
		app.ui.dragging = true;
		const at = snapped(app, toPlane(geometry.scale, px, py));
		if (held.start) {
			const f = geometry.scale.arrow, start = app.state.start;
			app.set({ start: [...snapped(app, [at[0] / f, at[1] / f]), start[2]] }, "start");
		} else if (held.point !== null) changePoint(app, held.point, { at }, "drag");
	});
	const release = (event) => {
		if (!held) return;
		const { point, start, moved } = held;
		held = null;
		app.store.closeGesture();
		if (app.ui.dragging) {
			app.ui.dragging = false;
			app.refresh();
		} else if (!moved && event.type === "pointerup" && !start)
			press(app, point, snapped(app, toPlane(geometry.scale, ...place(event))));
	};
	svg.addEventListener("pointerup", release);
	svg.addEventListener("pointercancel", release);
	svg.addEventListener("keydown", (event) => useKey(app, event, geometry));
}
function snapped(app, p) {
	const snap = app.state.snap || 1e-3;
	const round2 = (v) => Number((Math.round(v / snap) * snap).toFixed(4)) + 0;
	return [round2(p[0]), round2(p[1])];
}
function changePoint(app, i, to, gesture) {
	const changed = ([a, b, y]) => [...to.at ?? [a, b], to.label ?? y];
	app.set({ points: app.state.points.map((p, j) => j === i ? changed(p) : p) }, gesture);
}
function removePoint(app, i) {
	const { points, picks } = app.state;
	app.ui.selected = null;
	app.set({
		points: points.filter((_, j) => j !== i),
		picks: picks.filter((p) => p !== i).map((p) => p > i ? p - 1 : p)
	});
}
function addPoint(app, at, label2) {
	app.set({ points: [...app.state.points, [at[0], at[1], label2]] });
}
function press(app, point, at) {
	const { tool, selected } = app.ui, label2 = tool === "minus" ? -1 : 1;
	if (tool === "show" || tool === "erase") {
		if (point !== null) tool === "show" ? app.pick(point) : removePoint(app, point);
	} else if (tool === "move") {
		if (point !== null) app.select(selected === point ? null : point);
		else if (selected !== null) {
			changePoint(app, selected, { at });
			app.select(null);
		}
	} else if (point === null) addPoint(app, at, label2);
	else if (app.state.points[point][2] === label2)
		changePoint(app, point, { label: label2 > 0 ? -1 : 1 });
	else removePoint(app, point);
}
var ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
function useKey(app, event, geometry) {
	const { selected } = app.ui, { points, snap, hide } = app.state, n = points.length;
	if (event.ctrlKey || event.metaKey || event.altKey || hide.includes("tools")) return;
	const name = event.key.toLowerCase();
	let used = true;
	if (name === "n" && n) app.select(selected === null ? 0 : (selected + 1) % n);
	else if (name === "p" && n) app.select(selected === null ? n - 1 : (selected + n - 1) % n);
	else if (name === "a") {
		addPoint(app, snapped(app, [geometry.scale.cx, geometry.scale.cy]), app.ui.tool === "minus" ? -1 : 1);
		app.select(app.state.points.length - 1);
	} else if (selected === null || selected >= n) used = false;
	else if (event.key in ARROWS) {
		const size = (snap || 0.1) * (event.shiftKey ? 5 : 1), [a, b] = points[selected], [dx, dy] = ARROWS[event.key];
		changePoint(app, selected, { at: [a + dx * size, b + dy * size].map((v) => Number(v.toFixed(4))) });
	} else if (event.key === "+" || event.key === "=") changePoint(app, selected, { label: 1 });
	else if (event.key === "-" || event.key === "−") changePoint(app, selected, { label: -1 });
	else if (event.key === "Delete" || event.key === "Backspace") removePoint(app, selected);
	else if (event.key === "Escape") app.select(null);
	else if (event.key === "Enter") app.state.order === "manual" ? app.pick(selected) : app.select(null);
	else used = false;
	if (used) {
		event.preventDefault();
		event.stopPropagation();
	}
}

// src/panels/examples.js
var AT_ONCE = 60;
var WIDEST = 10;
var LINES = 12;
function examples(app) {
	let whole3 = false;
	const [first, second, score, margin, answer] = ["", "", "", "", ""].map((text) => column(text));
	const body = h("tbody");
	const added = column("*α*", "How much this example has been added to w"), last = h("th", h("span.rb-hidden", "Remove"));
	const heads2 = ["*i*", first, second, "*y*", score, margin, "Verdict", answer, added, last];
	const all = table2("table.rb-table.rb-examples", "All examples under the vector in force", heads2, body);
	const more = button("Show all rows", "Show all rows", () => {
		whole3 = true;
		app.refresh();
	});
	const history = h("div.rb-history", { role: "group", tabindex: 0, "aria-label": "Every vector so far" });
	const el = h("div", entry(app), scroller("All examples", all), more, history);
	const update = (view) => {
		const { X, y, state, margins, run, alpha, row } = view;
		const formula = run.dual ? "*f*(*x*)" : state.bias ? "*w*·*x* + *b*" : "*w*·*x*";
		[first, second].forEach((head, j) => {
			const name = state.columns[j];
			fill(head, name ? [brief(name)] : prose(["*x*₁", "*x*₂"][j]));
			assign(head, { title: name || null });
		});
		fill(score, prose(formula));
		fill(margin, prose(run.dual ? "*y f*(*x*)" : `*y*(${formula})`));
		answer.hidden = state.memory === "last";
		say(answer, { last: "", average: "Average says", vote: "Vote says", pocket: "Pocket says" }[state.memory]);
		score.hidden = !answer.hidden;
		const shown = whole3 ? X.length : Math.min(X.length, AT_ONCE);
		more.hidden = shown >= X.length;
		while (body.rows.length > shown) body.deleteRow(-1);
		while (body.rows.length < shown) body.append(makeRow(app, body.rows.length));
		for (let i = 0; i < shown; i++) {
			const cells = body.rows[i].cells, m = margins[i];
			assign(body.rows[i], { class: row === i ? "rb-current" : null, "aria-current": row === i ? "step" : null });
			[0, 1].forEach((j) => {
				const input = cells[j + 1].firstChild, root = input.getRootNode();
				if (root.activeElement !== input) showNumber(input, X[i][j]);
			});
			const side = cells[3].firstChild;
			say(side, named(y[i], state.classes));
			assign(side, {
				class: `rb-label ${sideClass(y[i])}`,
				"aria-label": `Example ${i + 1}: label ${label(y[i])}; change it`
			});
			cells[4].hidden = score.hidden;
			say(cells[4], fmt(y[i] * m));
			say(cells[5], fmt(m));
			say(cells[6], m > 0 ? m <= state.margin ? "too near" : "right" : m === 0 ? "on the line" : "wrong");
			cells[6].className = m > 0 ? m <= state.margin ? "rb-near" : "rb-right" : "rb-wrong";
			cells[7].hidden = answer.hidden;
			const says = view.answer.score(X[i][0], X[i][1]) >= 0 ? 1 : -1;
			say(cells[7], state.memory === "last" ? "" : `${label(says)}${says === y[i] ? "" : " ✗"}`);
			say(cells[8], fmt(alpha[i]));
		}
		fill(history, everyVector(view));
	};
	return { el, update };
}
function showNumber(input, value) {
	input.value = String(value).replaceAll("-", "−");
	input.style.width = `calc(${Math.max(3, input.value.length)}ch + 16px)`;
}
function makeRow(app, i) {
	const cell = (j) => {
		const take = (value, text) => {
			const [a, b] = app.state.points[i];
			if (Number.isNaN(value)) app.notify(`“${text.slice(0, 20)}” is not a number; example ${i + 1} is unchanged.`);
			else changePoint(app, i, { at: j === 0 ? [value, b] : [a, value] });
			showNumber(input, app.state.points[i][j]);
		};
		const input = numberInput(take, { class: "rb-cell", "aria-label": `Example ${i + 1}, x${j + 1}` });
		return h("td", input);
	};
	const flip = h("button", {
		type: "button",
		onclick: () => changePoint(app, i, { label: app.state.points[i][2] > 0 ? -1 : 1 })
	});
	const remove = button("×", `Remove example ${i + 1}`, () => removePoint(app, i), { class: "rb-bare" });
	const choose = () => app.state.order === "manual" ? app.pick(i) : app.select(app.ui.selected === i ? null : i);
	const number2 = h(
		"button.rb-bare",
		{ type: "button", "aria-label": `Example ${i + 1}: select or show it`, onclick: choose },
		i + 1
	);
	return tableRow(number2, cell(0), cell(1), h("td", flip), "", "", "", "", "", h("td", remove));
}
function everyVector({ run, k, y, state, t }) {
	if (run.dual || !y.length || y.length > WIDEST) return [];
	const first = Math.max(0, k + 1 - LINES);
	const rows = Array.from({ length: k - first + 1 }, (_, j) => first + j);
	const survived = run.survival(t);
	const lines = rows.map((at) => {
		const w = run.vector(at), moved = at < k ? run.journal[at].row : -1;
		const cells = run.margins(at).map((m, i) => h("td", { class: i === moved ? "rb-cause" : m <= 0 ? "rb-wrong" : null }, fmt(m)));
		const row = tableRow(at, tuple(w.slice(0, 2)), state.bias && fmt(w[2]), ...cells, survived[at]);
		assign(row, { class: at === k && "rb-current" });
		return row;
	});
	const formula = state.bias ? "*y*(*w*·*x* + *b*)" : "*y*(*w*·*x*)";
	const caption = `${formula} at ${first > 0 ? `the last ${LINES} vectors` : "every vector so far"}; boxed: the example that moved it`;
	const survival = column("survived", "Steps it stayed in force");
	const heads2 = ["*k*", "*w~k~*", state.bias && "*b~k~*", ...y.map((_, i) => String(i + 1)), survival];
	return [table2("table.rb-table.rb-vectors", caption, heads2, h("tbody", lines))];
}
function entry(app) {
	const text = h("textarea", {
		rows: 5,
		id: app.id("paste"),
		spellcheck: "false",
		placeholder: "x1, x2, y\n-2, 0, -1\n2, 2, +1"
	});
	const file = h("input.rb-file", {
		type: "file",
		accept: ".csv,.tsv,.txt,text/csv,text/plain",
		id: app.id("file")
	});
	const take = (add) => takeRows(app, text.value, add);
	file.addEventListener("change", async () => {
		const chosen = file.files?.[0];
		if (!chosen) return;
		if (chosen.size > 2e6) app.notify("This file is larger than 2 MB; the lab takes at most 500 rows.");
		else takeRows(app, await chosen.text(), false, chosen.name);
		file.value = "";
	});
	return h(
		"details.rb-entry",
		h("summary", "Type, paste or open rows"),
		h("label", { for: text.id }, "One example a line: x1, x2, label"),
		text,
		h(
			"div.rb-row",
			button("Replace", "Replace all examples by these rows", () => take(false)),
			button("Add", "Add these rows", () => take(true)),
			h("label.rb-button", { for: file.id }, "Open a CSV file…", file),
			button("Clear", "Remove all examples", () => app.set({ points: [], picks: [], step: 0 }))
		)
	);
}
function takeRows(app, text, add, title = "") {
	const { points, problem, positive, names, columns } = parseRows(text);
	const all = add ? [...app.state.points, ...points] : points;
	const wrong = problem || problemWith(all);
	if (wrong) return app.notify(wrong);
	app.set({ points: all, step: 0, picks: [], title, ...add ? {} : { classes: names, columns } });
	app.notify(`${points.length} examples${positive && `; “${positive}” is +1`}.`);
}

// src/panels/header.js
function header(app, openLesson) {
	let gap = 0.6;
	const load = (name) => {
		const preset = PRESETS.find((p) => p.name === name);
		if (!preset) return;
		const { memory, kernel, degree, gamma, coef0, rate, margin } = app.state;
		const machine = { memory, kernel, degree, gamma, coef0, rate, margin };
		app.set({ ...PLAIN, ...machine, ...FRESH, step: 0, lesson: -1, ...preset.make(gap), title: preset.title });
		app.notify(preset.note);
	};
	const leave = () => app.el.querySelector(".rb-figure").focus({ preventScroll: true });
	const presets = select(
		[["", "Choose…"], ...PRESETS.map((p) => [p.name, p.title])],
		load,
		leave
	);
	const lessons = select(
		[
			["-1", "Choose…"],
			...LESSONS.map((l, i) => [String(i), `${i + 1}. ${l.title}`])
		],
		(v) => openLesson(Number(v), 0),
		leave
	);
	const slider = h("input", { type: "range", min: 0, max: 2, step: 0.1, value: gap });
	slider.addEventListener("input", () => {
		gap = Number(slider.value);
		load("blobs");
	});
	const gapField = field("Gap", slider, app.id("gap"));
	const brand = h(app.model.get("heading") ? "h1" : "p", { class: "rb-brand" }, TEXT.title);
	const title = h("p.rb-title");
	const el = h(
		"header.rb-header",
		h("div", brand, title),
		h("div.rb-row", field("Data", presets, app.id("presets")), gapField, field("Lesson", lessons, app.id("lessons")))
	);
	const update = ({ state, X }) => {
		const preset = PRESETS.find((p) => p.title === state.title);
		show(presets, preset?.name ?? "");
		show(lessons, String(state.lesson));
		gapField.hidden = preset?.name !== "blobs";
		title.textContent = `${state.title || "Your examples"} · ${TEXT.variants[variantOf(state)].toLowerCase()}, ${X.length} examples`;
	};
	return { part: "header", el, update };
}

// src/panels/lesson.js
function lesson(app) {
	const el = h("section.rb-lesson", { "aria-label": "Lesson" });
	let answered = null, drawn = "";
	const open = (number2, page) => {
		answered = null;
		app.set(number2 < 0 ? { lesson: -1, page: 0 } : stageOf(number2, page));
	};
	const answer = (choice) => {
		answered = choice;
		const { lesson: number2, page } = app.state, here = LESSONS[number2].pages[page];
		if (here.reveal) app.set(here.reveal);
		if (here.reveal?.step !== void 0) app.go(here.reveal.step, true);
		app.refresh();
	};
	const update = ({ state }) => {
		const given = LESSONS[state.lesson], here = given?.pages[state.page];
		el.hidden = !here;
		const key = JSON.stringify([state.lesson, state.page, answered]);
		if (!here || key === drawn) return;
		drawn = key;
		const question = here.ask ? [
			h("p.rb-ask", { id: app.id("ask") }, prose(here.ask)),
			h(
				"div.rb-choices",
				{ role: "group", "aria-labelledby": app.id("ask") },
				...(here.choices ?? []).map((text, i) => {
					const mark = answered === null ? "" : i === here.right ? "rb-yes" : i === answered ? "rb-no" : "";
					return h(
						"button",
						{ type: "button", class: mark, disabled: answered !== null, onclick: () => answer(i) },
						prose(text),
						mark === "rb-yes" ? " ✓" : mark === "rb-no" ? " ✗" : ""
					);
				})
			)
		] : [];
		const told = answered !== null && here.after ? [
			h(
				"p.rb-after",
				{ role: "status" },
				h("b", answered === here.right ? "Yes. " : "Not quite. "),
				prose(here.after)
			)
		] : [];
		const onward = !here.ask || answered !== null;
		const primary = { class: "rb-primary" };
		const next = state.page + 1 < given.pages.length ? button("Go on", "Next page", () => open(state.lesson, state.page + 1), primary) : state.lesson + 1 < LESSONS.length && button("Next lesson", "Next lesson", () => open(state.lesson + 1, 0), primary);
		fill(el, [
			h(
				"div.rb-lesson-head",
				h("h2", `${state.lesson + 1}. ${given.title}`),
				button("×", "Leave the lesson", () => open(-1, 0), { class: "rb-bare" })
			),
			h("p", prose(here.text)),
			...question,
			...told,
			h(
				"div.rb-row",
				state.page > 0 && button("Back", "Previous page", () => open(state.lesson, state.page - 1)),
				onward && next,
				h("span.rb-grey", `${state.page + 1} of ${given.pages.length}`)
			)
		]);
	};
	return { el, update, open };
}

// src/plot/marks.js
function axes(scale, columns) {
	const { width, height } = scale;
	const [left, high] = toPlane(scale, 0, 0), [right, low] = toPlane(scale, width, height);
	const zeroX = Math.min(width - 8, Math.max(8, toX(scale, 0))), zeroY = Math.min(height - 8, Math.max(8, toY(scale, 0)));
	const marks = [];
	for (const v of ticks(left, right, 8)) {
		const x = tenth(toX(scale, v));
		marks.push(gridLine(v, `M${x} 0V${height}`));
		if (v !== 0) marks.push(svgText("rb-tick", x, tenth(Math.min(height - 6, zeroY + 15)), "middle", fmt(v)));
	}
	for (const v of ticks(low, high, 7)) {
		const y = toY(scale, v);
		marks.push(gridLine(v, `M0 ${tenth(y)}H${width}`));
		if (v !== 0) marks.push(svgText("rb-tick", tenth(Math.max(22, zeroX - 6)), tenth(y + 4), "end", fmt(v)));
	}
	marks.push(
		svgText("rb-axis-name", width - 10, tenth(zeroY - 8), "end", columns[0] || "x₁"),
		svgText("rb-axis-name", tenth(zeroX + 9), 18, "start", columns[1] || "x₂")
	);
	return marks;
}
var gridLine = (v, d) => s(v === 0 ? "path.rb-axis" : "path.rb-grid", { d });
function sides(scale, w) {
	if (!w[0] && !w[1]) return [];
	const tint = (name, v) => s("path", { class: name, d: closed(halfPlane(scale, v)) });
	return [
		tint("rb-side-plus", w),
		tint(
			"rb-side-minus",
			w.map((v) => -v)
		)
	];
}
function line(scale, w, name) {
	const ends = segment(scale, w);
	return ends ? [s("path", { class: name, d: path(ends) })] : [];
}
function band(scale, w, m, name) {
	if (!(m > 0) || !w[0] && !w[1]) return [];
	return [...line(scale, [w[0], w[1], w[2] - m], name), ...line(scale, [w[0], w[1], w[2] + m], name)];
}
function arrow(scale, from, to, name, words = "") {
	const [x0, y0, x1, y1] = [toX(scale, from[0]), toY(scale, from[1]), toX(scale, to[0]), toY(scale, to[1])];
	const length = Math.hypot(x1 - x0, y1 - y0);
	if (length < 2) return [];
	const ux = (x1 - x0) / length, uy = (y1 - y0) / length, head = Math.min(11, length);
	const point = (back, side) => spot(x1 - back * ux - side * uy, y1 - back * uy + side * ux);
	const marks = [
		s("path", { class: `rb-arrow ${name}`, d: `M${spot(x0, y0)}L${point(head * 0.7, 0)}` }),
		s("path", {
			class: `rb-head ${name}`,
			d: `M${point(0, 0)}L${point(head, head * 0.42)}L${point(head, -head * 0.42)}Z`
		})
	];
	if (words) {
		const anchor = ux < -0.3 ? "end" : ux > 0.3 ? "start" : "middle";
		marks.push(
			svgText(`rb-arrow-name ${name}`, tenth(x1 + 9 * ux - 9 * uy), tenth(y1 + 9 * uy + 9 * ux + 5), anchor, words)
		);
	}
	return marks;
}
function obstacle2(scale, { verdict, X, y, state }) {
	if (!verdict || verdict.separable || !verdict.certificate.length || isLifted(state)) return [];
	const rows = verdict.certificate.map((c) => c.row);
	const at = (p) => [toX(scale, p[0]), toY(scale, p[1])];
	if (!state.bias) {
		const turned = rows.map((i) => at([y[i] * X[i][0], y[i] * X[i][1]]));
		const ghosts = rows.filter((i) => y[i] < 0).map((i) => {
			const [cx, cy] = at([-X[i][0], -X[i][1]]);
			return s("rect.rb-turned", { x: cx - 6, y: cy - 6, width: 12, height: 12 });
		});
		return [s("path.rb-hull", { d: closed(turned) }), ...ghosts, meeting(at([0, 0]))];
	}
	const hull = (side) => rows.filter((i) => y[i] === side).map((i) => at(X[i]));
	const marks = [hull(1), hull(-1)].map(
		(points, i) => s("path", { class: `rb-hull ${i ? "rb-minus" : "rb-plus"}`, d: closed(points) })
	);
	if (verdict.meeting) marks.push(meeting(at(verdict.meeting)));
	return marks;
}
var meeting = ([x, y]) => s("path.rb-meeting", { d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12` });

// src/plot/chart.js
var WIDTH2 = 420;
var HEIGHT = 168;
var LEFT = 44;
var RIGHT = 24;
var TOP = 12;
var BOTTOM = 26;
function curves(series, { at, title, most, pick }) {
	const n = Math.max(1, series[0].values.length - 1);
	const all = series.flatMap((c) => c.values).filter(Number.isFinite);
	const low = Math.min(0, ...all), high = most ?? (Math.max(...all) || 1);
	const x = (k) => LEFT + k / n * (WIDTH2 - LEFT - RIGHT);
	const y = (v) => HEIGHT - BOTTOM - (v - low) / (high - low || 1) * (HEIGHT - TOP - BOTTOM);
	const marks = [];
	for (const v of ticks(low, high, 4)) {
		marks.push(gridLine(v, `M${LEFT} ${y(v)}H${WIDTH2 - RIGHT}`));
		marks.push(svgText("rb-tick", LEFT - 6, y(v) + 4, "end", fmt(v)));
	}
	for (const k of ticks(0, n, 6).filter(Number.isInteger))
		marks.push(svgText("rb-tick", x(k), HEIGHT - 8, "middle", fmt(k)));
	marks.push(svgText("rb-axis-name", WIDTH2 - 3, HEIGHT - 9, "end", "k"));
	const stride = Math.max(1, Math.floor(n / 500));
	for (const { values, style } of series) {
		let d = "";
		values.forEach((v, k) => {
			if (Number.isFinite(v) && (k % stride === 0 || k === n)) d += `${d ? "L" : "M"}${spot(x(k), y(v))}`;
		});
		marks.push(s("path", { class: `rb-curve ${style}`, d }));
		if (n <= 40)
			values.forEach(
				(v, k) => Number.isFinite(v) && marks.push(s("circle", { class: `rb-dot ${style}`, cx: tenth(x(k)), cy: tenth(y(v)), r: 2.6 }))
			);
	}
	marks.push(s("path.rb-cursor", { d: `M${x(at)} ${TOP}V${HEIGHT - BOTTOM}` }));
	const svg = s("svg.rb-chart", { viewBox: `0 0 ${WIDTH2} ${HEIGHT}`, role: "img", "aria-label": title }, ...marks);
	svg.addEventListener("click", (event) => {
		const box = svg.getBoundingClientRect(), { clientX } = event;
		const k = Math.round(((clientX - box.left) / box.width * WIDTH2 - LEFT) / (WIDTH2 - LEFT - RIGHT) * n);
		pick(Math.min(n, Math.max(0, k)));
	});
	const legend = h(
		"div.rb-legend",
		...series.map(
			(c) => h(
				"span",
				h("i", { class: `rb-key ${c.style}`, "aria-hidden": "true" }),
				`${c.name} = ${fmt(c.values[Math.min(at, n)])}`
			)
		)
	);
	return h("div.rb-chart-box", legend, svg);
}
function bins(values, about = 14) {
	const low = Math.min(...values), high = Math.max(...values);
	const width = Math.max(1, Math.ceil((high - low + 1) / about));
	const found = [];
	for (let from = low; from <= high; from += width)
		found.push({ from, to: from + width - 1, members: [] });
	values.forEach((v, i) => found[Math.floor((v - low) / width)].members.push(i));
	return found;
}
function histogram(groups, pick, marked) {
	const most = Math.max(1, ...groups.map((g) => g.members.length));
	return h(
		"div.rb-histogram",
		{ role: "group", "aria-label": "Updates over shuffles" },
		...groups.map(({ from, to, members }) => {
			const range = from === to ? fmt(from) : `${fmt(from)}–${fmt(to)}`;
			const n = members.length;
			return barRow(
				"button",
				{
					type: "button",
					disabled: n === 0,
					"aria-current": marked(from, to) ? "true" : null,
					title: "Load one of these runs",
					onclick: () => pick(members[0])
				},
				[range, " updates: "],
				n / most,
				[String(n), " runs"]
			);
		})
	);
}

// src/panels/proof.js
function proof(app) {
	const el = h("div.rb-proof");
	const update = (view) => {
		const { curves: c, k, verdict, boundReason, state, run } = view;
		if (!c || !verdict) {
			fill(el, [h("p.rb-grey", `The proof needs a separator, and here there is none: ${boundReason}.`)]);
			return;
		}
		const pick = (at) => app.go(at === 0 ? 0 : run.journal[at - 1].step + 1);
		const zero = state.start.every((v) => v === 0), plain = zero && state.margin === 0;
		const w = state.bias && !run.dual ? "(*w*, *b*)" : "*w*";
		const [floor, ceiling] = plain && state.rate === 1 ? ["kγ", "√k·R"] : ["u·w₀ + krγ", "√(‖w₀‖² + k(r²R² + 2rβ))"];
		const chart = (title, [real, name], [limit, formula], most = void 0) => curves(
			[
				{ values: c.map((p) => p[real]), name, style: "rb-real" },
				{ values: c.map((p) => p[limit]), name: formula, style: "rb-limit" }
			],
			{ at: k, most, title, pick }
		);
		const squeezed = plain ? "√k·γ/R" : "floor / ceiling";
		fill(el, [
			h(
				"p",
				prose(
					`Let *u* be the best unit separator, with margin *γ* = ${fmt(verdict.gamma)}, and *R* = ${fmt(verdict.R)}. Each update moves ${w} forward along *u* by at least *rγ*, but lengthens it little. Both can be true only for so long.`
				)
			),
			h("h3", prose("Every update makes progress: *u*·*w~k~* stays above the line")),
			chart("Progress along u against its lower limit", ["along", "u·wₖ"], ["least", floor]),
			h("h3", prose("The vector grows slowly: ‖*w~k~*‖ stays below the curve")),
			chart("Norm against its upper limit", ["norm", "‖wₖ‖"], ["most", ceiling]),
			h("h3", "So the cosine is squeezed, and it cannot pass 1"),
			chart("Cosine of w and u against its lower limit", ["cos", "cos(wₖ, u)"], ["cosLeast", squeezed], 1),
			h("p.rb-source", "Novikoff (1962), theorem 1.")
		]);
	};
	return { el, update };
}

// src/words.js
function stepInWords(view) {
	const { run, t, row, state, X, y } = view;
	if (!run.n) return "No examples yet: click in the figure to place some.";
	if (row === null)
		return run.steps === 0 && state.order === "manual" ? "Click an example in the figure to show it." : startInWords(view);
	const m = run.m[t - 1], x = X[row], before = run.vector(run.updatesAt(t - 1));
	const head = `Step ${t}, pass ${run.pass[t - 1]}: example ${row + 1}, x = ${tuple(x)}, y = ${label(y[row])}.`;
	const inside = run.dual ? "Σ α y K" : `${bracket(x[0])}${bracket(before[0])} + ${bracket(x[1])}${bracket(before[1])}${state.bias ? ` + ${bracket(before[2])}` : ""}`;
	const product = run.dual ? `y f(x) = ${fmt(m)}` : `${label(y[row])} × (${inside}) = ${fmt(m)}`;
	return `${head} ${product}${verdictOn(view, m, row)}${view.moved ? moveInWords(view, row) : ""}`;
}
function startInWords({ run, state, w }) {
	if (run.dual) return "Start: every α is 0.";
	return `Start: w = ${tuple(w.slice(0, 2))}${state.bias ? `, b = ${fmt(w[2])}` : ""}. Press the right arrow to show the first example.`;
}
function verdictOn({ moved, state, y }, m, row) {
	if (!moved) {
		if (m === 0) return `, a tie, which sign(0) = +1 counts as right for y = ${label(y[row])}: no change.`;
		return ` > ${state.margin > 0 ? fmt(state.margin) : 0}: no change.`;
	}
	if (m > 0) return ` ≤ ${fmt(state.margin)}, right but nearer than the margin demanded:`;
	return m === 0 ? " ≤ 0, on the line, a mistake:" : " < 0, a mistake:";
}
function moveInWords({ run, t, state, X, y }, row) {
	const k = run.updatesAt(t), tau = run.journal[k - 1].tau;
	if (run.dual) return ` α${row + 1} becomes ${fmt(run.alpha(k)[row])}.`;
	const before = run.vector(k - 1), after = run.vector(k), sign2 = y[row] > 0 ? "+" : "−";
	const by = tau === 1 ? "" : `${fmt(tau)}·`;
	const bias = state.bias ? `, b becomes ${fmt(before[2])} ${sign2} ${fmt(tau)} = ${fmt(after[2])}` : "";
	return ` w becomes ${tuple(before.slice(0, 2))} ${sign2} ${by}${tuple(X[row])} = ${tuple(after.slice(0, 2))}${bias}.`;
}
function endInWords({ run, state, cycle }) {
	const updates = count(run.updates, "update"), passes = count(run.updatesPerPass.length, "pass", "passes"), made = `${updates} in ${passes}`;
	if (run.replayed) return `Replayed from Python: ${made}${run.converged ? ", converged" : ""}.`;
	if (run.converged)
		return state.order === "manual" ? `Every example is right after ${updates}.` : `Converges: ${made}, the last one clean.`;
	if (state.order === "manual")
		return `${count(run.steps, "example")} shown, ${updates}; some example still asks for one.`;
	if (cycle !== null) return `Never stops: the weights at the start of pass ${cycle} come back, and all repeats.`;
	return `No clean pass in ${passes}: ${updates}.`;
}
function whyThisOne({ run, t, state, row }) {
	if (row === null) return "";
	const why = {
		cyclic: "the examples come in the order of the table",
		shuffle: `the order is drawn anew before every pass (seed ${state.seed})`,
		shuffle_once: `one order, drawn once (seed ${state.seed})`,
		random: `drawn with replacement (seed ${state.seed})`,
		first: run.moved(t) ? "the first example that asks for an update" : "from the top until one asks for an update",
		worst: "the example with the smallest y(w·x)",
		manual: "you chose it"
	}[state.order];
	return run.replayed ? "as the Python run showed it" : why;
}
function verdictInWords({ verdict, state, X, y }) {
	if (!verdict)
		return {
			head: X.length ? "Not judged" : "No examples",
			body: X.length < 2 || !(y.includes(1) && y.includes(-1)) ? "Place examples of both classes." : "Too many examples to judge in the kernel's space."
		};
	const where = isLifted(state) ? "in the kernel’s space" : state.bias ? "by a line" : "by a line through the origin";
	if (verdict.separable) {
		const touch = verdict.touching.length <= 4 ? ` Examples ${verdict.touching.map((i) => i + 1).join(", ")} hold the margin.` : "";
		return {
			head: `${verdict.proved ? "S" : "Numerically s"}eparable ${where}`,
			body: `Best margin γ = ${fmt(verdict.gamma)}, radius R = ${fmt(verdict.R)}${where.startsWith("in") ? ", both in that space" : state.bias ? ", both of (x, 1)" : ""}.${touch}`
		};
	}
	return {
		head: `${verdict.proved ? "Not" : "Numerically not"} separable ${where}`,
		body: obstacleInWords(verdict, y, state.bias)
	};
}
var weightOf = ({ weight, exact }) => exact && toText(exact).length <= 7 ? toText(exact) : fmt(weight);
function obstacleInWords({ certificate, meeting: meeting2 }, y, bias) {
	if (!certificate.length) return "";
	const names = certificate.map((c) => c.row + 1);
	const proof2 = ` Weights: ${certificate.map((c) => `row ${c.row + 1} × ${weightOf(c)}`).join(", ")}.`;
	if (!bias) {
		if (names.length === 1) return `Example ${names[0]} lies at the origin, on every such line.`;
		return `With the −1 examples turned about the origin, 0 is a mixture of examples ${names.join(", ")}.${proof2}`;
	}
	const plus2 = names.filter((name) => y[name - 1] > 0), minus2 = names.filter((name) => y[name - 1] < 0);
	const at = meeting2 ? ` at ${tuple(meeting2)}` : "";
	const [few, many] = plus2.length <= minus2.length ? [plus2, minus2] : [minus2, plus2];
	if (many.length === 1) return `Examples ${few[0]} and ${many[0]} lie on the same spot with different labels.`;
	if (few.length === 1 && many.length === 2) return `Example ${few[0]} lies on the segment ${many.join("–")}.${proof2}`;
	if (few.length === 1) return `Example ${few[0]} lies inside the triangle ${many.join(", ")}.${proof2}`;
	return `The segments ${plus2.join("–")} and ${minus2.join("–")} cross${at}.${proof2}`;
}
function figureInWords(view) {
	const { X, y, margins, answer, run } = view;
	if (!X.length) return "An empty plane.";
	const wrong = margins.filter((m) => m <= 0).length;
	const line2 = answer.line ? answer.line[0] || answer.line[1] ? ` The line is ${lineEquation(answer.line)}.` : " w is zero, so there is no line." : " There is no single line.";
	return `${count(y.filter((v) => v > 0).length, "positive example")} and ${count(y.filter((v) => v < 0).length, "negative one")}.${line2} ${count(wrong, "mistake")} now, after ${count(view.k, "update")} of ${run.updates}.`;
}
function lineEquation([w1, w2, b]) {
	const term = (c, name, first) => {
		if (c === 0) return "";
		const size = Math.abs(c), factor = name ? size === 1 ? "" : `${fmt(size)} ` : fmt(size);
		return `${c < 0 ? first ? "−" : " − " : first ? "" : " + "}${factor}${name}`;
	};
	const one = term(w1, "x₁", true), two = term(w2, "x₂", !one), three2 = term(b, "", !one && !two);
	return `${one}${two}${three2}${one || two ? " = 0" : ""}`;
}

// src/panels/readout.js
var REPLAYED = [
	"replayed",
	"This run was recorded in Python and is shown as it was; it is computed anew when you change anything."
];
var EXACT = ["exact arithmetic", "The numbers are short decimals and are computed without any rounding."];
var ROUNDED = ["rounded arithmetic", "Numbers are rounded to 53 bits: a tie on paper may not be one here."];
function sentence() {
	const words = h("p.rb-words", { "aria-live": "polite" });
	const why = h("p.rb-why");
	const el = h("div.rb-sentence", words, why);
	const update = (view) => {
		say(words, stepInWords(view));
		const reason = whyThisOne(view);
		say(why, reason ? `Why this one: ${reason}.` : "");
	};
	return { part: "words", el, update };
}
function notice(app) {
	const el = h("p.rb-notice", { role: "status" });
	return { el, update: () => say(el, app.ui.notice) };
}
function verdictPanel(app) {
	const head = h("h2"), body = h("p"), end = h("p.rb-end");
	const badge = h("span.rb-badge");
	const meter = h("div.rb-meter", { role: "img" }, h("span"));
	const said = h("p.rb-bound");
	const numbers = h("dl.rb-numbers");
	const el = h(
		"section.rb-verdict",
		{ "aria-label": "Verdict" },
		h("div.rb-verdict-head", head, badge),
		body,
		end,
		said,
		meter,
		numbers
	);
	const update = (view) => {
		const { run, t, k, margins, state, w, answer } = view;
		const words = verdictInWords(view);
		say(head, words.head);
		say(body, words.body);
		say(end, run.n ? endInWords(view) : "");
		el.dataset.verdict = view.verdict ? view.verdict.separable ? "yes" : "no" : "none";
		const [arithmetic, why] = view.replayed ? REPLAYED : view.exact ? EXACT : ROUNDED;
		say(badge, arithmetic);
		badge.title = why;
		drawBound(view, said, meter);
		const line2 = answer.line;
		const wrong = margins.filter((m) => m <= 0).length;
		const row = (name, value) => h("div", h("dt", name), h("dd", value));
		fill(numbers, [
			row("Examples shown", fmt(t)),
			row("Pass", t ? fmt(run.pass[t - 1]) : "–"),
			row("Updates", fmt(k)),
			row("Mistakes now", `${wrong} of ${run.n}`),
			!run.dual && row("w", tuple(w.slice(0, 2))),
			!run.dual && state.bias && row("b", fmt(w[2])),
			!run.dual && row(state.bias ? "‖(w, b)‖" : "‖w‖", fmt(Math.hypot(...w))),
			line2 && state.memory !== "last" && row(`${TEXT.memories[state.memory]} line`, lineEquation(line2)),
			line2 && row("Smallest margin", fmt(smallestMargin(answerMargins(view), line2)))
		]);
	};
	return { part: "verdict", el, update };
}
var answerMargins = ({ state, margins, X, y, answer }) => state.memory === "last" ? margins : y.map((label2, i) => label2 * answer.score(...X[i]));
function drawBound({ bound: bound2, boundReason, k, run, state }, said, meter) {
	meter.hidden = bound2 === null;
	said.classList.toggle("rb-grey", bound2 === null);
	if (bound2 === null) {
		said.textContent = run.n ? `No bound on the updates: ${boundReason}.` : "";
		return;
	}
	const { most, value } = bound2, from = state.start.some((v) => v !== 0), formula = from ? "from this start" : state.margin > 0 ? "(R² + 2β/r)/γ²" : "(R/γ)²";
	said.textContent = `${fmt(k)} of at most ${fmt(most)} updates: ${formula} = ${fmt(value)}`;
	const bar = meter.firstElementChild;
	bar.style.width = `${most ? Math.min(100, 100 * k / most) : 0}%`;
	meter.setAttribute("aria-label", `${k} of at most ${most} updates`);
}

// src/panels/settings.js
function settings(app) {
	const set = (patch) => app.set({ ...patch, step: 0 });
	const typed = (key, name, take = (value) => set({ [key]: value })) => numberInput(
		(value, text) => {
			const [low, high] = RANGES[key], whole3 = WHOLE.includes(key);
			if (value >= low && value <= high && !(whole3 && !Number.isInteger(value))) return take(value);
			const kind = whole3 ? "whole number" : "number";
			app.notify(`${name} “${text.slice(0, 20)}” is not a ${kind} from ${low} to ${high}; it stays as it was.`);
		},
		{ class: "rb-short" }
	);
	const pairs = (table3) => Object.entries(table3);
	const variant = select(pairs(TEXT.variants), (v) => set(VARIANTS[v]));
	const order = select(pairs(TEXT.orders), (v) => {
		app.ui.tool = v === "manual" ? "show" : app.ui.tool === "show" ? "plus" : app.ui.tool;
		set({ order: v, picks: [] });
	});
	const seed = typed("seed", "Seed");
	const again = button("↻", "Draw another seed", () => set({ seed: app.state.seed + 1 }), { class: "rb-icon" });
	const rate = typed("rate", "Rate"), margin = typed("margin", "Margin");
	const ties = select(pairs(TEXT.ties), (v) => set({ ties: v }));
	const bias = check("Offset *b*", app.id("bias"), (on) => set({ bias: on }));
	bias.row.title = TEXT.hints.bias;
	const starts = ["first weight", "second weight", "bias"].map((name, j) => {
		const input = typed("start", "Start", (v) => set({ start: app.state.start.map((s2, i) => i === j ? v : s2) }));
		assign(input, { "aria-label": `Start, ${name}`, id: app.id(`start${j}`) });
		return input;
	});
	const kernel = select(pairs(TEXT.kernels), (v) => set({ kernel: v }));
	const { pocket, ...ofKernels } = TEXT.memories;
	const memory = select(pairs(ofKernels), (v) => set({ memory: v }));
	const degree = typed("degree", "Degree"), gamma = typed("gamma", "γ");
	const formula = h("p.rb-formula");
	const seedField = h("div.rb-pair", field("Seed", seed, app.id("seed"), TEXT.hints.seed), again);
	const kernelFields = [
		field("Kernel", kernel, app.id("kernel")),
		field("Answers by", memory, app.id("memory")),
		field("Degree", degree, app.id("degree")),
		field("γ~K~", gamma, app.id("gamma"), TEXT.hints.gamma),
		formula
	];
	const startGroup = h(
		"fieldset.rb-start",
		{ title: TEXT.hints.start },
		h("legend", prose("Start *w*₀")),
		starts,
		button("Zero", "Start from zero", () => set({ start: [0, 0, 0] })),
		button("Random", "A random start", () => set({ start: randomStart(app) }))
	);
	const orderField = field("Order", order, app.id("order")), tiesField = field("Ties", ties, app.id("ties"), TEXT.hints.ties);
	const rateField = field("Rate *r*", rate, app.id("rate"), TEXT.hints.rate), marginField = field("Margin", margin, app.id("margin"), TEXT.hints.margin);
	const el = h(
		"section.rb-settings",
		{ "aria-label": "Settings" },
		field("Perceptron", variant, app.id("variant")),
		...kernelFields,
		orderField,
		seedField,
		rateField,
		marginField,
		tiesField,
		startGroup,
		bias.row
	);
	const update = ({ state }) => {
		const dual2 = state.kernel !== "none";
		show(variant, variantOf(state));
		show(order, state.order);
		show(ties, state.ties);
		show(kernel, dual2 ? state.kernel : "rbf");
		show(memory, state.memory);
		for (const [node, value] of [
			[seed, state.seed],
			[rate, state.rate],
			[margin, state.margin],
			[degree, state.degree],
			[gamma, state.gamma],
			...starts.map((s2, j) => [s2, state.start[j]])
		])
			show(node, String(value));
		bias.box.checked = state.bias;
		kernelFields.forEach((f) => f.hidden = !dual2);
		kernelFields[2].hidden = state.kernel !== "poly";
		kernelFields[3].hidden = !isLifted(state);
		const chosen = kernelOf(state);
		formula.textContent = chosen ? kernelFormula(chosen) : "";
		seedField.hidden = !DRAWN.includes(state.order);
		startGroup.hidden = dual2;
		starts[2].hidden = !state.bias;
		tiesField.hidden = state.margin > 0;
	};
	return { part: "settings", el, update };
}
function randomStart(app) {
	const { start, seed, bias } = app.state;
	const g = new Generator(seed + Math.round(1e3 * Math.abs(start[0] + 7 * start[1] + 13 * start[2])) + 1);
	const draw = () => Math.round(10 * g.normal() * 1.5) / 10 + 0;
	return [draw(), draw(), bias ? draw() : 0];
}

// src/trace.js
var SCHEMA = "rosenblatt.trace/1";
function fromTrace(doc) {
	const fail = (problem2) => ({ state: null, run: null, problem: problem2 });
	if (doc?.schema !== SCHEMA) return fail(`This is not a trace of schema ${SCHEMA}.`);
	const { data, settings: settings2, steps, updates, start } = doc;
	const d = data?.X?.[0]?.length ?? 0;
	if (d !== 1 && d !== 2) return fail(`The trace has ${d} features; the lab draws two.`);
	if (data.classes.length !== 2) return fail(`The trace has ${data.classes.length} classes; the lab draws two.`);
	const sign2 = (label2) => label2 === data.classes[1] ? 1 : -1;
	const points = data.X.map((x, i) => [x[0], x[1] ?? 0, sign2(data.y[i])]);
	const problem = problemWith(points);
	if (problem) return fail(`The trace cannot be shown. ${problem}`);
	const w0 = [start.w[0][0], start.w[0][1] ?? 0, start.b[0]];
	const classes = data.classes.every((c) => typeof c === "string") ? data.classes : [];
	const state = cleanState({ ...settings2, points, classes, columns: data.names, start: w0 });
	const X = state.points.map(([a, b]) => [a, b]), y = state.points.map((p) => p[2]);
	const run = learn(X, y, { ...settings2, start: w0, maxPasses: 0 });
	replay(run, steps, updates, doc.result);
	return { state, run, problem: "" };
}
function replay(run, steps, updates, result) {
	const taken = Math.min(updates.step.length, LIMITS.steps);
	for (let u = 0; u < taken; u++) {
		const [step, row, tau, m] = [updates.step[u], updates.row[u], updates.tau[u], updates.m[u]];
		if (!(row >= 0 && row < run.n)) break;
		run.journal.push({ step, row, tau, m });
		run.f.add(row, tau);
		run.vectors.push(run.f.vector());
	}
	let k = 0;
	for (let t = 0; t < Math.min(steps.row.length, LIMITS.steps); t++) {
		while (k < run.updates && run.journal[k].step <= t) k++;
		run.row.push(steps.row[t]);
		run.m.push(steps.m[t]);
		run.after.push(k);
		run.pass.push(steps.pass[t] + 1);
		if (steps.m[t] <= 0) run.mistakes++;
	}
	run.updatesPerPass = result.updates_per_pass;
	run.converged = result.converged;
	run.stoppedBy = result.stopped_by;
	run.replayed = true;
}
function passLimit({ updatesPerPass: { length }, stoppedBy }) {
	return stoppedBy === "max_passes" ? length : Math.max(length, LIMITS.passes);
}
function toTrace(view) {
	const { run, X, y, exact, verdict } = view, { margin, rate, bias, order, seed, memory, ties } = view.state;
	if (run.dual) return null;
	const text = (v) => String(v + 0);
	const taus = run.row.map((_, t) => run.moved(t + 1) ? run.journal[run.updatesAt(t + 1) - 1].tau : 0);
	const every = (name) => run.journal.map((u) => u[name]), rival = run.journal.map(() => -1);
	const start = run.vector(0);
	const model = modelOf(view);
	const doc = {
		schema: SCHEMA,
		what: "steps",
		exact,
		settings: {
			margin,
			rate,
			bias,
			order: order === "manual" ? "cyclic" : order,
			seed,
			memory,
			ties,
			multiclass: "ovr",
			max_passes: passLimit(run),
			max_updates: null,
			max_seconds: null,
			weights: null
		},
		data: { X, y, classes: [-1, 1], names: ["x1", "x2"] },
		start: { w: [start.slice(0, 2)], b: [start[2]] },
		steps: { pass: run.pass.map((p) => p - 1), row: run.row, m: run.m, tau: taus },
		updates: { step: every("step"), row: every("row"), tau: every("tau"), m: every("m"), rival },
		result: {
			converged: run.converged,
			stopped_by: run.stoppedBy,
			n_steps: run.steps,
			n_passes: run.updatesPerPass.length,
			n_updates: run.updates,
			n_mistakes: run.mistakes,
			updates_per_pass: run.updatesPerPass
		},
		model: { memory, ...parted(model.w), errors: model.errors },
		best: verdict?.u ? { ...parted(verdict.u), gamma: verdict.gamma, R: verdict.R } : null,
		cycle: null,
		ties: [],
		numbers: null
	};
	if (exact) {
		doc.numbers = {
			settings: { margin: text(margin), rate: text(rate) },
			data: { X: X.map((x) => x.map(text)) },
			start: { w: [start.slice(0, 2).map(text)], b: [text(start[2])] },
			steps: { m: run.m.map(text), tau: taus.map(text) },
			updates: { m: every("m").map(text), tau: every("tau").map(text) },
			model: parted(model.exact)
		};
	}
	return doc;
}
var parted = (v) => ({ w: v && v.slice(0, 2), b: v && v[2] });
function modelOf({ run, state }) {
	if (state.memory === "vote") return { w: null, exact: null, errors: null };
	if (state.memory === "average" && run.steps > 0) {
		const count2 = run.survival(run.steps), unit = [run.unit.w, run.unit.w, run.unit.b];
		const sum = [0, 1, 2].map((j) => count2.reduce((total, c, k) => total + c * run.vectors[k][j], 0));
		const exact = sum.every(Number.isSafeInteger) ? sum.map((v, j) => toText(rational(BigInt(v), BigInt(run.steps * unit[j])))) : null;
		return { w: run.average(run.steps), exact, errors: null };
	}
	const pocket = state.memory === "pocket" ? run.pocket(run.updates) : null;
	const w = run.vector(pocket ? pocket.k : run.updates);
	return { w, exact: w.map((v) => String(v + 0)), errors: pocket ? pocket.errors : null };
}

// src/copy.js
var JUDGED = 2e5;
function argumentsOf({ state, run, exact }) {
	const { margin, rate, bias, start, order, seed, memory, ties } = state, limit = passLimit(run);
	const out = [];
	const add = (needed, name, value) => {
		if (needed) out.push([name, String(value)]);
	};
	add(margin !== 0, "margin", margin);
	add(rate !== 1, "rate", rate);
	add(!bias, "bias", "False");
	add(start.some(Boolean), "start", `([${start[0]}, ${start[1]}], ${start[2]})`);
	add(order !== "cyclic" && order !== "manual", "order", `"${order}"`);
	add(DRAWN.includes(order) && seed > 0, "seed", seed);
	add(memory !== "last", "memory", `"${memory}"`);
	add(ties !== "mistake", "ties", `"${ties}"`);
	add(limit !== LIMITS.passes, "max_passes", limit);
	add(run.stoppedBy === "max_updates", "max_updates", run.updates);
	if (run.replayed || state.kernel !== "none") return out;
	const whole3 = [...state.points.flat(), rate, margin, ...start].every(Number.isInteger);
	if (!exact) add(true, "exact", "False");
	else add(!whole3 && 2 * run.n * run.updates > JUDGED, "exact", "True");
	return out;
}
function asPython(view) {
	const { X, y, state } = view;
	const data = `X = [${X.map((x) => `[${x.join(", ")}]`).join(", ")}]
y = [${y.join(", ")}]
`;
	if (state.kernel === "none") {
		const rest2 = argumentsOf(view).map(([name, value]) => `, ${name}=${value}`).join("");
		const note2 = state.order === "manual" ? "# the examples chosen by hand are not repeated; this shows them in order\n" : "";
		return `from rosenblatt import trace

${data}${note2}run = trace(X, y${rest2})
print(run)
`;
	}
	const memory = { last: "", average: ', memory="averaged"', vote: ', memory="voted"', pocket: "" }[state.memory];
	const shape = state.kernel === "linear" ? "" : `, gamma=${state.gamma}${state.kernel === "poly" ? `, degree=${state.degree}, coef0=${state.coef0}` : ""}`;
	const limit = passLimit(view.run);
	const rest = [
		state.margin ? `, margin=${state.margin}` : "",
		state.rate !== 1 ? `, eta0=${state.rate}` : "",
		state.bias ? "" : ", fit_intercept=False",
		state.order === "shuffle" ? `, random_state=${state.seed}` : ", shuffle=False",
		limit === LIMITS.passes ? "" : `, max_iter=${limit}`
	].join("");
	const note = ["cyclic", "shuffle"].includes(state.order) ? "" : "# this order is the lab's own; the estimator shows the examples as given\n";
	return `from rosenblatt import KernelPerceptron

${data}${note}model = KernelPerceptron(kernel="${state.kernel}"${shape}${memory}${rest}).fit(X, y)
print(model.n_updates_)
`;
}
function asCommand(view) {
	const { state } = view;
	const flags = argumentsOf(view).filter(([name]) => name !== "memory").map(([name, value]) => {
		if (name === "bias") return "--no-bias";
		if (name === "exact") return value === "True" ? "--exact" : "--float";
		if (name === "start")
			return `--start="${state.start.slice(0, 2).join(",")}${state.start[2] ? `;${state.start[2]}` : ""}"`;
		return `--${name.replace("_", "-")} ${value.replace(/"/g, "")}`;
	});
	const variant = { last: "", average: "--variant averaged", vote: "--variant voted", pocket: "--variant pocket" }[state.memory];
	const kernel = state.kernel === "none" ? "" : `--kernel ${state.kernel}${state.kernel === "linear" ? "" : `:${state.gamma}`}${state.kernel === "poly" ? `:${state.degree}:${state.coef0}` : ""}`;
	const asGiven = kernel && ["cyclic", "manual"].includes(state.order) && "--order cyclic";
	const words = [
		"rosenblatt",
		kernel ? "fit" : "trace",
		"examples.csv",
		"--target y",
		kernel,
		variant,
		asGiven,
		...flags
	].filter(Boolean).join(" ");
	return `cat > examples.csv <<'END'
${toCsv(state.points)}END
${words}
`;
}
function stepRows({ run, t, X, y, state }) {
	const rows = [];
	for (let s2 = 1; s2 <= Math.min(t, 200); s2++) {
		const i = run.row[s2 - 1], after = run.vector(run.updatesAt(s2));
		const moved = run.moved(s2), shown = run.dual ? `α${i + 1} = ${fmt(run.alpha(run.updatesAt(s2))[i])}` : tuple(after.slice(0, state.bias ? 3 : 2));
		const numbers = [s2, run.pass[s2 - 1], i + 1].map(String);
		rows.push([...numbers, tuple(X[i]), label(y[i]), fmt(run.m[s2 - 1]), moved ? shown : ""]);
	}
	return rows;
}
var heads = ({ run, state }) => [
	"step",
	"pass",
	"i",
	"x",
	"y",
	run.dual ? "y f(x)" : state.bias ? "y(w·x + b)" : "y(w·x)",
	run.dual ? "α" : state.bias ? "(w, b) after" : "w after"
];
function asMarkdown(view) {
	const line2 = (cells) => `| ${cells.join(" | ")} |`;
	const head = heads(view);
	return [line2(head), line2(head.map(() => "---")), ...stepRows(view).map(line2)].join("\n") + "\n";
}
function asLatex(view) {
	const math = (text) => {
		const set = text.replace(/−/g, "-").replace(/·/g, " \\cdot ").replace(/∞/g, "\\infty");
		return set && `$${set.replace(/α(\d+)/g, "\\alpha_{$1}").replace("α", "\\alpha")}$`;
	};
	const head = heads(view).map(
		(t) => ["step", "pass"].includes(t) ? t : t.endsWith("after") ? `${math(t.replace(" after", ""))} after` : math(t)
	);
	const rows = stepRows(view).map((cells) => `  ${cells.map((c, j) => j < 3 ? c : math(c)).join(" & ")} \\\\`);
	const rule = "  \\hline";
	const lines = [rule, `  ${head.join(" & ")} \\\\`, rule, ...rows, rule];
	return ["\\begin{tabular}{rrrlrrl}", ...lines, "\\end{tabular}", ""].join("\n");
}
function asTrace(view) {
	const doc = toTrace(view);
	return doc ? JSON.stringify(doc) : "The trace format holds linear machines; this one has a kernel.";
}

// src/export.js
var STYLES = "fill fill-opacity stroke stroke-width stroke-dasharray stroke-linecap stroke-opacity opacity font-family font-size font-style font-weight visibility paint-order stroke-linejoin".split(
	" "
);
function figureSvg(app) {
	const source = app.el.querySelector(".rb-figure");
	const copy = source.cloneNode(true);
	const from = [...source.querySelectorAll("*")], to = [...copy.querySelectorAll("*")];
	from.forEach((node, i) => {
		const style = getComputedStyle(node);
		if (style.display === "none" || node.classList.contains("rb-none")) to[i].setAttribute("visibility", "hidden");
		for (const name of STYLES) to[i].setAttribute(name, style.getPropertyValue(name));
		to[i].removeAttribute("class");
	});
	for (const name of ["tabindex", "role", "aria-roledescription", "aria-describedby", "class", "data-tool"])
		copy.removeAttribute(name);
	const [, , width, height] = (copy.getAttribute("viewBox") ?? "0 0 640 560").split(" ");
	copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
	copy.setAttribute("width", width);
	copy.setAttribute("height", height);
	const canvas = app.el.querySelector(".rb-regions");
	if (!canvas.hidden)
		copy.prepend(s("image", { href: canvas.toDataURL(), width, height, preserveAspectRatio: "none" }));
	copy.prepend(
		s("rect", { width, height, fill: getComputedStyle(app.el).getPropertyValue("--rb-paper").trim() || "#fff" })
	);
	return new XMLSerializer().serializeToString(copy);
}
function figurePng(app) {
	const url = URL.createObjectURL(new Blob([figureSvg(app)], { type: "image/svg+xml" }));
	return new Promise((resolve2, reject) => {
		const image = new Image();
		image.onload = () => {
			const canvas = document.createElement("canvas");
			[canvas.width, canvas.height] = [image.width * 2, image.height * 2];
			canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
			URL.revokeObjectURL(url);
			canvas.toBlob((blob) => blob ? resolve2(blob) : reject(new Error("the figure could not be drawn")), "image/png");
		};
		image.onerror = () => reject(new Error("the figure could not be read"));
		image.src = url;
	});
}
var base64 = async (text) => {
	const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
	return btoa(String.fromCharCode(...new Uint8Array(hash)));
};
async function standalone(app) {
	const { script, style } = await app.model.get("source")();
	const policy = `default-src 'none'; script-src 'sha256-${await base64(script)}'; style-src 'sha256-${await base64(style)}'; img-src data: blob:; base-uri 'none'; form-action 'none'`;
	const state = JSON.stringify({ hash: toHash(app.state) }).replace(/</g, "\\u003c");
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Perceptron Lab</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<main id="rb-page"></main>
<script type="application/json" id="rb-values">${state}<\/script>
<script type="module">${script}<\/script>
</body>
</html>
`;
}
function download(content, name, type = "text/plain") {
	const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
	const link = document.createElement("a");
	[link.href, link.download] = [url, name];
	link.click();
	setTimeout(() => URL.revokeObjectURL(url), 1e4);
}

// src/panels/share.js
var FORMS = {
	python: ["Python", asPython],
	command: ["Command line", asCommand],
	latex: ["LaTeX table", asLatex],
	markdown: ["Markdown table", asMarkdown],
	trace: ["Trace (JSON)", asTrace]
};
function share(app) {
	const link = h("input.rb-link", { type: "text", readonly: true });
	const form = select(
		Object.entries(FORMS).map(([key, [name]]) => [key, name]),
		() => app.refresh()
	);
	const text = h("textarea.rb-code", {
		readonly: true,
		rows: 9,
		"aria-label": "The run as text",
		spellcheck: "false"
	});
	const copy = async (node, what) => {
		node.select();
		try {
			await navigator.clipboard.writeText(node.value);
			app.notify(`${what} copied.`);
		} catch {
			app.notify(`${what} is selected: press Ctrl+C to copy it.`);
		}
	};
	const boxes = Object.entries(TEXT.parts).filter(([name]) => name !== "share").map(([name, text2]) => ({ name, ...check(text2, app.id(`hide-${name}`), () => show(link, address())) }));
	const address = () => {
		const hide = boxes.filter(({ box }) => box.checked).map(({ name }) => name);
		return `${app.model.get("address") ?? ""}#${toHash({ ...app.state, hide })}`;
	};
	const page = button(
		"HTML page",
		"The lab with this state, as one file",
		() => standalone(app).then(
			(text2) => download(text2, "perceptron-lab.html", "text/html"),
			() => app.notify('This page cannot read its own source; in Python use save("lab.html").')
		)
	);
	const files = h(
		"div.rb-row",
		button("SVG", "The figure as SVG", () => download(figureSvg(app), "perceptron.svg", "image/svg+xml")),
		button(
			"PNG",
			"The figure as PNG",
			() => figurePng(app).then(
				(png) => download(png, "perceptron.png"),
				(problem) => app.notify(`No PNG: ${problem.message}.`)
			)
		),
		button("CSV", "The examples as CSV", () => download(toCsv(app.state.points), "examples.csv", "text/csv")),
		page
	);
	const el = h(
		"div.rb-share",
		h("h3", "A link to this state"),
		h(
			"div.rb-row",
			field("Address", link, app.id("link")),
			button("Copy", "Copy the link", () => copy(link, "The link"))
		),
		h(
			"details",
			h("summary", "Hide parts of it from the reader"),
			h(
				"div.rb-checks",
				boxes.map((b) => b.row)
			)
		),
		h("h3", "The run as text"),
		h(
			"div.rb-row",
			field("Form", form, app.id("form")),
			button("Copy", "Copy the text", () => copy(text, "The text"))
		),
		text,
		h("h3", "Files"),
		files
	);
	const update = (view) => {
		if (view.state.tab !== "share") return;
		show(link, address());
		say(text, FORMS[form.value][1](view));
		page.hidden = typeof app.model.get("source") !== "function";
	};
	return { el, update };
}

// src/panels/study.js
var MOST_STEPS = 2e4;
function study(app) {
	const result = h("div");
	let made = null;
	const runs = select(
		["50", "200", "1000"].map((n) => [n, `${n} orders`]),
		() => void 0
	);
	runs.value = "200";
	const keyOf = (state) => JSON.stringify([state.points, { ...cleanSettings(state), order: "", seed: 0 }]);
	const start = button(
		"Run the study",
		"Run the study",
		() => {
			const { state, X, y } = app.view(), n = Number(runs.value);
			const list2 = Array.from({ length: X.length ? n : 0 }, (_, seed) => {
				const { run } = runOf(X, y, { ...cleanSettings(state), order: "shuffle", seed }, [], MOST_STEPS);
				return { seed, updates: run.updates, passes: run.updatesPerPass.length, converged: run.converged };
			});
			made = { key: keyOf(state), runs: list2 };
			app.refresh();
		},
		{ class: "rb-primary" }
	);
	const el = h(
		"div",
		h(
			"p",
			"The number of updates depends on the order of the examples; the bound does not. Click a bar to load one of its runs."
		),
		h("div.rb-row", field("How many", runs, app.id("runs")), start),
		result
	);
	const update = (view) => {
		if (!made || made.key !== keyOf(view.state))
			return fill(result, made ? [h("p.rb-grey", "The data or settings have changed since the last study.")] : []);
		const stopped = made.runs.filter((r) => r.converged), lost = made.runs.length - stopped.length;
		if (!stopped.length)
			return fill(result, [h("p.rb-grey", `None of ${made.runs.length} orders reached a clean pass.`)]);
		const updates = stopped.map((r) => r.updates), sorted = [...updates].sort((a, b) => a - b);
		const quantile = (q) => sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))];
		const mean = updates.reduce((a, b) => a + b, 0) / updates.length;
		const shuffled = view.state.order === "shuffle";
		return fill(result, [
			h("h3", `Updates until a clean pass, in ${count(stopped.length, "random order")}`),
			histogram(
				bins(updates),
				(member) => app.set({ order: "shuffle", seed: stopped[member].seed, step: 0 }),
				(from, to) => shuffled && view.run.updates >= from && view.run.updates <= to
			),
			h(
				"p",
				`Mean ${fmt(mean, 3)}, median ${fmt(quantile(0.5))}, 5–95 % ${fmt(quantile(0.05))}–${fmt(quantile(0.95))}, least ${fmt(sorted[0])}, most ${fmt(sorted[sorted.length - 1])}${view.bound === null ? "" : `; the bound is ${fmt(view.bound.most)}`}.${lost ? ` ${count(lost, "run")} did not converge.` : ""}`
			)
		]);
	};
	return { el, update };
}

// src/panels/tools.js
function tools(app) {
	const buttons = Object.entries(TEXT.tools).map(([name, [text, hint]]) => {
		const press2 = () => {
			app.ui.tool = name;
			app.select(null);
		};
		return button(text, hint, press2, { "data-tool": name, class: `rb-tool rb-tool-${name}`, "aria-label": text });
	});
	const snap = select(
		SNAPS.map((s2) => [String(s2), s2 === 0 ? "no grid" : `grid ${s2}`]),
		(v) => app.set({ snap: Number(v) })
	);
	assign(snap, { id: app.id("snap"), "aria-label": "Snap to grid" });
	const boxes = Object.entries(TEXT.layers).map(([name, text]) => {
		const change = (on) => {
			const others = app.state.layers.filter((layer) => layer !== name);
			app.set({ layers: on ? [...others, name] : others });
		};
		return { name, ...check(text, app.id(`layer-${name}`), change) };
	});
	const layers = h(
		"details.rb-layers",
		h("summary", "Layers"),
		h(
			"div.rb-popover",
			boxes.map((b) => b.row)
		)
	);
	const undo = button("Undo", "Undo (Ctrl+Z)", () => app.store.undo()), redo = button("Redo", "Redo (Ctrl+Shift+Z)", () => app.store.redo());
	const el = h(
		"div.rb-tools",
		{ role: "toolbar", "aria-label": "Figure tools" },
		h("div.rb-group", buttons),
		snap,
		layers,
		h("span.rb-space"),
		h("div.rb-group", undo, redo)
	);
	const update = ({ state }) => {
		for (const node of buttons) {
			const { tool = "" } = node.dataset, side = { plus: 1, minus: -1 }[tool];
			assign(node, { "aria-pressed": String(tool === app.ui.tool) });
			if (tool === "show") node.hidden = state.order !== "manual";
			if (!side) continue;
			const text = named(side, state.classes);
			say(node, text);
			assign(node, { "aria-label": `Place ${text}` });
		}
		show(snap, String(state.snap));
		boxes.forEach(({ name, box }) => box.checked = state.layers.includes(name));
		undo.disabled = !app.store.canUndo();
		redo.disabled = !app.store.canRedo();
	};
	return { part: "tools", el, update };
}

// src/panels/transport.js
var ICONS = {
	start: "M4 4v12M16 4l-9 6 9 6z",
	backMistake: "M11 4l-7 6 7 6zM17 4l-6 6 6 6z",
	back: "M13 4l-8 6 8 6z",
	play: "M6 3.5l11 6.5-11 6.5z",
	pause: "M6 4h3v12H6zM12 4h3v12h-3z",
	step: "M7 4l8 6-8 6z",
	mistake: "M3 4l6 6-6 6zM9 4l7 6-7 6z",
	end: "M16 4v12M4 4l9 6-9 6z"
};
var icon = (d) => s("svg.rb-glyph", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d }));
function transport(app) {
	const iconButton = (name, label2, press2, text = "") => {
		const node = button("", label2, press2, {
			class: text ? "rb-worded" : "rb-icon",
			"aria-label": label2.replace(/ \(.*/, "")
		});
		node.append(icon(ICONS[name]));
		if (text) node.append(h("span", { "aria-hidden": "true" }, text));
		return node;
	};
	const first = iconButton("start", "To the start (Home)", () => app.go(0));
	const backMistake = iconButton("backMistake", "Previous mistake (Shift+←)", () => app.mistake(-1));
	const back = iconButton("back", "Back one step (←)", () => app.step(-1));
	const play = iconButton("play", "Play (Space)", () => app.play());
	const step = iconButton("step", "Step (→)", () => app.step(1), "Step");
	const mistake = iconButton("mistake", "Next mistake (Shift+→)", () => app.mistake(1), "Mistake");
	const pass = iconButton("end", "To the end of the pass (Page Down)", () => app.pass(1), "Pass");
	const last = iconButton("end", "To the end (End)", () => app.go(app.view().run.steps));
	const speed = select(
		Object.entries({ 1: "slow", 2: "walking", 6: "fast", 30: "very fast" }),
		(v) => app.ui.speed = Number(v)
	);
	assign(speed, { id: app.id("speed"), "aria-label": "Speed" });
	const el = h(
		"div.rb-transport",
		{ role: "toolbar", "aria-label": "Time" },
		h("div.rb-group", first, backMistake, back),
		play,
		h("div.rb-group", step, mistake, pass, last),
		speed
	);
	app.hear("keydown", (event) => keys2(app, event));
	const update = ({ t, run, state }) => {
		[first, backMistake, back].forEach((b) => b.disabled = t === 0);
		[step, mistake, pass, last].forEach((b) => b.disabled = t >= run.steps);
		play.disabled = run.steps === 0;
		assign(play, { "aria-label": app.ui.playing ? "Pause" : "Play", "aria-pressed": String(app.ui.playing) });
		play.querySelector("path")?.setAttribute("d", app.ui.playing ? ICONS.pause : ICONS.play);
		show(speed, String(app.ui.speed));
	};
	return { part: "transport", el, update };
}
function keys2(app, event) {
	const target = event.composedPath()[0];
	const typing = target.matches("input:not([type=checkbox], [type=range]), textarea, select"), control = event.ctrlKey || event.metaKey;
	if (control && event.key.toLowerCase() === "z" && !typing) {
		event.shiftKey ? app.store.redo() : app.store.undo();
		event.preventDefault();
		return;
	}
	if (typing || control || event.altKey) return;
	const pressed = target.matches("button, summary, input");
	if (target.getAttribute("role") === "tab" && event.key.startsWith("Arrow")) return;
	const act = {
		ArrowRight: () => event.shiftKey ? app.mistake(1) : app.step(1),
		ArrowLeft: () => event.shiftKey ? app.mistake(-1) : app.step(-1),
		Home: () => app.go(0),
		End: () => app.go(app.view().run.steps),
		PageDown: () => app.pass(1),
		PageUp: () => app.pass(-1),
		" ": pressed ? void 0 : () => app.play()
	}[event.key];
	if (!act) return;
	act();
	event.preventDefault();
	event.stopPropagation();
}

// src/plot/regions.js
function sample(scale, score, pixels) {
	const columns = Math.ceil(scale.width / pixels) + 1, rows = Math.ceil(scale.height / pixels) + 1;
	const values = new Float64Array(columns * rows);
	for (let r = 0; r < rows; r++) {
		for (let c = 0; c < columns; c++) {
			const [a, b] = toPlane(scale, c * scale.width / (columns - 1), r * scale.height / (rows - 1));
			values[r * columns + c] = score(a, b);
		}
	}
	return { columns, rows, values };
}
function paint(canvas, field2, [plus2, minus2]) {
	const context = canvas.getContext("2d");
	if (!context) return;
	const { columns, rows, values } = field2;
	canvas.width = columns;
	canvas.height = rows;
	let size = 0;
	for (const v of values) size = Math.max(size, Math.abs(v));
	const image = context.createImageData(columns, rows);
	values.forEach((v, i) => {
		const colour = v >= 0 ? plus2 : minus2, strength = size ? Math.min(1, 3 * Math.abs(v) / size) : 0;
		image.data.set([colour[0], colour[1], colour[2], size ? 26 + 46 * strength : 0], 4 * i);
	});
	context.putImageData(image, 0, 0);
}
function contour(scale, { columns, rows, values }, score) {
	const dx = scale.width / (columns - 1), dy = scale.height / (rows - 1);
	const corners2 = [
		[0, 0],
		[1, 0],
		[1, 1],
		[0, 1]
	];
	const jump = (from, to, side, f) => {
		let [low, high] = [0, 1];
		for (let round2 = 0; round2 < 7; round2++) {
			const middle = (low + high) / 2, [c, r] = between(from, to, middle);
			if (f(...toPlane(scale, c * dx, r * dy)) >= 0 === side) low = middle;
			else high = middle;
		}
		return (low + high) / 2;
	};
	let d = "";
	for (let r = 0; r < rows - 1; r++) {
		for (let c = 0; c < columns - 1; c++) {
			const v = [
				values[r * columns + c],
				values[r * columns + c + 1],
				values[(r + 1) * columns + c + 1],
				values[(r + 1) * columns + c]
			];
			const cuts = [];
			for (let e = 0; e < 4; e++) {
				const p = v[e], q = v[(e + 1) % 4];
				if (p >= 0 === q >= 0) continue;
				const [from, to] = [corners2[e], corners2[(e + 1) % 4]].map(([a, b]) => [c + a, r + b]);
				cuts.push(between(from, to, score ? jump(from, to, p >= 0, score) : p / (p - q)));
			}
			for (let i = 0; i + 1 < cuts.length; i += 2) {
				d += path(cuts.slice(i, i + 2).map(([a, b]) => [a * dx, b * dy]));
			}
		}
	}
	return d;
}
var between = (a, b, f) => [a[0] + f * (b[0] - a[0]), a[1] + f * (b[1] - a[1])];

// src/plot/figure.js
var TALL = 0.875;
var FLAT = 0.5;
var COLUMNS = 760;
var BELOW = 222;
function figure(app) {
	const canvas = h("canvas.rb-regions", { "aria-hidden": "true" });
	const layer = (name) => s("g", { class: name });
	const [under, grid, marks, points, over2] = ["rb-under", "rb-axes", "rb-marks", "rb-points", "rb-over"].map(layer);
	const svg = s(
		"svg.rb-figure",
		{ tabindex: 0, role: "application", "aria-roledescription": "figure", "aria-describedby": app.id("figure-words") },
		under,
		grid,
		marks,
		points,
		over2
	);
	const words = h("p.rb-hidden", { id: app.id("figure-words") });
	const el = h("div.rb-figure-box", canvas, svg, words);
	let size = [WIDTH, TALL * WIDTH];
	const geometry = { scale: fit(...size, [], 1, []), handle: null };
	let axesKey = "";
	const resized = () => {
		const now = sizeOf(app, el);
		if (now.join() !== size.join()) app.refresh();
		size = now;
	};
	const observer = new ResizeObserver(resized);
	observer.observe(el);
	addEventListener("resize", resized);
	app.endings.push(() => observer.disconnect());
	app.endings.push(() => removeEventListener("resize", resized));
	listenToPointer(app, svg, geometry);
	const update = (view) => {
		if (!app.ui.dragging) geometry.scale = scaleOf(view, size);
		const scale = geometry.scale;
		const { columns } = view.state, key = JSON.stringify([scale, columns]);
		if (key !== axesKey) fill(grid, axes(scale, columns));
		axesKey = key;
		const curved = view.answer.line === null;
		drawRegions(app, canvas, view, scale, under, curved);
		fill(marks, drawMarks(app, view, scale));
		drawPoints(app, points, view, scale);
		geometry.handle = handleOf(view, scale);
		fill(over2, [...vectors(app, view, scale), geometry.handle && startHandle(geometry.handle)]);
		assign(svg, {
			viewBox: `0 0 ${scale.width} ${scale.height}`,
			"aria-label": "Examples in the plane, and the line",
			"data-tool": app.ui.tool
		});
		const chosen = app.ui.selected === null ? "" : ` Example ${app.ui.selected + 1} is selected: arrow keys move it.`;
		words.textContent = `${figureInWords(view)}${chosen} Keys: N and P select examples, A adds one, plus and minus set its label, Delete removes it.`;
	};
	return { el, update };
}
function sizeOf(app, el) {
	const box = el.getBoundingClientRect(), width = Math.round(Math.min(WIDTH, Math.max(300, box.width)));
	const above = box.top - app.el.getBoundingClientRect().top, room = app.el.clientWidth < COLUMNS ? Infinity : (innerHeight - above - BELOW) / box.width;
	return [width, Math.round(width * Math.min(TALL, Math.max(FLAT, room)))];
}
function scaleOf({ X, run, state }, size) {
	if (run.dual || !state.layers.includes("w")) return fit(...size, X, 0, []);
	const tips = run.vectors.length > 200 ? run.vectors.filter((_, i) => i % Math.ceil(run.vectors.length / 200) === 0) : run.vectors;
	const shown = tips.map((v) => [v[0] / run.unit.w, v[1] / run.unit.w]);
	return fit(...size, X, Math.max(...shown.map((v) => Math.hypot(v[0], v[1]))), shown);
}
function drawRegions(app, canvas, view, scale, under, curved) {
	const on = view.state.layers.includes("regions");
	canvas.toggleAttribute("hidden", !(curved && on));
	if (!curved) {
		fill(under, on ? sides(scale, shownLine(app, view)) : []);
		return;
	}
	const cost = (view.run.dual ? view.alpha.filter((a) => a !== 0).length : 0) + view.k * (view.state.memory === "vote" ? 1 : 0);
	const field2 = sample(
		scale,
		view.answer.score,
		app.ui.dragging || app.ui.playing ? cost > 60 ? 16 : 10 : cost > 1500 ? 10 : 5
	);
	if (on) paint(canvas, field2, colours(app.el));
	fill(under, [s("path.rb-line.rb-curved", { d: contour(scale, field2, jumps(view.state, view.answer)) })]);
}
var jumps = (s2, h2) => s2.memory === "vote" ? h2.score : null;
function colours(el) {
	const style = getComputedStyle(el);
	const read = (name) => {
		const hex = style.getPropertyValue(name).trim();
		return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) || 0);
	};
	return [read("--rb-plus"), read("--rb-minus")];
}
function shownLine(app, view) {
	const { run, t, k, state } = view;
	if (app.ui.beat === 1 && !run.dual && state.memory === "last") return run.vector(Math.max(0, k - 1));
	if (app.ui.beat === 1 && t > 0) return hypothesis(state, view.X, view.y, run, t - 1).line ?? [0, 0, 0];
	return view.answer.line ?? [0, 0, 0];
}
function drawMarks(app, view, scale) {
	const { run, k, moved, state, verdict, answer } = view;
	const has = (name) => state.layers.includes(name);
	const out = [];
	if (has("certificate")) out.push(...obstacle2(scale, view));
	if (has("best") && verdict?.u)
		out.push(...band(scale, verdict.u, verdict.gamma, "rb-best-band"), ...line(scale, verdict.u, "rb-best"));
	out.push(...keptRuns(view, scale));
	const shown = shownLine(app, view);
	if (has("band")) {
		const least = Math.min(...view.margins);
		if (state.margin > 0) out.push(...band(scale, shown, state.margin, "rb-demanded"));
		if (answer.line && state.memory === "last" && least > 0 && app.ui.beat === 2)
			out.push(...band(scale, shown, least, "rb-band"));
	}
	const plain = !run.dual;
	if (plain && moved && app.ui.beat === 2 && state.memory === "last")
		out.push(...line(scale, run.vector(k - 1), "rb-line rb-ghost"));
	if (plain && state.memory !== "last") out.push(...line(scale, run.vector(k), "rb-line rb-last"));
	if (answer.line) out.push(...line(scale, shown, "rb-line"));
	return out;
}
function vectors(app, { run, k, X, y, row, moved, state }, scale) {
	if (run.dual || !state.layers.includes("w")) return [];
	const f = scale.arrow, tip = (at) => run.vector(at).slice(0, 2).map((v) => v * f);
	const scaled = `vectors drawn × ${fmt(f)}`, note = f === 1 ? [] : [svgText("rb-note", scale.width - 10, scale.height - 10, "end", scaled)];
	if (!moved || row === null) return [...arrow(scale, [0, 0], tip(k), "rb-w", "w"), ...note];
	const tau = run.journal[k - 1].tau, step = X[row].map((v) => v * y[row] * tau * f), old = tip(k - 1), now = tip(k);
	const first = app.ui.beat === 1, name = `${y[row] > 0 ? "+" : "−"}${tau === 1 ? "" : `${fmt(tau)} `}x${sub(row + 1)}`;
	const to = [old[0] + step[0], old[1] + step[1]], added = arrow(scale, old, to, `rb-step ${sideClass(y[row])}`, first ? name : "");
	const before = arrow(scale, [0, 0], old, first ? "rb-w" : "rb-w rb-old", first ? "w" : "");
	return [...before, ...added, ...first ? [] : arrow(scale, [0, 0], now, "rb-w", "w"), ...note];
}
var sub = (n) => String(n).replace(/\d/g, (d) => "₀₁₂₃₄₅₆₇₈₉"[Number(d)]);
function keptRuns({ state, X, y, t }, scale) {
	return state.pinned.flatMap((pin, i) => {
		const { run } = runOf(X, y, pin, state.picks, 2e4);
		const h2 = hypothesis(pin, X, y, run, Math.min(t, run.steps));
		const name = `rb-pin rb-pin-${i}`;
		if (!h2.line) return [s("path", { class: name, d: contour(scale, sample(scale, h2.score, 10), jumps(pin, h2)) })];
		return line(scale, h2.line, name);
	});
}
function drawPoints(app, group, view, scale) {
	const { X, y, margins, alpha, row, state } = view;
	while (group.childNodes.length > X.length) group.lastChild?.remove();
	while (group.childNodes.length < X.length) group.append(s("g", s("circle"), s("path"), s("path"), s("text")));
	const most = Math.max(1, ...alpha), sized = state.layers.includes("alpha"), numbers = state.layers.includes("numbers");
	const touching = new Set(state.layers.includes("best") ? view.verdict?.touching : []);
	const named2 = new Set([...touching, ...(view.verdict?.certificate ?? []).map((c) => c.row), app.ui.selected]);
	X.forEach((x, i) => {
		const [halo, ring2, shape, number2] = [...group.childNodes[i].childNodes];
		const px = toX(scale, x[0]), py = toY(scale, x[1]), r = (X.length > 100 ? 4.5 : 6.5) + (sized ? 6.5 * Math.sqrt(alpha[i] / most) * (alpha[i] > 0 ? 1 : 0) : 0);
		const side = sideClass(y[i]);
		const now = row === i;
		assign(halo, {
			class: now ? "rb-now" : app.ui.selected === i ? "rb-selected" : "rb-none",
			cx: tenth(px),
			cy: tenth(py),
			r: tenth(r + 8)
		});
		assign(ring2, {
			class: margins[i] <= 0 ? `rb-ring ${side}` : touching.has(i) ? "rb-touch" : "rb-none",
			d: outline(px, py, r + 3.6, y[i])
		});
		assign(shape, { class: `rb-shape ${side}`, d: outline(px, py, r, y[i]), "data-point": i });
		assign(number2, { class: "rb-number", x: tenth(px + r + 5), y: tenth(py - r - 2) });
		number2.textContent = numbers && (X.length <= 24 || now || named2.has(i)) ? String(i + 1) : "";
	});
}
function outline(x, y, r, label2) {
	if (label2 > 0) return `M${spot(x - r, y)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
	const a = r * 0.9;
	return `M${spot(x - a, y - a)}h${2 * a}v${2 * a}h${-2 * a}Z`;
}
function handleOf({ t, run, state }, scale) {
	if (t > 0 || run.dual || run.n === 0 || run.replayed || !state.layers.includes("w") || state.hide.includes("settings"))
		return null;
	const x = toX(scale, state.start[0] * scale.arrow), y = toY(scale, state.start[1] * scale.arrow);
	const covered = state.points.some(([a, b]) => Math.hypot(toX(scale, a) - x, toY(scale, b) - y) < 16);
	return covered ? null : [x, y];
}
var startHandle = ([x, y]) => s("g.rb-handle", s("circle", { cx: x, cy: y, r: 9 }), s("title", "Drag the start vector"));

// src/plot/strip.js
var WIDTH3 = 640;
var HEIGHT2 = 46;
var MOST = 160;
function strip(app) {
	const svg = s("svg.rb-strip", { viewBox: `0 0 ${WIDTH3} ${HEIGHT2}`, "aria-hidden": "true" });
	const scrub = h("input.rb-scrub", {
		type: "range",
		min: 0,
		step: 1,
		"aria-label": "Step",
		id: app.id("scrub")
	});
	const end = h("span.rb-strip-end");
	scrub.addEventListener("input", () => app.go(Number(scrub.value)));
	let from = 0, shown = 1, drawn = "";
	svg.addEventListener("click", (event) => {
		const box = svg.getBoundingClientRect(), { clientX } = event;
		app.go(from + Math.ceil((clientX - box.left) / box.width * shown));
	});
	const cursor = s("rect.rb-strip-now", { y: 0, height: HEIGHT2 });
	const ticks2 = s("g");
	fill(svg, [cursor, ticks2]);
	const update = ({ run, t, y }) => {
		assign(scrub, { max: run.steps, "aria-valuetext": `step ${t} of ${run.steps}, ${run.updatesAt(t)} updates` });
		scrub.value = String(t);
		shown = Math.max(1, Math.min(run.steps, MOST));
		from = Math.max(0, Math.min(run.steps - shown, Math.floor((t - 1) / (MOST / 2)) * (MOST / 2) - MOST / 4));
		const dx = Math.min(WIDTH3 / shown, 26);
		const steps = run.journal.map((u) => u.step), key = JSON.stringify([run.steps, from, run.row.slice(from, from + shown), steps]);
		if (key !== drawn) fill(ticks2, drawTicks(run, y, from, shown, dx));
		drawn = key;
		shown = WIDTH3 / dx;
		assign(cursor, {
			x: ((t - from - 1) * dx).toFixed(2),
			width: dx.toFixed(2),
			visibility: t > from ? "visible" : "hidden"
		});
		end.textContent = `${fmt(t)} / ${fmt(run.steps)}`;
	};
	return { el: h("div.rb-strip-box", svg, h("div.rb-scrub-row", scrub, end)), update };
}
function drawTicks(run, y, from, shown, dx) {
	let quiet = "", rules = "";
	const marks = [];
	const thin = Math.min(3, dx * 0.5);
	for (let j = 0; j < shown && from + j < run.steps; j++) {
		const t = from + j, x = (j + 0.5) * dx;
		if (t > 0 && run.pass[t] !== run.pass[t - 1]) rules += `M${tenth(j * dx)} 2V${HEIGHT2 - 2}`;
		if (!run.moved(t + 1)) {
			quiet += `M${tenth(x)} ${HEIGHT2 - 8}V${HEIGHT2 - 16}`;
			continue;
		}
		const side = sideClass(y[run.row[t]]), r = Math.min(4.5, dx * 0.42);
		marks.push(
			s("rect", {
				class: `rb-tickmark ${side}`,
				x: tenth(x - thin / 2),
				y: 12,
				width: tenth(thin),
				height: HEIGHT2 - 20
			})
		);
		marks.push(
			side === "rb-plus" ? s("ellipse", { class: `rb-tickmark ${side}`, cx: tenth(x), cy: 10, rx: r, ry: r }) : s("rect", { class: `rb-tickmark ${side}`, x: x - r, y: 10 - r, width: 2 * r, height: 2 * r })
		);
	}
	return [s("path.rb-strip-rule", { d: rules }), s("path.rb-strip-quiet", { d: quiet }), ...marks];
}

// src/theme.js
var SAID = ["data-theme", "data-bs-theme", "data-color-mode", "data-vscode-theme-kind", "class"];
var JUPYTER = "data-jp-theme-light";
function around(el) {
	const found = [];
	for (let node = el; node; ) {
		const root = node.getRootNode();
		node = node.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
		if (node) found.push(node);
	}
	return found;
}
function hostTheme(el) {
	for (const node of around(el)) {
		const jupyter = node.getAttribute(JUPYTER);
		if (jupyter) return jupyter === "true" ? "light" : "dark";
		const words = SAID.map((name) => node.getAttribute(name) ?? "").join(" ");
		const said = /(?:^|\s|vscode-)(dark|light)(?:$|\s|-theme)/.exec(words);
		if (said) return said[1];
	}
}
function watchTheme(el, changed) {
	const wish = matchMedia("(prefers-color-scheme: dark)");
	const apply = () => {
		const theme = hostTheme(el) ?? (wish.matches ? "dark" : "light");
		if (el.dataset.rbTheme === theme) return;
		el.dataset.rbTheme = theme;
		changed();
	};
	const observer = new MutationObserver(apply);
	for (const node of around(el)) observer.observe(node, { attributes: true, attributeFilter: [...SAID, JUPYTER] });
	wish.addEventListener("change", apply);
	apply();
	return () => {
		observer.disconnect();
		wish.removeEventListener("change", apply);
	};
}

// src/lab.js
function opening(model) {
	const recorded = model.get("trace"), traced = recorded ? fromTrace(recorded) : null;
	if (traced?.state) {
		const hide = cleanState({ hide: model.get("state")?.hide }).hide;
		return { state: { ...traced.state, hide }, run: traced.run, problem: "" };
	}
	const given = model.get("state"), own = Array.isArray(given?.points);
	const unfit = traced?.problem || (own ? problemWith(given.points) : "");
	const first = own && !unfit ? given : { ...PRESETS[0].make(0), title: PRESETS[0].title, hide: given?.hide };
	const { state, problem } = fromHash(String(model.get("hash") ?? ""), cleanState({ ...DEFAULT, ...first }));
	return { state, run: null, problem: unfit || problem };
}
function tabs2(app) {
	const makers = { examples, proof, dual, compare, study, share };
	const list2 = Object.entries(TEXT.tabs).map(([name, text]) => {
		const part = makers[name](app);
		const [id, panelId] = [app.id(`tab-${name}`), app.id(`panel-${name}`)];
		const onclick = () => app.set({ tab: name });
		const tab = h("button", { type: "button", role: "tab", id, "aria-controls": panelId, onclick }, text);
		const panel = h("div.rb-panel", { role: "tabpanel", id: panelId, "aria-labelledby": id }, part.el);
		return { name, tab, panel, part };
	});
	const bar = h(
		"div.rb-tabs",
		{ role: "tablist", "aria-label": "Panels" },
		list2.map((t) => t.tab)
	);
	bar.addEventListener("keydown", (event) => {
		const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
		const shown = list2.filter(({ tab }) => !tab.hidden);
		if (!way || !shown.length) return;
		const at = shown.findIndex(({ name }) => name === app.state.tab), next = shown[(at + way + shown.length) % shown.length];
		app.set({ tab: next.name });
		next.tab.focus();
		event.preventDefault();
		event.stopPropagation();
	});
	const el = h(
		"section.rb-side-tabs",
		bar,
		list2.map((t) => t.panel)
	);
	const update = (view) => {
		const { hide } = view.state, open = list2.filter(({ name }) => !hide.includes(name));
		const current = open.some(({ name }) => name === view.state.tab) ? view.state.tab : open[0]?.name;
		el.hidden = open.length === 0;
		for (const { name, tab, panel, part } of list2) {
			const on = name === current;
			assign(tab, { "aria-selected": String(on), tabindex: on ? 0 : -1 });
			tab.hidden = hide.includes(name);
			panel.hidden = !on;
			if (on) part.update(view);
		}
	};
	return { el, update };
}
function render({ model, el }) {
	const { state, run, problem } = opening(model);
	const app = makeApp(state, model, run);
	assign(app.el, { class: "rb-lab", lang: "en", "data-lm-suppress-shortcuts": "true" });
	const course = lesson(app);
	const top = [header(app, course.open), settings(app)], left = [tools(app), figure(app), transport(app), strip(app), sentence(), notice(app)], right = [course, verdictPanel(app), tabs2(app)];
	const held = (parts) => parts.map((part) => part.el);
	fill(app.el, [held(top), h("div.rb-columns", h("div.rb-left", held(left)), h("div.rb-right", held(right)))]);
	app.parts.push(...top, ...left, ...right);
	if (problem) app.ui.notice = problem;
	el.append(app.el);
	app.endings.push(watchTheme(app.el, () => app.refresh()));
	app.hear("paste", (event) => {
		const target = event.composedPath()[0], text = event.clipboardData?.getData("text/plain") ?? "";
		if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement || !text) return;
		takeRows(app, text, false);
		event.preventDefault();
	});
	tellModel(app, model);
	app.flush();
	return () => {
		app.end();
		app.el.remove();
	};
}
function tellModel(app, model) {
	let waiting = 0, told = "";
	const tell = () => {
		waiting = 0;
		if (app.ui.dragging) return later();
		const state = app.state, hash = toHash(state);
		if (hash === told) return;
		told = hash;
		model.set("hash", hash);
		model.set("state", state);
		model.save_changes();
	};
	const later = () => {
		if (!waiting) waiting = Number(setTimeout(tell, 120));
	};
	app.endings.push(app.store.listen(later), () => clearTimeout(waiting));
	const heard = () => {
		const { state, problem } = fromHash(String(model.get("hash") ?? ""), app.state);
		if (toHash(state) !== toHash(app.state)) app.set(state);
		if (problem) app.notify(problem);
	};
	model.on("change:hash", heard);
	app.endings.push(() => model.off("change:hash", heard));
}
var lab_default = { render };
export {
	lab_default as default
};
