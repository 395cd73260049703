const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["words-ru.js","start.js","words-es.js","integrations.js","parts.js","parts.css","operator.js","operator.css","webhooks.js","integrations.css","work.js","work.css","oauth.js","oauth.css","people.js","people.css","reference.js","reference.css","setup.js","setup.css"])))=>i.map(i=>d[i]);
/* Contains Preact (c) 2015-present Jason Miller and @preact/signals (c) 2022-present Preact Team, both under the MIT License. */
import { a as known$1, c as keep$1, d as onForgotten, f as CONVERSATIONS, g as takenLastEvent, h as taken, i as LANGUAGE_NAMES, l as kept$1, m as forgetBegun, n as __vitePreload, o as locale, p as AS_USER, r as LANGUAGES, s as wanted, t as counted$1, u as keptNames } from "./start.js";
// node_modules/preact/dist/preact.mjs
var n$1;
var t$2;
var r$2;
var u$3;
var i$2;
var f$3;
var o$3;
var e$2;
var l$2;
var c$2;
var a$3;
var h$3 = Symbol.for("pv");
var p$3 = {};
var y$3 = [];
var v$2 = /^m(i|n|o|s|text|space)$/;
var w$3 = Array.isArray;
var d$3 = y$3.slice;
var _$3 = Object.assign;
function g$3(n) {
	n && n.parentNode && n.remove();
}
function k$2(n, t, r) {
	var u, i, f, o = {}, e = arguments.length;
	for (f in t) "key" == f ? u = t[f] : "ref" == f && "function" != typeof n ? i = t[f] : o[f] = t[f];
	return e > 2 && (o.children = e > 3 ? d$3.call(arguments, 2) : r), m$3(n, o, u, i, null);
}
function m$3(r, u, i, f, o) {
	var e = {
		type: r,
		props: u,
		key: i,
		ref: f,
		__k: null,
		__: null,
		__b: 0,
		__e: null,
		__c: null,
		constructor: h$3,
		__v: o || ++t$2,
		__i: -1,
		__u: 0
	};
	return !o && n$1.vnode && n$1.vnode(e), e;
}
function $(n) {
	return n.children;
}
function x$2(n, t) {
	this.props = n, this.context = t, this.__g = 0;
}
function S$1(n, t) {
	if (null == t) return n.__ && S$1(n.__, n.__i + 1);
	for (var r; t < n.__k.length; t++) if ((r = n.__k[t]) && r.__e) return r.__e;
	return "function" != typeof n.type || n.props.__P ? null : S$1(n);
}
function C$1(t) {
	var r, u = t.__v, i = u.__e, f = [], o = [], e = t.__P;
	e && ((r = _$3({ constructor: h$3 }, u)).__v = u.__v + 1, n$1.vnode && n$1.vnode(r), z$1(e, r, u, t.__n, e.namespaceURI, 32 & u.__u ? [i] : null, f, i || S$1(u), 32 & u.__u, o), r.__v = u.__v, r.__.__k[r.__i] = r, E$1(f, r, o), u.__ = u.__e = null, r.__e != i && j$1(r));
}
function j$1(n) {
	if ((n = n.__) && n.__c && !n.props.__P) return n.__e = null, n.__k.some(function(t) {
		return t && (n.__e = t.__e);
	}), j$1(n);
}
function L(t) {
	(8 & t.__g || (t.__g |= 8, u$3.push(t), f$3++)) && i$2 == n$1.debounceRendering || ((i$2 = n$1.debounceRendering) || queueMicrotask)(H);
}
function H() {
	try {
		for (var n, t = 1; u$3.length;) u$3.length > t && u$3.sort(o$3), n = u$3.shift(), t = u$3.length, 8 & n.__g && C$1(n);
	} finally {
		(f$3 = u$3.length) && (i$2 || queueMicrotask)(H);
	}
}
function I(n, t, r, u, i, f, o, e, l, c, a) {
	var s, h, v, w, d, _, g = u.__k || y$3, k = t.length;
	for (l = q$1(r, t, g, l, k), s = 0; s < k; s++) null != (v = r.__k[s]) && (h = ~v.__i && g[v.__i] || p$3, v.__i = s, _ = z$1(n, v, h, i, f, o, e, l, c, a), w = v.__e, (h.ref != v.ref || 8 & h.__u) && (h.ref && G$1(h.ref, null, v, h), v.ref && a.push(v.ref, v.__c || w, v)), d = d || w, 4 & v.__u ? (l = A$2(v, l, n, !h.__v), h.__e && (h.__e = null)) : "function" == typeof v.type && void 0 !== _ ? l = _ : w && (l = w.nextSibling), v.__u &= -21);
	return r.__e = d, l;
}
function q$1(n, t, r, u, i) {
	var f, o, e, l, c, a, s, p, y, v = r.length, d = v, _ = 0, g = 0, k = n.__k = Array(i);
	for (f = 0; f < i; f++) null != (o = t[f]) && "boolean" != typeof o && "function" != typeof o ? ("object" != typeof o || o.constructor === String ? o = k[f] = m$3(null, o) : w$3(o) ? o = k[f] = m$3($, { children: o }) : o.constructor === h$3 && o.__b ? o = k[f] = m$3(o.type, o.props, o.key, o.ref, o.__v) : k[f] = o, l = f + _, o.__ = n, o.__b = n.__b + 1, e = null, ~(c = o.__i = P$1(o, r, l, d)) && (d--, (e = r[c]) && (e.__u |= 2)), e && e.__v ? (o.__u |= 16, c == l - 1 ? _-- : c == l + 1 ? _++ : c != l && (c > l ? _-- : _++, g = 1)) : (~c || (i > v ? _-- : i < v && _++), "function" != typeof o.type && (o.__u |= 4))) : k[f] = null;
	if (g) {
		for (a = [], s = [], f = 0; f < i; f++) if ((o = k[f]) && 16 & o.__u) {
			for (_ = 0, p = a.length; _ < p;) a[y = _ + p >> 1] < o.__i ? _ = y + 1 : p = y;
			a[_] = o.__i, s[f] = _ + 1;
		}
		for (_ = a.length; f--;) s[f] && (s[f] == _ ? _-- : k[f].__u |= 4);
	}
	if (d) for (f = 0; f < v; f++) !(e = r[f]) || 2 & e.__u || (e.__e == u && (u = S$1(e)), J(e, e));
	return u;
}
function A$2(n, t, r, u) {
	var i, f, o, e;
	if ("function" == typeof n.type) {
		if (n.props.__P) return t;
		if (i = n.__k) for (f = 0; f < i.length; f++) i[f] && (i[f].__ = n, t = A$2(i[f], t, r, !1));
		return t;
	}
	for (t && !t.parentNode && (t = S$1(n)) && !t.parentNode && (t = null), o = n.__e, e = t; e && 8 == e.nodeType;) e = e.nextSibling;
	for (o != e && (!u && r.moveBefore && o.parentNode ? r.moveBefore(o, t) : r.insertBefore(o, t || null)), t = o; (t = t && t.nextSibling) && 8 == t.nodeType && !t.data.startsWith("$s"););
	return t;
}
function P$1(n, t, r, u) {
	var i, f = n.key, o = n.type, e = t[r], l = e && !(2 & e.__u);
	if (null === e && null == f || l && f == e.key && o == e.type) return r;
	if (u > (l ? 1 : 0)) {
		for (i = r - 1; i >= 0; i--) if ((e = t[i]) && !(2 & e.__u) && f == e.key && o == e.type) return i;
		for (i = r + 1; i < t.length; i++) if ((e = t[i]) && !(2 & e.__u) && f == e.key && o == e.type) return i;
	}
	return -1;
}
function T$2(n, t, r) {
	r ??= "", "-" == t[0] ? n.setProperty(t, r) : n[t] = r;
}
function N(n, t, r, u, i) {
	var f, o;
	if ("style" == t) if ("string" == typeof r) n.style.cssText = r;
	else {
		if ("string" == typeof u && (n.style.cssText = u = ""), u) for (t in u) r && t in r || T$2(n.style, t);
		if (r) for (t in r) u && r[t] == u[t] || T$2(n.style, t, r[t]);
	}
	else if ("o" == t[0] && "n" == t[1]) "function" != typeof r && (r = null), "function" != typeof u && (u = null), (n.__e || (n.__e = {}))[t] = r, r && u || (o = a$3[t] || (a$3[t] = V(t)), (n.__a || (n.__a = {}))[t] = c$2, f = t != (t = t.replace(l$2, "$1")), (t = t.slice(2))[0] < "a" && (t = t.toLowerCase()), r ? n.addEventListener(t, o, f) : n.removeEventListener(t, o, f));
	else {
		if ("http://www.w3.org/2000/svg" == i) t = t.replace(/xlink(H|:h)/, "h").replace(/sName$/, "s");
		else if ("width" != t && "height" != t && "href" != t && "list" != t && "form" != t && "tabIndex" != t && "download" != t && "rowSpan" != t && "colSpan" != t && "role" != t && "popover" != t && t in n) try {
			n[t] = null == r ? "" : r;
			return;
		} catch (n) {}
		if ("function" == typeof r) return;
		null == r || !1 === r && "-" != t[4] ? n.removeAttribute(t) : n.setAttribute(t, "popover" == t && 1 == r ? "" : r);
	}
}
function V(t) {
	return function(r) {
		var u = this.__e;
		if (u) {
			if (u = u[t], null == r[e$2]) r[e$2] = c$2++;
			else if (r[e$2] < this.__a[t]) return;
			return u(n$1.event ? n$1.event(r) : r);
		}
	};
}
function z$1(t, r, u, i, f, o, e, l, c, a) {
	var s, p, v, d, k, b, m, M, C, j, L, H, q, A, O, P, T, N, V = r.type;
	if (r.constructor !== h$3) return null;
	128 & u.__u && (c = 32 & u.__u, s = u.__c.__z) && (r.__u |= c, p = o = [], 8 == s.nodeType ? l = B$1(s, o) : o.push(s), l = o[0] || l), (s = n$1.__b) && s(r);
	n: if ("function" == typeof V) {
		v = e.length;
		try {
			if (M = r.props, C = (s = V.prototype) && s.render, j = (s = V.contextType) && i[s.__c], L = s ? j ? j.props.value : s.__ : i, (d = u.__c) ? (r.__c = d, 2 & d.__g && (d.__g |= 1)) : (C ? r.__c = d = new V(M, L) : (r.__c = d = new x$2(M, L), d.constructor = V, d.render = K), j && j.sub(d), d.state || (d.state = {}), d.__n = i, d.__g |= 8, d.__h = [], d.__k = []), C && (d.__s || (d.__s = d.state), V.getDerivedStateFromProps && (d.__s == d.state && (d.__s = _$3({}, d.__s)), _$3(d.__s, V.getDerivedStateFromProps(M, d.__s)))), k = d.props, b = d.state, d.__v = r, u.__c) {
				if (M !== k && C && !V.getDerivedStateFromProps && d.componentWillReceiveProps && d.componentWillReceiveProps(M, L), r.__v == u.__v && !(8 & d.__g) || !(4 & d.__g) && d.shouldComponentUpdate && !1 === d.shouldComponentUpdate(M, d.__s, L)) {
					r.__v != u.__v && (d.props = M, d.state = d.__s, d.__g &= -9), r.__e = u.__e, r.__k = u.__k, r.__k.some(function(n) {
						n && (n.__ = r);
					}), y$3.push.apply(d.__h, d.__k), d.__k = [], d.__h.length && e.push(d), l = S$1(u);
					break n;
				}
				d.componentWillUpdate && d.componentWillUpdate(M, d.__s, L), C && d.componentDidUpdate && d.__h.push(function() {
					d.componentDidUpdate(k, b, m);
				});
			} else C && !V.getDerivedStateFromProps && d.componentWillMount && d.componentWillMount(), C && d.componentDidMount && d.__h.push(d.componentDidMount);
			d.context = L, d.props = M, d.__P = t, d.__g &= -5, H = n$1.__r, q = C ? 25 : 0;
			do
				d.__g &= -9, H && H(r), s = d.render(d.props, d.state = d.__s, d.context);
			while (8 & d.__g && ++q < 25);
			C && (y$3.push.apply(d.__h, d.__k), d.__k = []), d.state = d.__s, d.getChildContext && (i = _$3({}, i, d.getChildContext())), C && u.__c && d.getSnapshotBeforeUpdate && (m = d.getSnapshotBeforeUpdate(k, b)), A = s && s.type === $ && null == s.key ? s.props.children : s, M.__P && (s = l, f = (t = M.__P).namespaceURI, c = o = null, u.props && u.props.__P != t && (u.__k.some(function(n) {
				n && J(n, n);
			}), u.__k = null), l = u.__k ? S$1(u, 0) : null), l = I(t, w$3(A) ? A : [A], r, u, i, f, o, e, l, c, a), M.__P && (r.__e = null, l = s), r.__u &= -161, p && p.some(g$3), d.__h.length && e.push(d), 1 & d.__g && (d.__g &= -4);
		} catch (t) {
			if (e.length = v, r.__v = null, c || o) if (t && t.then) {
				if (r.__u |= 128 | c, o) {
					for (~(T = o.indexOf(l || void 0)) || (T = o.length); (N = o[T - 1]) && 8 == N.nodeType;) T--;
					for (; T < o.length; T++) if (N = o[T]) if (o[T] = null, O) {
						if (N == P) break;
					} else {
						if (8 != N.nodeType) break;
						N.data.startsWith("$s") && (P = B$1(O = N));
					}
				}
				if (!O) {
					for (; l && 8 == l.nodeType && l.nextSibling;) l = l.nextSibling;
					O = l;
				}
				(s = B$1(O = r.__c.__z || (r.__c.__z = O))) ? (r.__e = O, l = s) : r.__e = l, l = l && l.nextSibling;
			} else o && o.some(g$3);
			else r.__e = u.__e;
			r.__k || (r.__k = u.__k || []), t && t.then || D$1(r), n$1.__e(t, r, u);
		}
	} else l = r.__e = F$2(u.__e, r, u, i, f, o, e, c, a, t);
	return (s = n$1.diffed) && s(r), l;
}
function B$1(n, t) {
	if (n && 8 == n.nodeType && n.data.startsWith("$s")) for (var r = 1; n = n.nextSibling;) {
		if (8 == n.nodeType) {
			if (n.data.startsWith("$s")) r++;
			else if (n.data.startsWith("/$s") && !--r) return n;
		}
		t && t.push(n);
	}
}
function D$1(n) {
	n && (n.__c && (n.__c.__g |= 4), n.__k && n.__k.some(D$1));
}
function E$1(t, r, u) {
	for (var i = 0; i < u.length;) G$1(u[i++], u[i++], u[i++]);
	n$1.__c && n$1.__c(r, t), t.some(function(r) {
		try {
			t = r.__h, r.__h = [], t.some(function(n) {
				n.call(r);
			});
		} catch (t) {
			n$1.__e(t, r.__v);
		}
	});
}
function F$2(t, r, u, i, f, o, e, l, c, a) {
	var s, h, y, _, k, b, m, M, $ = u.props || p$3, x = r.props, C = r.type;
	if ("svg" == C ? f = "http://www.w3.org/2000/svg" : "math" == C ? f = "http://www.w3.org/1998/Math/MathML" : f || (f = "http://www.w3.org/1999/xhtml"), o) {
		for (s = 0; s < o.length; s++) if ((k = o[s]) && (C ? k.localName == C : 3 == k.nodeType)) {
			t = k, o[s] = null;
			break;
		}
	}
	if (!t) {
		if (M = a.ownerDocument || document, !C) return M.createTextNode(x);
		t = M.createElementNS(f, C, x.is ? x : a), l && (n$1.__m && n$1.__m(r, o), l = !1), o = null;
	}
	if (C) {
		if (a = "template" == C && t.content || t, o = "textarea" == C && null != x.defaultValue ? null : o && d$3.call(a.childNodes), !l && o) for ($ = {}, s = 0; s < t.attributes.length; s++) $[(k = t.attributes[s]).name] = k.value;
		for (s in $) k = $[s], "dangerouslySetInnerHTML" == s ? y = k : "children" == s || s in x || "value" == s && "defaultValue" in x || "checked" == s && "defaultChecked" in x || N(t, s, null, k, f);
		for (s in x) k = x[s], "children" == s ? _ = k : "dangerouslySetInnerHTML" == s ? h = k : "value" == s ? b = k : "checked" == s ? m = k : l && "function" != typeof k || $[s] === k || N(t, s, k, $[s], f);
		h ? (l || y && (h.__html == y.__html || h.__html == t.innerHTML) || (t.innerHTML = h.__html), r.__k = []) : (y && (t.textContent = ""), ("foreignObject" == C || "http://www.w3.org/1998/Math/MathML" == f && v$2.test(C)) && (f = "http://www.w3.org/1999/xhtml"), I(a, w$3(_) ? _ : [_], r, u, i, f, o, e, o ? o[0] : u.__k && S$1(u, 0), l, c), o && o.some(g$3)), l && "textarea" != C || (s = "value", "progress" == C && null == b ? t.removeAttribute(s) : null == b || b === t[s] && ("progress" != C || b) || N(t, s, b, $[s], f), s = "checked", null != m && m != t[s] && N(t, s, m, $[s], f));
	} else $ === x || l && t.data == x || (t.data = x);
	return t;
}
function G$1(t, r, u, i) {
	try {
		"function" == typeof t ? r ? r.__x = t(r) || 1 : i && (i = i.__c || i.__e) && (r = i.__x) && (i.__x = null, "function" == typeof r ? r() : t(null)) : t.current = r;
	} catch (t) {
		n$1.__e(t, u);
	}
}
function J(t, r, u) {
	var i, f, o, e;
	if (n$1.unmount && n$1.unmount(t), !(i = t.ref) || i.current && i.current != t.__e || G$1(i, null, r, t), i = t.__c) {
		if (i.componentWillUnmount) try {
			i.componentWillUnmount();
		} catch (t) {
			n$1.__e(t, r);
		}
		i.__P = i.__n = null;
	}
	if (i = t.__k) for (e = 0; e < i.length; e++) i[e] && J(i[e], r, "function" != typeof t.type || u && !t.props.__P);
	!u && (i = t.__c) && (i = i.__z) && (f = B$1(i, o = [])) && (i == t.__e && o.some(g$3), g$3(f), g$3(i)), u || g$3(t.__e), t.__e = t.__c = t.__ = null;
}
function K(n, t, r) {
	return this.constructor(n, r);
}
function Q(t, r) {
	var u, i, f, o;
	n$1.__ && n$1.__(t, r), 9 == r.nodeType && (r = r.documentElement), i = (u = t && 32 & t.__u) ? null : r.__k, r.__k = m$3($, { children: [t] }), f = [], o = [], z$1(r, r.__k, i || p$3, p$3, r.namespaceURI, i ? null : r.firstChild ? d$3.call(r.childNodes) : null, f, i ? i.__e : r.firstChild, u, o), E$1(f, r.__k, o), r.__k.props.children = null;
}
n$1 = { __e: function(n, t, r, u) {
	for (var i, o, e; t = t.__;) if ((i = t.__c) && !(1 & i.__g)) {
		i.__g |= 4;
		try {
			if ((e = (o = i.constructor) && o.getDerivedStateFromError) && i.setState(o.getDerivedStateFromError(n)), i.componentDidCatch && (i.componentDidCatch(n, u || {}), e = 1), e && 8 & i.__g) return void (i.__g |= 2);
		} catch (t) {
			n = t;
		}
	}
	throw f$3 = 0, n;
} }, t$2 = 0, r$2 = function(n) {
	return null != n && n.constructor === h$3;
}, x$2.prototype.setState = function(n, t) {
	var r = this.__s;
	r && r != this.state || (r = this.__s = _$3({}, this.state)), "function" == typeof n && (n = n(_$3({}, r), this.props)), n && (_$3(r, n), this.__v && (t && this.__k.push(t), L(this)));
}, x$2.prototype.forceUpdate = function(n) {
	this.__v && (this.__g |= 4, n && this.__h.push(n), L(this));
}, x$2.prototype.render = $, u$3 = [], f$3 = 0, o$3 = function(n, t) {
	return n.__v.__b - t.__v.__b;
}, e$2 = Symbol(), l$2 = /(PointerCapture)$|Capture$/i, c$2 = 0, a$3 = {};
// node_modules/preact/hooks/dist/hooks.mjs
var t$1;
var r$1;
var u$2;
var i$1;
var o$2 = Object.is;
var f$2 = 0;
var c$1 = [];
var e$1 = [];
var a$2 = n$1;
var v$1 = a$2.__b;
var l$1 = a$2.__r;
var m$2 = a$2.diffed;
var h$2 = a$2.__c;
var s$1 = a$2.unmount;
var p$2 = a$2.__;
function y$2(n, t) {
	a$2.__h && a$2.__h(r$1, n, f$2 || t), f$2 = 0;
	var u = r$1.__H || (r$1.__H = {
		__: [],
		__h: []
	});
	return n >= u.__.length && u.__.push({}), u.__[n];
}
function d$2(n) {
	return f$2 = 1, _$2(G, n);
}
function _$2(n, u, i) {
	var f = y$2(t$1++, 2);
	if (f.t = n, !f.__c && (f.__ = [i ? i(u) : G(void 0, u), function(n) {
		var t = (f.__N || f.__)[0], r = f.t(t, n);
		o$2(t, r) || (f.__N = [r, f.__[1]], f.__c.setState({}));
	}], f.__c = r$1, !r$1.__f)) {
		r$1.__f = !0;
		var c = r$1.shouldComponentUpdate;
		r$1.shouldComponentUpdate = function(n, t, r) {
			var u = this.__H;
			if (!u) return !0;
			var i = !1, f = this.props != n;
			if (u.__.some(function(n) {
				n.__N && (i = !0, o$2(n.__[0], n.__N[0]) || (f = !0));
			}), c) {
				var e = c.call(this, n, t, r);
				return i ? e || f : e;
			}
			return !i || f;
		};
	}
	return f.__;
}
function A$1(n, u) {
	var i = y$2(t$1++, 3);
	!a$2.__s && E(i.__H, u) && (i.__P = !0, i.__ = n, i.u = u, r$1.__H.__h.push(i));
}
function F$1(n, u) {
	var i = y$2(t$1++, 4);
	!a$2.__s && E(i.__H, u) && (i.__P = !1, i.__ = n, i.u = u, r$1.__h.push(i));
}
function T$1(n) {
	return f$2 = 5, w$2(function() {
		return { current: n };
	}, []);
}
function w$2(n, r) {
	var u = y$2(t$1++, 7);
	return E(u.__H, r) && (u.__ = n(), u.__H = r), u.__;
}
function P() {
	var n = y$2(t$1++, 11);
	if (!n.__) {
		for (var u = r$1.__v; !u.__m && u.__;) u = u.__;
		var i = u.__m || (u.__m = [0, 0]);
		n.__ = "P" + i[0] + "-" + i[1]++;
	}
	return n.__;
}
function g$2() {
	var n;
	do {
		for (; n = e$1.shift();) try {
			C(n);
		} catch (t) {
			a$2.__e(t, { __: (n = n.__P) && n.__v });
		}
		for (; n = c$1.shift();) {
			var t = n.__H;
			if (n.__P && t) try {
				t.__h.some(C), t.__h.some(D), t.__h = [];
			} catch (r) {
				t.__h = [], a$2.__e(r, n.__v);
			}
		}
	} while (e$1.length);
}
a$2.__b = function(n) {
	r$1 = null, v$1 && v$1(n);
}, a$2.__ = function(n, t) {
	n && t.__k && t.__k.__m && (n.__m = t.__k.__m), p$2 && p$2(n, t);
}, a$2.__r = function(n) {
	l$1 && l$1(n), t$1 = 0;
	var i = (r$1 = n.__c).__H;
	i && (u$2 == r$1 ? r$1.__h = [] : (i.__h.some(C), i.__h.some(D), t$1 = 0), i.__h = [], i.__.some(function(n) {
		n.__N && (n.__ = n.__N), n.u = n.__N = void 0;
	})), u$2 = r$1;
}, a$2.diffed = function(n) {
	m$2 && m$2(n);
	var t = n.__c;
	t && t.__H && (t.__H.__h.length && B(c$1.push(t)), t.__H.__.some(function(n) {
		n.u && (n.__H = n.u);
	})), u$2 = r$1 = null;
}, a$2.__c = function(n, t) {
	t.some(function(n) {
		try {
			n.__h.some(C), n.__h = n.__h.filter(function(n) {
				return !n.__ || D(n);
			});
		} catch (t) {
			n.__h = [function() {
				throw t;
			}];
		}
	}), h$2 && h$2(n, t);
}, a$2.unmount = function(n) {
	s$1 && s$1(n);
	var t, r, u = n.__c;
	u && u.__H && (u.__H.__.some(function(u) {
		try {
			if (u.__P && u.__c) {
				if (void 0 === r) {
					for (r = n.__; r && (!r.__c || !r.__c.__P);) r = r.__;
					r = r && r.__c;
				}
				u.__P = r, B(e$1.push(u));
			} else C(u);
		} catch (n) {
			t = n;
		}
	}), u.__H = void 0, t && a$2.__e(t, u.__v));
};
var k$1 = "function" == typeof requestAnimationFrame;
function z(n) {
	var t, r = function() {
		clearTimeout(u), k$1 && cancelAnimationFrame(t), setTimeout(n);
	}, u = setTimeout(r, 35);
	k$1 && (t = requestAnimationFrame(r));
}
function B(n) {
	1 != n && i$1 == a$2.requestAnimationFrame || ((i$1 = a$2.requestAnimationFrame) || z)(g$2);
}
function C(n) {
	var t = r$1, u = n.__c;
	"function" == typeof u && (n.__c = void 0, u()), r$1 = t;
}
function D(n) {
	var t = r$1;
	n.__c = n.__(), r$1 = t;
}
function E(n, t) {
	return !n || n.length != t.length || t.some(function(t, r) {
		return !o$2(t, n[r]);
	});
}
function G(n, t) {
	return "function" == typeof t ? t(n) : t;
}
// node_modules/@preact/signals-core/dist/signals-core.module.js
var i = Symbol.for("preact-signals");
function t() {
	if (!(v > 1)) {
		var i, t = !1;
		(function() {
			var i = c;
			c = void 0;
			while (void 0 !== i) {
				var t = i.S;
				if (t.v === i.v) {
					for (var r = t.t; void 0 !== r; r = r.x) if (r.i === i.i) r.i = t.i;
				}
				i = i.o;
			}
		})();
		while (void 0 !== h$1) {
			var r = h$1;
			h$1 = void 0;
			s++;
			while (void 0 !== r) {
				var n = r.u;
				r.u = void 0;
				r.f &= -3;
				if (!(8 & r.f) && w$1(r)) try {
					r.c();
				} catch (r) {
					if (!t) {
						i = r;
						t = !0;
					}
				}
				r = n;
			}
		}
		s = 0;
		v--;
		if (t) throw i;
	} else v--;
}
function r(i) {
	if (v > 0) return i();
	u$1 = ++e;
	v++;
	try {
		return i();
	} finally {
		t();
	}
}
var n;
var o$1 = void 0;
function f$1(i) {
	var t = o$1, r = n;
	o$1 = void 0;
	n = void 0;
	try {
		return i();
	} finally {
		o$1 = t;
		n = r;
	}
}
var h$1 = void 0;
var v = 0;
var s = 0;
var e = 0;
var u$1 = 0;
var c = void 0;
var a$1 = 0;
function d$1(i) {
	if (void 0 !== o$1) {
		var t = i.n;
		if (void 0 === t || t.t !== o$1) {
			t = {
				i: 0,
				S: i,
				p: o$1.s,
				n: void 0,
				t: o$1,
				e: void 0,
				x: void 0,
				r: t
			};
			if (void 0 !== o$1.s) o$1.s.n = t;
			o$1.s = t;
			i.n = t;
			if (32 & o$1.f) i.S(t);
			return t;
		} else if (-1 === t.i) {
			t.i = 0;
			if (void 0 !== t.n) {
				t.n.p = t.p;
				if (void 0 !== t.p) t.p.n = t.n;
				t.p = o$1.s;
				t.n = void 0;
				o$1.s.n = t;
				o$1.s = t;
			}
			return t;
		}
	}
}
function l(i, t) {
	this.v = i;
	this.i = 0;
	this.n = void 0;
	this.t = void 0;
	this.l = 0;
	this.W = null == t ? void 0 : t.watched;
	this.Z = null == t ? void 0 : t.unwatched;
	this.name = null == t ? void 0 : t.name;
}
l.prototype.brand = i;
l.prototype.h = function() {
	return !0;
};
l.prototype.S = function(i) {
	var t = this, r = this.t;
	if (r !== i && void 0 === i.e) {
		i.x = r;
		this.t = i;
		if (void 0 !== r) r.e = i;
		else f$1(function() {
			var i;
			null == (i = t.W) || i.call(t);
		});
	}
};
l.prototype.U = function(i) {
	var t = this;
	if (void 0 !== this.t) {
		var r = i.e, n = i.x;
		if (void 0 !== r) {
			r.x = n;
			i.e = void 0;
		}
		if (void 0 !== n) {
			n.e = r;
			i.x = void 0;
		}
		if (i === this.t) {
			this.t = n;
			if (void 0 === n) f$1(function() {
				var i;
				null == (i = t.Z) || i.call(t);
			});
		}
	}
};
l.prototype.subscribe = function(i) {
	var t = this;
	return x$1(function() {
		var r = t.value;
		f$1(function() {
			return i(r);
		});
	}, { name: "sub" });
};
l.prototype.valueOf = function() {
	return this.value;
};
l.prototype.toString = function() {
	return this.value + "";
};
l.prototype.toJSON = function() {
	return this.value;
};
l.prototype.peek = function() {
	var i = this;
	return f$1(function() {
		return i.value;
	});
};
Object.defineProperty(l.prototype, "value", {
	get: function() {
		var i = d$1(this);
		if (void 0 !== i) i.i = this.i;
		return this.v;
	},
	set: function(i) {
		if (i !== this.v) {
			if (s > 100) throw new Error("Cycle detected");
			(function(i) {
				if (0 !== v && 0 === s) {
					if (i.l !== u$1) {
						i.l = u$1;
						c = {
							S: i,
							v: i.v,
							i: i.i,
							o: c
						};
					}
				}
			})(this);
			this.v = i;
			this.i++;
			a$1++;
			v++;
			try {
				for (var r = this.t; void 0 !== r; r = r.x) r.t.N();
			} finally {
				t();
			}
		}
	}
});
function y$1(i, t) {
	return new l(i, t);
}
function w$1(i) {
	for (var t = i.s; void 0 !== t; t = t.n) if (t.S.i !== t.i || !t.S.h() || t.S.i !== t.i) return !0;
	return !1;
}
function b$1(i) {
	for (var t = i.s; void 0 !== t; t = t.n) {
		var r = t.S.n;
		if (void 0 !== r) t.r = r;
		t.S.n = t;
		t.i = -1;
		if (void 0 === t.n) {
			i.s = t;
			break;
		}
	}
}
function _$1(i) {
	var t = i.s, r = void 0;
	while (void 0 !== t) {
		var n = t.p;
		if (-1 === t.i) {
			t.S.U(t);
			if (void 0 !== n) n.n = t.n;
			if (void 0 !== t.n) t.n.p = n;
		} else r = t;
		t.S.n = t.r;
		if (void 0 !== t.r) t.r = void 0;
		t = n;
	}
	i.s = r;
}
function j(i, t) {
	l.call(this, void 0, t);
	this.x = i;
	this.s = void 0;
	this.g = a$1 - 1;
	this.f = 4;
}
j.prototype = new l();
j.prototype.h = function() {
	this.f &= -3;
	if (1 & this.f) return !1;
	if (32 == (36 & this.f)) return !0;
	this.f &= -5;
	if (this.g === a$1) return !0;
	this.g = a$1;
	this.f |= 1;
	if (this.i > 0 && !w$1(this)) {
		this.f &= -2;
		return !0;
	}
	var i = o$1;
	try {
		b$1(this);
		o$1 = this;
		var t = this.x();
		if (16 & this.f || this.v !== t || 0 === this.i) {
			this.v = t;
			this.f &= -17;
			this.i++;
		}
	} catch (i) {
		this.v = i;
		this.f |= 16;
		this.i++;
	}
	o$1 = i;
	_$1(this);
	this.f &= -2;
	return !0;
};
j.prototype.S = function(i) {
	if (void 0 === this.t) {
		this.f |= 36;
		for (var t = this.s; void 0 !== t; t = t.n) t.S.S(t);
	}
	l.prototype.S.call(this, i);
};
j.prototype.U = function(i) {
	if (void 0 !== this.t) {
		l.prototype.U.call(this, i);
		if (void 0 === this.t) {
			this.f &= -33;
			for (var t = this.s; void 0 !== t; t = t.n) t.S.U(t);
		}
	}
};
j.prototype.N = function() {
	if (!(2 & this.f)) {
		this.f |= 6;
		for (var i = this.t; void 0 !== i; i = i.x) i.t.N();
	}
};
Object.defineProperty(j.prototype, "value", { get: function() {
	if (1 & this.f) throw new Error("Cycle detected");
	var i = d$1(this);
	this.h();
	if (void 0 !== i) i.i = this.i;
	if (16 & this.f) throw this.v;
	return this.v;
} });
function O(i, t) {
	return new j(i, t);
}
function p$1(i) {
	var r = i.j;
	i.j = void 0;
	if ("function" == typeof r) {
		v++;
		var n = o$1;
		o$1 = void 0;
		try {
			r();
		} catch (t) {
			i.f &= -2;
			i.f |= 8;
			g$1(i);
			throw t;
		} finally {
			o$1 = n;
			t();
		}
	}
}
function g$1(i) {
	for (var t = i.s; void 0 !== t; t = t.n) t.S.U(t);
	i.x = void 0;
	i.s = void 0;
	p$1(i);
}
function S(i) {
	if (o$1 !== this) throw new Error("Out-of-order effect");
	_$1(this);
	o$1 = i;
	this.f &= -2;
	try {
		if (8 & this.f) g$1(this);
	} finally {
		t();
	}
}
function m$1(i, t) {
	this.x = i;
	this.j = void 0;
	this.s = void 0;
	this.u = void 0;
	this.f = 32;
	this.name = null == t ? void 0 : t.name;
	if (n) n.push(this);
}
m$1.prototype.c = function() {
	var i = this.S();
	try {
		if (8 & this.f) return;
		if (void 0 === this.x) return;
		var t = this.x();
		if ("function" == typeof t) this.j = t;
	} finally {
		i();
	}
};
m$1.prototype.S = function() {
	if (1 & this.f) throw new Error("Cycle detected");
	this.f |= 1;
	this.f &= -9;
	p$1(this);
	b$1(this);
	v++;
	var i = o$1;
	o$1 = this;
	return S.bind(this, i);
};
m$1.prototype.N = function() {
	if (!(2 & this.f)) {
		this.f |= 2;
		this.u = h$1;
		h$1 = this;
	}
};
m$1.prototype.d = function() {
	this.f |= 8;
	if (!(1 & this.f)) g$1(this);
};
m$1.prototype.dispose = function() {
	this.d();
};
function x$1(i, t) {
	var r = new m$1(i, t);
	try {
		r.c();
	} catch (i) {
		r.d();
		throw i;
	}
	var n = r.d.bind(r);
	n[Symbol.dispose] = n;
	return n;
}
// node_modules/@preact/signals/dist/signals.module.js
var h;
var d;
var p;
var m = "undefined" != typeof window && !!window.__PREACT_SIGNALS_DEVTOOLS__;
var _ = [];
var g = [];
x$1(function() {
	h = this.N;
})();
function b(i, n) {
	n$1[i] = n.bind(null, n$1[i] || function() {});
}
function y(i) {
	if (p) {
		var n = p;
		p = void 0;
		n();
	}
	p = i && i.S();
}
function w(i) {
	var n = this, r = i.data, t = useSignal(r);
	t.name = "ReactiveDom";
	t.value = r;
	var e = w$2(function() {
		var i = n, r = n.__v;
		while (r = r.__) if (r.__c) {
			r.__c.__$f |= 4;
			break;
		}
		var o = O(function() {
			var i = t.value.value;
			return 0 === i ? 0 : !0 === i ? "" : i || "";
		}), e = O(function() {
			return !Array.isArray(o.value) && !r$2(o.value);
		}), u = x$1(function() {
			this.N = M;
			if (e.value) {
				var n = o.value;
				if (i.__v && i.__v.__e && 3 === i.__v.__e.nodeType) i.__v.__e.data = n;
			}
		}), c = n.__$u.d;
		n.__$u.d = function() {
			u();
			c.call(this);
		};
		return [e, o];
	}, []), u = e[0], c = e[1];
	return u.value ? c.peek() : c.value;
}
w.displayName = "ReactiveTextNode";
Object.defineProperties(l.prototype, {
	constructor: {
		configurable: !0,
		value: k$2($, null).constructor
	},
	type: {
		configurable: !0,
		value: w
	},
	props: {
		configurable: !0,
		get: function() {
			var i = this;
			return { data: { get value() {
				return i.value;
			} } };
		}
	},
	__b: {
		configurable: !0,
		value: 1
	}
});
b("__b", function(i, n) {
	y();
	d = void 0;
	if ("string" == typeof n.type) {
		var r, t = n.props;
		for (var f in t) if ("children" !== f) {
			var o = t[f];
			if (o instanceof l) {
				if (!r) n.__np = r = {};
				r[f] = o;
				t[f] = o.peek();
			}
		}
	}
	i(n);
});
b("__r", function(i, r) {
	i(r);
	if (r.type !== $) {
		y();
		var t, f = r.__c;
		if (f) {
			f.__$f &= -2;
			if (void 0 === (t = f.__$u)) f.__$u = t = function(i, n) {
				var r;
				x$1(function() {
					r = this;
				}, { name: n });
				r.c = i;
				return r;
			}(function(i) {
				return function() {
					var n;
					if (m) null == (n = this.y) || n.call(this);
					i.__$f |= 1;
					i.setState({});
				};
			}(f), "function" == typeof r.type ? r.type.displayName || r.type.name : "");
		}
		d = f;
		y(t);
	}
});
b("__e", function(i, n, r, t) {
	y();
	d = void 0;
	i(n, r, t);
});
b("diffed", function(i, n) {
	y();
	d = void 0;
	var r;
	if ("string" == typeof n.type && (r = n.__e)) {
		var t = n.__np, f = n.props, o = r.U;
		if (o) for (var e in o) {
			var u = o[e];
			if (!(void 0 === u || t && e in t)) {
				u.d();
				o[e] = void 0;
			}
		}
		if (t) {
			if (!o) {
				o = {};
				r.U = o;
			}
			for (var a in t) {
				var c = o[a], v = t[a];
				if (void 0 === c) {
					c = k(r, a, v, f);
					o[a] = c;
				} else c.o(v, f);
			}
		}
	}
	i(n);
});
function k(i, n, r, t) {
	var f = n in i && void 0 === i.ownerSVGElement, o = y$1(r);
	return {
		o: function(i, n) {
			o.value = i;
			t = n;
		},
		d: x$1(function() {
			this.N = M;
			var r = o.value.value;
			if (t[n] !== r) {
				t[n] = r;
				if (f) i[n] = r;
				else if (null != r && (!1 !== r || "-" === n[4])) i.setAttribute(n, r);
				else i.removeAttribute(n);
			}
		})
	};
}
b("unmount", function(i, n) {
	if ("string" == typeof n.type) {
		var r = n.__e;
		if (r) {
			var t = r.U;
			if (t) {
				r.U = void 0;
				for (var f in t) {
					var o = t[f];
					if (o) o.d();
				}
			}
		}
		var e = n.__np;
		if (e) {
			var u = n.props;
			for (var a in e) u[a] = e[a];
		}
		n.__np = void 0;
	} else {
		var c = n.__c;
		if (c) {
			c.__$f |= 8;
			var v = c.__$u;
			if (v) {
				c.__$u = void 0;
				v.d();
			}
		}
	}
	i(n);
});
b("__h", function(i, n, r, t) {
	if (t < 3) n.__$f |= 2;
	i(n, r, t);
});
x$2.prototype.shouldComponentUpdate = function(i, n) {
	if (this.__R) return !0;
	var r = this.__$u, t = r && void 0 !== r.s;
	for (var f in n) return !0;
	if (this.__f || "boolean" == typeof this.u && !0 === this.u) {
		var o = 2 & this.__$f;
		if (!(t || o || 4 & this.__$f)) return !0;
		if (1 & this.__$f) return !0;
	} else {
		if (!(t || 4 & this.__$f)) return !0;
		if (3 & this.__$f) return !0;
	}
	for (var e in i) if ("__source" !== e && i[e] !== this.props[e]) return !0;
	for (var u in this.props) if (!(u in i)) return !0;
	return !1;
};
function useSignal(i, n) {
	return w$2(function() {
		return y$1(i, n);
	}, []);
}
function useComputed(i, n) {
	var r = T$1(i);
	r.current = i;
	d.__$f |= 4;
	return w$2(function() {
		return O(function() {
			return r.current();
		}, n);
	}, []);
}
var q = "undefined" == typeof requestAnimationFrame ? setTimeout : function(i) {
	var n = function() {
		clearTimeout(r);
		cancelAnimationFrame(t);
		i();
	}, r = setTimeout(n, 35), t = requestAnimationFrame(n);
};
var A = function(i) {
	queueMicrotask(function() {
		queueMicrotask(i);
	});
};
function T() {
	r(function() {
		var i;
		while (i = _.shift()) h.call(i);
	});
}
function x() {
	if (1 === _.push(this)) (n$1.requestAnimationFrame || q)(T);
}
function F() {
	r(function() {
		var i;
		while (i = g.shift()) h.call(i);
	});
}
function M() {
	if (1 === g.push(this)) (n$1.requestAnimationFrame || A)(F);
}
function useSignalEffect(i, n) {
	var r = T$1(i);
	r.current = i;
	var t = d;
	A$1(function() {
		return x$1(function() {
			this.N = x;
			if (!(t && 8 & t.__$f)) return r.current();
		}, n);
	}, []);
}
// src/theme.ts
var THEMES = [
	"system",
	"light",
	"dark"
];
var theme = y$1(THEMES.find((known) => known === kept$1("theme")) ?? "system");
x$1(() => {
	document.documentElement.dataset.theme = theme.value;
});
function chooseTheme(chosen) {
	keep$1("theme", chosen === "system" ? null : chosen);
	theme.value = chosen;
}
// src/words/language.ts
var language = y$1("en");
x$1(() => {
	document.documentElement.lang = language.value;
});
function choose(name) {
	keep$1("language", name);
	show$1(name);
}
function suggest(name) {
	const suggested = known$1(name);
	if (known$1(kept$1("language")) === void 0 && suggested !== void 0) show$1(suggested);
}
var loaders = [];
function dictionary(words) {
	const here = {};
	for (const name of LANGUAGES) {
		const given = words[name];
		if (typeof given !== "function") here[name] = given;
	}
	loaders.push((name) => {
		const given = words[name];
		if (here[name] !== void 0 || typeof given !== "function") return void 0;
		return given().then((found) => {
			here[name] = found;
		});
	});
	return () => here[language.value] ?? words.en;
}
var newest = "en";
async function show$1(name) {
	newest = name;
	try {
		await Promise.all(loaders.map((load) => load(name)));
	} catch {
		return;
	}
	if (newest === name) language.value = name;
}
function start() {
	return show$1(wanted);
}
var formats = new Map();
function format(name, options, seconds) {
	const key = `${language.value} ${name}`;
	let found = formats.get(key);
	if (found === void 0) {
		found = new Intl.DateTimeFormat(locale(language.value), options);
		formats.set(key, found);
	}
	return found.format(new Date(seconds * 1e3));
}
function clock(seconds) {
	return format("clock", {
		hour: "2-digit",
		minute: "2-digit"
	}, seconds);
}
function exactClock(seconds) {
	return format("exact", {
		hour: "2-digit",
		minute: "2-digit",
		second: "2-digit"
	}, seconds);
}
function day(seconds) {
	return format("day", {
		day: "numeric",
		month: "long",
		year: "numeric"
	}, seconds);
}
function moment(seconds) {
	return format("moment", {
		day: "numeric",
		month: "short",
		hour: "2-digit",
		minute: "2-digit",
		second: "2-digit"
	}, seconds);
}
function shortMoment(seconds) {
	const [then, now] = [new Date(seconds * 1e3), new Date()];
	if (then.toDateString() === now.toDateString()) return clock(seconds);
	if (then.getFullYear() === now.getFullYear()) return format("short", {
		day: "numeric",
		month: "short"
	}, seconds);
	return format("old", {
		day: "numeric",
		month: "short",
		year: "numeric"
	}, seconds);
}
function age(seconds) {
	const minutes = Math.max(0, Math.floor((Date.now() / 1e3 - seconds) / 60));
	const [value, unit] = minutes < 60 ? [minutes, "minute"] : minutes < 2880 ? [Math.floor(minutes / 60), "hour"] : [Math.floor(minutes / 1440), "day"];
	return new Intl.NumberFormat(language.value, {
		style: "unit",
		unit,
		unitDisplay: "short"
	}).format(value);
}
function recentMoment(seconds) {
	return new Date(seconds * 1e3).toDateString() === new Date().toDateString() ? exactClock(seconds) : moment(seconds);
}
function number(value) {
	return new Intl.NumberFormat(language.value).format(value);
}
function bytes(value) {
	const units = [
		"byte",
		"kilobyte",
		"megabyte",
		"gigabyte"
	];
	const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
	const options = {
		style: "unit",
		unit: units[step] ?? "byte",
		unitDisplay: "short",
		maximumFractionDigits: 1
	};
	return new Intl.NumberFormat(language.value, options).format(value / 1e3 ** step);
}
// src/api/client.ts
var Problem = class extends Error {
	status;
	detail;
	items;
	retryAfter;
	parts;
	constructor(status, detail, items = [], retryAfter, parts = {}) {
		super(detail);
		this.parts = parts;
		this.status = status;
		this.detail = detail;
		this.items = items;
		this.retryAfter = retryAfter;
	}
	about(path) {
		return this.items.flatMap((item) => item.errors).find((wrong) => wrong.path === path)?.detail;
	}
};
function address(path, query = {}) {
	const given = Object.entries(query).flatMap(([name, value]) => value === void 0 || value === "" ? [] : [[name, String(value)]]);
	return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}
