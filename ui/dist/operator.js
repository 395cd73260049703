import { E as Copy, c as reasonOf, g as Badge, h as Dialog, k as useLoad } from "./parts.js";
import { t as counted } from "./start.js";
import { $t as number, Kt as bytes, Qt as moment, Tt as paused, Yt as dictionary, Z as Choices, _t as ProblemNote, bt as a, ft as useShortcuts, gn as $, in as useSignalEffect, ln as y, rn as useSignal, rt as open, s as listAsOperator, vt as Button, wt as pause } from "./app.js";
// src/areas/operator/facts.tsx
function Facts({ children }) {
	return a("dl", {
		class: "facts",
		children
	});
}
function Fact({ name, children, copy }) {
	return a("div", { children: [a("dt", { children: name }), a("dd", { children: [a("span", { children }), copy !== void 0 && a(Copy, {
		text: copy,
		of: name
	})] })] });
}
function Part({ title, actions, children }) {
	return a("section", {
		class: "part",
		"aria-label": title,
		children: [a("header", { children: [a("h2", { children: title }), actions] }), children]
	});
}
// src/areas/operator/polled.ts
var visible = y(!document.hidden);
document.addEventListener("visibilitychange", () => {
	visible.value = !document.hidden;
});
function usePolled(key, every, load) {
	const loaded = useLoad(key, load);
	useSignalEffect(() => {
		if (loaded.loading.value || paused.value || !visible.value) return void 0;
		const timer = setTimeout(loaded.reload, every);
		return () => clearTimeout(timer);
	});
	return loaded;
}
// src/words/operator.ts
var operator = dictionary({
	en: {
		pause: "Pause updates",
		goOn: "Resume updates",
		back: "Back to the list",
		chosen: "Selection",
		channel: "Channel",
		allChannels: "All channels",
		account: "Account",
		accounts: "Accounts",
		allAccounts: "All accounts",
		noAccounts: "No accounts",
		noAgent: "No User-Agent",
		scope: "Scope",
		masked: "Secret, not stored",
		body: {
			pretty: "Formatted",
			raw: "As sent",
			hex: "Bytes",
			length: (count) => count < 1e3 ? counted("en", count, {
				one: "byte",
				other: "bytes"
			}) : bytes(count),
			more: (count) => `${count} more bytes`
		},
		failures: {
			timed_out: "Timed out",
			refused: "Connection refused",
			reset: "Connection lost",
			head_too_large: "Response head too large",
			dns: "DNS lookup failed",
			tls: "TLS handshake failed",
			forbidden_address: "Forbidden address",
			no_address: "No endpoint",
			no_channel: "No such channel",
			not_expressible: "Not expressible in version 1",
			unknown: "Outcome unknown"
		},
		outcome: {
			delivered: "Delivered",
			notDelivered: "Not delivered",
			answer: "Response",
			address: "Endpoint",
			said: "Response body",
			took: (ms) => `${ms} ms`
		},
		admitted: {
			title: "Users that stay",
			text: "The integration created these users or was the last to activate them. They still can sign in. Deactivate the users that are not needed.",
			user: "User",
			sessions: "Sessions",
			tokens: "Bearer tokens",
			none: "none",
			more: (count) => `The first ${count} users. The page “Users” shows all.`
		}
	},
	ru: {
		pause: "Остановить обновление",
		goOn: "Возобновить обновление",
		back: "Назад к списку",
		chosen: "Выбранное",
		channel: "Канал",
		allChannels: "Все каналы",
		account: "Аккаунт",
		accounts: "Аккаунты",
		allAccounts: "Все аккаунты",
		noAccounts: "Нет аккаунтов",
		noAgent: "Без User-Agent",
		scope: "Scope",
		masked: "Секрет, не хранится",
		body: {
			pretty: "С форматированием",
			raw: "Как отправлено",
			hex: "Байты",
			length: (count) => count < 1e3 ? counted("ru", count, {
				one: "байт",
				few: "байта",
				many: "байт",
				other: "байта"
			}) : bytes(count),
			more: (count) => `ещё байт: ${count}`
		},
		failures: {
			timed_out: "Время ожидания истекло",
			refused: "Соединение отклонено",
			reset: "Соединение потеряно",
			head_too_large: "Слишком большие заголовки ответа",
			dns: "Ошибка поиска в DNS",
			tls: "Ошибка соединения TLS",
			forbidden_address: "Запрещённый адрес",
			no_address: "Нет адреса",
			no_channel: "Канала нет",
			not_expressible: "Нельзя передать в версии 1",
			unknown: "Результат неизвестен"
		},
		outcome: {
			delivered: "Доставлен",
			notDelivered: "Не доставлен",
			answer: "Ответ",
			address: "Адрес",
			said: "Тело ответа",
			took: (ms) => `${ms} мс`
		},
		admitted: {
			title: "Оставшиеся пользователи",
			text: "Интеграция создала этих пользователей или активировала их последней. Они по-прежнему могут войти. Деактивируйте тех, кто не нужен.",
			user: "Пользователь",
			sessions: "Сеансы",
			tokens: "Токены",
			none: "нет",
			more: (count) => `Первые пользователи: ${count}. Все — на странице «Пользователи».`
		}
	},
	es: {
		pause: "Pausar actualizaciones",
		goOn: "Reanudar actualizaciones",
		back: "Volver a la lista",
		chosen: "Selección",
		channel: "Canal",
		allChannels: "Todos los canales",
		account: "Cuenta",
		accounts: "Cuentas",
		allAccounts: "Todas las cuentas",
		noAccounts: "Sin cuentas",
		noAgent: "Sin User-Agent",
		scope: "Scope",
		masked: "Secreto, no se guarda",
		body: {
			pretty: "Con formato",
			raw: "Como se envió",
			hex: "Bytes",
			length: (count) => count < 1e3 ? counted("es", count, {
				one: "byte",
				other: "bytes"
			}) : bytes(count),
			more: (count) => `${count} bytes más`
		},
		failures: {
			timed_out: "Tiempo de espera agotado",
			refused: "Conexión rechazada",
			reset: "Conexión perdida",
			head_too_large: "Encabezados de la respuesta demasiado grandes",
			dns: "Error de búsqueda DNS",
			tls: "Error de conexión TLS",
			forbidden_address: "Dirección prohibida",
			no_address: "Sin endpoint",
			no_channel: "El canal no existe",
			not_expressible: "No expresable en la versión 1",
			unknown: "Resultado desconocido"
		},
		outcome: {
			delivered: "Entregado",
			notDelivered: "No entregado",
			answer: "Respuesta",
			address: "Endpoint",
			said: "Cuerpo de la respuesta",
			took: (ms) => `${ms} ms`
		},
		admitted: {
			title: "Usuarios que permanecen",
			text: "La integración creó a estos usuarios o fue la última que los activó. Todavía pueden entrar. Desactive a los que no hagan falta.",
			user: "Usuario",
			sessions: "Sesiones",
			tokens: "Tokens",
			none: "ninguno",
			more: (count) => `Los primeros ${count} usuarios. La página «Usuarios» los muestra todos.`
		}
	}
});
// src/areas/operator/split.tsx
function Split({ label, narrow, rows, isChosen, home, children }) {
	return a("div", {
		class: isChosen ? "split chosen" : "split",
		children: [a("section", {
			class: "split-list",
			"aria-label": label,
			children: [a("div", {
				class: "narrow",
				children: narrow
			}), rows]
		}), a("section", {
			class: "split-detail",
			"aria-label": operator().chosen,
			children: [isChosen && a("div", {
				class: "split-back",
				children: a(Button, {
					look: "quiet",
					icon: "back",
					onClick: () => open(home + location.search),
					children: operator().back
				})
			}), children]
		})]
	});
}
// src/areas/operator/listed.tsx
function Listed({ name, columns, action, children }) {
	return a("div", {
		class: "scrolls",
		tabIndex: 0,
		children: a("table", {
			class: `listed stacks ${name}`,
			children: [a("thead", { children: a("tr", { children: [columns.map((column) => a("th", {
				scope: "col",
				children: column
			}, column)), action !== void 0 && a("th", {
				scope: "col",
				children: a("span", {
					class: "unseen",
					children: action
				})
			})] }) }), a("tbody", { children })]
		})
	});
}
// src/areas/operator/admitted.tsx
function AdmittedUsers({ loaded, pageOf }) {
	const words = operator().admitted;
	const page = loaded.data.value;
	if (loaded.problem.value !== void 0) return a(ProblemNote, {
		problem: loaded.problem.value,
		retry: loaded.reload
	});
	if (page === void 0 || page.users.length === 0) return null;
	return a(Part, {
		title: words.title,
		children: [
			a("p", {
				class: "note",
				children: words.text
			}),
			a(Listed, {
				name: "admitted-users",
				columns: [
					words.user,
					words.sessions,
					words.tokens
				],
				children: page.users.map((user) => a("tr", { children: [
					a("th", {
						scope: "row",
						children: a("div", {
							class: "caller",
							children: [pageOf === void 0 ? a("bdi", { children: user.name }) : a("a", {
								href: pageOf(user.id),
								children: user.name
							}), a("span", {
								class: "soft",
								children: user.email
							})]
						})
					}),
					a("td", {
						"data-label": words.sessions,
						children: number(user.sessions)
					}),
					a("td", {
						"data-label": words.tokens,
						children: user.tokens.length === 0 ? words.none : user.tokens.map((token) => a(Badge, { children: token.name }, token.id))
					})
				] }, user.id))
			}),
			page.next !== null && a("p", {
				class: "soft",
				children: words.more(page.users.length)
			})
		]
	});
}
// src/areas/operator/program.tsx
function Moment({ at }) {
	return a("time", {
		dateTime: new Date(at * 1e3).toISOString(),
		children: moment(at)
	});
}
function Program({ agent }) {
	if (agent === null) return a("span", {
		class: "soft",
		children: operator().noAgent
	});
	return a("bdi", { children: agent });
}
function CallerNote({ caller }) {
	return a("div", {
		class: "caller",
		children: [
			a(Moment, { at: caller.at }),
			a(Program, { agent: caller.user_agent }),
			a("code", { children: caller.address })
		]
	});
}
// src/areas/operator/once.tsx
function Once({ title, text, name, secret, kept, onClose, children }) {
	return a(Dialog, {
		title,
		onClose,
		wide: true,
		children: [
			a("p", {
				class: "note warn",
				children: text
			}),
			a(Facts, { children: a(Fact, {
				name,
				copy: secret,
				children: a("code", { children: secret })
			}) }),
			children,
			a("div", {
				class: "actions",
				children: a(Button, {
					look: "primary",
					onClick: onClose,
					children: kept
				})
			})
		]
	});
}
// src/areas/operator/pretty.ts
function lines(value) {
	const out = [];
	const print = (it, path, indent, before, after) => {
		const isList = Array.isArray(it);
		if (typeof it !== "object" || it === null || Object.keys(it).length === 0) {
			out.push({
				text: indent + before + JSON.stringify(it) + after,
				path
			});
			return;
		}
		out.push({
			text: indent + before + (isList ? "[" : "{"),
			path
		});
		const inner = Object.entries(it);
		for (const [at, [key, child]] of inner.entries()) {
			const name = isList ? "" : `${JSON.stringify(key)}: `;
			print(child, path === "" ? key : `${path}.${key}`, `${indent}  `, name, at + 1 < inner.length ? "," : "");
		}
		out.push({
			text: indent + (isList ? "]" : "}") + after,
			path: void 0
		});
	};
	print(value, "", "", "", "");
	return out;
}
function lineOf(all, path) {
	const names = path === "(body)" ? [] : path.split(/[.[\]/]+/).filter((name) => name !== "");
	for (let length = names.length; length >= 0; length -= 1) {
		const wanted = names.slice(0, length).join(".");
		const found = all.findIndex((line) => line.path === wanted);
		if (found >= 0) return found;
	}
	return -1;
}
function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return;
	}
}
function laidOut(text, inLines) {
	const parts = text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? [];
	if (!inLines) return parts.join("");
	let out = "";
	let depth = 0;
	for (const [at, part] of parts.entries()) {
		const isEmpty = /^[{[]$/.test(parts[at - 1] ?? "");
		if (/^[}\]]$/.test(part)) {
			depth -= 1;
			out += isEmpty ? part : `\n${"  ".repeat(depth)}${part}`;
			continue;
		}
		if (isEmpty || parts[at - 1] === ",") out += `\n${"  ".repeat(depth)}`;
		out += part === ":" ? ": " : part;
		if (/^[{[]$/.test(part)) depth += 1;
	}
	return out;
}
function hexDump(text, limit) {
	const bytes = new TextEncoder().encode(text).slice(0, limit);
	const rows = [];
	for (let at = 0; at < bytes.length; at += 16) {
		const row = [...bytes.slice(at, at + 16)];
		const hex = row.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
		const shown = row.map((byte) => byte > 31 && byte < 127 ? String.fromCharCode(byte) : "·").join("");
		rows.push(`${at.toString(16).padStart(4, "0")}  ${hex.padEnd(47)}  ${shown}`);
	}
	return rows.join("\n");
}
// src/areas/operator/body.tsx
var BYTES = 2048;
function Body({ text, label, marks = [] }) {
	const words = operator().body;
	const value = parsed(text);
	const isJson = typeof value === "object" && value !== null;
	const view = useSignal("pretty");
	const shown = view.value === "pretty" && !isJson ? "raw" : view.value;
	const all = shown === "pretty" ? lines(value) : [];
	const wrong = new Map();
	for (const { path, detail } of marks) {
		const at = lineOf(all, path);
		wrong.set(at, [...wrong.get(at) ?? [], `${path}: ${detail}`]);
	}
	const length = new TextEncoder().encode(text).length;
	return a("div", {
		class: "body",
		children: [a("div", {
			class: "body-head",
			children: [
				a(Choices, {
					label,
					value: shown,
					options: [
						...isJson ? [{
							value: "pretty",
							says: words.pretty
						}] : [],
						{
							value: "raw",
							says: words.raw
						},
						{
							value: "hex",
							says: words.hex
						}
					],
					onChoose: (chosen) => {
						view.value = chosen;
					}
				}),
				a("span", {
					class: "soft",
					children: words.length(length)
				}),
				a(Copy, {
					text,
					of: label
				})
			]
		}), a("pre", {
			tabIndex: 0,
			role: "region",
			"aria-label": label,
			class: shown === "raw" ? "wraps" : void 0,
			children: a("code", { children: [
				shown === "raw" && text,
				shown === "hex" && a($, { children: [hexDump(text, BYTES), length > BYTES && `\n… ${words.more(number(length - BYTES))}`] }),
				all.map((line, at) => {
					const why = wrong.get(at);
					return why === void 0 ? a("span", { children: `${line.text}\n` }, at) : a("mark", { children: [`${line.text}\n`, a("strong", { children: `↑ ${why.join("\n↑ ")}` })] }, at);
				})
			] })
		})]
	});
}
// src/areas/operator/headers.tsx
function Headers({ headers, label }) {
	const words = operator();
	return a("div", {
		class: "scrolls",
		tabIndex: 0,
		children: a("table", {
			class: "headers",
			"aria-label": label,
			children: a("tbody", { children: headers.map((header, at) => a("tr", { children: [a("th", {
				scope: "row",
				children: header.name
			}), a("td", {
				class: "mono",
				children: header.value ?? a("em", {
					class: "soft",
					children: words.masked
				})
			})] }, at)) })
		})
	});
}
// src/areas/operator/status.tsx
function Status({ status }) {
	const isRefused = status >= 400;
	return a(Badge, {
		tone: isRefused ? "bad" : "good",
		icon: isRefused ? "warning" : "check",
		children: status
	});
}
// src/areas/operator/channels.tsx
function channels(signal) {
	return listAsOperator("/admin/v1/channels", "channels", signal);
}
function accounts(signal) {
	return listAsOperator("/admin/v1/accounts", "accounts", signal);
}
function useChannels() {
	return useLoad("channels", channels).data.value ?? [];
}
function ChannelChoice({ all, value, onChoose }) {
	const words = operator();
	return a("select", {
		"aria-label": words.channel,
		value,
		onChange: (event) => onChoose(event.currentTarget.value),
		children: [a("option", {
			value: "",
			children: words.allChannels
		}), all.map((channel) => a("option", {
			value: channel.id,
			children: channel.name
		}, channel.id))]
	});
}
function nameOf(all, id) {
	return all.find((channel) => channel.id === id)?.name ?? id;
}
// src/areas/operator/curl.ts
function quoted(text) {
	return `'${text.replaceAll("'", "'\\''")}'`;
}
function curl({ method, url, headers, body, file }) {
	return [
		`curl -isSg ${method === (body !== void 0 || file !== void 0 ? "POST" : "GET") ? "" : `-X ${method} `}${quoted(url)}`,
		...headers.map(({ name, value }) => `  -H ${quoted(`${name}: ${value}`)}`),
		...file === void 0 ? [] : [`  -F ${quoted(`${file.field}=@${file.name}`)}`],
		...body === void 0 ? [] : [`  --data-raw ${quoted(body)}`]
	].join(" \\\n");
}
// src/areas/operator/pause.tsx
function Pause() {
	const words = operator();
	return a(Button, {
		icon: paused.value ? "retry" : "paused",
		look: "quiet",
		"aria-pressed": paused.value,
		onClick: () => pause(!paused.peek()),
		children: paused.value ? words.goOn : words.pause
	});
}
// src/areas/operator/outcome.tsx
function OutcomeNote({ outcome }) {
	const words = operator().outcome;
	const said = outcome.excerpt ?? outcome.detail ?? "";
	return a("div", {
		class: outcome.delivered ? "note good" : "note bad",
		role: "status",
		children: [a(Badge, {
			tone: outcome.delivered ? "good" : "bad",
			icon: outcome.delivered ? "check" : "warning",
			children: [
				outcome.delivered ? words.delivered : words.notDelivered,
				": ",
				reasonOf(outcome)
			]
		}), a(Facts, { children: [
			a(Fact, {
				name: words.answer,
				children: [
					outcome.status ?? outcome.failure,
					" · ",
					words.took(outcome.took_ms),
					" · ",
					outcome.version
				]
			}),
			a(Fact, {
				name: words.address,
				children: [outcome.url, outcome.address !== null && ` (${outcome.address})`]
			}),
			said !== "" && a(Fact, {
				name: words.said,
				children: a("code", { children: said })
			})
		] })]
	});
}
// src/areas/operator/types.ts
var GROUPS = [
	"failed",
	"waiting",
	"delivered"
];
var SURFACES = [
	"chat",
	"account",
	"oauth"
];
// src/areas/operator/walk.ts
function useWalk({ rows, selected, at, words, onStep }) {
	const go = (step) => {
		const here = rows.findIndex((row) => row.id === selected);
		const place = Math.max(0, Math.min(rows.length - 1, here + step));
		const found = rows[place];
		if (found === void 0) return;
		onStep?.(place);
		open(at(found.id));
	};
	useShortcuts([
		{
			keys: "KeyJ",
			says: words.next,
			run: () => go(1)
		},
		{
			keys: "ArrowDown",
			says: words.next,
			run: () => go(1)
		},
		{
			keys: "KeyK",
			says: words.previous,
			run: () => go(-1)
		},
		{
			keys: "ArrowUp",
			says: words.previous,
			run: () => go(-1)
		}
	]);
}
// src/areas/operator/put.ts
function put(loaded, told) {
	const { secret: _, ...shown } = told;
	const others = (loaded.data.peek() ?? []).filter((known) => known.id !== told.id);
	loaded.data.value = [...others, shown].sort((one, other) => one.id < other.id ? -1 : 1);
}
// src/areas/operator/accounts.tsx
var ALL = "*";
function namesOf(open, accounts) {
	const words = operator();
	if (open.includes(ALL)) return words.allAccounts;
	return open.map((id) => accounts.find((account) => account.id === id)?.name ?? id).join(", ") || words.noAccounts;
}
function AccountsChoice({ accounts, value, onChange }) {
	const words = operator();
	const isForAll = value.includes(ALL);
	const chosen = useSignal(value.filter((id) => id !== ALL));
	const choose = (ids) => {
		chosen.value = ids;
		onChange(ids);
	};
	return a("fieldset", { children: [
		a("legend", { children: words.accounts }),
		a("label", {
			class: "check",
			children: [a("input", {
				type: "checkbox",
				checked: isForAll,
				onChange: (event) => onChange(event.currentTarget.checked ? [ALL] : chosen.value)
			}), words.allAccounts]
		}),
		!isForAll && accounts.map(({ id, name }) => a("label", {
			class: "check",
			children: [a("input", {
				type: "checkbox",
				checked: value.includes(id),
				onChange: (event) => {
					const others = value.filter((it) => it !== id);
					choose(event.currentTarget.checked ? [...others, id] : others);
				}
			}), name]
		}, id))
	] });
}
export { Facts as A, Program as C, operator as D, Split as E, usePolled as O, Moment as S, Listed as T, Body as _, GROUPS as a, Once as b, Pause as c, accounts as d, channels as f, Headers as g, Status as h, useWalk as i, Part as j, Fact as k, curl as l, useChannels as m, namesOf as n, SURFACES as o, nameOf as p, put as r, OutcomeNote as s, AccountsChoice as t, ChannelChoice as u, laidOut as v, AdmittedUsers as w, CallerNote as x, parsed as y };
