import { t as counted } from "./start.js";
import { $ as Page, Ct as on, Ht as asProblem, Lt as me, Ot as whenBack, St as shell, Ut as ask, Vt as Problem, Wt as isAborted, Yt as dictionary, _t as ProblemNote, a as becomeOperator, bt as a, c as operatorToken, cn as x, dn as F, fn as P, gn as $, ln as y, n as Field, pn as T, rn as useSignal, un as A, vt as Button, yt as Icon } from "./app.js";
// \0rolldown/runtime.js
var __defProp = Object.defineProperty;
var __exportAll = (all, no_symbols) => {
	let target = {};
	for (var name in all) __defProp(target, name, {
		get: all[name],
		enumerable: true
	});
	if (!no_symbols) __defProp(target, Symbol.toStringTag, { value: "Module" });
	return target;
};
// src/parts/load.ts
function useLoad(key, load) {
	const data = useSignal(void 0);
	const problem = useSignal(void 0);
	const loading = useSignal(true);
	const newest = T(load);
	newest.current = load;
	const under = T(void 0);
	const reload = T(() => {
		under.current?.abort();
		const mine = new AbortController();
		under.current = mine;
		loading.value = true;
		newest.current(mine.signal).then((answer) => {
			if (under.current !== mine) return;
			data.value = answer;
			problem.value = void 0;
			loading.value = false;
		}).catch((failure) => {
			if (under.current !== mine || isAborted(failure)) return;
			problem.value = asProblem(failure);
			loading.value = false;
		});
	});
	F(() => {
		data.value = void 0;
		problem.value = void 0;
		reload.current();
		return () => under.current?.abort();
	}, [key]);
	A(() => on("reset", () => reload.current()), []);
	A(() => whenBack(() => problem.peek(), reload.current), []);
	return {
		data,
		problem,
		loading,
		reload: reload.current
	};
}
// src/parts/work.ts
function useWork() {
	const busy = useSignal(false);
	const problem = useSignal(void 0);
	const run = async (work) => {
		if (busy.peek()) return;
		busy.value = true;
		problem.value = void 0;
		try {
			await work();
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = false;
	};
	return {
		busy: busy.value,
		problem: problem.value,
		run
	};
}
// src/parts/copy.tsx
var copy_exports = __exportAll({ Command: () => Command });
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
	} catch {
		const area = document.createElement("textarea");
		area.value = text;
		area.className = "off-screen";
		(document.querySelector("dialog[open]") ?? document.body).append(area);
		area.select();
		document.execCommand("copy");
		area.remove();
	}
}
function Copy({ text, of }) {
	const done = useSignal(false);
	const words = shell();
	return a(Button, {
		look: "quiet",
		icon: done.value ? "check" : "copy",
		label: done.value ? words.copied : `${words.copy}: ${of}`,
		onClick: (event) => {
			const button = event.currentTarget;
			copy(text).then(() => {
				button.focus();
				done.value = true;
				setTimeout(() => {
					done.value = false;
				}, 1500);
			});
		}
	});
}
function Command({ text, shown = text, of = shell().command }) {
	return a("div", {
		class: "command",
		children: [a("pre", {
			tabIndex: 0,
			children: a("code", { children: shown })
		}), a(Copy, {
			text,
			of
		})]
	});
}
var words$1 = dictionary({
	en: {
		you: "you",
		nobody: "No user",
		user: (id) => `User ${id}`,
		stage: (id) => `Stage ${id}`
	},
	ru: {
		you: "вы",
		nobody: "Нет пользователя",
		user: (id) => `Пользователь ${id}`,
		stage: (id) => `Этап ${id}`
	},
	es: {
		you: "usted",
		nobody: "Ningún usuario",
		user: (id) => `Usuario ${id}`,
		stage: (id) => `Etapa ${id}`
	}
});
// src/api/book.ts
var pipelines = y([]);
var people = y([]);
var PAGES = 4;
var asked = false;
var wanted = false;
function useBook() {
	wanted = true;
	if (asked || me.peek() === null || me.peek() === void 0) return;
	asked = true;
	Promise.all([readPipelines(), readPeople()]).catch((failure) => {
		asked = false;
		if (!(failure instanceof Problem)) throw failure;
	});
}
async function readPipelines() {
	pipelines.value = (await ask("/api/v4/leads/pipelines"))._embedded.pipelines;
}
async function readNames(query) {
	const page = await ask("/inbox/v1/users", { query });
	const known = new Map(people.peek().map((user) => [user.id, user]));
	for (const { id, name, is_active: isActive, presence } of page.users) known.set(id, {
		id,
		name,
		isActive,
		presence
	});
	people.value = [...known.values()];
	return page;
}
async function readPeople() {
	let cursor;
	for (let page = 0; page < PAGES; page += 1) {
		cursor = (await readNames({
			limit: 250,
			cursor
		})).next ?? void 0;
		if (cursor === void 0) return;
	}
}
function learnResponsible(conversation, user) {
	if (isNobody(user) || nameOf(user) !== void 0) return;
	readNames({ conversation_id: conversation }).catch((failure) => {
		if (!(failure instanceof Problem)) throw failure;
	});
}
on("back", () => {
	if (wanted) useBook();
});
x(() => {
	if (me.value !== null) return;
	[asked, wanted] = [false, false];
	[pipelines.value, people.value] = [[], []];
});
function stageName(pipeline, stage) {
	return pipelines.value.find((known) => known.id === pipeline)?._embedded.statuses.find((known) => known.id === stage)?.name ?? words$1().stage(stage);
}
function isNobody(id) {
	return id === null || id === void 0 || id === 0;
}
function nameOf(id) {
	return id === me.value?.user.id ? me.value.user.name : people.value.find((known) => known.id === id)?.name;
}
function userName(id) {
	if (isNobody(id)) return words$1().nobody;
	const name = nameOf(id) ?? words$1().user(id);
	return id === me.value?.user.id ? `${name} (${words$1().you})` : name;
}
function candidates(now) {
	const own = me.value?.user.id;
	const active = people.value.filter((user) => user.isActive).map((user) => user.id);
	return [...new Set([
		own,
		now,
		...active
	])].filter((id) => !isNobody(id));
}
// src/parts/badge.tsx
function Badge({ tone = "plain", icon, children }) {
	return a("span", {
		class: `badge ${tone}`,
		children: [icon !== void 0 && a(Icon, { name: icon }), children]
	});
}
// src/parts/dialog.tsx
function Dialog({ title, onClose, children, wide = false }) {
	const dialog = T(null);
	const id = P();
	const close = T(onClose);
	close.current = onClose;
	F(() => {
		const before = document.activeElement;
		const shown = dialog.current;
		shown?.showModal();
		shown?.querySelector(`.content :is(input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea):not(:disabled)`)?.focus();
		return () => {
			shown?.close();
			if (before instanceof HTMLElement) before.focus();
		};
	}, []);
	return a("dialog", {
		ref: dialog,
		class: wide ? "wide" : void 0,
		"aria-labelledby": id,
		onCancel: (event) => {
			event.preventDefault();
			close.current();
		},
		onClick: (event) => {
			if (event.target === dialog.current) close.current();
		},
		children: a("div", {
			class: "sheet",
			children: [a("header", { children: [a("h2", {
				id,
				children: title
			}), a(Button, {
				look: "quiet",
				icon: "close",
				label: shell().close,
				onClick: onClose
			})] }), a("div", {
				class: "content",
				children
			})]
		})
	});
}
// src/parts/confirm.tsx
function Confirm({ title, text, action, icon, onConfirm, onClose }) {
	const task = useWork();
	return a(Dialog, {
		title,
		onClose,
		children: [
			a("p", { children: text }),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			a("div", {
				class: "actions",
				children: [a(Button, {
					onClick: onClose,
					children: shell().cancel
				}), a(Button, {
					look: "danger",
					icon,
					busy: task.busy,
					onClick: () => void task.run(onConfirm),
					children: action
				})]
			})
		]
	});
}
// src/parts/typed.ts
var typed = (value) => ({
	value: value.value,
	onInput: (event) => {
		value.value = event.currentTarget.value;
	}
});
// src/parts/folded.ts
function folded(text) {
	return text.normalize("NFKD").toLowerCase().replace(/(?<!и)[\u0300-\u036f]|\p{Cf}/gu, "").replace(/[’‘ʼ]/gu, "'").normalize("NFC");
}
// src/parts/prose.tsx
function Prose({ text, lang }) {
	const parts = text.split("`").map((part, at) => at % 2 === 1 ? a("code", { children: part }, at) : part);
	return lang === void 0 ? a($, { children: parts }) : a("span", {
		lang,
		children: parts
	});
}
// src/parts/operator-gate.tsx
function OperatorGate({ title, children }) {
	if (operatorToken.value !== void 0) return a($, { children: children() });
	return a(Page, {
		title,
		children: a(OperatorToken, {})
	});
}
function OperatorToken() {
	const token = useSignal("");
	const problem = useSignal(void 0);
	const busy = useSignal(false);
	const words = shell().operator;
	const submit = async () => {
		busy.value = true;
		try {
			await becomeOperator(token.value.trim());
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = false;
	};
	const wrong = problem.value?.status === 401 ? words.wrong : void 0;
	return a("form", {
		class: "operator-gate",
		onSubmit: (event) => {
			event.preventDefault();
			submit();
		},
		children: [
			a("h2", { children: words.title }),
			a("p", { children: words.text }),
			a(Field, {
				label: words.token,
				hint: a(Prose, { text: words.hint }),
				error: wrong,
				children: (input) => a("input", {
					...input,
					type: "password",
					autocomplete: "off",
					required: true,
					value: token.value,
					onInput: (event) => {
						token.value = event.currentTarget.value;
					}
				})
			}),
			problem.value !== void 0 && wrong === void 0 && a(ProblemNote, { problem: problem.value }),
			a(Button, {
				type: "submit",
				look: "primary",
				busy: busy.value,
				children: words.submit
			})
		]
	});
}
// src/words/reasons.en.ts
var answered$2 = ({ status }) => status === void 0 ? "answered with an error" : `answered ${status}`;
var en$2 = {
	delivered: () => "The integration accepted it",
	timed_out: () => "The integration did not answer in time",
	unreachable: () => "The endpoint refuses connections or cannot be reached",
	connection_broken: () => "The connection was lost, or the response is not HTTP",
	head_too_large: () => "The head of the response has more than 1,000 headers or 256 KiB; the integration may have accepted the message",
	outcome_unknown: () => "The service stopped the attempt; its outcome is unknown",
	name_not_resolved: () => "The host name of the endpoint does not resolve",
	tls_failed: () => "The TLS handshake failed, or the certificate is not trusted",
	address_forbidden: () => "The service may not send callbacks to this endpoint and sent nothing; see dispatch.allow_private_networks",
	no_channel: () => "The channel does not exist any more, so the service sent nothing; create it again under the same id, or discard the callback",
	not_expressible: () => "Version 1 of callbacks has no form for this message, so the service sent nothing: it is a reaction, or the integration has no id of the conversation; connect the account with hook_api_version v2 and replay the message",
	server_error: (it) => `The integration ${answered$2(it)}`,
	too_many_requests: (it) => `The integration ${answered$2(it)}: its rate limit is exceeded`,
	away: (it) => `The integration ${answered$2(it)} with a Retry-After header`,
	redirected: (it) => `The integration ${answered$2(it)}: the service does not follow redirects; correct the endpoint`,
	not_authorized: (it) => `The integration ${answered$2(it)}: it refuses the authorization of callbacks`,
	wrong_address: (it) => `The integration ${answered$2(it)}: the endpoint does not accept callbacks; correct the endpoint`,
	not_found: (it) => `The integration ${answered$2(it)}: the endpoint does not exist, or the integration does not know the conversation`,
	gone: (it) => `The integration ${answered$2(it)}: the endpoint is permanently gone`,
	message_refused: (it) => `The integration ${answered$2(it)}: it rejects this message`,
	message_aborted: (it) => `The integration ${answered$2(it)}: it rejects this message and asks for no further attempt`,
	attempt_in_progress: ({ attempt }) => `Attempt ${attempt ?? ""} is in progress`,
	behind_earlier: () => "The callback waits for an earlier message of its conversation",
	waits_for_turn: () => "The callback waits in the delivery queue",
	attempts_used: ({ last }) => `All retries failed; the last attempt: ${last}`,
	tried_too_long: ({ last }) => `The time for retries ended; the last attempt: ${last}`,
	account_disconnected: () => "The account was disconnected from the channel",
	withdrawn: () => "A user decided not to send the message",
	discarded: () => "An operator discarded the callback",
	address_failing: () => "The endpoint failed too often; the service probes it and resumes when a probe succeeds",
	conversation_held: ({ conversation }) => `Held: only callbacks of conversation ${conversation} fail; the service retries them one at a time and sends those of other conversations`,
	pause_asked: () => "The integration asked for a pause",
	address_gone: () => "The integration answered that the endpoint is permanently gone; an operator must enable it again",
	address_given_up: () => "The endpoint has not answered for days; an operator must enable it again",
	no_address: () => "The channel has no endpoint for callbacks of this version",
	channel_paused: () => "An operator paused the channel",
	callbacks_fail: () => "The last callback failed; the service continues to send callbacks",
	conversation_fails: ({ conversation }) => `Only callbacks of conversation ${conversation} fail; the service sends those of other conversations`,
	slow_start: () => "The endpoint recovers: it accepts callbacks again, and the service raises their rate step by step",
	probed: () => "The endpoint failed too often; the service probes it with one callback at a time"
};
// src/words/reasons.es.ts
var answered$1 = ({ status }) => status === void 0 ? "respondió con un error" : `respondió ${status}`;
var es$2 = {
	delivered: () => "La integración lo aceptó",
	timed_out: () => "La integración no respondió a tiempo",
	unreachable: () => "El endpoint rechaza conexiones o no está accesible",
	connection_broken: () => "La conexión se perdió, o la respuesta no es HTTP",
	head_too_large: () => "La respuesta tiene más de 1000 encabezados o 256 KiB de encabezados; la integración puede haber aceptado el mensaje",
	outcome_unknown: () => "El servicio interrumpió el intento; su resultado es desconocido",
	name_not_resolved: () => "El nombre de host del endpoint no se resuelve",
	tls_failed: () => "No se pudo establecer la conexión TLS, o el certificado no es de confianza",
	address_forbidden: () => "El servicio no puede enviar callbacks a este endpoint y no envió nada; consulte dispatch.allow_private_networks",
	no_channel: () => "El canal ya no existe y el servicio no envió nada; cree el canal de nuevo con el mismo id o descarte el callback",
	not_expressible: () => "La versión 1 de los callbacks no puede expresar este mensaje y el servicio no envió nada: es una reacción, o la integración no tiene un id de la conversación; conecte la cuenta con hook_api_version v2 y reenvíe el mensaje",
	server_error: (it) => `La integración ${answered$1(it)}`,
	too_many_requests: (it) => `La integración ${answered$1(it)}: se superó su límite de solicitudes`,
	away: (it) => `La integración ${answered$1(it)} con un encabezado Retry-After`,
	redirected: (it) => `La integración ${answered$1(it)}: el servicio no sigue redirecciones; corrija el endpoint`,
	not_authorized: (it) => `La integración ${answered$1(it)}: rechaza la autorización de los callbacks`,
	wrong_address: (it) => `La integración ${answered$1(it)}: el endpoint no acepta callbacks; corrija el endpoint`,
	not_found: (it) => `La integración ${answered$1(it)}: el endpoint no existe, o la integración no conoce la conversación`,
	gone: (it) => `La integración ${answered$1(it)}: el endpoint ya no existe`,
	message_refused: (it) => `La integración ${answered$1(it)}: rechaza este mensaje`,
	message_aborted: (it) => `La integración ${answered$1(it)}: rechaza este mensaje y pide no hacer más intentos`,
	attempt_in_progress: ({ attempt }) => `El intento ${attempt ?? ""} está en curso`,
	behind_earlier: () => "El callback espera un mensaje anterior de su conversación",
	waits_for_turn: () => "El callback espera en la cola de entrega",
	attempts_used: ({ last }) => `Todos los reintentos fallaron; el último intento: ${last}`,
	tried_too_long: ({ last }) => `El tiempo de los reintentos terminó; el último intento: ${last}`,
	account_disconnected: () => "La cuenta se desconectó del canal",
	withdrawn: () => "Un usuario decidió no enviar el mensaje",
	discarded: () => "Un operador descartó el callback",
	address_failing: () => "El endpoint falló demasiadas veces; el servicio lo prueba y continúa cuando una prueba tiene éxito",
	conversation_held: ({ conversation }) => `Retenido: solo fallan los callbacks de la conversación ${conversation}; el servicio los reintenta de uno en uno y envía los de otras conversaciones`,
	pause_asked: () => "La integración pidió una pausa",
	address_gone: () => "La integración respondió que el endpoint ya no existe; un operador debe habilitarlo de nuevo",
	address_given_up: () => "El endpoint lleva días sin responder; un operador debe habilitarlo de nuevo",
	no_address: () => "El canal no tiene un endpoint para callbacks de esta versión",
	channel_paused: () => "Un operador pausó el canal",
	callbacks_fail: () => "El último callback falló; el servicio sigue enviando callbacks",
	conversation_fails: ({ conversation }) => `Solo fallan los callbacks de la conversación ${conversation}; el servicio envía los de otras conversaciones`,
	slow_start: () => "El endpoint se recupera: vuelve a aceptar callbacks y el servicio aumenta su frecuencia poco a poco",
	probed: () => "El endpoint falló demasiadas veces; el servicio lo prueba con un callback a la vez"
};
// src/words/reasons.ru.ts
var answered = ({ status }) => status === void 0 ? "ответила ошибкой" : `ответила ${status}`;
// src/words/reasons.ts
var words = dictionary({
	en: en$2,
	ru: {
		delivered: () => "Интеграция приняла вебхук",
		timed_out: () => "Интеграция не ответила вовремя",
		unreachable: () => "Адрес не принимает соединения или недоступен",
		connection_broken: () => "Соединение потеряно, или ответ — не HTTP",
		head_too_large: () => "В ответе больше 1000 заголовков или 256 КиБ заголовков; возможно, интеграция приняла сообщение",
		outcome_unknown: () => "Сервис прервал попытку; её результат неизвестен",
		name_not_resolved: () => "Имя узла в адресе не найдено в DNS",
		tls_failed: () => "Не удалось установить соединение TLS, или сертификат недействителен",
		address_forbidden: () => "Сервису нельзя отправлять вебхуки на этот адрес, и он ничего не отправил; см. dispatch.allow_private_networks",
		no_channel: () => "Канала больше нет, и сервис ничего не отправил; создайте канал снова с тем же id или отмените вебхук",
		not_expressible: () => "Вебхуки версии 1 не могут передать это сообщение, и сервис ничего не отправил: это реакция, или у интеграции нет id беседы; подключите аккаунт с hook_api_version v2 и отправьте сообщение снова",
		server_error: (it) => `Интеграция ${answered(it)}`,
		too_many_requests: (it) => `Интеграция ${answered(it)}: превышен её лимит запросов`,
		away: (it) => `Интеграция ${answered(it)} с заголовком Retry-After`,
		redirected: (it) => `Интеграция ${answered(it)}: сервис не выполняет переадресацию; исправьте адрес`,
		not_authorized: (it) => `Интеграция ${answered(it)}: она отклоняет авторизацию вебхуков`,
		wrong_address: (it) => `Интеграция ${answered(it)}: адрес не принимает вебхуки; исправьте адрес`,
		not_found: (it) => `Интеграция ${answered(it)}: такого адреса нет, или интеграция не знает беседу`,
		gone: (it) => `Интеграция ${answered(it)}: адрес больше не существует`,
		message_refused: (it) => `Интеграция ${answered(it)}: она отклоняет это сообщение`,
		message_aborted: (it) => `Интеграция ${answered(it)}: она отклоняет это сообщение и просит не повторять попытки`,
		attempt_in_progress: ({ attempt }) => `Выполняется попытка ${attempt ?? ""}`,
		behind_earlier: () => "Вебхук ждёт более раннего сообщения своей беседы",
		waits_for_turn: () => "Вебхук ждёт в очереди доставки",
		attempts_used: ({ last }) => `Все попытки неудачны; последняя: ${last}`,
		tried_too_long: ({ last }) => `Время повторов истекло; последняя попытка: ${last}`,
		account_disconnected: () => "Аккаунт отключён от канала",
		withdrawn: () => "Пользователь решил не отправлять сообщение",
		discarded: () => "Оператор отменил вебхук",
		address_failing: () => "Слишком много ошибок по этому адресу; сервис проверяет его и продолжит отправку после успешной проверки",
		conversation_held: ({ conversation }) => `Задержано: ошибки только у вебхуков беседы ${conversation}; сервис повторяет их по одному и отправляет вебхуки других бесед`,
		pause_asked: () => "Интеграция попросила паузу",
		address_gone: () => "Интеграция ответила, что адрес больше не существует; включить его снова может оператор",
		address_given_up: () => "Адрес не отвечает несколько дней; включить его снова может оператор",
		no_address: () => "У канала нет адреса для вебхуков этой версии",
		channel_paused: () => "Оператор приостановил канал",
		callbacks_fail: () => "Последний вебхук не доставлен; сервис продолжает отправку",
		conversation_fails: ({ conversation }) => `Ошибки только у вебхуков беседы ${conversation}; сервис отправляет вебхуки других бесед`,
		slow_start: () => "Адрес снова принимает вебхуки; сервис постепенно увеличивает их частоту",
		probed: () => "Слишком много ошибок по этому адресу; сервис проверяет его, отправляя вебхуки по одному"
	},
	es: es$2
});
function reasonOf({ reason, reason_code: code, reason_details: details = {} }) {
	const known = words();
	const say = (code, last) => isKnown(code, known) ? known[code]({
		status: details.status,
		attempt: details.attempt,
		last,
		conversation: details.conversation_id ?? ""
	}) : void 0;
	const last = say(details.last, "");
	return say(code, last === void 0 ? details.last ?? "" : last.charAt(0).toLowerCase() + last.slice(1)) ?? reason ?? "";
}
function isKnown(code, words) {
	return code !== null && code !== void 0 && Object.hasOwn(words, code);
}
// src/words/kinds.ts
var kinds = dictionary({
	en: {
		telegram: "Telegram",
		whatsapp: "WhatsApp",
		viber: "Viber",
		instagram: "Instagram",
		facebook: "Facebook",
		web: "Web site",
		email: "E-mail",
		sms: "SMS",
		other: "Other"
	},
	ru: {
		telegram: "Telegram",
		whatsapp: "WhatsApp",
		viber: "Viber",
		instagram: "Instagram",
		facebook: "Facebook",
		web: "Сайт",
		email: "Электронная почта",
		sms: "SMS",
		other: "Другой"
	},
	es: {
		telegram: "Telegram",
		whatsapp: "WhatsApp",
		viber: "Viber",
		instagram: "Instagram",
		facebook: "Facebook",
		web: "Sitio web",
		email: "Correo electrónico",
		sms: "SMS",
		other: "Otro"
	}
});
// src/parts/kind.tsx
var KINDS = {
	telegram: "M21 4L3 11l6 2.5L11 20l4-4.5 4 3zM9 13.5L21 4",
	whatsapp: "M6 4h4l1.5 5-2.5 1.5c1 2.5 2.5 4 5 5l1.5-2.5 4.5 1.5v4c0 1-.8 1.5-1.8 1.5C10.5 20 4 13.5 4 6c0-1 1-2 2-2z",
	viber: "M3 4h12v9H8l-3 3v-3H3zM18 9h3v9h-2v3l-3-3h-6",
	instagram: "M3 8h4l2-3h6l2 3h4v11H3zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
	facebook: "M4 5h16v11h-9l-4 4v-4H4zM8 9h8M8 12.5h5",
	web: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c3 3 3 15 0 18M12 3c-3 3-3 15 0 18",
	email: "M3 6h18v12H3zM3 6l9 7 9-7",
	sms: "M7 3h10v18H7zM7 17h10M12 19v.1",
	other: ""
};
var isKind = (text) => Object.hasOwn(KINDS, text);
var CHANNEL_KINDS = Object.keys(KINDS).filter(isKind);
var kindName = (kind) => kinds()[kind];
function Kind({ kind }) {
	if (KINDS[kind] === "") return null;
	const name = kindName(kind);
	return a("span", {
		class: "kind",
		role: "img",
		"aria-label": name,
		title: name,
		children: a("svg", {
			class: "icon",
			viewBox: "0 0 24 24",
			width: "18",
			height: "18",
			"aria-hidden": "true",
			focusable: "false",
			children: a("path", { d: KINDS[kind] })
		})
	});
}
// src/words/team.ts
var team = dictionary({
	en: {
		viewing: (names) => `Also here: ${names}`,
		otherVersion: (time) => `Another version of this draft, stored at ${time}:`,
		useOther: "Use that version",
		keepThis: "Keep this version",
		overtaken: "Another answer was sent first.",
		allTheSame: "Send anyway",
		kinds: "Kind of text",
		reply: "Reply",
		hasDraft: "draft",
		filters: {
			status: "Status",
			responsible: {
				all: "Any user",
				me: "My leads",
				none: "Unassigned"
			},
			statuses: {
				all: "Any status",
				open: "Open",
				waiting: "Answered",
				snoozed: "Snoozed",
				closed: "Closed"
			}
		},
		responsible: {
			title: "Responsible user",
			label: (name) => `Responsible user: ${name}`,
			now: (name) => `Now: ${name}`,
			takeOver: "Take over",
			giveBack: "Give back",
			another: "Another user",
			assign: "Assign",
			overtaken: (name) => `Another user changed the responsible user first. Now: ${name}.`,
			assignAnyway: (name) => `Assign to ${name} anyway`,
			giveBackAnyway: "Give back anyway",
			leave: "Leave it",
			close: "Close",
			closeLabel: "Close the conversation",
			closed: "Closed"
		},
		group: {
			label: "Group",
			none: "No group",
			numbered: (id) => `Group ${id}`,
			now: (name) => `Group: ${name}`,
			assign: "Assign to the group",
			overtaken: (name) => `Another user changed the group first. Now: ${name}.`
		},
		snooze: {
			title: "Snooze the conversation",
			explain: "The conversation leaves the open and answered ones. At the chosen time it is open again, at the top of the list.",
			action: "Snooze",
			hour: "In 1 hour",
			evening: "This evening",
			tomorrow: "Tomorrow",
			monday: "Next Monday",
			other: "Date and time",
			wakes: "Open it earlier when the customer writes",
			until: (time) => `Snoozed until ${time}`,
			orMessage: "or until the customer writes",
			wake: "Wake now"
		},
		scheduled: {
			title: "Send the reply later",
			explain: "The reply is sent at the chosen time, also when this page is closed. If something prevents that, it waits here for you.",
			action: "Send at this time",
			hour: "In 1 hour",
			evening: "This evening",
			tomorrow: "Tomorrow",
			monday: "Next Monday",
			other: "Date and time",
			wakes: "Do not send it if the customer writes first",
			later: "Send later…",
			list: "Scheduled replies",
			at: (time) => `Sends ${time}`,
			held: "Not sent.",
			unless: "Only if the customer does not write first.",
			inAnyCase: "In any case.",
			template: "The template is filled when it is sent.",
			reasons: {
				customer_wrote: "The customer wrote first.",
				answered: "Another answer was sent first.",
				no_right: "Its writer may not reply here any more.",
				not_connected: "Nothing can leave through the channel now.",
				window_closed: "The time window of the channel was closed: only templates can be sent.",
				quota: "A quota of the account was used up.",
				template: "The template was changed or deleted.",
				message_gone: "The message that it answers is not there any more."
			},
			sendNow: "Send now",
			sendNowLabel: (text) => `Send now: ${text}`,
			edit: "Edit",
			editLabel: (text) => `Edit the scheduled reply: ${text}`,
			editTitle: "Edit the scheduled reply",
			text: "Text of the reply",
			save: "Save",
			cancel: "Cancel",
			cancelLabel: (text) => `Cancel the scheduled reply: ${text}`,
			discard: "Discard",
			discardLabel: (text) => `Discard the scheduled reply: ${text}`,
			confirm: {
				title: "Cancel this reply?",
				text: "The reply is not sent, and its text is deleted.",
				action: "Cancel the reply"
			}
		},
		blocked: {
			mark: "Blocked",
			title: "The customer has blocked the channel",
			hint: "The customer has blocked the channel: replies will not arrive until the customer unblocks it."
		},
		choosing: {
			choose: (name) => `Select ${name}`,
			start: "Select conversations",
			count: (count) => `${count} selected`,
			all: (count) => `Select the ${count} shown`,
			leave: "Cancel selection",
			assign: (count) => `Assign ${counted("en", count, {
				one: "conversation",
				other: "conversations"
			})}`,
			snooze: (count) => `Snooze ${counted("en", count, {
				one: "conversation",
				other: "conversations"
			})}`,
			changed: (count) => `${counted("en", count, {
				one: "conversation",
				other: "conversations"
			})} changed.`,
			undone: (count) => `Undone for ${counted("en", count, {
				one: "conversation",
				other: "conversations"
			})}.`,
			failed: (count) => `Not changed: ${counted("en", count, {
				one: "conversation",
				other: "conversations"
			})}.`,
			undo: "Undo",
			dismiss: "Hide this"
		},
		first: {
			title: "Start a conversation",
			channel: "Channel",
			scope: "Scope id",
			scopeHint: "The id of the channel, an underscore, and the id of the account. The integration received it when it connected.",
			phone: "Phone number",
			name: "Name",
			nameHint: "Optional. Without a name, the console shows the phone number.",
			text: "Message",
			submit: "Send the message"
		},
		mention: {
			suggested: "Users to mention",
			cannotView: "cannot view this conversation",
			mentions: (names) => `Mentions: ${names}.`,
			strangers: (names) => `Cannot view this conversation now: ${names}. The note lets them view it.`,
			filter: "Conversations that mention you",
			fresh: (count) => `${counted("en", count, {
				one: "new mention",
				other: "new mentions"
			})} of you`
		},
		note: {
			kind: "Note",
			title: "Note for the team",
			label: "Note for the team: the customer does not see it",
			placeholder: "Write a note…",
			hint: "Ctrl Enter saves",
			save: "Save note",
			failed: "Not saved. The text stays here until you save it.",
			focus: "write a note for the team",
			from: (name) => `Note for the team from ${name}`,
			arrived: (name, text) => `Note for the team from ${name}: ${text}`,
			edited: "edited",
			edit: "Edit",
			text: "Text of the note",
			delete: "Delete",
			deleted: (name) => `${name} deleted a note`,
			deletedByAdministrator: (name) => `An administrator deleted a note from ${name}`,
			confirm: {
				title: "Delete this note?",
				text: "The team can no longer read the text of the note. The thread keeps a mark.",
				action: "Delete the note"
			}
		}
	},
	ru: {
		viewing: (names) => `Также здесь: ${names}`,
		otherVersion: (time) => `Другая версия этого черновика, сохранена в ${time}:`,
		useOther: "Взять ту версию",
		keepThis: "Оставить эту версию",
		overtaken: "Клиенту уже ответили.",
		allTheSame: "Всё равно отправить",
		kinds: "Вид текста",
		reply: "Ответ",
		hasDraft: "черновик",
		filters: {
			status: "Статус",
			responsible: {
				all: "Чьи угодно",
				me: "Мои сделки",
				none: "Ничьи"
			},
			statuses: {
				all: "Все статусы",
				open: "Открытые",
				waiting: "С ответом",
				snoozed: "Отложенные",
				closed: "Закрытые"
			}
		},
		responsible: {
			title: "Ответственный",
			label: (name) => `Ответственный: ${name}`,
			now: (name) => `Сейчас: ${name}`,
			takeOver: "Взять себе",
			giveBack: "Снять ответственного",
			another: "Другой пользователь",
			assign: "Назначить",
			overtaken: (name) => `Другой пользователь уже сменил ответственного. Сейчас: ${name}.`,
			assignAnyway: (name) => `Всё равно назначить: ${name}`,
			giveBackAnyway: "Всё равно снять",
			leave: "Оставить так",
			close: "Закрыть",
			closeLabel: "Закрыть беседу",
			closed: "Закрыта"
		},
		group: {
			label: "Группа",
			none: "Без группы",
			numbered: (id) => `Группа ${id}`,
			now: (name) => `Группа: ${name}`,
			assign: "Назначить группе",
			overtaken: (name) => `Другой пользователь раньше сменил группу. Теперь: ${name}.`
		},
		snooze: {
			title: "Отложить беседу",
			explain: "Беседа уйдёт из открытых и отвеченных. В выбранное время она снова откроется, в начале списка.",
			action: "Отложить",
			hour: "Через час",
			evening: "Сегодня вечером",
			tomorrow: "Завтра",
			monday: "В понедельник",
			other: "Дата и время",
			wakes: "Открыть раньше, если клиент напишет",
			until: (time) => `Отложена до ${time}`,
			orMessage: "или пока клиент не напишет",
			wake: "Вернуть сейчас"
		},
		scheduled: {
			title: "Отправить ответ позже",
			explain: "Ответ уйдёт в выбранное время, даже если эта страница закрыта. Если что-то помешает, он останется здесь.",
			action: "Отправить в это время",
			hour: "Через 1 час",
			evening: "Сегодня вечером",
			tomorrow: "Завтра",
			monday: "В следующий понедельник",
			other: "Дата и время",
			wakes: "Не отправлять, если клиент напишет раньше",
			later: "Отправить позже…",
			list: "Отложенные ответы",
			at: (time) => `Отправка: ${time}`,
			held: "Не отправлен.",
			unless: "Только если клиент не напишет раньше.",
			inAnyCase: "В любом случае.",
			template: "Шаблон заполнится при отправке.",
			reasons: {
				customer_wrote: "Клиент написал раньше.",
				answered: "Раньше был отправлен другой ответ.",
				no_right: "Автор больше не может здесь отвечать.",
				not_connected: "Через канал сейчас ничего не уходит.",
				window_closed: "Окно канала было закрыто: можно отправить только шаблон.",
				quota: "Квота аккаунта исчерпана.",
				template: "Шаблон изменён или удалён.",
				message_gone: "Сообщения, на которое это ответ, больше нет."
			},
			sendNow: "Отправить сейчас",
			sendNowLabel: (text) => `Отправить сейчас: ${text}`,
			edit: "Изменить",
			editLabel: (text) => `Изменить отложенный ответ: ${text}`,
			editTitle: "Изменить отложенный ответ",
			text: "Текст ответа",
			save: "Сохранить",
			cancel: "Отменить",
			cancelLabel: (text) => `Отменить отложенный ответ: ${text}`,
			discard: "Удалить",
			discardLabel: (text) => `Удалить отложенный ответ: ${text}`,
			confirm: {
				title: "Отменить этот ответ?",
				text: "Ответ не будет отправлен, а его текст удалится.",
				action: "Отменить ответ"
			}
		},
		blocked: {
			mark: "Заблокирован",
			title: "Клиент заблокировал канал",
			hint: "Клиент заблокировал канал: ответы не дойдут, пока он его не разблокирует."
		},
		choosing: {
			choose: (name) => `Выбрать: ${name}`,
			start: "Выбрать беседы",
			count: (count) => `Выбрано: ${count}`,
			all: (count) => `Выбрать показанные: ${count}`,
			leave: "Отменить выбор",
			assign: (count) => `Назначить ${counted("ru", count, {
				one: "беседу",
				few: "беседы",
				many: "бесед",
				other: "беседы"
			})}`,
			snooze: (count) => `Отложить ${counted("ru", count, {
				one: "беседу",
				few: "беседы",
				many: "бесед",
				other: "беседы"
			})}`,
			changed: (count) => `Изменено: ${counted("ru", count, {
				one: "беседа",
				few: "беседы",
				many: "бесед",
				other: "беседы"
			})}.`,
			undone: (count) => `Отменено: ${counted("ru", count, {
				one: "беседа",
				few: "беседы",
				many: "бесед",
				other: "беседы"
			})}.`,
			failed: (count) => `Не изменено: ${counted("ru", count, {
				one: "беседа",
				few: "беседы",
				many: "бесед",
				other: "беседы"
			})}.`,
			undo: "Отменить",
			dismiss: "Скрыть"
		},
		first: {
			title: "Начать беседу",
			channel: "Канал",
			scope: "Scope id",
			scopeHint: "Id канала, символ подчёркивания и id аккаунта. Интеграция получила его при подключении.",
			phone: "Номер телефона",
			name: "Имя",
			nameHint: "Необязательно. Без имени консоль показывает номер телефона.",
			text: "Сообщение",
			submit: "Отправить сообщение"
		},
		mention: {
			suggested: "Кого можно упомянуть",
			cannotView: "не видит эту беседу",
			mentions: (names) => `Упомянуты: ${names}.`,
			strangers: (names) => `Сейчас не видят эту беседу: ${names}. Заметка откроет её для них.`,
			filter: "Беседы, где упомянули вас",
			fresh: (count) => `Вас упомянули: ${counted("ru", count, {
				one: "новое упоминание",
				few: "новых упоминания",
				many: "новых упоминаний",
				other: "нового упоминания"
			})}`
		},
		note: {
			kind: "Заметка",
			title: "Заметка для команды",
			label: "Заметка для команды: клиент её не видит",
			placeholder: "Напишите заметку…",
			hint: "Ctrl Enter сохраняет",
			save: "Сохранить заметку",
			failed: "Не сохранено. Текст останется здесь, пока вы его не сохраните.",
			focus: "написать заметку для команды",
			from: (name) => `Заметка для команды, автор: ${name}`,
			arrived: (name, text) => `Заметка для команды, автор: ${name}. ${text}`,
			edited: "изменена",
			edit: "Изменить",
			text: "Текст заметки",
			delete: "Удалить",
			deleted: (name) => `Автор (${name}) удалил заметку`,
			deletedByAdministrator: (name) => `Администратор удалил заметку, автор: ${name}`,
			confirm: {
				title: "Удалить эту заметку?",
				text: "Команда больше не сможет прочитать текст заметки. В беседе останется отметка.",
				action: "Удалить заметку"
			}
		}
	},
	es: {
		viewing: (names) => `También aquí: ${names}`,
		otherVersion: (time) => `Otra versión de este borrador, guardada a las ${time}:`,
		useOther: "Usar esa versión",
		keepThis: "Conservar esta versión",
		overtaken: "Otra respuesta se envió antes.",
		allTheSame: "Enviar igualmente",
		kinds: "Tipo de texto",
		reply: "Respuesta",
		hasDraft: "borrador",
		filters: {
			status: "Estado",
			responsible: {
				all: "De todos",
				me: "Mis leads",
				none: "Sin asignar"
			},
			statuses: {
				all: "Todo estado",
				open: "Abiertas",
				waiting: "Respondidas",
				snoozed: "Pospuestas",
				closed: "Cerradas"
			}
		},
		responsible: {
			title: "Responsable",
			label: (name) => `Responsable: ${name}`,
			now: (name) => `Ahora: ${name}`,
			takeOver: "Asumir",
			giveBack: "Dejar sin responsable",
			another: "Otro usuario",
			assign: "Asignar",
			overtaken: (name) => `Otro usuario cambió antes el responsable. Ahora: ${name}.`,
			assignAnyway: (name) => `Asignar igualmente a ${name}`,
			giveBackAnyway: "Dejar sin responsable igualmente",
			leave: "Dejarlo así",
			close: "Cerrar",
			closeLabel: "Cerrar la conversación",
			closed: "Cerrada"
		},
		group: {
			label: "Grupo",
			none: "Sin grupo",
			numbered: (id) => `Grupo ${id}`,
			now: (name) => `Grupo: ${name}`,
			assign: "Asignar al grupo",
			overtaken: (name) => `Otro usuario cambió el grupo antes. Ahora: ${name}.`
		},
		snooze: {
			title: "Posponer la conversación",
			explain: "La conversación sale de las abiertas y respondidas. A la hora elegida vuelve a estar abierta, al principio de la lista.",
			action: "Posponer",
			hour: "En 1 hora",
			evening: "Esta tarde",
			tomorrow: "Mañana",
			monday: "El próximo lunes",
			other: "Fecha y hora",
			wakes: "Abrirla antes si el cliente escribe",
			until: (time) => `Pospuesta hasta ${time}`,
			orMessage: "o hasta que el cliente escriba",
			wake: "Reanudar ya"
		},
		scheduled: {
			title: "Enviar la respuesta más tarde",
			explain: "La respuesta se envía a la hora elegida, aunque esta página esté cerrada. Si algo lo impide, queda aquí a la espera.",
			action: "Enviar a esta hora",
			hour: "En 1 hora",
			evening: "Esta tarde",
			tomorrow: "Mañana",
			monday: "El próximo lunes",
			other: "Fecha y hora",
			wakes: "No enviarla si el cliente escribe antes",
			later: "Enviar más tarde…",
			list: "Respuestas programadas",
			at: (time) => `Se envía: ${time}`,
			held: "No se envió.",
			unless: "Solo si el cliente no escribe antes.",
			inAnyCase: "En cualquier caso.",
			template: "La plantilla se rellena al enviarla.",
			reasons: {
				customer_wrote: "El cliente escribió antes.",
				answered: "Se envió antes otra respuesta.",
				no_right: "Quien la escribió ya no puede responder aquí.",
				not_connected: "Ahora no puede salir nada por el canal.",
				window_closed: "La ventana del canal estaba cerrada: solo se pueden enviar plantillas.",
				quota: "Se agotó una cuota de la cuenta.",
				template: "La plantilla se cambió o se eliminó.",
				message_gone: "El mensaje al que responde ya no está."
			},
			sendNow: "Enviar ahora",
			sendNowLabel: (text) => `Enviar ahora: ${text}`,
			edit: "Editar",
			editLabel: (text) => `Editar la respuesta programada: ${text}`,
			editTitle: "Editar la respuesta programada",
			text: "Texto de la respuesta",
			save: "Guardar",
			cancel: "Cancelar",
			cancelLabel: (text) => `Cancelar la respuesta programada: ${text}`,
			discard: "Descartar",
			discardLabel: (text) => `Descartar la respuesta programada: ${text}`,
			confirm: {
				title: "¿Cancelar esta respuesta?",
				text: "La respuesta no se envía y su texto se elimina.",
				action: "Cancelar la respuesta"
			}
		},
		blocked: {
			mark: "Bloqueado",
			title: "El cliente ha bloqueado el canal",
			hint: "El cliente ha bloqueado el canal: las respuestas no llegarán hasta que lo desbloquee."
		},
		choosing: {
			choose: (name) => `Seleccionar ${name}`,
			start: "Seleccionar conversaciones",
			count: (count) => `${count} seleccionadas`,
			all: (count) => `Seleccionar las ${count} mostradas`,
			leave: "Cancelar la selección",
			assign: (count) => `Asignar ${counted("es", count, {
				one: "conversación",
				other: "conversaciones"
			})}`,
			snooze: (count) => `Posponer ${counted("es", count, {
				one: "conversación",
				other: "conversaciones"
			})}`,
			changed: (count) => `Cambios hechos: ${counted("es", count, {
				one: "conversación",
				other: "conversaciones"
			})}.`,
			undone: (count) => `Cambios deshechos: ${counted("es", count, {
				one: "conversación",
				other: "conversaciones"
			})}.`,
			failed: (count) => `Sin cambios: ${counted("es", count, {
				one: "conversación",
				other: "conversaciones"
			})}.`,
			undo: "Deshacer",
			dismiss: "Ocultar"
		},
		first: {
			title: "Iniciar una conversación",
			channel: "Canal",
			scope: "Scope id",
			scopeHint: "El id del canal, un guion bajo y el id de la cuenta. La integración lo recibió al conectarse.",
			phone: "Número de teléfono",
			name: "Nombre",
			nameHint: "Opcional. Sin nombre, la consola muestra el número de teléfono.",
			text: "Mensaje",
			submit: "Enviar el mensaje"
		},
		mention: {
			suggested: "Usuarios que se pueden mencionar",
			cannotView: "no puede ver esta conversación",
			mentions: (names) => `Menciona a: ${names}.`,
			strangers: (names) => `Ahora no pueden ver esta conversación: ${names}. La nota les permite verla.`,
			filter: "Conversaciones que le mencionan",
			fresh: (count) => `${counted("es", count, {
				one: "mención nueva",
				other: "menciones nuevas"
			})} de usted`
		},
		note: {
			kind: "Nota",
			title: "Nota para el equipo",
			label: "Nota para el equipo: el cliente no la ve",
			placeholder: "Escriba una nota…",
			hint: "Ctrl Enter guarda",
			save: "Guardar nota",
			failed: "No guardada. El texto queda aquí hasta que usted lo guarde.",
			focus: "escribir una nota para el equipo",
			from: (name) => `Nota para el equipo, escrita por ${name}`,
			arrived: (name, text) => `Nota para el equipo, escrita por ${name}: ${text}`,
			edited: "editada",
			edit: "Editar",
			text: "Texto de la nota",
			delete: "Eliminar",
			deleted: (name) => `${name} eliminó una nota`,
			deletedByAdministrator: (name) => `Un administrador eliminó una nota de ${name}`,
			confirm: {
				title: "¿Eliminar esta nota?",
				text: "El equipo ya no podrá leer el texto de la nota. La conversación conserva una marca.",
				action: "Eliminar la nota"
			}
		}
	}
});
// src/api/groups.ts
var groups = y(void 0);
var isReading = false;
function useGroups(isNeeded) {
	A(() => {
		if (!isNeeded || isReading) return;
		isReading = true;
		ask("/api/v4/account", { query: { with: "users_groups" } }).then((answer) => groups.value = answer._embedded.users_groups).catch((failure) => {
			if (!(failure instanceof Problem)) throw failure;
		}).finally(() => isReading = false);
	}, [isNeeded]);
}
function groupName(id) {
	const words = team().group;
	if (id === null) return words.none;
	return groups.value?.find((group) => group.id === id)?.name ?? words.numbered(id);
}
x(() => {
	if (me.value === null) groups.value = void 0;
});
export { useBook as C, copy_exports as D, Copy as E, useWork as O, stageName as S, Command as T, candidates as _, CHANNEL_KINDS as a, people as b, reasonOf as c, Prose as d, folded as f, Badge as g, Dialog as h, team as i, useLoad as k, OperatorGate as l, Confirm as m, groups as n, Kind as o, typed as p, useGroups as r, kindName as s, groupName as t, OperatorToken as u, isNobody as v, userName as w, pipelines as x, learnResponsible as y };