async function ask(path, how = {}) {
	const text = await askText(path, how);
	return text === "" ? void 0 : JSON.parse(text);
}
async function askText(path, how = {}) {
	const method = how.method ?? "GET";
	const headers = {
		...AS_USER.headers,
		...how.headers
	};
	if (how.bearer !== void 0) headers.Authorization = `Bearer ${how.bearer}`;
	else if (method !== "GET" && csrf.value !== void 0) headers["X-CSRF-Token"] = csrf.value;
	let body;
	if (how.body instanceof FormData) body = how.body;
	else if (how.body !== void 0) {
		headers["Content-Type"] = "application/json";
		body = JSON.stringify(how.body);
	}
	const init = {
		...AS_USER,
		method,
		headers
	};
	if (body !== void 0) init.body = body;
	if (how.signal !== void 0) init.signal = how.signal;
	let response;
	let text = "";
	try {
		const where = address(path, how.query);
		response = await ((method === "GET" && how.bearer === void 0 ? taken(where) : void 0) ?? fetch(where, init));
		if (response.ok) text = await response.text();
	} catch (failure) {
		if (failure instanceof DOMException && failure.name === "AbortError") throw failure;
		throw new Problem(0, "");
	}
	if (response.ok) return text;
	const problem = await told$1(response);
	if (response.status === 401 && how.bearer === void 0 && path !== "/inbox/v1/session") signedOut();
	throw problem;
}
async function told$1(response) {
	const wait = Number(response.headers.get("Retry-After") ?? NaN);
	const retryAfter = Number.isFinite(wait) ? wait : void 0;
	try {
		const { detail = response.statusText, "validation-errors": items = [], ...parts } = await response.json();
		return new Problem(response.status, detail, items, retryAfter, parts);
	} catch {
		return new Problem(response.status, response.statusText, [], retryAfter);
	}
}
function isAborted(failure) {
	return failure instanceof DOMException && failure.name === "AbortError";
}
function asProblem(failure) {
	if (failure instanceof Problem) return failure;
	return new Problem(-1, failure instanceof Error ? failure.message : String(failure));
}
// src/api/session.ts
var me = y$1(void 0);
var csrf = O(() => me.value?.csrf_token ?? void 0);
var isAdministrator = O(() => me.value?.user.rights.is_admin ?? false);
var hasWorlds = O(() => me.value?.has_worlds ?? false);
var command = (words) => `${me.value?.program ?? "switchboard"} ${words}`;
var ended = y$1(false);
var leaving = y$1(false);
var isNew = y$1(false);
var unknown = y$1(void 0);
function enter(found) {
	suggest(found.user.lang);
	ended.value = false;
	leaving.value = false;
	unknown.value = void 0;
	me.value = found;
}
async function recall$1() {
	try {
		enter(await ask("/inbox/v1/me"));
	} catch (failure) {
		forgetBegun();
		if (failure instanceof Problem && failure.status === 401) me.value = null;
		else unknown.value = failure instanceof Problem ? failure : new Problem(-1, String(failure));
	}
}
async function signIn(email, password, account) {
	enter(await ask("/inbox/v1/session", {
		method: "POST",
		body: {
			email,
			password,
			...account === "" ? {} : { account_id: account }
		}
	}));
	isNew.value = true;
}
async function signOut() {
	await ask("/inbox/v1/session", { method: "DELETE" });
	leaving.value = true;
	me.value = null;
}
function signedOut() {
	if (me.peek() !== null && me.peek() !== void 0) ended.value = true;
	me.value = null;
}
var renewed = new BroadcastChannel("switchboard.session");
renewed.addEventListener("message", () => void recall$1());
async function changeMe(body) {
	enter(await ask("/inbox/v1/me", {
		method: "PATCH",
		body
	}));
}
async function changePassword(current, password) {
	enter(await ask("/inbox/v1/me/password", {
		method: "POST",
		body: {
			current_password: current,
			password
		}
	}));
	renewed.postMessage("renewed");
}
// src/live/events.ts
var connection = y$1({
	is: "connecting",
	again: false
});
var paused = y$1(false);
var listeners = new Map();
function on(kind, listener) {
	const known = listeners.get(kind) ?? new Set();
	listeners.set(kind, known);
	known.add(listener);
	return () => known.delete(listener);
}
var early = [];
function tell$1(kind, data) {
	const known = listeners.get(kind);
	if (known === void 0) early = early?.concat({
		kind,
		data
	}).slice(-100);
	for (const listener of known ?? []) listener(data);
}
function tellEarly() {
	const missed = early ?? [];
	early = void 0;
	for (const { kind, data } of missed) tell$1(kind, data);
}
function whenBack(failed, work) {
	return on("back", () => {
		const status = failed()?.status;
		if (status === 0 || status !== void 0 && status >= 500) work();
	});
}
var SILENCE = 4e4;
var STALE = 8e3;
var HIDDEN = 1e4;
var WAITS = [
	250,
	1e3,
	2e3,
	4e3,
	8e3,
	15e3
];
var whileHidden = { keeps: () => false };
var last;
var line;
var failures = 0;
var lostAt;
var wasLive = false;
var timer;
var staleTimer;
var hiddenTimer;
var now = () => Math.floor(Date.now() / 1e3);
function lost() {
	lostAt ??= now();
	if (connection.peek().is === "stale") return;
	connection.value = {
		is: "connecting",
		again: wasLive
	};
	const since = lostAt;
	staleTimer ??= setTimeout(() => {
		if (lostAt !== void 0) connection.value = {
			is: "stale",
			since
		};
	}, STALE);
}
function found() {
	clearTimeout(staleTimer);
	staleTimer = void 0;
	const wasLost = lostAt !== void 0;
	lostAt = void 0;
	failures = 0;
	wasLive = true;
	connection.value = { is: "live" };
	if (wasLost) tell$1("back", {});
}
function connect() {
	stop();
	if (paused.peek()) return;
	line = new AbortController();
	read$4(line);
}
function stop() {
	clearTimeout(timer);
	line?.abort();
	line = void 0;
}
function disconnect() {
	stop();
	clearTimeout(staleTimer);
	staleTimer = void 0;
	[last, lostAt, failures, wasLive] = [
		void 0,
		void 0,
		0,
		false
	];
	early &&= [];
	paused.value = false;
	connection.value = { is: "signed-out" };
}
function pause(on) {
	paused.value = on;
	if (on) {
		stop();
		clearTimeout(staleTimer);
		staleTimer = void 0;
		connection.value = {
			is: "paused",
			since: now()
		};
	} else {
		connection.value = {
			is: "connecting",
			again: wasLive
		};
		connect();
	}
}
async function read$4(mine) {
	if (connection.peek().is !== "live") lost();
	let watchdog;
	const alive = () => {
		clearTimeout(watchdog);
		watchdog = setTimeout(() => mine.abort("silent"), SILENCE);
	};
	try {
		alive();
		const headers = { Accept: "text/event-stream" };
		last ??= await takenLastEvent();
		if (last !== void 0) headers["Last-Event-ID"] = last;
		const response = await fetch("/inbox/v1/events", {
			headers,
			credentials: "same-origin",
			cache: "no-store",
			signal: mine.signal
		});
		if (response.status === 401) return signedOut();
		if (!response.ok || response.body === null) throw new Error(`the feed answered ${response.status}`);
		const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
		let text = "";
		for (;;) {
			const { done, value } = await reader.read();
			if (done) break;
			alive();
			text += value;
			const blocks = text.split("\n\n");
			text = blocks.pop() ?? "";
			for (const block of blocks) take$1(block);
		}
	} catch {} finally {
		clearTimeout(watchdog);
	}
	if (line !== mine) return;
	line = void 0;
	lost();
	const wait = WAITS[Math.min(failures, WAITS.length - 1)] ?? 15e3;
	failures += 1;
	timer = setTimeout(() => void again$1(), wait);
}
async function again$1() {
	if (me.peek() === null) return;
	connect();
}
function take$1(block) {
	let kind = "message";
	let data = "";
	for (const row of block.split("\n")) {
		const [field, value] = [row.slice(0, row.indexOf(":")), row.slice(row.indexOf(":") + 1).trimStart()];
		if (field === "id") last = value;
		else if (field === "event") kind = value;
		else if (field === "data") data += value;
	}
	if (data === "") return;
	if (kind === "ready") found();
	try {
		tell$1(kind, JSON.parse(data));
	} catch (failure) {
		console.warn("an event of the feed was not understood", kind, asProblem(failure).message);
	}
}
addEventListener("online", () => {
	if (lostAt !== void 0 && me.peek() !== null && me.peek() !== void 0) connect();
});
document.addEventListener("visibilitychange", () => {
	clearTimeout(hiddenTimer);
	if (me.peek() === null || me.peek() === void 0 || paused.peek()) return;
	if (!document.hidden) resume();
	else hiddenTimer = setTimeout(() => {
		if (!whileHidden.keeps()) stop();
	}, HIDDEN);
});
function resume() {
	if (line === void 0) connect();
}
async function refresh$1() {
	failures = 0;
	connect();
	try {
		await ask("/inbox/v1/me");
		tell$1("reset", {});
	} catch (failure) {
		if (!isAborted(failure)) lost();
	}
}
// src/words/shell.ts
var shell = dictionary({
	en: {
		product: "switchboard",
		skip: "Skip to the content",
		navigation: "Pages",
		more: "More",
		developer: "Operator",
		nav: {
			inbox: "Inbox",
			unsorted: "Unsorted leads",
			contacts: "Contacts",
			users: "Users",
			roles: "Roles",
			rights: "Rights check",
			integrations: "Integrations",
			webhooks: "Webhooks",
			callbacks: "Callbacks",
			hooks: "Hooks",
			relays: "Relays",
			requests: "Requests",
			channels: "Channels",
			oauthClients: "OAuth clients",
			health: "Health",
			worlds: "Worlds",
			api: "API"
		},
		connection: {
			label: "Connection",
			live: "Live",
			connecting: "Connecting…",
			reconnecting: "Reconnecting…",
			stale: (since) => `Stale since ${since}`,
			paused: (since) => `Paused at ${since}`,
			refresh: "Refresh",
			resume: "Resume updates",
			"signed-out": "Signed out"
		},
		language: "Language",
		theme: {
			label: "Theme",
			system: "System",
			light: "Light",
			dark: "Dark"
		},
		account: "Your account",
		administrator: "administrator",
		profile: "Profile and notifications",
		signOut: "Sign out",
		signIn: {
			title: "Sign in",
			email: "E-mail",
			password: "Password",
			account: "Account id",
			accountHint: "Required only if several accounts use your e-mail address. An administrator of the account knows the id.",
			several: "Several accounts use my e-mail address",
			submit: "Sign in",
			wrong: "The e-mail address or the password is wrong.",
			throttled: (wait) => `Too many failed attempts. Try again in ${wait}.`,
			ended: "Your session has ended. The console kept your unsent text."
		},
		page: {
			missing: "Page not found",
			missingText: "There is no page at this address.",
			home: "Go to the inbox"
		},
		shortcuts: {
			open: "Shortcuts",
			help: "this list",
			pause: "pause or resume live updates",
			goto: (page) => `go to: ${page}`,
			search: "search"
		},
		problem: {
			unreachable: "The service is unreachable",
			unreachableText: "The service may be restarting. The page shows the last known data.",
			400: "Invalid request",
			401: "Not signed in",
			403: "No right for this",
			404: "Not found",
			409: "Conflict with the current state",
			413: "Too large",
			429: "Too many requests",
			503: "The service is unavailable",
			other: (status) => `The service answered with status ${status}`,
			ours: "Error in the console",
			retry: "Try again",
			wait: (wait) => `Try again in ${wait}.`,
			noRight: "An administrator of the account can give you this right in a role or in your user record."
		},
		rights: {
			none: "No entries within your rights",
			text: "You see only what your rights cover. An administrator of the account can extend them."
		},
		operator: {
			title: "For the operator",
			text: "This page uses the operator interface. The browser stores the token until you sign out or close the last tab of the console.",
			token: "Operator token",
			submit: "Continue",
			wrong: "The operator token is wrong.",
			hint: "The value of operator.token in config.toml, or the token that the first start printed.",
			leave: "Delete the operator token"
		},
		copy: "Copy",
		copied: "Copied",
		close: "Close",
		cancel: "Cancel",
		save: "Save",
		saved: "Saved",
		search: "Search",
		clear: "Clear the filter",
		loading: "Loading…",
		loadMore: "Show more",
		command: "In a terminal:",
		seconds: (count) => counted$1("en", count, {
			one: "second",
			other: "seconds"
		}),
		minutes: (count) => counted$1("en", count, {
			one: "minute",
			other: "minutes"
		})
	},
	ru: () => __vitePreload(() => import("./words-ru.js").then((words) => words.shell), __vite__mapDeps([0,1])),
	es: () => __vitePreload(() => import("./words-es.js").then((words) => words.shell), __vite__mapDeps([2,1]))
});
function lasting(seconds) {
	return seconds < 120 ? shell().seconds(Math.ceil(seconds)) : shell().minutes(Math.ceil(seconds / 60));
}
// node_modules/preact/jsx-runtime/dist/jsxRuntime.mjs
var f = Symbol.for("pv");
var o = 0;
Array.isArray;
function a(t, e, n, u, a, i) {
	e || (e = {});
	var c, l, p = e;
	if ("ref" in p && "function" != typeof t) for (l in p = {}, e) "ref" == l ? c = e[l] : p[l] = e[l];
	var s = {
		type: t,
		props: p,
		key: n,
		ref: c,
		__k: null,
		__: null,
		__b: 0,
		__e: null,
		__c: null,
		constructor: f,
		__v: --o,
		__i: -1,
		__u: 0
	};
	return (a || i) && (s.__source = a, s.__self = i), n$1.vnode && n$1.vnode(s), s;
}
// src/parts/icon.tsx
var PATHS = {
	inbox: "M3 13l3-8h12l3 8v6H3zM3 13h5l1.5 3h5L16 13h5",
	leads: "M4 4h6v16H4zM14 4h6v10h-6z",
	contacts: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 20c1-4 4-6 8-6s7 2 8 6",
	users: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20c.8-3.6 3.2-5.5 6.5-5.5s5.7 1.9 6.5 5.5M16 4.5a3.5 3.5 0 0 1 0 6.5M18 15c2 .8 3.2 2.5 3.5 5",
	roles: "M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6zM9 12l2 2 4-4",
	rights: "M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.1M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z",
	callbacks: "M4 8h13l-3-3M20 16H7l3 3",
	requests: "M12 3v11m0 0l-4-4m4 4l4-4M4 15v5h16v-5",
	channels: "M9 4L7 20M17 4l-2 16M4 9h16M4 15h16",
	health: "M3 12h4l3-7 4 14 3-7h4",
	unread: "M3 6h12M3 6v12h18v-7M3 6l9 7 4-3M19 7a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
	search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.6-4.6",
	plus: "M12 5v14M5 12h14",
	close: "M6 6l12 12M18 6L6 18",
	back: "M15 5l-7 7 7 7",
	attach: "M20 11l-8.5 8.5a5 5 0 0 1-7-7L13 4a3.4 3.4 0 0 1 5 5l-8.5 8.5a1.7 1.7 0 0 1-2.5-2.5L15 7",
	send: "M4 12l16-8-5 16-3-7z",
	copy: "M9 9h11v11H9zM15 9V4H4v11h5",
	check: "M5 12.5l4.5 4.5L19 7.5",
	checks: "M2 12.5l4.5 4.5L16 7.5M11 15.5l1.5 1.5L22 7.5",
	clock: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3.5 2",
	retry: "M20 11a8 8 0 1 0-2.3 6M20 5v6h-6",
	warning: "M12 4l9.5 16h-19zM12 10v5M12 17.5v.1",
	stopped: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM5.7 5.7l12.6 12.6",
	paused: "M9 5v14M15 5v14",
	file: "M6 3h8l4 4v14H6zM14 3v4h4",
	picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9.5v.1",
	more: "M5 12v.1M12 12v.1M19 12v.1",
	menu: "M4 7h16M4 12h16M4 17h16",
	sun: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2v3M12 19v3M2 12h3M19 12h3M5 5l2 2M17 17l2 2M5 19l2-2M17 7l2-2",
	keyboard: "M3 6h18v12H3zM7 10v.1M11 10v.1M15 10v.1M8 14h8",
	edit: "M4 20l1-4L16 5l3 3L8 19z",
	trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
	link: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
	place: "M12 21c-4-5-6-8-6-11a6 6 0 0 1 12 0c0 3-2 6-6 11zM12 12a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
	braces: "M9 4c-3 0-3 2-3 4s0 4-3 4c3 0 3 2 3 4s0 4 3 4M15 4c3 0 3 2 3 4s0 4 3 4c-3 0-3 2-3 4s0 4-3 4",
	plug: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
	key: "M8 19a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11 12l9-9M16 7l3 3",
	worlds: "M12 17.5a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM16.6 8.9c2.7-.8 4.5-.8 4.9.3.6 1.7-3.2 4.6-8.5 6.5s-10.1 2.1-10.5.4c-.4-1.1 1-2.7 3.3-4.3",
	globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18"
};
function Icon({ name }) {
	return a("svg", {
		class: "icon",
		viewBox: "0 0 24 24",
		width: "18",
		height: "18",
		"aria-hidden": "true",
		focusable: "false",
		children: a("path", { d: PATHS[name] })
	});
}
// src/parts/button.tsx
function Button({ look = "plain", icon, label, busy = false, children, onClick, ...rest }) {
	return a("button", {
		type: "button",
		...rest,
		class: `button ${look}${children === void 0 ? " bare" : ""}`,
		"aria-label": label ?? rest["aria-label"],
		title: label,
		"aria-busy": busy || void 0,
		"aria-disabled": busy || void 0,
		onClick: (event) => {
			if (busy) event.preventDefault();
			else if (typeof onClick === "function") onClick(event);
		},
		children: [icon !== void 0 && a(Icon, { name: icon }), children !== void 0 && a("span", { children })]
	});
}
// src/parts/problem.tsx
function heading(problem) {
	const words = shell().problem;
	return {
		[-1]: words.ours,
		0: words.unreachable,
		400: words[400],
		401: words[401],
		403: words[403],
		404: words[404],
		409: words[409],
		413: words[413],
		429: words[429],
		503: words[503]
	}[problem.status] ?? words.other(problem.status);
}
function ProblemNote({ problem, retry }) {
	const words = shell().problem;
	const wrong = problem.items.flatMap((item) => item.errors.map((error) => ({
		...error,
		item: problem.items.length > 1 ? item.request_id : ""
	})));
	return a("div", {
		class: "problem",
		role: "alert",
		children: [a(Icon, { name: "warning" }), a("div", { children: [
			a("strong", { children: heading(problem) }),
			problem.status === 0 ? a("p", { children: words.unreachableText }) : a("p", {
				lang: "en",
				children: problem.detail
			}),
			problem.status === 403 && a("p", { children: words.noRight }),
			problem.retryAfter !== void 0 && a("p", { children: words.wait(lasting(problem.retryAfter)) }),
			wrong.length > 0 && a("ul", { children: wrong.map((error, at) => a("li", { children: [
				(error.item !== "" || error.path !== "") && a("code", { children: [error.item, error.path].filter(Boolean).join(": ") }),
				" ",
				a("span", {
					lang: "en",
					children: error.detail
				})
			] }, at)) }),
			retry !== void 0 && a(Button, {
				icon: "retry",
				onClick: retry,
				children: words.retry
			})
		] })]
	});
}
// src/parts/skeleton.tsx
function Skeleton({ rows = 6 }) {
	return a("div", {
		class: "skeleton",
		role: "status",
		children: [a("span", {
			class: "unseen",
			children: shell().loading
		}), Array.from({ length: rows }, (_, at) => a("div", {}, at))]
	});
}
// src/parts/later.tsx
function later$1(load) {
	let found;
	return function Later(props) {
		const [, again] = d$2(0);
		const [problem, fail] = d$2(void 0);
		const fetch = () => {
			fail(void 0);
			load().then((component) => {
				found = component;
				again((count) => count + 1);
			}).catch((failure) => fail(new Problem(0, String(failure))));
		};
		A$1(() => {
			if (found === void 0) fetch();
		}, []);
		const failed = T$1(problem);
		failed.current = problem;
		A$1(() => on("back", () => failed.current !== void 0 && fetch()), []);
		const Found = found;
		if (Found !== void 0) return a(Found, { ...props });
		return problem === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
			problem,
			retry: fetch
		});
	};
}
// src/areas/callbacks/area.ts
var callbacks = {
	pages: [{
		at: "/callbacks/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.CallbacksPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
	}],
	entries: [{
		to: "/callbacks",
		icon: "callbacks",
		says: () => shell().nav.callbacks,
		group: "operator",
		key: "KeyC"
	}]
};
// src/areas/channels/area.ts
var channels = {
	pages: [{
		at: "/channels/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.ChannelsPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
	}],
	entries: [{
		to: "/channels",
		icon: "channels",
		says: () => shell().nav.channels,
		group: "operator",
		key: "KeyN"
	}]
};
// src/areas/contacts/area.ts
var contacts = {
	pages: [{
		at: "/contacts/:id?",
		shows: later$1(() => __vitePreload(() => import("./work.js").then((pages) => pages.ContactsPage), __vite__mapDeps([10,1,4,5,11])))
	}],
	entries: [{
		to: "/contacts",
		icon: "contacts",
		says: () => shell().nav.contacts,
		group: "work",
		key: "KeyP"
	}]
};
// src/live/counts.ts
var NONE = {
	count: 0,
	capped: false
};
var NOTHING = {
	unread: NONE,
	failed: NONE,
	unsorted: NONE,
	disabled_webhooks: NONE
};
var counts = y$1(NOTHING);
var counted = ({ count, capped }) => `${number(count)}${capped ? "+" : ""}`;
var COLLECT$1 = 1e3;
var CAUSES = [
	"message",
	"read",
	"marked",
	"changed",
	"lead",
	"delivery",
	"callback",
	"webhook",
	"reset",
	"back"
];
var collecting$1;
var asking = false;
var again = false;
function recount() {
	collecting$1 ??= setTimeout(() => {
		collecting$1 = void 0;
		read$3();
	}, COLLECT$1);
}
async function read$3() {
	if (asking) {
		again = true;
		return;
	}
	const who = me.peek();
	if (who === null || who === void 0) return;
	asking = true;
	try {
		const answer = await ask("/inbox/v1/counts");
		if (me.peek()?.chat_id === who.chat_id) counts.value = answer;
	} catch (failure) {
		if (!(failure instanceof Problem)) throw failure;
	}
	asking = false;
	if (again) {
		again = false;
		recount();
	}
}
for (const cause of CAUSES) on(cause, recount);
x$1(() => {
	if (me.value === null) counts.value = NOTHING;
	else if (me.value !== void 0) read$3();
});
// src/areas/leads/area.ts
var leads = {
	pages: [{
		at: "/unsorted",
		shows: later$1(() => __vitePreload(() => import("./work.js").then((pages) => pages.UnsortedPage), __vite__mapDeps([10,1,4,5,11])))
	}],
	entries: [{
		to: "/unsorted",
		icon: "leads",
		says: () => shell().nav.unsorted,
		group: "work",
		key: "KeyD",
		count: O(() => counts.value.unsorted)
	}]
};
// src/areas/hooks/area.ts
var hooks = {
	pages: [{
		at: "/hooks/:account?/:webhook?/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.HooksPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
	}],
	entries: [{
		to: "/hooks",
		icon: "link",
		says: () => shell().nav.hooks,
		group: "operator",
		key: "KeyB"
	}]
};
// src/areas/health/area.ts
var health = {
	pages: [{
		at: "/health",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.HealthPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
	}],
	entries: [{
		to: "/health",
		icon: "health",
		says: () => shell().nav.health,
		group: "operator",
		key: "KeyH"
	}]
};
// src/keys.ts
var shortcuts = y$1([]);
var letters = y$1(kept$1("letters") !== "off");
function switchLetters(on) {
	keep$1("letters", on ? null : "off");
	letters.value = on;
}
function useShortcuts(list) {
	const group = T$1(list);
	group.current = list;
	F$1(() => {
		shortcuts.value = [...shortcuts.peek(), group];
		return () => {
			shortcuts.value = shortcuts.peek().filter((known) => known !== group);
		};
	}, []);
}
var PAIR = 1500;
var first;
function name(event) {
	return [...[
		event.ctrlKey || event.metaKey ? "Control" : "",
		event.altKey ? "Alt" : "",
		event.shiftKey ? "Shift" : ""
	].filter((word) => word !== ""), event.code].join("+");
}
function isWriting(target) {
	if (!(target instanceof HTMLElement)) return false;
	return target.isContentEditable || target.matches("input:not([type=checkbox]):not([type=radio]), textarea, select");
}
function isElements(event) {
	if (!(event.target instanceof Element)) return false;
	return event.code === "Enter" && event.target.closest("a, button, summary, article") !== null;
}
function find$1(keys) {
	for (const group of [...shortcuts.peek()].reverse()) {
		const found = group.current.find((known) => known.keys === keys);
		if (found !== void 0) return found;
	}
}
function listenToKeys(root) {
	root.addEventListener("keydown", (event) => {
		if (event.defaultPrevented || event.isComposing || event.repeat && event.code.startsWith("Digit")) return;
		const pressed = name(event);
		if (!(event.ctrlKey || event.metaKey) && (isWriting(event.target) || !letters.peek() || event.altKey)) return;
		if (isElements(event)) return;
		if (root.querySelector("dialog[open]") !== null) return;
		const pair = first !== void 0 && event.timeStamp - first.at < PAIR ? find$1(`${first.code} ${pressed}`) : void 0;
		first = {
			code: pressed,
			at: event.timeStamp
		};
		const found = pair ?? find$1(pressed);
		if (found === void 0) return;
		first = void 0;
		event.preventDefault();
		found.run(event);
	});
}
function readable(keys) {
	const words = {
		Control: "Ctrl",
		"Shift+Slash": "?",
		Slash: "/",
		Period: ".",
		BracketLeft: "[",
		BracketRight: "]",
		ArrowDown: "↓",
		ArrowUp: "↑",
		Escape: "Esc"
	};
	const one = (key) => words[key] ?? key.split("+").map((part, at) => words[part] ?? cased(part.replace(/^Key|^Digit/, ""), at > 0)).join(" ");
	const cased = (part, isCombined) => part.length > 1 || isCombined ? part : part.toLowerCase();
	return keys.split(" ").map(one).join(" ");
}
// src/parts/empty.tsx
var Command = later$1(() => __vitePreload(() => import("./parts.js").then((n) => n.D).then((it) => it.Command), __vite__mapDeps([4,1,5])));
function Empty({ title, children, command: command$1, byRights = false }) {
	const words = shell();
	if (byRights && !isAdministrator.value) return a("div", {
		class: "empty",
		children: [a("p", {
			class: "title",
			children: words.rights.none
		}), a("p", { children: words.rights.text })]
	});
	return a("div", {
		class: "empty",
		children: [
			a("p", {
				class: "title",
				children: title
			}),
			children,
			command$1 !== void 0 && a($, { children: [a("p", {
				class: "soft",
				children: words.command
			}), a(Command, { text: command(command$1) })] })
		]
	});
}
// src/router.ts
var place = y$1(read$2());
var visits = y$1(0);
function read$2() {
	return {
		path: location.pathname,
		query: new URLSearchParams(location.search)
	};
}
function arrived() {
	place.value = read$2();
	visits.value += 1;
}
addEventListener("popstate", () => {
	const { path, query } = place.peek();
	if (location.pathname === path && new URLSearchParams(location.search).toString() === query.toString()) return;
	arrived();
});
function open(address, how = "push") {
	if (address === location.pathname + location.search) how = "replace";
	if (how === "replace") history.replaceState(null, "", address);
	else history.pushState(null, "", address);
	arrived();
}
function redirect(address) {
	history.replaceState(null, "", address);
	place.value = read$2();
}
function narrow(changes) {
	const query = new URLSearchParams(location.search);
	for (const [name, value] of Object.entries(changes)) if (value === null || value === "") query.delete(name);
	else query.set(name, value);
	const text = query.toString();
	history.replaceState(null, "", location.pathname + (text === "" ? "" : `?${text}`));
	place.value = read$2();
}
function match(pattern, path) {
	const [wanted, given] = [pattern.split("/"), path.split("/")];
	const found = {};
	if (given.length > wanted.length) return void 0;
	for (const [at, word] of wanted.entries()) {
		const value = given[at];
		if (word.startsWith(":")) {
			const optional = word.endsWith("?");
			const name = word.slice(1, optional ? -1 : void 0);
			if (value === void 0 || value === "") {
				if (!optional) return void 0;
			} else try {
				found[name] = decodeURIComponent(value);
			} catch {
				return;
			}
		} else if (word !== value) return;
	}
	return found;
}
function followLinks(root) {
	root.addEventListener("click", (event) => {
		const click = event;
		if (click.defaultPrevented || click.button !== 0) return;
		if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
		const link = click.target.closest("a");
		if (link === null || link.target !== "" || link.origin !== location.origin) return;
		if (link.hasAttribute("download") || link.getAttribute("href")?.startsWith("#")) return;
		if (link.dataset.leave !== void 0) return;
		click.preventDefault();
		open(link.pathname + link.search);
	});
}
// src/title.ts
var shown$1 = y$1("");
function nameWindow(words) {
	shown$1.value = words.filter((word) => word !== void 0 && word !== "").join(" · ");
}
x$1(() => {
	const { unread } = counts.value;
	if (shown$1.value !== "") document.title = unread.count === 0 ? shown$1.value : `(${counted(unread)}) ${shown$1.value}`;
});
// src/parts/page.tsx
function Page({ title, about, actions, children, fills = false }) {
	const heading = T$1(null);
	A$1(() => {
		nameWindow([
			about,
			title,
			shell().product
		]);
	}, [about, title]);
	A$1(() => {
		if (visits.peek() > 0) heading.current?.focus({ preventScroll: true });
	}, []);
	return a("div", {
		class: fills ? "page fills" : "page",
		children: [a("header", {
			class: "page-head",
			children: [a("h1", {
				ref: heading,
				tabIndex: -1,
				children: title
			}), actions !== void 0 && a("div", {
				class: "page-actions",
				children: actions
			})]
		}), children]
	});
}
// src/words/inbox.ts
var inbox$1 = dictionary({
	en: {
		title: "Inbox",
		list: {
			label: "Conversations",
			skip: "Skip to the list of conversations",
			search: "Search conversations",
			filter: "Filter conversations",
			filters: {
				all: "All",
				mine: "Mine",
				unread: "Unread",
				failed: "Failed"
			},
			states: {
				snoozed: "Snoozed",
				closed: "Closed"
			},
			fresh: (count) => `${count} new`,
			unread: (count) => counted$1("en", count, {
				one: "unread message",
				other: "unread messages"
			}),
			empty: "No conversations yet",
			emptyText: "A message from a customer opens a conversation. Send a message through the demo channel:",
			nothing: {
				all: "No conversations found.",
				mine: "No conversation is assigned to you. Reply in one or accept its lead.",
				unread: "No unread messages.",
				failed: "No failed messages."
			},
			you: "You",
			typing: "is writing…",
			noMessages: "no messages",
			nothingSoFar: "No conversations found so far.",
			further: "Search older conversations",
			searchedTo: {
				conversations: (time) => `Names and numbers searched back to ${time}.`,
				messages: (time) => `Texts searched back to ${time}.`
			},
			next: "next conversation",
			previous: "previous conversation",
			nextUnread: "next unread conversation",
			failed: "Failed",
			retrying: "Retrying",
			unsent: "Not sent"
		},
		first: { open: "Start conversation" },
		choose: {
			title: "Choose a conversation",
			newest: "opens the newest unread conversation"
		},
		thread: {
			label: (name) => `Messages with ${name}`,
			older: "Show older messages",
			begin: "Start of the conversation",
			newest: "New",
			today: "Today",
			yesterday: "Yesterday",
			silent: (count) => `${counted$1("en", count, {
				one: "imported message",
				other: "imported messages"
			})}, silent`,
			show: "show",
			hide: "hide",
			fresh: (count) => counted$1("en", count, {
				one: "new message",
				other: "new messages"
			}),
			toEnd: "Go to the newest",
			typing: (name) => `${name} is writing…`,
			from: (name) => `from ${name}`,
			through: (name, client) => `${name} via ${client}`,
			bot: (name) => `${name} (bot)`,
			imported: "imported",
			silentMark: "silent",
			edited: "edited",
			forwarded: "Forwarded",
			coordinates: "Coordinates",
			elsewhere: "The customer’s messenger stores the file. This page does not load it automatically.",
			openFile: "Open the file",
			unfold: (count) => `Show all ${new Intl.NumberFormat("en").format(count)} characters`,
			fold: "Show less",
			unreachable: "The service cannot fetch the file:",
			missing: "This conversation does not exist, or you have no right to view it.",
			back: "Back to the list",
			markUnread: "Mark unread",
			details: "Details",
			arrived: (name, text) => `${name}: ${text}`
		},
		state: {
			queued: "Queued",
			sending: "Sending…",
			waiting: (attempt) => `Retrying after ${counted$1("en", attempt, {
				one: "attempt",
				other: "attempts"
			})}`,
			next: (time) => `next attempt ${time}`,
			held: "Held",
			sent: "Sent",
			delivered: "Delivered",
			read: "Read",
			error: (code) => `Failed · ${code}`,
			dead: "Failed · not accepted by the integration",
			cancelled: "Not sent",
			again: "Send again",
			withdraw: "Do not send this",
			dismiss: "Leave it",
			see: "Show the callback",
			901: "the customer deleted the conversation",
			902: "the integration is disabled in the messenger",
			903: "internal error of the messenger",
			904: "the conversation cannot be created: the customer may not use the messenger",
			905: "the integration gave no detailed reason",
			said: (text) => `“${text}”`,
			announce: (state) => `Your message: ${state}`
		},
		compose: {
			label: "Your reply",
			placeholder: "Write a reply…",
			send: "Send",
			hint: "Ctrl Enter sends",
			draft: "Draft saved",
			attach: "Attach a file",
			remove: "Remove the file",
			tooLarge: (size, most) => `The file is ${size}. Files of up to ${most} can be sent.`,
			uploading: "Uploading…",
			failed: "Not sent. The text stays here until you send or discard it.",
			retry: "Try again",
			discard: "Discard the message",
			focus: "write a reply",
			leave: "leave the reply and keep the draft",
			sending: "Sending…"
		},
		details: {
			title: "Details",
			close: "Close the details",
			customer: "Customer",
			phone: "Phone",
			email: "E-mail",
			profile: "Profile",
			untold: "Not given",
			lead: "Lead",
			stage: "Stage",
			responsible: "Responsible user",
			noLead: {
				only_silent: (count) => count === 1 ? "No lead: the only message is silent. A message that is not silent opens a lead." : `No lead: all ${count} messages are silent. A message that is not silent opens a lead.`,
				only_ours: "No lead: the customer has not written yet. The first message of the customer opens a lead.",
				no_messages: "No lead: the conversation has no messages yet."
			},
			ids: "Ids",
			conversation: "Conversation",
			person: "Customer",
			scope: "Scope",
			own: "Internal id",
			callbacks: "Show the callbacks",
			contacts: "Show the contacts"
		},
		kinds: {
			text: "Text",
			picture: "Picture",
			video: "Video",
			file: "File",
			voice: "Voice message",
			audio: "Audio",
			sticker: "Sticker",
			contact: "Contact card",
			location: "Location"
		}
	},
	ru: () => __vitePreload(() => import("./words-ru.js").then((words) => words.inbox), __vite__mapDeps([0,1])),
	es: () => __vitePreload(() => import("./words-es.js").then((words) => words.inbox), __vite__mapDeps([2,1]))
});
// src/parts/choices.tsx
function Choices({ label, value, options, onChoose }) {
	return a("div", {
		class: "choices",
		role: "group",
		"aria-label": label,
		children: options.map((option) => a("button", {
			type: "button",
			"aria-pressed": option.value === value,
			onClick: () => onChoose(option.value),
			children: [option.says, option.count !== void 0 && option.count.count > 0 && a("span", {
				class: "count",
				children: counted(option.count)
			})]
		}, option.value))
	});
}
// src/parts/skip.ts
var target = y$1(void 0);
function useSkipTo(id, says, hasRows) {
	A$1(() => {
		if (!hasRows) return void 0;
		target.value = {
			id,
			says
		};
		return () => {
			target.value = void 0;
		};
	}, [id, hasRows]);
}
// src/parts/window.tsx
var SPARE = 8;
function WindowedList({ rows, height, keyOf, render, label, id, onEnd, onTop, children }) {
	const scroller = T$1(null);
	const seen = useSignal({
		first: 0,
		count: 30
	});
	const look = () => {
		const element = scroller.current;
		if (element === null) return;
		const first = Math.max(0, Math.floor(element.scrollTop / height) - SPARE);
		const count = Math.ceil(element.clientHeight / height) + 16;
		const before = seen.peek();
		if (before.first !== first || before.count !== count) seen.value = {
			first,
			count
		};
		onTop?.(element.scrollTop < height / 2);
		if (element.scrollTop + element.clientHeight > (rows.length - 20) * height) onEnd?.();
	};
	const newest = T$1(look);
	newest.current = look;
	A$1(() => {
		const watcher = new ResizeObserver(() => newest.current());
		if (scroller.current !== null) watcher.observe(scroller.current);
		return () => watcher.disconnect();
	}, []);
	A$1(() => newest.current(), [rows.length]);
	const { first, count } = seen.value;
	const shown = rows.slice(first, first + count);
	return a("div", {
		class: "windowed",
		ref: scroller,
		onScroll: look,
		"data-scroller": true,
		children: [a("ul", {
			id,
			tabIndex: id === void 0 ? void 0 : -1,
			"aria-label": label,
			style: { height: `${rows.length * height}px` },
			children: shown.map((row, at) => a("li", {
				style: {
					height: `${height}px`,
					transform: `translateY(${(first + at) * height}px)`
				},
				"aria-setsize": rows.length,
				"aria-posinset": first + at + 1,
				children: render(row, first + at)
			}, keyOf(row)))
		}), children]
	});
}
function reveal(scroller, at, height) {
	if (scroller === null) return;
	const [top, bottom] = [at * height, (at + 1) * height];
	if (top < scroller.scrollTop) scroller.scrollTop = top;
	else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
}
// src/areas/inbox/list/filters.ts
var FILTERS = [
	"all",
	"mine",
	"unread",
	"failed"
];
var ALL_FILTERS = [...FILTERS, "mentioned"];
var USERS = [
	"all",
	"me",
	"none"
];
var STATUSES = [
	"all",
	"open",
	"waiting",
	"snoozed",
	"closed"
];
var WHOLE = {
	filter: "all",
	responsible: "all",
	status: "all",
	channel: "",
	tag: "",
	view: "",
	query: ""
};
var narrowing = y$1(WHOLE);
var ofView = y$1({});
var shown = O(() => ({
	...narrowing.value,
	...ofView.value
}));
var unlessAll = (value) => value === "all" ? "" : value;
function parameters({ filter, responsible, status, query, ...others }) {
	return {
		show: unlessAll(filter),
		responsible: unlessAll(responsible),
		status: unlessAll(status),
		...others,
		q: query.trim()
	};
}
function addressOf(id, narrowed = narrowing.value) {
	return address(id === void 0 ? "/conversations" : `/conversations/${id}`, parameters(narrowed));
}
var isWhole = () => addressOf() === "/conversations";
function take(query) {
	const one = (all, name) => all.find((it) => it === query.get(name)) ?? "all";
	const text = (name) => query.get(name) ?? "";
	const wanted = {
		filter: one(ALL_FILTERS, "show"),
		responsible: one(USERS, "responsible"),
		status: one(STATUSES, "status"),
		channel: text("channel"),
		tag: text("tag"),
		view: text("view"),
		query: text("q")
	};
	if (addressOf("", wanted) === addressOf("", narrowing.peek())) return false;
	narrowing.value = wanted;
	return true;
}
// src/parts/outside.tsx
function webAddress(text) {
	try {
		const url = new URL(text ?? "");
		return url.protocol === "https:" || url.protocol === "http:" ? url.href : void 0;
	} catch {
		return;
	}
}
function Outside({ to, children }) {
	const address = webAddress(to);
	if (address === void 0) return a("span", { children });
	return a("a", {
		href: address,
		target: "_blank",
		rel: "noopener noreferrer nofollow",
		children
	});
}
function ownPath(address) {
	try {
		const { pathname, protocol } = new URL(address ?? "");
		return protocol.startsWith("http") && /^\/media\/[0-9a-f-]{16,}\/[^/]+(\/thumbnail)?$/.test(pathname) ? pathname : void 0;
	} catch {
		return;
	}
}
// src/parts/visible.ts
var SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;
function isVisible(text) {
	return text !== null && text !== void 0 && SEEN.test(text);
}
// src/parts/initials.tsx
function Initials({ name, picture }) {
	const own = ownPath(picture);
	if (own !== void 0) return a("img", {
		class: "initials",
		src: own,
		alt: "",
		width: "30",
		height: "30",
		loading: "lazy"
	});
	const letters = name.trim().split(/\s+/u).slice(0, 2).map((word) => [...word].find(isVisible)?.toUpperCase() ?? "").join("");
	return a("span", {
		class: `initials tone-${[...name].reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) % 6, 0)}`,
		"aria-hidden": "true",
		children: letters === "" ? "?" : letters
	});
}
// src/api/writings.ts
var KINDS = ["draft", "unsent"];
var own = (kind, rest) => `${kind}.${me.peek()?.chat_id ?? ""}.${rest}`;
function keepWriting(kind, name, text) {
	return keep$1(own(kind, name), text);
}
function writing(kind, name) {
	return kept$1(own(kind, name));
}
function writings(kind, beginning = "") {
	const prefix = own(kind, "");
	return keptNames(prefix + beginning).flatMap((name) => {
		const text = kept$1(name);
		return text === null ? [] : [{
			name: name.slice(prefix.length),
			text
		}];
	});
}
function onWritingForgotten(kind, listener) {
	onForgotten((name) => {
		const prefix = own(kind, "");
		if (name.startsWith(prefix)) listener(name.slice(prefix.length));
	});
}
function forget(but) {
	for (const kind of KINDS) {
		const all = keptNames(`${kind}.`);
		for (const name of all.filter((name) => but === void 0 || !name.startsWith(`${kind}.${but}.`))) keep$1(name, null);
	}
}
x$1(() => {
	if (leaving.value) forget(void 0);
	else if (me.value !== null && me.value !== void 0) forget(me.value.chat_id);
});
// src/areas/inbox/compose/outbox.ts
var outbox = y$1(new Map());
var nameOf$1 = (conversation, key) => `${conversation} ${key}`;
function change$1(conversation, make) {
	outbox.value = new Map(outbox.peek()).set(conversation, make(outbox.peek().get(conversation) ?? []));
}
function hold(conversation, pending) {
	const { key, what, problem } = pending;
	const isThere = outbox.peek().get(conversation)?.some((known) => known.key === key) === true;
	change$1(conversation, (all) => isThere ? all.map((known) => known.key === key ? pending : known) : [...all, pending]);
	const refusal = problem === void 0 ? {} : {
		status: problem.status,
		detail: problem.detail
	};
	const text = {
		what,
		at: Date.now(),
		...refusal
	};
	keepWriting("unsent", nameOf$1(conversation, key), JSON.stringify(text));
}
function release(conversation, key) {
	change$1(conversation, (all) => all.filter((known) => known.key !== key));
	keepWriting("unsent", nameOf$1(conversation, key), null);
}
function read$1(text) {
	try {
		const found = JSON.parse(text);
		return found.what?.type === void 0 || typeof found.at !== "number" ? void 0 : found;
	} catch {
		return;
	}
}
function recall() {
	const left = writings("unsent").flatMap(({ name, text }) => {
		const [conversation = "", key = ""] = name.split(" ");
		const found = read$1(text);
		return found === void 0 ? [] : [{
			conversation,
			key,
			found
		}];
	});
	left.sort((a, b) => a.found.at - b.found.at);
	const all = new Map();
	for (const { conversation, key, found } of left) {
		const problem = new Problem(found.status ?? 0, found.detail ?? "");
		all.set(conversation, [...all.get(conversation) ?? [], {
			key,
			what: found.what,
			problem
		}]);
	}
	outbox.value = all;
}
onWritingForgotten("unsent", (name) => {
	const [conversation = "", key = ""] = name.split(" ");
	change$1(conversation, (all) => all.filter((known) => known.key !== key));
});
x$1(() => {
	if (me.value === null) outbox.value = new Map();
	else if (me.value !== void 0) recall();
});
// src/areas/inbox/types.ts
function nameOf({ customer, client_id, id }) {
	return [customer?.name, client_id].find(isVisible) ?? id;
}
function portrait(customer) {
	return customer?.avatar_check?.copy?.thumbnail ?? void 0;
}
function authorOf(sender) {
	const name = sender?.name ?? "";
	if (sender?.is_bot === true) return inbox$1().thread.bot(name);
	return sender?.client === void 0 ? name : inbox$1().thread.through(name, sender.client.name);
}
// src/live/meanwhile.ts
var Meanwhile = class {
	#questions = 0;
	#time = 0;
	#changes = [];
	note(make, at = this.#time += 1) {
		if (this.#questions > 0) this.#changes.push({
			at,
			make
		});
	}
	async during(question, take) {
		const asked = this.#time += 1;
		this.#questions += 1;
		try {
			const answer = await question;
			const changes = this.#changes.filter(({ at }) => at > asked);
			return take(answer, (known) => changes.reduce((sofar, { make }) => make(sofar), known), asked);
		} finally {
			this.#questions -= 1;
			if (this.#questions === 0) this.#changes = [];
		}
	}
};
// src/areas/inbox/list/store.ts
var COLLEAGUE = 6;
var order = y$1([]);
var known = y$1(new Map());
var next = y$1(null);
var meanwhile = new Meanwhile();
var waiting = y$1(new Set());
var atTop = y$1(true);
var loading = y$1(false);
var problem = y$1(void 0);
var searched = y$1(void 0);
var told = y$1(false);
var passing = y$1(void 0);
var around = y$1(void 0);
var owner = y$1(void 0);
var picture = y$1(void 0);
var colleagues = y$1(new Map());
var PAGES_IN_A_ROW = 8;
var inARow = 0;
var isShort = () => rows.value.length < (searched.peek() === void 0 ? 25 : 1);
var hasMore = O(() => next.value !== null);
var waitingCount = O(() => waiting.value.size);
var rows = O(() => {
	return order.value.flatMap((id) => known.value.get(id) ?? []).filter(fits);
});
var isEmpty = O(() => told.value && order.value.length === 0 && next.value === null && isWhole());
function find(id) {
	return known.value.get(id);
}
function hasFailed({ trouble }) {
	return trouble !== null && trouble !== void 0;
}
function isHeldUp({ last_message: last }) {
	return last?.callback?.state === "waiting" || last?.callback?.state === "held";
}
var given = y$1(new Set());
var wasGiven = (id) => given.peek().has(id);
function fits(conversation) {
	const { filter, responsible, status, channel, tag, view } = shown.value;
	if (filter === "unread" && conversation.unread === 0) return false;
	if (filter === "failed" && !hasFailed(conversation)) return false;
	if (status !== "all" && conversation.status !== status) return false;
	const { lead } = conversation;
	if (channel !== "" && conversation.channel?.id !== channel) return false;
	const isGiven = given.value.has(conversation.id);
	if (tag !== "" && lead?.tags.some(({ id }) => String(id) === tag) !== true) return false;
	if (view !== "" && !isGiven) return false;
	const isOwn = lead?.responsible_user_id === me.value?.user.id;
	if (responsible === "me" && !isOwn) return false;
	if (responsible === "none" && (lead === null ? !isGiven : lead.responsible_user_id !== null)) return false;
	return filter === "mine" ? isOwn || isGiven : filter !== "mentioned" || isGiven;
}
var under;
function page(cursor, signal) {
	const { show: state, q: query, ...others } = parameters(narrowing.peek());
	const asked = {
		limit: cursor === void 0 ? 30 : 100,
		cursor,
		state,
		query,
		...others
	};
	return ask(CONVERSATIONS, {
		query: asked,
		signal
	});
}
function load() {
	return turn(void 0);
}
async function more() {
	inARow = 0;
	if (next.peek() !== null && !loading.peek()) await turn(next.peek() ?? void 0);
}
async function turn(cursor) {
	under?.abort();
	const mine = new AbortController();
	under = mine;
	loading.value = true;
	try {
		await meanwhile.during(page(cursor, mine.signal), (answer, since) => {
			if (under === mine) show(answer, cursor, since);
		});
		if (under !== mine) return;
		problem.value = void 0;
		told.value = true;
		loading.value = false;
		inARow = cursor === void 0 ? 0 : inARow + 1;
		const behind = next.peek();
		if (behind !== null && isShort() && inARow < PAGES_IN_A_ROW) await turn(behind);
	} catch (failure) {
		if (under !== mine || isAborted(failure)) return;
		problem.value = asProblem(failure);
		loading.value = false;
	}
}
function show(answer, cursor, since) {
	const found = new Map(known.peek());
	for (const conversation of answer.conversations) found.set(conversation.id, conversation);
	const fresh = answer.conversations.map((conversation) => conversation.id);
	const now = since({
		rows: found,
		order: fresh
	});
	known.value = now.rows;
	given.value = new Set([...cursor === void 0 ? [] : given.peek(), ...fresh]);
	if (cursor === void 0) {
		order.value = now.order;
		waiting.value = new Set();
	} else {
		const there = new Set(order.peek());
		order.value = [...order.peek(), ...fresh.filter((id) => !there.has(id))];
	}
	next.value = answer.next;
	searched.value = answer.searched;
}
function takeWaiting() {
	const ids = [...waiting.peek()].reverse();
	waiting.value = new Set();
	const moved = new Set(ids);
	order.value = [...ids, ...order.peek().filter((id) => !moved.has(id))];
}
x$1(() => {
	if (atTop.value && waiting.value.size > 0) takeWaiting();
});
var over = new Map();
function settled(told) {
	return told.typing !== null && over.get(told.id) === told.typing.until ? {
		...told,
		typing: null
	} : told;
}
function put(told, moves, asked) {
	const conversation = settled(told);
	known.value = new Map(known.peek()).set(conversation.id, conversation);
	const isSearch = narrowing.peek().query.trim() !== "";
	const comes = (among) => moves && (!isSearch || among.includes(conversation.id));
	meanwhile.note(({ rows, order }) => ({
		rows: new Map(rows).set(conversation.id, conversation),
		order: comes(order) ? [conversation.id, ...order.filter((id) => id !== conversation.id)] : order
	}), asked);
	if (!comes(order.peek()) || order.peek()[0] === conversation.id) return;
	const ids = new Set(waiting.peek());
	ids.delete(conversation.id);
	waiting.value = ids.add(conversation.id);
}
function change(id, make) {
	const changed = (rows) => {
		const found = rows.get(id);
		return found === void 0 ? rows : new Map(rows).set(id, settled(make(found)));
	};
	known.value = changed(known.peek());
	meanwhile.note((listed) => ({
		...listed,
		rows: changed(listed.rows)
	}));
}
var stale = new Map();
var COLLECT = 200;
var MANY = 20;
var READ_AGAIN = 5;
var collecting;
var isBehind = y$1(false);
function refresh(id, moves = false) {
	stale.set(id, moves || stale.get(id) === true);
	collecting ??= setTimeout(() => {
		collecting = void 0;
		const all = [...stale];
		stale.clear();
		if (all.length > MANY) isBehind.value = true;
		if (all.length <= MANY || !atTop.peek()) for (const [id, moves] of all.slice(0, MANY)) reread(id, moves);
	}, COLLECT);
}
x$1(() => {
	if (!atTop.value || !isBehind.value) return;
	isBehind.value = false;
	load();
});
function read(id, moves = false, options = {}) {
	return meanwhile.during(ask(`${CONVERSATIONS}/${id}`, options), (answer, since, asked) => {
		const row = since({
			rows: new Map([[id, answer]]),
			order: []
		}).rows.get(id) ?? answer;
		put(row, moves, asked);
		return row;
	});
}
async function reread(id, moves = false) {
	try {
		await read(id, moves);
	} catch (failure) {
		if (!(failure instanceof Problem)) throw failure;
		const { status, retryAfter } = failure;
		if (!(status === 0 || status === 429 || status >= 500) || me.peek() === null) return;
		setTimeout(() => refresh(id, moves), (retryAfter ?? READ_AGAIN) * 1e3);
	}
}
function later(until, work) {
	setTimeout(work, Math.max(0, Math.min(6e4, until * 1e3 - Date.now())));
}
function changeLast(id, message, make) {
	change(id, (conversation) => conversation.last_message?.id === message ? {
		...conversation,
		last_message: make(conversation.last_message)
	} : conversation);
}
function retell(id) {
	if (known.peek().has(id)) refresh(id);
}
on("message", ({ conversation_id: id, message }) => {
	const found = known.peek().get(id);
	if (found === void 0 || found.last_message?.id === message.id) {
		refresh(id, true);
		return;
	}
	if (message.direction === "in" && found.typing !== null) over.set(id, found.typing.until);
	const isNewest = (found.last_message?.msec_timestamp ?? 0) <= message.msec_timestamp;
	const counts = message.direction === "in" && message.silent !== true;
	put({
		...found,
		messages: found.messages + 1,
		unread: counts ? found.unread + 1 : message.direction === "out" ? 0 : found.unread,
		active_at: Math.max(found.active_at, message.timestamp),
		last_message: isNewest ? message : found.last_message,
		status: message.silent === true || found.snooze !== null ? found.status : message.direction === "in" ? "open" : "waiting",
		typing: message.direction === "in" ? null : found.typing
	}, true);
	refresh(id);
});
on("changed", ({ conversation_id: id }) => {
	if (known.peek().has(id)) refresh(id);
});
on("delivery", (event) => {
	changeLast(event.conversation_id, event.message_id, (last) => ({
		...last,
		delivery: event.delivery
	}));
	retell(event.conversation_id);
});
on("callback", (event) => {
	changeLast(event.conversation_id, event.message_id, (last) => withCallback(last, event.callback));
	retell(event.conversation_id);
});
on("lead", ({ conversation_id: id, lead }) => {
	if (id === null) return;
	change(id, (conversation) => ({
		...conversation,
		lead
	}));
	if (known.peek().has(id)) refresh(id);
});
on("avatar", ({ conversation_id: id }) => {
	if (known.peek().has(id)) refresh(id);
});
on("marked", ({ conversation_id: id }) => {
	if (known.peek().has(id)) refresh(id);
});
on("read", ({ conversation_id: id }) => {
	change(id, (conversation) => ({
		...conversation,
		unread: 0
	}));
});
on("typing", (event) => {
	const { customer, user, conversation_id: id } = event;
	if (customer !== void 0) {
		change(id, (conversation) => ({
			...conversation,
			typing: customer
		}));
		later(customer.until, () => change(id, (it) => it.typing?.until === customer.until ? {
			...it,
			typing: null
		} : it));
	} else if (user !== void 0 && (user.id !== me.peek()?.user.id || user.client !== void 0)) {
		const until = Math.ceil(Date.now() / 1e3) + COLLEAGUE;
		colleagues.value = new Map(colleagues.peek()).set(id, {
			name: authorOf(user),
			until
		});
		later(until, () => {
			if (colleagues.peek().get(id)?.until !== until) return;
			const others = new Map(colleagues.peek());
			others.delete(id);
			colleagues.value = others;
		});
	}
});
on("reset", () => void load());
whenBack(() => problem.peek(), () => void load());
function withCallback(message, callback) {
	const isSent = callback.state === "delivered" && message.delivery?.status === "queued";
	return {
		...message,
		callback,
		...isSent ? { delivery: { status: "sent" } } : {}
	};
}
x$1(() => {
	if (me.value !== null) return;
	[order.value, known.value, next.value, waiting.value] = [
		[],
		new Map(),
		null,
		new Set()
	];
	[told.value, problem.value, searched.value] = [
		false,
		void 0,
		void 0
	];
	narrowing.value = WHOLE;
});
function narrowTo(wanted) {
	const of = ofView.peek();
	narrowing.value = {
		...narrowing.peek(),
		...Object.keys(wanted).some((name) => name in of) ? {
			...of,
			view: ""
		} : {},
		...wanted
	};
	narrow(parameters(narrowing.peek()));
	load();
}
x$1(() => {
	const { path, query } = place.value;
	if (!/^\/conversations(\/|$)/.test(path)) return;
	if (take(query) && told.peek()) load();
});
// src/areas/inbox/list/row.tsx
function preview(message) {
	const said = message.text.trim();
	if (said !== "") return said;
	return [inbox$1().kinds[message.type], message.file_name ?? message.contact?.name].filter(Boolean).join(": ");
}
function writerOf({ direction, sender }) {
	if (direction === "in") return "";
	return sender?.client === void 0 && sender?.id === me.value?.chat_id ? inbox$1().list.you : authorOf(sender);
}
function Row({ conversation, isSelected }) {
	const words = inbox$1().list;
	const { customer, channel, unread } = conversation;
	const state = words.states[conversation.status];
	const last = conversation.found ?? conversation.last_message;
	const name = nameOf(conversation);
	const mark = outbox.value.get(conversation.id)?.some((pending) => pending.problem !== void 0) === true ? words.unsent : hasFailed(conversation) ? words.failed : isHeldUp(conversation) ? words.retrying : "";
	const writer = last === null ? "" : writerOf(last);
	const isTyping = (conversation.typing?.until ?? 0) * 1e3 > Date.now();
	const link = a("a", {
		class: unread > 0 ? "conversation unread" : "conversation",
		href: addressOf(conversation.id),
		"aria-current": isSelected ? "true" : void 0,
		children: [
			a(Initials, {
				name,
				picture: portrait(customer)
			}),
			a("span", {
				class: "name",
				children: [a("bdi", { children: name }), channel !== null && a("span", {
					class: "channel",
					children: [
						" · ",
						picture.value?.(channel.kind),
						channel.title
					]
				})]
			}),
			a("time", {
				dateTime: new Date(conversation.active_at * 1e3).toISOString(),
				children: shortMoment(conversation.active_at)
			}),
			a("span", {
				class: "last",
				children: isTyping ? a("em", { children: words.typing }) : last === null ? words.noMessages : a($, { children: [writer !== "" && a($, { children: [
					a("bdi", { children: writer }),
					":",
					" "
				] }), a("bdi", { children: preview(last) })] })
			}),
			a("span", {
				class: "marks",
				children: [
					mark !== "" && a("span", {
						class: mark === words.retrying ? "mark warn" : "mark bad",
						children: [
							a(Icon, { name: mark === words.retrying ? "retry" : "warning" }),
							" ",
							mark
						]
					}),
					mark === "" && state !== void 0 && a("span", {
						class: "mark soft",
						children: state
					}),
					owner.value?.(conversation),
					unread > 0 && a("span", {
						class: "count",
						children: [number(unread), a("span", {
							class: "unseen",
							children: [" ", words.unread(unread)]
						})]
					})
				]
			})
		]
	});
	return around.value?.(conversation, link) ?? link;
}
// src/areas/inbox/list/list.tsx
var Narrow = later$1(() => __vitePreload(() => import("./work.js").then((it) => it.Narrow), __vite__mapDeps([10,1,4,5,11])));
var TYPING = 250;
var ROWS = "conversations";
function List({ selected }) {
	const words = inbox$1().list;
	const pane = T$1(null);
	const search = T$1(null);
	const timer = T$1(void 0);
	const written = useSignal(void 0);
	A$1(() => {
		if (!told.peek()) load();
	}, []);
	useSignalEffect(() => {
		if (!told.value && !loading.peek() && problem.peek() === void 0) load();
	});
	const rows$1 = rows.value;
	useSkipTo(ROWS, () => inbox$1().list.skip, rows$1.length > 0);
	const scroller = () => pane.current?.querySelector("[data-scroller]") ?? null;
	const go = (step) => {
		const at = rows$1.findIndex((row) => row.id === selected);
		const found = rows$1[Math.max(0, Math.min(rows$1.length - 1, step(at)))];
		if (found === void 0) return;
		reveal(scroller(), rows$1.indexOf(found), 66);
		open(addressOf(found.id));
	};
	const pass = (by) => {
		const at = rows$1.findIndex((row) => row.id === selected);
		passing.value = rows$1[Math.max(0, Math.min(rows$1.length - 1, at + by))]?.id;
		go((at) => at + by);
	};
	const goToUnread = () => {
		const at = rows$1.findIndex((row) => row.id === selected);
		const later = rows$1.findIndex((row, place) => place > at && row.unread > 0);
		const found = later >= 0 ? later : rows$1.findIndex((row) => row.unread > 0);
		passing.value = void 0;
		if (found >= 0) go(() => found);
	};
	useShortcuts([
		{
			keys: "KeyJ",
			says: words.next,
			run: () => pass(1)
		},
		{
			keys: "ArrowDown",
			says: words.next,
			run: () => pass(1)
		},
		{
			keys: "KeyK",
			says: words.previous,
			run: () => pass(-1)
		},
		{
			keys: "ArrowUp",
			says: words.previous,
			run: () => pass(-1)
		},
		{
			keys: "KeyN",
			says: words.nextUnread,
			run: goToUnread
		},
		{
			keys: "Slash",
			says: shell().shortcuts.search,
			run: () => search.current?.focus()
		},
		{
			keys: "Control+KeyK",
			says: shell().shortcuts.search,
			run: () => search.current?.focus()
		}
	]);
	const fresh = waitingCount.value;
	return a("section", {
		class: "conversation-list",
		"aria-label": words.label,
		ref: pane,
		children: [
			a("div", {
				class: "narrow",
				children: [
					a("input", {
						ref: search,
						type: "search",
						"aria-label": words.search,
						placeholder: words.search,
						value: written.value ?? narrowing.value.query,
						maxLength: 100,
						onInput: (event) => {
							const text = event.currentTarget.value;
							written.value = text;
							clearTimeout(timer.current);
							timer.current = setTimeout(() => {
								written.value = void 0;
								narrowTo({ query: text });
							}, TYPING);
						}
					}),
					a(Choices, {
						label: words.filter,
						value: shown.value.filter,
						options: FILTERS.map((value) => ({
							value,
							says: words.filters[value],
							count: value === "failed" || value === "unread" ? counts.value[value] : void 0
						})),
						onChoose: (filter) => narrowTo({ filter })
					}),
					a("div", {
						class: "narrow-more",
						children: told.value && a(Narrow, {})
					})
				]
			}),
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: () => void load()
			}),
			fresh > 0 && a("button", {
				type: "button",
				class: "fresh",
				onClick: () => {
					takeWaiting();
					const element = scroller();
					if (element !== null) element.scrollTop = 0;
				},
				children: ["▲ ", words.fresh(fresh)]
			}),
			!told.value && problem.value === void 0 && a(Skeleton, {}),
			told.value && rows$1.length === 0 && !loading.value && !hasMore.value && a(Nothing, {}),
			told.value && rows$1.length === 0 && (loading.value || hasMore.value) && a("p", {
				class: "further",
				role: "status",
				children: loading.value ? shell().loading : words.nothingSoFar
			}),
			told.value && rows$1.length < 25 && hasMore.value && a("p", {
				class: "further",
				children: [a(SearchedTo, {}), a(Button, {
					busy: loading.value,
					onClick: () => void more(),
					children: words.further
				})]
			}),
			rows$1.length > 0 && a(WindowedList, {
				rows: rows$1,
				height: 66,
				keyOf: (row) => row.id,
				label: words.label,
				id: ROWS,
				onTop: (atTop$1) => {
					atTop.value = atTop$1;
				},
				onEnd: () => void more(),
				render: (row) => a(Row, {
					conversation: row,
					isSelected: row.id === selected
				})
			})
		]
	});
}
function SearchedTo() {
	const { part, back_to: time } = searched.value ?? {
		part: "keys",
		back_to: null
	};
	if (time === null || part !== "conversations" && part !== "messages") return null;
	return a("span", {
		role: "status",
		children: [inbox$1().list.searchedTo[part](moment(time)), " "]
	});
}
function Nothing() {
	const words = inbox$1().list;
	const { filter, responsible, status } = shown.value;
	if (isWhole()) return a(Empty, {
		byRights: true,
		title: words.empty,
		command: "send \"Hello, is it in stock?\"",
		children: a("p", { children: words.emptyText })
	});
	return a(Empty, {
		title: words.nothing[responsible === "all" && status === "all" && filter !== "mentioned" ? filter : "all"],
		children: a(Button, {
			onClick: () => narrowTo(WHOLE),
			children: shell().clear
		})
	});
}
// src/areas/inbox/page.tsx
var work = () => __vitePreload(() => import("./work.js"), __vite__mapDeps([10,1,4,5,11]));
var ThreadPane = later$1(() => work().then((it) => it.ThreadPane));
var Details = later$1(() => work().then((it) => it.Details));
var WriteFirst = later$1(() => work().then((it) => it.WriteFirst));
var isWide = () => matchMedia("(width >= 1280px)").matches;
function InboxPage({ id }) {
	const words = inbox$1();
	const writing = useSignal(false);
	const detailed = useSignal(isWide() && kept$1("details") !== "off");
	useSignalEffect(() => {
		if (told.value) work().catch(() => {});
	});
	const opener = T$1(null);
	const touched = useSignal(false);
	const conversation = id === void 0 ? void 0 : find(id);
	const name = conversation === void 0 ? "" : nameOf(conversation);
	const isDetailed = detailed.value && conversation !== void 0;
	const show = (on) => {
		touched.value = true;
		detailed.value = on;
		if (isWide()) keep$1("details", on ? null : "off");
	};
	useShortcuts(id === void 0 ? [] : [{
		keys: "KeyI",
		says: words.thread.details,
		run: () => show(!detailed.value)
	}]);
	A$1(() => {
		touched.value = false;
		if (!isWide()) detailed.value = false;
	}, [id]);
	A$1(() => {
		if (touched.value && !isDetailed) opener.current?.querySelector("button")?.focus();
	}, [isDetailed]);
	return a(Page, {
		title: words.title,
		about: name,
		fills: true,
		actions: a(Button, {
			icon: "plus",
			onClick: () => writing.value = true,
			children: words.first.open
		}),
		children: [a("div", {
			class: `inbox${id === void 0 ? "" : " chosen"}${isDetailed ? " detailed" : ""}`,
			children: [
				a(List, { selected: id }),
				a("section", {
					class: "thread",
					"aria-label": name === "" ? words.title : words.thread.label(name),
					children: id === void 0 ? !isEmpty.value && a(Choose, {}) : a(ThreadPane, {
						id,
						isDetailed,
						opener,
						onDetails: () => show(true)
					})
				}),
				isDetailed && a(Details, {
					conversation,
					takesFocus: touched.value,
					onClose: () => show(false)
				})
			]
		}), writing.value && a(WriteFirst, { onClose: () => writing.value = false })]
	});
}
function Choose() {
	const words = inbox$1().choose;
	return a(Empty, {
		title: words.title,
		children: a("p", {
			class: "with-keys",
			children: [
				a("kbd", { children: "n" }),
				" ",
				words.newest
			]
		})
	});
}
// src/areas/inbox/area.ts
var inbox = {
	pages: [{
		at: "/conversations/:id?",
		shows: InboxPage
	}],
	entries: [{
		to: "/conversations",
		icon: "inbox",
		says: () => shell().nav.inbox,
		group: "work",
		key: "KeyI",
		count: O(() => counts.value.unread)
	}]
};
// src/areas/oauth/area.ts
var pages$1 = () => __vitePreload(() => import("./oauth.js"), __vite__mapDeps([12,4,1,5,6,7,8,13]));
var oauth = {
	pages: [{
		at: "/oauth",
		shows: later$1(() => pages$1().then((it) => it.ConsentPage)),
		isAlone: true
	}, {
		at: "/integrations/:id?",
		shows: later$1(() => pages$1().then((it) => it.IntegrationsPage))
	}],
	entries: [{
		to: "/integrations",
		icon: "plug",
		says: () => shell().nav.integrations,
		group: "people",
		key: "KeyT",
		administratorsOnly: true
	}]
};
// src/areas/oauth-clients/area.ts
var clients = {
	pages: [{
		at: "/oauth-clients/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.ClientsPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
	}],
	entries: [{
		to: "/oauth-clients",
		icon: "key",
		says: () => shell().nav.oauthClients,
		group: "operator",
		key: "KeyL"
	}]
};
// src/areas/people/area.ts
var pages = () => __vitePreload(() => import("./people.js"), __vite__mapDeps([14,4,1,5,15]));
var people = {
	pages: [
		{
			at: "/users",
			shows: later$1(() => pages().then((it) => it.UsersPage))
		},
		{
			at: "/users/add",
			shows: later$1(() => pages().then((it) => it.AddUsersPage))
		},
		{
			at: "/users/:id",
			shows: later$1(() => pages().then((it) => it.UserPage))
		},
		{
			at: "/roles",
			shows: later$1(() => pages().then((it) => it.RolesPage))
		},
		{
			at: "/roles/:id",
			shows: later$1(() => pages().then((it) => it.RolePage))
		},
		{
			at: "/rights",
			shows: later$1(() => pages().then((it) => it.ExplainPage))
		}
	],
	entries: [
		{
			to: "/users",
			icon: "users",
			says: () => shell().nav.users,
			group: "people",
			key: "KeyU",
			administratorsOnly: true
		},
		{
			to: "/roles",
			icon: "roles",
			says: () => shell().nav.roles,
			group: "people",
			key: "KeyO",
			administratorsOnly: true
		},
		{
			to: "/rights",
			icon: "rights",
			says: () => shell().nav.rights,
			group: "people",
			key: "KeyM"
		}
	]
};
// src/areas/reference/area.ts
var reference = {
	pages: [{
		at: "/reference/:id?",
		shows: later$1(() => __vitePreload(() => import("./reference.js").then((it) => it.ReferencePage), __vite__mapDeps([16,4,1,5,6,7,17])))
	}],
	entries: [{
		to: "/reference",
		icon: "braces",
		says: () => shell().nav.api,
		group: "operator",
		key: "KeyA"
	}]
};
// src/areas/relays/area.ts
var relays = {
	pages: [{
		at: "/relays/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.RelaysPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
	}],
	entries: [{
		to: "/relays",
		icon: "callbacks",
		says: () => shell().nav.relays,
		group: "operator",
		key: "KeyE"
	}]
};
// src/areas/requests/area.ts
var requests = {
	pages: [{
		at: "/requests/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.RequestsPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
	}],
	entries: [{
		to: "/requests",
		icon: "requests",
		says: () => shell().nav.requests,
		group: "operator",
		key: "KeyR"
	}]
};
// src/areas.ts
var AREAS = [
	inbox,
	leads,
	contacts,
	people,
	oauth,
	{
		pages: [{
			at: "/webhooks/:id?",
			shows: later$1(() => __vitePreload(() => import("./oauth.js").then((pages) => pages.WebhooksPage), __vite__mapDeps([12,4,1,5,6,7,8,13])))
		}],
		entries: [{
			to: "/webhooks",
			icon: "link",
			says: () => shell().nav.webhooks,
			group: "people",
			key: "KeyK",
			administratorsOnly: true,
			count: O(() => counts.value.disabled_webhooks)
		}]
	},
	callbacks,
	hooks,
	relays,
	requests,
	channels,
	clients,
	health,
	{
		pages: [{
			at: "/worlds/:id?",
			shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.WorldsPage), __vite__mapDeps([3,4,1,5,6,7,8,9])))
		}],
		entries: [{
			to: "/worlds",
			icon: "worlds",
			says: () => shell().nav.worlds,
			group: "operator",
			key: "KeyW",
			isShown: hasWorlds
		}]
	},
	reference
];
function hasPage(path) {
	return AREAS.some((area) => area.pages.some((page) => match(page.at, path) !== void 0));
}
// src/api/operator.ts
var NAME = "switchboard.operator";
function kept() {
	try {
		return sessionStorage.getItem(NAME) ?? void 0;
	} catch {
		return;
	}
}
function keep(token) {
	try {
		if (token === void 0) sessionStorage.removeItem(NAME);
		else sessionStorage.setItem(NAME, token);
	} catch {}
	operatorToken.value = token;
}
var operatorToken = y$1(kept());
var tabs = new BroadcastChannel(NAME);
tabs.addEventListener("message", ({ data }) => {
	const token = operatorToken.peek();
	if (data.is === "forgotten") keep(void 0);
	else if (data.user !== me.peek()?.chat_id) return;
	else if (data.is === "token") keep(data.token);
	else if (token !== void 0) tell({
		is: "token",
		user: data.user,
		token
	});
});
function tell(told) {
	tabs.postMessage(told);
}
x$1(() => {
	const user = me.value?.chat_id;
	if (user !== void 0 && operatorToken.peek() === void 0) tell({
		is: "wanted",
		user
	});
});
async function becomeOperator(token) {
	await ask("/admin/v1/channels", { bearer: token });
	keep(token);
	const user = me.peek()?.chat_id;
	if (user !== void 0) tell({
		is: "token",
		user,
		token
	});
}
function forgetOperator() {
	keep(void 0);
	tell({ is: "forgotten" });
}
function askAsOperator(path, how = {}) {
	return withToken(() => ask(path, asOperator(how)));
}
var PAGE = 250;
async function listAsOperator(path, name, signal) {
	const entries = [];
	let cursor;
	do {
		const page = await askAsOperator(path, {
			query: {
				limit: PAGE,
				cursor
			},
			...signal === void 0 ? {} : { signal }
		});
		entries.push(...page[name] ?? []);
		cursor = page.next ?? void 0;
	} while (cursor !== void 0);
	return entries;
}
function askTextAsOperator(path, how = {}) {
	return withToken(() => askText(path, asOperator(how)));
}
var asOperator = (how) => ({
	...how,
	bearer: operatorToken.peek() ?? ""
});
async function withToken(work) {
	try {
		return await work();
	} catch (failure) {
		if (failure instanceof Problem && failure.status === 401) forgetOperator();
		throw failure;
	}
}
// src/parts/field.tsx
function Field({ label, hint, error, children }) {
	const id = P();
	const [hintId, errorId] = [`${id}-hint`, `${id}-error`];
	const described = [hint === void 0 ? "" : hintId, error === void 0 ? "" : errorId].join(" ").trim();
	return a("div", {
		class: "field",
		children: [
			a("label", {
				for: id,
				children: label
			}),
			children({
				id,
				"aria-describedby": described === "" ? void 0 : described,
				"aria-invalid": error === void 0 ? void 0 : true
			}),
			hint !== void 0 && a("p", {
				class: "hint",
				id: hintId,
				children: hint
			}),
			error !== void 0 && a("p", {
				class: "wrong",
				id: errorId,
				children: error
			})
		]
	});
}
// src/shell/language-choice.tsx
function LanguageChoice() {
	return a("label", {
		class: "language",
		children: [shell().language, a("select", {
			value: language.value,
			onChange: (event) => choose(event.currentTarget.value),
			children: LANGUAGES.map((name) => a("option", {
				value: name,
				lang: name,
				children: LANGUAGE_NAMES[name]
			}, name))
		})]
	});
}
// src/shell/sign-in.tsx
function SignIn() {
	const all = shell();
	const words = all.signIn;
	const form = T$1(null);
	const problem = useSignal(void 0);
	const busy = useSignal(false);
	const wait = useSignal(0);
	A$1(() => {
		nameWindow([words.title, all.product]);
	}, [words.title]);
	A$1(() => {
		if (wait.value <= 0) return;
		const timer = setTimeout(() => wait.value -= 1, 1e3);
		return () => clearTimeout(timer);
	}, [wait.value]);
	const submit = async (data) => {
		const text = (name) => String(data.get(name) ?? "").trim();
		busy.value = true;
		problem.value = void 0;
		try {
			await signIn(text("email"), String(data.get("password") ?? ""), text("account"));
		} catch (failure) {
			problem.value = asProblem(failure);
			if (problem.value.status === 429) wait.value = problem.value.retryAfter ?? 60;
			form.current?.querySelector("[type=password]")?.select();
		}
		busy.value = false;
	};
	const failed = problem.value;
	const refused = failed?.status === 401;
	const throttled = failed?.status === 429 && wait.value > 0;
	return a("main", {
		class: "sign-in",
		children: [a("form", {
			ref: form,
			class: "card",
			onSubmit: (event) => {
				event.preventDefault();
				if (!busy.value) submit(new FormData(event.currentTarget));
			},
			children: [
				a("p", {
					class: "brand",
					children: [a(Icon, { name: "callbacks" }), all.product]
				}),
				a("h1", { children: words.title }),
				ended.value && failed === void 0 && a("p", {
					class: "notice",
					role: "status",
					children: words.ended
				}),
				a("div", {
					"aria-live": "assertive",
					children: [refused && a("p", {
						class: "notice bad",
						children: words.wrong
					}), throttled && a("p", {
						class: "notice bad",
						children: words.throttled(lasting(wait.value))
					})]
				}),
				failed !== void 0 && !refused && failed.status !== 429 && a(ProblemNote, { problem: failed }),
				a(Field, {
					label: words.email,
					children: (input) => a("input", {
						...input,
						name: "email",
						type: "email",
						autocomplete: "username",
						required: true,
						autofocus: true
					})
				}),
				a(Field, {
					label: words.password,
					children: (input) => a("input", {
						...input,
						name: "password",
						type: "password",
						autocomplete: "current-password",
						required: true
					})
				}),
				a("details", { children: [a("summary", { children: words.several }), a(Field, {
					label: words.account,
					hint: words.accountHint,
					error: failed?.about("account_id"),
					children: (input) => a("input", {
						...input,
						name: "account",
						autocomplete: "off",
						spellcheck: false
					})
				})] }),
				a(Button, {
					type: "submit",
					look: "primary",
					busy: busy.value,
					disabled: throttled,
					children: words.submit
				})
			]
		}), a(LanguageChoice, {})]
	});
}
// src/shell/entrance.tsx
var First = later$1(() => __vitePreload(() => import("./setup.js").then((it) => it.First), __vite__mapDeps([18,1,19])));
function Entrance() {
	const setup = useSignal(void 0);
	A$1(() => {
		ask("/inbox/v1/setup").catch(() => ({ is_needed: false })).then((answer) => {
			if (answer.only_relays !== true && operatorToken.peek() !== void 0) forgetOperator();
			setup.value = answer;
		});
	}, []);
	if (setup.value === void 0) return null;
	return setup.value.is_needed ? a(First, { ...setup.value }) : a(SignIn, {});
}
// src/shell/connection.tsx
function ConnectionState({ state }) {
	const words = shell().connection;
	const says = {
		live: () => words.live,
		connecting: () => "again" in state && state.again ? words.reconnecting : words.connecting,
		stale: () => words.stale(clock("since" in state ? state.since : 0)),
		paused: () => words.paused(clock("since" in state ? state.since : 0)),
		"signed-out": () => words["signed-out"]
	}[state.is]();
	return a("div", {
		class: `connection ${state.is}`,
		children: [
			a("span", {
				role: "status",
				"aria-label": words.label,
				children: [a("i", { "aria-hidden": "true" }), says]
			}),
			state.is === "stale" && a("button", {
				type: "button",
				onClick: () => void refresh$1(),
				children: words.refresh
			}),
			state.is === "paused" && a("button", {
				type: "button",
				onClick: () => pause(false),
				children: words.resume
			})
		]
	});
}
// src/shell/navigation.tsx
var GROUPS = [
	"work",
	"people",
	"operator"
];
var BAR = 3;
function entries() {
	const mine = AREAS.flatMap((area) => area.entries).filter((entry) => entry.isShown?.value !== false).filter((entry) => isAdministrator.value || entry.administratorsOnly !== true && entry.group !== "operator");
	return GROUPS.flatMap((group) => mine.filter((entry) => entry.group === group));
}
function Navigation() {
	const words = shell();
	const all = entries();
	const open = useSignal(false);
	const overflows = all.length > BAR;
	return a("nav", {
		class: open.value ? "navigation open" : "navigation",
		"aria-label": words.navigation,
		onClick: (event) => {
			if (event.target.closest("a") !== null) open.value = false;
		},
		children: a("ul", { children: [all.map((entry, at) => a("li", {
			class: at >= BAR ? "beyond" : void 0,
			children: [entry.group === "operator" && all[at - 1]?.group !== "operator" && a("h2", { children: a("span", { children: words.developer }) }), a(Link, { entry })]
		}, entry.to)), overflows && a("li", {
			class: "more",
			children: a("button", {
				type: "button",
				"aria-expanded": open.value,
				onClick: () => open.value = !open.value,
				children: [a(Icon, { name: "more" }), a("span", {
					class: "label",
					children: words.more
				})]
			})
		})] })
	});
}
function Link({ entry }) {
	const { path } = place.value;
	const isHere = path === entry.to || path.startsWith(`${entry.to}/`);
	const count = entry.count?.value;
	const says = entry.says();
	return a("a", {
		href: entry.to,
		"aria-current": isHere ? "page" : void 0,
		title: says,
		children: [
			a(Icon, { name: entry.icon }),
			a("span", {
				class: "label",
				children: says
			}),
			count !== void 0 && count.count > 0 && a("span", {
				class: "count",
				children: counted(count)
			})
		]
	});
}
// src/shell/user-menu.tsx
var PresenceChoice = later$1(() => __vitePreload(() => import("./work.js").then((it) => it.PresenceChoice), __vite__mapDeps([10,1,4,5,11])));
function UserMenu({ onProfile, onShortcuts }) {
	const words = shell();
	const open = useSignal(false);
	const problem = useSignal(void 0);
	const menu = T$1(null);
	const button = T$1(null);
	const id = P();
	A$1(() => {
		if (!open.value) return;
		const outside = (event) => {
			if (!(event.target instanceof Node) || menu.current?.contains(event.target) !== true) open.value = false;
		};
		document.addEventListener("pointerdown", outside);
		document.addEventListener("focusin", outside);
		return () => {
			document.removeEventListener("pointerdown", outside);
			document.removeEventListener("focusin", outside);
		};
	}, [open.value]);
	const user = me.value?.user;
	return a("div", {
		class: "user-menu",
		ref: menu,
		onKeyDown: (event) => {
			if (event.code !== "Escape" || !open.value) return;
			event.stopPropagation();
			open.value = false;
			button.current?.focus();
		},
		children: [a("button", {
			type: "button",
			ref: button,
			class: "user",
			"aria-expanded": open.value,
			"aria-controls": id,
			title: words.account,
			onClick: () => open.value = !open.value,
			children: [a(Initials, { name: user?.name ?? "" }), a("span", {
				class: "name",
				children: user?.name
			})]
		}), open.value && a("div", {
			class: "sheet",
			id,
			role: "group",
			"aria-label": words.account,
			children: [
				a("p", { children: [
					a("strong", { children: user?.name }),
					a("br", {}),
					a("span", {
						class: "soft",
						children: user?.email
					}),
					user?.rights.is_admin === true && a("span", {
						class: "soft",
						children: [" · ", words.administrator]
					})
				] }),
				a(PresenceChoice, {}),
				a("label", { children: [words.language, a("select", {
					value: language.value,
					onChange: (event) => choose(event.currentTarget.value),
					children: LANGUAGES.map((name) => a("option", {
						value: name,
						lang: name,
						children: LANGUAGE_NAMES[name]
					}, name))
				})] }),
				a("label", { children: [words.theme.label, a("select", {
					value: theme.value,
					onChange: (event) => chooseTheme(event.currentTarget.value),
					children: THEMES.map((name) => a("option", {
						value: name,
						children: words.theme[name]
					}, name))
				})] }),
				a(Button, {
					icon: "key",
					onClick: () => {
						open.value = false;
						onProfile();
					},
					children: words.profile
				}),
				a(Button, {
					icon: "keyboard",
					onClick: () => {
						open.value = false;
						onShortcuts();
					},
					children: words.shortcuts.open
				}),
				operatorToken.value !== void 0 && a(Button, {
					onClick: forgetOperator,
					children: words.operator.leave
				}),
				problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
				a(Button, {
					onClick: () => {
						signOut().catch((failure) => {
							problem.value = asProblem(failure);
						});
					},
					children: words.signOut
				})
			]
		})]
	});
}
// src/shell/frame.tsx
var Profile = later$1(() => __vitePreload(() => import("./work.js").then((it) => it.Profile), __vite__mapDeps([10,1,4,5,11])));
var Shortcuts = later$1(() => __vitePreload(() => import("./work.js").then((it) => it.Shortcuts), __vite__mapDeps([10,1,4,5,11])));
var AT_FIRST = 2e3;
function Frame({ children }) {
	const helping = useSignal(false);
	const editing = useSignal(false);
	const words = shell();
	useShortcuts([
		{
			keys: "Shift+Slash",
			says: words.shortcuts.help,
			run: () => helping.value = true
		},
		{
			keys: "Period",
			says: words.shortcuts.pause,
			run: () => pause(!paused.peek())
		},
		...entries().flatMap((entry) => entry.key === void 0 ? [] : [{
			keys: `KeyG ${entry.key}`,
			says: words.shortcuts.goto(entry.says()),
			run: () => open(entry.to)
		}])
	]);
	A$1(() => on("ready", () => void setTimeout(() => __vitePreload(() => import("./work.js"), __vite__mapDeps([10,1,4,5,11])).catch(() => {}), AT_FIRST)), []);
	const account = me.value?.account?.name ?? "";
	return a("div", {
		class: "frame",
		children: [
			a("a", {
				class: "skip",
				href: "#content",
				children: words.skip
			}),
			target.value !== void 0 && a("a", {
				class: "skip",
				href: `#${target.value.id}`,
				children: target.value.says()
			}),
			a("header", {
				class: "top",
				children: [
					a("a", {
						class: "brand",
						href: "/",
						"aria-label": words.product,
						children: [a(Icon, { name: "callbacks" }), a("span", { children: words.product })]
					}),
					a("span", {
						class: "account-name",
						title: account,
						children: account
					}),
					a(ConnectionState, { state: connection.value }),
					a(UserMenu, {
						onProfile: () => editing.value = true,
						onShortcuts: () => helping.value = true
					})
				]
			}),
			a(Navigation, {}),
			a("main", {
				id: "content",
				tabIndex: -1,
				children
			}),
			editing.value && a(Profile, { onClose: () => editing.value = false }),
			helping.value && a(Shortcuts, { onClose: () => helping.value = false })
		]
	});
}
// src/app.tsx
var AGAIN = 3e3;
var HOME = "/conversations";
function App() {
	useSignalEffect(() => {
		if (me.value === null) disconnect();
		else if (me.value !== void 0) connect();
	});
	useSignalEffect(() => {
		if (me.value !== void 0 || unknown.value === void 0) return void 0;
		const timer = setTimeout(() => void recall$1(), AGAIN);
		return () => clearTimeout(timer);
	});
	if (me.value === void 0) return unknown.value === void 0 ? null : a(ProblemNote, {
		problem: unknown.value,
		retry: () => void recall$1()
	});
	if (me.value === null) return a(Entrance, {});
	const { path } = place.value;
	if (AREAS.some((area) => area.pages.some((page) => page.isAlone === true && match(page.at, path) !== void 0))) return a(Shown, {});
	return a(Frame, { children: a(Shown, {}) });
}
function Shown() {
	const { path } = place.value;
	const isHome = path === "/" || path === "/sign-in";
	A$1(() => {
		if (isHome) redirect(HOME);
	}, [isHome]);
	if (isHome) return null;
	for (const { at, shows: Shows } of AREAS.flatMap((area) => area.pages)) {
		const found = match(at, path);
		if (found !== void 0) return a(Shows, { ...found }, at);
	}
	const words = shell().page;
	return a(Page, {
		title: words.missing,
		children: a(Empty, {
			title: words.missingText,
			children: a("a", {
				href: HOME,
				children: words.home
			})
		})
	});
}
// src/main.tsx
followLinks(document);
listenToKeys(document);
recall$1();
start().then(() => {
	const root = document.getElementById("app");
	if (root !== null) Q(a(App, {}), root);
});
export { Page as $, number as $t, nameOf as A, changeMe as At, ownPath as B, signOut as Bt, refresh as C, on as Ct, withCallback as D, tellEarly as Dt, wasGiven as E, resume as Et, keepWriting as F, isAdministrator as Ft, addressOf as G, age as Gt, STATUSES as H, asProblem as Ht, writing as I, isNew as It, shown as J, day as Jt, narrowing as K, bytes as Kt, Initials as L, me as Lt, hold as M, command as Mt, outbox as N, csrf as Nt, Meanwhile as O, whenBack as Ot, release as P, hasWorlds as Pt, inbox$1 as Q, moment as Qt, isVisible as R, recall$1 as Rt, read as S, shell as St, rows as T, paused as Tt, USERS as U, ask as Ut, ALL_FILTERS as V, Problem as Vt, WHOLE as W, isAborted as Wt, reveal as X, exactClock as Xt, WindowedList as Y, dictionary as Yt, Choices as Z, language as Zt, narrowTo as _, ProblemNote as _t, becomeOperator as a, O as an, redirect as at, picture as b, a as bt, operatorToken as c, x$1 as cn, letters as ct, around as d, F$1 as dn, switchLetters as dt, recentMoment as en, nameWindow as et, atTop as f, P as fn, useShortcuts as ft, load as g, $ as gn, Skeleton as gt, hasFailed as h, w$2 as hn, later$1 as ht, askTextAsOperator as i, useSignalEffect as in, place as it, portrait as j, changePassword as jt, authorOf as k, whileHidden as kt, hasPage as l, y$1 as ln, readable as lt, find as m, d$2 as mn, counts as mt, Field as n, useComputed as nn, narrow as nt, forgetOperator as o, f$1 as on, visits as ot, colleagues as p, T$1 as pn, NOTHING as pt, ofView as q, clock as qt, askAsOperator as r, useSignal as rn, open as rt, listAsOperator as s, r as sn, Empty as st, LanguageChoice as t, shortMoment as tn, match as tt, preview as u, A$1 as un, shortcuts as ut, owner as v, Button as vt, reread as w, pause as wt, put as x, lasting as xt, passing as y, Icon as yt, Outside as z, signIn as zt };
