import { $ as Page, A as nameOf$3, At as changeMe, B as ownPath, C as refresh, Ct as on, D as withCallback, Dt as tellEarly, E as wasGiven, Et as resume, F as keepWriting, Ft as isAdministrator, G as addressOf, Gt as age, H as STATUSES, Ht as asProblem, I as writing, It as isNew, J as shown$1, Jt as day, K as narrowing, Kt as bytes, L as Initials, Lt as me, M as hold, N as outbox, Nt as csrf, O as Meanwhile, Ot as whenBack, P as release, Q as inbox, Qt as moment, R as isVisible, S as read$2, St as shell, T as rows, U as USERS, Ut as ask, V as ALL_FILTERS, Vt as Problem, W as WHOLE, Wt as isAborted, Xt as exactClock, Yt as dictionary, Zt as language, _ as narrowTo, _t as ProblemNote, an as O, b as picture, bt as a, cn as x, ct as letters, d as around, dn as F, dt as switchLetters, f as atTop, fn as P, ft as useShortcuts, g as load$1, gn as $, gt as Skeleton, h as hasFailed, hn as w, in as useSignalEffect, it as place, j as portrait, jt as changePassword, k as authorOf, kt as whileHidden, l as hasPage, ln as y, lt as readable, m as find, mt as counts, n as Field, nn as useComputed, on as f, p as colleagues, pn as T, pt as NOTHING, q as ofView, qt as clock, rn as useSignal, rt as open, sn as r, st as Empty, tn as shortMoment, u as preview, un as A, ut as shortcuts$1, v as owner, vt as Button, w as reread, x as put, y as passing, yt as Icon, z as Outside } from "./app.js";
import { c as keep, f as CONVERSATIONS, l as kept, o as locale, t as counted } from "./start.js";
import { C as useBook, E as Copy, O as useWork, S as stageName, _ as candidates, b as people, c as reasonOf, f as folded$1, g as Badge, h as Dialog, i as team, k as useLoad, m as Confirm, n as groups, o as Kind, p as typed, r as useGroups, s as kindName, t as groupName, v as isNobody, w as userName, x as pipelines, y as learnResponsible } from "./parts.js";
// src/live/installed.ts
var SCRIPT = "/ui/worker.js";
function link(rel, href) {
	const element = document.createElement("link");
	Object.assign(element, {
		rel,
		href
	});
	document.head.append(element);
}
link("manifest", "/ui/manifest.webmanifest");
link("apple-touch-icon", "/ui/icon-192.png");
function colour() {
	let meta = document.querySelector("meta[name=theme-color]");
	if (meta === null) {
		meta = document.createElement("meta");
		meta.name = "theme-color";
		document.head.append(meta);
	}
	meta.content = getComputedStyle(document.documentElement).getPropertyValue("--surface").trim();
}
colour();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", colour);
new MutationObserver(colour).observe(document.documentElement, { attributeFilter: ["data-theme"] });
var worker = "serviceWorker" in navigator ? navigator.serviceWorker.register(SCRIPT, {
	scope: "/",
	updateViaCache: "none"
}).catch(() => void 0) : Promise.resolve(void 0);
// src/words/notifications.en.ts
var conversations$1 = (count) => counted("en", count, {
	one: "conversation",
	other: "conversations"
});
var en$8 = {
	title: "Notifications",
	here: "Show notifications in this browser",
	refused: "This browser refuses notifications of this page. Its settings of the page allow them again.",
	impossible: "This browser shows no notifications here. It needs an address that begins with https.",
	push: "Also when no page of the console is open",
	pushText: "Your browser is pushed notifications until you sign out. They name the channel.",
	pushImpossible: "This browser takes no pushes here. It needs an address that begins with https, and some telephones need the console installed.",
	about: "Notify me about",
	kinds: {
		new_conversation: {
			about: "New conversations without a responsible user",
			title: (channel) => `New conversation in ${channel}`
		},
		new_message: {
			about: "Messages in my conversations",
			title: (channel) => `New message in ${channel}`
		},
		assigned: {
			about: "Conversations that others assign to me",
			title: (channel) => `A conversation in ${channel} is yours now`
		},
		mention: {
			about: "Notes that mention me",
			title: (channel) => `A note mentions you in ${channel}`
		},
		send_failed: {
			about: "Replies of mine that fail",
			title: (channel) => `Your reply in ${channel} has failed`
		},
		scheduled_held: {
			about: "Scheduled replies of mine that are not sent",
			title: (channel) => `Your scheduled reply in ${channel} was not sent`
		}
	},
	summary: (count, of) => `${counted("en", count, {
		one: "notification",
		other: "notifications"
	})} from ${conversations$1(of)}`,
	waiting: (count) => `Unread: ${conversations$1(count)}`,
	sound: "With a sound",
	showsText: "With the beginning of the customer’s text, in pushes",
	quiet: "Quiet hours: no notifications at these times",
	from: "From",
	to: "To",
	save: "Save the notifications",
	saved: "The notifications are saved, for all your devices."
};
// src/words/notifications.es.ts
var conversations = (count) => counted("es", count, {
	one: "conversación",
	other: "conversaciones"
});
// src/words/notifications.ts
var notifications = dictionary({
	en: en$8,
	ru: {
		title: "Уведомления",
		here: "Показывать уведомления в этом браузере",
		refused: "Этот браузер запрещает уведомления этой страницы. Разрешить их можно в его настройках страницы.",
		impossible: "Здесь этот браузер не показывает уведомлений. Нужен адрес, который начинается с https.",
		push: "Также когда ни одна страница консоли не открыта",
		pushText: "Браузер получает push-уведомления, пока вы не выйдете. В них указан канал.",
		pushImpossible: "Здесь этот браузер не принимает push-уведомления. Нужен адрес, который начинается с https, а на некоторых телефонах консоль нужно установить.",
		about: "Уведомлять меня",
		kinds: {
			new_conversation: {
				about: "о новых беседах без ответственного",
				title: (channel) => `Новая беседа: ${channel}`
			},
			new_message: {
				about: "о сообщениях в моих беседах",
				title: (channel) => `Новое сообщение: ${channel}`
			},
			assigned: {
				about: "о беседах, которые мне назначают",
				title: (channel) => `Вам назначена беседа: ${channel}`
			},
			mention: {
				about: "о заметках, где меня упомянули",
				title: (channel) => `Вас упомянули в заметке: ${channel}`
			},
			send_failed: {
				about: "о моих ответах с ошибкой",
				title: (channel) => `Ваш ответ не доставлен: ${channel}`
			},
			scheduled_held: {
				about: "о моих отложенных ответах, которые не отправлены",
				title: (channel) => `Ваш отложенный ответ не отправлен: ${channel}`
			}
		},
		summary: (count, of) => `${counted("ru", count, {
			one: "уведомление",
			few: "уведомления",
			many: "уведомлений",
			other: "уведомления"
		})} из ${counted("ru", of, {
			one: "беседы",
			other: "бесед"
		})}`,
		waiting: (count) => `Не прочитано: ${counted("ru", count, {
			one: "беседа",
			few: "беседы",
			many: "бесед",
			other: "беседы"
		})}`,
		sound: "Со звуком",
		showsText: "С началом текста клиента в push-уведомлениях",
		quiet: "Тихие часы: в это время без уведомлений",
		from: "С",
		to: "До",
		save: "Сохранить уведомления",
		saved: "Уведомления сохранены для всех ваших устройств."
	},
	es: {
		title: "Notificaciones",
		here: "Mostrar notificaciones en este navegador",
		refused: "Este navegador rechaza las notificaciones de esta página. Puede permitirlas en los ajustes de la página.",
		impossible: "Este navegador no muestra notificaciones aquí. Hace falta una dirección que empiece por https.",
		push: "También cuando no hay ninguna página de la consola abierta",
		pushText: "Su navegador recibe notificaciones push hasta que cierre la sesión. Nombran el canal.",
		pushImpossible: "Este navegador no admite notificaciones push aquí. Hace falta una dirección que empiece por https, y en algunos teléfonos, instalar la consola.",
		about: "Notificarme sobre",
		kinds: {
			new_conversation: {
				about: "Conversaciones nuevas sin responsable",
				title: (channel) => `Conversación nueva en ${channel}`
			},
			new_message: {
				about: "Mensajes en mis conversaciones",
				title: (channel) => `Mensaje nuevo en ${channel}`
			},
			assigned: {
				about: "Conversaciones que otros me asignan",
				title: (channel) => `Una conversación en ${channel} ahora es suya`
			},
			mention: {
				about: "Notas que me mencionan",
				title: (channel) => `Una nota le menciona en ${channel}`
			},
			send_failed: {
				about: "Respuestas mías que fallan",
				title: (channel) => `Su respuesta en ${channel} ha fallado`
			},
			scheduled_held: {
				about: "Respuestas mías programadas que no se envían",
				title: (channel) => `Su respuesta programada en ${channel} no se ha enviado`
			}
		},
		summary: (count, of) => `${counted("es", count, {
			one: "notificación",
			other: "notificaciones"
		})} de ${conversations(of)}`,
		waiting: (count) => `Sin leer: ${conversations(count)}`,
		sound: "Con sonido",
		showsText: "Con el principio del texto del cliente, en las notificaciones push",
		quiet: "Horas de silencio: sin notificaciones en este horario",
		from: "Desde",
		to: "Hasta",
		save: "Guardar las notificaciones",
		saved: "Las notificaciones están guardadas para todos sus dispositivos."
	}
});
// src/live/pushes.ts
var ADDRESS = "/inbox/v1/me/pushes";
var canPush = "PushManager" in window && "serviceWorker" in navigator && "Notification" in window;
var isPushed = y(false);
var wish$1 = () => `pushes.${me.peek()?.chat_id ?? ""}`;
async function send(subscription) {
	const { endpoint, keys } = subscription.toJSON();
	const { id } = await ask(ADDRESS, {
		method: "POST",
		body: {
			endpoint,
			keys
		}
	});
	keep(wish$1(), String(id));
	isPushed.value = true;
}
async function subscribe(manager) {
	const { public_key } = await ask(ADDRESS);
	await send(await manager.subscribe({
		userVisibleOnly: true,
		applicationServerKey: public_key
	}));
}
async function switchPushes(isOn) {
	if (isOn && await Notification.requestPermission() !== "granted") return;
	const manager = (await worker)?.pushManager;
	if (manager === void 0) return;
	const id = kept(wish$1());
	const before = await manager.getSubscription();
	keep(wish$1(), null);
	isPushed.value = false;
	await before?.unsubscribe();
	if (isOn) await subscribe(manager);
	else if (id !== null) await ask(`${ADDRESS}/${id}`, { method: "DELETE" }).catch(unlessGone);
}
function unlessGone(failure) {
	if (!(failure instanceof Problem) || failure.status !== 404) throw failure;
}
async function renew() {
	const manager = (await worker)?.pushManager;
	if (manager === void 0 || me.peek() === null) return;
	const subscription = await manager.getSubscription();
	if (kept(wish$1()) === null) await subscription?.unsubscribe();
	else if (Notification.permission !== "granted") keep(wish$1(), null);
	else if (subscription === null) await subscribe(manager);
	else await send(subscription);
}
x(() => {
	if (!canPush || csrf.value === void 0) return;
	f(() => {
		isPushed.value = kept(wish$1()) !== null;
		renew().catch(() => {});
	});
});
if (canPush) navigator.serviceWorker.addEventListener("message", ({ data }) => {
	if (typeof data.open === "string" && data.open.startsWith("/")) open(data.open);
});
// src/live/notifications.ts
var KINDS = [
	"new_conversation",
	"new_message",
	"assigned",
	"mention",
	"send_failed",
	"scheduled_held"
];
var isPossible = "Notification" in window;
var permission = y(isPossible ? Notification.permission : "denied");
var wanted = y(false);
var wish = () => `notifications.${me.peek()?.chat_id ?? ""}`;
x(() => {
	if (me.value !== void 0 && me.value !== null) wanted.value = kept(wish()) === "on";
});
var isShown = () => wanted.value && permission.value === "granted";
async function switchHere(isOn) {
	if (isOn && isPossible) permission.value = await Notification.requestPermission();
	wanted.value = isOn && permission.value === "granted";
	keep(wish(), wanted.value ? "on" : null);
}
var shown = new Map();
var SHOWN_MAX = 50;
function show$1(title, tag, to) {
	if (!isShown()) return;
	let notification;
	try {
		notification = new Notification(title, {
			tag,
			silent: true,
			lang: document.documentElement.lang
		});
	} catch {
		worker.then((it) => it?.showNotification(title, {
			tag,
			silent: true,
			data: to
		}));
		return;
	}
	notification.onclick = () => {
		window.focus();
		open(to);
		notification.close();
	};
	notification.onclose = () => {
		if (shown.get(tag) === notification) shown.delete(tag);
	};
	const [oldest] = shown.keys();
	if (shown.size >= SHOWN_MAX && oldest !== void 0) shown.delete(oldest);
	shown.set(tag, notification);
}
function title({ kind, channel, count, conversations }) {
	return kind === "summary" ? notifications().summary(count, conversations) : notifications().kinds[kind].title(channel ?? "");
}
function ring() {
	navigator.locks?.request("switchboard.sound", { ifAvailable: true }, async (lock) => {
		if (lock === null) return;
		const context = new AudioContext();
		const [tone, volume] = [context.createOscillator(), context.createGain()];
		tone.frequency.value = 660;
		volume.gain.value = .08;
		tone.connect(volume).connect(context.destination);
		tone.start();
		tone.stop(context.currentTime + .2);
		await new Promise((wake) => setTimeout(wake, 1e3));
		await context.close();
	});
}
on("notification", (notice) => {
	show$1(title(notice), notice.tag, notice.conversation_id === null ? "/conversations" : `/conversations/${notice.conversation_id}`);
	if (notice.sound) ring();
});
on("read", ({ conversation_id: id }) => shown.get(id)?.close());
var utcOffset = () => -new Date().getTimezoneOffset();
function isQuiet() {
	const hours = me.peek()?.notifications?.quiet_hours ?? null;
	if (hours === null) return false;
	const now = new Date().toTimeString().slice(0, 5);
	const { from, to } = hours;
	return from <= to ? from <= now && now < to : now >= from || now < to;
}
x(() => {
	if (!isNew.value || counts.value === NOTHING) return;
	isNew.value = false;
	const { unread } = counts.value;
	if (unread.count > 0 && !isQuiet()) show$1(notifications().waiting(unread.count), "summary", "/conversations");
});
x(() => {
	const settings = me.value?.notifications;
	const hours = settings?.quiet_hours ?? null;
	if (settings === void 0 || hours === null || hours.utc_offset === utcOffset()) return;
	changeMe({ notifications: {
		...settings,
		quiet_hours: {
			...hours,
			utc_offset: utcOffset()
		}
	} }).catch(() => {});
});
x(() => {
	const icon = document.querySelector("link[rel=icon]");
	if (icon !== null) icon.href = counts.value.unread.count > 0 ? "/ui/icon-unread.svg" : "/ui/icon.svg";
});
var keeps = false;
var giveBack;
whileHidden.keeps = () => keeps;
function whenSeenOrHidden() {
	giveBack?.();
	giveBack = void 0;
	if (!document.hidden || !isShown() || isPushed.peek()) return;
	const ending = new AbortController();
	giveBack = () => ending.abort();
	navigator.locks?.request("switchboard.line", { signal: ending.signal }, async () => {
		if (ending.signal.aborted) return;
		keeps = true;
		resume();
		await new Promise((wake) => ending.signal.addEventListener("abort", wake));
		keeps = false;
	}).catch(() => {});
}
document.addEventListener("visibilitychange", whenSeenOrHidden);
// src/words/presence.ts
var presence = dictionary({
	en: {
		label: "I am",
		choices: {
			here: "Here: I take conversations",
			away: "Away: I keep mine",
			away_give_back: "Away, give back what waits"
		},
		isHere: (name) => `${name} · here`
	},
	ru: {
		label: "Я",
		choices: {
			here: "На месте: беру диалоги",
			away: "Нет на месте: мои остаются у меня",
			away_give_back: "Нет на месте, вернуть ожидающие"
		},
		isHere: (name) => `${name} · на месте`
	},
	es: {
		label: "Estoy",
		choices: {
			here: "Aquí: recibo conversaciones",
			away: "Ausente: conservo las mías",
			away_give_back: "Ausente, devuelvo lo que espera"
		},
		isHere: (name) => `${name} · aquí`
	}
});
// src/live/presence.ts
on("presence", (event) => {
	people.value = people.peek().map((user) => user.id === event.user_id ? {
		...user,
		presence: event.presence
	} : user);
});
function withPresence(id, name) {
	return people.value.some((user) => user.id === id && user.presence === "here") ? presence().isHere(name) : name;
}
// src/words/contacts.ts
var contacts = dictionary({
	en: {
		title: "Contacts",
		filter: "Name, phone or e-mail",
		name: "Name",
		nameless: "No name",
		phone: "Phone",
		email: "E-mail",
		responsible: "Responsible user",
		created: "Created",
		untold: "Not given",
		edit: (name) => `Edit: ${name}`,
		editTitle: "Contact",
		fromProfile: "The integration sends phone and e-mail with the customer’s profile; what users enter stays.",
		empty: "No contacts yet",
		emptyText: "The first message of a customer creates a contact, unless the message is silent, as imported history is.",
		nothing: "No contacts match the filter.",
		more: "The search has not reached the last contact. Show more to search further.",
		nothingSoFar: "Nothing found so far."
	},
	ru: {
		title: "Контакты",
		filter: "Имя, телефон или почта",
		name: "Имя",
		nameless: "Без имени",
		phone: "Телефон",
		email: "Эл. почта",
		responsible: "Ответственный",
		created: "Создан",
		untold: "Не указано",
		edit: (name) => `Изменить: ${name}`,
		editTitle: "Контакт",
		fromProfile: "Телефон и почту интеграция передаёт в профиле клиента; внесённое пользователями остаётся.",
		empty: "Контактов пока нет",
		emptyText: "Контакт создаёт первое сообщение клиента, если оно не импортировано без уведомления.",
		nothing: "Фильтру не соответствует ни один контакт.",
		more: "Поиск ещё не дошёл до последнего контакта. Чтобы искать дальше, покажите ещё.",
		nothingSoFar: "Пока ничего не найдено."
	},
	es: {
		title: "Contactos",
		filter: "Nombre, teléfono o correo",
		name: "Nombre",
		nameless: "Sin nombre",
		phone: "Teléfono",
		email: "Correo",
		responsible: "Responsable",
		created: "Creado",
		untold: "No indicado",
		edit: (name) => `Editar: ${name}`,
		editTitle: "Contacto",
		fromProfile: "La integración envía el teléfono y el correo con el perfil del cliente; lo que los usuarios introducen se conserva.",
		empty: "Todavía no hay contactos",
		emptyText: "El primer mensaje de un cliente crea un contacto, salvo que el mensaje sea silencioso, como lo es el historial importado.",
		nothing: "Ningún contacto coincide con el filtro.",
		more: "La búsqueda aún no ha llegado al último contacto. Muestre más para seguir buscando.",
		nothingSoFar: "Nada encontrado hasta ahora."
	}
});
// src/areas/contacts/edit.tsx
function EditContact({ id, onClose }) {
	const words = contacts();
	const address = `/api/v4/contacts/${encodeURIComponent(id)}`;
	const { data, problem, reload } = useLoad(id, async (signal) => {
		const found = await ask(address, { signal });
		if (found === void 0) throw new Problem(404, "");
		return found;
	});
	const work = useWork();
	const contact = data.value;
	const responsible = contact?.responsible_user_id;
	const save = (form) => {
		const chosen = String(form.get("responsible"));
		const body = {
			name: String(form.get("name")).trim(),
			responsible_user_id: chosen === "" ? null : Number(chosen)
		};
		work.run(async () => onClose(await ask(address, {
			method: "PATCH",
			body
		})));
	};
	return a(Dialog, {
		title: words.editTitle,
		onClose: () => onClose(),
		children: [
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: reload
			}),
			contact === void 0 && problem.value === void 0 && a(Skeleton, { rows: 3 }),
			contact !== void 0 && a("form", {
				class: "stacked",
				onSubmit: (event) => {
					event.preventDefault();
					save(new FormData(event.currentTarget));
				},
				children: [
					a(Field, {
						label: words.name,
						error: work.problem?.about("name"),
						children: (input) => a("input", {
							...input,
							name: "name",
							defaultValue: contact.name,
							required: true,
							maxLength: 250
						})
					}),
					a(Field, {
						label: words.responsible,
						error: work.problem?.about("responsible_user_id"),
						children: (input) => a("select", {
							...input,
							name: "responsible",
							children: [a("option", {
								value: "",
								selected: isNobody(responsible),
								children: userName(null)
							}), candidates(responsible).map((user) => a("option", {
								value: user,
								selected: user === responsible,
								children: userName(user)
							}, user))]
						})
					}),
					a("p", { children: [
						words.phone,
						": ",
						fieldOf(contact, "PHONE") ?? words.untold,
						a("br", {}),
						words.email,
						": ",
						fieldOf(contact, "EMAIL") ?? words.untold
					] }),
					a("p", {
						class: "soft",
						children: words.fromProfile
					}),
					work.problem !== void 0 && a(ProblemNote, { problem: work.problem }),
					a("div", {
						class: "actions",
						children: [a(Button, {
							onClick: () => onClose(),
							children: shell().cancel
						}), a(Button, {
							type: "submit",
							look: "primary",
							busy: work.busy,
							children: shell().save
						})]
					})
				]
			})
		]
	});
}
// src/areas/contacts/page.tsx
var CONTACTS = "/api/v4/contacts";
var LIMIT = 250;
var TYPING = 250;
function fieldOf(contact, code) {
	return contact.custom_fields_values?.find((field) => field.field_code === code)?.values[0]?.value;
}
var nameOf$2 = ({ name }) => isVisible(name) ? name : contacts().nameless;
async function read$1(wanted, address, signal) {
	const query = address === CONTACTS ? {
		limit: LIMIT,
		query: wanted
	} : void 0;
	const answer = await ask(address, {
		...signal && { signal },
		...query && { query }
	});
	const link = answer?._links.next?.href;
	const next = link === void 0 ? void 0 : new URL(link).pathname + new URL(link).search;
	return {
		wanted,
		rows: answer?._embedded.contacts ?? [],
		next
	};
}
function ContactsPage({ id }) {
	useBook();
	const words = contacts();
	const text = useSignal("");
	const timer = T(void 0);
	const { data, problem, reload } = useLoad("contacts", (signal) => read$1(text.peek().trim(), CONTACTS, signal));
	const rows = data.value?.rows ?? [];
	const isSearch = data.value !== void 0 && data.value.wanted !== "";
	const search = (wanted, pause = TYPING) => {
		text.value = wanted;
		clearTimeout(timer.current);
		timer.current = setTimeout(reload, pause);
	};
	A(() => () => clearTimeout(timer.current), []);
	const more = async () => {
		const before = data.peek();
		if (before?.next === void 0) return;
		try {
			const further = await read$1(before.wanted, before.next);
			if (data.peek() !== before) return;
			const there = new Set(before.rows.map((contact) => contact.id));
			const rows = [...before.rows, ...further.rows.filter((contact) => !there.has(contact.id))];
			data.value = {
				...further,
				rows
			};
		} catch (failure) {
			problem.value = asProblem(failure);
		}
	};
	return a(Page, {
		title: words.title,
		children: [
			(rows.length > 0 || isSearch || text.value !== "") && a("div", {
				class: "narrow-row",
				children: a("input", {
					type: "search",
					"aria-label": words.filter,
					placeholder: words.filter,
					value: text.value,
					maxLength: 100,
					onInput: (event) => search(event.currentTarget.value)
				})
			}),
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: reload
			}),
			data.value === void 0 && problem.value === void 0 && a(Skeleton, {}),
			data.value !== void 0 && rows.length === 0 && !isSearch && a(Empty, {
				byRights: true,
				title: words.empty,
				command: "send \"Hello, is it in stock?\"",
				children: a("p", { children: words.emptyText })
			}),
			isSearch && rows.length === 0 && data.value?.next === void 0 && a(Empty, {
				title: words.nothing,
				children: a(Button, {
					onClick: () => search("", 0),
					children: shell().clear
				})
			}),
			rows.length > 0 && a("div", {
				class: "card contacts",
				children: a("table", {
					class: "stacks",
					children: [a("thead", { children: a("tr", { children: [
						a("th", {
							scope: "col",
							children: words.name
						}),
						a("th", {
							scope: "col",
							children: words.phone
						}),
						a("th", {
							scope: "col",
							children: words.email
						}),
						a("th", {
							scope: "col",
							children: words.responsible
						}),
						a("th", {
							scope: "col",
							children: words.created
						})
					] }) }), a("tbody", { children: rows.map((contact) => a("tr", { children: [
						a("th", {
							scope: "row",
							children: a("span", {
								class: "named",
								children: [a(Initials, { name: nameOf$2(contact) }), a("a", {
									href: `/contacts/${contact.id}`,
									"aria-label": words.edit(nameOf$2(contact)),
									children: a("bdi", { children: nameOf$2(contact) })
								})]
							})
						}),
						a("td", {
							class: "one-line",
							"data-label": words.phone,
							children: fieldOf(contact, "PHONE")
						}),
						a("td", {
							"data-label": words.email,
							children: fieldOf(contact, "EMAIL")
						}),
						a("td", {
							"data-label": words.responsible,
							children: isNobody(contact.responsible_user_id) ? a("span", {
								class: "soft",
								children: userName(null)
							}) : userName(contact.responsible_user_id)
						}),
						a("td", {
							class: "one-line",
							"data-label": words.created,
							children: a("time", {
								dateTime: new Date(contact.created_at * 1e3).toISOString(),
								title: moment(contact.created_at),
								children: shortMoment(contact.created_at)
							})
						})
					] }, contact.id)) })]
				})
			}),
			data.value?.next !== void 0 && a("p", { children: [
				a(Button, {
					onClick: () => void more(),
					children: shell().loadMore
				}),
				" ",
				isSearch && a("span", {
					class: "soft",
					children: rows.length === 0 ? words.nothingSoFar : words.more
				})
			] }),
			id !== void 0 && a(EditContact, {
				id,
				onClose: (changed) => {
					if (changed !== void 0 && data.value !== void 0) {
						const others = data.value.rows.map((contact) => contact.id === changed.id ? changed : contact);
						data.value = {
							...data.value,
							rows: others
						};
					}
					open("/contacts");
				}
			}, id)
		]
	});
}
// src/words/leads.en.ts
var amount$2 = (count) => counted("en", count, {
	one: "lead",
	other: "leads"
});
var en$5 = {
	title: "Unsorted leads",
	about: "Conversations, forms and calls opened these leads. No user has accepted them yet.",
	lead: (id) => `Lead #${id}`,
	open: "Open conversation",
	accept: "Accept",
	acceptAs: "Accept as…",
	decline: "Decline",
	acceptTitle: (ids) => ids.length === 1 ? `Accept lead #${ids[0]}` : `Accept ${amount$2(ids.length)}`,
	declineTitle: (ids) => ids.length === 1 ? `Decline lead #${ids[0]}?` : `Decline ${amount$2(ids.length)}?`,
	declineText: (count) => count === 1 ? "The service closes the lead as lost. The next message of the customer opens a new lead." : "The service closes the leads as lost. The next message of each customer opens a new lead.",
	stage: "Stage",
	responsible: "Responsible user",
	filter: "Name, channel or text",
	channel: "Channel",
	allChannels: "All channels",
	age: "Age",
	ages: {
		any: "Any age",
		hour: "Over 1 hour",
		day: "Over 1 day"
	},
	customer: "Customer",
	last: "Last words of the customer",
	waits: "Waits",
	actions: "Actions",
	choose: (name) => `Choose the lead of ${name}`,
	chooseAll: "Choose all shown",
	chosen: (count) => `${count} chosen:`,
	noText: "No messages yet",
	form: (name) => name === "" ? "Form" : `Form “${name}”`,
	call: "Call",
	nameless: "No name",
	list: "Unsorted leads",
	empty: "No unsorted leads",
	emptyText: "The first message of a customer opens a lead, unless the message is silent. Send a message through the demo channel:",
	nothing: "No leads match the filter.",
	filteredOf: (count) => `The filter covers the ${count} leads that wait longest. There are more.`,
	without: "Conversations without a lead",
	withoutAbout: "Each conversation with the reason, newest first.",
	withoutNone: "All checked conversations have a lead.",
	lookedAt: (count) => counted("en", count, {
		one: "conversation checked",
		other: "conversations checked"
	}),
	reason: "Reason",
	next: "next lead",
	previous: "previous lead",
	acceptSelected: "accept the selected lead",
	done: {
		accepted: (ids) => ids.length === 1 ? `You accepted lead #${ids[0]}.` : `You accepted ${amount$2(ids.length)}.`,
		declined: (ids) => ids.length === 1 ? `You declined lead #${ids[0]}.` : `You declined ${amount$2(ids.length)}.`
	}
};
// src/words/leads.es.ts
var amount$1 = (count) => counted("es", count, {
	one: "lead",
	other: "leads"
});
var es$5 = {
	title: "Leads sin clasificar",
	about: "Conversaciones, formularios y llamadas abrieron estos leads. Ningún usuario los ha aceptado todavía.",
	lead: (id) => `Lead n.º ${id}`,
	open: "Abrir conversación",
	accept: "Aceptar",
	acceptAs: "Aceptar como…",
	decline: "Rechazar",
	acceptTitle: (ids) => ids.length === 1 ? `Aceptar el lead n.º ${ids[0]}` : `Aceptar ${amount$1(ids.length)}`,
	declineTitle: (ids) => ids.length === 1 ? `¿Rechazar el lead n.º ${ids[0]}?` : `¿Rechazar ${amount$1(ids.length)}?`,
	declineText: (count) => count === 1 ? "El servicio cierra el lead como perdido. El próximo mensaje del cliente abre un lead nuevo." : "El servicio cierra los leads como perdidos. El próximo mensaje de cada cliente abre un lead nuevo.",
	stage: "Etapa",
	responsible: "Responsable",
	filter: "Nombre, canal o texto",
	channel: "Canal",
	allChannels: "Todos los canales",
	age: "Antigüedad",
	ages: {
		any: "Cualquier antigüedad",
		hour: "Más de una hora",
		day: "Más de un día"
	},
	customer: "Cliente",
	last: "Últimas palabras del cliente",
	waits: "Espera",
	actions: "Acciones",
	choose: (name) => `Elegir el lead de ${name}`,
	chooseAll: "Elegir todos los mostrados",
	chosen: (count) => `${count} elegidos:`,
	noText: "Todavía no hay mensajes",
	form: (name) => name === "" ? "Formulario" : `Formulario «${name}»`,
	call: "Llamada",
	nameless: "Sin nombre",
	list: "Leads sin clasificar",
	empty: "No hay leads sin clasificar",
	emptyText: "El primer mensaje de un cliente abre un lead, salvo que el mensaje sea silencioso. Envíe un mensaje por el canal de demostración:",
	nothing: "Ningún lead coincide con el filtro.",
	filteredOf: (count) => `El filtro abarca los ${count} leads que más esperan. Hay más.`,
	without: "Conversaciones sin lead",
	withoutAbout: "Cada conversación con el motivo, las más recientes primero.",
	withoutNone: "Todas las conversaciones revisadas tienen un lead.",
	lookedAt: (count) => counted("es", count, {
		one: "conversación revisada",
		other: "conversaciones revisadas"
	}),
	reason: "Motivo",
	next: "lead siguiente",
	previous: "lead anterior",
	acceptSelected: "aceptar el lead elegido",
	done: {
		accepted: (ids) => ids.length === 1 ? `Usted aceptó el lead n.º ${ids[0]}.` : `Usted aceptó ${amount$1(ids.length)}.`,
		declined: (ids) => ids.length === 1 ? `Usted rechazó el lead n.º ${ids[0]}.` : `Usted rechazó ${amount$1(ids.length)}.`
	}
};
// src/words/leads.ru.ts
var amount = (count) => counted("ru", count, {
	one: "сделка",
	few: "сделки",
	many: "сделок",
	other: "сделки"
});
// src/words/leads.ts
var leads = dictionary({
	en: en$5,
	ru: {
		title: "Неразобранное",
		about: "Эти сделки открыты беседами, формами и звонками. Пользователи их ещё не приняли.",
		lead: (id) => `Сделка №${id}`,
		open: "Открыть беседу",
		accept: "Принять",
		acceptAs: "Принять как…",
		decline: "Отклонить",
		acceptTitle: (ids) => ids.length === 1 ? `Принять сделку №${ids[0]}` : `Принять: ${amount(ids.length)}`,
		declineTitle: (ids) => ids.length === 1 ? `Отклонить сделку №${ids[0]}?` : `Отклонить: ${amount(ids.length)}?`,
		declineText: (count) => count === 1 ? "Сервис закроет сделку как проигранную. Следующее сообщение клиента откроет новую сделку." : "Сервис закроет сделки как проигранные. Следующее сообщение каждого клиента откроет новую сделку.",
		stage: "Этап",
		responsible: "Ответственный",
		filter: "Имя, канал или текст",
		channel: "Канал",
		allChannels: "Все каналы",
		age: "Возраст",
		ages: {
			any: "Любой возраст",
			hour: "Больше часа",
			day: "Больше суток"
		},
		customer: "Клиент",
		last: "Последние слова клиента",
		waits: "Ждёт",
		actions: "Действия",
		choose: (name) => `Выбрать сделку: ${name}`,
		chooseAll: "Выбрать все показанные",
		chosen: (count) => `Выбрано: ${count}`,
		noText: "Сообщений пока нет",
		form: (name) => name === "" ? "Форма" : `Форма «${name}»`,
		call: "Звонок",
		nameless: "Без имени",
		list: "Неразобранные сделки",
		empty: "Неразобранных сделок нет",
		emptyText: "Сделку открывает первое сообщение клиента, если оно не импортировано без уведомления. Отправьте сообщение через демонстрационный канал:",
		nothing: "Фильтру не соответствует ни одна сделка.",
		filteredOf: (count) => `Фильтр охватывает сделки, которые ждут дольше всех: ${count}. Есть и другие.`,
		without: "Беседы без сделки",
		withoutAbout: "Каждая беседа с причиной, сначала новые.",
		withoutNone: "У всех проверенных бесед есть сделка.",
		lookedAt: (count) => counted("ru", count, {
			one: "беседа проверена",
			few: "беседы проверено",
			many: "бесед проверено",
			other: "беседы проверено"
		}),
		reason: "Причина",
		next: "следующая сделка",
		previous: "предыдущая сделка",
		acceptSelected: "принять выбранную сделку",
		done: {
			accepted: (ids) => ids.length === 1 ? `Вы приняли сделку №${ids[0]}.` : `Вы приняли сделки: ${ids.length}.`,
			declined: (ids) => ids.length === 1 ? `Вы отклонили сделку №${ids[0]}.` : `Вы отклонили сделки: ${ids.length}.`
		}
	},
	es: es$5
});
// src/areas/leads/store.ts
var PAGE$7 = 250;
var unsorted = y([]);
var told = y(false);
var problem = y(void 0);
var next = y(void 0);
async function read(address) {
	const answer = await ask(address);
	const link = answer?._links.next?.href;
	next.value = link === void 0 ? void 0 : new URL(link).pathname + new URL(link).search;
	problem.value = void 0;
	told.value = true;
	return answer?._embedded.unsorted ?? [];
}
async function load() {
	try {
		unsorted.value = await read(`/api/v4/leads/unsorted?limit=${PAGE$7}&order[created_at]=asc`);
	} catch (failure) {
		problem.value = asProblem(failure);
	}
}
async function more() {
	if (next.peek() === void 0) return;
	try {
		const older = await read(next.peek() ?? "");
		const known = new Set(unsorted.peek().map((lead) => lead.uid));
		unsorted.value = [...unsorted.peek(), ...older.filter((lead) => !known.has(lead.uid))];
	} catch (failure) {
		problem.value = asProblem(failure);
	}
}
async function accept(id, how = {}) {
	await ask(`/api/v4/leads/unsorted/${id}/accept`, {
		method: "POST",
		body: how
	});
	gone("accepted", id);
}
async function decline(id) {
	await ask(`/api/v4/leads/unsorted/${id}/decline`, { method: "DELETE" });
	gone("declined", id);
}
var done = y(void 0);
async function each(ids, what, work) {
	const reached = [];
	try {
		for (const id of ids) {
			await work(id);
			reached.push(id);
		}
	} finally {
		if (reached.length > 0) done.value = {
			what,
			ids: reached
		};
	}
}
function gone(what, id) {
	done.value = {
		what,
		ids: [id]
	};
	unsorted.value = unsorted.peek().filter((lead) => lead.uid !== String(id));
}
var timer$1;
on("lead", () => {
	clearTimeout(timer$1);
	if (told.peek()) timer$1 = setTimeout(() => void load(), 300);
});
on("reset", () => {
	if (told.peek()) load();
});
whenBack(() => problem.peek(), () => void load());
x(() => {
	if (me.value !== null) return;
	[unsorted.value, told.value, problem.value, next.value] = [
		[],
		false,
		void 0,
		void 0
	];
	done.value = void 0;
});
// src/areas/leads/actions.tsx
var UNSORTED = 1;
function LeadActions({ lead }) {
	useBook();
	const words = leads();
	const asking = useSignal(void 0);
	const { busy, problem, run } = useWork();
	const isUnsorted = (pipelines.value.find((known) => known.id === lead.pipeline_id)?._embedded.statuses.find((known) => known.id === lead.status_id))?.type === UNSORTED;
	const accept$2 = () => void run(() => accept(lead.id));
	useShortcuts(isUnsorted ? [{
		keys: "KeyE",
		says: words.accept,
		run: accept$2
	}] : []);
	if (!isUnsorted) return null;
	const close = () => {
		asking.value = void 0;
	};
	return a($, { children: [
		problem !== void 0 && a(ProblemNote, { problem }),
		a("div", {
			class: "lead-actions",
			children: [
				a(Button, {
					look: "primary",
					busy,
					onClick: accept$2,
					children: words.accept
				}),
				a(Button, {
					onClick: () => asking.value = "accept",
					children: words.acceptAs
				}),
				a(Button, {
					onClick: () => asking.value = "decline",
					children: words.decline
				})
			]
		}),
		asking.value === "accept" && a(AcceptAs, {
			ids: [lead.id],
			pipeline: lead.pipeline_id,
			onClose: close
		}),
		asking.value === "decline" && a(Decline, {
			ids: [lead.id],
			onClose: close
		})
	] });
}
function AcceptAs({ ids, pipeline: id, onClose }) {
	const words = leads();
	const { busy, problem, run } = useWork();
	const stages = pipelines.value.find((known) => known.id === id)?._embedded.statuses.filter((stage) => stage.type !== UNSORTED) ?? [];
	return a(Dialog, {
		title: words.acceptTitle(ids),
		onClose,
		children: a("form", {
			class: "stacked",
			onSubmit: (event) => {
				event.preventDefault();
				const data = new FormData(event.currentTarget);
				const how = {
					status_id: Number(data.get("stage")),
					user_id: Number(data.get("user"))
				};
				run(async () => {
					await each(ids, "accepted", (lead) => accept(lead, how));
					onClose();
				});
			},
			children: [
				a(Field, {
					label: words.stage,
					error: problem?.about("status_id"),
					children: (input) => a("select", {
						...input,
						name: "stage",
						children: stages.map((stage) => a("option", {
							value: stage.id,
							children: stage.name
						}, stage.id))
					})
				}),
				a(Field, {
					label: words.responsible,
					error: problem?.about("user_id"),
					children: (input) => a("select", {
						...input,
						name: "user",
						children: candidates().map((user) => a("option", {
							value: user,
							children: userName(user)
						}, user))
					})
				}),
				problem !== void 0 && a(ProblemNote, { problem }),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: onClose,
						children: shell().cancel
					}), a(Button, {
						type: "submit",
						look: "primary",
						busy,
						children: words.accept
					})]
				})
			]
		})
	});
}
function Decline({ ids, onClose }) {
	const words = leads();
	const { busy, problem, run } = useWork();
	return a(Dialog, {
		title: words.declineTitle(ids),
		onClose,
		children: [
			a("p", { children: words.declineText(ids.length) }),
			problem !== void 0 && a(ProblemNote, { problem }),
			a("div", {
				class: "actions",
				children: [a(Button, {
					onClick: onClose,
					children: shell().cancel
				}), a(Button, {
					look: "danger",
					busy,
					onClick: () => void run(async () => {
						await each(ids, "declined", decline);
						onClose();
					}),
					children: words.decline
				})]
			})
		]
	});
}
// src/areas/leads/table.tsx
var MINUTE = 6e4;
function fromOf({ metadata, source_name: source }) {
	const name = metadata.from ?? metadata.phone ?? source;
	return isVisible(name) ? name : leads().nameless;
}
function Said({ category, metadata }) {
	const { last_message_text: text = null, last_message_type: kind = null } = metadata;
	if (category !== "chats") {
		const what = category === "forms" ? leads().form(metadata.form_name ?? "") : leads().call;
		return a("span", {
			class: "said soft",
			dir: "auto",
			children: what
		});
	}
	if (text !== null && text !== "") return a("span", {
		class: "said",
		dir: "auto",
		children: text
	});
	return a("span", {
		class: "said soft",
		children: kind === null ? leads().noText : inbox().kinds[kind]
	});
}
function Who({ lead }) {
	const chat = lead.metadata.origin?.chat_id;
	const who = a($, { children: [a(Initials, { name: fromOf(lead) }), a("span", { children: [a("bdi", { children: fromOf(lead) }), a("span", {
		class: "soft",
		children: [
			"#",
			lead.uid,
			" · ",
			lead.source_name
		]
	})] })] });
	if (chat === void 0) return a("span", {
		class: "who",
		children: who
	});
	return a("a", {
		href: `/conversations/${chat}`,
		title: leads().open,
		children: who
	});
}
function LeadTable({ leads: leads$1, chosen, busy, onAccept, onAsk }) {
	const { customer, last, waits, actions, list, chooseAll } = leads();
	const minute = useSignal(0);
	A(() => {
		const timer = setInterval(() => minute.value += 1, MINUTE);
		return () => clearInterval(timer);
	}, []);
	minute.value;
	const put = (uids, on) => {
		const next = new Set(chosen.peek());
		for (const uid of uids) on ? next.add(uid) : next.delete(uid);
		chosen.value = next;
	};
	return a("div", {
		class: "card leads",
		children: a("table", {
			class: "stacks",
			"aria-label": list,
			children: [a("thead", { children: a("tr", { children: [
				a("td", { children: a("label", { children: a("input", {
					type: "checkbox",
					"aria-label": chooseAll,
					checked: leads$1.every((lead) => chosen.value.has(lead.uid)),
					onChange: (event) => put(leads$1.map((lead) => lead.uid), event.currentTarget.checked)
				}) }) }),
				a("th", {
					scope: "col",
					children: customer
				}),
				a("th", {
					scope: "col",
					children: last
				}),
				a("th", {
					scope: "col",
					children: waits
				}),
				a("th", {
					scope: "col",
					children: a("span", {
						class: "unseen",
						children: actions
					})
				})
			] }) }), a("tbody", { children: leads$1.map((lead) => a("tr", {
				"data-lead": lead.uid,
				tabIndex: -1,
				children: [
					a("td", {
						class: "choice",
						children: a("label", { children: a("input", {
							type: "checkbox",
							"aria-label": leads().choose(fromOf(lead)),
							checked: chosen.value.has(lead.uid),
							onChange: (event) => put([lead.uid], event.currentTarget.checked)
						}) })
					}),
					a("th", {
						scope: "row",
						children: a(Who, { lead })
					}),
					a("td", {
						"data-label": last,
						children: a(Said, { ...lead })
					}),
					a("td", {
						"data-label": waits,
						children: a("time", {
							dateTime: new Date(lead.created_at * 1e3).toISOString(),
							title: moment(lead.created_at),
							children: age(lead.created_at)
						})
					}),
					a("td", {
						class: "lead-actions",
						children: [
							a(Button, {
								look: "primary",
								busy,
								onClick: () => onAccept(lead),
								children: leads().accept
							}),
							a(Button, {
								onClick: () => onAsk([Number(lead.uid)], "accept"),
								children: leads().acceptAs
							}),
							a(Button, {
								look: "quiet",
								onClick: () => onAsk([Number(lead.uid)], "decline"),
								children: leads().decline
							})
						]
					})
				]
			}, lead.uid)) })]
		})
	});
}
// src/areas/leads/without.tsx
var PAGE$6 = 250;
function reason(conversation) {
	if (conversation.lead !== null) return void 0;
	const words = inbox().details.noLead;
	const why = conversation.no_lead ?? "no_messages";
	return why === "only_silent" ? words.only_silent(conversation.messages) : words[why];
}
function Without() {
	const words = leads();
	const found = useSignal([]);
	const next = useSignal(void 0);
	const seen = useSignal(0);
	const busy = useSignal(false);
	const problem = useSignal(void 0);
	const read = async () => {
		if (busy.peek()) return;
		busy.value = true;
		try {
			const query = {
				limit: PAGE$6,
				cursor: next.peek() ?? void 0
			};
			const page = await ask("/inbox/v1/conversations", { query });
			seen.value += page.conversations.length;
			found.value = [...found.peek(), ...page.conversations.filter((it) => it.lead === null)];
			next.value = page.next;
			problem.value = void 0;
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = false;
	};
	A(() => whenBack(() => problem.peek(), () => void read()), []);
	return a("details", {
		class: "without",
		onToggle: (event) => {
			if (event.currentTarget.open && next.peek() === void 0) read();
		},
		children: [
			a("summary", { children: words.without }),
			a("p", {
				class: "soft",
				children: words.withoutAbout
			}),
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: () => void read()
			}),
			busy.value && next.value === void 0 && a(Skeleton, { rows: 2 }),
			next.value !== void 0 && found.value.length === 0 && a("p", { children: words.withoutNone }),
			found.value.length > 0 && a("table", {
				class: "card stacks",
				children: [a("thead", { children: a("tr", { children: [
					a("th", {
						scope: "col",
						children: inbox().details.customer
					}),
					a("th", {
						scope: "col",
						children: words.channel
					}),
					a("th", {
						scope: "col",
						children: words.reason
					}),
					a("th", {
						scope: "col",
						children: a("span", {
							class: "unseen",
							children: words.age
						})
					})
				] }) }), a("tbody", { children: found.value.map((conversation) => a("tr", { children: [
					a("td", { children: a("a", {
						href: `/conversations/${conversation.id}`,
						children: a("bdi", { children: nameOf$3(conversation) })
					}) }),
					a("td", {
						"data-label": words.channel,
						children: conversation.channel?.title
					}),
					a("td", {
						"data-label": words.reason,
						children: reason(conversation)
					}),
					a("td", { children: a("time", {
						dateTime: new Date(conversation.active_at * 1e3).toISOString(),
						children: shortMoment(conversation.active_at)
					}) })
				] }, conversation.id)) })]
			}),
			next.value !== void 0 && a("p", {
				class: "soft",
				children: words.lookedAt(seen.value)
			}),
			next.value !== null && next.value !== void 0 && a(Button, {
				busy: busy.value,
				onClick: () => void read(),
				children: shell().loadMore
			})
		]
	});
}
// src/areas/leads/page.tsx
var AGES = {
	any: 0,
	hour: 3600,
	day: 86400
};
var FEW$1 = 25;
var PAGES_IN_A_ROW$1 = 8;
function UnsortedPage() {
	useBook();
	const words = leads();
	const text = useSignal("");
	const channel = useSignal("");
	const age = useSignal("any");
	const asking = useSignal(void 0);
	const chosen = useSignal(new Set());
	const list = T(null);
	A(() => {
		if (!told.peek()) load();
	}, []);
	const { busy, problem: problem$1, run } = useWork();
	const all = unsorted.value;
	const wanted = folded$1(text.value).trim();
	const now = Date.now() / 1e3;
	const shown = all.filter((lead) => {
		const { from, last_message_text: said, form_name: form, phone } = lead.metadata;
		const texts = [
			from,
			lead.source_name,
			said,
			form,
			phone,
			lead.uid
		];
		return (wanted === "" || texts.some((it) => it !== null && it !== void 0 && folded$1(it).includes(wanted))) && (channel.value === "" || lead.source_name === channel.value) && now - lead.created_at >= AGES[age.value];
	});
	const isNarrowed = wanted !== "" || channel.value !== "" || age.value !== "any";
	const pages = T({
		filter: "",
		count: 0
	});
	const isGoingOn = useSignal(false);
	const further = next.value;
	A(() => {
		const filter = `${wanted} ${channel.value} ${age.value}`;
		if (pages.current.filter !== filter) pages.current = {
			filter,
			count: 0
		};
		isGoingOn.value = isNarrowed && shown.length < FEW$1 && further !== void 0 && pages.current.count < PAGES_IN_A_ROW$1;
		if (!isGoingOn.value) return;
		pages.current.count += 1;
		more();
	}, [
		wanted,
		channel.value,
		age.value,
		further
	]);
	const picked = shown.filter((lead) => chosen.value.has(lead.uid)).map((lead) => Number(lead.uid));
	const accept$1 = (lead) => void run(async () => {
		await accept(Number(lead.uid));
		const chat = lead.metadata.origin?.chat_id;
		if (chat !== void 0) open(`/conversations/${chat}`);
	});
	const acceptPicked = () => void run(async () => {
		await each(picked, "accepted", (id) => accept(id));
	});
	const cards = () => [...list.current?.querySelectorAll("[data-lead]") ?? []];
	const step = (by) => {
		const at = cards().findIndex((card) => card.contains(document.activeElement));
		cards()[Math.max(0, Math.min(cards().length - 1, at + by))]?.focus();
	};
	const acceptSelected = () => {
		const selected = cards().find((card) => card.contains(document.activeElement));
		const lead = shown.find((lead) => lead.uid === selected?.dataset.lead);
		if (lead !== void 0) accept$1(lead);
	};
	useShortcuts([
		{
			keys: "KeyJ",
			says: words.next,
			run: () => step(1)
		},
		{
			keys: "KeyK",
			says: words.previous,
			run: () => step(-1)
		},
		{
			keys: "KeyE",
			says: words.acceptSelected,
			run: acceptSelected
		}
	]);
	const channels = [...new Set(all.map((lead) => lead.source_name))];
	const asked = asking.value;
	const close = () => {
		asking.value = void 0;
	};
	return a(Page, {
		title: words.title,
		children: [
			a("p", {
				class: "soft",
				children: words.about
			}),
			a("p", {
				class: "done",
				role: "status",
				children: done.value === void 0 ? "" : words.done[done.value.what](done.value.ids)
			}),
			all.length > 0 && a("div", {
				class: "narrow-row",
				children: [
					a("input", {
						type: "search",
						"aria-label": words.filter,
						placeholder: words.filter,
						value: text.value,
						onInput: (event) => text.value = event.currentTarget.value
					}),
					a("select", {
						"aria-label": words.channel,
						value: channel.value,
						onChange: (event) => channel.value = event.currentTarget.value,
						children: [a("option", {
							value: "",
							children: words.allChannels
						}), channels.map((name) => a("option", { children: name }, name))]
					}),
					a("select", {
						"aria-label": words.age,
						value: age.value,
						onChange: (event) => age.value = event.currentTarget.value,
						children: Object.keys(AGES).map((name) => a("option", {
							value: name,
							children: words.ages[name]
						}, name))
					})
				]
			}),
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: () => void load()
			}),
			problem$1 !== void 0 && a(ProblemNote, { problem: problem$1 }),
			!told.value && problem.value === void 0 && a(Skeleton, { rows: 3 }),
			told.value && all.length === 0 && a(Empty, {
				byRights: true,
				title: words.empty,
				command: "send \"Hello, is it in stock?\"",
				children: a("p", { children: words.emptyText })
			}),
			isNarrowed && further !== void 0 && a("p", {
				class: "soft",
				role: "status",
				children: isGoingOn.value ? shell().loading : words.filteredOf(all.length)
			}),
			all.length > 0 && shown.length === 0 && !isGoingOn.value && a(Empty, {
				title: words.nothing,
				children: a(Button, {
					onClick: () => [text.value, channel.value, age.value] = [
						"",
						"",
						"any"
					],
					children: shell().clear
				})
			}),
			shown.length > 0 && a($, { children: [picked.length > 0 && a("div", {
				class: "picked",
				role: "group",
				"aria-label": words.chosen(picked.length),
				children: [
					a("span", { children: words.chosen(picked.length) }),
					a(Button, {
						look: "primary",
						busy,
						onClick: acceptPicked,
						children: words.accept
					}),
					a(Button, {
						onClick: () => asking.value = {
							ids: picked,
							what: "accept"
						},
						children: words.acceptAs
					}),
					a(Button, {
						onClick: () => asking.value = {
							ids: picked,
							what: "decline"
						},
						children: words.decline
					})
				]
			}), a("div", {
				ref: list,
				children: a(LeadTable, {
					leads: shown,
					chosen,
					busy,
					onAccept: accept$1,
					onAsk: (ids, what) => asking.value = {
						ids,
						what
					}
				})
			})] }),
			next.value !== void 0 && a(Button, {
				onClick: () => void more(),
				children: shell().loadMore
			}),
			a(Without, {}),
			asked?.what === "accept" && a(AcceptAs, {
				ids: asked.ids,
				pipeline: all[0]?.pipeline_id ?? 0,
				onClose: close
			}),
			asked?.what === "decline" && a(Decline, {
				ids: asked.ids,
				onClose: close
			})
		]
	});
}
// src/words/views.ts
var views$1 = dictionary({
	en: {
		menu: "Filters and views",
		now: (name) => `View: ${name}`,
		channelNow: (name) => `Channel: ${name}`,
		tagNow: (name) => `Tag: ${name}`,
		leave: (what) => `Remove «${what}»`,
		mine: "My views",
		shared: "Views of the team",
		none: "There are no views yet.",
		missing: "Finds nothing: a user, a group, a channel or a tag of this view was deleted.",
		rename: (name) => `Rename «${name}»`,
		delete: (name) => `Delete «${name}»`,
		channel: "Channel",
		anyChannel: "Any channel",
		page: "Page of the integration",
		tag: "Tag of the lead",
		anyTag: "Any tag",
		save: "Save as view",
		saveHint: "The view keeps the filters that are set now. It does not keep the text of the search.",
		name: "Name",
		share: "For the whole team",
		submit: "Save",
		saved: (name) => `The view «${name}» is saved.`,
		confirm: {
			title: (name) => `Delete «${name}»?`,
			own: "The filters of this view are deleted. Conversations stay as they are.",
			shared: "The view is deleted for the whole team. Conversations stay as they are.",
			action: "Delete the view"
		}
	},
	ru: {
		menu: "Фильтры и представления",
		now: (name) => `Представление: ${name}`,
		channelNow: (name) => `Канал: ${name}`,
		tagNow: (name) => `Тег: ${name}`,
		leave: (what) => `Убрать «${what}»`,
		mine: "Мои представления",
		shared: "Представления команды",
		none: "Представлений пока нет.",
		missing: "Ничего не находит: пользователь, группа, канал или тег этого представления удалены.",
		rename: (name) => `Переименовать «${name}»`,
		delete: (name) => `Удалить «${name}»`,
		channel: "Канал",
		anyChannel: "Любой канал",
		page: "Страница интеграции",
		tag: "Тег сделки",
		anyTag: "Любой тег",
		save: "Сохранить как представление",
		saveHint: "Представление хранит фильтры, которые заданы сейчас. Текст поиска оно не хранит.",
		name: "Название",
		share: "Для всей команды",
		submit: "Сохранить",
		saved: (name) => `Представление «${name}» сохранено.`,
		confirm: {
			title: (name) => `Удалить «${name}»?`,
			own: "Фильтры этого представления будут удалены. Беседы останутся как есть.",
			shared: "Представление будет удалено для всей команды. Беседы останутся как есть.",
			action: "Удалить представление"
		}
	},
	es: {
		menu: "Filtros y vistas",
		now: (name) => `Vista: ${name}`,
		channelNow: (name) => `Canal: ${name}`,
		tagNow: (name) => `Etiqueta: ${name}`,
		leave: (what) => `Quitar «${what}»`,
		mine: "Mis vistas",
		shared: "Vistas del equipo",
		none: "Todavía no hay vistas.",
		missing: "No encuentra nada: se eliminó un usuario, un grupo, un canal o una etiqueta de esta vista.",
		rename: (name) => `Cambiar el nombre de «${name}»`,
		delete: (name) => `Eliminar «${name}»`,
		channel: "Canal",
		anyChannel: "Cualquier canal",
		page: "Página de la integración",
		tag: "Etiqueta del lead",
		anyTag: "Cualquier etiqueta",
		save: "Guardar como vista",
		saveHint: "La vista conserva los filtros actuales. No conserva el texto de la búsqueda.",
		name: "Nombre",
		share: "Para todo el equipo",
		submit: "Guardar",
		saved: (name) => `La vista «${name}» está guardada.`,
		confirm: {
			title: (name) => `¿Eliminar «${name}»?`,
			own: "Se eliminan los filtros de esta vista. Las conversaciones quedan como están.",
			shared: "La vista se elimina para todo el equipo. Las conversaciones quedan como están.",
			action: "Eliminar la vista"
		}
	}
});
// src/areas/inbox/channels.ts
var PAGE$5 = 250;
async function readChannels(signal) {
	const channels = [];
	let cursor;
	do {
		const page = await ask("/inbox/v1/channels", {
			query: {
				limit: PAGE$5,
				cursor
			},
			signal
		});
		channels.push(...page.channels);
		cursor = page.next ?? void 0;
	} while (cursor !== void 0);
	return channels;
}
// src/areas/inbox/details/details.tsx
function Details({ conversation, takesFocus, onClose }) {
	useBook();
	const words = inbox().details;
	const head = T(null);
	A(() => {
		if (takesFocus) head.current?.querySelector("button")?.focus();
	}, []);
	const name = nameOf$3(conversation);
	const { customer, lead } = conversation;
	const responsible = lead?.responsible_user_id ?? null;
	A(() => learnResponsible(conversation.id, responsible), [conversation.id, responsible]);
	const untold = a("span", {
		class: "soft",
		children: words.untold
	});
	return a("aside", {
		class: "details",
		"aria-label": words.title,
		children: [
			a("header", {
				ref: head,
				children: [
					a(Initials, {
						name,
						picture: portrait(customer)
					}),
					a("h2", {
						dir: "auto",
						children: name
					}),
					a(Button, {
						look: "quiet",
						icon: "close",
						label: words.close,
						onClick: onClose
					})
				]
			}),
			a("dl", { children: [
				a("dt", { children: words.phone }),
				a("dd", { children: customer?.phone ?? untold }),
				a("dt", { children: words.email }),
				a("dd", { children: customer?.email ?? untold }),
				customer?.profile_link !== null && customer?.profile_link !== void 0 && a($, { children: [a("dt", { children: words.profile }), a("dd", { children: a(Outside, {
					to: customer.profile_link,
					children: customer.profile_link
				}) })] })
			] }),
			a("section", { children: [a("h3", { children: [words.lead, lead !== null && ` #${lead.id}`] }), lead === null ? a("p", {
				class: "soft",
				children: conversation.no_lead === "only_silent" ? words.noLead.only_silent(conversation.messages) : words.noLead[conversation.no_lead ?? "no_messages"]
			}) : a($, { children: [a("dl", { children: [
				a("dt", { children: words.stage }),
				a("dd", { children: stageName(lead.pipeline_id, lead.status_id) }),
				a("dt", { children: words.responsible }),
				a("dd", { children: userName(responsible) })
			] }), a(LeadActions, { lead })] })] }),
			a("details", {
				class: "ids-of",
				children: [a("summary", { children: words.ids }), a("dl", {
					class: "ids",
					children: [
						a(Id, {
							says: words.conversation,
							id: conversation.client_id
						}),
						a(Id, {
							says: words.person,
							id: customer?.client_id ?? null
						}),
						a(Id, {
							says: words.scope,
							id: conversation.scope_id
						}),
						a(Id, {
							says: words.own,
							id: conversation.id
						})
					]
				})]
			}),
			isAdministrator.value && conversation.channel !== null && a(IntegrationPage, { channel: conversation.channel.id }),
			isAdministrator.value && hasPage("/callbacks") && a("p", { children: a("a", {
				href: `/callbacks?conversation=${conversation.id}`,
				children: words.callbacks
			}) })
		]
	});
}
function IntegrationPage({ channel }) {
	const page = useLoad("channels of the account", readChannels).data.value?.find(({ id }) => id === channel)?.page ?? null;
	if (page === null) return null;
	return a("p", { children: a(Outside, {
		to: page,
		children: views$1().page
	}) });
}
function Id({ says, id }) {
	return a($, { children: [a("dt", { children: says }), a("dd", { children: [a("code", {
		title: id ?? void 0,
		children: id ?? "—"
	}), id !== null && a(Copy, {
		text: id,
		of: says
	})] })] });
}
// src/areas/inbox/first/write-first.tsx
var FIELDS = [
	"scope_id",
	"phone",
	"name",
	"text"
];
function knownScopes() {
	const found = new Map();
	for (const { scope_id, channel } of rows.peek()) if (scope_id !== null) found.set(scope_id, channel?.title ?? scope_id);
	return [...found].map(([id, name]) => ({
		id,
		name
	}));
}
function WriteFirst({ onClose }) {
	const words = team().first;
	const scopes = w(knownScopes, []);
	const key = w(() => `${Date.now()}-${Math.random().toString(36).slice(2)}`, []);
	const busy = useSignal(false);
	const problem = useSignal(void 0);
	const submit = async (data) => {
		const given = FIELDS.map((name) => [name, String(data.get(name) ?? "").trim()]);
		busy.value = true;
		problem.value = void 0;
		try {
			const answer = await ask("/inbox/v1/conversations", {
				method: "POST",
				body: Object.fromEntries(given.filter(([, value]) => value !== "")),
				headers: { "Idempotency-Key": key }
			});
			onClose();
			if (answer.conversation !== null) {
				put(answer.conversation, true);
				open(`/conversations/${answer.conversation.id}`);
			}
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = false;
	};
	const wrong = (name) => problem.value?.about(name);
	const isToldBelow = problem.value !== void 0 && !FIELDS.some((name) => wrong(name) !== void 0);
	return a(Dialog, {
		title: words.title,
		onClose,
		children: a("form", {
			class: "stacked",
			onSubmit: (event) => {
				event.preventDefault();
				if (!busy.value) submit(new FormData(event.currentTarget));
			},
			children: [
				scopes.length > 0 ? a(Field, {
					label: words.channel,
					error: wrong("scope_id"),
					children: (input) => a("select", {
						...input,
						name: "scope_id",
						children: scopes.map((scope) => a("option", {
							value: scope.id,
							children: scope.name
						}, scope.id))
					})
				}) : a(Field, {
					label: words.scope,
					hint: words.scopeHint,
					error: wrong("scope_id"),
					children: (input) => a("input", {
						...input,
						name: "scope_id",
						required: true,
						spellcheck: false
					})
				}),
				a(Field, {
					label: words.phone,
					error: wrong("phone"),
					children: (input) => a("input", {
						...input,
						name: "phone",
						type: "tel",
						autocomplete: "off",
						required: true
					})
				}),
				a(Field, {
					label: words.name,
					hint: words.nameHint,
					error: wrong("name"),
					children: (input) => a("input", {
						...input,
						name: "name",
						autocomplete: "off"
					})
				}),
				a(Field, {
					label: words.text,
					error: wrong("text"),
					children: (input) => a("textarea", {
						...input,
						name: "text",
						rows: 3,
						required: true
					})
				}),
				isToldBelow && problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: onClose,
						children: shell().cancel
					}), a(Button, {
						type: "submit",
						look: "primary",
						busy: busy.value,
						children: words.submit
					})]
				})
			]
		})
	});
}
// src/areas/inbox/thread/group.tsx
function groupIn(failure) {
	if (!(failure instanceof Problem) || failure.status !== 409) return void 0;
	const { group_id: present } = failure.parts;
	return present === null || typeof present === "number" ? present : void 0;
}
function GroupChoice({ label, chosen, busy, action, onChoose }) {
	return a("form", {
		class: "stacked",
		onSubmit: (event) => {
			event.preventDefault();
			const group = Number(new FormData(event.currentTarget).get("group"));
			if (!busy) onChoose(group === 0 ? null : group);
		},
		children: [a(Field, {
			label,
			children: (input) => a("select", {
				...input,
				name: "group",
				class: "responsible-choice",
				children: [a("option", {
					value: 0,
					children: groupName(null)
				}), (groups.value ?? []).map((group) => a("option", {
					value: group.id,
					selected: group.id === chosen,
					children: group.name
				}, group.id))]
			})
		}), a("div", {
			class: "actions",
			children: a(Button, {
				type: "submit",
				busy,
				children: action
			})
		})]
	});
}
function GroupForm({ conversation: { id, group_id }, onDone }) {
	const words = team().group;
	const seen = useSignal(group_id);
	const isOvertaken = useSignal(false);
	const { busy, problem, run } = useWork();
	const assign = (group) => run(async () => {
		try {
			const body = {
				group_id: group,
				replaces_group: seen.peek()
			};
			put(await ask(`${CONVERSATIONS}/${id}/responsible`, {
				method: "PATCH",
				body
			}), false);
			onDone();
		} catch (failure) {
			const present = groupIn(failure);
			if (present === void 0) throw failure;
			reread(id);
			if (present === group) onDone();
			[seen.value, isOvertaken.value] = [present, true];
		}
	});
	return a($, { children: [
		isOvertaken.value && a("p", {
			role: "alert",
			children: words.overtaken(groupName(seen.value))
		}),
		a(GroupChoice, {
			label: words.label,
			chosen: seen.value,
			busy,
			action: words.assign,
			onChoose: (group) => void assign(group)
		}, seen.value),
		problem !== void 0 && a(ProblemNote, { problem })
	] });
}
// src/areas/inbox/thread/snooze-times.ts
var [MORNING, EVENING] = [9, 18];
function at(now, days, hour) {
	return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour).getTime() / 1e3;
}
function choices(now) {
	const inAnHour = Math.floor(now.getTime() / 1e3) + 3600;
	const evening = at(now, 0, EVENING);
	const days = (7 - now.getDay()) % 7 + 1;
	return [
		{
			name: "hour",
			until: inAnHour
		},
		...evening > inAnHour ? [{
			name: "evening",
			until: evening
		}] : [],
		{
			name: "tomorrow",
			until: at(now, 1, MORNING)
		},
		...days > 1 ? [{
			name: "monday",
			until: at(now, days, MORNING)
		}] : []
	];
}
function inputValue(time) {
	const two = (value) => String(value).padStart(2, "0");
	return `${[
		String(time.getFullYear()),
		two(time.getMonth() + 1),
		two(time.getDate())
	].join("-")}T${two(time.getHours())}:${two(time.getMinutes())}`;
}
// src/areas/inbox/thread/snooze.tsx
function exactTime(seconds) {
	const then = new Date(seconds * 1e3);
	const isThisYear = then.getFullYear() === new Date().getFullYear();
	return new Intl.DateTimeFormat(locale(language.value), {
		weekday: "short",
		day: "numeric",
		month: "short",
		...isThisYear ? {} : { year: "numeric" },
		hour: "2-digit",
		minute: "2-digit",
		timeZoneName: "short"
	}).format(then);
}
function SnoozeForm({ busy, words = team().snooze, onChoose }) {
	const wakes = useSignal(true);
	const now = new Date();
	const times = choices(now);
	const last = times.at(-1);
	const choose = (until) => {
		if (!busy) onChoose(until, wakes.peek());
	};
	return a($, { children: [
		a("p", {
			class: "soft",
			children: words.explain
		}),
		a("label", {
			class: "snooze-wakes",
			children: [a("input", {
				type: "checkbox",
				checked: wakes.value,
				onChange: (event) => wakes.value = event.currentTarget.checked
			}), words.wakes]
		}),
		a("ul", {
			class: "snooze-choices",
			children: times.map(({ name, until }) => a("li", { children: a("button", {
				type: "button",
				class: "snooze-choice",
				"aria-disabled": busy || void 0,
				onClick: () => choose(until),
				children: [
					words[name],
					" ",
					a("span", {
						class: "soft",
						children: exactTime(until)
					})
				]
			}) }, name))
		}),
		a("form", {
			class: "stacked",
			onSubmit: (event) => {
				event.preventDefault();
				const value = String(new FormData(event.currentTarget).get("until"));
				choose(Math.floor(new Date(value).getTime() / 1e3));
			},
			children: [a(Field, {
				label: words.other,
				children: (input) => a("input", {
					...input,
					type: "datetime-local",
					name: "until",
					required: true,
					min: inputValue(now),
					defaultValue: last === void 0 ? "" : inputValue(new Date(last.until * 1e3))
				})
			}), a("div", {
				class: "actions",
				children: a(Button, {
					type: "submit",
					busy,
					children: words.action
				})
			})]
		})
	] });
}
function SnoozeDialog({ id, onClose }) {
	const { busy, problem, run } = useWork();
	const snooze = (until, wake_on_message) => run(async () => {
		try {
			const body = {
				until,
				wake_on_message
			};
			put(await ask(`${CONVERSATIONS}/${id}/snooze`, {
				method: "POST",
				body
			}), false);
			onClose();
		} catch (failure) {
			reread(id);
			throw failure;
		}
	});
	return a(Dialog, {
		title: team().snooze.title,
		onClose,
		children: [a(SnoozeForm, {
			busy,
			onChoose: (until, wakes) => void snooze(until, wakes)
		}), problem !== void 0 && a(ProblemNote, { problem })]
	});
}
// src/areas/inbox/list/chosen.ts
var chosen = y(void 0);
function toggle(id) {
	const ids = new Set(chosen.peek());
	if (!ids.delete(id)) ids.add(id);
	chosen.value = ids;
}
x(() => {
	if (me.value === null) chosen.value = void 0;
});
var OFFERED = 1e4;
var report = y(void 0);
var timer;
function show(answer, isUndo) {
	const failed = answer.outcomes.filter((it) => it.status !== 200);
	report.value = {
		isUndo,
		changed: answer.outcomes.length - failed.length,
		failed: failed.map(({ id, detail }) => {
			const conversation = find(id);
			return {
				id,
				name: conversation === void 0 ? id : nameOf$3(conversation),
				detail: detail ?? ""
			};
		}),
		undo: answer.undo
	};
	clearTimeout(timer);
	timer = setTimeout(() => {
		const shown = report.peek();
		if (shown === void 0) return;
		report.value = shown.failed.length > 0 ? {
			...shown,
			undo: null
		} : void 0;
	}, OFFERED);
}
async function change(wanted) {
	const conversations = [...chosen.peek() ?? []].slice(0, 250).map((id) => ({
		id,
		replaces: find(id)?.lead?.responsible_user_id ?? null,
		replaces_group: find(id)?.group_id ?? null
	}));
	const answer = await ask(CONVERSATIONS, {
		method: "PATCH",
		body: {
			...wanted,
			conversations
		}
	});
	show(answer, false);
	const failed = answer.outcomes.filter((it) => it.status !== 200).map((it) => it.id);
	chosen.value = failed.length > 0 ? new Set(failed) : void 0;
}
async function undo() {
	const name = report.peek()?.undo;
	if (name === void 0 || name === null) return;
	show(await ask(CONVERSATIONS, {
		method: "PATCH",
		body: {
			action: "undo",
			undo: name
		}
	}), true);
}
x(() => {
	if (me.value === null) report.value = void 0;
});
// src/areas/inbox/list/choosing.tsx
function opened() {
	return /^\/conversations\/([^/]+)$/.exec(place.peek().path)?.[1];
}
function begin() {
	const id = opened();
	chosen.value = new Set(id === void 0 ? [] : [id]);
}
x(() => {
	const among = chosen.value;
	around.value = among && ((conversation, row) => a("div", {
		class: "choosable",
		children: [a("label", { children: a("input", {
			type: "checkbox",
			"aria-label": team().choosing.choose(nameOf$3(conversation)),
			checked: among.has(conversation.id),
			onChange: () => toggle(conversation.id)
		}) }), row]
	}));
});
on("snooze", ({ conversation_id: id, ended_by }) => {
	const isDue = ended_by === "due";
	if (isDue || find(id) !== void 0) refresh(id, isDue);
});
on("group", ({ conversation_id: id }) => {
	if (find(id) !== void 0) refresh(id);
});
function Choosing() {
	const words = team().choosing;
	const now = chosen.value;
	useShortcuts([{
		keys: "KeyX",
		says: words.start,
		run: () => {
			const id = opened();
			if (chosen.peek() === void 0) begin();
			else if (id !== void 0) toggle(id);
		}
	}]);
	return a($, { children: [
		a(Button, {
			look: "quiet",
			icon: "checks",
			label: words.start,
			"aria-pressed": now !== void 0,
			onClick: () => now === void 0 ? begin() : chosen.value = void 0
		}),
		now !== void 0 && a(Changes, { count: now.size }),
		report.value !== void 0 && a(Outcome, {}, report.value.undo ?? "")
	] });
}
function Changes({ count }) {
	const words = team().choosing;
	const asks = useSignal(void 0);
	const { busy, problem, run } = useWork();
	const make = (wanted) => run(async () => {
		await change(wanted);
		asks.value = void 0;
	});
	const isEmpty = count === 0 || count > 250;
	const close = () => {
		asks.value = void 0;
	};
	const all = rows.value.slice(0, 250);
	return a("div", {
		class: "choosing ways",
		role: "group",
		"aria-label": words.start,
		onKeyDown: (event) => {
			if (event.code === "Escape" && asks.peek() === void 0) chosen.value = void 0;
		},
		children: [
			a("span", {
				class: "count-chosen",
				role: "status",
				children: words.count(count)
			}),
			a(Button, {
				onClick: () => chosen.value = new Set(all.map((row) => row.id)),
				children: words.all(all.length)
			}),
			a(Button, {
				disabled: isEmpty,
				busy,
				onClick: () => void make({ action: "close" }),
				children: team().responsible.close
			}),
			a(Button, {
				disabled: isEmpty,
				"aria-haspopup": "dialog",
				onClick: () => asks.value = "assign",
				children: team().responsible.assign
			}),
			a(Button, {
				disabled: isEmpty,
				"aria-haspopup": "dialog",
				onClick: () => asks.value = "snooze",
				children: team().snooze.action
			}),
			a(Button, {
				look: "quiet",
				onClick: () => chosen.value = void 0,
				children: words.leave
			}),
			problem !== void 0 && asks.value === void 0 && a(ProblemNote, { problem }),
			asks.value === "assign" && a(Dialog, {
				title: words.assign(count),
				onClose: close,
				children: [
					a(Assign, {
						busy,
						onChoose: (user_id) => void make({
							action: "assign",
							user_id
						})
					}),
					a(AssignGroup, {
						busy,
						onChoose: (group_id) => void make({
							action: "assign",
							group_id
						})
					}),
					problem !== void 0 && a(ProblemNote, { problem })
				]
			}),
			asks.value === "snooze" && a(Dialog, {
				title: words.snooze(count),
				onClose: close,
				children: [a(SnoozeForm, {
					busy,
					onChoose: (until, wake_on_message) => void make({
						action: "snooze",
						until,
						wake_on_message
					})
				}), problem !== void 0 && a(ProblemNote, { problem })]
			})
		]
	});
}
function Assign({ busy, onChoose }) {
	useBook();
	const words = team().responsible;
	const own = me.value?.user.id;
	const users = [...own === void 0 ? [] : [own], ...candidates().filter((user) => user !== own)];
	return a("form", {
		class: "stacked",
		onSubmit: (event) => {
			event.preventDefault();
			if (!busy) onChoose(Number(new FormData(event.currentTarget).get("user")));
		},
		children: [a(Field, {
			label: words.title,
			children: (input) => a("select", {
				...input,
				name: "user",
				class: "responsible-choice",
				children: users.map((user) => a("option", {
					value: user,
					children: userName(user)
				}, user))
			})
		}), a("div", {
			class: "actions",
			children: [a(Button, {
				busy,
				onClick: () => onChoose(null),
				children: words.giveBack
			}), a(Button, {
				type: "submit",
				look: "primary",
				busy,
				children: words.assign
			})]
		})]
	});
}
function AssignGroup({ busy, onChoose }) {
	useGroups(true);
	const words = team().group;
	return a(GroupChoice, {
		label: words.label,
		chosen: null,
		busy,
		action: words.assign,
		onChoose
	});
}
function Outcome() {
	const words = team().choosing;
	const bar = T(null);
	const { busy, problem, run } = useWork();
	A(() => bar.current?.querySelector("button")?.focus(), []);
	const shown = report.value;
	if (shown === void 0) return null;
	const { isUndo, changed, failed, undo: name } = shown;
	return a("div", {
		class: "outcome",
		ref: bar,
		children: [
			a("div", {
				class: "ways",
				children: [
					a("span", {
						role: "status",
						children: isUndo ? words.undone(changed) : words.changed(changed)
					}),
					name !== null && a(Button, {
						busy,
						onClick: () => void run(undo),
						children: words.undo
					}),
					a(Button, {
						look: "quiet",
						icon: "close",
						label: words.dismiss,
						onClick: () => report.value = void 0
					})
				]
			}),
			failed.length > 0 && a("div", {
				role: "alert",
				children: [a("p", { children: words.failed(failed.length) }), a("ul", { children: failed.map((it) => a("li", { children: [
					a("bdi", { children: it.name }),
					": ",
					it.detail
				] }, it.id)) })]
			}),
			problem !== void 0 && a(ProblemNote, { problem })
		]
	});
}
// src/areas/inbox/list/mentioned.tsx
var fresh = y(0);
on("mention", ({ conversation_id: id }) => {
	if (!place.peek().path.endsWith(id)) fresh.value += 1;
	if (narrowing.peek().filter === "mentioned") load$1();
	else refresh(id, find(id) === void 0);
});
function Mentioned() {
	const words = team().mention;
	const isOn = shown$1.value.filter === "mentioned";
	const label = fresh.value > 0 ? words.fresh(fresh.value) : words.filter;
	return a($, { children: [a(Button, {
		look: "quiet",
		label,
		"aria-pressed": isOn,
		onClick: () => {
			fresh.value = 0;
			narrowTo({ filter: isOn ? "all" : "mentioned" });
		},
		children: ["@", fresh.value > 0 && fresh.value]
	}), a("span", {
		class: "unseen",
		role: "status",
		children: fresh.value > 0 && words.fresh(fresh.value)
	})] });
}
// src/areas/inbox/list/views/tags.ts
var PAGE$4 = 250;
var PAGES$1 = 4;
var tags = y([]);
async function readTags(signal) {
	const all = [];
	for (let page = 1; page <= PAGES$1; page += 1) {
		const answer = await ask("/api/v4/leads/tags", {
			query: {
				limit: PAGE$4,
				page
			},
			signal
		});
		all.push(...answer?._embedded.tags ?? []);
		if (answer?._links.next === void 0) break;
	}
	tags.value = all;
	return all;
}
var tagName = (id) => tags.value.find((tag) => String(tag.id) === id)?.name ?? `#${id}`;
x(() => {
	if (me.value === null) tags.value = [];
});
// src/areas/inbox/list/views/views.ts
var VIEWS = "/inbox/v1/views";
var PAGE$3 = 250;
var COLLECT = 1e3;
var views = y(void 0);
async function readViews(signal) {
	const page = await ask(VIEWS, {
		query: { limit: PAGE$3 },
		...signal && { signal }
	});
	views.value = page.views;
	return page.views;
}
var present = () => views.value?.find((it) => String(it.id) === narrowing.value.view);
var oneOf = (all, value) => all.find((it) => it === value);
function narrowed({ state, responsible, status, channel, tag }) {
	const filters = {
		filter: oneOf(ALL_FILTERS, state),
		responsible: oneOf(USERS, responsible),
		status: oneOf(STATUSES, status),
		channel,
		tag: tag === void 0 ? void 0 : String(tag)
	};
	return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== void 0));
}
x(() => {
	const view = present();
	const { view: id } = narrowing.value;
	ofView.value = view === void 0 ? {} : narrowed(view.filters);
	if (id !== "" && view === void 0 && views.value !== void 0) narrowTo({ view: "" });
});
function filtersNow() {
	const { filter, responsible, status, channel, tag } = shown$1.peek();
	const set = {
		state: filter === "all" ? void 0 : filter,
		responsible: responsible === "all" ? void 0 : responsible,
		status: status === "all" ? void 0 : status,
		channel: channel === "" ? void 0 : channel,
		tag: tag === "" ? void 0 : Number(tag)
	};
	return {
		...present()?.filters,
		...Object.fromEntries(Object.entries(set).filter(([, value]) => value !== void 0))
	};
}
var collecting;
on("message", ({ conversation_id: id }) => {
	if (narrowing.peek().view === "" || wasGiven(id)) return;
	collecting ??= setTimeout(() => {
		collecting = void 0;
		if (atTop.peek()) load$1();
	}, COLLECT);
});
x(() => {
	if (me.value === null) views.value = void 0;
});
// src/areas/inbox/list/views/dialog.tsx
function ViewsDialog({ onClose }) {
	const deleted = useSignal(void 0);
	return a($, { children: [a(Dialog, {
		title: views$1().menu,
		onClose,
		children: [
			a(Groups, {
				onChoose: (view) => {
					narrowTo({
						...WHOLE,
						view: String(view.id)
					});
					onClose();
				},
				onDelete: (view) => deleted.value = view
			}),
			a(Filters, {}),
			a(Save, {})
		]
	}), deleted.value !== void 0 && a(Confirm, {
		title: views$1().confirm.title(deleted.value.name),
		text: deleted.value.is_shared ? views$1().confirm.shared : views$1().confirm.own,
		action: views$1().confirm.action,
		icon: "trash",
		onConfirm: async () => {
			await ask(`/inbox/v1/views/${deleted.value?.id}`, { method: "DELETE" });
			await readViews();
			deleted.value = void 0;
		},
		onClose: () => deleted.value = void 0
	})] });
}
function Groups({ onChoose, onDelete }) {
	const renamed = useSignal(void 0);
	const all = views.value;
	const byName = (one, other) => one.name.localeCompare(other.name);
	const groups = [{
		label: views$1().mine,
		some: all?.filter((it) => !it.is_shared) ?? [],
		mayWrite: true
	}, {
		label: views$1().shared,
		some: all?.filter((it) => it.is_shared) ?? [],
		mayWrite: isAdministrator.value
	}].filter(({ some }) => some.length > 0);
	if (all?.length === 0) return a("p", {
		class: "soft",
		children: views$1().none
	});
	return a($, { children: groups.map(({ label, some, mayWrite }) => a("section", {
		"aria-label": label,
		children: [a("h3", { children: label }), a("ul", {
			class: "views-entries",
			children: [...some].sort(byName).map((view) => a("li", { children: renamed.value === view.id ? a(Rename, {
				view,
				onClose: () => renamed.value = void 0
			}) : a($, { children: [
				a(Button, {
					look: "quiet",
					"aria-pressed": present()?.id === view.id,
					onClick: () => onChoose(view),
					children: a("bdi", { children: view.name })
				}),
				mayWrite && a("div", {
					class: "views-ways",
					children: [a(Button, {
						look: "quiet",
						icon: "edit",
						label: views$1().rename(view.name),
						onClick: () => renamed.value = view.id
					}), a(Button, {
						look: "quiet",
						icon: "trash",
						label: views$1().delete(view.name),
						onClick: () => onDelete(view)
					})]
				}),
				view.missing.length > 0 && a("p", {
					class: "soft",
					children: views$1().missing
				})
			] }) }, view.id))
		})]
	}, label)) });
}
function Rename({ view, onClose }) {
	const input = T(null);
	const name = useSignal(view.name);
	const { busy, problem, run } = useWork();
	F(() => input.current?.select(), []);
	const save = async () => {
		await ask(`${VIEWS}/${view.id}`, {
			method: "PATCH",
			body: {
				name: name.peek(),
				based_on: view.version
			}
		});
		await readViews();
		onClose();
	};
	return a("form", {
		class: "stacked",
		onSubmit: (event) => {
			event.preventDefault();
			run(save);
		},
		children: [
			a(Field, {
				label: views$1().name,
				error: problem?.about("name"),
				children: (field) => a("input", {
					...field,
					ref: input,
					dir: "auto",
					maxLength: 100,
					required: true,
					value: name.value,
					onInput: (event) => name.value = event.currentTarget.value
				})
			}),
			problem !== void 0 && problem.about("name") === void 0 && a(ProblemNote, { problem }),
			a("div", {
				class: "actions",
				children: [a(Button, {
					onClick: onClose,
					children: shell().cancel
				}), a(Button, {
					type: "submit",
					look: "primary",
					icon: "check",
					busy,
					children: views$1().submit
				})]
			})
		]
	});
}
function Filters() {
	const channels = useLoad("channels of the account", readChannels);
	const tags = useLoad("tags of leads", readTags);
	const { channel, tag } = shown$1.value;
	const problem = channels.problem.value ?? tags.problem.value;
	return a($, { children: [
		problem !== void 0 && a(ProblemNote, {
			problem,
			retry: () => {
				channels.reload();
				tags.reload();
			}
		}),
		a(Choice$1, {
			label: views$1().channel,
			any: views$1().anyChannel,
			value: channel,
			options: (channels.data.value ?? []).map((it) => ({
				id: it.id,
				name: nameOf$1(it)
			})),
			onChoose: (id) => narrowTo({ channel: id })
		}),
		a(Chosen, { channel: channels.data.value?.find(({ id }) => id === channel) }),
		a(Choice$1, {
			label: views$1().tag,
			any: views$1().anyTag,
			value: tag,
			options: (tags.data.value ?? []).map(({ id, name }) => ({
				id: String(id),
				name
			})),
			onChoose: (id) => narrowTo({ tag: id })
		})
	] });
}
var nameOf$1 = ({ title, kind }) => kind === "other" ? title : `${title} · ${kindName(kind)}`;
function Chosen({ channel }) {
	if (channel === void 0) return null;
	return a("p", {
		class: "view-channel",
		children: [a(Kind, { kind: channel.kind }), channel.page !== null && a(Outside, {
			to: channel.page,
			children: views$1().page
		})]
	});
}
function Choice$1({ label, any, value, options, onChoose }) {
	const isKnown = value === "" || options.some(({ id }) => id === value);
	const all = [
		{
			id: "",
			name: any
		},
		...isKnown ? [] : [{
			id: value,
			name: value
		}],
		...options
	];
	return a(Field, {
		label,
		children: (field) => a("select", {
			...field,
			value,
			onChange: (event) => onChoose(event.currentTarget.value),
			children: all.map(({ id, name }) => a("option", {
				value: id,
				selected: id === value,
				children: name
			}, id))
		})
	});
}
function Save() {
	const name = useSignal("");
	const isShared = useSignal(false);
	const saved = useSignal("");
	const { busy, problem, run } = useWork();
	const save = async () => {
		const body = {
			name: name.peek(),
			is_shared: isShared.peek(),
			filters: filtersNow()
		};
		const view = await ask(VIEWS, {
			method: "POST",
			body
		});
		await readViews();
		narrowTo({
			...WHOLE,
			view: String(view.id)
		});
		saved.value = view.name;
		name.value = "";
	};
	return a("form", {
		class: "stacked",
		"aria-label": views$1().save,
		onSubmit: (event) => {
			event.preventDefault();
			run(save);
		},
		children: [
			a("h3", { children: views$1().save }),
			a(Field, {
				label: views$1().name,
				hint: views$1().saveHint,
				error: problem?.about("name"),
				children: (field) => a("input", {
					...field,
					dir: "auto",
					maxLength: 100,
					required: true,
					value: name.value,
					onInput: (event) => name.value = event.currentTarget.value
				})
			}),
			isAdministrator.value && a("label", { children: [a("input", {
				type: "checkbox",
				checked: isShared.value,
				onChange: (event) => isShared.value = event.currentTarget.checked
			}), views$1().share] }),
			problem !== void 0 && problem.about("name") === void 0 && a(ProblemNote, { problem }),
			a("p", {
				role: "status",
				children: saved.value !== "" && views$1().saved(saved.value)
			}),
			a("div", {
				class: "actions",
				children: a(Button, {
					type: "submit",
					look: "primary",
					icon: "check",
					busy,
					children: views$1().submit
				})
			})
		]
	});
}
// src/areas/inbox/list/views/menu.tsx
function Views() {
	const isOpen = useSignal(false);
	const loaded = useLoad("views", readViews);
	A(() => on("view", loaded.reload), []);
	useShortcuts([{
		keys: "KeyV",
		says: views$1().menu,
		run: () => isOpen.value = true
	}]);
	const { channel, tag, view } = narrowing.value;
	const isSet = channel !== "" || tag !== "" || view !== "";
	const known = rows.value.find((row) => row.channel?.id === channel)?.channel;
	return a($, { children: [
		a(Button, {
			look: "quiet",
			icon: "menu",
			label: views$1().menu,
			"aria-pressed": isSet,
			"aria-haspopup": "dialog",
			onClick: () => isOpen.value = true
		}),
		isSet && a("div", {
			class: "view-now",
			children: [
				view !== "" && a(Set$1, {
					says: views$1().now(present()?.name ?? view),
					onLeave: () => narrowTo({ view: "" })
				}),
				channel !== "" && ofView.value.channel !== channel && a(Set$1, {
					says: views$1().channelNow(known?.title ?? channel),
					kind: known?.kind,
					onLeave: () => narrowTo({ channel: "" })
				}),
				tag !== "" && ofView.value.tag !== tag && a(Set$1, {
					says: views$1().tagNow(tagName(tag)),
					onLeave: () => narrowTo({ tag: "" })
				})
			]
		}),
		isOpen.value && a(ViewsDialog, { onClose: () => isOpen.value = false })
	] });
}
function Set$1({ says, kind, onLeave }) {
	return a("span", {
		class: "badge",
		children: [
			kind !== void 0 && a(Kind, { kind }),
			a("bdi", { children: says }),
			a(Button, {
				look: "quiet",
				icon: "close",
				label: views$1().leave(says),
				onClick: onLeave
			})
		]
	});
}
// src/areas/inbox/blocked.tsx
var TAG = "blocked";
function isBlocked({ lead }) {
	return lead?.tags.some(({ name }) => name.toLowerCase() === TAG) === true;
}
function Blocked({ conversation }) {
	if (!isBlocked(conversation)) return null;
	const words = team().blocked;
	return a("span", {
		class: "blocked",
		title: words.title,
		children: a(Badge, {
			icon: "stopped",
			children: words.mark
		})
	});
}
function BlockedNote({ conversation }) {
	if (conversation === void 0 || !isBlocked(conversation)) return null;
	return a("p", {
		class: "blocked-note",
		role: "status",
		children: [
			a(Icon, { name: "stopped" }),
			" ",
			team().blocked.hint
		]
	});
}
// src/areas/inbox/list/owner.tsx
function Owner({ conversation }) {
	useBook();
	const id = conversation.lead?.responsible_user_id;
	if (isNobody(id)) return null;
	const name = userName(id);
	return a("span", {
		class: "owner",
		title: name,
		children: [a(Initials, { name }), a("span", {
			class: "unseen",
			children: team().responsible.label(name)
		})]
	});
}
owner.value = (conversation) => a($, { children: [a(Blocked, { conversation }), a(Owner, { conversation })] });
picture.value = (kind) => a(Kind, { kind });
// src/areas/inbox/list/narrow.tsx
function Narrow() {
	const words = team().filters;
	const { responsible, status } = shown$1.value;
	return a($, { children: [
		a(Choice, {
			label: inbox().details.responsible,
			value: responsible,
			words: words.responsible,
			values: USERS,
			onChoose: (responsible) => narrowTo({ responsible })
		}),
		a(Choice, {
			label: words.status,
			value: status,
			words: words.statuses,
			values: STATUSES,
			onChoose: (status) => narrowTo({ status })
		}),
		a(Mentioned, {}),
		a(Views, {}),
		a(Choosing, {})
	] });
}
function Choice({ label, value, words, values, onChoose }) {
	return a("select", {
		class: "narrow-choice",
		"aria-label": label,
		value,
		onChange: (event) => {
			const chosen = values.find((it) => it === event.currentTarget.value);
			if (chosen !== void 0) onChoose(chosen);
		},
		children: values.map((it) => a("option", {
			value: it,
			selected: it === value,
			children: words[it]
		}, it))
	});
}
// src/areas/inbox/thread/notice.tsx
function Notice({ name, title, quotes = [], children }) {
	return a("div", {
		class: `notice ${name}`,
		role: "alert",
		children: [
			a("p", { children: title }),
			quotes.length > 0 && a("ul", { children: quotes.map(({ by, text }, at) => a("li", { children: [by !== void 0 && a("span", {
				class: "soft",
				children: by
			}), a("q", {
				dir: "auto",
				children: text
			})] }, at)) }),
			a("p", {
				class: "ways",
				children
			})
		]
	});
}
// src/areas/inbox/thread/responsible.tsx
function responsibleIn(failure) {
	if (!(failure instanceof Problem) || failure.status !== 409) return void 0;
	const { responsible_user_id: present } = failure.parts;
	return present === null || typeof present === "number" ? present : void 0;
}
function ResponsibleDialog({ conversation, onClose }) {
	const { id, lead } = conversation;
	useGroups(true);
	const words = team().responsible;
	const seen = useSignal(lead?.responsible_user_id ?? null);
	const overtaken = useSignal(void 0);
	const { busy, problem, run } = useWork();
	const assign = (user) => run(async () => {
		try {
			const body = {
				user_id: user,
				replaces: seen.peek()
			};
			put(await ask(`${CONVERSATIONS}/${id}/responsible`, {
				method: "PATCH",
				body
			}), false);
			onClose();
		} catch (failure) {
			const present = responsibleIn(failure);
			if (present === void 0) throw failure;
			learnResponsible(id, present);
			reread(id);
			if (present === user) onClose();
			[seen.value, overtaken.value] = [present, user];
		}
	});
	return a(Dialog, {
		title: words.title,
		onClose,
		children: [overtaken.value === void 0 ? a($, { children: [a(Choose$1, {
			seen: seen.value,
			busy,
			onChoose: (user) => void assign(user)
		}), a(GroupForm, {
			conversation,
			onDone: onClose
		})] }) : a(Overtaken$1, {
			seen: seen.value,
			wanted: overtaken.value,
			busy,
			onChoose: (user) => void assign(user),
			onLeave: onClose
		}), problem !== void 0 && a(ProblemNote, { problem })]
	});
}
function Choose$1({ seen, busy, onChoose }) {
	const words = team().responsible;
	const own = me.value?.user.id ?? null;
	const others = candidates().filter((user) => user !== own && user !== seen);
	return a($, { children: [
		a("p", {
			class: "responsible-now",
			children: words.now(userName(seen))
		}),
		a("p", {
			class: "ways",
			children: [seen !== own && a(Button, {
				look: "primary",
				busy,
				onClick: () => onChoose(own),
				children: words.takeOver
			}), seen !== null && a(Button, {
				busy,
				onClick: () => onChoose(null),
				children: words.giveBack
			})]
		}),
		others.length > 0 && a("form", {
			class: "stacked",
			onSubmit: (event) => {
				event.preventDefault();
				if (!busy) onChoose(Number(new FormData(event.currentTarget).get("user")));
			},
			children: [a(Field, {
				label: words.another,
				children: (input) => a("select", {
					...input,
					name: "user",
					class: "responsible-choice",
					children: others.map((user) => a("option", {
						value: user,
						children: withPresence(user, userName(user))
					}, user))
				})
			}), a("div", {
				class: "actions",
				children: a(Button, {
					type: "submit",
					busy,
					children: words.assign
				})
			})]
		})
	] });
}
function Overtaken$1({ seen, wanted, busy, onChoose, onLeave }) {
	const words = team().responsible;
	const leave = T(null);
	A(() => leave.current?.querySelector("button")?.focus(), []);
	return a(Notice, {
		name: "responsible-overtaken",
		title: words.overtaken(userName(seen)),
		children: [a(Button, {
			busy,
			onClick: () => onChoose(wanted),
			children: wanted === null ? words.giveBackAnyway : words.assignAnyway(userName(wanted))
		}), a("span", {
			ref: leave,
			children: a(Button, {
				onClick: onLeave,
				children: words.leave
			})
		})]
	});
}
// src/areas/inbox/thread/handling.tsx
async function closeTalk(id) {
	try {
		await ask(`${CONVERSATIONS}/${id}/close`, { method: "POST" });
	} catch (failure) {
		if (!(failure instanceof Problem) || failure.status !== 409) throw failure;
		await reread(id);
		if (find(id)?.status !== "closed") throw failure;
	}
}
function Handling({ conversation }) {
	useBook();
	const words = team().responsible;
	const snoozeWords = team().snooze;
	const { id, lead, status, snooze, group_id: group } = conversation;
	useGroups(group !== null);
	const responsible = lead?.responsible_user_id ?? null;
	const isOpen = useSignal(false);
	const isSnoozing = useSignal(false);
	const place = T(null);
	const { busy, problem, run } = useWork();
	A(() => learnResponsible(id, responsible), [id, responsible]);
	const name = userName(responsible);
	const owners = group === null ? words.label(name) : `${words.label(name)}. ${team().group.now(groupName(group))}`;
	const close = () => run(async () => {
		await closeTalk(id);
		const focused = document.activeElement;
		if (focused === document.body || place.current?.contains(focused) === true) place.current?.querySelector("button")?.focus();
		await reread(id);
	});
	const wake = () => run(async () => {
		await ask(`${CONVERSATIONS}/${id}/snooze`, { method: "DELETE" });
		await reread(id);
	});
	return a("div", {
		class: "handling ways",
		ref: place,
		children: [
			a(Button, {
				look: "quiet",
				"aria-haspopup": "dialog",
				"aria-label": owners,
				onClick: () => isOpen.value = true,
				children: [
					responsible === null ? a(Icon, { name: "contacts" }) : a(Initials, { name }),
					" ",
					a("bdi", { children: name }),
					" ",
					group !== null && a("bdi", {
						class: "soft",
						children: groupName(group)
					})
				]
			}),
			a("span", {
				class: `status ${status}`,
				role: "status",
				children: [status === "closed" && a(Badge, {
					icon: "check",
					children: words.closed
				}), snooze !== null && a(Badge, {
					icon: "clock",
					children: a("span", { children: [a("time", {
						dateTime: new Date(snooze.until * 1e3).toISOString(),
						children: snoozeWords.until(exactTime(snooze.until))
					}), snooze.wake_on_message && a($, { children: [" ", snoozeWords.orMessage] })] })
				})]
			}),
			status !== "closed" && a(Button, {
				"aria-haspopup": snooze === null ? "dialog" : void 0,
				"aria-label": snooze === null ? snoozeWords.title : void 0,
				busy,
				onClick: () => {
					if (snooze === null) isSnoozing.value = true;
					else wake();
				},
				children: snooze === null ? snoozeWords.action : snoozeWords.wake
			}, "snooze"),
			status !== "closed" && a(Button, {
				"aria-label": words.closeLabel,
				busy,
				onClick: () => void close(),
				children: words.close
			}),
			problem !== void 0 && a(ProblemNote, { problem }),
			isSnoozing.value && a(SnoozeDialog, {
				id,
				onClose: () => isSnoozing.value = false
			}),
			isOpen.value && a(ResponsibleDialog, {
				conversation,
				onClose: () => isOpen.value = false
			})
		]
	});
}
// src/words/canned.ts
var canned$1 = dictionary({
	en: {
		title: "Canned replies",
		mine: "Mine",
		shared: "The team’s",
		loading: "Reading the canned replies…",
		found: (count) => count === 0 ? "No canned replies found." : `${counted("en", count, {
			one: "canned reply",
			other: "canned replies"
		})}. Arrows choose, Enter inserts.`,
		none: "There are no canned replies yet.",
		tooLong: "This text is too long for a message here.",
		manage: "Manage canned replies",
		new: "New canned reply",
		change: "Change a canned reply",
		explain: "Type / in a reply, and a few letters of the name or the text, to insert one.",
		name: "Name",
		text: "Text",
		markers: "Markers such as {{contact.name}} take the values of the conversation when the text is inserted.",
		share: "Share with the team",
		save: "Save",
		edit: (name) => `Change «${name}»`,
		delete: (name) => `Delete «${name}»`,
		confirm: {
			title: (name) => `Delete «${name}»?`,
			own: "You can no longer insert this text. Messages that have it stay as they are.",
			shared: "The team can no longer insert this text. Messages that have it stay as they are.",
			action: "Delete the canned reply"
		},
		noValue: (markers) => `No value for: ${markers}`,
		ask: "Write the values into the text, or send it again to send it as it is.",
		asItIs: "Send as it is",
		leftOut: (name) => `«${name}» was not attached: the reply has another file.`
	},
	ru: {
		title: "Готовые ответы",
		mine: "Мои",
		shared: "Командные",
		loading: "Читаем готовые ответы…",
		found: (count) => count === 0 ? "Готовые ответы не найдены." : `${counted("ru", count, {
			one: "готовый ответ",
			few: "готовых ответа",
			other: "готовых ответов"
		})}. Стрелки выбирают, Enter вставляет.`,
		none: "Готовых ответов пока нет.",
		tooLong: "Этот текст слишком длинный для сообщения.",
		manage: "Управление готовыми ответами",
		new: "Новый готовый ответ",
		change: "Изменить готовый ответ",
		explain: "Чтобы вставить готовый ответ, введите в сообщении / и несколько букв названия или текста.",
		name: "Название",
		text: "Текст",
		markers: "Метки вроде {{contact.name}} получают значения беседы, когда текст вставляется.",
		share: "Доступен всей команде",
		save: "Сохранить",
		edit: (name) => `Изменить «${name}»`,
		delete: (name) => `Удалить «${name}»`,
		confirm: {
			title: (name) => `Удалить «${name}»?`,
			own: "Вы больше не сможете вставлять этот текст. Сообщения с ним останутся прежними.",
			shared: "Никто в команде больше не сможет вставлять этот текст. Сообщения с ним останутся прежними.",
			action: "Удалить готовый ответ"
		},
		noValue: (markers) => `Нет значения для: ${markers}`,
		ask: "Впишите значения в текст или отправьте его ещё раз, чтобы он ушёл как есть.",
		asItIs: "Отправить как есть",
		leftOut: (name) => `Файл «${name}» не прикреплён: в ответе уже есть другой.`
	},
	es: {
		title: "Respuestas guardadas",
		mine: "Mías",
		shared: "Del equipo",
		loading: "Leyendo las respuestas guardadas…",
		found: (count) => count === 0 ? "No se encontraron respuestas guardadas." : `${counted("es", count, {
			one: "respuesta guardada",
			other: "respuestas guardadas"
		})}. Las flechas eligen, Intro inserta.`,
		none: "Todavía no hay respuestas guardadas.",
		tooLong: "Este texto es demasiado largo para un mensaje aquí.",
		manage: "Administrar las respuestas guardadas",
		new: "Nueva respuesta guardada",
		change: "Cambiar una respuesta guardada",
		explain: "Para insertar una, escriba / en una respuesta y unas letras del nombre o del texto.",
		name: "Nombre",
		text: "Texto",
		markers: "Los marcadores como {{contact.name}} toman los valores de la conversación al insertar el texto.",
		share: "Compartir con el equipo",
		save: "Guardar",
		edit: (name) => `Cambiar «${name}»`,
		delete: (name) => `Eliminar «${name}»`,
		confirm: {
			title: (name) => `¿Eliminar «${name}»?`,
			own: "Ya no podrá insertar este texto. Los mensajes que lo contienen quedan como están.",
			shared: "Nadie del equipo podrá insertar este texto. Los mensajes que lo contienen quedan como están.",
			action: "Eliminar la respuesta guardada"
		},
		noValue: (markers) => `Sin valor para: ${markers}`,
		ask: "Escriba los valores en el texto, o envíelo otra vez para enviarlo tal como está.",
		asItIs: "Enviar tal como está",
		leftOut: (name) => `«${name}» no se adjuntó: la respuesta tiene otro archivo.`
	}
});
// src/areas/inbox/canned/canned.ts
var PAGE$2 = 250;
async function all(address, signal) {
	const replies = [];
	let cursor;
	do {
		const page = await ask(address, {
			signal,
			query: {
				limit: PAGE$2,
				cursor
			}
		});
		replies.push(...page.canned_replies);
		cursor = page.next ?? void 0;
	} while (cursor !== void 0);
	return replies;
}
var canned = (signal) => all("/inbox/v1/canned-replies", signal);
var cannedFor = (conversation, signal) => all(`/inbox/v1/conversations/${conversation}/canned-replies`, signal);
function matching$1(replies, words) {
	const wanted = folded$1(words.trim());
	const found = replies.filter(({ name, text }) => [name, text ?? ""].some((it) => folded$1(it).includes(wanted)));
	return [...found.filter((it) => !it.is_shared), ...found.filter((it) => it.is_shared)];
}
function slashBefore(text, cursor) {
	const words = /(?:^|\s)\/((?:[^\s/][^\n/]{0,60})?)$/u.exec(text.slice(0, cursor))?.[1];
	return words === void 0 ? void 0 : {
		at: cursor - words.length - 1,
		words
	};
}
function gapsIn(text) {
	return [...new Set(text.match(/\{\{[A-Za-z0-9._]{1,128}\}\}/g) ?? [])];
}
function insert(area, begin, end, text) {
	area.focus();
	area.setSelectionRange(begin, end);
	if (document.execCommand("insertText", false, text)) return;
	area.setRangeText(text, begin, end, "end");
	area.dispatchEvent(new InputEvent("input", { bubbles: true }));
}
// src/areas/inbox/compose/upload.ts
function tooLarge(file) {
	const most = me.peek()?.file_bytes_max ?? Number.MAX_SAFE_INTEGER;
	return file.size > most ? inbox().compose.tooLarge(bytes(file.size), bytes(most)) : void 0;
}
function upload(file) {
	const body = new FormData();
	body.append("file", file, file.name);
	return ask("/inbox/v1/media", {
		method: "POST",
		body
	});
}
// src/areas/inbox/canned/editor.tsx
function CannedEditor({ reply, onClose }) {
	const first = T(null);
	const picker = T(null);
	const name = useSignal(reply?.name ?? "");
	const text = useSignal(reply?.text ?? "");
	const isShared = useSignal(reply?.is_shared ?? false);
	const file = useSignal(reply?.file ?? null);
	const busy = useSignal(void 0);
	const problem = useSignal(void 0);
	const refusal = useSignal(void 0);
	const attempt = T({
		body: "",
		key: ""
	});
	F(() => first.current?.focus(), []);
	const work = async (what, run) => {
		if (busy.peek() !== void 0) return;
		busy.value = what;
		problem.value = void 0;
		try {
			await run();
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = void 0;
	};
	const save = async () => {
		const body = {
			name: name.peek(),
			text: text.peek(),
			is_shared: isShared.peek(),
			media_id: file.peek()?.id ?? null
		};
		if (reply === null) {
			const told = JSON.stringify(body);
			if (attempt.current.body !== told) attempt.current = {
				body: told,
				key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
			};
			await ask("/inbox/v1/canned-replies", {
				method: "POST",
				body,
				headers: { "Idempotency-Key": attempt.current.key }
			});
		} else {
			const { media_id: media, ...others } = body;
			const changed = media === (reply.file?.id ?? null) ? others : body;
			await ask(`/inbox/v1/canned-replies/${reply.id}`, {
				method: "PATCH",
				body: changed
			});
		}
		onClose();
	};
	const attach = (chosen) => {
		refusal.value = tooLarge(chosen);
		if (refusal.value !== void 0) return;
		work("uploading", async () => {
			file.value = await upload(chosen);
		});
	};
	return a("form", {
		class: "stacked",
		onSubmit: (event) => {
			event.preventDefault();
			work("saving", save);
		},
		children: [
			a(Field, {
				label: canned$1().name,
				error: problem.value?.about("name"),
				children: (field) => a("input", {
					...field,
					ref: first,
					dir: "auto",
					maxLength: 255,
					required: true,
					value: name.value,
					onInput: (event) => name.value = event.currentTarget.value
				})
			}),
			a(Field, {
				label: canned$1().text,
				hint: canned$1().markers,
				error: problem.value?.about("text"),
				children: (field) => a("textarea", {
					...field,
					dir: "auto",
					rows: 6,
					required: true,
					value: text.value,
					onInput: (event) => text.value = event.currentTarget.value
				})
			}),
			a("label", { children: [a("input", {
				type: "checkbox",
				checked: isShared.value,
				onChange: (event) => isShared.value = event.currentTarget.checked
			}), canned$1().share] }),
			a("input", {
				ref: picker,
				type: "file",
				hidden: true,
				onChange: (event) => {
					const chosen = event.currentTarget.files?.[0];
					if (chosen !== void 0) attach(chosen);
					event.currentTarget.value = "";
				}
			}),
			a("p", {
				class: "canned-file",
				role: "status",
				children: [file.value !== null && a($, { children: [
					a(Icon, { name: file.value.type === "picture" ? "picture" : "file" }),
					" ",
					a("bdi", { children: file.value.file_name }),
					" · ",
					bytes(file.value.file_size),
					a(Button, {
						look: "quiet",
						icon: "close",
						label: inbox().compose.remove,
						onClick: () => file.value = null
					})
				] }), busy.value === "uploading" && inbox().compose.uploading]
			}),
			a("div", { children: a(Button, {
				icon: "attach",
				onClick: () => picker.current?.click(),
				children: inbox().compose.attach
			}) }),
			refusal.value !== void 0 && a("p", {
				role: "alert",
				children: refusal.value
			}),
			problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
			a("div", {
				class: "actions",
				children: [a(Button, {
					onClick: onClose,
					children: shell().cancel
				}), a(Button, {
					type: "submit",
					look: "primary",
					icon: "check",
					busy: busy.value !== void 0,
					children: canned$1().save
				})]
			})
		]
	});
}
// src/areas/inbox/canned/dialog.tsx
function CannedDialog({ onClose }) {
	const loaded = useLoad("canned replies", canned);
	const edited = useSignal(void 0);
	const deleted = useSignal(void 0);
	A(() => on("canned_reply", loaded.reload), []);
	const title = edited.value === void 0 ? canned$1().manage : edited.value === null ? canned$1().new : canned$1().change;
	return a($, { children: [a(Dialog, {
		title,
		onClose,
		children: edited.value === void 0 ? a(CannedList, {
			loaded,
			onNew: () => edited.value = null,
			onEdit: (reply) => edited.value = reply,
			onDelete: (reply) => deleted.value = reply
		}) : a(CannedEditor, {
			reply: edited.value,
			onClose: () => {
				edited.value = void 0;
				loaded.reload();
			}
		})
	}), deleted.value !== void 0 && a(Confirm, {
		title: canned$1().confirm.title(deleted.value.name),
		text: deleted.value.is_shared ? canned$1().confirm.shared : canned$1().confirm.own,
		action: canned$1().confirm.action,
		icon: "trash",
		onConfirm: async () => {
			await ask(`/inbox/v1/canned-replies/${deleted.value?.id}`, { method: "DELETE" });
			deleted.value = void 0;
			loaded.reload();
		},
		onClose: () => deleted.value = void 0
	})] });
}
function CannedList({ loaded, onNew, onEdit, onDelete }) {
	const { data, problem, reload } = loaded;
	const create = T(null);
	const count = data.value?.length;
	F(() => {
		const active = document.activeElement;
		if (active === document.body || active === null || active.matches("dialog")) create.current?.querySelector("button")?.focus();
	}, [count]);
	const mayChange = (reply) => reply.user_id === me.value?.user.id || reply.is_shared && isAdministrator.value;
	const groups = [{
		label: canned$1().mine,
		replies: data.value?.filter((it) => !it.is_shared) ?? []
	}, {
		label: canned$1().shared,
		replies: data.value?.filter((it) => it.is_shared) ?? []
	}].filter(({ replies }) => replies.length > 0);
	return a($, { children: [
		a("p", {
			class: "soft",
			children: canned$1().explain
		}),
		a("div", {
			ref: create,
			children: a(Button, {
				icon: "plus",
				onClick: onNew,
				children: canned$1().new
			})
		}),
		problem.value !== void 0 && a(ProblemNote, {
			problem: problem.value,
			retry: reload
		}),
		data.value === void 0 && problem.value === void 0 && a(Skeleton, {}),
		count === 0 && a("p", { children: canned$1().none }),
		groups.map(({ label, replies }) => a("section", {
			"aria-label": label,
			children: [a("h3", { children: label }), a("ul", {
				class: "canned-entries",
				children: replies.map((reply) => a("li", { children: [a("div", { children: [
					a("strong", {
						dir: "auto",
						children: reply.name
					}),
					a("p", {
						class: "soft canned-beginning",
						dir: "auto",
						children: reply.text?.slice(0, 300)
					}),
					reply.file !== null && a("p", {
						class: "soft",
						children: [
							a(Icon, { name: reply.file.type === "picture" ? "picture" : "file" }),
							" ",
							a("bdi", { children: reply.file.file_name })
						]
					})
				] }), mayChange(reply) && a("div", {
					class: "canned-ways",
					children: [a(Button, {
						look: "quiet",
						icon: "edit",
						label: canned$1().edit(reply.name),
						onClick: () => onEdit(reply)
					}), a(Button, {
						look: "quiet",
						icon: "trash",
						label: canned$1().delete(reply.name),
						onClick: () => onDelete(reply)
					})]
				})] }, reply.id))
			})]
		}, label))
	] });
}
// src/words/templates.ts
var templates = dictionary({
	en: {
		open: "Templates",
		title: "Send a template",
		search: "Search by name and text",
		list: "Templates to choose from",
		none: "No templates for this conversation",
		noneText: "Integrations create templates. Those that can be sent here appear in this list.",
		docs: "About templates",
		noMatch: "No templates found.",
		preview: "The message as it will be sent",
		back: "Other templates",
		noValue: (markers) => `No value for: ${markers}`,
		ask: "The text of the message has gaps there. Send it nevertheless?",
		without: "Send without these values",
		noText: "This template cannot be sent here: its text would be empty or too long. Write the message by hand.",
		buttons: "Buttons of the message",
		listOf: (button) => `List: ${button}`,
		pressed: (text) => `Pressed: ${text}`,
		window: {
			open: (time) => `You can write freely until ${time}.`,
			closed: (time) => `The time to write freely ended on ${time}. Send a template, or wait until the customer writes.`,
			never: "The customer has not written yet. Send a template, or wait until the customer writes.",
			placeholder: "Only templates for now"
		}
	},
	ru: {
		open: "Шаблоны",
		title: "Отправить шаблон",
		search: "Поиск по названию и тексту",
		list: "Шаблоны на выбор",
		none: "Для этой беседы нет шаблонов",
		noneText: "Шаблоны создают интеграции. Здесь появятся те, которые можно отправить в эту беседу.",
		docs: "О шаблонах",
		noMatch: "Шаблоны не найдены.",
		preview: "Сообщение, каким оно уйдёт",
		back: "Другие шаблоны",
		noValue: (markers) => `Нет значения для: ${markers}`,
		ask: "В этих местах текста будут пропуски. Всё равно отправить?",
		without: "Отправить без этих значений",
		noText: "Этот шаблон нельзя отправить сюда: текст получится пустым или слишком длинным. Напишите сообщение сами.",
		buttons: "Кнопки сообщения",
		listOf: (button) => `Список: ${button}`,
		pressed: (text) => `Нажато: ${text}`,
		window: {
			open: (time) => `Свободно писать можно до ${time}.`,
			closed: (time) => `Время, когда можно было писать свободно, закончилось ${time}. Отправьте шаблон или дождитесь сообщения клиента.`,
			never: "Клиент ещё не писал. Отправьте шаблон или дождитесь сообщения клиента.",
			placeholder: "Пока только шаблоны"
		}
	},
	es: {
		open: "Plantillas",
		title: "Enviar una plantilla",
		search: "Buscar por nombre y texto",
		list: "Plantillas para elegir",
		none: "No hay plantillas para esta conversación",
		noneText: "Las integraciones crean las plantillas. Aquí aparecen las que se pueden enviar en esta conversación.",
		docs: "Acerca de las plantillas",
		noMatch: "No se encontraron plantillas.",
		preview: "El mensaje tal como se enviará",
		back: "Otras plantillas",
		noValue: (markers) => `Sin valor para: ${markers}`,
		ask: "El texto del mensaje tiene huecos en esos lugares. ¿Enviarlo de todos modos?",
		without: "Enviar sin estos valores",
		noText: "Esta plantilla no se puede enviar aquí: su texto quedaría vacío o demasiado largo. Escriba el mensaje a mano.",
		buttons: "Botones del mensaje",
		listOf: (button) => `Lista: ${button}`,
		pressed: (text) => `Pulsado: ${text}`,
		window: {
			open: (time) => `Puede escribir libremente hasta el ${time}.`,
			closed: (time) => `El plazo para escribir libremente terminó el ${time}. Envíe una plantilla o espere a que el cliente escriba.`,
			never: "El cliente todavía no ha escrito. Envíe una plantilla o espere a que el cliente escriba.",
			placeholder: "Por ahora, solo plantillas"
		}
	}
});
// src/areas/inbox/template/sendable.ts
async function sendable(conversation, signal) {
	const address = `/inbox/v1/conversations/${conversation}/templates`;
	return (await ask(address, { signal })).templates;
}
function matching(all, words) {
	const wanted = folded$1(words.trim());
	return all.filter(({ name, content, text }) => [
		name,
		content,
		text ?? ""
	].some((it) => folded$1(it).includes(wanted)));
}
function outgoing({ id, text, buttons, file_name: file }) {
	if (text === null) return void 0;
	return {
		type: "template",
		template_id: id,
		text,
		buttons,
		...file === null ? {} : { name: file }
	};
}
// src/areas/inbox/template/choose.tsx
var BEGINNING$1 = 300;
function Choose({ all, query, onChoose }) {
	const words = templates();
	const id = P();
	const at = useSignal(0);
	const input = T(null);
	const list = T(null);
	const found = matching(all, query.value);
	const place = Math.min(at.value, found.length - 1);
	const nameOf = (template) => `${id}-${template.id}`;
	const marked = found[place];
	F(() => input.current?.focus(), []);
	F(() => {
		list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
	}, [marked?.id]);
	const onKeyDown = (event) => {
		if (event.isComposing || found.length === 0) return;
		const next = {
			ArrowDown: place + 1,
			ArrowUp: place - 1
		}[event.code];
		if (next !== void 0) at.value = (next + found.length) % found.length;
		else if (event.code === "Enter" && marked !== void 0 && !event.repeat) onChoose(marked);
		else return;
		event.preventDefault();
	};
	return a("div", {
		class: "template-choice",
		children: [
			a(Field, {
				label: words.search,
				children: (field) => a("input", {
					...field,
					ref: input,
					type: "text",
					role: "combobox",
					autocomplete: "off",
					spellcheck: false,
					"aria-autocomplete": "list",
					"aria-expanded": found.length > 0,
					"aria-controls": `${id}-list`,
					"aria-activedescendant": marked === void 0 ? void 0 : nameOf(marked),
					value: query.value,
					onInput: (event) => {
						query.value = event.currentTarget.value;
						at.value = 0;
					},
					onKeyDown
				})
			}),
			a("p", {
				class: found.length > 0 ? "unseen" : "soft",
				role: "status",
				children: found.length > 0 ? "" : words.noMatch
			}),
			a("ul", {
				class: "template-list",
				id: `${id}-list`,
				ref: list,
				role: "listbox",
				"aria-label": words.list,
				hidden: found.length === 0,
				children: found.map((template) => a("li", {
					id: nameOf(template),
					role: "option",
					"aria-selected": template === marked,
					onClick: () => onChoose(template),
					children: [a("strong", {
						dir: "auto",
						children: template.name
					}), a("span", {
						class: "soft",
						dir: "auto",
						children: (template.text ?? template.content).slice(0, BEGINNING$1)
					})]
				}, template.id))
			})
		]
	});
}
// src/areas/inbox/template/buttons.tsx
function MessageButtons({ buttons }) {
	if (buttons.length === 0) return null;
	return a("ul", {
		class: "message-buttons",
		"aria-label": templates().buttons,
		children: buttons.map(({ text, url }, at) => a("li", {
			dir: "auto",
			children: url === void 0 ? text : a(Outside, {
				to: url,
				children: text
			})
		}, at))
	});
}
// src/areas/inbox/template/list.tsx
function MessageList({ list }) {
	return a("div", {
		class: "message-list",
		role: "group",
		"aria-label": templates().listOf(list.button),
		children: [list.sections.map(({ title, rows }, at) => a("section", { children: [a("p", {
			class: "soft",
			dir: "auto",
			children: title
		}), a("ul", { children: rows.map((row, place) => a("li", {
			dir: "auto",
			children: [row.title, row.description !== null && a("span", {
				class: "soft",
				children: [" · ", row.description]
			})]
		}, place)) })] }, at)), list.footer !== null && a("p", {
			class: "soft",
			dir: "auto",
			children: list.footer
		})]
	});
}
// src/areas/inbox/thread/content.tsx
function Content({ message }) {
	return a($, { children: [
		message.reply_to !== void 0 && a(Quoted, { quote: message.reply_to }),
		message.forwards?.map((quote, at) => a(Quoted, {
			quote,
			isForward: true
		}, at)),
		a(Attachment, { message }),
		message.list_message?.header != null && a("p", {
			dir: "auto",
			children: a("strong", { children: message.list_message.header })
		}),
		message.text !== "" && a(LongText, { text: message.text }, message.id),
		message.template !== void 0 && a(MessageButtons, { buttons: message.template.buttons }),
		message.list_message !== void 0 && a(MessageList, { list: message.list_message }),
		message.pressed !== void 0 && a("p", {
			class: "soft",
			dir: "auto",
			children: templates().pressed(message.pressed.text)
		}),
		message.reactions !== void 0 && a("p", {
			class: "reactions",
			children: message.reactions.map((reaction, at) => a("span", {
				title: reaction.client?.name,
				children: reaction.emoji
			}, at))
		})
	] });
}
var [LETTERS, LINES] = [1200, 20];
function shortened(text) {
	const lines = text.split("\n");
	const few = lines.slice(0, LINES).join("\n");
	if (lines.length <= LINES + 1 && few.length <= LETTERS * 1.1) return void 0;
	const head = few.slice(0, LETTERS);
	const space = head.lastIndexOf(" ");
	return (few.length <= LETTERS ? few : space > LETTERS / 2 ? head.slice(0, space) : [...head].slice(0, -1).join("")).trimEnd();
}
function LongText({ text }) {
	const words = inbox().thread;
	const isOpen = useSignal(false);
	const head = shortened(text);
	return a($, { children: [a("p", {
		class: "text",
		dir: "auto",
		children: head === void 0 || isOpen.value ? text : `${head}…`
	}), head !== void 0 && a("button", {
		type: "button",
		class: "link unfold",
		"aria-expanded": isOpen.value,
		onClick: () => isOpen.value = !isOpen.value,
		children: isOpen.value ? words.fold : words.unfold(text.length)
	})] });
}
function Quoted({ quote, isForward = false }) {
	return a("blockquote", { children: [a("span", {
		class: "soft",
		children: isForward ? inbox().thread.forwarded : authorOf(quote.sender)
	}), a("p", {
		class: "text",
		dir: "auto",
		children: shortened(quote.text ?? quote.type ?? "") ?? quote.text ?? quote.type
	})] });
}
function Attachment({ message }) {
	const words = inbox();
	const { type, location, contact } = message;
	const copy = message.media_check?.copy;
	const media = copy?.media ?? message.media;
	if (type === "contact" && contact !== void 0) return a("p", {
		class: "attachment",
		children: [a(Icon, { name: "contacts" }), a("span", { children: [a("bdi", { children: contact.name }), contact.phone !== void 0 && a($, { children: [
			a("br", {}),
			contact.phone,
			" ",
			a(Copy, {
				text: contact.phone,
				of: contact.phone
			})
		] })] })]
	});
	if (type === "location" && location !== void 0) {
		const text = `${location.lat}, ${location.lon}`;
		return a("p", {
			class: "attachment",
			children: [a(Icon, { name: "place" }), a("span", { children: [
				words.thread.coordinates,
				": ",
				text,
				" ",
				a(Copy, {
					text,
					of: words.thread.coordinates
				})
			] })]
		});
	}
	if (type === "text") return null;
	const name = message.file_name ?? "";
	const own = ownPath(media);
	const isShown = type === "picture" || type === "sticker";
	const itself = copy == null && type === "picture" ? own : void 0;
	const thumbnail = ownPath(copy?.thumbnail ?? message.thumbnail) ?? itself;
	if (isShown && own !== void 0 && thumbnail !== void 0) return a("a", {
		class: type,
		href: own,
		target: "_blank",
		rel: "noopener",
		"data-leave": true,
		children: a("img", {
			src: thumbnail,
			alt: name === "" ? words.kinds[type] : name,
			loading: "lazy"
		})
	});
	return a("p", {
		class: "attachment",
		children: [a(Icon, { name: type === "picture" ? "picture" : "file" }), a("span", { children: [
			a("span", {
				class: "soft",
				children: words.kinds[type]
			}),
			" ",
			a("bdi", { children: name }),
			" ",
			message.file_size !== void 0 && message.file_size > 0 && a("span", {
				class: "soft",
				children: bytes(message.file_size)
			}),
			a("br", {}),
			own !== void 0 && a("a", {
				href: own,
				download: name,
				children: words.thread.openFile
			}),
			own === void 0 && media !== void 0 && a($, { children: [a(Outside, {
				to: media,
				children: words.thread.openFile
			}), a("span", {
				class: "unseen",
				children: [" ", words.thread.elsewhere]
			})] }),
			message.media_check?.state === "unreachable" && a("span", {
				class: "bad",
				children: [
					words.thread.unreachable,
					" ",
					message.media_check.reason
				]
			})
		] })]
	});
}
// src/areas/inbox/template/preview.tsx
function Preview({ template, onSend, onBack }) {
	const words = templates();
	const id = P();
	const isAsked = useSignal(false);
	const ways = T(null);
	const { name, content, text, empty, buttons, file_name: file } = template;
	F(() => ways.current?.querySelector(".button:last-child")?.focus(), []);
	const send = () => {
		if (empty.length === 0 || isAsked.peek()) onSend();
		else isAsked.value = true;
	};
	return a($, { children: [
		a("h3", {
			class: "template-name",
			dir: "auto",
			children: name
		}),
		a("div", {
			class: "message out template-preview",
			id,
			role: "group",
			"aria-label": text === null ? name : words.preview,
			children: a("div", {
				class: "bubble",
				children: [
					file !== null && a("p", {
						class: "attachment",
						children: [
							a(Icon, { name: "file" }),
							" ",
							a("bdi", { children: file })
						]
					}),
					a(LongText, { text: text ?? content }),
					a(MessageButtons, { buttons })
				]
			})
		}),
		empty.length > 0 && a("p", {
			class: "template-gaps",
			children: words.noValue(empty.join(", "))
		}),
		text === null && a("p", {
			class: "template-gaps",
			children: words.noText
		}),
		a("p", {
			class: isAsked.value ? void 0 : "unseen",
			role: "status",
			children: isAsked.value && words.ask
		}),
		a("div", {
			class: "actions",
			ref: ways,
			children: [a(Button, {
				icon: "back",
				onClick: onBack,
				children: words.back
			}), text !== null && a(Button, {
				look: "primary",
				icon: "send",
				"aria-describedby": id,
				onKeyDown: (event) => {
					if (event.repeat) event.preventDefault();
				},
				onClick: (event) => {
					if (event.detail < 2) send();
				},
				children: isAsked.value ? words.without : inbox().compose.send
			})]
		})
	] });
}
// src/areas/inbox/template/dialog.tsx
function TemplateDialog({ thread, onClose }) {
	const { data, problem, reload } = useLoad(thread.id, (signal) => sendable(thread.id, signal));
	const chosen = useSignal(void 0);
	const query = useSignal("");
	const all = data.value;
	const template = all?.find(({ id }) => id === chosen.value);
	const send = (it) => {
		const message = outgoing(it);
		if (message !== void 0) thread.write(message);
		onClose();
	};
	return a(Dialog, {
		title: templates().title,
		onClose,
		children: all === void 0 ? problem.value === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
			problem: problem.value,
			retry: reload
		}) : all.length === 0 ? a(None, {}) : template === void 0 ? a(Choose, {
			all,
			query,
			onChoose: ({ id }) => chosen.value = id
		}) : a(Preview, {
			template,
			onSend: () => send(template),
			onBack: () => chosen.value = void 0
		}, template.id)
	});
}
function None() {
	const words = templates();
	return a(Empty, {
		title: words.none,
		children: [a("p", { children: words.noneText }), a("p", { children: a("a", {
			href: "/docs/templates.md",
			target: "_blank",
			rel: "noopener",
			"data-leave": "",
			children: words.docs
		}) })]
	});
}
// src/areas/inbox/compose/draft.ts
var PAUSE = 1e3;
var nameOf = (conversation, kind) => kind === "reply" ? conversation : `${conversation}.${kind}`;
function unsaved(name) {
	const kept = writing("draft", name);
	if (kept === null) return void 0;
	try {
		const left = JSON.parse(kept);
		if (typeof left?.text === "string" && typeof left.based_on === "number") return left;
	} catch {}
	return {
		text: kept,
		based_on: 0
	};
}
var isEmpty = (draft) => draft.text === "" && draft.file === null;
var Draft = class {
	text;
	file;
	kept;
	other = y(void 0);
	#conversation;
	#kind;
	#base;
	#clean;
	#timer;
	#saving = false;
	#running = Promise.resolve();
	#newest = 0;
	#closed = false;
	#failed;
	#gone;
	#ends = [];
	constructor(conversation, kind) {
		this.#conversation = conversation;
		this.#kind = kind;
		const left = unsaved(nameOf(conversation, kind));
		this.text = y(left?.text ?? "");
		this.file = y(left?.file);
		this.kept = y(left !== void 0 && left.text !== "");
		this.#base = left?.based_on ?? 0;
		this.#clean = left === void 0;
		this.#ends.push(on("draft", (event) => {
			if (event.conversation_id === conversation && event.kind === kind) this.#hear(event.number);
		}), on("reset", () => void this.#read()), whenBack(() => this.#failed, () => void this.#read()));
		const leave = () => {
			if (document.hidden) this.#saveNow();
		};
		document.addEventListener("visibilitychange", leave);
		this.#ends.push(() => document.removeEventListener("visibilitychange", leave));
		this.#read();
	}
	close() {
		this.#saveNow();
		this.#closed = true;
		for (const end of this.#ends) end();
	}
	write(text) {
		this.text.value = text;
		this.#changed();
	}
	attach(upload) {
		this.file.value = upload;
		this.#changed();
	}
	take() {
		clearTimeout(this.#timer);
		this.#timer = void 0;
		this.#put("", void 0);
		this.#rest(this.#base, true);
		return this.#base === 0 ? void 0 : this.#base;
	}
	async settle() {
		await this.#running;
		clearTimeout(this.#timer);
		if (!this.#clean) await this.#save();
		return this.#clean && this.#base > 0 ? this.#base : void 0;
	}
	became(text, number) {
		if (this.text.peek() !== text) return;
		this.#put("", void 0);
		if (number !== void 0 && number === this.#base) this.#rest(number + 1, true);
		else this.#changed();
	}
	arrived(number) {
		if (number === this.#base) this.#rest(number + 1, this.#clean);
	}
	useOther() {
		const other = this.other.peek();
		if (other !== void 0) this.#show(other);
	}
	keepThis() {
		const other = this.other.peek();
		if (other === void 0) return;
		this.other.value = void 0;
		this.#rest(other.number, false);
		this.#saveNow();
	}
	#put(text, file) {
		this.text.value = text;
		this.file.value = file;
	}
	#rest(base, clean) {
		this.#base = base;
		this.#clean = clean;
		const [text, file] = [this.text.peek(), this.file.peek()];
		const left = {
			text,
			based_on: base,
			...file === void 0 ? {} : { file }
		};
		const isNothing = clean || base === 0 && text === "" && file === void 0;
		const isHere = keepWriting("draft", nameOf(this.#conversation, this.#kind), isNothing ? null : JSON.stringify(left));
		this.kept.value = text !== "" && (clean || isHere);
	}
	#show(stored) {
		this.other.value = void 0;
		this.#put(stored.text, stored.file ?? void 0);
		this.#rest(stored.number, true);
	}
	#changed() {
		this.#rest(this.#base, false);
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => void this.#save(), PAUSE);
	}
	#saveNow() {
		if (this.#clean) return;
		clearTimeout(this.#timer);
		this.#save();
	}
	get #address() {
		return `/inbox/v1/conversations/${this.#conversation}/drafts/${this.#kind}`;
	}
	#hear(number) {
		this.#newest = Math.max(this.#newest, number);
		if (this.#newest > this.#base && !this.#saving && !this.#closed) this.#read();
	}
	async #read() {
		try {
			const stored = await ask(this.#address);
			if (!this.#closed && !this.#saving) this.#compare(stored);
			this.#failed = void 0;
		} catch (failure) {
			this.#fail(failure);
		}
	}
	#compare(stored) {
		if (this.#kind === "reply" && outbox.peek().get(this.#conversation)?.some(({ what }) => what.draft === stored.number) === true) return this.#rest(stored.number, this.#clean);
		this.other.value = void 0;
		if (stored.text === this.text.peek() && stored.file?.id === this.file.peek()?.id) this.#rest(stored.number, true);
		else if (this.#clean) this.#show(stored);
		else if (stored.number === this.#base || isEmpty(stored)) {
			this.#rest(stored.number, false);
			this.#saveNow();
		} else this.other.value = stored;
	}
	#save() {
		this.#timer = void 0;
		if (!this.#saving && this.other.peek() === void 0) this.#running = this.#store();
		return this.#running;
	}
	async #store() {
		const [text, file] = [this.text.peek(), this.file.peek()];
		const media = file === void 0 || file.id === this.#gone ? {} : { media_id: file.id };
		this.#saving = true;
		try {
			const body = {
				based_on: this.#base,
				text,
				...media
			};
			const { number } = await ask(this.#address, {
				method: "PATCH",
				body
			});
			const isSame = text === this.text.peek() && file?.id === this.file.peek()?.id;
			this.#rest(number, isSame);
			this.#saving = false;
			this.#failed = void 0;
			this.#hear(number);
			if (!isSame && !this.#closed) this.#changed();
		} catch (failure) {
			this.#saving = false;
			const newer = failure instanceof Problem ? failure.parts.draft : void 0;
			if (newer === void 0 && this.#gone !== file?.id && asProblem(failure).about("media_id") !== void 0) {
				this.#gone = file?.id;
				this.#changed();
			} else if (newer === void 0) this.#fail(failure);
			else this.#compare(newer);
		}
	}
	#fail(failure) {
		if (failure instanceof Problem) this.#failed = failure;
		else if (!isAborted(failure)) throw failure;
	}
};
// src/areas/inbox/compose/kinds.tsx
function hasContent({ text, file }) {
	return text.value !== "" || file.value !== void 0;
}
function Kinds({ kind, drafts }) {
	const words = team();
	const choice = (of, name) => a("label", { children: [
		a("input", {
			type: "radio",
			name: "kind-of-text",
			checked: kind.value === of,
			onChange: () => kind.value = of
		}),
		name,
		kind.value !== of && hasContent(drafts[of]) && a("span", {
			class: "soft",
			children: [" · ", words.hasDraft]
		})
	] });
	return a("fieldset", {
		class: "kinds",
		onKeyDown: (event) => {
			if (event.code.startsWith("Arrow")) event.stopPropagation();
		},
		children: [
			a("legend", {
				class: "unseen",
				children: words.kinds
			}),
			choice("reply", words.reply),
			choice("note", words.note.kind)
		]
	});
}
// src/areas/inbox/thread/lock.tsx
function Lock() {
	return a("svg", {
		class: "icon",
		viewBox: "0 0 24 24",
		width: "16",
		height: "16",
		"aria-hidden": "true",
		focusable: "false",
		children: a("path", { d: "M6 11h12v9H6zM8.5 11V7.5a3.5 3.5 0 0 1 7 0V11M12 14.5v2" })
	});
}
// src/areas/inbox/compose/mentions.ts
var PAGES = 4;
var MOST = 20;
var FEW = 6;
var folded = (text) => text.normalize("NFC").toLocaleLowerCase();
var isLetter = (text) => text !== void 0 && /[\p{L}\p{N}_]/u.test(text);
function begun(text, at) {
	const found = /(?:^|[^\p{L}\p{N}_])@([^@\n]{0,40})$/u.exec(text.slice(0, at));
	return found?.[1] === void 0 ? void 0 : {
		from: at - found[1].length - 1,
		prefix: found[1]
	};
}
function mentionedIn(text, users) {
	const said = folded(text);
	const names = [...new Set(users.map((user) => folded(user.name)))].sort((one, other) => other.length - one.length);
	const found = new Set();
	for (let at = said.indexOf("@"); at >= 0; at = said.indexOf("@", at + 1)) {
		if (isLetter(said[at - 1])) continue;
		const name = names.find((it) => said.startsWith(it, at + 1) && !isLetter(said[at + 1 + it.length]));
		if (name !== void 0) found.add(name);
	}
	return users.filter((user) => found.has(folded(user.name)));
}
var Mentions = class {
	users = y(void 0);
	#address;
	#reading;
	constructor(conversation) {
		this.#address = `/inbox/v1/conversations/${conversation}/mentionable-users`;
	}
	async need(text) {
		if (!text.includes("@") || this.users.peek() !== void 0) return;
		this.#reading ??= this.#read().finally(() => this.#reading = void 0);
		await this.#reading;
	}
	forget() {
		this.users.value = void 0;
	}
	of(text) {
		return mentionedIn(text, this.users.value ?? []).slice(0, MOST);
	}
	suggest(prefix) {
		const wanted = folded(prefix);
		const fits = ({ name }) => folded(name).startsWith(wanted) || folded(name).split(/\s+/).some((word) => word.startsWith(wanted));
		return (this.users.value ?? []).filter(fits).slice(0, FEW);
	}
	async #read() {
		const all = [];
		let cursor;
		for (let page = 0; page < PAGES; page += 1) {
			const answer = await ask(this.#address, { query: {
				limit: 250,
				cursor
			} });
			all.push(...answer.users);
			if (answer.next === null) break;
			cursor = answer.next;
		}
		this.users.value = all;
	}
};
// src/areas/inbox/compose/note-area.tsx
function NoteArea({ area, text, mentions, onText, onSave, onLeave, ...rest }) {
	const words = team().mention;
	const id = P();
	const caret = useSignal(void 0);
	const active = useSignal(0);
	A(() => {
		mentions.need(text).catch((failure) => {
			if (!(failure instanceof Problem)) throw failure;
		});
	}, [
		text,
		mentions,
		mentions.users.value
	]);
	const name = caret.value === void 0 ? void 0 : begun(text, caret.value);
	const suggested = name === void 0 ? [] : mentions.suggest(name.prefix);
	const at = Math.min(active.value, suggested.length - 1);
	const close = () => {
		caret.value = void 0;
	};
	const choose = (place) => {
		const [shown, user] = [area.current, suggested[place]];
		if (shown === null || user === void 0 || name === void 0) return;
		shown.focus();
		shown.setSelectionRange(name.from, name.from + name.prefix.length + 1);
		if (!document.execCommand("insertText", false, `@${user.name} `)) shown.setRangeText(`@${user.name} `, name.from, name.from + name.prefix.length + 1, "end");
		onText(shown.value);
		close();
	};
	const handled = (event) => {
		if (suggested.length === 0 || event.isComposing || event.ctrlKey || event.metaKey) return false;
		if (event.code === "ArrowDown" || event.code === "ArrowUp") active.value = (at + (event.code === "ArrowDown" ? 1 : suggested.length - 1)) % suggested.length;
		else if (event.code === "Enter" || event.code === "Tab" && !event.shiftKey) choose(at);
		else if (event.code === "Escape") close();
		else return false;
		return true;
	};
	const all = mentions.of(text);
	const strangers = all.filter((user) => !user.may_view);
	const list = (users) => users.map((user) => user.name).join(", ");
	return a($, { children: [a("div", {
		class: "note-area",
		children: [a("textarea", {
			...rest,
			ref: area,
			dir: "auto",
			rows: Math.min(8, Math.max(2, text.split("\n").length)),
			value: text,
			"aria-autocomplete": "list",
			"aria-controls": suggested.length > 0 ? `${id}list` : void 0,
			"aria-activedescendant": suggested.length > 0 ? `${id}${at}` : void 0,
			onInput: (event) => {
				onText(event.currentTarget.value);
				caret.value = event.currentTarget.selectionStart;
				active.value = 0;
			},
			onSelect: (event) => {
				if (caret.peek() !== void 0) caret.value = event.currentTarget.selectionStart;
			},
			onBlur: close,
			onKeyDown: (event) => {
				if (handled(event)) {
					event.preventDefault();
					event.stopPropagation();
				} else if (event.code === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
					event.preventDefault();
					onSave();
				} else if (event.code === "Escape") {
					event.preventDefault();
					onLeave(event.currentTarget);
				}
			}
		}), suggested.length > 0 && a("ul", {
			class: "suggested",
			role: "listbox",
			id: `${id}list`,
			"aria-label": words.suggested,
			children: suggested.map((user, place) => a("li", {
				id: `${id}${place}`,
				role: "option",
				"aria-selected": place === at,
				onMouseDown: (event) => event.preventDefault(),
				onClick: () => choose(place),
				children: [a("bdi", { children: user.name }), !user.may_view && a("span", {
					class: "soft",
					children: [" · ", words.cannotView]
				})]
			}, user.id))
		})]
	}), a("p", {
		class: "soft mentioned",
		role: "status",
		children: [
			all.length > 0 && words.mentions(list(all)),
			" ",
			strangers.length > 0 && a("strong", { children: words.strangers(list(strangers)) })
		]
	})] });
}
// src/areas/inbox/compose/other-version.tsx
function OtherVersion({ draft }) {
	const words = team();
	const other = draft.other.value;
	if (other === void 0) return null;
	const text = other.text === "" ? other.file?.file_name ?? "" : other.text;
	const title = a("strong", { children: words.otherVersion(exactClock(other.updated_at ?? 0)) });
	return a(Notice, {
		name: "other-version",
		title,
		quotes: [{ text }],
		children: [a(Button, {
			onClick: () => draft.useOther(),
			children: words.useOther
		}), a(Button, {
			look: "quiet",
			onClick: () => draft.keepThis(),
			children: words.keepThis
		})]
	});
}
// src/areas/inbox/compose/note.tsx
function NoteComposer({ notes, draft, area }) {
	const words = team().note;
	const id = P();
	const mentions = w(() => new Mentions(notes.conversation), [notes]);
	const busy = useSignal(false);
	const problem = useSignal(void 0);
	const attempt = T({
		text: "",
		key: ""
	});
	const save = async () => {
		const text = draft.text.peek();
		const said = text.trim();
		if (busy.peek() || said === "") return;
		busy.value = true;
		problem.value = void 0;
		if (attempt.current.text !== said) attempt.current = {
			text: said,
			key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
		};
		try {
			if (!await isReady(mentions, said)) {
				busy.value = false;
				return;
			}
			const number = await draft.settle();
			if (draft.other.peek() === void 0) {
				const users = mentions.of(said).map((user) => user.id);
				await notes.create(said, users, attempt.current.key, number);
				mentions.forget();
				attempt.current = {
					text: "",
					key: ""
				};
				draft.became(text, number);
			}
		} catch (failure) {
			problem.value = asProblem(failure);
			if (problem.value.status >= 400 && problem.value.status < 500) attempt.current = {
				text: "",
				key: ""
			};
		}
		busy.value = false;
	};
	return a("form", {
		class: "composer note-form",
		onSubmit: (event) => {
			event.preventDefault();
			save();
			area.current?.focus();
		},
		onDragOver: (event) => {
			if (event.dataTransfer?.types.includes("Files") !== true) return;
			event.preventDefault();
			event.dataTransfer.dropEffect = "none";
		},
		children: [
			draft.other.value !== void 0 && a(OtherVersion, { draft }),
			problem.value !== void 0 && a($, { children: [a("p", { children: words.failed }), a(ProblemNote, { problem: problem.value })] }),
			a("label", {
				for: id,
				children: [
					a(Lock, {}),
					" ",
					words.label
				]
			}),
			a(NoteArea, {
				id,
				area,
				text: draft.text.value,
				mentions,
				placeholder: words.placeholder,
				readOnly: busy.value,
				onText: (text) => draft.write(text),
				onSave: () => void save(),
				onLeave: (shown) => shown.blur()
			}),
			a("div", {
				class: "below",
				children: [a("span", {
					class: "soft hint",
					children: [draft.kept.value && inbox().compose.draft, a("span", {
						class: "with-keys",
						children: [draft.kept.value && " · ", words.hint]
					})]
				}), a(Button, {
					type: "submit",
					look: "primary",
					icon: "check",
					busy: busy.value,
					children: words.save
				})]
			})
		]
	});
}
async function isReady(mentions, text) {
	const wasShown = !text.includes("@") || mentions.users.peek() !== void 0;
	await mentions.need(text);
	return wasShown || mentions.of(text).every((user) => user.may_view);
}
// src/areas/inbox/canned/suggestions.tsx
var BEGINNING = 300;
function WithSuggestions({ conversation, area, text, onChoose, onManage, children }) {
	const id = P();
	const slash = useSignal(void 0);
	const left = T(void 0);
	const at = useSignal(0);
	const shown = useSignal(void 0);
	const isInserting = T(false);
	const close = () => {
		left.current = slash.peek()?.at;
		slash.value = void 0;
	};
	const look = () => {
		const field = area.current;
		if (field === null || isInserting.current) return;
		const found = field.selectionStart === field.selectionEnd ? slashBefore(field.value, field.selectionStart) : void 0;
		if (found?.at !== left.current) left.current = void 0;
		at.value = 0;
		slash.value = left.current === void 0 ? found : void 0;
	};
	F(() => {
		const from = slash.peek();
		if (from !== void 0 && text.value[from.at] !== "/") slash.value = void 0;
	}, [text.value]);
	const [open, replies] = [slash.value, shown.value];
	const found = open === void 0 || replies === void 0 ? [] : matching$1(replies, open.words);
	const isOpen = open !== void 0 && !(replies !== void 0 && found.length === 0 && open.words.includes(" "));
	const place = Math.min(at.value, found.length - 1);
	const marked = found[place];
	const nameOf = (reply) => `${id}-${reply.id}`;
	const choose = (reply) => {
		const [field, from] = [area.current, slash.peek()];
		if (field === null || from === void 0 || reply.text === null) return;
		isInserting.current = true;
		insert(field, from.at, from.at + 1 + from.words.length, reply.text);
		isInserting.current = false;
		slash.value = void 0;
		onChoose(reply);
	};
	const onKeyDown = (event) => {
		if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
		const next = {
			ArrowDown: place + 1,
			ArrowUp: place - 1
		}[event.code];
		if (event.code === "Escape") close();
		else if (next !== void 0 && found.length > 0) at.value = (next + found.length) % found.length;
		else if (event.code === "Enter" && !event.shiftKey && (marked !== void 0 || replies === void 0)) {
			if (marked !== void 0 && !event.repeat) choose(marked);
		} else return false;
		event.preventDefault();
		return true;
	};
	const combobox = isOpen ? {
		role: "combobox",
		"aria-expanded": true,
		"aria-autocomplete": "list",
		"aria-haspopup": "listbox",
		"aria-controls": `${id}-list`,
		"aria-activedescendant": marked === void 0 ? void 0 : nameOf(marked)
	} : {};
	const says = !isOpen ? "" : replies === void 0 ? canned$1().loading : canned$1().found(found.length);
	return a("div", {
		class: "canned-area",
		onFocusOut: (event) => {
			if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) slash.value = void 0;
		},
		onKeyDown: (event) => {
			if (!isOpen || event.code !== "Escape" || event.target === area.current) return;
			event.preventDefault();
			area.current?.focus();
			close();
		},
		children: [
			children(combobox, {
				onInput: look,
				onKeyDown
			}),
			a("p", {
				class: "unseen",
				role: "status",
				children: says
			}),
			isOpen && a(Suggestions, {
				id,
				conversation,
				found,
				marked,
				nameOf,
				onLoaded: (loaded) => shown.value = loaded,
				onChoose: choose,
				onRetry: () => area.current?.focus(),
				onManage: () => {
					area.current?.focus();
					close();
					onManage();
				}
			})
		]
	});
}
function Suggestions({ id, conversation, found, marked, nameOf, onLoaded, onChoose, onRetry, onManage }) {
	const { data, problem, reload } = useLoad(conversation, (signal) => cannedFor(conversation, signal));
	const list = T(null);
	F(() => {
		onLoaded(data.value);
	}, [data.value]);
	F(() => {
		list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
	}, [marked?.id]);
	const groups = [{
		label: canned$1().mine,
		replies: found.filter((it) => !it.is_shared)
	}, {
		label: canned$1().shared,
		replies: found.filter((it) => it.is_shared)
	}].filter(({ replies }) => replies.length > 0);
	const isEmpty = data.value !== void 0 && found.length === 0;
	return a("div", {
		class: "canned-suggestions",
		onMouseDown: (event) => {
			if (event.target instanceof Element && event.target.closest("button") === null) event.preventDefault();
		},
		children: [
			a("div", {
				class: "canned-list",
				id: `${id}-list`,
				ref: list,
				role: "listbox",
				"aria-label": canned$1().title,
				children: groups.map(({ label, replies }) => a("div", {
					role: "group",
					"aria-label": label,
					children: [a("span", {
						class: "canned-group",
						"aria-hidden": "true",
						children: label
					}), replies.map((reply) => a("div", {
						id: nameOf(reply),
						class: "canned-option",
						role: "option",
						"aria-selected": reply === marked,
						"aria-disabled": reply.text === null || void 0,
						onClick: () => onChoose(reply),
						children: [
							a("strong", {
								dir: "auto",
								children: reply.name
							}),
							reply.file !== null && a("span", {
								class: "soft",
								children: [
									a(Icon, { name: reply.file.type === "picture" ? "picture" : "file" }),
									" ",
									a("bdi", { children: reply.file.file_name })
								]
							}),
							a("span", {
								class: "soft canned-beginning",
								dir: "auto",
								children: reply.text === null ? canned$1().tooLong : reply.text.slice(0, BEGINNING)
							})
						]
					}, reply.id))]
				}, label))
			}),
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: () => {
					onRetry();
					reload();
				}
			}),
			data.value === void 0 && problem.value === void 0 && a("p", {
				class: "soft",
				children: canned$1().loading
			}),
			isEmpty && a("p", {
				class: "soft",
				children: data.value?.length === 0 ? canned$1().none : canned$1().found(0)
			}),
			a("p", { children: a(Button, {
				look: "quiet",
				icon: "edit",
				onClick: onManage,
				children: canned$1().manage
			}) })
		]
	});
}
// src/areas/inbox/compose/window.tsx
var LONGEST = 2147483647;
function useIsClosed(thread) {
	const now = useSignal(Date.now());
	const closesAt = thread.conversation.value?.window_closes_at ?? null;
	A(() => {
		now.value = Date.now();
		const wait = (closesAt ?? 0) * 1e3 - Date.now();
		if (wait <= 0) return void 0;
		const timer = setTimeout(() => now.value = Date.now(), Math.min(wait, LONGEST));
		return () => clearTimeout(timer);
	}, [closesAt, now.value]);
	return useComputed(() => {
		const closes = thread.conversation.value?.window_closes_at ?? null;
		if (closes === null) return false;
		return closes * 1e3 <= now.value || thread.pending.value.some(({ problem }) => problem?.parts.window_closed_at === closes);
	});
}
function WindowNote({ thread, isClosed }) {
	const closesAt = thread.conversation.value?.window_closes_at ?? null;
	if (closesAt === null) return null;
	const words = templates().window;
	return a("p", {
		class: isClosed ? void 0 : "soft",
		role: "status",
		children: !isClosed ? words.open(exactTime(closesAt)) : closesAt === 0 ? words.never : words.closed(exactTime(closesAt))
	});
}
// src/areas/inbox/compose/reply.tsx
function ReplyComposer({ thread, draft, area, onTemplates, onManage, onLater }) {
	const words = inbox().compose;
	const picker = T(null);
	const { text, file } = draft;
	const uploading = useSignal(false);
	const problem = useSignal(void 0);
	const isClosed = useIsClosed(thread).value;
	const tooLarge$1 = useSignal(void 0);
	const asked = useSignal(void 0);
	const leftOut = useSignal(void 0);
	const gaps = gapsIn(text.value);
	const isAsked = gaps.length > 0 && asked.value === text.value;
	A(() => {
		tooLarge$1.value = void 0;
		leftOut.value = void 0;
		problem.value = void 0;
	}, [draft]);
	const isEmpty = uploading.value || text.value.trim() === "" && file.value === void 0;
	const write = (value) => {
		draft.write(value);
		if (value !== "") thread.typing();
	};
	const send = () => {
		const said = text.value.trim();
		if (isClosed || uploading.value || said === "" && file.value === void 0) return;
		const [gap] = gapsIn(said);
		if (gap !== void 0 && asked.peek() !== text.value) {
			asked.value = text.value;
			const begin = text.value.indexOf(gap);
			area.current?.focus();
			area.current?.setSelectionRange(begin, begin + gap.length);
			return;
		}
		leftOut.value = void 0;
		const what = file.value;
		const number = draft.take();
		const version = number === void 0 ? {} : { draft: number };
		const caption = said === "" ? {} : { text: said };
		const outgoing = what === void 0 ? {
			type: "text",
			text: said,
			...version
		} : {
			type: what.type,
			media_id: what.id,
			name: what.file_name,
			...caption,
			...version
		};
		thread.write(outgoing).then((isSent) => isSent && draft.arrived(number));
		area.current?.focus();
	};
	const attach = async (chosen) => {
		tooLarge$1.value = tooLarge(chosen);
		if (tooLarge$1.value !== void 0) return;
		uploading.value = true;
		problem.value = void 0;
		try {
			draft.attach(await upload(chosen));
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		uploading.value = false;
		area.current?.focus();
	};
	const chose = ({ file: own }) => {
		const isFree = file.peek() === void 0 && !uploading.peek();
		leftOut.value = own !== null && !isFree ? own.file_name : void 0;
		if (own !== null && isFree) draft.attach(own);
	};
	return a("form", {
		class: "composer reply-form",
		onSubmit: (event) => {
			event.preventDefault();
			send();
		},
		onDragOver: (event) => event.preventDefault(),
		onDrop: (event) => {
			event.preventDefault();
			const dropped = event.dataTransfer?.files[0];
			if (dropped !== void 0 && !isClosed) attach(dropped);
		},
		children: [
			a(BlockedNote, { conversation: thread.conversation.value }),
			a(WindowNote, {
				thread,
				isClosed
			}),
			draft.other.value !== void 0 && a(OtherVersion, { draft }),
			problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
			tooLarge$1.value !== void 0 && a("p", {
				class: "too-large",
				role: "alert",
				children: [
					a(Icon, { name: "warning" }),
					" ",
					tooLarge$1.value
				]
			}),
			(file.value !== void 0 || uploading.value) && a("p", {
				class: "attached",
				role: "status",
				children: [
					a(Icon, { name: file.value?.type === "picture" ? "picture" : "file" }),
					uploading.value ? words.uploading : `${file.value?.file_name ?? ""} · ${bytes(file.value?.file_size ?? 0)}`,
					file.value !== void 0 && a(Button, {
						look: "quiet",
						icon: "close",
						label: words.remove,
						onClick: () => draft.attach(void 0)
					})
				]
			}),
			a(WithSuggestions, {
				conversation: thread.id,
				area,
				text,
				onChoose: chose,
				onManage,
				children: (combobox, hear) => a("textarea", {
					ref: area,
					...combobox,
					dir: "auto",
					rows: Math.min(8, Math.max(2, text.value.split("\n").length)),
					"aria-label": words.label,
					placeholder: isClosed ? templates().window.placeholder : words.placeholder,
					readOnly: isClosed,
					value: text.value,
					onInput: (event) => {
						write(event.currentTarget.value);
						hear.onInput();
					},
					onKeyDown: (event) => {
						if (hear.onKeyDown(event)) return;
						if (event.code === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
							event.preventDefault();
							if (!event.repeat) send();
						} else if (event.code === "Escape") {
							event.preventDefault();
							event.currentTarget.blur();
						}
					},
					onPaste: (event) => {
						const pasted = event.clipboardData?.files[0];
						if (pasted === void 0 || isClosed) return;
						event.preventDefault();
						attach(pasted);
					}
				})
			}),
			a("p", {
				class: gaps.length > 0 || leftOut.value !== void 0 ? "canned-gaps" : "unseen",
				role: "status",
				children: [
					gaps.length > 0 && a($, { children: [canned$1().noValue(gaps.join(", ")), " "] }),
					isAsked && a($, { children: [canned$1().ask, " "] }),
					leftOut.value !== void 0 && canned$1().leftOut(leftOut.value)
				]
			}),
			a("div", {
				class: "below",
				children: [
					a("input", {
						ref: picker,
						type: "file",
						hidden: true,
						onChange: (event) => {
							const chosen = event.currentTarget.files?.[0];
							if (chosen !== void 0) attach(chosen);
							event.currentTarget.value = "";
						}
					}),
					!isClosed && a(Button, {
						look: "quiet",
						icon: "attach",
						label: words.attach,
						onClick: () => picker.current?.click()
					}),
					a(Button, {
						look: isClosed ? "primary" : "quiet",
						onClick: onTemplates,
						children: templates().open
					}),
					!isAsked && a("span", {
						class: "soft hint",
						children: [draft.kept.value && words.draft, a("span", {
							class: "with-keys",
							children: [draft.kept.value && !isClosed && " · ", !isClosed && words.hint]
						})]
					}),
					!isClosed && a(Button, {
						look: "quiet",
						icon: "clock",
						label: team().scheduled.later,
						"aria-haspopup": "dialog",
						"aria-disabled": isEmpty || void 0,
						onClick: () => {
							if (isEmpty) area.current?.focus();
							else onLater();
						}
					}),
					!isClosed && a(Button, {
						type: "submit",
						look: "primary",
						icon: "send",
						onClick: (event) => {
							if (event.detail > 1 && gaps.length > 0) event.preventDefault();
						},
						children: isAsked ? canned$1().asItIs : words.send
					})
				]
			})
		]
	});
}
// src/areas/inbox/compose/scheduled.ts
function mayChange({ user }) {
	return user.id === me.value?.user.id || isAdministrator.value;
}
function messageOf({ number, content }) {
	if (content === null) return void 0;
	const { type, text, file, template_id: template } = content;
	const scheduled = {
		scheduled_reply: number,
		...content.reply_to === null ? {} : { reply_to: content.reply_to }
	};
	if (template !== null) return {
		type: "template",
		template_id: template,
		text,
		buttons: [],
		...file === null ? {} : { name: file.name },
		...scheduled
	};
	if (type === "text" || file === null) return {
		type: "text",
		text,
		...scheduled
	};
	const media = /\/media\/([0-9a-f-]{16,})\//.exec(file.url)?.[1];
	return media === void 0 ? void 0 : {
		type,
		media_id: media,
		name: file.name,
		...text === "" ? {} : { text },
		...scheduled
	};
}
var ScheduledReplies = class {
	all = y([]);
	problem = y(void 0);
	held = y(void 0);
	#address;
	#meanwhile = new Meanwhile();
	#ends = [];
	#closed = new AbortController();
	constructor(conversation) {
		this.#address = `/inbox/v1/conversations/${conversation}/scheduled-replies`;
		this.#ends.push(on("scheduled_reply", (event) => {
			if (event.conversation_id !== conversation) return;
			if (event.change === "held") this.held.value = event.scheduled_reply;
			this.#apply(event.scheduled_reply);
		}), on("reset", () => void this.open()), on("ready", () => void this.open()), whenBack(() => this.problem.peek(), () => void this.open()));
		this.open();
	}
	close() {
		this.#closed.abort();
		for (const end of this.#ends) end();
	}
	async open() {
		try {
			const question = ask(this.#address, { signal: this.#closed.signal });
			await this.#meanwhile.during(question, (answer, since) => {
				this.all.value = since(answer.scheduled_replies);
			});
			this.problem.value = void 0;
		} catch (failure) {
			if (!isAborted(failure)) this.problem.value = asProblem(failure);
		}
	}
	create(body, key) {
		return this.#store(ask(this.#address, {
			method: "POST",
			body,
			headers: { "Idempotency-Key": key }
		}));
	}
	async update({ number, version }, change) {
		const body = {
			based_on: version,
			...change
		};
		try {
			await this.#store(ask(`${this.#address}/${number}`, {
				method: "PATCH",
				body
			}));
		} catch (failure) {
			const newer = failure instanceof Problem ? failure.parts.scheduled_reply : void 0;
			if (newer !== void 0) this.#apply(newer);
			throw failure;
		}
	}
	async delete(reply) {
		try {
			await ask(`${this.#address}/${reply.number}`, { method: "DELETE" });
			this.#apply({
				...reply,
				version: reply.version + 1,
				status: "cancelled"
			});
		} catch (failure) {
			this.open();
			throw failure;
		}
	}
	async #store(question) {
		await this.#meanwhile.during(question, (reply, since) => {
			this.all.value = since(placed(this.all.peek(), reply));
		});
	}
	#apply(reply) {
		const change = (known) => placed(known, reply);
		this.all.value = change(this.all.peek());
		this.#meanwhile.note(change);
	}
};
function placed(known, reply) {
	const there = known.find(({ number }) => number === reply.number);
	if (there !== void 0 && there.version > reply.version) return known;
	const others = known.filter(({ number }) => number !== reply.number);
	if (reply.status === "sent" || reply.status === "cancelled") return others;
	return [...others, reply].sort((a, b) => a.number - b.number);
}
// src/areas/inbox/compose/scheduled-list.tsx
function ScheduledList({ thread, scheduled, onEmpty }) {
	const words = team().scheduled;
	const region = T(null);
	const focus = () => {
		if (region.current === null) onEmpty();
		else region.current.focus();
	};
	const [all, held, problem] = [
		scheduled.all.value,
		scheduled.held.value,
		scheduled.problem.value
	];
	return a($, { children: [
		problem !== void 0 && a(ProblemNote, {
			problem,
			retry: () => void scheduled.open()
		}),
		all.length > 0 && a("section", {
			class: "scheduled",
			"aria-label": words.list,
			ref: region,
			tabIndex: -1,
			children: a("ul", { children: all.map((reply) => a(ScheduledItem, {
				reply,
				thread,
				scheduled,
				onGone: focus
			}, reply.number)) })
		}),
		a("p", {
			class: "unseen",
			role: "status",
			children: held?.held == null ? "" : `${words.held} ${words.reasons[held.held.code]}`
		})
	] });
}
function ScheduledItem({ reply, thread, scheduled, onGone }) {
	const words = team().scheduled;
	const item = T(null);
	const editing = useSignal(false);
	const cancelling = useSignal(false);
	const { content, held } = reply;
	const message = messageOf(reply);
	const text = [content?.file?.name, content?.text].filter(Boolean).join(" · ");
	const takesFocus = T(false);
	A(() => () => {
		if (takesFocus.current) queueMicrotask(onGone);
	}, []);
	const leave = async () => {
		takesFocus.current = true;
		try {
			await scheduled.delete(reply);
			cancelling.value = false;
		} catch (failure) {
			takesFocus.current = false;
			throw failure;
		}
	};
	return a("li", {
		ref: item,
		class: held === null ? "scheduled-reply" : "scheduled-reply held",
		"data-scheduled": reply.number,
		children: [
			a("p", {
				class: "when",
				children: [a(Badge, {
					icon: held === null ? "clock" : "warning",
					children: a("span", { children: held === null ? a("time", {
						dateTime: new Date(reply.send_at * 1e3).toISOString(),
						children: words.at(exactTime(reply.send_at))
					}) : words.held })
				}), a("bdi", {
					class: "soft",
					children: authorOf(reply.user)
				})]
			}),
			a("p", {
				class: "text",
				dir: "auto",
				children: text
			}),
			a("p", {
				class: "soft",
				children: [held === null ? reply.unless_customer_wrote ? words.unless : words.inAnyCase : words.reasons[held.code], content?.template_id != null && a($, { children: [" ", words.template] })]
			}),
			mayChange(reply) && a("p", {
				class: "ways",
				children: [
					held !== null && message !== void 0 && a(Button, {
						icon: "send",
						"aria-label": words.sendNowLabel(text),
						onClick: () => void thread.write(message),
						children: words.sendNow
					}),
					a(Button, {
						look: "quiet",
						"aria-haspopup": "dialog",
						"aria-label": words.editLabel(text),
						onClick: () => editing.value = true,
						children: words.edit
					}),
					a(Button, {
						look: "quiet",
						"aria-haspopup": "dialog",
						"aria-label": held === null ? words.cancelLabel(text) : words.discardLabel(text),
						onClick: () => cancelling.value = true,
						children: held === null ? words.cancel : words.discard
					})
				]
			}),
			editing.value && a(EditDialog, {
				reply,
				thread,
				scheduled,
				onClose: () => editing.value = false
			}),
			cancelling.value && a(Confirm, {
				title: words.confirm.title,
				text: words.confirm.text,
				action: words.confirm.action,
				icon: "trash",
				onConfirm: leave,
				onClose: () => cancelling.value = false
			})
		]
	});
}
function EditDialog({ reply, thread, scheduled, onClose }) {
	const words = team().scheduled;
	const { busy, problem, run } = useWork();
	const unless = useSignal(reply.unless_customer_wrote);
	const text = useSignal(reply.content?.text ?? "");
	const time = inputValue(new Date(reply.send_at * 1e3));
	const at = useSignal(time);
	const hasText = reply.content?.template_id == null;
	const needsText = reply.content?.type === "text";
	const save = () => run(async () => {
		const isOther = at.value !== time || reply.held !== null;
		await scheduled.update(reply, {
			...hasText && text.value !== reply.content?.text ? { text: text.value.trim() } : {},
			...isOther ? { send_at: Math.floor(new Date(at.value).getTime() / 1e3) } : {},
			unless_customer_wrote: unless.value,
			seen: thread.seen
		});
		onClose();
	});
	return a(Dialog, {
		title: words.editTitle,
		onClose,
		children: a("form", {
			class: "stacked",
			onSubmit: (event) => {
				event.preventDefault();
				save();
			},
			children: [
				hasText && a(Field, {
					label: words.text,
					children: (input) => a("textarea", {
						...input,
						dir: "auto",
						rows: Math.min(8, Math.max(2, text.value.split("\n").length)),
						required: needsText,
						value: text.value,
						onInput: (event) => text.value = event.currentTarget.value
					})
				}),
				a(Field, {
					label: words.other,
					children: (input) => a("input", {
						...input,
						type: "datetime-local",
						required: true,
						value: at.value,
						onInput: (event) => at.value = event.currentTarget.value
					})
				}),
				a("label", {
					class: "snooze-wakes",
					children: [a("input", {
						type: "checkbox",
						checked: unless.value,
						onChange: (event) => unless.value = event.currentTarget.checked
					}), words.wakes]
				}),
				problem !== void 0 && a(ProblemNote, { problem }),
				a("div", {
					class: "actions",
					children: a(Button, {
						type: "submit",
						look: "primary",
						icon: "check",
						busy,
						children: words.save
					})
				})
			]
		})
	});
}
// src/areas/inbox/compose/send-later.tsx
function SendLaterDialog({ thread, draft, scheduled, onClose }) {
	const words = team().scheduled;
	const { busy, problem, run } = useWork();
	const attempt = T({
		body: "",
		key: ""
	});
	const schedule = (send_at, unless_customer_wrote) => run(async () => {
		const [text, file] = [draft.text.peek(), draft.file.peek()];
		const said = text.trim();
		const number = await draft.settle();
		if (draft.other.peek() !== void 0) return onClose();
		const body = {
			...file === void 0 ? {
				type: "text",
				text: said
			} : {
				type: file.type,
				media_id: file.id,
				text: said || void 0
			},
			send_at,
			unless_customer_wrote,
			seen: thread.seen,
			draft: number
		};
		const written = JSON.stringify(body);
		if (attempt.current.body !== written) attempt.current = {
			body: written,
			key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`
		};
		try {
			await scheduled.create(body, attempt.current.key);
		} catch (failure) {
			const { status } = asProblem(failure);
			if (status >= 400 && status < 500) attempt.current = {
				body: "",
				key: ""
			};
			throw failure;
		}
		draft.became(text, number);
		onClose();
	});
	return a(Dialog, {
		title: words.title,
		onClose,
		children: [a(SnoozeForm, {
			busy,
			words,
			onChoose: (sendAt, unless) => void schedule(sendAt, unless)
		}), problem !== void 0 && a(ProblemNote, { problem })]
	});
}
// src/areas/inbox/compose/composer.tsx
function Composer({ thread, notes }) {
	const kind = useSignal("reply");
	const drafts = w(() => ({
		reply: new Draft(thread.id, "reply"),
		note: new Draft(thread.id, "note")
	}), [thread]);
	const areas = {
		reply: T(null),
		note: T(null)
	};
	const takesFocus = T(false);
	const isChoosing = useSignal(false);
	const isManaging = useSignal(false);
	const isScheduling = useSignal(false);
	const scheduled = w(() => new ScheduledReplies(thread.id), [thread]);
	A(() => () => scheduled.close(), [scheduled]);
	A(() => () => {
		for (const draft of Object.values(drafts)) draft.close();
	}, [drafts]);
	const write = (wanted) => {
		takesFocus.current = kind.peek() !== wanted;
		kind.value = wanted;
		areas[wanted].current?.focus();
	};
	F(() => {
		if (takesFocus.current) areas[kind.value].current?.focus();
		takesFocus.current = false;
	}, [kind.value]);
	const [onReply, onNote] = [inbox().compose.focus, team().note.focus];
	useShortcuts([
		{
			keys: "KeyR",
			says: onReply,
			run: () => write("reply")
		},
		{
			keys: "Enter",
			says: onReply,
			run: () => write("reply")
		},
		{
			keys: "KeyT",
			says: onNote,
			run: () => write("note")
		}
	]);
	return a("div", {
		class: kind.value === "note" ? "compose for-team" : "compose",
		children: [
			a(ScheduledList, {
				thread,
				scheduled,
				onEmpty: () => areas[kind.peek()].current?.focus()
			}),
			a(Kinds, {
				kind,
				drafts
			}),
			a("div", {
				hidden: kind.value !== "reply",
				children: a(ReplyComposer, {
					thread,
					draft: drafts.reply,
					area: areas.reply,
					onTemplates: () => isChoosing.value = true,
					onManage: () => isManaging.value = true,
					onLater: () => isScheduling.value = true
				})
			}),
			a("div", {
				hidden: kind.value !== "note",
				children: a(NoteComposer, {
					notes,
					draft: drafts.note,
					area: areas.note
				})
			}),
			isChoosing.value && a(TemplateDialog, {
				thread,
				onClose: () => isChoosing.value = false
			}),
			isManaging.value && a(CannedDialog, { onClose: () => isManaging.value = false }),
			isScheduling.value && a(SendLaterDialog, {
				thread,
				draft: drafts.reply,
				scheduled,
				onClose: () => isScheduling.value = false
			})
		]
	});
}
// src/areas/inbox/thread/state.tsx
var CODES = [
	901,
	902,
	903,
	904,
	905
];
function isWaiting({ callback, delivery }) {
	if (delivery?.status !== "queued" || callback === void 0) return false;
	const { state, reason_code: reason } = callback;
	return state === "waiting" || state === "held" || state === "queued" && reason === "behind_earlier";
}
function stateOf(message) {
	const words = inbox().state;
	const { delivery, callback } = message;
	if (delivery === void 0) return void 0;
	const state = (tone, icon, word, more = "", isLost = false) => ({
		tone,
		icon,
		word,
		more,
		isLost,
		isWaiting: isWaiting(message)
	});
	if (delivery.status === "error") {
		const code = CODES.find((known) => known === delivery.error_code);
		const said = delivery.error ?? "";
		const more = [code === void 0 || code === 905 && said !== "" ? "" : words[code], said && words.said(said)].filter(Boolean).join(" · ");
		return state("bad", "warning", words.error(delivery.error_code ?? 0), more, true);
	}
	if (delivery.status === "read") return state("info", "checks", words.read);
	if (delivery.status === "delivered") return state("good", "checks", words.delivered);
	const reason = callback === void 0 ? "" : reasonOf(callback);
	const due = callback?.next_attempt_at;
	const more = [reason, due === null || due === void 0 ? "" : words.next(exactClock(due))].filter(Boolean).join(" · ");
	switch (callback?.state) {
		case "dead": return state("bad", "warning", words.dead, more, true);
		case "cancelled": return state("bad", "stopped", words.cancelled, more, true);
		case "waiting": return state("warn", "retry", words.waiting(callback.attempts), more);
		case "held": return state("warn", "paused", words.held, more);
		case "sending": return state("plain", "clock", words.sending);
		case "queued": return state("plain", "clock", words.queued, more);
		case "delivered":
		case void 0: return delivery.status === "sent" || callback?.state === "delivered" ? state("plain", "check", words.sent) : state("plain", "clock", words.queued);
	}
}
function StateLine({ message, onAgain, onWithdraw, onDismiss }) {
	const words = inbox().state;
	const state = stateOf(message);
	if (state === void 0) return null;
	return a("div", {
		class: "message-state",
		children: [
			a(Badge, {
				tone: state.tone,
				icon: state.icon,
				children: state.word
			}),
			state.more !== "" && a("p", { children: state.more }),
			(state.isLost || state.isWaiting || state.tone === "warn") && a("p", {
				class: "ways",
				children: [
					state.isLost && onAgain !== void 0 && a("button", {
						type: "button",
						class: "link",
						onClick: onAgain,
						children: words.again
					}),
					state.isWaiting && a("button", {
						type: "button",
						class: "link",
						onClick: onWithdraw,
						children: words.withdraw
					}),
					state.isLost && onDismiss !== void 0 && a("button", {
						type: "button",
						class: "link",
						onClick: onDismiss,
						children: words.dismiss
					}),
					isAdministrator.value && message.callback !== void 0 && hasPage("/callbacks/1") && a("a", {
						href: `/callbacks/${message.id}`,
						children: words.see
					})
				]
			})
		]
	});
}
// src/areas/inbox/thread/message.tsx
function MessageItem({ message, isStop, onFocus, ...ways }) {
	const words = inbox().thread;
	const isOut = message.direction === "out";
	const who = authorOf(message.sender);
	const marks = [message.imported === true ? words.imported : message.silent === true ? words.silentMark : "", message.edited_at === void 0 ? "" : words.edited].filter((mark) => mark !== "");
	return a("article", {
		class: isOut ? "message out" : "message in",
		"data-message": message.id,
		tabIndex: isStop ? 0 : -1,
		onFocus,
		"aria-label": [
			words.from(who),
			clock(message.timestamp),
			stateOf(message)?.word
		].filter(Boolean).join(", "),
		children: [a("div", {
			class: "bubble",
			children: [a(Content, { message }), a("p", {
				class: "below",
				children: [
					isOut && who !== "" && a("span", { children: [who, " · "] }),
					marks.length > 0 && a("span", { children: [marks.join(", "), " · "] }),
					a("time", {
						dateTime: new Date(message.timestamp * 1e3).toISOString(),
						title: moment(message.timestamp),
						children: clock(message.timestamp)
					})
				]
			})]
		}), isOut && a(StateLine, {
			message,
			...ways
		})]
	});
}
// src/areas/inbox/thread/note-editor.tsx
function NoteEditor({ text, mentioned, conversation, onSave, onClose }) {
	const words = team().note;
	const area = T(null);
	const value = useSignal(text);
	const task = useWork();
	const mentions = w(() => new Mentions(conversation), [conversation]);
	const mentionsOf = (said) => {
		const named = mentions.of(text).map((user) => user.id);
		const unnamed = mentioned.filter((user) => !named.includes(user));
		return [...new Set([...unnamed, ...mentions.of(said).map((user) => user.id)])];
	};
	F(() => {
		const shown = area.current;
		shown?.focus();
		shown?.setSelectionRange(text.length, text.length);
	}, []);
	const save = () => {
		const said = value.peek().trim();
		if (said === "") return;
		task.run(async () => {
			await mentions.need(`${text}${said}`);
			if (said !== text) await onSave(said, mentionsOf(said));
			onClose();
		});
	};
	return a("form", {
		class: "note-editor",
		onSubmit: (event) => {
			event.preventDefault();
			save();
		},
		children: [
			a(NoteArea, {
				area,
				"aria-label": words.text,
				text: value.value,
				mentions,
				readOnly: task.busy,
				onText: (changed) => value.value = changed,
				onSave: save,
				onLeave: onClose
			}),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			a("p", {
				class: "ways",
				children: [a(Button, {
					type: "submit",
					look: "primary",
					icon: "check",
					busy: task.busy,
					children: words.save
				}), a(Button, {
					onClick: onClose,
					children: shell().cancel
				})]
			})
		]
	});
}
// src/areas/inbox/thread/note.tsx
var UPDATABLE = 900;
function NoteItem({ note, notes, isStop, onFocus }) {
	const words = team().note;
	const article = T(null);
	const editing = useSignal(false);
	const deleting = useSignal(false);
	const name = authorOf(note.user);
	const isOwn = note.user.id === me.value?.user.id;
	const isUpdatable = useUpdatable(note) && isOwn;
	const isDeleted = note.text === null;
	const leave = () => {
		editing.value = false;
		article.current?.focus();
	};
	const takesFocus = T(false);
	const remove = async () => {
		await notes.delete(note.number);
		takesFocus.current = true;
		deleting.value = false;
	};
	A(() => {
		if (takesFocus.current) article.current?.focus();
		takesFocus.current = false;
	}, [deleting.value]);
	return a("article", {
		ref: article,
		class: "team-note",
		"data-note": note.number,
		tabIndex: isStop ? 0 : -1,
		onFocus,
		"aria-label": [isDeleted ? deletionOf(note) : words.from(name), clock(note.created_at)].join(", "),
		children: [
			a("p", {
				class: "head",
				children: [
					a(Lock, {}),
					" ",
					words.title
				]
			}),
			note.text === null ? a("p", { children: a("bdi", { children: deletionOf(note) }) }) : editing.value ? a(NoteEditor, {
				text: note.text,
				mentioned: note.mentions,
				conversation: notes.conversation,
				onSave: (text, mentions) => notes.update(note.number, text, mentions),
				onClose: leave
			}) : a(LongText, { text: note.text }),
			a("div", {
				class: "foot",
				children: [!isDeleted && !editing.value && a("p", {
					class: "ways",
					children: [isUpdatable && a("button", {
						type: "button",
						class: "link",
						onClick: () => editing.value = true,
						children: words.edit
					}), (isOwn || isAdministrator.value) && a("button", {
						type: "button",
						class: "link",
						onClick: () => deleting.value = true,
						children: words.delete
					})]
				}), a("p", {
					class: "below",
					children: [!isDeleted && a($, { children: [
						a("bdi", { children: name }),
						" · ",
						note.updated_at !== null && `${words.edited} · `
					] }), a("time", {
						dateTime: new Date(note.created_at * 1e3).toISOString(),
						title: moment(note.created_at),
						children: clock(note.created_at)
					})]
				})]
			}),
			deleting.value && a(Confirm, {
				title: words.confirm.title,
				text: words.confirm.text,
				action: words.confirm.action,
				icon: "trash",
				onConfirm: remove,
				onClose: () => deleting.value = false
			})
		]
	});
}
function deletionOf({ user, deleted_by: by }) {
	const words = team().note;
	const name = authorOf(user);
	return by === null || by === user.id ? words.deleted(name) : words.deletedByAdministrator(name);
}
function useUpdatable(note) {
	const left = () => (note.created_at + UPDATABLE) * 1e3 - Date.now();
	const isOver = useSignal(left() <= 0);
	A(() => {
		isOver.value = left() <= 0;
		if (isOver.peek()) return void 0;
		const timer = setTimeout(() => isOver.value = true, left());
		return () => clearTimeout(timer);
	}, [note.created_at]);
	return !isOver.value;
}
// src/areas/inbox/thread/notes.ts
var PAGE$1 = 50;
var PAGES_IN_A_ROW = 4;
var Notes = class {
	conversation;
	all = y([]);
	next = y(void 0);
	problem = y(void 0);
	arrived = y(void 0);
	since = y(Number.POSITIVE_INFINITY);
	shown = O(() => this.all.value.filter((note) => note.created_at >= this.since.value));
	lacks = O(() => {
		const oldest = this.all.value[0]?.created_at ?? Number.POSITIVE_INFINITY;
		return typeof this.next.value === "number" && oldest >= this.since.value;
	});
	#address;
	#meanwhile = new Meanwhile();
	#ends = [];
	#reading;
	constructor(conversation) {
		this.conversation = conversation;
		this.#address = `/inbox/v1/conversations/${conversation}/notes`;
		this.#ends.push(on("note", (event) => {
			if (event.conversation_id === conversation) this.#hear(event.note);
		}), on("reset", () => void this.open()), on("ready", () => void this.open()));
	}
	close() {
		this.#reading?.abort();
		for (const end of this.#ends) end();
	}
	open() {
		return this.#read(void 0);
	}
	async reach(since) {
		this.since.value = since;
		await this.more();
	}
	async more() {
		const next = this.next.peek();
		if (this.#reading === void 0 && typeof next === "number" && this.lacks.peek()) await this.#read(next);
	}
	create(text, mentions, key, draft) {
		const headers = { "Idempotency-Key": key };
		return this.#store(ask(this.#address, {
			method: "POST",
			body: {
				text,
				mentions,
				draft
			},
			headers
		}));
	}
	update(number, text, mentions) {
		return this.#store(ask(`${this.#address}/${number}`, {
			method: "PATCH",
			body: {
				text,
				mentions
			}
		}));
	}
	async delete(number) {
		await ask(`${this.#address}/${number}`, { method: "DELETE" });
		const by = me.peek()?.user.id ?? null;
		const mark = (note) => note.number === number && note.text !== null ? {
			...note,
			text: null,
			mentions: [],
			deleted_by: by
		} : note;
		this.#apply((known) => known.map(mark));
	}
	async #read(cursor) {
		this.#reading?.abort();
		const mine = new AbortController();
		this.#reading = mine;
		try {
			let at = cursor;
			for (let page = 0; page < PAGES_IN_A_ROW; page += 1) {
				let end = null;
				const question = ask(this.#address, {
					query: {
						limit: PAGE$1,
						cursor: at
					},
					signal: mine.signal
				});
				await this.#meanwhile.during(question, (answer, since) => {
					if (this.#reading === mine) end = this.#take(answer, at, since);
				});
				if (end === null) break;
				at = end;
			}
			this.problem.value = void 0;
		} catch (failure) {
			if (!isAborted(failure)) this.problem.value = asProblem(failure);
		}
		if (this.#reading === mine) this.#reading = void 0;
	}
	#take(answer, cursor, since) {
		const [begin, end] = [answer.next ?? 0, cursor ?? Number.POSITIVE_INFINITY];
		const known = this.all.peek();
		const older = known.some((note) => note.number >= begin) ? known.filter((note) => note.number < begin) : [];
		const newer = known.filter((note) => note.number >= end);
		r(() => {
			if (older.length === 0) this.next.value = answer.next;
			this.all.value = since([
				...older,
				...[...answer.notes].reverse(),
				...newer
			]);
		});
		return older.length > 0 || this.lacks.peek() ? answer.next : null;
	}
	async #store(question) {
		await this.#meanwhile.during(question, (note, since) => {
			this.all.value = since(this.#with(this.all.peek(), note));
		});
	}
	#hear(note) {
		const newest = this.all.peek().at(-1)?.number ?? 0;
		if (note.user.id !== me.peek()?.user.id && note.number > newest && note.text !== null) this.arrived.value = note;
		this.#apply((known) => this.#with(known, note));
	}
	#apply(change) {
		this.all.value = change(this.all.peek());
		this.#meanwhile.note(change);
	}
	#with(known, note) {
		const at = known.findIndex((other) => other.number >= note.number);
		const there = known[at];
		if (there?.number === note.number) return there.text === null ? known : known.map((other) => other === there ? note : other);
		if (at === 0 && typeof this.next.peek() === "number") return known;
		return at < 0 ? [...known, note] : [
			...known.slice(0, at),
			note,
			...known.slice(at)
		];
	}
};
// src/areas/inbox/thread/store.ts
var PAGE = 50;
var GLANCE = 1e3;
function answersIn(problem) {
	return problem?.parts.answers ?? [];
}
var Thread = class {
	id;
	messages = y([]);
	next = y(void 0);
	problem = y(void 0);
	loading = y(false);
	pending = O(() => outbox.value.get(this.id) ?? []);
	firstUnread = y(void 0);
	arrived = y(void 0);
	conversation = O(() => find(this.id));
	#ends = [];
	#meanwhile = new Meanwhile();
	#closed = new AbortController();
	constructor(id) {
		this.id = id;
		const mine = (kind, take) => {
			this.#ends.push(on(kind, (event) => {
				if (event.conversation_id === id) take(event);
			}));
		};
		mine("message", ({ message }) => {
			if (this.#mayBeOnItsWay(message)) {
				this.#held.push(message);
				return;
			}
			this.#add(message);
			const { pressed } = message;
			if (message.direction === "in" && pressed !== void 0) this.#change(pressed.message_id, (it) => ({
				...it,
				pressed: {
					message_id: message.id,
					text: pressed.text
				}
			}));
			if (message.direction === "in" && message.silent !== true) this.arrived.value = message;
		});
		mine("delivery", (event) => {
			this.#change(event.message_id, (message) => ({
				...message,
				delivery: event.delivery
			}));
		});
		mine("callback", (event) => {
			this.#change(event.message_id, (message) => withCallback(message, event.callback));
		});
		mine("media", ({ message_id: id, check }) => {
			if (check !== null) this.#change(id, (message) => ({
				...message,
				media_check: check
			}));
		});
		mine("changed", () => void this.#refresh());
		this.#ends.push(on("reset", () => void this.#refresh()));
		this.#ends.push(whenBack(() => this.problem.peek(), () => void this.#refresh()));
	}
	close() {
		this.#closed.abort();
		for (const end of this.#ends) end();
	}
	async open() {
		this.loading.value = true;
		try {
			const conversation = await read$2(this.id, false, { signal: this.#closed.signal });
			const size = Math.min(250, Math.max(PAGE, conversation.unread + 10));
			await this.#meanwhile.during(this.#ask("/messages", size), (page, since) => {
				const messages = since([...page.messages].reverse());
				const unread = messages.filter((message) => message.direction === "in" && message.silent !== true);
				r(() => {
					if (conversation.unread > 0) this.firstUnread.value = unread.at(-Math.min(conversation.unread, unread.length))?.id;
					this.messages.value = messages;
					this.next.value = page.next;
				});
			});
			this.problem.value = void 0;
		} catch (failure) {
			if (!isAborted(failure)) this.problem.value = asProblem(failure);
		}
		this.loading.value = false;
	}
	async older() {
		const before = this.next.peek();
		if (before === null || before === void 0 || this.loading.peek()) return;
		this.loading.value = true;
		try {
			await this.#meanwhile.during(this.#ask("/messages", PAGE, before), (page, since) => {
				const there = new Set(this.messages.peek().map((message) => message.id));
				const more = page.messages.filter((message) => !there.has(message.id)).reverse();
				this.messages.value = since([...more, ...this.messages.peek()]);
				this.next.value = page.next;
			});
			this.problem.value = void 0;
		} catch (failure) {
			if (!isAborted(failure)) this.problem.value = asProblem(failure);
		}
		this.loading.value = false;
	}
	async read() {
		if ((this.conversation.peek()?.unread ?? 0) === 0) return;
		try {
			await ask(`/inbox/v1/conversations/${this.id}/read`, { method: "POST" });
		} catch (failure) {
			if (!(failure instanceof Problem)) throw failure;
		}
	}
	withdraw(message) {
		return this.#act(`/messages/${message}/withdraw`);
	}
	dismiss() {
		return this.#act("/dismiss-failures");
	}
	async #act(path) {
		try {
			await ask(`/inbox/v1/conversations/${this.id}${path}`, { method: "POST" });
			this.problem.value = void 0;
		} catch (failure) {
			if (!isAborted(failure)) this.problem.value = asProblem(failure);
		}
	}
	#held = [];
	#mayBeOnItsWay(message) {
		return message.direction === "out" && this.pending.peek().some(({ what, problem }) => problem === void 0 && mayBe(what, message));
	}
	#release() {
		for (const message of this.#held.splice(0)) this.#add(message);
	}
	#typed = 0;
	typing() {
		if (Date.now() - this.#typed < 4e3) return;
		this.#typed = Date.now();
		ask(`/inbox/v1/conversations/${this.id}/typing`, { method: "POST" }).catch(() => {});
	}
	#seen;
	#shown;
	look() {
		const newest = this.messages.peek().at(-1)?.id;
		if (newest === void 0 || newest === this.#shown) return;
		this.#shown = newest;
		if (this.#seen === void 0) this.#seen = newest;
		else setTimeout(() => this.#see(newest), GLANCE);
	}
	#see(message) {
		if (this.#shown === message) this.#seen = message;
	}
	get seen() {
		return this.#seen;
	}
	write(what) {
		return this.send(this.#seen === void 0 ? what : {
			...what,
			seen: this.#seen
		});
	}
	sendAllTheSame({ key, what, problem }) {
		const newest = answersIn(problem)[0]?.id ?? this.messages.peek().at(-1)?.id;
		return this.send(newest === void 0 ? what : {
			...what,
			seen: newest
		}, key);
	}
	async send(what, key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`) {
		hold(this.id, {
			key,
			what,
			problem: void 0
		});
		const { type, resends, seen, draft, reply_to, scheduled_reply } = what;
		const body = {
			type,
			...contentOf(what),
			resends,
			seen,
			draft,
			reply_to,
			scheduled_reply
		};
		try {
			const address = `/inbox/v1/conversations/${this.id}/messages`;
			const question = ask(address, {
				method: "POST",
				body,
				headers: { "Idempotency-Key": key }
			});
			await this.#meanwhile.during(question, (message, since) => {
				this.discard(key);
				this.messages.value = since(withMessage(this.messages.peek(), message));
			});
			this.#release();
			return true;
		} catch (failure) {
			hold(this.id, {
				key,
				what,
				problem: asProblem(failure)
			});
			this.#release();
			return false;
		}
	}
	discard(key) {
		release(this.id, key);
	}
	throwAway({ key, what }) {
		this.discard(key);
		if (what.draft === void 0) return;
		const body = {
			based_on: what.draft,
			text: ""
		};
		ask(`/inbox/v1/conversations/${this.id}/drafts/reply`, {
			method: "PATCH",
			body
		}).catch(() => {});
	}
	async #refresh() {
		if (this.next.peek() === void 0) return this.open();
		try {
			const size = Math.min(250, Math.max(PAGE, this.messages.peek().length));
			await this.#meanwhile.during(this.#ask("/messages", size), (page, since) => {
				const fresh = [...page.messages].reverse();
				const known = this.messages.peek();
				const at = known.findIndex((message) => message.id === fresh[0]?.id);
				if (at < 0) this.next.value = page.next;
				this.messages.value = since([...known.slice(0, Math.max(0, at)), ...fresh]);
			});
			this.problem.value = void 0;
		} catch (failure) {
			if (!isAborted(failure)) this.problem.value = asProblem(failure);
		}
	}
	#ask(path, limit, before) {
		const query = {
			limit,
			before
		};
		return ask(`/inbox/v1/conversations/${this.id}${path}`, {
			query,
			signal: this.#closed.signal
		});
	}
	#add(message) {
		this.#apply((known) => withMessage(known, message));
	}
	#change(id, make) {
		this.#apply((known) => known.map((message) => message.id === id ? make(message) : message));
	}
	#apply(change) {
		this.messages.value = change(this.messages.peek());
		this.#meanwhile.note(change);
	}
};
function contentOf(what) {
	if (what.type === "template") return { template_id: what.template_id };
	return {
		text: what.text || void 0,
		media_id: what.type === "text" ? void 0 : what.media_id
	};
}
function mayBe(what, message) {
	if (what.type === "template") return message.template?.id === what.template_id;
	return message.template === void 0 && what.type === message.type && (what.text ?? "") === message.text;
}
function withMessage(known, message) {
	return known.some((it) => it.id === message.id) ? known : [...known, message];
}
// src/areas/inbox/thread/pending.tsx
function PendingItem({ pending, thread }) {
	const words = inbox().compose;
	const { what, problem, key } = pending;
	const answers = answersIn(problem);
	const text = what.type === "text" ? what.text : [what.name, what.text].filter(Boolean).join("\n");
	return a("div", {
		class: "message out pending",
		children: [a("div", {
			class: "bubble",
			children: [a("p", {
				class: "text",
				dir: "auto",
				children: text
			}), what.type === "template" && a(MessageButtons, { buttons: what.buttons })]
		}), problem === void 0 ? a("p", {
			class: "soft",
			children: words.sending
		}) : answers.length > 0 ? a(Overtaken, {
			pending,
			thread,
			answers
		}) : a("div", {
			class: "problem-of-message",
			children: [
				a("p", { children: words.failed }),
				a(ProblemNote, { problem }),
				a("p", {
					class: "ways",
					children: [a(Button, {
						icon: "retry",
						onClick: () => void thread.send(what, key),
						children: words.retry
					}), a(Button, {
						look: "quiet",
						onClick: () => thread.throwAway(pending),
						children: words.discard
					})]
				})
			]
		})]
	});
}
function Overtaken({ pending, thread, answers }) {
	const words = inbox().compose;
	const quotes = [...answers].reverse().map((answer) => ({
		by: authorOf(answer.sender),
		text: answer.text === "" ? answer.file_name ?? "" : answer.text
	}));
	const title = a($, { children: [
		a("strong", { children: team().overtaken }),
		" ",
		words.failed
	] });
	return a(Notice, {
		name: "overtaken",
		title,
		quotes,
		children: [a(Button, {
			icon: "send",
			onClick: () => void thread.sendAllTheSame(pending),
			children: team().allTheSame
		}), a(Button, {
			look: "quiet",
			onClick: () => thread.throwAway(pending),
			children: words.discard
		})]
	});
}
// src/areas/inbox/thread/rows.ts
var FOLD = 2;
function dayOf(seconds) {
	return new Date(seconds * 1e3).toDateString();
}
function rowsOf({ messages, notes, firstUnread, opened }) {
	const rows = [];
	let day = "";
	const begin = (seconds, key) => {
		if (dayOf(seconds) === day) return;
		day = dayOf(seconds);
		rows.push({
			is: "day",
			key: `day ${key}`,
			at: seconds
		});
	};
	let next = 0;
	const pushNotes = (end) => {
		for (let note = notes[next]; note !== void 0 && note.created_at < end; note = notes[next]) {
			const key = `note ${note.number}`;
			begin(note.created_at, key);
			rows.push({
				is: "note",
				key,
				note
			});
			next += 1;
		}
	};
	for (let at = 0; at < messages.length; at += 1) {
		const message = messages[at];
		if (message === void 0) break;
		pushNotes(message.timestamp);
		begin(message.timestamp, message.id);
		if (message.id === firstUnread) rows.push({
			is: "unread",
			key: "unread"
		});
		let end = at;
		while (messages[end]?.silent === true) end += 1;
		if (end - at >= FOLD && messages[at - 1]?.silent !== true) {
			rows.push({
				is: "fold",
				key: `fold ${message.id}`,
				messages: messages.slice(at, end)
			});
			if (!opened.has(message.id)) {
				at = end - 1;
				continue;
			}
		}
		rows.push({
			is: "message",
			key: message.id,
			message
		});
	}
	pushNotes(Number.POSITIVE_INFINITY);
	return rows;
}
// src/areas/inbox/thread/viewers.tsx
var SIGN = 6e3;
var COUNTED = 15e3;
var signs = y(new Map());
var now = y(Date.now());
on("viewing", ({ conversation_id: id, user }) => {
	const others = (signs.peek().get(id) ?? []).filter((sign) => sign.id !== user.id && sign.end > Date.now());
	const current = [...signs.peek()].filter(([, all]) => all.some((sign) => sign.end > Date.now()));
	signs.value = new Map(current).set(id, [...others, {
		...user,
		end: Date.now() + COUNTED
	}]);
});
function showViewing(id) {
	const sign = () => {
		now.value = Date.now();
		if (document.hidden) return;
		ask(`/inbox/v1/conversations/${id}/viewing`, { method: "POST" }).catch(() => {});
	};
	sign();
	const timer = setInterval(sign, SIGN);
	document.addEventListener("visibilitychange", sign);
	return () => {
		clearInterval(timer);
		document.removeEventListener("visibilitychange", sign);
	};
}
function viewersOf(id) {
	const isCurrent = (end) => end > now.value && end < now.value + 2 * COUNTED;
	const listed = (find(id)?.viewers ?? []).filter((viewer) => isCurrent(viewer.until * 1e3));
	const signed = (signs.value.get(id) ?? []).filter((sign) => sign.end > now.value);
	return [...new Map([...listed, ...signed].map((viewer) => [viewer.id, viewer])).values()].filter((viewer) => viewer.id !== me.value?.user.id);
}
function Viewers({ id }) {
	A(() => {
		const timer = setInterval(() => now.value = Date.now(), 1e3);
		return () => clearInterval(timer);
	}, []);
	const names = viewersOf(id).map((viewer) => viewer.name);
	return a("p", {
		class: "viewers",
		role: "status",
		children: names.length > 0 && a("bdi", { children: team().viewing(names.join(", ")) })
	});
}
// src/areas/inbox/thread/thread.tsx
var NEAR = 80;
var DWELL = 2e3;
var SETTLED = 700;
function isToday(seconds, daysAgo) {
	const then = new Date();
	then.setDate(then.getDate() - daysAgo);
	return new Date(seconds * 1e3).toDateString() === then.toDateString();
}
function dayWord(seconds) {
	const words = inbox().thread;
	if (isToday(seconds, 0)) return words.today;
	return isToday(seconds, 1) ? words.yesterday : day(seconds);
}
function again(message) {
	const resends = message.id;
	if (message.list_message !== void 0) return void 0;
	if (message.template !== void 0) {
		const { id, buttons } = message.template;
		const file = message.file_name === void 0 ? {} : { name: message.file_name };
		return {
			type: "template",
			template_id: id,
			text: message.text,
			buttons,
			...file,
			resends
		};
	}
	if (message.type === "text") return {
		type: "text",
		text: message.text,
		resends
	};
	const media = /\/media\/([0-9a-f-]{16,})\//.exec(message.media ?? "")?.[1];
	if (media === void 0 || message.type !== "picture" && message.type !== "file") return void 0;
	const text = message.text === "" ? {} : { text: message.text };
	return {
		type: message.type,
		media_id: media,
		name: message.file_name ?? "",
		...text,
		resends
	};
}
function ThreadView({ id }) {
	const thread = w(() => new Thread(id), [id]);
	const notes = w(() => new Notes(id), [id]);
	useSignalEffect(() => {
		const next = thread.next.value;
		if (next !== void 0) notes.reach(next === null ? 0 : thread.messages.value[0]?.timestamp ?? 0);
	});
	A(() => {
		thread.open();
		notes.open();
		const ends = showViewing(id);
		return () => {
			ends();
			thread.close();
			notes.close();
		};
	}, [thread]);
	const name = thread.conversation.value === void 0 ? "" : nameOf$3(thread.conversation.value);
	if (thread.next.value === void 0) {
		const problem = thread.problem.value;
		if (problem === void 0) return a(Skeleton, {});
		if (problem.status === 404) return a(Missing, {});
		return a(ProblemNote, {
			problem,
			retry: () => void thread.open()
		});
	}
	if (notes.next.value === void 0 && notes.problem.value === void 0) return a(Skeleton, {});
	return a($, { children: [
		a(Viewers, { id }),
		a(Log, {
			thread,
			notes,
			name
		}),
		a(Composer, {
			thread,
			notes
		})
	] });
}
function Missing() {
	return a(Empty, {
		title: inbox().thread.missing,
		children: !isAdministrator.value && a("p", {
			class: "soft",
			children: shell().rights.text
		})
	});
}
var ITEM = "[data-message], [data-note]";
function Log({ thread, notes, name }) {
	const words = inbox().thread;
	const log = T(null);
	const opened = useSignal(new Set());
	const stop = useSignal(void 0);
	const atEnd = useSignal(true);
	const missed = useSignal(0);
	const rows = useComputed(() => rowsOf({
		messages: thread.messages.value,
		notes: notes.shown.value,
		firstUnread: thread.firstUnread.value,
		opened: opened.value
	}));
	const messages = thread.messages.value;
	const newest = messages.at(-1)?.id;
	const items = rows.value.filter((row) => row.is === "message" || row.is === "note");
	const [first, last] = [items[0], items.at(-1)];
	const stopAt = stop.value ?? last?.key;
	const before = T({
		height: 0,
		first: first?.key,
		last: last?.key,
		newest,
		pending: 0
	});
	F(() => {
		const element = log.current;
		if (element === null) return;
		const line = element.querySelector(".unread-line");
		if (line === null) element.scrollTop = element.scrollHeight;
		else element.scrollTop += line.getBoundingClientRect().top - element.getBoundingClientRect().top;
		before.current = {
			...before.current,
			height: element.scrollHeight
		};
		look();
	}, []);
	F(() => {
		const element = log.current;
		if (element === null) return;
		const was = before.current;
		const pending = thread.pending.value.length;
		const isOwnNote = was.last !== last?.key && last?.is === "note" && last.note.user.id === me.peek()?.user.id;
		if (was.first !== first?.key && was.last === last?.key) element.scrollTop += element.scrollHeight - was.height;
		else if (atEnd.peek() || pending > was.pending || isOwnNote) element.scrollTop = element.scrollHeight;
		else if (was.newest !== newest) {
			const at = messages.findIndex((message) => message.id === was.newest);
			missed.value += messages.slice(at + 1).filter((message) => message.direction === "in").length;
		}
		before.current = {
			height: element.scrollHeight,
			first: first?.key,
			last: last?.key,
			newest,
			pending
		};
		look();
	}, [
		messages,
		thread.pending.value,
		notes.shown.value
	]);
	function look() {
		const element = log.current;
		if (element === null) return;
		atEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
		if (atEnd.value) {
			missed.value = 0;
			if (!document.hidden) thread.look();
			if (!document.hidden && passing.peek() !== thread.id) thread.read();
		}
		if (element.scrollTop < NEAR) older();
	}
	function older() {
		thread.older();
		notes.more();
	}
	A(() => {
		if (passing.peek() !== thread.id) return void 0;
		const timer = setTimeout(() => {
			passing.value = void 0;
			look();
		}, DWELL);
		return () => clearTimeout(timer);
	}, []);
	A(() => {
		const element = log.current;
		if (element === null) return void 0;
		const observer = new ResizeObserver(() => {
			if (atEnd.peek()) element.scrollTop = element.scrollHeight;
		});
		observer.observe(element);
		return () => observer.disconnect();
	}, []);
	A(() => {
		const seen = () => look();
		document.addEventListener("visibilitychange", seen);
		return () => document.removeEventListener("visibilitychange", seen);
	}, []);
	const toEnd = () => {
		if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
	};
	const onKeyDown = (event) => {
		const here = event.target.closest(ITEM);
		if (here === null || event.target !== here) {
			if (event.code === "Escape" && here instanceof HTMLElement) here.focus();
			return;
		}
		const all = [...log.current?.querySelectorAll(ITEM) ?? []];
		const at = all.indexOf(here);
		const steps = {
			ArrowUp: at - 1,
			ArrowDown: at + 1,
			Home: 0,
			End: all.length - 1
		};
		if (event.code === "Enter") here.querySelector("a, button")?.focus();
		const wanted = all[steps[event.code] ?? -1];
		if (wanted === void 0) return;
		event.preventDefault();
		wanted.focus();
	};
	const answer = messages.findLast((message) => message.direction === "out" && message.imported !== true);
	const state = answer === void 0 ? "" : stateOf(answer)?.word ?? "";
	const saidState = useSignal("");
	const firstState = T(true);
	A(() => {
		if (firstState.current) {
			firstState.current = false;
			return;
		}
		const timer = setTimeout(() => {
			saidState.value = state === "" ? "" : inbox().state.announce(state);
		}, SETTLED);
		return () => clearTimeout(timer);
	}, [answer?.id, state]);
	const hasTrouble = thread.conversation.value !== void 0 && hasFailed(thread.conversation.value);
	const arrived = thread.arrived.value;
	const note = notes.arrived.value;
	const typing = thread.conversation.value?.typing;
	const colleague = colleagues.value.get(thread.id);
	const isTyping = typing !== null && typing !== void 0 && typing.until * 1e3 > Date.now();
	return a("div", {
		class: "log-area",
		children: [
			a("div", {
				class: "log",
				ref: log,
				onScroll: look,
				onKeyDown,
				role: "log",
				"aria-live": "off",
				"aria-label": words.label(name),
				tabIndex: -1,
				children: [
					thread.next.value === null && !notes.lacks.value ? a("p", {
						class: "begin",
						children: words.begin
					}) : a("p", {
						class: "begin",
						children: a(Button, {
							busy: thread.loading.value,
							onClick: older,
							children: words.older
						})
					}),
					rows.value.map((row) => {
						if (row.is === "day") return a("p", {
							class: "day",
							children: a("span", { children: dayWord(row.at) })
						}, row.key);
						if (row.is === "unread") return a("p", {
							class: "unread-line",
							children: a("span", { children: words.newest })
						}, row.key);
						if (row.is === "fold") {
							const first = row.messages[0]?.id ?? "";
							const isOpen = opened.value.has(first);
							return a("p", {
								class: "fold",
								children: a("button", {
									type: "button",
									"aria-expanded": isOpen,
									onClick: () => {
										const now = new Set(opened.value);
										if (!now.delete(first)) now.add(first);
										opened.value = now;
									},
									children: [
										words.silent(row.messages.length),
										" · ",
										isOpen ? words.hide : words.show
									]
								})
							}, row.key);
						}
						if (row.is === "note") return a(NoteItem, {
							note: row.note,
							notes,
							isStop: row.key === stopAt,
							onFocus: () => {
								stop.value = row.key;
							}
						}, row.key);
						const { message } = row;
						const repeat = again(message);
						return a(MessageItem, {
							message,
							isStop: row.key === stopAt,
							onFocus: () => {
								stop.value = row.key;
							},
							onAgain: repeat === void 0 ? void 0 : () => void thread.send(repeat),
							onWithdraw: () => void thread.withdraw(message.id),
							onDismiss: hasTrouble ? () => void thread.dismiss() : void 0
						}, row.key);
					}),
					thread.pending.value.map((pending) => a(PendingItem, {
						pending,
						thread
					}, pending.key))
				]
			}),
			thread.problem.value !== void 0 && a(ProblemNote, { problem: thread.problem.value }),
			notes.problem.value !== void 0 && a(ProblemNote, {
				problem: notes.problem.value,
				retry: () => void notes.open()
			}),
			a("p", {
				class: "typing-line",
				role: "status",
				children: isTyping ? words.typing(name) : colleague === void 0 ? "" : words.typing(colleague.name)
			}),
			a("p", {
				class: "unseen",
				role: "status",
				children: arrived === void 0 ? "" : words.arrived(arrived.sender?.name ?? name, preview(arrived))
			}),
			a("p", {
				class: "unseen",
				role: "status",
				children: note === void 0 ? "" : team().note.arrived(authorOf(note.user), note.text ?? "")
			}),
			a("p", {
				class: "unseen",
				role: "status",
				children: saidState.value
			}),
			!atEnd.value && a("button", {
				type: "button",
				class: "to-end",
				onClick: toEnd,
				children: ["▼ ", missed.value > 0 ? words.fresh(missed.value) : words.toEnd]
			})
		]
	});
}
// src/areas/inbox/thread/head.tsx
function ThreadPane(props) {
	return a($, { children: [a(Head, { ...props }), a(ThreadView, { id: props.id }, props.id)] });
}
function Head({ id, isDetailed, opener, onDetails }) {
	const words = inbox().thread;
	const conversation = find(id);
	return a("header", {
		class: "thread-head",
		children: [
			a(Button, {
				look: "quiet",
				icon: "back",
				label: words.back,
				onClick: () => open(addressOf())
			}),
			a("h2", { children: [conversation !== void 0 && a("bdi", { children: nameOf$3(conversation) }), conversation !== void 0 && conversation.channel !== null && a("span", {
				class: "soft",
				children: [
					" · ",
					a(Kind, { kind: conversation.channel.kind }),
					conversation.channel.title
				]
			})] }),
			conversation !== void 0 && a(Blocked, { conversation }),
			conversation !== void 0 && conversation.unread === 0 && a(Unread, { id }),
			!isDetailed && a("span", {
				ref: opener,
				children: a(Button, {
					"aria-expanded": false,
					onClick: onDetails,
					children: words.details
				})
			}),
			conversation !== void 0 && conversation.lead !== null && a(Handling, { conversation }, id)
		]
	});
}
function Unread({ id }) {
	const { busy, run } = useWork();
	const mark = () => run(async () => {
		open(addressOf());
		await ask(`/inbox/v1/conversations/${id}/unread`, { method: "POST" });
	});
	const says = inbox().thread.markUnread;
	return a(Button, {
		look: "quiet",
		icon: "unread",
		label: says,
		busy,
		onClick: () => void mark()
	});
}
// src/shell/presence.tsx
var CHOICES = [
	"here",
	"away",
	"away_give_back"
];
function PresenceChoice() {
	const words = presence();
	const { busy, problem, run } = useWork();
	return a($, { children: [a("label", { children: [words.label, a("select", {
		name: "presence",
		value: me.value?.presence ?? "here",
		"aria-busy": busy,
		onChange: (event) => {
			const choice = event.currentTarget.value;
			run(() => changeMe({ presence: choice }));
		},
		children: CHOICES.map((choice) => a("option", {
			value: choice,
			children: words.choices[choice]
		}, choice))
	})] }), problem !== void 0 && a(ProblemNote, { problem })] });
}
// src/words/profile.ts
var profile = dictionary({
	en: {
		title: "Profile and notifications",
		name: "Name",
		saveName: "Save the name",
		named: "The name is saved. Colleagues see it from now on.",
		current: "Current password",
		password: "New password",
		passwordHint: "At least 6 characters, with a digit, a lower-case and an upper-case letter.",
		save: "Change the password",
		changed: "The password is changed. All other sessions of yours have ended.",
		wrong: "The current password is wrong."
	},
	ru: {
		title: "Профиль и уведомления",
		name: "Имя",
		saveName: "Сохранить имя",
		named: "Имя сохранено. Теперь его видят коллеги.",
		current: "Текущий пароль",
		password: "Новый пароль",
		passwordHint: "Не короче 6 знаков, с цифрой, строчной и прописной буквой.",
		save: "Сменить пароль",
		changed: "Пароль изменён. Все другие ваши сеансы завершены.",
		wrong: "Текущий пароль неверен."
	},
	es: {
		title: "Perfil y notificaciones",
		name: "Nombre",
		saveName: "Guardar el nombre",
		named: "El nombre está guardado. Sus colegas lo ven desde ahora.",
		current: "Contraseña actual",
		password: "Contraseña nueva",
		passwordHint: "Al menos 6 caracteres, con una cifra, una minúscula y una mayúscula.",
		save: "Cambiar la contraseña",
		changed: "La contraseña está cambiada. Sus demás sesiones han terminado.",
		wrong: "La contraseña actual es incorrecta."
	}
});
// src/shell/notifications.tsx
var NIGHT = {
	from: "22:00",
	to: "07:00"
};
function Notifications() {
	const words = notifications();
	const settings = me.peek()?.notifications;
	const off = useSignal(settings?.off ?? []);
	const sound = useSignal(settings?.sound ?? false);
	const showsText = useSignal(settings?.show_text ?? false);
	const isQuiet = useSignal((settings?.quiet_hours ?? null) !== null);
	const from = useSignal(settings?.quiet_hours?.from ?? NIGHT.from);
	const to = useSignal(settings?.quiet_hours?.to ?? NIGHT.to);
	const isDone = useSignal(false);
	const { busy, problem, run } = useWork();
	const choose = (kind, isOn) => {
		isDone.value = false;
		off.value = isOn ? off.value.filter((it) => it !== kind) : [...off.value, kind];
	};
	return a("form", {
		class: "notifications stacked",
		onSubmit: (event) => {
			event.preventDefault();
			isDone.value = false;
			run(async () => {
				const hours = {
					from: from.value,
					to: to.value,
					utc_offset: utcOffset()
				};
				await changeMe({ notifications: {
					off: [...off.value],
					sound: sound.value,
					show_text: showsText.value,
					quiet_hours: isQuiet.value ? hours : null
				} });
				isDone.value = true;
			});
		},
		children: [
			a("h3", { children: words.title }),
			a(Here, {}),
			a(Pushed, {}),
			a("fieldset", { children: [a("legend", { children: words.about }), KINDS.map((kind) => a("label", {
				class: "switch",
				children: [a("input", {
					type: "checkbox",
					name: kind,
					checked: !off.value.includes(kind),
					onChange: (event) => choose(kind, event.currentTarget.checked)
				}), words.kinds[kind].about]
			}, kind))] }),
			a("label", {
				class: "switch",
				children: [a("input", {
					type: "checkbox",
					name: "sound",
					checked: sound.value,
					onChange: (event) => sound.value = event.currentTarget.checked
				}), words.sound]
			}),
			a("label", {
				class: "switch",
				children: [a("input", {
					type: "checkbox",
					name: "text",
					checked: showsText.value,
					onChange: (event) => showsText.value = event.currentTarget.checked
				}), words.showsText]
			}),
			a("label", {
				class: "switch",
				children: [a("input", {
					type: "checkbox",
					name: "quiet",
					checked: isQuiet.value,
					onChange: (event) => isQuiet.value = event.currentTarget.checked
				}), words.quiet]
			}),
			isQuiet.value && a("div", {
				class: "hours",
				children: [a(Field, {
					label: words.from,
					error: problem?.about("notifications.quiet_hours.from"),
					children: (input) => a("input", {
						...input,
						type: "time",
						name: "from",
						required: true,
						value: from.value,
						onInput: (event) => from.value = event.currentTarget.value
					})
				}), a(Field, {
					label: words.to,
					error: problem?.about("notifications.quiet_hours.to"),
					children: (input) => a("input", {
						...input,
						type: "time",
						name: "to",
						required: true,
						value: to.value,
						onInput: (event) => to.value = event.currentTarget.value
					})
				})]
			}),
			problem !== void 0 && a(ProblemNote, { problem }),
			a("p", {
				role: "status",
				children: isDone.value && words.saved
			}),
			a("div", {
				class: "actions",
				children: a(Button, {
					type: "submit",
					busy,
					children: words.save
				})
			})
		]
	});
}
function Here() {
	const words = notifications();
	const isRefused = permission.value === "denied";
	return a("div", { children: [a("label", {
		class: "switch",
		children: [a("input", {
			type: "checkbox",
			name: "here",
			checked: isShown(),
			disabled: !isPossible,
			onChange: (event) => {
				const input = event.currentTarget;
				switchHere(input.checked).then(() => input.checked = isShown());
			}
		}), words.here]
	}), a("p", {
		class: "soft",
		role: "status",
		children: isPossible ? isRefused && words.refused : words.impossible
	})] });
}
function Pushed() {
	const words = notifications();
	const { busy, problem, run } = useWork();
	return a("div", { children: [
		a("label", {
			class: "switch",
			children: [a("input", {
				type: "checkbox",
				name: "push",
				checked: isPushed.value,
				disabled: !canPush || busy,
				onChange: (event) => {
					const input = event.currentTarget;
					run(() => switchPushes(input.checked)).then(() => input.checked = isPushed.peek());
				}
			}), words.push]
		}),
		a("p", {
			class: "soft",
			role: "status",
			children: canPush ? words.pushText : words.pushImpossible
		}),
		problem !== void 0 && a(ProblemNote, { problem })
	] });
}
// src/shell/profile.tsx
function Profile({ onClose }) {
	return a(Dialog, {
		title: profile().title,
		onClose,
		children: [
			a(Name, {}),
			a(Password, {}),
			a(Notifications, {})
		]
	});
}
function Name() {
	const words = profile();
	const name = useSignal(me.peek()?.user.name ?? "");
	const isDone = useSignal(false);
	const { busy, problem, run } = useWork();
	const isSame = name.value.trim() === me.value?.user.name;
	return a("form", {
		class: "stacked",
		onSubmit: (event) => {
			event.preventDefault();
			run(async () => {
				await changeMe({ name: name.value.trim() });
				isDone.value = true;
			});
		},
		children: [
			a(Field, {
				label: words.name,
				error: problem?.about("name"),
				children: (input) => a("input", {
					...input,
					...typed(name),
					autocomplete: "name",
					required: true,
					maxLength: 50
				})
			}),
			problem !== void 0 && a(ProblemNote, { problem }),
			a("p", {
				role: "status",
				children: isDone.value && isSame && words.named
			}),
			a("div", {
				class: "actions",
				children: a(Button, {
					type: "submit",
					busy,
					disabled: isSame,
					children: words.saveName
				})
			})
		]
	});
}
function Password() {
	const words = profile();
	const current = useSignal("");
	const password = useSignal("");
	const isDone = useSignal(false);
	const { busy, problem, run } = useWork();
	const isWrong = problem?.about("current_password") !== void 0;
	return a("form", {
		class: "stacked",
		onSubmit: (event) => {
			event.preventDefault();
			isDone.value = false;
			run(async () => {
				await changePassword(current.value, password.value);
				isDone.value = true;
				current.value = "";
				password.value = "";
			});
		},
		children: [
			a("input", {
				type: "email",
				autocomplete: "username",
				value: me.value?.user.email,
				readOnly: true,
				hidden: true
			}),
			a(Field, {
				label: words.current,
				error: isWrong ? words.wrong : void 0,
				children: (input) => a("input", {
					...input,
					...typed(current),
					type: "password",
					autocomplete: "current-password",
					required: true
				})
			}),
			a(Field, {
				label: words.password,
				hint: words.passwordHint,
				error: problem?.about("password"),
				children: (input) => a("input", {
					...input,
					...typed(password),
					type: "password",
					autocomplete: "new-password",
					required: true
				})
			}),
			problem !== void 0 && !isWrong && a(ProblemNote, { problem }),
			a("p", {
				role: "status",
				children: isDone.value && words.changed
			}),
			a("div", {
				class: "actions",
				children: a(Button, {
					type: "submit",
					look: "primary",
					busy,
					children: words.save
				})
			})
		]
	});
}
// src/words/shortcuts.ts
var shortcuts = dictionary({
	en: {
		title: "Keyboard shortcuts",
		letters: "Use single-key shortcuts",
		lettersHint: "If this is off, only combinations with Ctrl work.",
		here: "On this page",
		everywhere: "Everywhere"
	},
	ru: {
		title: "Сочетания клавиш",
		letters: "Использовать одиночные клавиши",
		lettersHint: "Если выключить, работают только сочетания с Ctrl.",
		here: "На этой странице",
		everywhere: "Везде"
	},
	es: {
		title: "Atajos de teclado",
		letters: "Usar atajos de una sola tecla",
		lettersHint: "Si se desactiva, solo funcionan las combinaciones con Ctrl.",
		here: "En esta página",
		everywhere: "En todas partes"
	}
});
// src/shell/shortcuts.tsx
function Shortcuts({ onClose }) {
	const words = shortcuts();
	const [everywhere, ...here] = shortcuts$1.value.map((group) => group.current);
	const tables = [{
		title: words.here,
		rows: here.flat()
	}, {
		title: words.everywhere,
		rows: everywhere ?? []
	}].filter((table) => table.rows.length > 0);
	return a(Dialog, {
		title: words.title,
		onClose,
		wide: true,
		children: [a("div", {
			class: "shortcuts",
			children: tables.map((table) => a("table", { children: [a("caption", { children: table.title }), a("tbody", { children: table.rows.map((row) => a("tr", { children: [a("th", {
				scope: "row",
				children: readable(row.keys).split(" ").map((key, at) => a($, { children: [at > 0 && " ", a("kbd", { children: key })] }, at))
			}), a("td", { children: row.says })] }, row.keys)) })] }, table.title))
		}), a("label", {
			class: "letters",
			children: [a("input", {
				type: "checkbox",
				checked: letters.value,
				onChange: (event) => switchLetters(event.currentTarget.checked)
			}), a("span", { children: [
				words.letters,
				" ",
				a("span", {
					class: "soft",
					children: words.lettersHint
				})
			] })]
		})]
	});
}
// src/work.ts
tellEarly();
export { ContactsPage, Details, Narrow, PresenceChoice, Profile, Shortcuts, ThreadPane, UnsortedPage, WriteFirst };
