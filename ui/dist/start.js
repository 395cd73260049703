// src/api/begun.ts
var begun = new Map();
var lastEvent;
var AS_USER = {
	headers: { Accept: "application/json" },
	credentials: "same-origin",
	cache: "no-store"
};
function begin(address) {
	const answer = fetch(address, AS_USER);
	answer.catch(() => {});
	begun.set(address, answer);
	return answer;
}
function beginLive(address) {
	lastEvent = begin(address).then((answer) => answer.headers.get("Last-Event-ID") ?? void 0, () => void 0);
}
function taken(address) {
	const answer = begun.get(address);
	begun.delete(address);
	return answer;
}
function takenLastEvent() {
	const id = lastEvent;
	lastEvent = void 0;
	return id;
}
function forgetBegun() {
	begun.clear();
	lastEvent = void 0;
}
// src/areas/inbox/list/question.ts
var CONVERSATIONS = "/inbox/v1/conversations";
// src/storage.ts
var PREFIX = "switchboard.";
var passing = new Map();
function kept(name) {
	try {
		return localStorage.getItem(PREFIX + name) ?? passing.get(name) ?? null;
	} catch {
		return passing.get(name) ?? null;
	}
}
function keptNames(beginning) {
	const names = [...passing.keys()];
	try {
		for (let at = 0; at < localStorage.length; at += 1) {
			const name = localStorage.key(at) ?? "";
			if (name.startsWith(PREFIX)) names.push(name.slice(12));
		}
	} catch {}
	return names.filter((name) => name.startsWith(beginning));
}
function onForgotten(listener) {
	addEventListener("storage", ({ key, newValue }) => {
		if (newValue === null && key?.startsWith(PREFIX) === true) listener(key.slice(12));
	});
}
function keep(name, value) {
	try {
		if (value === null) {
			passing.delete(name);
			localStorage.removeItem(PREFIX + name);
		} else localStorage.setItem(PREFIX + name, value);
		return true;
	} catch {
		if (value !== null) passing.set(name, value);
		return false;
	}
}
// src/words/wanted.ts
var LANGUAGES = [
	"en",
	"ru",
	"es"
];
var LANGUAGE_NAMES = {
	en: "English",
	ru: "Русский",
	es: "Español"
};
function known(name) {
	const short = name?.split(/[^A-Za-z]/, 1)[0]?.toLowerCase();
	return LANGUAGES.find((language) => language === short);
}
function ofBrowser() {
	return navigator.languages ?? [];
}
function locale(language) {
	return ofBrowser().find((tag) => known(tag) === language && isTag(tag)) ?? language;
}
function isTag(text) {
	try {
		return Intl.getCanonicalLocales(text).length === 1;
	} catch {
		return false;
	}
}
var wanted = known(kept("language")) ?? ofBrowser().map(known).find((it) => it !== void 0) ?? "en";
// \0vite/preload-helper.js
var scriptRel = (function detectScriptRel() {
	const relList = typeof document !== "undefined" && document.createElement("link").relList;
	return relList && relList.supports && relList.supports("modulepreload") ? "modulepreload" : "preload";
})();
var assetsURL = function(dep) {
	return "/ui/" + dep;
};
var seen = {};
var isCssPreloadUrl = function isCssPreloadUrl(url) {
	return url.pathname.endsWith(".css");
};
var preloadOnce = function preloadOnce(seen, href, preload) {
	if (href in seen) return seen[href];
	const promise = preload();
	if (!promise) {
		seen[href] = void 0;
		return;
	}
	const preloadPromise = promise.then(() => {
		seen[href] = void 0;
	}, (err) => {
		seen[href] = void 0;
		throw err;
	});
	seen[href] = preloadPromise;
	return preloadPromise;
};
var __vitePreload = function preload(baseModule, deps, importerUrl) {
	let promise = Promise.resolve();
	if (deps && deps.length > 0) {
		let preloadedHrefs;
		const cspNonceMeta = document.querySelector("meta[property=csp-nonce]");
		const cspNonce = cspNonceMeta?.nonce || cspNonceMeta?.getAttribute("nonce");
		function allSettled(promises) {
			return Promise.all(promises.map((p) => Promise.resolve(p).then((value) => ({
				status: "fulfilled",
				value
			}), (reason) => ({
				status: "rejected",
				reason
			}))));
		}
		function importMetaResolve(specifier) {
			if (import.meta.resolve) return new URL(import.meta.resolve(specifier));
			return new URL(specifier, import.meta.url);
		}
		promise = allSettled(deps.map((depString) => {
			depString = assetsURL(depString, importerUrl);
			const dep = importMetaResolve(depString);
			const isCss = isCssPreloadUrl(dep);
			return preloadOnce(seen, dep.href, () => {
				if (preloadedHrefs === void 0) {
					preloadedHrefs = {
						all: new Set(),
						styles: new Set()
					};
					const links = document.getElementsByTagName("link");
					for (let i = links.length - 1; i >= 0; i--) {
						const link = links[i];
						preloadedHrefs.all.add(link.href);
						if (link.rel === "stylesheet") preloadedHrefs.styles.add(link.href);
					}
				}
				if ((isCss ? preloadedHrefs.styles : preloadedHrefs.all).has(dep.href)) return;
				const link = document.createElement("link");
				link.rel = isCss ? "stylesheet" : scriptRel;
				if (!isCss) link.as = "script";
				link.crossOrigin = "";
				link.href = dep.href;
				if (cspNonce) link.setAttribute("nonce", cspNonce);
				document.head.appendChild(link);
				if (isCss) return new Promise((res, rej) => {
					const handleSettle = (e) => {
						link.removeEventListener("load", handleSettle);
						link.removeEventListener("error", handleSettle);
						if (e.type === "error") rej(new Error(`Unable to preload CSS for ${dep}`));
						else res(e);
					};
					link.addEventListener("load", handleSettle);
					link.addEventListener("error", handleSettle);
				});
			});
		}).filter((p) => p !== void 0));
	}
	function handlePreloadError(err) {
		const e = new Event("vite:preloadError", { cancelable: true });
		e.payload = err;
		window.dispatchEvent(e);
		if (!e.defaultPrevented) throw err;
	}
	return promise.then((res) => {
		for (const item of res || []) {
			if (item.status !== "rejected") continue;
			handlePreloadError(item.reason);
		}
		return baseModule().catch(handlePreloadError);
	});
};
// src/start.ts
begin("/inbox/v1/me");
if (/^\/(conversations(\/[^/]*)?)?$/.test(location.pathname) && !/[?&](show|responsible|status|channel|tag|view|q)=/.test(location.search)) beginLive(`${CONVERSATIONS}?limit=30`);
if (wanted === "ru") __vitePreload(() => import("./words-ru.js"), []).catch(() => {});
if (wanted === "es") __vitePreload(() => import("./words-es.js"), []).catch(() => {});
// src/words/counted.ts
var rules = new Map();
function counted(of, number, forms) {
	let rule = rules.get(of);
	if (rule === void 0) {
		rule = new Intl.PluralRules(of);
		rules.set(of, rule);
	}
	return `${new Intl.NumberFormat(of).format(number)} ${forms[rule.select(number)] ?? forms.other}`;
}
export { known as a, keep as c, onForgotten as d, CONVERSATIONS as f, takenLastEvent as g, taken as h, LANGUAGE_NAMES as i, kept as l, forgetBegun as m, __vitePreload as n, locale as o, AS_USER as p, LANGUAGES as r, wanted as s, counted as t, keptNames as u };
