import { $ as Page, $t as number, Gt as age, Ht as asProblem, Jt as day, Kt as bytes, Mt as command, Pt as hasWorlds, Qt as moment, R as isVisible, St as shell, Vt as Problem, X as reveal, Xt as exactClock, Y as WindowedList, Yt as dictionary, Z as Choices, _t as ProblemNote, at as redirect, bt as a, c as operatorToken, en as recentMoment, ft as useShortcuts, gn as $, gt as Skeleton, i as askTextAsOperator, in as useSignalEffect, it as place, n as Field, nt as narrow, o as forgetOperator, pn as T, r as askAsOperator, rn as useSignal, rt as open$1, s as listAsOperator, st as Empty, t as LanguageChoice, tt as match, un as A, vt as Button, xt as lasting, yt as Icon, z as Outside } from "./app.js";
import { E as Copy, O as useWork, T as Command, a as CHANNEL_KINDS, c as reasonOf, g as Badge, h as Dialog, k as useLoad, l as OperatorGate, m as Confirm, o as Kind, p as typed, s as kindName } from "./parts.js";
import { t as counted } from "./start.js";
import { A as Facts, C as Program, D as operator, E as Split, O as usePolled, S as Moment, T as Listed, _ as Body, a as GROUPS, b as Once, c as Pause, d as accounts, f as channels$1, g as Headers, h as Status, i as useWalk, j as Part, k as Fact, l as curl, m as useChannels, n as namesOf, o as SURFACES, p as nameOf, r as put, s as OutcomeNote, t as AccountsChoice, u as ChannelChoice, v as laidOut, w as AdmittedUsers, y as parsed } from "./operator.js";
import { r as hostOf, t as webhooks } from "./webhooks.js";
// src/words/callbacks.ts
var callbacks = dictionary({
	en: {
		title: "Callbacks",
		list: "Callbacks, newest first",
		choose: "Choose a callback to see its request and its attempts.",
		chooseText: "To open an older delivered callback, enter its message id.",
		state: "State",
		all: "All",
		groups: {
			failed: "Failed",
			waiting: "Waiting",
			delivered: "Delivered"
		},
		find: "Open by message id",
		ofConversation: "Conversation",
		allConversations: "Show all conversations",
		empty: "No callbacks yet",
		emptyText: "The service sends a callback for each message and reaction of an account user, and lists it here. The list omits callbacks that were delivered before the last start of the service.",
		nothing: "No callbacks match the filter.",
		next: "next callback",
		previous: "previous callback",
		states: {
			queued: "Queued",
			sending: "Sending",
			waiting: "Waiting for retry",
			held: "Held",
			delivered: "Delivered",
			dead: "Dead",
			cancelled: "Cancelled"
		},
		classes: {
			delivered: "Delivered",
			failing: "The endpoint failed",
			too_many: "Rate limit of the integration exceeded",
			away: "The integration is temporarily unavailable",
			not_authorized: "The integration refuses the authorization of callbacks",
			misconfigured: "The endpoint is wrong",
			gone: "The endpoint is permanently gone",
			not_found: "The endpoint or the conversation does not exist",
			rejected: "The integration rejects the message for now",
			refused: "The integration rejects the message",
			aborted: "The integration asks for no further attempt",
			not_expressible: "Version 1 cannot express the message"
		},
		tries: (count) => counted("en", count, {
			one: "attempt",
			other: "attempts"
		}),
		type: "Type",
		types: {
			text: "Text",
			picture: "Picture",
			file: "File",
			reaction: "Reaction"
		},
		replay: "Replay the callback",
		replaySure: "Already delivered: send it again",
		discard: "Discard the callback",
		discardSure: "Discard permanently",
		message: "Message",
		conversation: "Conversation",
		written: "Written",
		nextAttempt: "Next attempt",
		replayed: "Replayed",
		times: (count) => counted("en", count, {
			one: "time",
			other: "times"
		}),
		attempts: {
			title: "Attempts",
			none: "No attempts yet.",
			number: "No.",
			at: "Time",
			answer: "Response",
			took: "Duration",
			said: "Response body",
			next: (time) => `next attempt ${time}`,
			omitted: (count) => `The log omits ${counted("en", count, {
				one: "attempt",
				other: "attempts"
			})} between these.`
		},
		request: {
			title: "Request",
			text: "The request as the service would send it now, with the current time and signature.",
			version: "Version",
			headers: "Callback headers",
			body: "Callback body",
			again: "The same request with curl, byte for byte",
			edit: "Edit and send…"
		},
		edited: {
			title: "Send an edited body",
			text: "The service sends this body once, as a test, to the endpoint of the channel, byte for byte. The message and its callback do not change.",
			layout: "Format",
			layouts: {
				lines: "Many lines",
				line: "One line"
			},
			body: "Body",
			sign: "Calculate a new signature",
			signatureHint: "The signature of the original body. An integration that verifies signatures rejects it.",
			submit: "Send once"
		},
		replays: {
			open: "Replay callbacks…",
			title: "Replay callbacks",
			text: "The service queues all matching callbacks again that are dead or cancelled now.",
			conversation: "Conversation id (optional)",
			submit: "Replay callbacks",
			jobs: "Replay jobs",
			none: "No jobs yet.",
			states: {
				running: "Running",
				done: "Done",
				cancelled: "Cancelled"
			},
			progress: (replayed, skipped) => `${replayed} queued again, ${skipped} skipped`
		}
	},
	ru: {
		title: "Вебхуки",
		list: "Вебхуки, сначала новые",
		choose: "Выберите вебхук, чтобы увидеть его запрос и попытки доставки.",
		chooseText: "Чтобы открыть вебхук, доставленный ранее, введите id его сообщения.",
		state: "Состояние",
		all: "Все",
		groups: {
			failed: "С ошибкой",
			waiting: "Ожидают",
			delivered: "Доставлены"
		},
		find: "Открыть по id сообщения",
		ofConversation: "Беседа",
		allConversations: "Показать все беседы",
		empty: "Вебхуков пока нет",
		emptyText: "Сервис отправляет вебхук на каждое сообщение и каждую реакцию пользователя аккаунта и показывает его здесь. Вебхуков, доставленных до последнего запуска сервиса, в списке нет.",
		nothing: "Фильтру не соответствует ни один вебхук.",
		next: "следующий вебхук",
		previous: "предыдущий вебхук",
		states: {
			queued: "В очереди",
			sending: "Отправляется",
			waiting: "Ожидает повтора",
			held: "Задержан",
			delivered: "Доставлен",
			dead: "Не доставлен",
			cancelled: "Отменён"
		},
		classes: {
			delivered: "Доставлен",
			failing: "Ошибка на стороне интеграции",
			too_many: "Превышен лимит запросов интеграции",
			away: "Интеграция временно недоступна",
			not_authorized: "Интеграция отклоняет авторизацию вебхуков",
			misconfigured: "Неверный адрес",
			gone: "Адрес больше не существует",
			not_found: "Нет такого адреса или такой беседы",
			rejected: "Интеграция пока отклоняет сообщение",
			refused: "Интеграция отклонила сообщение",
			aborted: "Интеграция просит не повторять попытки",
			not_expressible: "Версия 1 не может передать сообщение"
		},
		tries: (count) => counted("ru", count, {
			one: "попытка",
			few: "попытки",
			many: "попыток",
			other: "попытки"
		}),
		type: "Тип",
		types: {
			text: "Текст",
			picture: "Изображение",
			file: "Файл",
			reaction: "Реакция"
		},
		replay: "Отправить вебхук повторно",
		replaySure: "Уже доставлен: отправить ещё раз",
		discard: "Отменить вебхук",
		discardSure: "Отменить без возможности возврата",
		message: "Сообщение",
		conversation: "Беседа",
		written: "Написано",
		nextAttempt: "Следующая попытка",
		replayed: "Отправлен повторно",
		times: (count) => counted("ru", count, {
			one: "раз",
			few: "раза",
			many: "раз",
			other: "раза"
		}),
		attempts: {
			title: "Попытки",
			none: "Попыток пока нет.",
			number: "№",
			at: "Время",
			answer: "Ответ",
			took: "Длительность",
			said: "Тело ответа",
			next: (time) => `следующая попытка ${time}`,
			omitted: (count) => `Журнал не хранит ${counted("ru", count, {
				one: "попытку",
				few: "попытки",
				many: "попыток",
				other: "попытки"
			})} между ними.`
		},
		request: {
			title: "Запрос",
			text: "Запрос, который сервис отправил бы сейчас, с текущими временем и подписью.",
			version: "Версия",
			headers: "Заголовки вебхука",
			body: "Тело вебхука",
			again: "Тот же запрос байт в байт через curl",
			edit: "Изменить и отправить…"
		},
		edited: {
			title: "Отправить изменённое тело",
			text: "Сервис один раз отправит это тело на адрес канала для проверки, байт в байт. Сообщение и его вебхук не изменятся.",
			layout: "Формат",
			layouts: {
				lines: "Много строк",
				line: "Одна строка"
			},
			body: "Тело",
			sign: "Вычислить новую подпись",
			signatureHint: "Подпись исходного тела. Интеграция, которая проверяет подписи, отклонит запрос.",
			submit: "Отправить один раз"
		},
		replays: {
			open: "Отправить повторно…",
			title: "Повторная отправка вебхуков",
			text: "Сервис снова поставит в очередь все подходящие вебхуки, которые сейчас не доставлены или отменены.",
			conversation: "Id беседы (необязательно)",
			submit: "Отправить вебхуки повторно",
			jobs: "Задания повторной отправки",
			none: "Заданий пока нет.",
			states: {
				running: "Выполняется",
				done: "Готово",
				cancelled: "Отменено"
			},
			progress: (replayed, skipped) => `снова в очереди ${replayed}, пропущено ${skipped}`
		}
	},
	es: {
		title: "Callbacks",
		list: "Callbacks, primero los más recientes",
		choose: "Elija un callback para ver su solicitud y sus intentos.",
		chooseText: "Para abrir un callback entregado anterior, ingrese el id de su mensaje.",
		state: "Estado",
		all: "Todos",
		groups: {
			failed: "Fallidos",
			waiting: "En espera",
			delivered: "Entregados"
		},
		find: "Abrir por id de mensaje",
		ofConversation: "Conversación",
		allConversations: "Mostrar todas las conversaciones",
		empty: "Todavía no hay callbacks",
		emptyText: "El servicio envía un callback por cada mensaje y reacción de un usuario de la cuenta y lo muestra aquí. La lista no incluye los callbacks entregados antes del último inicio del servicio.",
		nothing: "Ningún callback coincide con el filtro.",
		next: "callback siguiente",
		previous: "callback anterior",
		states: {
			queued: "En cola",
			sending: "Enviando",
			waiting: "Espera un reintento",
			held: "Retenido",
			delivered: "Entregado",
			dead: "No entregado",
			cancelled: "Cancelado"
		},
		classes: {
			delivered: "Entregado",
			failing: "El endpoint falló",
			too_many: "Límite de solicitudes de la integración superado",
			away: "La integración no está disponible por ahora",
			not_authorized: "La integración rechaza la autorización de los callbacks",
			misconfigured: "El endpoint es incorrecto",
			gone: "El endpoint ya no existe",
			not_found: "No existe el endpoint o la conversación",
			rejected: "La integración rechaza el mensaje por ahora",
			refused: "La integración rechaza el mensaje",
			aborted: "La integración pide no hacer más intentos",
			not_expressible: "La versión 1 no puede expresar el mensaje"
		},
		tries: (count) => counted("es", count, {
			one: "intento",
			other: "intentos"
		}),
		type: "Tipo",
		types: {
			text: "Texto",
			picture: "Imagen",
			file: "Archivo",
			reaction: "Reacción"
		},
		replay: "Reenviar el callback",
		replaySure: "Ya entregado: enviar otra vez",
		discard: "Descartar el callback",
		discardSure: "Descartar definitivamente",
		message: "Mensaje",
		conversation: "Conversación",
		written: "Escrito",
		nextAttempt: "Próximo intento",
		replayed: "Reenviado",
		times: (count) => counted("es", count, {
			one: "vez",
			other: "veces"
		}),
		attempts: {
			title: "Intentos",
			none: "Todavía no hay intentos.",
			number: "N.º",
			at: "Hora",
			answer: "Respuesta",
			took: "Duración",
			said: "Cuerpo de la respuesta",
			next: (time) => `próximo intento ${time}`,
			omitted: (count) => `El registro omite ${counted("es", count, {
				one: "intento",
				other: "intentos"
			})} entre estos.`
		},
		request: {
			title: "Solicitud",
			text: "La solicitud que el servicio enviaría ahora, con la hora y la firma actuales.",
			version: "Versión",
			headers: "Encabezados del callback",
			body: "Cuerpo del callback",
			again: "La misma solicitud con curl, byte por byte",
			edit: "Editar y enviar…"
		},
		edited: {
			title: "Enviar un cuerpo editado",
			text: "El servicio envía este cuerpo una vez, como prueba, al endpoint del canal, byte por byte. El mensaje y su callback no cambian.",
			layout: "Formato",
			layouts: {
				lines: "Varias líneas",
				line: "Una línea"
			},
			body: "Cuerpo",
			sign: "Calcular una firma nueva",
			signatureHint: "La firma del cuerpo original. Una integración que verifica las firmas la rechaza.",
			submit: "Enviar una vez"
		},
		replays: {
			open: "Reenviar callbacks…",
			title: "Reenviar callbacks",
			text: "El servicio vuelve a poner en cola todos los callbacks que coinciden y que ahora están no entregados o cancelados.",
			conversation: "Id de la conversación (opcional)",
			submit: "Reenviar callbacks",
			jobs: "Tareas de reenvío",
			none: "Todavía no hay tareas.",
			states: {
				running: "En curso",
				done: "Hecha",
				cancelled: "Cancelada"
			},
			progress: (replayed, skipped) => `${replayed} de nuevo en cola, ${skipped} omitidos`
		}
	}
});
// src/areas/callbacks/state.tsx
var LOOKS$2 = {
	queued: ["plain", "clock"],
	sending: ["info", "send"],
	waiting: ["warn", "retry"],
	held: ["warn", "paused"],
	delivered: ["good", "check"],
	dead: ["bad", "warning"],
	cancelled: ["plain", "stopped"]
};
function StateBadge({ state }) {
	const [tone, icon] = LOOKS$2[state];
	return a(Badge, {
		tone,
		icon,
		children: callbacks().states[state]
	});
}
function meaningOf(attempt) {
	return callbacks().classes[attempt.class === "misconfigured" && (attempt.status === 401 || attempt.status === 403) ? "not_authorized" : attempt.class] ?? attempt.class;
}
function answerOf({ status, failure }) {
	if (status !== null) return String(status);
	return operator().failures[failure ?? ""] ?? failure ?? "—";
}
// src/areas/callbacks/attempts.tsx
function Attempts({ log, omitted }) {
	const words = callbacks().attempts;
	return a(Part, {
		title: words.title,
		children: log.length === 0 ? a("p", {
			class: "soft",
			children: words.none
		}) : a("div", {
			class: "scrolls",
			tabIndex: 0,
			children: a("table", {
				class: "attempts",
				children: [a("thead", { children: a("tr", { children: [
					a("th", {
						scope: "col",
						children: words.number
					}),
					a("th", {
						scope: "col",
						children: words.at
					}),
					a("th", {
						scope: "col",
						children: words.answer
					}),
					a("th", {
						scope: "col",
						children: words.took
					}),
					a("th", {
						scope: "col",
						children: words.said
					})
				] }) }), a("tbody", { children: log.map((attempt, at) => a($, { children: [at === log.length / 2 && omitted > 0 && a("tr", { children: a("td", {
					colSpan: 5,
					class: "soft",
					children: words.omitted(omitted)
				}) }), a("tr", { children: [
					a("th", {
						scope: "row",
						children: number(attempt.number)
					}),
					a("td", { children: [moment(attempt.at), attempt.address !== null && a("div", {
						class: "soft",
						children: attempt.address
					})] }),
					a("td", { children: [a("strong", {
						class: attempt.class === "delivered" ? "good" : "bad",
						children: answerOf(attempt)
					}), a("div", {
						class: "soft",
						children: meaningOf(attempt)
					})] }),
					a("td", { children: [number(attempt.took_ms), " ms"] }),
					a("td", { children: [attempt.excerpt !== "" && a("code", {
						class: "excerpt",
						tabIndex: 0,
						children: attempt.excerpt
					}), attempt.next_attempt_at !== null && a("div", {
						class: "soft",
						children: words.next(moment(attempt.next_attempt_at))
					})] })
				] })] }, attempt.number)) })]
			})
		})
	});
}
// src/areas/callbacks/replay.tsx
var isOver = (state) => state === "delivered" || state === "dead" || state === "cancelled";
function Replay$1({ state, says, busy, onReplay }) {
	const sure = useSignal(false);
	const isDelivered = state === "delivered";
	const isOffered = isOver(state) || state === "waiting";
	const replay = () => {
		if (isDelivered && !sure.value) sure.value = true;
		else if (isOffered) {
			sure.value = false;
			onReplay();
		}
	};
	A(() => {
		sure.value = false;
	}, [state]);
	useShortcuts([{
		keys: "KeyX",
		says,
		run: replay
	}]);
	if (!isOffered) return null;
	return a(Button, {
		look: isDelivered ? "plain" : "primary",
		icon: "retry",
		busy,
		onClick: replay,
		children: isDelivered && sure.value ? callbacks().replaySure : says
	});
}
// src/areas/callbacks/edited.tsx
var LAYOUTS = ["lines", "line"];
function isJson(text) {
	return parsed(text) !== void 0;
}
function Edited({ path, request, onClose }) {
	const words = callbacks().edited;
	const body = useSignal(isJson(request.body) ? laidOut(request.body, true) : request.body);
	const signs = useSignal(true);
	const signature = useSignal(request.signature);
	const outcome = useSignal(void 0);
	const task = useWork();
	const send = () => task.run(async () => {
		const given = signs.value ? {} : { signature: signature.value.trim() };
		const edited = {
			body: body.value,
			version: request.version,
			...given
		};
		outcome.value = void 0;
		outcome.value = await askAsOperator(`${path}/edited-replay`, {
			method: "POST",
			body: edited
		});
	});
	return a(Dialog, {
		title: words.title,
		onClose,
		wide: true,
		children: a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				send();
			},
			children: [
				a("p", {
					class: "soft",
					children: words.text
				}),
				isJson(body.value) && a(Choices, {
					label: words.layout,
					value: LAYOUTS.find((layout) => body.value === laidOut(body.value, layout === "lines")) ?? "own",
					options: LAYOUTS.map((value) => ({
						value,
						says: words.layouts[value]
					})),
					onChoose: (chosen) => {
						body.value = laidOut(body.value, chosen === "lines");
					}
				}),
				a(Field, {
					label: words.body,
					error: task.problem?.about("body"),
					children: (input) => a("textarea", {
						...input,
						class: "mono",
						rows: 12,
						spellcheck: false,
						value: body.value,
						onInput: (event) => {
							body.value = event.currentTarget.value;
						}
					})
				}),
				a("label", {
					class: "check",
					children: [a("input", {
						type: "checkbox",
						checked: signs.value,
						onChange: (event) => signs.value = event.currentTarget.checked
					}), words.sign]
				}),
				!signs.value && a(Field, {
					label: "X-Signature",
					hint: words.signatureHint,
					error: task.problem?.about("signature"),
					children: (input) => a("input", {
						...input,
						class: "mono",
						required: true,
						spellcheck: false,
						value: signature.value,
						onInput: (event) => {
							signature.value = event.currentTarget.value;
						}
					})
				}),
				task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
				outcome.value !== void 0 && a(OutcomeNote, { outcome: outcome.value }),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: onClose,
						children: shell().close
					}), a(Button, {
						type: "submit",
						look: "primary",
						icon: "send",
						busy: task.busy,
						children: words.submit
					})]
				})
			]
		})
	});
}
// src/areas/callbacks/request.tsx
function Request$1({ path, attempts }) {
	const words = callbacks().request;
	const version = useSignal(void 0);
	const editing = useSignal(void 0);
	const query = { version: version.value };
	const loaded = useLoad(`${version.value ?? ""} ${attempts}`, (signal) => askAsOperator(`${path}/request`, {
		query,
		signal
	}));
	const request = loaded.data.value;
	const shown = version.value ?? request?.version;
	const actions = a("div", {
		class: "buttons",
		children: [shown !== void 0 && a(Choices, {
			label: words.version,
			value: shown,
			options: [{
				value: "v1",
				says: "v1"
			}, {
				value: "v2",
				says: "v2"
			}],
			onChoose: (chosen) => {
				version.value = chosen;
			}
		}), request !== void 0 && a(Button, {
			icon: "edit",
			onClick: () => editing.value = request,
			children: words.edit
		})]
	});
	return a(Part, {
		title: words.title,
		actions,
		children: [
			a("p", {
				class: "soft",
				children: words.text
			}),
			loaded.problem.value !== void 0 && a(ProblemNote, {
				problem: loaded.problem.value,
				retry: loaded.reload
			}),
			request !== void 0 && a($, { children: [
				a(Facts, { children: [a(Fact, {
					name: request.method,
					copy: request.url,
					children: a("code", { children: request.url })
				}), a(Fact, {
					name: "X-Signature",
					copy: request.signature,
					children: a("code", { children: request.signature })
				})] }),
				a(Headers, {
					headers: request.headers.filter(({ name }) => name !== "X-Signature"),
					label: words.headers
				}),
				a(Body, {
					text: request.body,
					label: words.body
				}),
				a("h3", { children: words.again }),
				a(Command, { text: curl({
					...request,
					headers: request.headers.map(({ name, value }) => ({
						name,
						value: value ?? ""
					}))
				}) })
			] }),
			editing.value !== void 0 && a(Edited, {
				path,
				request: editing.value,
				onClose: () => editing.value = void 0
			})
		]
	});
}
// src/areas/callbacks/callback.tsx
function Callback({ id, channels }) {
	const words = callbacks();
	const path = `/admin/v1/deliveries/${encodeURIComponent(id)}`;
	const loaded = usePolled(id, 2e3, (signal) => askAsOperator(path, { signal }));
	const task = useWork();
	const sure = useSignal(false);
	const delivery = loaded.data.value;
	const act = (what) => task.run(async () => {
		loaded.data.value = await askAsOperator(`${path}/${what}`, {
			method: "POST",
			body: {}
		});
		sure.value = false;
	});
	const state = delivery?.state;
	A(() => {
		sure.value = false;
	}, [state]);
	if (delivery === void 0) return loaded.problem.value === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
		problem: loaded.problem.value,
		retry: loaded.reload
	});
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", {
				"aria-live": "polite",
				children: a(StateBadge, { state: delivery.state })
			}), a("div", {
				class: "buttons",
				children: [a(Replay$1, {
					state: delivery.state,
					says: words.replay,
					busy: task.busy,
					onReplay: () => void act("replay")
				}), !isOver(delivery.state) && (sure.value ? a(Button, {
					look: "danger",
					icon: "trash",
					busy: task.busy,
					onClick: () => void act("discard"),
					children: words.discardSure
				}) : a(Button, {
					icon: "trash",
					onClick: () => sure.value = true,
					children: words.discard
				}))]
			})]
		}),
		task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
		loaded.problem.value !== void 0 && a(ProblemNote, {
			problem: loaded.problem.value,
			retry: loaded.reload
		}),
		reasonOf(delivery) !== "" && a("p", {
			class: "note",
			children: reasonOf(delivery)
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.message,
				copy: delivery.id,
				children: a("code", { children: delivery.id })
			}),
			a(Fact, {
				name: words.type,
				children: words.types[delivery.type]
			}),
			a(Fact, {
				name: words.conversation,
				copy: delivery.conversation_id,
				children: a("a", {
					href: `/conversations/${encodeURIComponent(delivery.conversation_id)}`,
					children: a("code", { children: delivery.conversation_id })
				})
			}),
			a(Fact, {
				name: operator().channel,
				children: a("a", {
					href: `/channels/${encodeURIComponent(delivery.channel_id)}`,
					children: nameOf(channels, delivery.channel_id)
				})
			}),
			a(Fact, {
				name: operator().scope,
				copy: delivery.scope_id,
				children: a("code", { children: delivery.scope_id })
			}),
			a(Fact, {
				name: words.written,
				children: moment(delivery.written_at)
			}),
			delivery.next_attempt_at !== null && a(Fact, {
				name: words.nextAttempt,
				children: moment(delivery.next_attempt_at)
			}),
			delivery.replays > 0 && a(Fact, {
				name: words.replayed,
				children: words.times(delivery.replays)
			})
		] }),
		a(Attempts, {
			log: delivery.log,
			omitted: delivery.log_omitted
		}),
		a(Request$1, {
			path,
			attempts: delivery.attempts
		})
	] });
}
// src/areas/callbacks/newest.ts
var STEP = 50;
var MOST$3 = 1e3;
var PAGE = 250;
async function newest({ path, name, query }, wanted, signal) {
	const rows = [];
	let next;
	for (let asked = 0; asked < 20 && next !== null && rows.length < wanted; asked += 1) {
		const limit = Math.min(PAGE, wanted - rows.length);
		const how = {
			query: {
				...query,
				limit,
				cursor: next
			},
			signal
		};
		const page = await askAsOperator(path, how);
		rows.push(...page[name] ?? []);
		next = page.next;
	}
	return {
		rows,
		next: next ?? null
	};
}
function useNewest(question) {
	const key = JSON.stringify(question);
	const most = useSignal({
		key,
		count: STEP
	});
	const count = most.value.key === key ? most.value.count : STEP;
	const loaded = usePolled(key, 2e3, (signal) => newest(question, count, signal));
	A(() => {
		if (count > STEP) loaded.reload();
	}, [count]);
	const rows = loaded.data.value?.rows ?? [];
	return {
		loaded,
		rows,
		isMore: (loaded.data.value?.next ?? null) !== null && count < MOST$3 && rows.length > 0,
		isBusy: loaded.loading.value && rows.length < count,
		more: () => {
			most.value = {
				key,
				count: count + STEP
			};
		}
	};
}
// src/areas/callbacks/list.tsx
function List$3({ selected, channels, children }) {
	const words = callbacks();
	const { query } = place.value;
	const wanted = {
		group: query.get("group") ?? "",
		channel_id: query.get("channel") ?? "",
		conversation_id: query.get("conversation") ?? ""
	};
	const { loaded, rows: all, isMore, isBusy, more } = useNewest({
		path: "/admin/v1/deliveries",
		name: "deliveries",
		query: wanted
	});
	const at = (id) => `/callbacks/${encodeURIComponent(id)}${location.search}`;
	useWalk({
		rows: all,
		selected,
		at,
		words
	});
	const problem = loaded.problem.value;
	const isNarrowed = Object.values(wanted).some((value) => value !== "");
	const filters = a($, { children: [
		a(Choices, {
			label: words.state,
			value: wanted.group,
			options: [{
				value: "",
				says: words.all
			}, ...GROUPS.map((value) => ({
				value,
				says: words.groups[value]
			}))],
			onChoose: (group) => narrow({ group })
		}),
		a(ChannelChoice, {
			all: channels,
			value: wanted.channel_id,
			onChoose: (channel) => narrow({ channel })
		}),
		a(Find, { conversation: wanted.conversation_id })
	] });
	return a(Split, {
		label: words.list,
		narrow: filters,
		isChosen: selected !== void 0,
		home: "/callbacks",
		rows: a($, { children: [
			problem !== void 0 && a(ProblemNote, {
				problem,
				retry: loaded.reload
			}),
			loaded.data.value === void 0 && problem === void 0 && a(Skeleton, {}),
			loaded.data.value !== void 0 && all.length === 0 && a(Empty, {
				title: isNarrowed ? words.nothing : words.empty,
				command: isNarrowed ? void 0 : "reply \"Hello\"",
				children: isNarrowed ? a(Button, {
					onClick: () => narrow({
						group: null,
						channel: null,
						conversation: null
					}),
					children: shell().clear
				}) : a("p", { children: words.emptyText })
			}),
			a("ul", { children: all.map((row) => a("li", { children: a("a", {
				class: "line",
				href: at(row.id),
				"aria-current": row.id === selected ? "true" : void 0,
				children: [
					a("span", { children: [
						a(StateBadge, { state: row.state }),
						" ",
						a("bdi", { children: isVisible(row.customer) ? row.customer : words.types[row.type] })
					] }),
					a("time", {
						dateTime: new Date(row.written_at * 1e3).toISOString(),
						title: moment(row.written_at),
						children: recentMoment(row.written_at)
					}),
					a("span", {
						class: "under",
						children: [
							isVisible(row.customer) ? words.types[row.type] : "",
							nameOf(channels, row.channel_id),
							row.attempts > 1 ? words.tries(row.attempts) : ""
						].filter((it) => it !== "").join(" · ")
					}),
					row.last_attempt !== null && row.state !== "delivered" && a("span", {
						class: "under bad",
						children: [
							answerOf(row.last_attempt),
							" · ",
							meaningOf(row.last_attempt)
						]
					})
				]
			}) }, row.id)) }),
			isMore && a(Button, {
				busy: isBusy,
				onClick: more,
				children: shell().loadMore
			})
		] }),
		children
	});
}
function Find({ conversation }) {
	const words = callbacks();
	const text = useSignal("");
	return a("form", {
		onSubmit: (event) => {
			event.preventDefault();
			const id = text.value.trim();
			if (id !== "") open$1(`/callbacks/${encodeURIComponent(id)}${location.search}`);
			text.value = "";
		},
		children: [a("input", {
			class: "mono",
			"aria-label": words.find,
			placeholder: words.find,
			value: text.value,
			onInput: (event) => {
				text.value = event.currentTarget.value;
			}
		}), conversation !== "" && a("p", {
			class: "soft",
			children: [
				words.ofConversation,
				" ",
				a("code", { children: conversation }),
				" ",
				a(Button, {
					look: "quiet",
					icon: "close",
					label: words.allConversations,
					onClick: () => narrow({ conversation: null })
				})
			]
		})]
	});
}
// src/areas/callbacks/replays.tsx
function Replays({ channels, onClose }) {
	const words = callbacks().replays;
	const { query } = place.peek();
	const state = useSignal("dead");
	const channel = useSignal(query.get("channel") ?? "");
	const conversation = useSignal(query.get("conversation") ?? "");
	const task = useWork();
	const jobs = usePolled("replays", 1e3, (signal) => listAsOperator("/admin/v1/replays", "replays", signal));
	const begin = () => task.run(async () => {
		const filter = {
			state: state.value,
			...channel.value === "" ? {} : { channel_id: channel.value },
			...conversation.value.trim() === "" ? {} : { conversation_id: conversation.value.trim() }
		};
		await askAsOperator("/admin/v1/replays", {
			method: "POST",
			body: filter
		});
		jobs.reload();
	});
	const cancel = (id) => task.run(async () => {
		await askAsOperator(`/admin/v1/replays/${id}/cancel`, {
			method: "POST",
			body: {}
		});
		jobs.reload();
	});
	const all = jobs.data.value ?? [];
	return a(Dialog, {
		title: words.title,
		onClose,
		wide: true,
		children: [
			a("form", {
				class: "form",
				onSubmit: (event) => {
					event.preventDefault();
					begin();
				},
				children: [
					a("p", {
						class: "soft",
						children: words.text
					}),
					a("div", {
						class: "buttons",
						children: [a("select", {
							"aria-label": callbacks().state,
							value: state.value,
							onChange: (event) => state.value = event.currentTarget.value,
							children: [a("option", {
								value: "dead",
								children: callbacks().states.dead
							}), a("option", {
								value: "cancelled",
								children: callbacks().states.cancelled
							})]
						}), a(ChannelChoice, {
							all: channels,
							value: channel.value,
							onChoose: (id) => channel.value = id
						})]
					}),
					a(Field, {
						label: words.conversation,
						error: task.problem?.about("conversation_id"),
						children: (input) => a("input", {
							...input,
							class: "mono",
							value: conversation.value,
							onInput: (event) => {
								conversation.value = event.currentTarget.value;
							}
						})
					}),
					task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
					a("div", {
						class: "actions",
						children: a(Button, {
							type: "submit",
							look: "primary",
							icon: "retry",
							busy: task.busy,
							children: words.submit
						})
					})
				]
			}),
			a("h3", { children: words.jobs }),
			jobs.problem.value !== void 0 && a(ProblemNote, { problem: jobs.problem.value }),
			all.length === 0 ? a("p", {
				class: "soft",
				children: words.none
			}) : a("div", {
				class: "scrolls",
				tabIndex: 0,
				children: a("table", { children: a("tbody", { children: all.map((job) => a("tr", { children: [
					a("th", {
						scope: "row",
						children: job.id
					}),
					a("td", { children: [
						callbacks().states[job.filter.state === "cancelled" ? "cancelled" : "dead"],
						job.filter.channel_id === null ? operator().allChannels : nameOf(channels, job.filter.channel_id),
						job.filter.conversation_id
					].filter(Boolean).join(" · ") }),
					a("td", { children: moment(job.began_at) }),
					a("td", { children: a(Badge, {
						tone: job.state === "done" ? "good" : "plain",
						icon: job.state === "done" ? "check" : "clock",
						children: [
							words.states[job.state],
							": ",
							words.progress(job.replayed, job.skipped)
						]
					}) }),
					a("td", { children: job.state === "running" && a(Button, {
						look: "quiet",
						icon: "close",
						onClick: () => void cancel(job.id),
						children: shell().cancel
					}) })
				] }, job.id)) }) })
			})
		]
	});
}
// src/areas/callbacks/page.tsx
function CallbacksPage({ id }) {
	return a(OperatorGate, {
		title: callbacks().title,
		children: () => a(Callbacks, { id })
	});
}
function Callbacks({ id }) {
	const words = callbacks();
	const replaying = useSignal(false);
	const channels = useChannels();
	const actions = a($, { children: [a(Pause, {}), a(Button, {
		icon: "retry",
		onClick: () => replaying.value = true,
		children: words.replays.open
	})] });
	return a(Page, {
		title: words.title,
		actions,
		fills: true,
		children: [a(List$3, {
			selected: id,
			channels,
			children: id === void 0 ? a(Empty, {
				title: words.choose,
				children: a("p", {
					class: "soft",
					children: words.chooseText
				})
			}) : a(Callback, {
				id,
				channels
			}, id)
		}), replaying.value && a(Replays, {
			channels,
			onClose: () => replaying.value = false
		})]
	});
}
// src/words/channels.ts
var channels = dictionary({
	en: {
		title: "Channels",
		list: "Channels",
		text: "A channel connects an integration: it has an id, a secret and the endpoints of the callbacks.",
		register: "Create a channel",
		edit: "Edit the channel",
		empty: "No channels yet",
		choose: "Choose a channel.",
		missing: "This channel does not exist.",
		paused: "Paused",
		rotating: "Secret rotation",
		pause: "Pause the channel",
		resume: "Resume the channel",
		pausedSince: (time) => `An operator paused the channel on ${time}. The service queues callbacks in order and sends none.`,
		id: "Id",
		name: "Name",
		kind: "Kind",
		kindHint: "Users see its picture beside the channel.",
		page: "Page of the integration",
		pageHint: "The console links it for administrators. Leave empty for no page.",
		noPage: "No page",
		address: (version) => `Endpoint for ${version}`,
		addressHint: "The service replaces “:scope_id” with the scope id of the account.",
		noAddress: "No endpoint",
		timeout: "Response timeout, in seconds",
		timeoutHint: "From 1 to 30. Leave empty for the default.",
		usual: "Default",
		shows: "The integration shows",
		buttons: "Buttons of templates",
		lists: "List messages",
		showsText: "Without this, the text of a message has the buttons or the rows of the list.",
		onlyText: "Text only",
		window: "Time window, in hours",
		windowHint: "From 1 to 720. After that time since the last message of the customer, users can send only templates. Leave empty for no window.",
		noWindow: "No window",
		assignment: "Automatic assignment",
		autoAssign: "Assign conversations that wait to users who are here",
		assignmentLimit: "Most open conversations of a user",
		assignmentHint: "From 1 to 500. A user who has so many is assigned no more.",
		assignsUpTo: (limit) => `Up to ${limit} open conversations of a user`,
		assignsNone: "Off",
		generation: "Generation",
		anyGeneration: "Any",
		more: "See also",
		callbacks: "Callbacks",
		requests: "Requests",
		connections: {
			title: "Connected accounts",
			none: "No account is connected. The integration connects accounts over the chat interface.",
			connection: "Title",
			version: "Callback version",
			end: "Disconnect",
			endSure: "Disconnect now",
			endText: "The account receives no more messages from the channel. The service cancels the callbacks that are queued for the account. The integration can connect the account again."
		},
		secret: {
			title: "Secret",
			secret: "Secret",
			fingerprint: "Fingerprint",
			old: "Fingerprint of the old secret",
			rotate: "Rotate the secret",
			end: "End the rotation",
			rotating: (time) => `Until ${time}, the service signs callbacks with the old secret and accepts requests signed with either secret. End the rotation when the integration uses the new secret.`,
			text: "The service creates a new secret and shows it once. The old secret stays valid for a period, so that you can update the integration.",
			grace: "Validity of the old secret, in hours",
			graceHint: "From 0 to 720.",
			made: (name) => `The secret of ${name}`,
			once: "The service shows this secret only once. Copy it now.",
			kept: "I copied the secret"
		},
		test: {
			title: "Test callback",
			text: "The service sends one signed callback now, even if the channel is paused. It does not create a delivery.",
			version: "Version of the test callback",
			itsVersion: "Version of the connection",
			anyAccount: "Any account",
			send: "Send a test callback"
		},
		environment: {
			title: "Environment variables",
			text: "Lines for the .env file of the integration.",
			without: "Lines for the .env file of the integration. The service does not show the secret again: fill it in."
		}
	},
	ru: {
		title: "Каналы",
		list: "Каналы",
		text: "Канал подключает интеграцию: у него есть id, секрет и адреса вебхуков.",
		register: "Создать канал",
		edit: "Изменить канал",
		empty: "Каналов пока нет",
		choose: "Выберите канал.",
		missing: "Такого канала нет.",
		paused: "Приостановлен",
		rotating: "Смена секрета",
		pause: "Приостановить канал",
		resume: "Возобновить канал",
		pausedSince: (time) => `Оператор приостановил канал ${time}. Сервис ставит вебхуки в очередь по порядку и не отправляет их.`,
		id: "Id",
		name: "Название",
		kind: "Вид",
		kindHint: "Пользователи видят его значок рядом с каналом.",
		page: "Страница интеграции",
		pageHint: "Консоль показывает ссылку на неё администраторам. Оставьте пустым, чтобы страницы не было.",
		noPage: "Нет страницы",
		address: (version) => `Адрес для ${version}`,
		addressHint: "Сервис подставит scope id аккаунта вместо «:scope_id».",
		noAddress: "Нет адреса",
		timeout: "Время ожидания ответа, секунд",
		timeoutHint: "От 1 до 30. Оставьте пустым, чтобы использовать значение по умолчанию.",
		usual: "По умолчанию",
		shows: "Интеграция показывает",
		buttons: "Кнопки шаблонов",
		lists: "Сообщения-списки",
		showsText: "Без этого кнопки и строки списка попадают в текст сообщения.",
		onlyText: "Только текст",
		window: "Окно для ответа, часов",
		windowHint: "От 1 до 720. Когда с последнего сообщения клиента пройдёт столько времени, пользователи смогут отправлять только шаблоны. Оставьте пустым, чтобы окна не было.",
		noWindow: "Нет окна",
		assignment: "Автоматическое назначение",
		autoAssign: "Назначать ожидающие диалоги пользователям, которые на месте",
		assignmentLimit: "Открытых диалогов у пользователя, не больше",
		assignmentHint: "От 1 до 500. Пользователю, у которого их столько, новые не назначаются.",
		assignsUpTo: (limit) => `До ${limit} открытых диалогов у пользователя`,
		assignsNone: "Выключено",
		generation: "Поколение",
		anyGeneration: "Любое",
		more: "Смотрите также",
		callbacks: "Вебхуки",
		requests: "Запросы",
		connections: {
			title: "Подключённые аккаунты",
			none: "Ни один аккаунт не подключён. Интеграция подключает аккаунты через интерфейс чатов.",
			connection: "Название",
			version: "Версия вебхуков",
			end: "Отключить",
			endSure: "Отключить сейчас",
			endText: "Аккаунт больше не будет получать сообщения канала. Сервис отменит вебхуки, которые стоят для него в очереди. Интеграция может подключить аккаунт снова."
		},
		secret: {
			title: "Секрет",
			secret: "Секрет",
			fingerprint: "Отпечаток",
			old: "Отпечаток старого секрета",
			rotate: "Сменить секрет",
			end: "Завершить смену",
			rotating: (time) => `До ${time} сервис подписывает вебхуки старым секретом и принимает запросы с подписью любого из двух секретов. Завершите смену, когда интеграция начнёт использовать новый секрет.`,
			text: "Сервис создаст новый секрет и покажет его один раз. Старый секрет ещё некоторое время действителен, чтобы вы успели обновить интеграцию.",
			grace: "Срок действия старого секрета, часов",
			graceHint: "От 0 до 720.",
			made: (name) => `Секрет канала ${name}`,
			once: "Сервис показывает секрет только один раз. Скопируйте его сейчас.",
			kept: "Секрет скопирован"
		},
		test: {
			title: "Тестовый вебхук",
			text: "Сервис сейчас отправит один подписанный вебхук, даже если канал приостановлен. Доставка при этом не создаётся.",
			version: "Версия тестового вебхука",
			itsVersion: "Версия подключения",
			anyAccount: "Любой аккаунт",
			send: "Отправить тестовый вебхук"
		},
		environment: {
			title: "Переменные окружения",
			text: "Строки для файла .env интеграции.",
			without: "Строки для файла .env интеграции. Сервис не показывает секрет повторно: впишите его."
		}
	},
	es: {
		title: "Canales",
		list: "Canales",
		text: "Un canal conecta una integración: tiene un id, un secreto y los endpoints de los callbacks.",
		register: "Crear un canal",
		edit: "Editar el canal",
		empty: "Todavía no hay canales",
		choose: "Elija un canal.",
		missing: "Este canal no existe.",
		paused: "En pausa",
		rotating: "Rotación del secreto",
		pause: "Pausar el canal",
		resume: "Reanudar el canal",
		pausedSince: (time) => `Un operador pausó el canal el ${time}. El servicio pone los callbacks en cola en orden y no envía ninguno.`,
		id: "Id",
		name: "Nombre",
		kind: "Tipo",
		kindHint: "Los usuarios ven su imagen junto al canal.",
		page: "Página de la integración",
		pageHint: "La consola la enlaza para los administradores. Deje vacío para no tener página.",
		noPage: "Sin página",
		address: (version) => `Endpoint para ${version}`,
		addressHint: "El servicio reemplaza «:scope_id» por el scope id de la cuenta.",
		noAddress: "Sin endpoint",
		timeout: "Tiempo de espera de la respuesta, en segundos",
		timeoutHint: "De 1 a 30. Deje vacío para usar el valor predeterminado.",
		usual: "Valor predeterminado",
		shows: "La integración muestra",
		buttons: "Botones de plantillas",
		lists: "Mensajes de lista",
		showsText: "Sin esto, el texto del mensaje contiene los botones o las filas de la lista.",
		onlyText: "Solo texto",
		window: "Ventana de tiempo, en horas",
		windowHint: "De 1 a 720. Pasado ese tiempo desde el último mensaje del cliente, los usuarios solo pueden enviar plantillas. Deje vacío para no tener ventana.",
		noWindow: "Sin ventana",
		assignment: "Asignación automática",
		autoAssign: "Asignar las conversaciones que esperan a usuarios presentes",
		assignmentLimit: "Máximo de conversaciones abiertas por usuario",
		assignmentHint: "De 1 a 500. A un usuario que tiene tantas no se le asignan más.",
		assignsUpTo: (limit) => `Hasta ${limit} conversaciones abiertas por usuario`,
		assignsNone: "Desactivada",
		generation: "Generación",
		anyGeneration: "Cualquiera",
		more: "Ver también",
		callbacks: "Callbacks",
		requests: "Solicitudes",
		connections: {
			title: "Cuentas conectadas",
			none: "No hay cuentas conectadas. La integración conecta cuentas por la interfaz de chat.",
			connection: "Título",
			version: "Versión de los callbacks",
			end: "Desconectar",
			endSure: "Desconectar ahora",
			endText: "La cuenta deja de recibir mensajes del canal. El servicio cancela los callbacks que están en cola para la cuenta. La integración puede volver a conectarla."
		},
		secret: {
			title: "Secreto",
			secret: "Secreto",
			fingerprint: "Huella",
			old: "Huella del secreto anterior",
			rotate: "Rotar el secreto",
			end: "Terminar la rotación",
			rotating: (time) => `Hasta ${time}, el servicio firma los callbacks con el secreto anterior y acepta solicitudes firmadas con cualquiera de los dos. Termine la rotación cuando la integración use el secreto nuevo.`,
			text: "El servicio crea un secreto nuevo y lo muestra una sola vez. El secreto anterior es válido durante un tiempo, para que pueda actualizar la integración.",
			grace: "Validez del secreto anterior, en horas",
			graceHint: "De 0 a 720.",
			made: (name) => `El secreto de ${name}`,
			once: "El servicio muestra este secreto una sola vez. Cópielo ahora.",
			kept: "Ya copié el secreto"
		},
		test: {
			title: "Callback de prueba",
			text: "El servicio envía ahora un callback firmado, aunque el canal esté en pausa. No crea una entrega.",
			version: "Versión del callback de prueba",
			itsVersion: "Versión de la conexión",
			anyAccount: "Cualquier cuenta",
			send: "Enviar un callback de prueba"
		},
		environment: {
			title: "Variables de entorno",
			text: "Líneas para el archivo .env de la integración.",
			without: "Líneas para el archivo .env de la integración. El servicio no vuelve a mostrar el secreto: complételo."
		}
	}
});
// src/areas/channels/connections.tsx
function Connections({ path, accounts }) {
	const words = channels().connections;
	const at = `${path}/connections`;
	const loaded = useLoad(at, (signal) => askAsOperator(at, { signal }));
	const ending = useSignal(void 0);
	const task = useWork();
	const page = loaded.data.value;
	const more = () => task.run(async () => {
		const behind = await askAsOperator(at, { query: { cursor: page?.next ?? void 0 } });
		loaded.data.value = {
			connections: [...page?.connections ?? [], ...behind.connections],
			next: behind.next
		};
	});
	const end = (account) => task.run(async () => {
		await askAsOperator(`${at}/${encodeURIComponent(account)}`, { method: "DELETE" });
		ending.value = void 0;
		const { connections = [], next = null } = loaded.data.peek() ?? {};
		loaded.data.value = {
			connections: connections.filter((it) => it.account_id !== account),
			next
		};
	});
	return a(Part, {
		title: words.title,
		children: [
			loaded.problem.value !== void 0 && a(ProblemNote, {
				problem: loaded.problem.value,
				retry: loaded.reload
			}),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			page === void 0 && loaded.problem.value === void 0 && a(Skeleton, {}),
			page?.connections.length === 0 && a("p", {
				class: "soft",
				children: words.none
			}),
			page !== void 0 && page.connections.length > 0 && a("div", {
				class: "scrolls",
				tabIndex: 0,
				children: a("table", {
					class: "connections",
					children: [a("thead", { children: a("tr", { children: [
						a("th", {
							scope: "col",
							children: operator().account
						}),
						a("th", {
							scope: "col",
							children: words.connection
						}),
						a("th", {
							scope: "col",
							children: words.version
						}),
						a("th", {
							scope: "col",
							children: operator().scope
						}),
						a("th", {
							scope: "col",
							children: a("span", {
								class: "unseen",
								children: words.end
							})
						})
					] }) }), a("tbody", { children: page.connections.map(({ account_id: account, scope_id: scope, title, hook_api_version: version }) => a("tr", { children: [
						a("th", {
							scope: "row",
							children: accounts.find(({ id }) => id === account)?.name ?? account
						}),
						a("td", {
							dir: "auto",
							children: title
						}),
						a("td", { children: version }),
						a("td", { children: a("span", {
							class: "copied",
							children: [a("code", { children: scope }), a(Copy, {
								text: scope,
								of: operator().scope
							})]
						}) }),
						a("td", { children: ending.value === account ? a(Button, {
							look: "danger",
							icon: "trash",
							busy: task.busy,
							onClick: () => void end(account),
							children: words.endSure
						}) : a(Button, {
							icon: "stopped",
							onClick: () => ending.value = account,
							children: words.end
						}) })
					] }, account)) })]
				})
			}),
			ending.value !== void 0 && a("p", {
				class: "note warn",
				role: "status",
				children: words.endText
			}),
			page?.next != null && a(Button, {
				busy: task.busy,
				onClick: () => void more(),
				children: shell().loadMore
			})
		]
	});
}
// src/areas/channels/editor.tsx
function Editor$1({ title, channel, accounts, onSave, onClose }) {
	const words = channels();
	const name = useSignal(channel?.name ?? "");
	const kind = useSignal(channel?.kind ?? "other");
	const page = useSignal(channel?.page ?? "");
	const v1 = useSignal(channel?.webhook_v1 ?? "");
	const v2 = useSignal(channel?.webhook_v2 ?? "");
	const timeout = useSignal(String(channel?.timeout_seconds ?? ""));
	const buttons = useSignal(channel?.buttons ?? false);
	const lists = useSignal(channel?.lists ?? false);
	const hours = useSignal(String(channel?.window_hours ?? ""));
	const assigns = useSignal(channel?.auto_assign ?? false);
	const limit = useSignal(String(channel?.assignment_limit ?? 20));
	const open = useSignal(channel?.accounts ?? ["*"]);
	const task = useWork();
	const problem = task.problem;
	const save = () => task.run(async () => {
		const optional = (field, value, isGiven) => isGiven ? { [field]: value } : channel === void 0 ? {} : { [field]: null };
		await onSave({
			name: name.value,
			kind: kind.value,
			...optional("page", page.value.trim(), page.value.trim() !== ""),
			...optional("webhook_v1", v1.value.trim(), v1.value.trim() !== ""),
			...optional("webhook_v2", v2.value.trim(), v2.value.trim() !== ""),
			...optional("timeout_seconds", Number(timeout.value), timeout.value !== ""),
			...optional("window_hours", Number(hours.value), hours.value !== ""),
			buttons: buttons.value,
			lists: lists.value,
			auto_assign: assigns.value,
			assignment_limit: Number(limit.value),
			accounts: open.value
		});
	});
	return a(Dialog, {
		title,
		onClose,
		children: a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				save();
			},
			children: [
				a(Field, {
					label: words.name,
					error: problem?.about("name"),
					children: (input) => a("input", {
						...input,
						required: true,
						maxLength: 255,
						...typed(name)
					})
				}),
				a(Field, {
					label: words.kind,
					hint: words.kindHint,
					error: problem?.about("kind"),
					children: (input) => a("select", {
						...input,
						value: kind.value,
						onChange: (event) => {
							const chosen = CHANNEL_KINDS.find((it) => it === event.currentTarget.value);
							if (chosen !== void 0) kind.value = chosen;
						},
						children: CHANNEL_KINDS.map((it) => a("option", {
							value: it,
							selected: it === kind.value,
							children: kindName(it)
						}, it))
					})
				}),
				a(Field, {
					label: words.page,
					hint: words.pageHint,
					error: problem?.about("page"),
					children: (input) => a("input", {
						...input,
						inputMode: "url",
						placeholder: "https://example.com/",
						...typed(page)
					})
				}),
				a(Field, {
					label: words.address("v2"),
					hint: words.addressHint,
					error: problem?.about("webhook_v2"),
					children: (input) => a("input", {
						...input,
						inputMode: "url",
						placeholder: "https://example.com/hook/:scope_id",
						...typed(v2)
					})
				}),
				a(Field, {
					label: words.address("v1"),
					error: problem?.about("webhook_v1"),
					children: (input) => a("input", {
						...input,
						inputMode: "url",
						...typed(v1)
					})
				}),
				a(Field, {
					label: words.timeout,
					hint: words.timeoutHint,
					error: problem?.about("timeout_seconds"),
					children: (input) => a("input", {
						...input,
						type: "number",
						min: "1",
						max: "30",
						...typed(timeout)
					})
				}),
				a(Field, {
					label: words.window,
					hint: words.windowHint,
					error: problem?.about("window_hours"),
					children: (input) => a("input", {
						...input,
						type: "number",
						min: "1",
						max: "720",
						...typed(hours)
					})
				}),
				a("fieldset", { children: [
					a("legend", { children: words.shows }),
					a(Switch, {
						on: buttons,
						name: words.buttons
					}),
					a(Switch, {
						on: lists,
						name: words.lists
					}),
					a("p", {
						class: "soft",
						children: words.showsText
					})
				] }),
				a("fieldset", { children: [
					a("legend", { children: words.assignment }),
					a(Switch, {
						on: assigns,
						name: words.autoAssign
					}),
					a(Field, {
						label: words.assignmentLimit,
						hint: words.assignmentHint,
						error: problem?.about("assignment_limit"),
						children: (input) => a("input", {
							...input,
							type: "number",
							min: "1",
							max: "500",
							required: true,
							...typed(limit)
						})
					})
				] }),
				a(AccountsChoice, {
					accounts,
					value: open.value,
					onChange: (ids) => open.value = ids
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
						busy: task.busy,
						children: shell().save
					})]
				})
			]
		})
	});
}
function Switch({ on, name }) {
	return a("label", {
		class: "check",
		children: [a("input", {
			type: "checkbox",
			checked: on.value,
			onChange: (event) => on.value = event.currentTarget.checked
		}), name]
	});
}
// src/areas/channels/environment.tsx
function environment(channel, accounts) {
	const open = accounts.filter(({ id }) => channel.accounts.includes("*") || channel.accounts.includes(id));
	const scopes = open.map(({ id, name }) => {
		const label = name.replaceAll(/[\r\n\u2028\u2029]/g, " ");
		const comment = open.length > 1 ? "# " : "";
		return `# ${label}\n${comment}SWITCHBOARD_ACCOUNT_ID=${id}\n${comment}SWITCHBOARD_SCOPE_ID=${channel.id}_${id}`;
	});
	return [
		`SWITCHBOARD_URL=${location.origin}`,
		`SWITCHBOARD_CHANNEL_ID=${channel.id}`,
		`SWITCHBOARD_CHANNEL_SECRET=${channel.secret ?? ""}`,
		...scopes
	].join("\n");
}
function Environment({ channel, accounts }) {
	const words = channels().environment;
	return a(Part, {
		title: words.title,
		children: [a("p", {
			class: "soft",
			children: channel.secret === void 0 ? words.without : words.text
		}), a(Command, { text: environment(channel, accounts) })]
	});
}
// src/areas/channels/rotation.tsx
function Rotation({ channel, path, onChange, onSecret }) {
	const words = channels().secret;
	const asking = useSignal(false);
	const hours = useSignal("24");
	const task = useWork();
	const rotate = () => task.run(async () => {
		const body = { grace_seconds: Math.round(Number(hours.value) * 3600) };
		const made = await askAsOperator(`${path}/rotate-secret`, {
			method: "POST",
			body
		});
		asking.value = false;
		onChange(made);
		onSecret(made);
	});
	const end = () => task.run(async () => {
		onChange(await askAsOperator(`${path}/end-rotation`, {
			method: "POST",
			body: {}
		}));
	});
	const { rotation } = channel;
	const actions = rotation === null ? a(Button, {
		icon: "retry",
		onClick: () => asking.value = true,
		children: words.rotate
	}) : a(Button, {
		icon: "check",
		busy: task.busy,
		onClick: () => void end(),
		children: words.end
	});
	return a(Part, {
		title: words.title,
		actions,
		children: [
			!asking.value && task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			rotation !== null && a("p", {
				class: "note warn",
				children: words.rotating(moment(rotation.ends_at))
			}),
			a(Facts, { children: [a(Fact, {
				name: words.fingerprint,
				copy: channel.secret_fingerprint,
				children: a("code", { children: channel.secret_fingerprint })
			}), rotation !== null && a(Fact, {
				name: words.old,
				children: a("code", { children: rotation.old_secret_fingerprint })
			})] }),
			asking.value && a(Dialog, {
				title: words.rotate,
				onClose: () => asking.value = false,
				children: a("form", {
					class: "form",
					onSubmit: (event) => {
						event.preventDefault();
						rotate();
					},
					children: [
						a("p", { children: words.text }),
						a(Field, {
							label: words.grace,
							hint: words.graceHint,
							error: task.problem?.about("grace_seconds"),
							children: (input) => a("input", {
								...input,
								type: "number",
								min: "0",
								max: "720",
								step: "any",
								required: true,
								value: hours.value,
								onInput: (event) => {
									hours.value = event.currentTarget.value;
								}
							})
						}),
						task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
						a("div", {
							class: "actions",
							children: [a(Button, {
								onClick: () => asking.value = false,
								children: shell().cancel
							}), a(Button, {
								type: "submit",
								look: "primary",
								busy: task.busy,
								children: words.rotate
							})]
						})
					]
				})
			})
		]
	});
}
// src/areas/channels/channel.tsx
function ChannelView({ channel, accounts, onChange, onSecret }) {
	const words = channels();
	const path = `/admin/v1/channels/${encodeURIComponent(channel.id)}`;
	const editing = useSignal(false);
	const shown = [channel.buttons ? words.buttons : "", channel.lists ? words.lists : ""].filter((name) => name !== "");
	const task = useWork();
	const pause = () => task.run(async () => {
		onChange(await askAsOperator(`${path}/${channel.paused ? "resume" : "pause"}`, {
			method: "POST",
			body: {}
		}));
	});
	const save = async (fields) => {
		onChange(await askAsOperator(path, {
			method: "PATCH",
			body: fields
		}));
		editing.value = false;
	};
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", { children: channel.name }), a("div", {
				class: "buttons",
				children: [a(Button, {
					icon: "edit",
					onClick: () => editing.value = true,
					children: words.edit
				}), a(Button, {
					icon: channel.paused ? "send" : "paused",
					busy: task.busy,
					onClick: () => void pause(),
					children: channel.paused ? words.resume : words.pause
				})]
			})]
		}),
		task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
		channel.paused && a("p", {
			class: "note warn",
			role: "status",
			children: a(Badge, {
				tone: "warn",
				icon: "paused",
				children: words.pausedSince(moment(channel.paused_at ?? 0))
			})
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.id,
				copy: channel.id,
				children: a("code", { children: channel.id })
			}),
			a(Fact, {
				name: words.kind,
				children: [a(Kind, { kind: channel.kind }), kindName(channel.kind)]
			}),
			a(Fact, {
				name: words.page,
				copy: channel.page ?? void 0,
				children: channel.page === null ? words.noPage : a(Outside, {
					to: channel.page,
					children: channel.page
				})
			}),
			a(Fact, {
				name: words.address("v1"),
				copy: channel.webhook_v1 ?? void 0,
				children: channel.webhook_v1 ?? words.noAddress
			}),
			a(Fact, {
				name: words.address("v2"),
				copy: channel.webhook_v2 ?? void 0,
				children: channel.webhook_v2 ?? words.noAddress
			}),
			a(Fact, {
				name: operator().accounts,
				children: namesOf(channel.accounts, accounts)
			}),
			a(Fact, {
				name: words.timeout,
				children: channel.timeout_seconds === null ? words.usual : `${channel.timeout_seconds} s`
			}),
			a(Fact, {
				name: words.shows,
				children: shown.join(", ") || words.onlyText
			}),
			a(Fact, {
				name: words.window,
				children: channel.window_hours ?? words.noWindow
			}),
			a(Fact, {
				name: words.assignment,
				children: channel.auto_assign ? words.assignsUpTo(channel.assignment_limit) : words.assignsNone
			}),
			channel.generation !== void 0 && a(Fact, {
				name: words.generation,
				children: channel.generation ?? words.anyGeneration
			}),
			a(Fact, {
				name: words.more,
				children: [
					a("a", {
						href: `/callbacks?channel=${encodeURIComponent(channel.id)}`,
						children: words.callbacks
					}),
					" ·",
					" ",
					a("a", {
						href: `/requests?channel=${encodeURIComponent(channel.id)}`,
						children: words.requests
					})
				]
			})
		] }),
		a(Connections, {
			path,
			accounts
		}),
		a(Rotation, {
			channel,
			path,
			onChange,
			onSecret
		}),
		a(Test, {
			path,
			accounts: accounts.filter(({ id }) => channel.accounts.includes("*") || channel.accounts.includes(id))
		}),
		a(Environment, {
			channel,
			accounts
		}),
		editing.value && a(Editor$1, {
			title: words.edit,
			channel,
			accounts,
			onSave: save,
			onClose: () => editing.value = false
		})
	] });
}
function Test({ path, accounts }) {
	const words = channels().test;
	const version = useSignal("");
	const account = useSignal("");
	const outcome = useSignal(void 0);
	const task = useWork();
	const send = () => task.run(async () => {
		const body = {
			...version.value === "" ? {} : { version: version.value },
			...account.value === "" ? {} : { account_id: account.value }
		};
		outcome.value = void 0;
		outcome.value = await askAsOperator(`${path}/test-send`, {
			method: "POST",
			body
		});
	});
	return a(Part, {
		title: words.title,
		children: [
			a("p", {
				class: "soft",
				children: words.text
			}),
			a("div", {
				class: "buttons",
				children: [
					a("select", {
						"aria-label": words.version,
						value: version.value,
						onChange: (event) => version.value = event.currentTarget.value,
						children: [
							a("option", {
								value: "",
								children: words.itsVersion
							}),
							a("option", {
								value: "v1",
								children: "v1"
							}),
							a("option", {
								value: "v2",
								children: "v2"
							})
						]
					}),
					a("select", {
						"aria-label": operator().account,
						value: account.value,
						onChange: (event) => account.value = event.currentTarget.value,
						children: [a("option", {
							value: "",
							children: words.anyAccount
						}), accounts.map(({ id, name }) => a("option", {
							value: id,
							children: name
						}, id))]
					}),
					a(Button, {
						icon: "send",
						busy: task.busy,
						onClick: () => void send(),
						children: words.send
					})
				]
			}),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			outcome.value !== void 0 && a(OutcomeNote, { outcome: outcome.value })
		]
	});
}
// src/areas/channels/secret.tsx
function Secret$1({ channel, accounts, onClose }) {
	const words = channels().secret;
	return a(Once, {
		title: words.made(channel.name),
		text: words.once,
		name: words.secret,
		secret: channel.secret,
		kept: words.kept,
		onClose,
		children: a(Environment, {
			channel,
			accounts
		})
	});
}
// src/areas/channels/page.tsx
function ChannelsPage({ id }) {
	return a(OperatorGate, {
		title: channels().title,
		children: () => a(Channels, { id })
	});
}
function Channels({ id }) {
	const words = channels();
	const loaded = useLoad("channels", channels$1);
	const people = useLoad("accounts", accounts).data.value ?? [];
	const registering = useSignal(false);
	const made = useSignal(void 0);
	const all = loaded.data.value;
	const chosen = all?.find((channel) => channel.id === id);
	const only = id === void 0 && all?.length === 1 ? all[0] : void 0;
	A(() => {
		if (only !== void 0 && matchMedia("(width > 60rem)").matches) redirect(`/channels/${encodeURIComponent(only.id)}`);
	}, [only?.id]);
	const change = (channel) => put(loaded, channel);
	const register = async (fields) => {
		const channel = await askAsOperator("/admin/v1/channels", {
			method: "POST",
			body: fields
		});
		registering.value = false;
		change(channel);
		made.value = channel;
		open$1(`/channels/${encodeURIComponent(channel.id)}`);
	};
	return a(Page, {
		title: words.title,
		fills: true,
		actions: a(Button, {
			look: "primary",
			icon: "plus",
			onClick: () => registering.value = true,
			children: words.register
		}),
		children: [
			a(Split, {
				label: words.list,
				narrow: a("p", {
					class: "soft",
					children: words.text
				}),
				isChosen: id !== void 0,
				home: "/channels",
				rows: a($, { children: [
					loaded.problem.value !== void 0 && a(ProblemNote, {
						problem: loaded.problem.value,
						retry: loaded.reload
					}),
					all === void 0 && loaded.problem.value === void 0 && a(Skeleton, {}),
					all?.length === 0 && a(Empty, {
						title: words.empty,
						command: "channel create tg-bot"
					}),
					a("ul", { children: all?.map((channel) => a("li", { children: a("a", {
						class: "line",
						href: `/channels/${encodeURIComponent(channel.id)}`,
						"aria-current": channel.id === id ? "true" : void 0,
						children: [
							a("span", { children: [a(Kind, { kind: channel.kind }), channel.name] }),
							a(Standing$1, { channel }),
							a("span", {
								class: "under",
								children: channel.webhook_v2 ?? channel.webhook_v1 ?? words.noAddress
							})
						]
					}) }, channel.id)) })
				] }),
				children: [
					id === void 0 && a(Empty, { title: words.choose }),
					id !== void 0 && all !== void 0 && chosen === void 0 && a(Empty, { title: words.missing }),
					chosen !== void 0 && a(ChannelView, {
						channel: chosen,
						accounts: people,
						onChange: change,
						onSecret: (it) => made.value = it
					}, chosen.id)
				]
			}),
			registering.value && a(Editor$1, {
				title: words.register,
				accounts: people,
				onSave: register,
				onClose: () => registering.value = false
			}),
			made.value !== void 0 && a(Secret$1, {
				channel: made.value,
				accounts: people,
				onClose: () => made.value = void 0
			})
		]
	});
}
function Standing$1({ channel }) {
	const words = channels();
	if (channel.paused) return a(Badge, {
		tone: "warn",
		icon: "paused",
		children: words.paused
	});
	return channel.rotation === null ? null : a(Badge, {
		tone: "info",
		icon: "retry",
		children: words.rotating
	});
}
// src/areas/hooks/hook.tsx
function HookView({ path }) {
	const words = webhooks();
	const loaded = usePolled(path, 2e3, (signal) => askAsOperator(path, { signal }));
	const task = useWork();
	const replay = () => task.run(async () => {
		loaded.data.value = await askAsOperator(`${path}/replay`, {
			method: "POST",
			body: {}
		});
	});
	const hook = loaded.data.value;
	const problem = loaded.problem.value;
	if (hook === void 0) return problem === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
		problem,
		retry: loaded.reload
	});
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", {
				"aria-live": "polite",
				children: a(StateBadge, { state: hook.state })
			}), a("div", {
				class: "buttons",
				children: a(Replay$1, {
					state: hook.state,
					says: words.hooks.replay,
					busy: task.busy,
					onReplay: () => void replay()
				})
			})]
		}),
		task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
		problem !== void 0 && a(ProblemNote, {
			problem,
			retry: loaded.reload
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.hooks.id,
				children: hook.id
			}),
			a(Fact, {
				name: words.hooks.event,
				children: hook.event === null ? words.hooks.erased : words.codes[hook.event]
			}),
			hook.created_at !== null && a(Fact, {
				name: words.hooks.happened,
				children: moment(hook.created_at)
			}),
			hook.next_attempt_at !== null && a(Fact, {
				name: callbacks().nextAttempt,
				children: moment(hook.next_attempt_at)
			}),
			hook.replays > 0 && a(Fact, {
				name: callbacks().replayed,
				children: callbacks().times(hook.replays)
			})
		] }),
		a(Attempts, {
			log: hook.log,
			omitted: Math.max(0, hook.log.length === 20 ? hook.attempts - 20 : 0)
		}),
		hook.form !== null && a(Form, { text: hook.form })
	] });
}
function Form({ text }) {
	const words = webhooks().hooks;
	return a(Part, {
		title: words.form,
		children: [
			a("p", {
				class: "soft",
				children: words.formText
			}),
			a(Listed, {
				name: "form-values",
				columns: [words.key, words.value],
				children: [...new URLSearchParams(text)].map(([key, value], place) => a("tr", { children: [a("th", {
					scope: "row",
					children: a("code", { children: key })
				}), a("td", {
					"data-label": words.value,
					children: a("bdi", { children: value })
				})] }, place))
			}),
			a(Body, {
				text,
				label: words.body
			})
		]
	});
}
// src/areas/hooks/list.tsx
function List$2({ path, choices, selected, home, at, children }) {
	const words = webhooks();
	const { loaded, rows, isMore, isBusy, more } = useNewest({
		path,
		name: "hooks"
	});
	useWalk({
		rows: rows.map(({ id }) => ({ id: String(id) })),
		selected,
		at,
		words: words.hooks
	});
	const problem = loaded.problem.value;
	return a(Split, {
		label: words.hooks.list,
		narrow: choices,
		isChosen: selected !== void 0,
		home,
		rows: a($, { children: [
			problem !== void 0 && a(ProblemNote, {
				problem,
				retry: loaded.reload
			}),
			loaded.data.value === void 0 && problem === void 0 && a(Skeleton, {}),
			loaded.data.value !== void 0 && rows.length === 0 && a(Empty, {
				title: words.hooks.empty,
				children: a("p", { children: words.hooks.emptyText })
			}),
			a("ul", { children: rows.map((row) => a("li", { children: a("a", {
				class: "line",
				href: at(String(row.id)),
				"aria-current": String(row.id) === selected ? "true" : void 0,
				children: [
					a("span", { children: a(StateBadge, { state: row.state }) }),
					row.created_at !== null && a("time", {
						dateTime: new Date(row.created_at * 1e3).toISOString(),
						title: moment(row.created_at),
						children: recentMoment(row.created_at)
					}),
					a("span", {
						class: "under",
						children: [row.event === null ? words.hooks.erased : words.codes[row.event], row.attempts > 1 ? callbacks().tries(row.attempts) : ""].filter((it) => it !== "").join(" · ")
					}),
					row.last_attempt !== null && row.state !== "delivered" && a("span", {
						class: "under bad",
						children: [
							answerOf(row.last_attempt),
							" · ",
							meaningOf(row.last_attempt)
						]
					})
				]
			}) }, row.id)) }),
			isMore && a(Button, {
				busy: isBusy,
				onClick: more,
				children: shell().loadMore
			})
		] }),
		children
	});
}
// src/areas/hooks/page.tsx
function HooksPage(place) {
	return a(OperatorGate, {
		title: webhooks().hooks.title,
		children: () => a(Hooks$1, { ...place })
	});
}
var at$2 = (...parts) => ["/hooks", ...parts.map((part) => encodeURIComponent(part))].join("/");
function Hooks$1({ account, webhook, id }) {
	const words = webhooks().hooks;
	const people = useLoad("accounts", accounts);
	const chosen = account ?? people.data.value?.[0]?.id;
	const path = chosen === void 0 ? void 0 : `/admin/v1/accounts/${encodeURIComponent(chosen)}/webhooks`;
	const loaded = useLoad(path ?? "", (signal) => path === void 0 ? Promise.resolve([]) : listAsOperator(path, "webhooks", signal));
	const all = loaded.data.value;
	const selected = all?.find((it) => webhook === void 0 ? true : String(it.id) === webhook);
	const problem = people.problem.value ?? loaded.problem.value;
	const choices = a($, { children: [a("select", {
		"aria-label": words.account,
		value: chosen ?? "",
		onChange: (event) => open$1(at$2(event.currentTarget.value)),
		children: people.data.value?.map((it) => a("option", {
			value: it.id,
			children: it.name
		}, it.id))
	}), all !== void 0 && all.length > 0 && chosen !== void 0 && a("select", {
		"aria-label": words.webhook,
		value: String(selected?.id ?? ""),
		onChange: (event) => open$1(at$2(chosen, event.currentTarget.value)),
		children: all.map((it) => a("option", {
			value: String(it.id),
			children: `${it.id}: ${hostOf(it.destination)}`
		}, it.id))
	})] });
	return a(Page, {
		title: words.title,
		fills: selected !== void 0,
		children: [problem !== void 0 && a(ProblemNote, {
			problem,
			retry: loaded.reload
		}), selected === void 0 || chosen === void 0 || path === void 0 ? a($, { children: [a("div", {
			class: "narrow",
			children: choices
		}), all !== void 0 && a(Empty, { title: webhook === void 0 ? words.noWebhooks : webhooks().missing })] }) : a(List$2, {
			path: `${path}/${selected.id}/hooks`,
			choices,
			selected: id,
			home: at$2(chosen, selected.id),
			at: (hook) => at$2(chosen, selected.id, hook),
			children: id === void 0 ? a(Empty, { title: words.choose }) : a(HookView, { path: `${path}/${selected.id}/hooks/${encodeURIComponent(id)}` }, id)
		}, `${chosen} ${selected.id}`)]
	});
}
// src/words/health.ts
var health = dictionary({
	en: {
		title: "Health",
		ready: "Ready",
		draining: "Stopping: the service accepts no new requests",
		notReady: (why) => `Not ready: ${why}`,
		yes: "Yes",
		no: "No",
		rest: "More numbers",
		endpoints: {
			title: "Callback endpoints",
			none: "No channel has an endpoint.",
			endpoint: "Channel and endpoint",
			noAddress: "No endpoint",
			health: "Health",
			queue: "Queued",
			lastError: "Last error",
			lastSuccess: "Last success",
			enable: "Enable the endpoint",
			since: (time) => `oldest from ${time}`,
			probe: (time) => `next probe ${time}`,
			failing: (time) => `failing since ${time}`,
			states: {
				healthy: "Healthy",
				failing: "Failing, callbacks are sent",
				slow_start: "Recovering",
				open: "Failing, callbacks are held",
				paused: "Paused by the integration",
				disabled: "Disabled",
				switched_off: "Paused by an operator",
				no_address: "No endpoint"
			}
		},
		callbacks: {
			title: "Callbacks",
			queued: "Queued",
			held: "Held",
			inFlight: "Sending",
			oldest: "Age of the oldest",
			delivered: "Delivered since the start",
			dead: "Dead since the start",
			refused: "Refused by a queue limit"
		},
		data: {
			title: "Data",
			free: "Free disk space",
			writable: "Accepts new records",
			records: "Records on disk",
			pending: "Records since the last checkpoint",
			failed: "Failed checkpoints"
		},
		archive: {
			title: "Archive",
			works: "Works",
			records: "Records",
			age: "May lack the last"
		},
		sharedLog: {
			title: "Shared log",
			unconfirmed: "Not ready: the shared log does not confirm that this node owns it",
			role: "Role",
			roles: {
				owner: "Owner",
				standby: "Standby"
			},
			node: "Name of the node",
			owner: "Owner",
			ownerUrl: "URL of the owner",
			epoch: "Epoch",
			entry: "Newest entry",
			lag: "Lag",
			current: "Has everything",
			lacks: (count) => `Lacks ${counted("en", count, {
				one: "entry",
				other: "entries"
			})}`,
			mayLack: "May lack the last",
			trouble: "Trouble"
		},
		service: {
			title: "Service",
			version: "Version",
			since: "Running since",
			answered: "Successful requests",
			refused: "Rejected requests",
			failed: "Failed requests",
			actors: "Actors in memory",
			deaths: "Failed actors"
		}
	},
	ru: {
		title: "Состояние",
		ready: "Сервис готов к работе",
		draining: "Сервис останавливается и не принимает новые запросы",
		notReady: (why) => `Сервис не готов: ${why}`,
		yes: "Да",
		no: "Нет",
		rest: "Другие показатели",
		endpoints: {
			title: "Адреса вебхуков",
			none: "Ни у одного канала нет адреса.",
			endpoint: "Канал и адрес",
			noAddress: "Нет адреса",
			health: "Состояние",
			queue: "В очереди",
			lastError: "Последняя ошибка",
			lastSuccess: "Последняя доставка",
			enable: "Включить адрес",
			since: (time) => `самый старый от ${time}`,
			probe: (time) => `следующая проверка ${time}`,
			failing: (time) => `ошибки с ${time}`,
			states: {
				healthy: "Исправен",
				failing: "Ошибки, вебхуки отправляются",
				slow_start: "Восстанавливается",
				open: "Ошибки, вебхуки задержаны",
				paused: "Приостановлен интеграцией",
				disabled: "Отключён",
				switched_off: "Приостановлен оператором",
				no_address: "Нет адреса"
			}
		},
		callbacks: {
			title: "Вебхуки",
			queued: "В очереди",
			held: "Задержано",
			inFlight: "Отправляется",
			oldest: "Возраст самого старого",
			delivered: "Доставлено с запуска",
			dead: "Не доставлено с запуска",
			refused: "Отклонено из-за лимита очереди"
		},
		data: {
			title: "Данные",
			free: "Свободно на диске",
			writable: "Новые записи принимаются",
			records: "Записей на диске",
			pending: "Записей после контрольной точки",
			failed: "Неудачных контрольных точек"
		},
		archive: {
			title: "Архив",
			works: "Работает",
			records: "Записей",
			age: "Может не хватать последних"
		},
		sharedLog: {
			title: "Общий журнал",
			unconfirmed: "Сервис не готов: общий журнал не подтверждает, что этот узел — владелец",
			role: "Роль",
			roles: {
				owner: "Владелец",
				standby: "Резервный узел"
			},
			node: "Имя узла",
			owner: "Владелец",
			ownerUrl: "URL владельца",
			epoch: "Эпоха",
			entry: "Последняя запись",
			lag: "Отставание",
			current: "Есть всё",
			lacks: (count) => `Не хватает ${counted("ru", count, {
				one: "записи",
				few: "записей",
				many: "записей",
				other: "записи"
			})}`,
			mayLack: "Может не хватать записей за",
			trouble: "Проблема"
		},
		service: {
			title: "Сервис",
			version: "Версия",
			since: "Работает с",
			answered: "Успешных запросов",
			refused: "Отклонённых запросов",
			failed: "Запросов с ошибкой",
			actors: "Акторов в памяти",
			deaths: "Акторов с ошибкой"
		}
	},
	es: {
		title: "Estado",
		ready: "El servicio está listo",
		draining: "El servicio se está deteniendo y no acepta solicitudes nuevas",
		notReady: (why) => `El servicio no está listo: ${why}`,
		yes: "Sí",
		no: "No",
		rest: "Más números",
		endpoints: {
			title: "Endpoints de los callbacks",
			none: "Ningún canal tiene un endpoint.",
			endpoint: "Canal y endpoint",
			noAddress: "Sin endpoint",
			health: "Estado",
			queue: "En cola",
			lastError: "Último error",
			lastSuccess: "Última entrega",
			enable: "Habilitar el endpoint",
			since: (time) => `el más antiguo del ${time}`,
			probe: (time) => `próxima prueba ${time}`,
			failing: (time) => `falla desde ${time}`,
			states: {
				healthy: "Sano",
				failing: "Falla, los callbacks se envían",
				slow_start: "En recuperación",
				open: "Falla, los callbacks se retienen",
				paused: "En pausa por la integración",
				disabled: "Deshabilitado",
				switched_off: "En pausa por un operador",
				no_address: "Sin endpoint"
			}
		},
		callbacks: {
			title: "Callbacks",
			queued: "En cola",
			held: "Retenidos",
			inFlight: "Enviando",
			oldest: "Antigüedad del más antiguo",
			delivered: "Entregados desde el inicio",
			dead: "No entregados desde el inicio",
			refused: "Rechazados por el límite de la cola"
		},
		data: {
			title: "Datos",
			free: "Espacio libre en disco",
			writable: "Acepta registros nuevos",
			records: "Registros en disco",
			pending: "Registros desde el último checkpoint",
			failed: "Checkpoints fallidos"
		},
		archive: {
			title: "Archivo",
			works: "Funciona",
			records: "Registros",
			age: "Puede faltarle lo último"
		},
		sharedLog: {
			title: "Log compartido",
			unconfirmed: "El servicio no está listo: el log compartido no confirma que este nodo sea el propietario",
			role: "Función",
			roles: {
				owner: "Propietario",
				standby: "En espera"
			},
			node: "Nombre del nodo",
			owner: "Propietario",
			ownerUrl: "URL del propietario",
			epoch: "Época",
			entry: "Última entrada",
			lag: "Retraso",
			current: "Tiene todo",
			lacks: (count) => `Carece de ${counted("es", count, {
				one: "entrada",
				other: "entradas"
			})}`,
			mayLack: "Puede faltarle lo último",
			trouble: "Problema"
		},
		service: {
			title: "Servicio",
			version: "Versión",
			since: "En marcha desde",
			answered: "Solicitudes exitosas",
			refused: "Solicitudes rechazadas",
			failed: "Solicitudes fallidas",
			actors: "Actores en memoria",
			deaths: "Actores con error"
		}
	}
});
// src/areas/relays/types.ts
var ALL$1 = "/admin/v1/relays";
var pathOf$1 = (id) => `${ALL$1}/${encodeURIComponent(id)}`;
// src/areas/health/endpoints.tsx
var LOOKS$1 = {
	healthy: ["good", "check"],
	failing: ["warn", "warning"],
	slow_start: ["info", "clock"],
	open: ["bad", "warning"],
	paused: ["warn", "paused"],
	disabled: ["bad", "stopped"],
	switched_off: ["plain", "paused"],
	no_address: ["plain", "stopped"]
};
var URGENT = [
	"disabled",
	"open",
	"failing",
	"paused",
	"slow_start",
	"healthy",
	"switched_off",
	"no_address"
];
function Endpoints({ endpoints, channels, onChange }) {
	const words = health().endpoints;
	const task = useWork();
	const enable = (endpoint) => task.run(async () => {
		const path = `/admin/v1/endpoints/${encodeURIComponent(endpoint.channel_id)}/${endpoint.version}/enable`;
		await askAsOperator(path, {
			method: "POST",
			body: {}
		});
		onChange();
	});
	const sorted = [...endpoints].sort((one, other) => URGENT.indexOf(one.health) - URGENT.indexOf(other.health) || other.queued - one.queued);
	if (endpoints.length === 0) return a("p", {
		class: "soft",
		children: words.none
	});
	return a($, { children: [task.problem !== void 0 && a(ProblemNote, { problem: task.problem }), a("div", {
		class: "scrolls",
		tabIndex: 0,
		children: a("table", {
			class: "endpoints",
			children: [a("thead", { children: a("tr", { children: [
				a("th", {
					scope: "col",
					children: words.endpoint
				}),
				a("th", {
					scope: "col",
					children: words.health
				}),
				a("th", {
					scope: "col",
					children: words.queue
				}),
				a("th", {
					scope: "col",
					children: words.lastError
				}),
				a("th", {
					scope: "col",
					children: words.lastSuccess
				})
			] }) }), a("tbody", { children: sorted.map((endpoint) => a("tr", { children: [
				a("th", {
					scope: "row",
					children: [
						a("a", {
							href: `/channels/${encodeURIComponent(endpoint.channel_id)}`,
							children: nameOf(channels, endpoint.channel_id)
						}),
						" ",
						endpoint.version,
						a("div", {
							class: "soft",
							children: endpoint.address ?? words.noAddress
						})
					]
				}),
				a("td", { children: [a(Standing, { endpoint }), endpoint.health === "disabled" && a(Button, {
					icon: "check",
					busy: task.busy,
					onClick: () => void enable(endpoint),
					children: words.enable
				})] }),
				a("td", { children: [number(endpoint.queued), endpoint.oldest_queued_at !== null && a("div", {
					class: "soft",
					children: words.since(moment(endpoint.oldest_queued_at))
				})] }),
				a("td", { children: endpoint.last_error === null ? "—" : a($, { children: [
					a("strong", { children: answerOf(endpoint.last_error) }),
					" ",
					a("span", {
						class: "soft",
						children: moment(endpoint.last_error.at)
					}),
					endpoint.last_error.excerpt !== "" && a("code", {
						class: "excerpt",
						tabIndex: 0,
						children: endpoint.last_error.excerpt
					})
				] }) }),
				a("td", { children: endpoint.succeeded_at === null ? "—" : moment(endpoint.succeeded_at) })
			] }, `${endpoint.channel_id} ${endpoint.version}`)) })]
		})
	})] });
}
function Standing({ endpoint }) {
	const words = health().endpoints;
	const [tone, icon] = LOOKS$1[endpoint.health];
	return a($, { children: [
		a(Badge, {
			tone,
			icon,
			children: words.states[endpoint.health]
		}),
		reasonOf(endpoint) !== "" && a("div", {
			class: "soft",
			children: reasonOf(endpoint)
		}),
		endpoint.next_probe_at !== void 0 && a("div", {
			class: "soft",
			children: words.probe(moment(endpoint.next_probe_at))
		}),
		endpoint.failing_since !== null && endpoint.health !== "healthy" && a("div", {
			class: "soft",
			children: words.failing(moment(endpoint.failing_since))
		})
	] });
}
// src/areas/health/metrics.ts
async function open(path, signal) {
	try {
		return await (await fetch(path, {
			signal,
			cache: "no-store",
			credentials: "omit"
		})).text();
	} catch (failure) {
		if (signal.aborted) throw failure;
		throw new Problem(0, "");
	}
}
function read(text) {
	const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
	return new Map(lines.map((line) => {
		const at = line.lastIndexOf(" ");
		return [line.slice(0, at), Number(line.slice(at + 1))];
	}));
}
function sum(metrics, name) {
	const full = `switchboard_${name}`;
	return [...metrics].filter(([key]) => key === full || key.startsWith(`${full}{`)).reduce((total, [, value]) => total + value, 0);
}
function labelOf(metrics, name, label) {
	const key = [...metrics.keys()].find((key) => key.startsWith(`switchboard_${name}{`)) ?? "";
	return new RegExp(`[{,]${label}="([^"]*)"`).exec(key)?.[1] ?? "—";
}
function percentile(metrics, name, part) {
	const count = metrics.get(`switchboard_${name}_count`) ?? 0;
	if (count === 0) return void 0;
	return [...metrics].flatMap(([key, value]) => {
		const bound = new RegExp(`^switchboard_${name}_bucket\\{le="([^"]+)"\\}$`).exec(key)?.[1];
		return bound === void 0 ? [] : [[bound === "+Inf" ? Infinity : Number(bound), value]];
	}).sort(([one], [other]) => one - other).find(([, value]) => value >= count * part)?.[0];
}
// src/areas/health/figures.tsx
function Figures({ metrics }) {
	const words = health();
	const oldest = sum(metrics, "dispatch_oldest_age_seconds");
	const [free, size] = [sum(metrics, "disk_free_bytes"), sum(metrics, "disk_size_bytes")];
	const figures = [
		{
			name: words.callbacks.queued,
			value: number(sum(metrics, "dispatch_queued")),
			isBad: false
		},
		{
			name: words.callbacks.oldest,
			value: oldest === 0 ? "—" : lasting(oldest),
			isBad: oldest > LATE$1
		},
		{
			name: words.callbacks.dead,
			value: number(sum(metrics, "dispatch_dead_total")),
			isBad: sum(metrics, "dispatch_dead_total") > 0
		},
		{
			name: words.data.free,
			value: size === 0 ? "—" : bytes(free),
			isBad: size > 0 && free < size / SCARCE
		}
	];
	return a("dl", {
		class: "figures",
		children: figures.map(({ name, value, isBad }) => a("div", {
			class: isBad ? "card bad" : "card",
			children: [a("dt", { children: name }), a("dd", { children: value })]
		}, name))
	});
}
var LATE$1 = 300;
var SCARCE = 20;
// src/areas/health/node.tsx
function SharedLog({ node, lag }) {
	const words = health().sharedLog;
	return a(Part, {
		title: words.title,
		children: a(Facts, { children: [
			a(Fact, {
				name: words.role,
				children: words.roles[node.role]
			}),
			a(Fact, {
				name: words.node,
				children: node.name
			}),
			a(Fact, {
				name: words.owner,
				children: node.owner ?? "—"
			}),
			node.owner_url !== void 0 && a(Fact, {
				name: words.ownerUrl,
				children: node.owner_url
			}),
			a(Fact, {
				name: words.epoch,
				children: number(node.epoch)
			}),
			a(Fact, {
				name: words.entry,
				children: number(node.entry)
			}),
			lag && a(Lag, { node }),
			node.trouble !== void 0 && a(Fact, {
				name: words.trouble,
				children: a(Badge, {
					tone: "bad",
					icon: "warning",
					children: node.trouble
				})
			})
		] })
	});
}
function Lag({ node }) {
	const words = health().sharedLog;
	const { behind_entries: entries, behind_seconds: seconds } = node;
	if (entries === void 0 || seconds === void 0) return null;
	return a($, { children: [(entries > 0 || seconds === 0) && a(Fact, {
		name: words.lag,
		children: entries > 0 ? words.lacks(entries) : words.current
	}), seconds > 0 && a(Fact, {
		name: words.mayLack,
		children: lasting(seconds)
	})] });
}
// src/words/relays.ts
var relays$1 = dictionary({
	en: {
		title: "Relays",
		list: "Relays",
		relay: "Relay",
		text: "A relay stores the hooks of a channel, and passes them on to a bridge.",
		answers: (time) => `Since the start, 99% of hooks were answered within ${time}.`,
		longest: "more than 3 s",
		milliseconds: (count) => `${count} ms`,
		empty: "No relays",
		emptyText: "Each section [[relay]] of config.toml is one.",
		choose: "Choose a relay to see its targets and its hooks.",
		next: "next relay",
		previous: "previous relay",
		bridge: "Bridge",
		copy: (place) => `Copy ${place}`,
		account: "Hooks of the account",
		path: "Path of the hooks",
		taken: "Received",
		repeated: "Repeats",
		refused: "Refused",
		reasons: {
			unknown: "unknown path",
			signature: "wrong signature",
			too_large: "too large",
			broken: "incomplete",
			method: "wrong method",
			full: "too many waited",
			unavailable: "not stored in time"
		},
		pages: (time) => `Since ${time} the counterpart has answered the bridge with pages for people alone, as it does to a blocked address.`,
		targets: "Targets",
		target: "Target",
		health: "Health",
		lastAnswer: "Last response",
		waiting: "Waiting",
		delivered: "Delivered",
		dead: "Dead",
		oldest: (time) => `Age of the oldest: ${time}`,
		failing: (time) => `failing since ${time}`,
		probe: (time) => `next probe ${time}`,
		dropped: "Too old",
		skipped: "Not copied",
		states: {
			healthy: "Healthy",
			untried: "Not tried since the start",
			failing: "Failing, hooks are sent",
			slow_start: "Recovering",
			open: "Down, hooks are held",
			paused: "Asked for a pause",
			disabled: "Disabled",
			switched_off: "Paused by an operator",
			no_address: "No address"
		},
		troubles: {
			none: "No trouble",
			paused: "Paused",
			down: (target) => `${target}: down`
		},
		pause: {
			open: "Pause relay…",
			title: "Pause the relay?",
			text: "The relay still takes hooks and keeps them, and passes none on until an operator resumes it.",
			action: "Pause the relay"
		},
		resume: {
			open: "Resume relay…",
			title: "Resume the relay?",
			text: "It passes hooks on again, from the oldest one.",
			action: "Resume the relay"
		},
		from: "From",
		until: "Until",
		hooks: {
			title: "Hooks",
			message: "Message id",
			received: "Received",
			kind: "Kind",
			kinds: {
				message: "Message",
				reaction: "Reaction",
				typing: "Typing",
				other: "Other"
			},
			states: "State of each target",
			erased: "Erased",
			late: "written before an earlier one",
			none: "The relay has taken no hooks yet.",
			nothing: "No hooks match the search."
		},
		replay: {
			open: "Replay hooks…",
			ofHook: "Replay the hook?",
			ofTime: "Replay the hooks of a time",
			hookText: (id) => `The target gets the hook of message ${id} again, with the same id. It may have the message already.`,
			timeText: "The target gets all hooks again that the relay took in this time and that are delivered or dead, at most 100,000.",
			submit: "Replay",
			one: (id) => `Replay ${id}`,
			count: (count) => `Queued again: ${counted("en", count, {
				one: "hook",
				other: "hooks"
			})}.`
		},
		wrong: {
			title: "Wrong signatures",
			text: "The newest refused hooks, at most a hundred of a day, each with the probable mistake.",
			none: "No hook with a wrong signature came since the start.",
			at: "Time",
			from: "Sender",
			reason: "Probable mistake",
			length: "Length"
		},
		news: {
			title: "News",
			text: "Shapes that the counterpart sent and that this version does not know: names, without contents.",
			none: "The counterpart sent nothing that this version does not know.",
			shape: "Shape",
			since: "First seen"
		}
	},
	ru: {
		title: "Ретрансляторы",
		list: "Ретрансляторы",
		relay: "Ретранслятор",
		text: "Ретранслятор сохраняет вебхуки канала и передаёт их мосту.",
		answers: (time) => `С запуска 99% вебхуков получили ответ не позже чем через ${time}.`,
		longest: "3 с и дольше",
		milliseconds: (count) => `${count} мс`,
		empty: "Ретрансляторов нет",
		emptyText: "Каждый раздел [[relay]] в config.toml — один ретранслятор.",
		choose: "Выберите ретранслятор, чтобы увидеть его получателей и вебхуки.",
		next: "следующий ретранслятор",
		previous: "предыдущий ретранслятор",
		bridge: "Мост",
		copy: (place) => `Копия ${place}`,
		account: "Вебхуки аккаунта",
		path: "Путь вебхуков",
		taken: "Принято",
		repeated: "Повторов",
		refused: "Отклонено",
		reasons: {
			unknown: "неизвестный путь",
			signature: "неверная подпись",
			too_large: "слишком большой",
			broken: "неполный",
			method: "неверный метод",
			full: "слишком много ожидало",
			unavailable: "не сохранён вовремя"
		},
		pages: (time) => `С ${time} другая сторона отвечает мосту только страницами для людей, как заблокированному адресу.`,
		targets: "Получатели",
		target: "Получатель",
		health: "Состояние",
		lastAnswer: "Последний ответ",
		waiting: "Ожидает",
		delivered: "Доставлено",
		dead: "Не доставлено",
		oldest: (time) => `Возраст самого старого: ${time}`,
		failing: (time) => `ошибки с ${time}`,
		probe: (time) => `следующая проверка ${time}`,
		dropped: "Устарело",
		skipped: "Не скопировано",
		states: {
			healthy: "Исправен",
			untried: "С запуска не проверялся",
			failing: "Ошибки, вебхуки отправляются",
			slow_start: "Восстанавливается",
			open: "Недоступен, вебхуки задержаны",
			paused: "Попросил паузу",
			disabled: "Отключён",
			switched_off: "Приостановлен оператором",
			no_address: "Нет адреса"
		},
		troubles: {
			none: "Неполадок нет",
			paused: "Приостановлен",
			down: (target) => `${target}: недоступен`
		},
		pause: {
			open: "Приостановить…",
			title: "Приостановить ретранслятор?",
			text: "Он по-прежнему принимает и хранит вебхуки, но не передаёт их, пока его не возобновят.",
			action: "Приостановить"
		},
		resume: {
			open: "Возобновить…",
			title: "Возобновить ретранслятор?",
			text: "Он снова передаёт вебхуки, начиная с самого старого.",
			action: "Возобновить"
		},
		from: "С",
		until: "До",
		hooks: {
			title: "Вебхуки",
			message: "Id сообщения",
			received: "Принят",
			kind: "Вид",
			kinds: {
				message: "Сообщение",
				reaction: "Реакция",
				typing: "Набор текста",
				other: "Другое"
			},
			states: "Состояние у получателей",
			erased: "Стёрт",
			late: "написан раньше предыдущего",
			none: "Ретранслятор ещё не принял ни одного вебхука.",
			nothing: "Поиску не соответствует ни один вебхук."
		},
		replay: {
			open: "Отправить повторно…",
			ofHook: "Отправить вебхук повторно?",
			ofTime: "Повторная отправка вебхуков за время",
			hookText: (id) => `Получатель снова получит вебхук сообщения ${id} с тем же id. Возможно, сообщение у него уже есть.`,
			timeText: "Получатель снова получит все вебхуки, которые ретранслятор принял за это время и которые доставлены или не доставлены окончательно, не более 100 000.",
			submit: "Отправить повторно",
			one: (id) => `Отправить повторно ${id}`,
			count: (count) => `Снова в очереди: ${counted("ru", count, {
				one: "вебхук",
				few: "вебхука",
				many: "вебхуков",
				other: "вебхука"
			})}.`
		},
		wrong: {
			title: "Неверные подписи",
			text: "Последние отклонённые вебхуки, не более ста за день, с вероятной ошибкой.",
			none: "С запуска не было вебхуков с неверной подписью.",
			at: "Время",
			from: "Отправитель",
			reason: "Вероятная ошибка",
			length: "Длина"
		},
		news: {
			title: "Новое",
			text: "Формы, которые прислала другая сторона и которых эта версия не знает: имена без содержания.",
			none: "Другая сторона не прислала ничего, чего не знает эта версия.",
			shape: "Форма",
			since: "Впервые"
		}
	},
	es: {
		title: "Relays",
		list: "Relays",
		relay: "Relay",
		text: "Un relay guarda los hooks de un canal y los pasa a un puente.",
		answers: (time) => `Desde el inicio, el 99 % de los hooks tuvo respuesta en ${time}.`,
		longest: "más de 3 s",
		milliseconds: (count) => `${count} ms`,
		empty: "Sin relays",
		emptyText: "Cada sección [[relay]] de config.toml es uno.",
		choose: "Elija un relay para ver sus destinos y sus hooks.",
		next: "relay siguiente",
		previous: "relay anterior",
		bridge: "Puente",
		copy: (place) => `Copia ${place}`,
		account: "Hooks de la cuenta",
		path: "Ruta de los hooks",
		taken: "Recibidos",
		repeated: "Repetidos",
		refused: "Rechazados",
		reasons: {
			unknown: "ruta desconocida",
			signature: "firma incorrecta",
			too_large: "demasiado grande",
			broken: "incompleto",
			method: "método incorrecto",
			full: "demasiados en espera",
			unavailable: "no guardado a tiempo"
		},
		pages: (time) => `Desde ${time} la contraparte responde al puente solo con páginas para personas, como a una dirección bloqueada.`,
		targets: "Destinos",
		target: "Destino",
		health: "Estado",
		lastAnswer: "Última respuesta",
		waiting: "En espera",
		delivered: "Entregados",
		dead: "No entregados",
		oldest: (time) => `Antigüedad del más antiguo: ${time}`,
		failing: (time) => `falla desde ${time}`,
		probe: (time) => `próxima prueba ${time}`,
		dropped: "Demasiado antiguos",
		skipped: "No copiados",
		states: {
			healthy: "Sano",
			untried: "Sin probar desde el inicio",
			failing: "Falla, los hooks se envían",
			slow_start: "En recuperación",
			open: "Caído, los hooks se retienen",
			paused: "Pidió una pausa",
			disabled: "Deshabilitado",
			switched_off: "En pausa por un operador",
			no_address: "Sin dirección"
		},
		troubles: {
			none: "Sin problemas",
			paused: "En pausa",
			down: (target) => `${target}: caído`
		},
		pause: {
			open: "Pausar…",
			title: "¿Pausar el relay?",
			text: "Sigue recibiendo y guardando hooks, y no pasa ninguno hasta que alguien lo reanude.",
			action: "Pausar el relay"
		},
		resume: {
			open: "Reanudar…",
			title: "¿Reanudar el relay?",
			text: "Vuelve a pasar los hooks, desde el más antiguo.",
			action: "Reanudar el relay"
		},
		from: "Desde",
		until: "Hasta",
		hooks: {
			title: "Hooks",
			message: "Id del mensaje",
			received: "Recibido",
			kind: "Tipo",
			kinds: {
				message: "Mensaje",
				reaction: "Reacción",
				typing: "Escritura",
				other: "Otro"
			},
			states: "Estado en cada destino",
			erased: "Borrado",
			late: "escrito antes que uno anterior",
			none: "El relay todavía no ha recibido ningún hook.",
			nothing: "Ningún hook coincide con la búsqueda."
		},
		replay: {
			open: "Reenviar…",
			ofHook: "¿Reenviar el hook?",
			ofTime: "Reenviar los hooks de un período",
			hookText: (id) => `El destino recibe otra vez el hook del mensaje ${id}, con el mismo id. Puede que ya tenga el mensaje.`,
			timeText: "El destino recibe otra vez todos los hooks que el relay recibió en este período y que están entregados o no entregados, 100 000 como máximo.",
			submit: "Reenviar",
			one: (id) => `Reenviar ${id}`,
			count: (count) => `Otra vez en cola: ${counted("es", count, {
				one: "hook",
				other: "hooks"
			})}.`
		},
		wrong: {
			title: "Firmas incorrectas",
			text: "Los últimos hooks rechazados, cien por día como máximo, cada uno con el error probable.",
			none: "Desde el inicio no llegó ningún hook con una firma incorrecta.",
			at: "Hora",
			from: "Remitente",
			reason: "Error probable",
			length: "Longitud"
		},
		news: {
			title: "Novedades",
			text: "Formas que la contraparte envió y que esta versión no conoce: nombres, sin contenidos.",
			none: "La contraparte no envió nada que esta versión no conozca.",
			shape: "Forma",
			since: "Visto por primera vez"
		}
	}
});
// src/areas/relays/standing.tsx
var LOOKS = {
	healthy: ["good", "check"],
	untried: ["plain", "clock"],
	failing: ["warn", "warning"],
	slow_start: ["info", "clock"],
	open: ["bad", "warning"],
	paused: ["warn", "paused"],
	disabled: ["bad", "stopped"],
	switched_off: ["plain", "paused"],
	no_address: ["plain", "stopped"]
};
var LATE = 900;
var BRIDGE = 0;
function healthOf({ state, failing_since, last_answer }) {
	if (state === null) return "untried";
	return state.health === "open" && failing_since === null && last_answer === null ? "untried" : state.health;
}
var isDown = (target) => ["open", "disabled"].includes(healthOf(target));
var isLate = ({ oldest_queued_at: oldest }) => oldest !== null && Date.now() / 1e3 - oldest > LATE;
function TargetBadge({ target }) {
	const health = healthOf(target);
	const [tone, icon] = LOOKS[health];
	return a(Badge, {
		tone,
		icon,
		children: relays$1().states[health]
	});
}
function targetOf(place) {
	const words = relays$1();
	if (place === BRIDGE) return words.bridge;
	return place === ACCOUNT ? words.account : words.copy(place);
}
var ACCOUNT = 64;
function troublesOf(relay) {
	const words = relays$1().troubles;
	const counted = relay.targets.filter(({ place }) => place === BRIDGE || place === ACCOUNT);
	const ofTarget = (target) => [...isDown(target) ? [{
		tone: "bad",
		icon: "warning",
		says: words.down(targetOf(target.place))
	}] : [], ...isLate(target) ? [{
		tone: "bad",
		icon: "clock",
		says: relays$1().oldest(age(target.oldest_queued_at ?? 0))
	}] : []];
	return [...relay.paused ? [{
		tone: "warn",
		icon: "paused",
		says: words.paused
	}] : [], ...counted.flatMap(ofTarget)];
}
function Troubles({ relay }) {
	const troubles = troublesOf(relay);
	if (troubles.length === 0) return a(Badge, {
		tone: "good",
		icon: "check",
		children: relays$1().troubles.none
	});
	return a("span", {
		class: "troubles",
		children: troubles.map(({ tone, icon, says }) => a(Badge, {
			tone,
			icon,
			children: says
		}, says))
	});
}
// src/areas/health/relays.tsx
function Relays$1({ relays }) {
	const words = relays$1();
	return a(Part, {
		title: words.title,
		children: a(Listed, {
			name: "relay-health",
			columns: [
				words.relay,
				words.health,
				words.waiting
			],
			children: relays.map((relay) => a("tr", { children: [
				a("th", {
					scope: "row",
					children: a("a", {
						href: `/relays/${encodeURIComponent(relay.channel_id)}`,
						children: relay.channel_id
					})
				}),
				a("td", {
					"data-label": words.health,
					children: a(Troubles, { relay })
				}),
				a("td", {
					"data-label": words.waiting,
					children: number(relay.targets.reduce((total, { waiting }) => total + waiting, 0))
				})
			] }, relay.channel_id))
		})
	});
}
// src/areas/health/page.tsx
async function load(signal) {
	const without = (failure) => {
		if (failure instanceof Problem && failure.status === 503) return failure;
		throw failure;
	};
	const [answer, metrics, endpoints, relays] = await Promise.all([
		open("/readyz", signal),
		open("/metrics", signal),
		listAsOperator("/admin/v1/endpoints", "endpoints", signal).catch(without),
		listAsOperator(ALL$1, "relays", signal).catch(without)
	]);
	const ready = JSON.parse(answer);
	if (endpoints instanceof Problem && (ready.ready || ready.node === void 0)) throw endpoints;
	return {
		ready,
		metrics: read(metrics),
		endpoints,
		relays: relays instanceof Problem ? [] : relays
	};
}
function standing({ ready, checks, node }) {
	const words = health();
	if (ready) return words.ready;
	if (checks.draining) return words.draining;
	return node !== void 0 && checks.store === "ok" ? words.sharedLog.unconfirmed : words.notReady(checks.store);
}
function HealthPage() {
	return a(OperatorGate, {
		title: health().title,
		children: () => a(Health$1, {})
	});
}
function Health$1() {
	const words = health();
	const loaded = usePolled("health", 3e3, load);
	const channels = useChannels();
	const state = loaded.data.value;
	const node = state?.ready.node;
	return a(Page, {
		title: words.title,
		actions: a(Pause, {}),
		children: [
			loaded.problem.value !== void 0 && a(ProblemNote, {
				problem: loaded.problem.value,
				retry: loaded.reload
			}),
			state === void 0 && loaded.problem.value === void 0 && a(Skeleton, {}),
			state !== void 0 && a("div", {
				class: "health",
				children: [
					a("p", {
						class: state.ready.ready ? "note good" : "note bad",
						role: "status",
						children: a(Badge, {
							tone: state.ready.ready ? "good" : "bad",
							icon: state.ready.ready ? "check" : "warning",
							children: standing(state.ready)
						})
					}),
					node !== void 0 && a(SharedLog, {
						node,
						lag: node.role === "standby" || state.ready.ready
					}),
					state.endpoints instanceof Problem ? a(ProblemNote, {
						problem: state.endpoints,
						retry: loaded.reload
					}) : a($, { children: [
						a(Figures, { metrics: state.metrics }),
						state.relays.length > 0 && a(Relays$1, { relays: state.relays }),
						a(Part, {
							title: words.endpoints.title,
							children: a(Endpoints, {
								endpoints: state.endpoints,
								channels,
								onChange: loaded.reload
							})
						}),
						a("details", {
							class: "rest",
							children: [a("summary", { children: words.rest }), a(Numbers$1, { metrics: state.metrics })]
						})
					] })
				]
			})
		]
	});
}
function Numbers$1({ metrics }) {
	const words = health();
	const of = (name) => number(sum(metrics, name));
	const requests = (status) => number(metrics.get(`switchboard_http_requests_total{status="${status}"}`) ?? 0);
	return a("div", {
		class: "numbers",
		children: [
			a(Part, {
				title: words.callbacks.title,
				children: a(Facts, { children: [
					a(Fact, {
						name: words.callbacks.held,
						children: of("dispatch_held")
					}),
					a(Fact, {
						name: words.callbacks.inFlight,
						children: of("dispatch_in_flight")
					}),
					a(Fact, {
						name: words.callbacks.delivered,
						children: of("dispatch_delivered_total")
					}),
					a(Fact, {
						name: words.callbacks.refused,
						children: of("dispatch_refused_total")
					})
				] })
			}),
			a(Part, {
				title: words.data.title,
				children: a(Facts, { children: [
					a(Fact, {
						name: words.data.writable,
						children: sum(metrics, "journal_writable") > 0 ? words.yes : words.no
					}),
					a(Fact, {
						name: words.data.records,
						children: of("journal_records_total")
					}),
					a(Fact, {
						name: words.data.pending,
						children: of("index_pending_records")
					}),
					a(Fact, {
						name: words.data.failed,
						children: of("index_checkpoints_failed_total")
					})
				] })
			}),
			metrics.has("switchboard_archive_age_seconds") && a(Part, {
				title: words.archive.title,
				children: a(Facts, { children: [
					a(Fact, {
						name: words.archive.works,
						children: sum(metrics, "archive_failing") > 0 ? words.no : words.yes
					}),
					a(Fact, {
						name: words.archive.records,
						children: of("archive_records_total")
					}),
					a(Fact, {
						name: words.archive.age,
						children: lasting(sum(metrics, "archive_age_seconds"))
					})
				] })
			}),
			a(Part, {
				title: words.service.title,
				children: a(Facts, { children: [
					a(Fact, {
						name: words.service.version,
						children: labelOf(metrics, "build_info", "version")
					}),
					a(Fact, {
						name: words.service.since,
						children: moment(sum(metrics, "process_start_time_seconds"))
					}),
					a(Fact, {
						name: words.service.answered,
						children: requests("2xx")
					}),
					a(Fact, {
						name: words.service.refused,
						children: requests("4xx")
					}),
					a(Fact, {
						name: words.service.failed,
						children: requests("5xx")
					}),
					a(Fact, {
						name: words.service.actors,
						children: of("actors_live")
					}),
					a(Fact, {
						name: words.service.deaths,
						children: of("actors_deaths_total")
					})
				] })
			})
		]
	});
}
// src/words/clients.ts
var clients$1 = dictionary({
	en: {
		title: "OAuth clients",
		list: "OAuth clients",
		text: "An OAuth client is a program that accounts can install. It has an id, a secret and a redirect address.",
		create: "Create an OAuth client",
		edit: "Edit the OAuth client",
		empty: "No OAuth clients yet",
		choose: "Choose an OAuth client.",
		missing: "This OAuth client does not exist.",
		id: "Client id",
		name: "Name",
		nameHint: "The consent page shows the name.",
		redirect: "Redirect address",
		redirectHint: "The browser opens this address after the consent. Requests must name exactly this address.",
		consent: "Consent page",
		hook: "Uninstall hook",
		hookHint: "The service sends a signed GET request to this address when an account uninstalls the client. Leave empty for no request.",
		noHook: "No address",
		channelHint: "The service disconnects an account from this channel when the account uninstalls the client.",
		noChannel: "No channel",
		scopes: "Scopes",
		listMessages: "Ask for reading the messages of talks",
		sendMessages: "Ask for writing to talks as a bot",
		scopesHint: "The consent page lists what the client asks for. What you take away ends at once; what you add needs another consent.",
		noScopes: "No scopes",
		secret: {
			secret: "Secret",
			fingerprint: "Fingerprint of the secret",
			rotate: "Rotate the secret",
			rotateText: "The service creates a new secret and shows it once. It refuses the old secret from now on. Tokens stay valid.",
			made: (name) => `The secret of ${name}`,
			once: "The service shows this secret only once. Copy it now.",
			kept: "I copied the secret"
		},
		grants: {
			title: "Accounts that installed the client",
			none: "No account has installed the client.",
			since: "Installed",
			user: (id) => `Last consent: user ${id}`,
			tokens: "Long-lived tokens",
			uninstall: "Uninstall",
			uninstallTitle: (account) => `Uninstall the client from ${account}?`,
			uninstallText: "The service refuses all codes and tokens of the client in this account from now on, disconnects the account from the channel of the client, and calls the uninstall hook."
		},
		requests: {
			title: "Token requests",
			text: "The newest 50 requests for tokens. The service keeps them in memory: a restart empties the list.",
			none: "No token requests.",
			time: "Time and grant type",
			program: "Program and address",
			outcome: "Outcome",
			issued: "Tokens issued",
			refused: "Refused"
		}
	},
	ru: {
		title: "Клиенты OAuth",
		list: "Клиенты OAuth",
		text: "Клиент OAuth — программа, которую аккаунты могут установить. У него есть id, секрет и адрес перенаправления.",
		create: "Создать клиента OAuth",
		edit: "Изменить клиента OAuth",
		empty: "Клиентов OAuth пока нет",
		choose: "Выберите клиента OAuth.",
		missing: "Такого клиента OAuth нет.",
		id: "Id клиента",
		name: "Название",
		nameHint: "Название показывает страница согласия.",
		redirect: "Адрес перенаправления",
		redirectHint: "Браузер открывает этот адрес после согласия. В запросах должен быть точно этот адрес.",
		consent: "Страница согласия",
		hook: "Вебхук удаления",
		hookHint: "Сервис отправляет на этот адрес подписанный запрос GET, когда аккаунт удаляет клиента. Оставьте пустым, если запрос не нужен.",
		noHook: "Нет адреса",
		channelHint: "Сервис отключает аккаунт от этого канала, когда аккаунт удаляет клиента.",
		noChannel: "Нет канала",
		scopes: "Разрешения",
		listMessages: "Запрашивать чтение сообщений бесед",
		sendMessages: "Запрашивать отправку сообщений в беседы от имени бота",
		scopesHint: "Страница согласия перечисляет, что запрашивает клиент. Отмена действует на токены сразу; новое разрешает следующее согласие.",
		noScopes: "Нет разрешений",
		secret: {
			secret: "Секрет",
			fingerprint: "Отпечаток секрета",
			rotate: "Сменить секрет",
			rotateText: "Сервис создаст новый секрет и покажет его один раз. Старый секрет сервис сразу начнёт отклонять. Токены остаются действительными.",
			made: (name) => `Секрет клиента ${name}`,
			once: "Сервис показывает секрет только один раз. Скопируйте его сейчас.",
			kept: "Секрет скопирован"
		},
		grants: {
			title: "Аккаунты, которые установили клиента",
			none: "Ни один аккаунт не установил клиента.",
			since: "Установлен",
			user: (id) => `Последнее согласие: пользователь ${id}`,
			tokens: "Долгосрочные токены",
			uninstall: "Удалить",
			uninstallTitle: (account) => `Удалить клиента из аккаунта ${account}?`,
			uninstallText: "С этого момента сервис отклоняет все коды и токены клиента в этом аккаунте, отключает аккаунт от канала клиента и вызывает вебхук удаления."
		},
		requests: {
			title: "Запросы токенов",
			text: "Последние 50 запросов токенов. Сервис хранит их в памяти: после перезапуска список пуст.",
			none: "Запросов токенов нет.",
			time: "Время и тип запроса",
			program: "Программа и адрес",
			outcome: "Результат",
			issued: "Токены выданы",
			refused: "Отклонён"
		}
	},
	es: {
		title: "Clientes de OAuth",
		list: "Clientes de OAuth",
		text: "Un cliente de OAuth es un programa que las cuentas pueden instalar. Tiene un id, un secreto y una dirección de redirección.",
		create: "Crear un cliente de OAuth",
		edit: "Editar el cliente de OAuth",
		empty: "Todavía no hay clientes de OAuth",
		choose: "Elija un cliente de OAuth.",
		missing: "Este cliente de OAuth no existe.",
		id: "Id de cliente",
		name: "Nombre",
		nameHint: "La página de consentimiento muestra el nombre.",
		redirect: "Dirección de redirección",
		redirectHint: "El navegador abre esta dirección después del consentimiento. Las solicitudes deben indicar exactamente esta dirección.",
		consent: "Página de consentimiento",
		hook: "Hook de desinstalación",
		hookHint: "El servicio envía una solicitud GET firmada a esta dirección cuando una cuenta desinstala el cliente. Deje vacío para no enviarla.",
		noHook: "Sin dirección",
		channelHint: "El servicio desconecta una cuenta de este canal cuando la cuenta desinstala el cliente.",
		noChannel: "Sin canal",
		scopes: "Ámbitos",
		listMessages: "Solicitar leer los mensajes de las conversaciones",
		sendMessages: "Solicitar escribir en las conversaciones como bot",
		scopesHint: "La página de consentimiento enumera lo que solicita el cliente. Lo retirado vale de inmediato para los tokens; lo nuevo se concede con el siguiente consentimiento.",
		noScopes: "Ningún ámbito",
		secret: {
			secret: "Secreto",
			fingerprint: "Huella del secreto",
			rotate: "Rotar el secreto",
			rotateText: "El servicio crea un secreto nuevo y lo muestra una sola vez. Desde ahora rechaza el secreto anterior. Los tokens siguen siendo válidos.",
			made: (name) => `El secreto de ${name}`,
			once: "El servicio muestra este secreto una sola vez. Cópielo ahora.",
			kept: "Ya copié el secreto"
		},
		grants: {
			title: "Cuentas que instalaron el cliente",
			none: "Ninguna cuenta ha instalado el cliente.",
			since: "Instalado",
			user: (id) => `Último consentimiento: usuario ${id}`,
			tokens: "Tokens de larga duración",
			uninstall: "Desinstalar",
			uninstallTitle: (account) => `¿Desinstalar el cliente de ${account}?`,
			uninstallText: "Desde ahora, el servicio rechaza todos los códigos y tokens del cliente en esta cuenta, desconecta la cuenta del canal del cliente y llama al hook de desinstalación."
		},
		requests: {
			title: "Solicitudes de tokens",
			text: "Las 50 solicitudes de tokens más recientes. El servicio las guarda en memoria: un reinicio vacía la lista.",
			none: "No hay solicitudes de tokens.",
			time: "Hora y tipo de concesión",
			program: "Programa y dirección",
			outcome: "Resultado",
			issued: "Tokens emitidos",
			refused: "Rechazada"
		}
	}
});
// src/areas/oauth-clients/editor.tsx
function Editor({ title, client, accounts, channels, onSave, onClose }) {
	const words = clients$1();
	const name = useSignal(client?.name ?? "");
	const redirect = useSignal(client?.redirect_uri ?? "");
	const hook = useSignal(client?.uninstall_hook ?? "");
	const channel = useSignal(client?.channel ?? "");
	const open = useSignal(client?.accounts ?? ["*"]);
	const lists = useSignal(client?.list_external_messages ?? true);
	const sends = useSignal(client?.send_external_messages ?? true);
	const task = useWork();
	const problem = task.problem;
	const optional = (field, value) => value !== "" ? { [field]: value } : client === void 0 ? {} : { [field]: null };
	const save = () => task.run(() => onSave({
		name: name.value,
		redirect_uri: redirect.value.trim(),
		...optional("uninstall_hook", hook.value.trim()),
		...optional("channel", channel.value),
		accounts: open.value,
		list_external_messages: lists.value,
		send_external_messages: sends.value
	}));
	return a(Dialog, {
		title,
		onClose,
		children: a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				save();
			},
			children: [
				a(Field, {
					label: words.name,
					hint: words.nameHint,
					error: problem?.about("name"),
					children: (input) => a("input", {
						...input,
						required: true,
						maxLength: 255,
						...typed(name)
					})
				}),
				a(Field, {
					label: words.redirect,
					hint: words.redirectHint,
					error: problem?.about("redirect_uri"),
					children: (input) => a("input", {
						...input,
						required: true,
						inputMode: "url",
						placeholder: "https://example.com/oauth/callback",
						...typed(redirect)
					})
				}),
				a(Field, {
					label: words.hook,
					hint: words.hookHint,
					error: problem?.about("uninstall_hook"),
					children: (input) => a("input", {
						...input,
						inputMode: "url",
						...typed(hook)
					})
				}),
				a(Field, {
					label: operator().channel,
					hint: words.channelHint,
					error: problem?.about("channel"),
					children: (input) => a("select", {
						...input,
						value: channel.value,
						onChange: (event) => channel.value = event.currentTarget.value,
						children: [a("option", {
							value: "",
							children: words.noChannel
						}), channels.map((known) => a("option", {
							value: known.id,
							children: known.name
						}, known.id))]
					})
				}),
				a(AccountsChoice, {
					accounts,
					value: open.value,
					onChange: (ids) => open.value = ids
				}),
				a("fieldset", { children: [
					a("legend", { children: words.scopes }),
					a("label", {
						class: "check",
						children: [a("input", {
							type: "checkbox",
							checked: lists.value,
							onChange: (event) => lists.value = event.currentTarget.checked
						}), words.listMessages]
					}),
					a("label", {
						class: "check",
						children: [a("input", {
							type: "checkbox",
							checked: sends.value,
							onChange: (event) => sends.value = event.currentTarget.checked
						}), words.sendMessages]
					}),
					a("p", {
						class: "hint",
						children: words.scopesHint
					})
				] }),
				problem !== void 0 && a(ProblemNote, { problem }),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: onClose,
						children: shell().cancel
					}), a(Button, {
						type: "submit",
						look: "primary",
						busy: task.busy,
						children: shell().save
					})]
				})
			]
		})
	});
}
// src/areas/oauth-clients/grants.tsx
function Grants({ path, accounts }) {
	const words = clients$1().grants;
	const at = `${path}/grants`;
	const loaded = useLoad(at, (signal) => listAsOperator(at, "grants", signal));
	const ending = useSignal(void 0);
	const ended = useSignal(void 0);
	const all = loaded.data.value;
	const named = (id) => namesOf([id], accounts);
	const end = async (account) => {
		await askAsOperator(`${at}/${encodeURIComponent(account)}`, { method: "DELETE" });
		ending.value = void 0;
		ended.value = account;
		loaded.data.value = (loaded.data.peek() ?? []).filter((grant) => grant.account_id !== account);
	};
	return a(Part, {
		title: words.title,
		children: [
			loaded.problem.value !== void 0 && a(ProblemNote, {
				problem: loaded.problem.value,
				retry: loaded.reload
			}),
			all === void 0 && loaded.problem.value === void 0 && a(Skeleton, { rows: 2 }),
			all?.length === 0 && a("p", {
				class: "soft",
				children: words.none
			}),
			all !== void 0 && all.length > 0 && a(Listed, {
				name: "installed-in",
				columns: [
					operator().account,
					words.since,
					words.tokens
				],
				action: words.uninstall,
				children: all.map((grant) => a("tr", { children: [
					a("th", {
						scope: "row",
						children: a("div", {
							class: "caller",
							children: [a("bdi", { children: named(grant.account_id) }), grant.user_id !== null && a("span", {
								class: "soft",
								children: words.user(grant.user_id)
							})]
						})
					}),
					a("td", {
						"data-label": words.since,
						children: day(grant.since)
					}),
					a("td", {
						"data-label": words.tokens,
						children: number(grant.long_lived_tokens.length)
					}),
					a("td", { children: a(Button, {
						icon: "trash",
						onClick: () => ending.value = grant.account_id,
						children: words.uninstall
					}) })
				] }, grant.account_id))
			}),
			ended.value !== void 0 && a(Left, { at: `${at}/${encodeURIComponent(ended.value)}/users` }),
			ending.value !== void 0 && a(Confirm, {
				title: words.uninstallTitle(named(ending.value)),
				text: words.uninstallText,
				action: words.uninstall,
				icon: "trash",
				onConfirm: () => end(ending.value ?? ""),
				onClose: () => ending.value = void 0
			})
		]
	});
}
function Left({ at }) {
	const loaded = useLoad(at, (signal) => askAsOperator(at, {
		query: { limit: 250 },
		signal
	}));
	return a(AdmittedUsers, { loaded });
}
// src/areas/oauth-clients/token-requests.tsx
var EVERY$2 = 2e3;
function TokenRequests({ path, accounts }) {
	const words = clients$1().requests;
	const at = `${path}/token-requests`;
	const loaded = usePolled(at, EVERY$2, (signal) => listAsOperator(at, "token_requests", signal));
	const all = loaded.data.value;
	return a(Part, {
		title: words.title,
		children: [
			a("p", {
				class: "soft",
				children: words.text
			}),
			loaded.problem.value !== void 0 && a(ProblemNote, {
				problem: loaded.problem.value,
				retry: loaded.reload
			}),
			all === void 0 && loaded.problem.value === void 0 && a(Skeleton, { rows: 2 }),
			all?.length === 0 && a("p", {
				class: "soft",
				children: words.none
			}),
			all !== void 0 && all.length > 0 && a(Listed, {
				name: "token-requests",
				columns: [
					words.time,
					words.program,
					words.outcome
				],
				children: all.map((request, place) => a("tr", { children: [
					a("th", {
						scope: "row",
						children: a("div", {
							class: "caller",
							children: [a(Moment, { at: request.at }), a("code", { children: request.grant_type })]
						})
					}),
					a("td", {
						"data-label": words.program,
						children: a("div", {
							class: "caller",
							children: [a(Program, { agent: request.user_agent }), a("code", { children: request.address })]
						})
					}),
					a("td", {
						"data-label": words.outcome,
						children: a(Outcome, {
							request,
							accounts
						})
					})
				] }, all.length - place))
			})
		]
	});
}
function Outcome({ request, accounts }) {
	const words = clients$1().requests;
	const isRefused = request.hint !== null;
	return a("div", {
		class: "caller",
		children: [
			a("span", { children: a(Badge, {
				tone: isRefused ? "bad" : "good",
				icon: isRefused ? "warning" : "check",
				children: isRefused ? words.refused : words.issued
			}) }),
			request.account_id !== null && a("span", { children: namesOf([request.account_id], accounts) }),
			request.hint !== null && a("p", {
				class: "hint-text",
				lang: "en",
				children: request.hint
			})
		]
	});
}
// src/areas/oauth-clients/client.tsx
var SCOPES = ["list_external_messages", "send_external_messages"];
function ClientView({ client, path, accounts, channels, onChange }) {
	const words = clients$1();
	const editing = useSignal(false);
	const rotating = useSignal(false);
	const save = async (fields) => {
		onChange(await askAsOperator(path, {
			method: "PATCH",
			body: fields
		}));
		editing.value = false;
	};
	const rotate = async () => {
		const made = await askAsOperator(`${path}/rotate-secret`, {
			method: "POST",
			body: {}
		});
		rotating.value = false;
		onChange(made);
	};
	const scopes = SCOPES.filter((scope) => client[scope]);
	const consent = `${location.origin}/oauth?client_id=${encodeURIComponent(client.id)}`;
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", { children: client.name }), a("div", {
				class: "buttons",
				children: [a(Button, {
					icon: "edit",
					onClick: () => editing.value = true,
					children: words.edit
				}), a(Button, {
					icon: "retry",
					onClick: () => rotating.value = true,
					children: words.secret.rotate
				})]
			})]
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.id,
				copy: client.id,
				children: a("code", { children: client.id })
			}),
			a(Fact, {
				name: words.secret.fingerprint,
				copy: client.secret_fingerprint,
				children: a("code", { children: client.secret_fingerprint })
			}),
			a(Fact, {
				name: words.redirect,
				copy: client.redirect_uri,
				children: client.redirect_uri
			}),
			a(Fact, {
				name: words.consent,
				copy: consent,
				children: consent
			}),
			a(Fact, {
				name: words.hook,
				copy: client.uninstall_hook ?? void 0,
				children: client.uninstall_hook ?? words.noHook
			}),
			a(Fact, {
				name: operator().channel,
				children: client.channel === null ? words.noChannel : a("a", {
					href: `/channels/${encodeURIComponent(client.channel)}`,
					children: nameOf(channels, client.channel)
				})
			}),
			a(Fact, {
				name: operator().accounts,
				children: namesOf(client.accounts, accounts)
			}),
			a(Fact, {
				name: words.scopes,
				children: scopes.length === 0 ? words.noScopes : scopes.map((scope) => a("code", { children: [scope, " "] }, scope))
			})
		] }),
		a(Grants, {
			path,
			accounts
		}),
		a(TokenRequests, {
			path,
			accounts
		}),
		editing.value && a(Editor, {
			title: words.edit,
			client,
			accounts,
			channels,
			onSave: save,
			onClose: () => editing.value = false
		}),
		rotating.value && a(Confirm, {
			title: words.secret.rotate,
			text: words.secret.rotateText,
			action: words.secret.rotate,
			icon: "retry",
			onConfirm: rotate,
			onClose: () => rotating.value = false
		})
	] });
}
// src/areas/oauth-clients/page.tsx
var ALL = "/admin/v1/oauth-clients";
function ClientsPage({ id }) {
	return a(OperatorGate, {
		title: clients$1().title,
		children: () => a(Clients, { id })
	});
}
function clients(signal) {
	return listAsOperator(ALL, "oauth_clients", signal);
}
var at$1 = (id) => `/oauth-clients/${encodeURIComponent(id)}`;
function Clients({ id }) {
	const words = clients$1();
	const loaded = useLoad("oauth-clients", clients);
	const people = useLoad("accounts", accounts).data.value ?? [];
	const channels = useChannels();
	const creating = useSignal(false);
	const made = useSignal(void 0);
	const all = loaded.data.value;
	const chosen = all?.find((client) => client.id === id);
	const change = (client) => {
		put(loaded, client);
		if (client.secret !== void 0) made.value = client;
	};
	const create = async (fields) => {
		const client = await askAsOperator(ALL, {
			method: "POST",
			body: fields
		});
		creating.value = false;
		change(client);
		open$1(at$1(client.id));
	};
	return a(Page, {
		title: words.title,
		about: chosen?.name,
		fills: true,
		actions: a(Button, {
			look: "primary",
			icon: "plus",
			onClick: () => creating.value = true,
			children: words.create
		}),
		children: [
			a(Split, {
				label: words.list,
				narrow: a("p", {
					class: "soft",
					children: words.text
				}),
				isChosen: id !== void 0,
				home: "/oauth-clients",
				rows: a($, { children: [
					loaded.problem.value !== void 0 && a(ProblemNote, {
						problem: loaded.problem.value,
						retry: loaded.reload
					}),
					all === void 0 && loaded.problem.value === void 0 && a(Skeleton, {}),
					all?.length === 0 && a(Empty, {
						title: words.empty,
						command: "oauth-client create \"My bridge\" https://example.com/oauth/callback"
					}),
					a("ul", { children: all?.map((client) => a("li", { children: a("a", {
						class: "line",
						href: at$1(client.id),
						"aria-current": client.id === id ? "true" : void 0,
						children: [a("span", { children: client.name }), a("span", {
							class: "under",
							children: client.redirect_uri
						})]
					}) }, client.id)) })
				] }),
				children: [
					id === void 0 && a(Empty, { title: words.choose }),
					id !== void 0 && all !== void 0 && chosen === void 0 && a(Empty, { title: words.missing }),
					chosen !== void 0 && a(ClientView, {
						client: chosen,
						path: `${ALL}/${encodeURIComponent(chosen.id)}`,
						accounts: people,
						channels,
						onChange: change
					}, chosen.id)
				]
			}),
			creating.value && a(Editor, {
				title: words.create,
				accounts: people,
				channels,
				onSave: create,
				onClose: () => creating.value = false
			}),
			made.value !== void 0 && a(Once, {
				title: words.secret.made(made.value.name),
				text: words.secret.once,
				name: words.secret.secret,
				secret: made.value.secret,
				kept: words.secret.kept,
				onClose: () => made.value = void 0
			})
		]
	});
}
// src/areas/relays/times.ts
var secondsOf$1 = (local) => Math.floor(new Date(local).getTime() / 1e3);
// src/areas/relays/replay.tsx
function Replay({ relay, message, onDone, onClose }) {
	const words = relays$1().replay;
	const target = useSignal("0");
	const [from, until] = [useSignal(""), useSignal("")];
	const count = useSignal(void 0);
	const task = useWork();
	const send = () => task.run(async () => {
		const body = {
			...message === void 0 ? {
				from: secondsOf$1(from.value),
				until: secondsOf$1(until.value)
			} : { message_id: message },
			target: Number(target.value)
		};
		const answer = await askAsOperator(`${pathOf$1(relay.channel_id)}/replay`, {
			method: "POST",
			body
		});
		count.value = answer.replayed;
		onDone();
	});
	return a(Dialog, {
		title: message === void 0 ? words.ofTime : words.ofHook,
		onClose,
		children: a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				send();
			},
			children: [
				a("p", { children: message === void 0 ? words.timeText : words.hookText(message) }),
				a(Field, {
					label: relays$1().target,
					error: task.problem?.about("target"),
					children: (input) => a("select", {
						...input,
						value: target.value,
						onChange: (event) => target.value = event.currentTarget.value,
						children: relay.targets.map(({ place }) => a("option", {
							value: String(place),
							children: targetOf(place)
						}, place))
					})
				}),
				message === void 0 && a($, { children: [a(Field, {
					label: relays$1().from,
					error: task.problem?.about("from"),
					children: (input) => a("input", {
						...input,
						type: "datetime-local",
						step: "1",
						required: true,
						value: from.value,
						onInput: (event) => from.value = event.currentTarget.value
					})
				}), a(Field, {
					label: relays$1().until,
					error: task.problem?.about("until"),
					children: (input) => a("input", {
						...input,
						type: "datetime-local",
						step: "1",
						required: true,
						value: until.value,
						onInput: (event) => until.value = event.currentTarget.value
					})
				})] }),
				task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
				a("p", {
					role: "status",
					class: "replayed",
					children: count.value !== void 0 && words.count(count.value)
				}),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: onClose,
						children: shell().close
					}), count.value === void 0 && a(Button, {
						type: "submit",
						look: "primary",
						icon: "retry",
						busy: task.busy,
						children: words.submit
					})]
				})
			]
		})
	});
}
// src/areas/relays/hooks.tsx
function Hooks({ relay }) {
	const words = relays$1();
	const [message, from, until] = [
		useSignal(""),
		useSignal(""),
		useSignal("")
	];
	const replaying = useSignal(void 0);
	const time = {
		...from.value === "" ? {} : { from: String(secondsOf$1(from.value)) },
		...until.value === "" ? {} : { until: String(secondsOf$1(until.value)) }
	};
	const id = message.value.trim();
	const query = id === "" ? time : { message_id: id };
	const { loaded, rows, isMore, isBusy, more } = useNewest({
		path: `${pathOf$1(relay.channel_id)}/hooks`,
		name: "hooks",
		query
	});
	const problem = loaded.problem.value;
	const isNarrowed = Object.keys(query).length > 0;
	return a(Part, {
		title: words.hooks.title,
		children: [
			a("form", {
				class: "relay-search",
				role: "search",
				"aria-label": words.hooks.title,
				onSubmit: (event) => event.preventDefault(),
				children: [
					a(Field, {
						label: words.hooks.message,
						children: (input) => a("input", {
							...input,
							type: "search",
							class: "mono",
							spellcheck: false,
							value: message.value,
							onInput: (event) => message.value = event.currentTarget.value
						})
					}),
					a(Field, {
						label: words.from,
						children: (input) => a("input", {
							...input,
							type: "datetime-local",
							step: "1",
							disabled: id !== "",
							value: from.value,
							onInput: (event) => from.value = event.currentTarget.value
						})
					}),
					a(Field, {
						label: words.until,
						children: (input) => a("input", {
							...input,
							type: "datetime-local",
							step: "1",
							disabled: id !== "",
							value: until.value,
							onInput: (event) => until.value = event.currentTarget.value
						})
					})
				]
			}),
			problem !== void 0 && a(ProblemNote, {
				problem,
				retry: loaded.reload
			}),
			loaded.data.value === void 0 && problem === void 0 && a(Skeleton, {}),
			loaded.data.value !== void 0 && rows.length === 0 && a("p", {
				class: "soft",
				children: isNarrowed ? words.hooks.nothing : words.hooks.none
			}),
			rows.length > 0 && a(Listed, {
				name: "relay-hooks",
				columns: [
					words.hooks.received,
					words.hooks.kind,
					words.hooks.message,
					words.hooks.states
				],
				action: words.replay.submit,
				children: rows.map((hook) => a("tr", { children: [
					a("th", {
						scope: "row",
						children: a("time", {
							dateTime: new Date(hook.received_at * 1e3).toISOString(),
							children: moment(hook.received_at)
						})
					}),
					a("td", {
						"data-label": words.hooks.kind,
						children: a("div", { children: [hook.bytes === null ? words.hooks.erased : words.hooks.kinds[hook.kind ?? ""] ?? hook.kind, a("div", {
							class: "soft",
							children: [hook.bytes === null ? "" : operator().body.length(hook.bytes), hook.late ? words.hooks.late : ""].filter((it) => it !== "").join(" · ")
						})] })
					}),
					a("td", {
						"data-label": words.hooks.message,
						children: a("div", { children: [a("code", { children: hook.message_id ?? "—" }), a("div", {
							class: "soft address",
							children: hook.scope_id
						})] })
					}),
					a("td", {
						"data-label": words.hooks.states,
						children: a("ul", {
							class: "relay-states",
							children: hook.deliveries.map((delivery) => a("li", { children: [
								a("span", { children: targetOf(delivery.target) }),
								" ",
								a(StateBadge, { state: delivery.state }),
								" ",
								a("span", {
									class: "soft",
									children: [delivery.attempts > 0 ? callbacks().tries(delivery.attempts) : "", delivery.last_status ?? ""].filter((it) => it !== "").join(" · ")
								})
							] }, delivery.target))
						})
					}),
					a("td", { children: hook.message_id !== null && a(Button, {
						look: "quiet",
						icon: "retry",
						"aria-label": words.replay.one(hook.message_id),
						onClick: () => replaying.value = hook.message_id ?? void 0,
						children: words.replay.submit
					}) })
				] }, `${hook.received_at} ${hook.scope_id} ${hook.message_id} ${hook.number}`))
			}),
			isMore && a(Button, {
				busy: isBusy,
				onClick: more,
				children: shell().loadMore
			}),
			replaying.value !== void 0 && a(Replay, {
				relay,
				message: replaying.value,
				onDone: loaded.reload,
				onClose: () => replaying.value = void 0
			})
		]
	});
}
// src/areas/relays/notes.tsx
function WrongSignatures({ hooks }) {
	const words = relays$1().wrong;
	return a(Part, {
		title: words.title,
		children: [a("p", {
			class: "soft",
			children: hooks.length === 0 ? words.none : words.text
		}), hooks.length > 0 && a(Listed, {
			name: "relay-wrong",
			columns: [
				words.at,
				words.from,
				words.reason,
				words.length
			],
			children: hooks.map((hook, at) => a("tr", { children: [
				a("th", {
					scope: "row",
					children: a(Moment, { at: hook.at })
				}),
				a("td", {
					"data-label": words.from,
					children: a("code", { children: hook.from ?? "—" })
				}),
				a("td", {
					"data-label": words.reason,
					children: a("span", {
						lang: "en",
						children: hook.reason
					})
				}),
				a("td", {
					"data-label": words.length,
					children: operator().body.length(hook.bytes)
				})
			] }, at))
		})]
	});
}
function News({ news }) {
	const words = relays$1().news;
	return a(Part, {
		title: words.title,
		children: [a("p", {
			class: "soft",
			children: news.length === 0 ? words.none : words.text
		}), news.length > 0 && a(Listed, {
			name: "relay-news",
			columns: [words.shape, words.since],
			children: news.map(({ shape, first_seen_at: since }) => a("tr", { children: [a("th", {
				scope: "row",
				children: a("code", { children: shape })
			}), a("td", {
				"data-label": words.since,
				children: a(Moment, { at: since })
			})] }, shape))
		})]
	});
}
// src/areas/relays/targets.tsx
function Targets({ targets }) {
	const words = relays$1();
	return a(Part, {
		title: words.targets,
		children: a(Listed, {
			name: "relay-targets",
			columns: [
				words.target,
				words.health,
				words.hooks.title
			],
			children: targets.map((target) => a("tr", { children: [
				a("th", {
					scope: "row",
					children: a("div", { children: [targetOf(target.place), a("div", {
						class: "soft address",
						children: target.address
					})] })
				}),
				a("td", {
					"data-label": words.health,
					children: a(Health, { target })
				}),
				a("td", {
					"data-label": words.hooks.title,
					children: a(Numbers, { target })
				})
			] }, target.place))
		})
	});
}
function Health({ target }) {
	const words = relays$1();
	const { failing_since: since, last_answer: answer, state } = target;
	return a("div", { children: [
		a(TargetBadge, { target }),
		answer !== null && a("div", { children: `${words.lastAnswer}: ${answerOf(answer)}, ${moment(answer.at)}` }),
		since !== null && a("div", {
			class: "soft",
			children: words.failing(moment(since))
		}),
		since !== null && state?.next_probe_at !== void 0 && a("div", {
			class: "soft",
			children: words.probe(moment(state.next_probe_at))
		})
	] });
}
function Numbers({ target }) {
	const words = relays$1();
	const { oldest_queued_at: oldest } = target;
	const others = [
		[words.delivered, target.delivered],
		[words.dead, target.dead],
		[words.dropped, target.dropped],
		[words.skipped, target.skipped]
	];
	return a("div", { children: [
		a("div", { children: `${words.waiting}: ${number(target.waiting)}` }),
		oldest !== null && a("div", {
			class: isLate(target) ? "late" : "soft",
			children: words.oldest(age(oldest))
		}),
		others.map(([name, count], at) => (at < 2 || count > 0) && a("div", { children: `${name}: ${number(count)}` }, name))
	] });
}
// src/areas/relays/relay.tsx
function RelayView({ id, onChange }) {
	const words = relays$1();
	const loaded = usePolled(id, 2e3, (signal) => askAsOperator(pathOf$1(id), { signal }));
	const turning = useSignal(false);
	const replaying = useSignal(false);
	const detail = loaded.data.value;
	const problem = loaded.problem.value;
	if (detail === void 0) return problem === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
		problem,
		retry: loaded.reload
	});
	const { relay } = detail;
	const turn = async () => {
		const changed = await askAsOperator(`${pathOf$1(id)}/${relay.paused ? "resume" : "pause"}`, {
			method: "POST",
			body: {}
		});
		loaded.data.value = {
			...detail,
			relay: changed
		};
		turning.value = false;
		onChange();
	};
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", { children: relay.channel_id }), a("div", {
				class: "buttons",
				children: [a(Button, {
					icon: "retry",
					onClick: () => replaying.value = true,
					children: words.replay.open
				}), a(Button, {
					icon: relay.paused ? "send" : "paused",
					look: relay.paused ? "primary" : "plain",
					onClick: () => turning.value = true,
					children: relay.paused ? words.resume.open : words.pause.open
				})]
			})]
		}),
		problem !== void 0 && a(ProblemNote, {
			problem,
			retry: loaded.reload
		}),
		a("p", {
			class: "relay-state",
			role: "status",
			children: a(Troubles, { relay })
		}),
		relay.pages_since !== null && a("p", {
			class: "note bad",
			children: words.pages(moment(relay.pages_since))
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.path,
				copy: relay.from,
				children: a("code", { children: relay.from })
			}),
			a(Fact, {
				name: words.taken,
				children: number(relay.taken)
			}),
			a(Fact, {
				name: words.repeated,
				children: number(relay.repeated)
			}),
			a(Fact, {
				name: words.refused,
				children: refusals(relay)
			})
		] }),
		a(Targets, { targets: relay.targets }),
		a(Hooks, { relay }),
		a(WrongSignatures, { hooks: detail.wrong_signatures }),
		a(News, { news: detail.news }),
		turning.value && a(Confirm, {
			...relay.paused ? words.resume : words.pause,
			icon: relay.paused ? "send" : "paused",
			onConfirm: turn,
			onClose: () => turning.value = false
		}),
		replaying.value && a(Replay, {
			relay,
			onDone: onChange,
			onClose: () => replaying.value = false
		})
	] });
}
function refusals({ refused }) {
	const { reasons } = relays$1();
	return Object.entries(refused).filter(([, count]) => count > 0).map(([reason, count]) => `${reasons[reason] ?? reason}: ${number(count)}`).join(" · ") || number(0);
}
// src/areas/relays/page.tsx
var relays = (signal) => listAsOperator(ALL$1, "relays", signal);
function RelaysPage({ id }) {
	return a(OperatorGate, {
		title: relays$1().title,
		children: () => a(Relays, { id })
	});
}
var at = (id) => `/relays/${encodeURIComponent(id)}`;
function Relays({ id }) {
	const words = relays$1();
	const loaded = usePolled("relays", 2e3, relays);
	const all = loaded.data.value;
	const problem = loaded.problem.value;
	const only = all?.length === 1 ? all[0]?.channel_id : void 0;
	const chosen = id ?? only;
	useWalk({
		rows: (all ?? []).map((it) => ({ id: it.channel_id })),
		selected: id,
		at,
		words
	});
	return a(Page, {
		title: words.title,
		about: id,
		actions: a(Pause, {}),
		fills: true,
		children: a(Split, {
			label: words.list,
			narrow: a(Answers, {}),
			isChosen: id !== void 0,
			home: "/relays",
			rows: a($, { children: [
				problem !== void 0 && a(ProblemNote, {
					problem,
					retry: loaded.reload
				}),
				all === void 0 && problem === void 0 && a(Skeleton, {}),
				all?.length === 0 && a(Empty, {
					title: words.empty,
					children: a("p", { children: words.emptyText })
				}),
				a("ul", { children: all?.map((relay) => a("li", { children: a("a", {
					class: "line",
					href: at(relay.channel_id),
					"aria-current": relay.channel_id === chosen ? "true" : void 0,
					children: [
						a("span", { children: relay.channel_id }),
						a("span", {
							class: "under relay-told",
							children: a(Troubles, { relay })
						}),
						a("span", {
							class: "under relay-told",
							children: numbers(relay)
						})
					]
				}) }, relay.channel_id)) })
			] }),
			children: chosen === void 0 ? all !== void 0 && all.length > 0 && a(Empty, { title: words.choose }) : a(RelayView, {
				id: chosen,
				onChange: loaded.reload
			}, chosen)
		})
	});
}
function numbers({ taken, targets }) {
	const words = relays$1();
	const sum = (count) => targets.reduce((total, target) => total + target[count], 0);
	return [
		[words.taken, taken],
		[words.waiting, sum("waiting")],
		[words.delivered, sum("delivered")],
		[words.dead, sum("dead")]
	].map(([name, count]) => `${name}: ${number(count)}`).join(" · ");
}
function Answers() {
	const words = relays$1();
	const loaded = usePolled("relay-answers", 5e3, async (signal) => read(await open("/metrics", signal)));
	const most = loaded.data.value === void 0 ? void 0 : percentile(loaded.data.value, "relay_answer_seconds", .99);
	return a("p", {
		class: "soft",
		children: most === void 0 ? words.text : words.answers(most === Infinity ? words.longest : words.milliseconds(number(most * 1e3)))
	});
}
// src/areas/relays/alone.tsx
function RelaysAlone() {
	const words = shell();
	return a("div", {
		class: "frame relays-alone",
		children: [
			a("a", {
				class: "skip",
				href: "#content",
				children: words.skip
			}),
			a("header", {
				class: "top",
				children: [
					a("a", {
						class: "brand",
						href: "/relays",
						"aria-label": words.product,
						children: [a(Icon, { name: "callbacks" }), a("span", { children: words.product })]
					}),
					a(LanguageChoice, {}),
					operatorToken.value !== void 0 && a(Button, {
						look: "quiet",
						icon: "key",
						label: words.operator.leave,
						onClick: forgetOperator
					})
				]
			}),
			a("main", {
				id: "content",
				tabIndex: -1,
				children: a(RelaysPage, { id: match("/relays/:id?", place.value.path)?.["id"] })
			})
		]
	});
}
// src/words/requests.en.ts
var en$2 = {
	title: "Requests received",
	list: "Requests of programs",
	choose: "Choose a request to see its details and its response.",
	outcome: "Outcome",
	all: "All",
	refused: "Rejected",
	answered: "Successful",
	surface: "Interface",
	allSurfaces: "All interfaces",
	surfaces: {
		chat: "Chat",
		account: "Account",
		oauth: "OAuth"
	},
	sender: "Sender",
	oauthClient: "OAuth client",
	user: (id) => `user ${id}`,
	client: (id) => `OAuth client ${id}`,
	clientOfUser: (id) => `OAuth client for user ${id}`,
	strangers: {
		chat: "Unknown channel",
		account: "Unknown sender",
		oauth: "Unknown OAuth client"
	},
	empty: "No program has sent a request since the start",
	nothing: "No requests match the filter.",
	off: "The service does not store requests: requests.keep_per_sender is 0 in the configuration.",
	leftOut: (count) => `${counted("en", count, {
		one: "request is",
		other: "requests are"
	})} not in this list: more than 50 came in a second. All of them were processed.`,
	unknownOperation: (method) => `${method}: no such operation`,
	statuses: {
		[-1]: "failed",
		1: "delivered",
		2: "read"
	},
	errors: {
		ORIGIN_INVALID_REQUEST: "The body is invalid",
		ORIGIN_INVALID_SIGNATURE: "The signature is wrong",
		ORIGIN_ACCOUNT_NOT_ALLOWED: "The channel is not open to this account",
		ORIGIN_NOT_REGISTERED: "There is nothing at this address",
		MESSAGE_NOT_FOUND: "There is no such message",
		MESSAGE_ALREADY_EXISTS: "Another message has this msgid",
		CONVERSATION_NOT_FOUND: "There is no such conversation",
		METHOD_NOT_ALLOWED: "The address takes another method",
		REQUEST_TIMEOUT: "The request came too slowly",
		PAYLOAD_TOO_LARGE: "The body is too long",
		URI_TOO_LONG: "The path is too long",
		TOO_MANY_REQUESTS: "Too many requests",
		QUOTA_EXCEEDED: "A quota of the account is used up",
		REQUEST_HEADER_FIELDS_TOO_LARGE: "The headers are too long",
		MISDIRECTED_REQUEST: "The request is for another host",
		UNSUPPORTED_MEDIA_TYPE: "The body is not declared as JSON",
		UNAVAILABLE: "The service is unavailable"
	},
	faults: {},
	wrongFields: (count, path, fault) => `${count === 1 ? "" : `${count} fields are invalid, the first: `}${path} ${fault}`,
	refusal: "The service refused the request",
	refusals: {
		400: "The request is invalid",
		401: "The token is missing or invalid",
		403: "The rights do not allow this",
		404: "There is nothing at this address",
		405: "The address takes another method",
		408: "The request came too slowly",
		409: "The request contradicts the present state",
		413: "The body is too long",
		415: "The body is not declared as JSON",
		429: "Too many requests, or a quota is used up",
		501: "The service does not offer this operation",
		503: "The service is unavailable"
	},
	next: "next request",
	previous: "previous request",
	at: "Received",
	address: "Address",
	query: "Query",
	body: "Body",
	answer: "Response",
	headers: "Headers",
	noBody: "No body.",
	withheld: {
		unread: (length) => `The service answered before it read the body (${bytes(length)}).`,
		unparsable: (length) => `The service did not store these ${bytes(length)}: they are neither valid JSON nor a form, so secrets in them cannot be recognised.`
	},
	cut: (length) => `The service stored only the beginning of ${bytes(length)}.`,
	doctor: {
		title: "Signature",
		nothing: "The service cannot check the signature: it did not store the whole body, or the channel was deleted.",
		right: "The signature is correct",
		wrong: "The signature is wrong",
		generation: (name) => `generation ${name}`,
		cause: "Probable cause",
		given: "Received",
		none: "No signature",
		ofBody: "Expected, for the body",
		ofCanonical: "Expected, canonical",
		signedText: "Text that the canonical signature covers",
		fix: "How to sign",
		try: "Check another body",
		tryText: "The service compares the signatures. It sends nothing to other hosts and stores nothing.",
		tryBody: "Another body",
		tryCanonical: "Headers of the canonical form",
		compare: "Compare signatures"
	},
	ids: {
		title: "Explain an id",
		explain: "Explain",
		text: "Paste an id of any kind, or a token. The service compares it; it neither stores nor repeats a token.",
		id: "Id",
		conversation: "Conversation of a msgid",
		conversationHint: "Either id. A msgid is found only with its conversation.",
		account: "Account",
		allAccounts: "All accounts",
		nothing: "Nothing has this id. If it is a msgid, name its conversation.",
		partial: "The service has more accounts or connections than it asked: choose an account.",
		serviceId: "Id of the service",
		twin: "Other id",
		name: "Name",
		channel: "Channel",
		scope: "Scope",
		conversationId: "Conversation",
		lead: "Lead",
		contact: "Contact",
		user: "User",
		client: "OAuth client",
		twins: {
			message: "msgid of the integration",
			conversation: "Id of the integration",
			customer: "Id of the integration",
			user: "amojo_id",
			account: "Number"
		},
		kinds: {
			account: "Account",
			channel: "Channel",
			scope: "Scope",
			message: "Message",
			conversation: "Conversation",
			customer: "Customer",
			user: "User",
			bot: "Bot of a channel",
			lead: "Lead",
			talk: "Talk",
			contact: "Contact",
			oauth_client: "OAuth client",
			user_token: "Bearer token of a user",
			session: "Session of a user",
			access_token: "Access token",
			refresh_token: "Refresh token",
			code: "Authorization code",
			operator_token: "Operator's token",
			channel_secret: "Secret of a channel",
			client_secret: "Secret of an OAuth client"
		}
	}
};
// src/words/requests.es.ts
var es$3 = {
	title: "Solicitudes recibidas",
	list: "Solicitudes de programas",
	choose: "Elija una solicitud para ver sus detalles y su respuesta.",
	outcome: "Resultado",
	all: "Todas",
	refused: "Rechazadas",
	answered: "Exitosas",
	surface: "Interfaz",
	allSurfaces: "Todas las interfaces",
	surfaces: {
		chat: "Chat",
		account: "Cuenta",
		oauth: "OAuth"
	},
	sender: "Remitente",
	oauthClient: "Cliente OAuth",
	user: (id) => `usuario ${id}`,
	client: (id) => `cliente OAuth ${id}`,
	clientOfUser: (id) => `cliente OAuth por el usuario ${id}`,
	strangers: {
		chat: "Canal desconocido",
		account: "Remitente desconocido",
		oauth: "Cliente OAuth desconocido"
	},
	empty: "Ningún programa ha enviado solicitudes desde el inicio",
	nothing: "Ninguna solicitud coincide con el filtro.",
	off: "El servicio no guarda solicitudes: requests.keep_per_sender es 0 en la configuración.",
	leftOut: (count) => `En esta lista faltan ${counted("es", count, {
		one: "solicitud",
		other: "solicitudes"
	})}: llegaron más de 50 en un segundo. Todas fueron procesadas.`,
	unknownOperation: (method) => `${method}: no existe esa operación`,
	statuses: {
		[-1]: "fallido",
		1: "entregado",
		2: "leído"
	},
	errors: {
		ORIGIN_INVALID_REQUEST: "El cuerpo no es válido",
		ORIGIN_INVALID_SIGNATURE: "La firma es incorrecta",
		ORIGIN_ACCOUNT_NOT_ALLOWED: "El canal no está abierto a esta cuenta",
		ORIGIN_NOT_REGISTERED: "No hay nada en esta dirección",
		MESSAGE_NOT_FOUND: "No existe ese mensaje",
		MESSAGE_ALREADY_EXISTS: "Otro mensaje tiene este msgid",
		CONVERSATION_NOT_FOUND: "No existe esa conversación",
		METHOD_NOT_ALLOWED: "La dirección admite otro método",
		REQUEST_TIMEOUT: "La solicitud llegó demasiado despacio",
		PAYLOAD_TOO_LARGE: "El cuerpo es demasiado largo",
		URI_TOO_LONG: "La ruta es demasiado larga",
		TOO_MANY_REQUESTS: "Demasiadas solicitudes",
		QUOTA_EXCEEDED: "Se agotó una cuota de la cuenta",
		REQUEST_HEADER_FIELDS_TOO_LARGE: "Los encabezados son demasiado largos",
		MISDIRECTED_REQUEST: "La solicitud es para otro host",
		UNSUPPORTED_MEDIA_TYPE: "El cuerpo no está declarado como JSON",
		UNAVAILABLE: "El servicio no está disponible"
	},
	faults: {
		FieldMissing: "falta",
		InvalidType: "tiene otro tipo",
		InvalidValue: "tiene un valor no permitido",
		NotSupportedChoice: "no es ninguno de los valores permitidos"
	},
	wrongFields: (count, path, fault) => `${count === 1 ? "" : `${count} campos no son válidos; el primero: `}${path} ${fault}`,
	refusal: "El servicio rechazó la solicitud",
	refusals: {
		400: "La solicitud no es válida",
		401: "El token falta o no es válido",
		403: "Los permisos no lo permiten",
		404: "No hay nada en esta dirección",
		405: "La dirección admite otro método",
		408: "La solicitud llegó demasiado despacio",
		409: "La solicitud contradice el estado actual",
		413: "El cuerpo es demasiado largo",
		415: "El cuerpo no está declarado como JSON",
		429: "Demasiadas solicitudes, o se agotó una cuota",
		501: "El servicio no ofrece esta operación",
		503: "El servicio no está disponible"
	},
	next: "solicitud siguiente",
	previous: "solicitud anterior",
	at: "Recibida",
	address: "Dirección",
	query: "Parámetros",
	body: "Cuerpo",
	answer: "Respuesta",
	headers: "Encabezados",
	noBody: "Sin cuerpo.",
	withheld: {
		unread: (length) => `El servicio respondió antes de leer el cuerpo (${bytes(length)}).`,
		unparsable: (length) => `El servicio no guardó estos ${bytes(length)}: no son JSON válido ni un formulario, así que no se pueden reconocer secretos en ellos.`
	},
	cut: (length) => `El servicio guardó solo el comienzo de ${bytes(length)}.`,
	doctor: {
		title: "Firma",
		nothing: "El servicio no puede comprobar la firma: no guardó el cuerpo completo, o el canal fue eliminado.",
		right: "La firma es correcta",
		wrong: "La firma es incorrecta",
		generation: (name) => `generación ${name}`,
		cause: "Causa probable",
		given: "Recibida",
		none: "Sin firma",
		ofBody: "Esperada, para el cuerpo",
		ofCanonical: "Esperada, canónica",
		signedText: "Texto que cubre la firma canónica",
		fix: "Cómo firmar",
		try: "Comprobar otro cuerpo",
		tryText: "El servicio compara las firmas. No envía nada a otros hosts ni guarda nada.",
		tryBody: "Otro cuerpo",
		tryCanonical: "Encabezados de la forma canónica",
		compare: "Comparar firmas"
	},
	ids: {
		title: "Explicar un identificador",
		explain: "Explicar",
		text: "Pegue un identificador de cualquier tipo o un token. El servicio lo compara; no guarda ni repite ningún token.",
		id: "Identificador",
		conversation: "Conversación de un msgid",
		conversationHint: "Cualquiera de los dos identificadores. Un msgid solo se encuentra con su conversación.",
		account: "Cuenta",
		allAccounts: "Todas las cuentas",
		nothing: "Nada tiene este identificador. Si es un msgid, indique su conversación.",
		partial: "El servicio tiene más cuentas o conexiones de las que consultó: elija una cuenta.",
		serviceId: "Identificador del servicio",
		twin: "Otro identificador",
		name: "Nombre",
		channel: "Canal",
		scope: "Scope",
		conversationId: "Conversación",
		lead: "Lead",
		contact: "Contacto",
		user: "Usuario",
		client: "Cliente OAuth",
		twins: {
			message: "msgid de la integración",
			conversation: "Identificador de la integración",
			customer: "Identificador de la integración",
			user: "amojo_id",
			account: "Número"
		},
		kinds: {
			account: "Cuenta",
			channel: "Canal",
			scope: "Scope",
			message: "Mensaje",
			conversation: "Conversación",
			customer: "Cliente",
			user: "Usuario",
			bot: "Bot de un canal",
			lead: "Lead",
			talk: "Charla",
			contact: "Contacto",
			oauth_client: "Cliente OAuth",
			user_token: "Token de un usuario",
			session: "Sesión de un usuario",
			access_token: "Token de acceso",
			refresh_token: "Token de renovación",
			code: "Código de autorización",
			operator_token: "Token del operador",
			channel_secret: "Secreto de un canal",
			client_secret: "Secreto de un cliente OAuth"
		}
	}
};
// src/words/requests.ts
var requests = dictionary({
	en: en$2,
	ru: {
		title: "Полученные запросы",
		list: "Запросы программ",
		choose: "Выберите запрос, чтобы увидеть его содержимое и ответ.",
		outcome: "Результат",
		all: "Все",
		refused: "Отклонённые",
		answered: "Успешные",
		surface: "Интерфейс",
		allSurfaces: "Все интерфейсы",
		surfaces: {
			chat: "Чаты",
			account: "Аккаунт",
			oauth: "OAuth"
		},
		sender: "Отправитель",
		oauthClient: "Клиент OAuth",
		user: (id) => `пользователь ${id}`,
		client: (id) => `клиент OAuth ${id}`,
		clientOfUser: (id) => `клиент OAuth за пользователя ${id}`,
		strangers: {
			chat: "Неизвестный канал",
			account: "Неизвестный отправитель",
			oauth: "Неизвестный клиент OAuth"
		},
		empty: "С момента запуска программы не отправляли запросов",
		nothing: "Фильтру не соответствует ни один запрос.",
		off: "Сервис не хранит запросы: в настройках requests.keep_per_sender равно 0.",
		leftOut: (count) => `В этом списке нет ${counted("ru", count, {
			one: "запроса",
			few: "запросов",
			many: "запросов",
			other: "запроса"
		})}: пришло больше 50 за секунду. Все они обработаны.`,
		unknownOperation: (method) => `${method}: такой операции нет`,
		statuses: {
			[-1]: "ошибка",
			1: "доставлено",
			2: "прочитано"
		},
		errors: {
			ORIGIN_INVALID_REQUEST: "Тело неверно",
			ORIGIN_INVALID_SIGNATURE: "Подпись неверна",
			ORIGIN_ACCOUNT_NOT_ALLOWED: "Канал закрыт для этого аккаунта",
			ORIGIN_NOT_REGISTERED: "По этому адресу ничего нет",
			MESSAGE_NOT_FOUND: "Такого сообщения нет",
			MESSAGE_ALREADY_EXISTS: "Этот msgid у другого сообщения",
			CONVERSATION_NOT_FOUND: "Такой беседы нет",
			METHOD_NOT_ALLOWED: "Адрес принимает другой метод",
			REQUEST_TIMEOUT: "Запрос пришёл слишком медленно",
			PAYLOAD_TOO_LARGE: "Тело слишком длинное",
			URI_TOO_LONG: "Путь слишком длинный",
			TOO_MANY_REQUESTS: "Слишком много запросов",
			QUOTA_EXCEEDED: "Квота аккаунта исчерпана",
			REQUEST_HEADER_FIELDS_TOO_LARGE: "Заголовки слишком длинные",
			MISDIRECTED_REQUEST: "Запрос для другого узла",
			UNSUPPORTED_MEDIA_TYPE: "Тело не объявлено как JSON",
			UNAVAILABLE: "Сервис недоступен"
		},
		faults: {
			FieldMissing: "отсутствует",
			InvalidType: "другого типа",
			InvalidValue: "недопустимое значение",
			NotSupportedChoice: "значение не из списка"
		},
		wrongFields: (count, path, fault) => `${count === 1 ? "" : `неверных полей: ${count}, первое: `}${path} – ${fault}`,
		refusal: "Сервис отклонил запрос",
		refusals: {
			400: "Запрос неверен",
			401: "Токена нет, или он недействителен",
			403: "Права этого не позволяют",
			404: "По этому адресу ничего нет",
			405: "Адрес принимает другой метод",
			408: "Запрос пришёл слишком медленно",
			409: "Запрос противоречит текущему состоянию",
			413: "Тело слишком длинное",
			415: "Тело не объявлено как JSON",
			429: "Слишком много запросов, или квота исчерпана",
			501: "Сервис не предлагает эту операцию",
			503: "Сервис недоступен"
		},
		next: "следующий запрос",
		previous: "предыдущий запрос",
		at: "Получен",
		address: "Адрес",
		query: "Параметры",
		body: "Тело",
		answer: "Ответ",
		headers: "Заголовки",
		noBody: "Тела нет.",
		withheld: {
			unread: (length) => `Сервис ответил, не прочитав тело (${bytes(length)}).`,
			unparsable: (length) => `Сервис не сохранил эти ${bytes(length)}: это не JSON и не форма, поэтому секреты в них распознать нельзя.`
		},
		cut: (length) => `Сервис сохранил только начало, всего ${bytes(length)}.`,
		doctor: {
			title: "Подпись",
			nothing: "Сервис не может проверить подпись: тело сохранено не полностью, или канал удалён.",
			right: "Подпись верна",
			wrong: "Подпись неверна",
			generation: (name) => `поколение ${name}`,
			cause: "Вероятная причина",
			given: "Получена",
			none: "Подписи нет",
			ofBody: "Ожидается, для тела",
			ofCanonical: "Ожидается, каноническая",
			signedText: "Текст для канонической подписи",
			fix: "Как подписывать",
			try: "Проверить другое тело",
			tryText: "Подписи сравнивает сервис. Он ничего не отправляет на другие узлы и ничего не сохраняет.",
			tryBody: "Другое тело",
			tryCanonical: "Заголовки канонического вида",
			compare: "Сравнить подписи"
		},
		ids: {
			title: "Объяснить идентификатор",
			explain: "Объяснить",
			text: "Вставьте любой идентификатор или токен. Сервис сравнивает его; токен он не сохраняет и не повторяет.",
			id: "Идентификатор",
			conversation: "Беседа, которой принадлежит msgid",
			conversationHint: "Любой из двух идентификаторов. msgid можно найти только вместе с беседой.",
			account: "Аккаунт",
			allAccounts: "Все аккаунты",
			nothing: "Такого идентификатора ни у чего нет. Если это msgid, укажите беседу.",
			partial: "В сервисе больше аккаунтов или подключений, чем он опросил: выберите аккаунт.",
			serviceId: "Идентификатор сервиса",
			twin: "Другой идентификатор",
			name: "Название",
			channel: "Канал",
			scope: "Scope",
			conversationId: "Беседа",
			lead: "Сделка",
			contact: "Контакт",
			user: "Пользователь",
			client: "OAuth-клиент",
			twins: {
				message: "msgid интеграции",
				conversation: "Идентификатор интеграции",
				customer: "Идентификатор интеграции",
				user: "amojo_id",
				account: "Номер"
			},
			kinds: {
				account: "Аккаунт",
				channel: "Канал",
				scope: "Scope",
				message: "Сообщение",
				conversation: "Беседа",
				customer: "Клиент",
				user: "Пользователь",
				bot: "Бот канала",
				lead: "Сделка",
				talk: "Разговор",
				contact: "Контакт",
				oauth_client: "OAuth-клиент",
				user_token: "Токен пользователя",
				session: "Сеанс пользователя",
				access_token: "Токен доступа",
				refresh_token: "Токен обновления",
				code: "Код авторизации",
				operator_token: "Токен оператора",
				channel_secret: "Секрет канала",
				client_secret: "Секрет OAuth-клиента"
			}
		}
	},
	es: es$3
});
// src/areas/requests/explain.tsx
function ExplainId({ known, onClose }) {
	const words = requests().ids;
	const id = useSignal("");
	const account = useSignal("");
	const conversation = useSignal("");
	const explanation = useSignal(void 0);
	const task = useWork();
	const explain = () => task.run(async () => {
		const body = {
			id: id.value.trim(),
			...account.value === "" ? {} : { account_id: account.value },
			...conversation.value.trim() === "" ? {} : { conversation_id: conversation.value.trim() }
		};
		const answer = await askAsOperator("/admin/v1/explain-id", {
			method: "POST",
			body
		});
		explanation.value = answer;
		if (answer.matches.some((match) => match.id === null)) id.value = "";
	});
	const plain = {
		class: "mono",
		spellcheck: false,
		autocomplete: "off"
	};
	return a(Dialog, {
		title: words.title,
		onClose,
		wide: true,
		children: [a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				explain();
			},
			children: [
				a("p", {
					class: "soft",
					children: words.text
				}),
				a(Field, {
					label: words.id,
					error: task.problem?.about("id"),
					children: (input) => a("input", {
						...input,
						...plain,
						required: true,
						value: id.value,
						onInput: (event) => id.value = event.currentTarget.value
					})
				}),
				a(Field, {
					label: words.conversation,
					hint: words.conversationHint,
					error: task.problem?.about("conversation_id"),
					children: (input) => a("input", {
						...input,
						...plain,
						value: conversation.value,
						onInput: (event) => conversation.value = event.currentTarget.value
					})
				}),
				known.accounts.length > 1 && a(Field, {
					label: words.account,
					children: (input) => a("select", {
						...input,
						value: account.value,
						onChange: (event) => account.value = event.currentTarget.value,
						children: [a("option", {
							value: "",
							children: words.allAccounts
						}), known.accounts.map(({ id: of, name }) => a("option", {
							value: of,
							children: name
						}, of))]
					})
				}),
				task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
				a("div", {
					class: "buttons",
					children: a(Button, {
						type: "submit",
						look: "primary",
						icon: "search",
						busy: task.busy,
						children: words.explain
					})
				})
			]
		}), a("div", {
			role: "status",
			children: explanation.value !== void 0 && a(Matches, {
				explanation: explanation.value,
				known
			})
		})]
	});
}
function Matches({ explanation, known }) {
	const words = requests().ids;
	return a($, { children: [
		explanation.matches.length === 0 && a("p", {
			class: "note",
			children: words.nothing
		}),
		explanation.matches.map((match) => a(MatchNote, {
			match,
			known
		}, `${match.kind} ${match.id} ${match.account_id} ${match.channel_id}`)),
		explanation.is_partial && a("p", {
			class: "soft",
			children: words.partial
		})
	] });
}
function MatchNote({ match, known }) {
	const words = requests().ids;
	const account = known.accounts.find(({ id }) => id === match.account_id)?.name ?? match.account_id;
	const twins = words.twins;
	const facts = [
		[words.serviceId, match.id],
		[twins[match.kind] ?? words.twin, match.twin],
		[words.name, match.name],
		[words.account, account],
		[words.channel, match.channel_id === null ? null : nameOf(known.channels, match.channel_id)],
		[words.scope, match.scope_id],
		[words.conversationId, match.conversation_id],
		[words.lead, match.lead_id],
		[words.contact, match.contact_id],
		[words.user, match.user_id],
		[words.client, match.client_id]
	];
	const isGood = match.refusal === null;
	return a("section", {
		class: isGood ? "note good" : "note bad",
		"aria-label": words.kinds[match.kind],
		children: [
			a(Badge, {
				tone: isGood ? "good" : "bad",
				icon: isGood ? "check" : "warning",
				children: words.kinds[match.kind]
			}),
			match.refusal !== null && a("span", {
				lang: "en",
				children: [" · ", match.refusal]
			}),
			a(Facts, { children: facts.map(([name, value]) => value === null ? null : a(Fact, {
				name,
				copy: String(value),
				children: value
			}, name)) })
		]
	});
}
// src/words/operation-names.ts
var words$1 = dictionary({
	en: {
		connect: "Connect an account",
		disconnect: "Disconnect an account",
		sendMessage: "Send or edit a message",
		reportDelivery: "Report a delivery status",
		openChat: "Open a conversation",
		getHistory: "Read the history",
		reportTyping: "Customer is writing",
		react: "Set a reaction",
		getCurrentAccount: "Get the account",
		listLeads: "List leads",
		getLead: "Get a lead",
		createLeads: "Create leads",
		updateLeads: "Update leads",
		updateLead: "Update a lead",
		listUnsorted: "List unsorted leads",
		getUnsorted: "Get an unsorted lead",
		acceptUnsorted: "Accept an unsorted lead",
		declineUnsorted: "Decline an unsorted lead",
		getUnsortedSummary: "Count unsorted leads",
		createUnsortedForms: "Create unsorted leads of forms",
		createUnsortedCalls: "Create unsorted leads of calls",
		linkUnsorted: "Link an unsorted lead to another lead",
		listPipelines: "List pipelines",
		getPipeline: "Get a pipeline",
		listStatuses: "List the stages of a pipeline",
		getStatus: "Get a stage of a pipeline",
		createPipelines: "Create pipelines",
		updatePipeline: "Update a pipeline",
		deletePipeline: "Delete a pipeline",
		createStatuses: "Create stages of a pipeline",
		updateStatus: "Update a stage of a pipeline",
		deleteStatus: "Delete a stage of a pipeline",
		listContacts: "List contacts",
		getContact: "Get a contact",
		createContacts: "Create contacts",
		updateContacts: "Update contacts",
		updateContact: "Update a contact",
		listContactChats: "List chats of contacts",
		linkChats: "Link chats to contacts",
		listLeadFields: "List fields of leads",
		getLeadField: "Get a field of leads",
		listContactFields: "List fields of contacts",
		getContactField: "Get a field of contacts",
		listTasks: "List tasks",
		createTasks: "Create tasks",
		getTask: "Get a task",
		updateTasks: "Update tasks",
		updateTask: "Update a task",
		listLeadNotes: "List notes about leads",
		listNotesOfLead: "List notes about a lead",
		createLeadNotes: "Create notes about leads",
		createNotesOfLead: "Create notes about a lead",
		getNoteOfLead: "Get a note about a lead",
		getLeadNote: "Get a note about a lead",
		updateNoteOfLead: "Update a note about a lead",
		updateLeadNote: "Update a note about a lead",
		listContactNotes: "List notes about contacts",
		listNotesOfContact: "List notes about a contact",
		createContactNotes: "Create notes about contacts",
		createNotesOfContact: "Create notes about a contact",
		getNoteOfContact: "Get a note about a contact",
		getContactNote: "Get a note about a contact",
		updateNoteOfContact: "Update a note about a contact",
		updateContactNote: "Update a note about a contact",
		createComplexLeads: "Create leads with their contacts",
		listLeadLinks: "List links of leads",
		listLinksOfLead: "List links of a lead",
		createLeadLinks: "Link leads with contacts",
		createLinksOfLead: "Link a lead with a contact",
		deleteLeadLinks: "Unlink leads from contacts",
		deleteLinksOfLead: "Unlink a lead from a contact",
		listContactLinks: "List links of contacts",
		listLinksOfContact: "List links of a contact",
		createContactLinks: "Link contacts with leads",
		createLinksOfContact: "Link a contact with leads",
		deleteContactLinks: "Unlink contacts from leads",
		deleteLinksOfContact: "Unlink a contact from leads",
		listEvents: "List events",
		getEvent: "Get an event",
		listEventTypes: "List types of events",
		listLeadTags: "List tags of leads",
		createLeadTags: "Create tags of leads",
		listContactTags: "List tags of contacts",
		createContactTags: "Create tags of contacts",
		listSources: "List sources",
		getSource: "Get a source",
		createLeadFields: "Create fields of leads",
		updateLeadFields: "Update fields of leads",
		updateLeadField: "Update a field of leads",
		deleteLeadField: "Delete a field of leads",
		createContactFields: "Create fields of contacts",
		updateContactFields: "Update fields of contacts",
		updateContactField: "Update a field of contacts",
		deleteContactField: "Delete a field of contacts",
		createSources: "Create sources",
		updateSources: "Update sources",
		updateSource: "Update a source",
		deleteSources: "Delete sources",
		deleteSource: "Delete a source",
		listTalks: "List talks",
		getTalk: "Get a talk",
		listTalkMessages: "List the messages of a talk",
		sendTalkMessage: "Send a message to a talk",
		closeTalk: "Close a talk",
		listSalesbots: "List salesbots",
		getSalesbot: "Get a salesbot",
		createSalesbot: "Define a salesbot",
		deleteSalesbot: "Delete a salesbot",
		runSalesbot: "Run a salesbot",
		runSalesbots: "Run salesbots",
		runSalesbotsByNumber: "Run salesbots (version 2)",
		stopSalesbot: "Stop a salesbot",
		continueSalesbot: "Answer the question of a salesbot",
		listTemplates: "List templates",
		getTemplate: "Get a template",
		createTemplates: "Create templates",
		updateTemplates: "Update templates",
		updateTemplate: "Update a template",
		deleteTemplates: "Delete templates",
		deleteTemplate: "Delete a template",
		createTemplateReviews: "Create the reviews of a template",
		updateTemplateReview: "Update a review of a template",
		updateTemplateReviewByPatch: "Update a review of a template (PATCH)",
		listWebhooks: "List webhooks",
		createWebhook: "Create a webhook",
		deleteWebhook: "Delete a webhook",
		listUsers: "List users",
		getUser: "Get a user",
		createUsers: "Create users",
		updateUser: "Update a user",
		activateUsers: "Activate users",
		deactivateUsers: "Deactivate users",
		listRoles: "List roles",
		getRole: "Get a role",
		createRoles: "Create roles",
		updateRole: "Update a role",
		deleteRole: "Delete a role",
		issueTokens: "Get tokens",
		getAccountDomain: "Get the host of the account",
		getCurrentAccountDomain: "Get the host of the account"
	},
	ru: {
		connect: "Подключить аккаунт",
		disconnect: "Отключить аккаунт",
		sendMessage: "Отправить или изменить сообщение",
		reportDelivery: "Сообщить статус доставки",
		openChat: "Открыть беседу",
		getHistory: "Прочитать историю",
		reportTyping: "Клиент пишет",
		react: "Поставить реакцию",
		getCurrentAccount: "Получить аккаунт",
		listLeads: "Получить список сделок",
		getLead: "Получить сделку",
		createLeads: "Создать сделки",
		updateLeads: "Изменить сделки",
		updateLead: "Изменить сделку",
		listUnsorted: "Получить неразобранное",
		getUnsorted: "Получить заявку из неразобранного",
		acceptUnsorted: "Принять неразобранное",
		declineUnsorted: "Отклонить неразобранное",
		getUnsortedSummary: "Подсчитать неразобранное",
		createUnsortedForms: "Создать неразобранное из форм",
		createUnsortedCalls: "Создать неразобранное из звонков",
		linkUnsorted: "Привязать неразобранное к другой сделке",
		listPipelines: "Получить список воронок",
		getPipeline: "Получить воронку",
		listStatuses: "Получить этапы воронки",
		getStatus: "Получить этап воронки",
		createPipelines: "Создать воронки",
		updatePipeline: "Изменить воронку",
		deletePipeline: "Удалить воронку",
		createStatuses: "Создать этапы воронки",
		updateStatus: "Изменить этап воронки",
		deleteStatus: "Удалить этап воронки",
		listContacts: "Получить список контактов",
		getContact: "Получить контакт",
		createContacts: "Создать контакты",
		updateContacts: "Изменить контакты",
		updateContact: "Изменить контакт",
		listContactChats: "Получить чаты контактов",
		linkChats: "Связать чаты с контактами",
		listLeadFields: "Получить поля сделок",
		getLeadField: "Получить поле сделок",
		listContactFields: "Получить поля контактов",
		getContactField: "Получить поле контактов",
		listTasks: "Получить задачи",
		createTasks: "Создать задачи",
		getTask: "Получить задачу",
		updateTasks: "Изменить задачи",
		updateTask: "Изменить задачу",
		listLeadNotes: "Получить примечания к сделкам",
		listNotesOfLead: "Получить примечания к сделке",
		createLeadNotes: "Создать примечания к сделкам",
		createNotesOfLead: "Создать примечания к сделке",
		getNoteOfLead: "Получить примечание к сделке",
		getLeadNote: "Получить примечание к сделке",
		updateNoteOfLead: "Изменить примечание к сделке",
		updateLeadNote: "Изменить примечание к сделке",
		listContactNotes: "Получить примечания к контактам",
		listNotesOfContact: "Получить примечания к контакту",
		createContactNotes: "Создать примечания к контактам",
		createNotesOfContact: "Создать примечания к контакту",
		getNoteOfContact: "Получить примечание к контакту",
		getContactNote: "Получить примечание к контакту",
		updateNoteOfContact: "Изменить примечание к контакту",
		updateContactNote: "Изменить примечание к контакту",
		createComplexLeads: "Создать сделки с контактами",
		listLeadLinks: "Получить связи сделок",
		listLinksOfLead: "Получить связи сделки",
		createLeadLinks: "Связать сделки с контактами",
		createLinksOfLead: "Связать сделку с контактом",
		deleteLeadLinks: "Отвязать сделки от контактов",
		deleteLinksOfLead: "Отвязать сделку от контакта",
		listContactLinks: "Получить связи контактов",
		listLinksOfContact: "Получить связи контакта",
		createContactLinks: "Связать контакты со сделками",
		createLinksOfContact: "Связать контакт со сделками",
		deleteContactLinks: "Отвязать контакты от сделок",
		deleteLinksOfContact: "Отвязать контакт от сделок",
		listEvents: "Получить события",
		getEvent: "Получить событие",
		listEventTypes: "Получить типы событий",
		listLeadTags: "Получить теги сделок",
		createLeadTags: "Создать теги сделок",
		listContactTags: "Получить теги контактов",
		createContactTags: "Создать теги контактов",
		listSources: "Получить список источников",
		getSource: "Получить источник",
		createLeadFields: "Создать поля сделок",
		updateLeadFields: "Изменить поля сделок",
		updateLeadField: "Изменить поле сделок",
		deleteLeadField: "Удалить поле сделок",
		createContactFields: "Создать поля контактов",
		updateContactFields: "Изменить поля контактов",
		updateContactField: "Изменить поле контактов",
		deleteContactField: "Удалить поле контактов",
		createSources: "Создать источники",
		updateSources: "Изменить источники",
		updateSource: "Изменить источник",
		deleteSources: "Удалить источники",
		deleteSource: "Удалить источник",
		listTalks: "Получить список бесед",
		getTalk: "Получить беседу",
		listTalkMessages: "Получить список сообщений беседы",
		sendTalkMessage: "Отправить сообщение в беседу",
		closeTalk: "Закрыть беседу",
		listSalesbots: "Получить список ботов",
		getSalesbot: "Получить бота",
		createSalesbot: "Создать бота",
		deleteSalesbot: "Удалить бота",
		runSalesbot: "Запустить бота",
		runSalesbots: "Запустить ботов",
		runSalesbotsByNumber: "Запустить ботов (версия 2)",
		stopSalesbot: "Остановить бота",
		continueSalesbot: "Ответить на вопрос бота",
		listTemplates: "Получить список шаблонов",
		getTemplate: "Получить шаблон",
		createTemplates: "Создать шаблоны",
		updateTemplates: "Изменить шаблоны",
		updateTemplate: "Изменить шаблон",
		deleteTemplates: "Удалить шаблоны",
		deleteTemplate: "Удалить шаблон",
		createTemplateReviews: "Создать проверки шаблона",
		updateTemplateReview: "Изменить проверку шаблона",
		updateTemplateReviewByPatch: "Изменить проверку шаблона (PATCH)",
		listWebhooks: "Получить список вебхуков",
		createWebhook: "Создать вебхук",
		deleteWebhook: "Удалить вебхук",
		listUsers: "Получить список пользователей",
		getUser: "Получить пользователя",
		createUsers: "Создать пользователей",
		updateUser: "Изменить пользователя",
		activateUsers: "Активировать пользователей",
		deactivateUsers: "Деактивировать пользователей",
		listRoles: "Получить список ролей",
		getRole: "Получить роль",
		createRoles: "Создать роли",
		updateRole: "Изменить роль",
		deleteRole: "Удалить роль",
		issueTokens: "Получить токены",
		getAccountDomain: "Получить адрес аккаунта",
		getCurrentAccountDomain: "Получить адрес аккаунта"
	},
	es: {
		connect: "Conectar una cuenta",
		disconnect: "Desconectar una cuenta",
		sendMessage: "Enviar o editar un mensaje",
		reportDelivery: "Informar el estado de entrega",
		openChat: "Abrir una conversación",
		getHistory: "Leer el historial",
		reportTyping: "El cliente escribe",
		react: "Poner una reacción",
		getCurrentAccount: "Obtener la cuenta",
		listLeads: "Listar leads",
		getLead: "Obtener un lead",
		createLeads: "Crear leads",
		updateLeads: "Actualizar leads",
		updateLead: "Actualizar un lead",
		listUnsorted: "Listar leads sin clasificar",
		getUnsorted: "Obtener un lead sin clasificar",
		acceptUnsorted: "Aceptar un lead sin clasificar",
		declineUnsorted: "Rechazar un lead sin clasificar",
		getUnsortedSummary: "Contar los leads sin clasificar",
		createUnsortedForms: "Crear leads sin clasificar de formularios",
		createUnsortedCalls: "Crear leads sin clasificar de llamadas",
		linkUnsorted: "Vincular un lead sin clasificar a otro lead",
		listPipelines: "Listar embudos",
		getPipeline: "Obtener un embudo",
		listStatuses: "Listar las etapas de un embudo",
		getStatus: "Obtener una etapa de un embudo",
		createPipelines: "Crear embudos",
		updatePipeline: "Actualizar un embudo",
		deletePipeline: "Eliminar un embudo",
		createStatuses: "Crear etapas de un embudo",
		updateStatus: "Actualizar una etapa de un embudo",
		deleteStatus: "Eliminar una etapa de un embudo",
		listContacts: "Listar contactos",
		getContact: "Obtener un contacto",
		createContacts: "Crear contactos",
		updateContacts: "Actualizar contactos",
		updateContact: "Actualizar un contacto",
		listContactChats: "Listar chats de contactos",
		linkChats: "Vincular chats a contactos",
		listLeadFields: "Listar campos de leads",
		getLeadField: "Obtener un campo de leads",
		listContactFields: "Listar campos de contactos",
		getContactField: "Obtener un campo de contactos",
		listTasks: "Listar tareas",
		createTasks: "Crear tareas",
		getTask: "Obtener una tarea",
		updateTasks: "Actualizar tareas",
		updateTask: "Actualizar una tarea",
		listLeadNotes: "Listar notas de leads",
		listNotesOfLead: "Listar notas de un lead",
		createLeadNotes: "Crear notas de leads",
		createNotesOfLead: "Crear notas de un lead",
		getNoteOfLead: "Obtener una nota de un lead",
		getLeadNote: "Obtener una nota de un lead",
		updateNoteOfLead: "Actualizar una nota de un lead",
		updateLeadNote: "Actualizar una nota de un lead",
		listContactNotes: "Listar notas de contactos",
		listNotesOfContact: "Listar notas de un contacto",
		createContactNotes: "Crear notas de contactos",
		createNotesOfContact: "Crear notas de un contacto",
		getNoteOfContact: "Obtener una nota de un contacto",
		getContactNote: "Obtener una nota de un contacto",
		updateNoteOfContact: "Actualizar una nota de un contacto",
		updateContactNote: "Actualizar una nota de un contacto",
		createComplexLeads: "Crear leads con sus contactos",
		listLeadLinks: "Listar vínculos de leads",
		listLinksOfLead: "Listar vínculos de un lead",
		createLeadLinks: "Vincular leads con contactos",
		createLinksOfLead: "Vincular un lead con un contacto",
		deleteLeadLinks: "Desvincular leads de contactos",
		deleteLinksOfLead: "Desvincular un lead de un contacto",
		listContactLinks: "Listar vínculos de contactos",
		listLinksOfContact: "Listar vínculos de un contacto",
		createContactLinks: "Vincular contactos con leads",
		createLinksOfContact: "Vincular un contacto con leads",
		deleteContactLinks: "Desvincular contactos de leads",
		deleteLinksOfContact: "Desvincular un contacto de leads",
		listEvents: "Listar eventos",
		getEvent: "Obtener un evento",
		listEventTypes: "Listar tipos de eventos",
		listLeadTags: "Listar etiquetas de leads",
		createLeadTags: "Crear etiquetas de leads",
		listContactTags: "Listar etiquetas de contactos",
		createContactTags: "Crear etiquetas de contactos",
		listSources: "Listar fuentes",
		getSource: "Obtener una fuente",
		createLeadFields: "Crear campos de leads",
		updateLeadFields: "Actualizar campos de leads",
		updateLeadField: "Actualizar un campo de leads",
		deleteLeadField: "Eliminar un campo de leads",
		createContactFields: "Crear campos de contactos",
		updateContactFields: "Actualizar campos de contactos",
		updateContactField: "Actualizar un campo de contactos",
		deleteContactField: "Eliminar un campo de contactos",
		createSources: "Crear fuentes",
		updateSources: "Actualizar fuentes",
		updateSource: "Actualizar una fuente",
		deleteSources: "Eliminar fuentes",
		deleteSource: "Eliminar una fuente",
		listTalks: "Listar conversaciones",
		getTalk: "Obtener una conversación",
		listTalkMessages: "Listar los mensajes de una conversación",
		sendTalkMessage: "Enviar un mensaje a una conversación",
		closeTalk: "Cerrar una conversación",
		listSalesbots: "Listar bots de ventas",
		getSalesbot: "Obtener un bot de ventas",
		createSalesbot: "Definir un bot de ventas",
		deleteSalesbot: "Eliminar un bot de ventas",
		runSalesbot: "Ejecutar un bot de ventas",
		runSalesbots: "Ejecutar bots de ventas",
		runSalesbotsByNumber: "Ejecutar bots de ventas (versión 2)",
		stopSalesbot: "Detener un bot de ventas",
		continueSalesbot: "Responder a la pregunta de un bot de ventas",
		listTemplates: "Listar plantillas",
		getTemplate: "Obtener una plantilla",
		createTemplates: "Crear plantillas",
		updateTemplates: "Cambiar plantillas",
		updateTemplate: "Cambiar una plantilla",
		deleteTemplates: "Eliminar plantillas",
		deleteTemplate: "Eliminar una plantilla",
		createTemplateReviews: "Crear las revisiones de una plantilla",
		updateTemplateReview: "Cambiar una revisión de una plantilla",
		updateTemplateReviewByPatch: "Cambiar una revisión de una plantilla (PATCH)",
		listWebhooks: "Listar webhooks",
		createWebhook: "Crear un webhook",
		deleteWebhook: "Eliminar un webhook",
		listUsers: "Listar usuarios",
		getUser: "Obtener un usuario",
		createUsers: "Crear usuarios",
		updateUser: "Actualizar un usuario",
		activateUsers: "Activar usuarios",
		deactivateUsers: "Desactivar usuarios",
		listRoles: "Listar roles",
		getRole: "Obtener un rol",
		createRoles: "Crear roles",
		updateRole: "Actualizar un rol",
		deleteRole: "Eliminar un rol",
		issueTokens: "Obtener tokens",
		getAccountDomain: "Obtener el host de la cuenta",
		getCurrentAccountDomain: "Obtener el host de la cuenta"
	}
});
function operation(id) {
	const known = words$1();
	return id === null ? void 0 : known[id];
}
// src/areas/requests/about.ts
function operationOf({ operation: id, method, subject }) {
	const words = requests();
	const name = operation(id) ?? words.unknownOperation(method);
	const status = words.statuses[subject.delivery_status ?? 0];
	return status === void 0 ? name : `${name}: ${status}`;
}
function subjectOf({ subject }) {
	const { customer, msgid, conversation_id: conversation, connection, objects, grant_type: grant } = subject;
	return [
		customer,
		connection,
		msgid ?? conversation,
		objects.join(", ") || null,
		grant
	].filter((it) => it !== null);
}
function senderOf({ surface, channel_id: channel, account_id: account, user_id: user, client_id: client }, known) {
	const words = requests();
	if (channel !== null) return nameOf(known.channels, channel);
	if (account !== null) {
		const name = known.accounts.find(({ id }) => id === account)?.name ?? account;
		return user === null ? name : `${name} · ${client === null ? words.user(user) : words.clientOfUser(user)}`;
	}
	return client === null ? words.strangers[surface] : words.client(client);
}
function refusalOf({ error_type: type, status }) {
	const words = requests();
	if (status < 400) return void 0;
	const errors = words.errors;
	if (type !== null) return errors[type] ?? type;
	return words.refusals[status] ?? words.refusal;
}
// src/areas/requests/list.tsx
var isOfChat = (surface) => surface === "" || surface === "chat";
var MOST$2 = 1e3;
function List$1({ selected, known, children }) {
	const words = requests();
	const { query } = place.value;
	const outcome = query.get("outcome") ?? "";
	const surface = query.get("surface") ?? "";
	const channel = isOfChat(surface) ? query.get("channel") ?? "" : "";
	const isFiltered = outcome !== "" || channel !== "" || surface !== "";
	const key = `${outcome} ${channel} ${surface}`;
	const ask = (cursor, signal) => askAsOperator("/admin/v1/requests", {
		query: {
			outcome,
			channel_id: channel,
			surface,
			limit: 100,
			cursor
		},
		...signal === void 0 ? {} : { signal }
	});
	const first = usePolled(key, 2e3, (signal) => ask(void 0, signal));
	const loaded = useSignal({
		key,
		rows: new Map(),
		next: null
	});
	const trouble = useSignal(void 0);
	useSignalEffect(() => {
		const page = first.data.value;
		if (page === void 0) return;
		const before = loaded.peek();
		const [earlier, next] = before.key === key && before.rows.size > 0 ? [before.rows, before.next] : [[], page.next];
		const rows = new Map([...earlier, ...page.requests.map((row) => [row.id, row])]);
		loaded.value = {
			key,
			rows,
			next
		};
	});
	const rows = loaded.value.key === key && first.data.value !== void 0 ? [...loaded.value.rows.values()] : [];
	rows.sort((one, other) => other.id.length - one.id.length || (other.id > one.id ? 1 : -1));
	rows.length = Math.min(rows.length, MOST$2);
	const next = rows.length < MOST$2 ? loaded.value.next : null;
	const more = async () => {
		try {
			const page = await ask(next ?? void 0);
			const all = [...loaded.peek().rows, ...page.requests.map((row) => [row.id, row])];
			loaded.value = {
				key,
				rows: new Map(all),
				next: page.next
			};
			trouble.value = void 0;
		} catch (failure) {
			trouble.value = asProblem(failure);
		}
	};
	const at = (id) => `/requests/${encodeURIComponent(id)}${location.search}`;
	useWalk({
		rows,
		selected,
		at,
		words
	});
	const problem = trouble.value ?? first.problem.value;
	const page = first.data.value;
	const filters = a($, { children: [
		a(Choices, {
			label: words.outcome,
			value: outcome,
			options: [
				{
					value: "",
					says: words.all
				},
				{
					value: "refused",
					says: words.refused
				},
				{
					value: "answered",
					says: words.answered
				}
			],
			onChoose: (chosen) => narrow({ outcome: chosen })
		}),
		a(Choices, {
			label: words.surface,
			value: surface,
			options: [{
				value: "",
				says: words.allSurfaces
			}, ...SURFACES.map((value) => ({
				value,
				says: words.surfaces[value]
			}))],
			onChoose: (chosen) => narrow({
				surface: chosen,
				...isOfChat(chosen) ? {} : { channel: null }
			})
		}),
		isOfChat(surface) && a(ChannelChoice, {
			all: known.channels,
			value: channel,
			onChoose: (id) => narrow({ channel: id })
		}),
		page !== void 0 && page.left_out > 0 && a("p", {
			class: "soft",
			children: words.leftOut(page.left_out)
		})
	] });
	return a(Split, {
		label: words.list,
		narrow: filters,
		isChosen: selected !== void 0,
		home: "/requests",
		rows: a($, { children: [
			problem !== void 0 && a(ProblemNote, {
				problem,
				retry: first.reload
			}),
			page === void 0 && problem === void 0 && a(Skeleton, {}),
			page !== void 0 && rows.length === 0 && a(Empty, {
				title: !page.is_on ? words.off : isFiltered ? words.nothing : words.empty,
				children: page.is_on && isFiltered && a(Button, {
					onClick: () => narrow({
						outcome: null,
						channel: null,
						surface: null
					}),
					children: shell().clear
				})
			}),
			a("ul", { children: rows.map((row) => a("li", { children: a("a", {
				class: "line",
				href: at(row.id),
				"aria-current": row.id === selected ? "true" : void 0,
				title: row.path,
				children: [
					a("span", { children: [
						a(Status, { status: row.status }),
						" ",
						operationOf(row)
					] }),
					a("time", {
						dateTime: new Date(row.at_ms).toISOString(),
						title: moment(row.at_ms / 1e3),
						children: recentMoment(row.at_ms / 1e3)
					}),
					a("span", {
						class: "under",
						children: a("bdi", { children: [...subjectOf(row), senderOf(row, known)].join(" · ") })
					}),
					refusalOf(row) !== void 0 && a("span", {
						class: "under bad",
						children: refusalOf(row)
					})
				]
			}) }, row.id)) }),
			next !== null && rows.length > 0 && a(Button, {
				onClick: () => void more(),
				children: shell().loadMore
			})
		] }),
		children
	});
}
// src/words/hint-code.ts
var minutes = (seconds) => Math.floor((Math.abs(seconds) + 30) / 60);
// src/words/hints.es.ts
var FAULTS$1 = {
	signs: "los ids de una ruta tienen solo letras, dígitos, - y _, sin escapes",
	slash_at_end: "la ruta termina en barra",
	empty_part: "la ruta tiene una parte vacía",
	scope_for_channel: "connect y disconnect llevan solo el id del canal, la parte antes del último _",
	account_id: "después del último _ de un scope id debe estar el account_id, un UUID",
	scope_id: "un scope id es <channel_id>_<account_id>, como en la respuesta de connect"
};
var fault$1 = (wrong) => FAULTS$1[wrong ?? ""];
var es$1 = {
	missing: () => "Falta el encabezado X-Signature: envíe en hexadecimal el HMAC-SHA1 del cuerpo o del texto METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath; la clave es el secreto del canal",
	base64: () => "La firma es correcta, pero está en base64: envíela en hexadecimal",
	prefixed: () => "La firma es correcta, pero la rodean otros caracteres: envíe solo los 40 dígitos hexadecimales",
	dashes: () => "La firma es correcta, pero hay otros caracteres entre sus dígitos: envíe solo los 40 dígitos hexadecimales (en C#, BitConverter.ToString pone guiones)",
	no_digest: ({ length }) => length === 40 ? "Una firma tiene 40 dígitos hexadecimales: entre estos 40 caracteres hay otros" : `Una firma tiene 40 dígitos hexadecimales; se recibieron ${length} caracteres`,
	hex_decoded_secret: () => "El secreto se decodificó del hexadecimal: use sus caracteres tal como están",
	secret_with_newline: () => "El secreto se usó con un salto de línea al final: recorte el texto leído",
	secret_decorated: () => "El secreto se usó con un espacio o unas comillas alrededor: use solo sus caracteres",
	secret_in_other_case: () => "El secreto se usó con otras mayúsculas y minúsculas: use sus caracteres tal como están",
	channel_id_as_key: () => "Se usó como clave el id del canal: la clave es el secreto del canal",
	account_id_as_key: () => "Se usó como clave el id de la cuenta o del scope: la clave es el secreto del canal",
	hmac_md5: () => "Esto es HMAC-MD5: use HMAC-SHA1",
	sha256: () => "Esto es HMAC-SHA256: use HMAC-SHA1",
	plain_hash: () => "Esto es un hash simple: use HMAC-SHA1 con el secreto como clave",
	swapped: () => "La clave y el mensaje están intercambiados: la clave es el secreto",
	trailing_newline: () => "El cuerpo se firmó y se envió con distintos finales de línea: firme exactamente los bytes que envía",
	empty_body: () => "Se firmó un cuerpo vacío: firme los bytes que envía",
	reserialised: () => "Se firmó otra forma del mismo JSON, con otros espacios, escapes u orden de claves: cree el cuerpo una vez, firme y envíe los mismos bytes",
	stringified: () => "El cuerpo se convirtió otra vez en un texto JSON: créelo una vez, firme y envíe los mismos bytes",
	ascii: () => "El cuerpo se firmó en ASCII, con otro signo en lugar de las demás letras: firme los bytes UTF-8 que envía",
	signed_in: ({ set }) => `El cuerpo se firmó en ${set}: firme los bytes UTF-8 que envía`,
	sent_in: ({ set }) => `El cuerpo se firmó en UTF-8 y se envió en ${set}: envíe los bytes UTF-8 que firma`,
	byte_order_mark: () => "La marca de orden de bytes está solo en lo firmado o solo en lo enviado: quítela, firme y envíe los mismos bytes",
	encoded_twice: () => "El texto se codificó en UTF-8 dos veces, al firmar o al enviar: codifíquelo una vez, firme y envíe los mismos bytes",
	other_normal_form: () => "Las letras con marcas se firmaron y se enviaron en distintas formas de Unicode (NFC, NFD): firme los bytes que envía",
	in_letters: () => "Se firmó el cuerpo en base64 o en hexadecimal: firme los bytes del cuerpo que envía",
	signed_plain_and_sent_compressed: () => "El cuerpo se comprimió después de firmarlo: envíelo sin Content-Encoding, con los bytes que firma",
	html_escapes: () => "El cuerpo se firmó con escapes de HTML (&quot;, &#1062;): firme los bytes que envía",
	percent_escapes: () => "El cuerpo se firmó con escapes de direcciones (%22): firme los bytes que envía",
	printed_object: () => "Se firmó el objeto como lo imprime Python, con comillas simples: cree el JSON una vez, firme y envíe los mismos bytes",
	part_of_body: () => "Se firmó una parte del cuerpo: firme el cuerpo entero, del primer byte al último",
	raw_body: () => "Esta es la firma del cuerpo: aquí hay que firmar METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath",
	not_raw_body: () => "Este canal está en la generación 2019: firme solo el cuerpo",
	separator: () => "Las cinco partes no se unieron con un salto de línea: únalas con el byte 0x0A (en PHP, \"\\n\" entre comillas dobles)",
	newline_at_end: () => "Se firmó un salto de línea después de la ruta: no debe seguir nada",
	order: () => "Las partes se firmaron en otro orden: METHOD, Content-MD5, Content-Type, Date, path",
	method_lower_case: () => "El método se firmó en minúsculas: escríbalo en mayúsculas",
	other_method: () => "Se firmó otro método: firme el método de esta misma solicitud",
	header_names: () => "Se firmaron los nombres de los encabezados: firme solo sus valores",
	path_form: () => "La ruta se firmó en otra forma: fírmela como se solicita, desde /v2/origin/custom, con barra al principio y sin barra al final",
	other_path: () => "Se firmó la ruta de otra operación: firme la ruta de esta misma solicitud",
	full_url: () => "Se firmó la dirección completa: firme solo la ruta, desde /v2",
	query: () => "Se firmaron los parámetros: firme solo la ruta, sin ? ni lo que sigue",
	type_left_out: () => "Falta Content-Type en lo firmado: es la tercera parte",
	type_changed: () => "Se firmó un Content-Type distinto del enviado: firme el encabezado exactamente como sale (algunas bibliotecas HTTP agregan un charset)",
	date_left_out: () => "Falta Date: envíe el encabezado y firme el mismo texto como cuarta parte",
	date_missing: () => "Falta el encabezado Date: envíelo y firme el mismo texto como cuarta parte (en el navegador un script no puede ponerlo: firme y envíe desde un servidor)",
	date_twice: () => "Se firmó un Date distinto del enviado, por un instante: tome la hora una vez, para el encabezado y para la firma",
	date_unreadable: () => "La firma es correcta, pero Date no se puede leer: escríbalo como Wed, 15 Dec 2021 23:12:55 +0000",
	date_outside: ({ seconds = 0 }) => `La firma es correcta, pero Date está ${minutes(seconds)} min ${seconds < 0 ? "por detrás" : "por delante"} del reloj del servicio, y puede diferir 15 como máximo: firme de nuevo cada solicitud y ajuste el reloj de la máquina`,
	md5_left_out: () => "Falta Content-MD5 en lo firmado: es la segunda parte",
	md5_missing: () => "Se firmó el texto canónico, pero falta el encabezado Content-MD5: envíelo también",
	md5_base64: () => "Content-MD5 está en base64: escríbalo en hexadecimal en minúsculas, en el encabezado y en lo firmado",
	md5_upper_case: () => "Content-MD5 está en mayúsculas: escríbalo en minúsculas, en el encabezado y en lo firmado",
	md5_of_something_else: () => "Content-MD5 no es el MD5 del cuerpo enviado",
	md5_alone: () => "Se firmó solo un MD5: firme METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath, o el cuerpo",
	body_and_md5: () => "El cuerpo y el MD5 se firmaron juntos: firme METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath",
	header_twice: ({ name }) => `El encabezado ${name} se envió varias veces: envíe uno`,
	pinned_to2019: () => "Este canal está en la generación 2019 (generation), y la operación es de la actual",
	other_channel: ({ channel }) => `Está firmado con el secreto del canal «${channel}»`,
	unexplained_signature: ({ compared }) => compared === "nothing" ? "El servicio busca errores conocidos solo en cuerpos de hasta 16 KiB: compare el secreto, los bytes del cuerpo y cada encabezado con lo enviado" : compared === "some_spellings" ? "Ninguno de los errores frecuentes lo explica (en cuerpos de más de 4 KiB el servicio compara solo algunas formas): compare el secreto, los bytes del cuerpo y cada encabezado con lo enviado" : "Ningún error conocido lo explica: compare el secreto, los bytes del cuerpo y cada encabezado con lo enviado",
	disconnect_by_delete: () => "Envíe el mismo cuerpo con el método DELETE: el ejemplo del proveedor indica POST por error",
	react_without_id: () => "Envíe esto a …/<scope_id>/react, con el id del mensaje solo en el cuerpo, como msgid o id: el ejemplo del proveedor lo pone en la ruta por error",
	own_conversation_id: () => "La ruta lleva el id de la conversación en el servicio (un UUID, como en las respuestas de chats y de envío), no el conversation_id de la integración",
	own_message_id: () => "La ruta lleva el id del mensaje en el servicio (webhook-id del callback, message.message.id en la versión 2), no el msgid de la integración",
	scope_for_channel: () => "Esta ruta tiene un scope id: connect y disconnect llevan solo el id del canal, la parte antes del último _",
	unknown_channel_of_scope: () => "Ningún canal tiene el id de esta ruta: un scope id es <channel_id>_<account_id>, como en la respuesta de connect",
	unknown_channel: () => "Ningún canal tiene el id de esta ruta: compárelo con el id que le dio el operador",
	not_connected: ({ channel }) => `La cuenta no está conectada al canal: envíe primero POST /v2/origin/custom/${channel}/connect con su account_id`,
	unknown_account: () => "Ninguna cuenta tiene el id que sigue al último _ de este scope id: un scope id es <channel_id>_<account_id>, como en la respuesta de connect",
	account_not_allowed: () => "La cuenta no está conectada y el canal no la admite: el operador define las cuentas admitidas",
	channel_removed: () => "El canal se eliminó",
	no_such_path: ({ wrong, meant }) => [
		"No existe esa ruta",
		fault$1(wrong),
		meant === void 0 || meant === null ? "GET /openapi.json enumera las direcciones" : `¿quiso decir ${meant}?`
	].filter((it) => it !== void 0).join("; ")
};
// src/words/hints.ru.ts
var FAULTS = {
	signs: "в id пути бывают только буквы, цифры, - и _, без экранирования",
	slash_at_end: "путь заканчивается слешем",
	empty_part: "в пути есть пустая часть",
	scope_for_channel: "connect и disconnect принимают только id канала, часть до последнего _",
	account_id: "после последнего _ в scope id должен быть account_id, UUID",
	scope_id: "scope id – это <channel_id>_<account_id>, как в ответе connect"
};
var fault = (wrong) => FAULTS[wrong ?? ""];
// src/words/hints.ts
var words = dictionary({
	en: {},
	ru: {
		missing: () => "Нет заголовка X-Signature: отправьте HMAC-SHA1 тела или строки METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath в шестнадцатеричном виде; ключ – секрет канала",
		base64: () => "Подпись верна, но записана в base64: отправьте её в шестнадцатеричном виде",
		prefixed: () => "Подпись верна, но рядом с ней есть другие знаки: отправьте только 40 шестнадцатеричных цифр",
		dashes: () => "Подпись верна, но между её цифрами есть другие знаки: отправьте только 40 шестнадцатеричных цифр (в C# дефисы ставит BitConverter.ToString)",
		no_digest: ({ length }) => length === 40 ? "Подпись состоит из 40 шестнадцатеричных цифр: среди этих 40 знаков есть другие" : `Подпись состоит из 40 шестнадцатеричных цифр, а получено знаков: ${length}`,
		hex_decoded_secret: () => "Секрет раскодирован из шестнадцатеричного вида: используйте его знаки как есть",
		secret_with_newline: () => "В конце секрета остался перевод строки: обрежьте прочитанный текст",
		secret_decorated: () => "Вокруг секрета остался пробел или кавычка: используйте только его знаки",
		secret_in_other_case: () => "Секрет использован в другом регистре: используйте его знаки как есть",
		channel_id_as_key: () => "Ключом стал id канала: ключ – секрет канала",
		account_id_as_key: () => "Ключом стал id аккаунта или scope: ключ – секрет канала",
		hmac_md5: () => "Это HMAC-MD5: используйте HMAC-SHA1",
		sha256: () => "Это HMAC-SHA256: используйте HMAC-SHA1",
		plain_hash: () => "Это простой хеш: используйте HMAC-SHA1 с секретом в качестве ключа",
		swapped: () => "Ключ и сообщение поменялись местами: ключ – секрет",
		trailing_newline: () => "Тело подписано и отправлено с разными концами строк: подписывайте ровно те байты, которые отправляете",
		empty_body: () => "Подписано пустое тело: подписывайте те байты, которые отправляете",
		reserialised: () => "Подписана другая запись того же JSON, с другими пробелами, экранированием или порядком ключей: создайте тело один раз, подпишите и отправьте одни и те же байты",
		stringified: () => "Тело ещё раз превращено в строку JSON: создайте его один раз, подпишите и отправьте одни и те же байты",
		ascii: () => "Тело подписано в ASCII, остальные буквы заменены: подписывайте байты UTF-8, которые отправляете",
		signed_in: ({ set }) => `Тело подписано в кодировке ${set}: подписывайте байты UTF-8, которые отправляете`,
		sent_in: ({ set }) => `Тело подписано в UTF-8, а отправлено в кодировке ${set}: отправляйте байты UTF-8, которые подписали`,
		byte_order_mark: () => "Метка порядка байтов есть только в подписанном или только в отправленном: уберите её, подпишите и отправьте одни и те же байты",
		encoded_twice: () => "Текст закодирован в UTF-8 дважды, при подписи или при отправке: закодируйте его один раз, подпишите и отправьте одни и те же байты",
		other_normal_form: () => "Буквы со знаками подписаны и отправлены в разных формах Unicode (NFC, NFD): подписывайте те байты, которые отправляете",
		in_letters: () => "Подписано тело в base64 или в шестнадцатеричном виде: подписывайте байты тела, которые отправляете",
		signed_plain_and_sent_compressed: () => "Тело сжато после подписи: отправляйте его без Content-Encoding, теми же байтами, которые подписали",
		html_escapes: () => "Тело подписано с экранированием HTML (&quot;, &#1062;): подписывайте те байты, которые отправляете",
		percent_escapes: () => "Тело подписано с экранированием адресов (%22): подписывайте те байты, которые отправляете",
		printed_object: () => "Подписан объект, как его печатает Python, с одинарными кавычками: создайте JSON один раз, подпишите и отправьте одни и те же байты",
		part_of_body: () => "Подписана часть тела: подписывайте всё тело, от первого байта до последнего",
		raw_body: () => "Это подпись тела: здесь надо подписать строку METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath",
		not_raw_body: () => "Для этого канала задано поколение 2019: подписывайте только тело",
		separator: () => "Пять частей соединены не переводом строки: соединяйте их одним байтом 0x0A (в PHP – \"\\n\" в двойных кавычках)",
		newline_at_end: () => "После пути подписан перевод строки: после него не должно быть ничего",
		order: () => "Части подписаны в другом порядке: METHOD, Content-MD5, Content-Type, Date, path",
		method_lower_case: () => "Метод подписан строчными буквами: пишите его прописными",
		other_method: () => "Подписан другой метод: подписывайте метод этого же запроса",
		header_names: () => "Подписаны имена заголовков: подписывайте только их значения",
		path_form: () => "Путь подписан в другом виде: подписывайте его как в запросе, начиная с /v2/origin/custom, со слешем в начале и без слеша в конце",
		other_path: () => "Подписан путь другой операции: подписывайте путь этого же запроса",
		full_url: () => "Подписан полный адрес: подписывайте только путь, начиная с /v2",
		query: () => "Подписаны параметры: подписывайте только путь, без ? и того, что следует",
		type_left_out: () => "В подписи нет Content-Type: это третья часть",
		type_changed: () => "Подписан и отправлен разный Content-Type: подписывайте заголовок ровно таким, каким он уходит (некоторые библиотеки HTTP добавляют charset)",
		date_left_out: () => "Нет Date: отправьте заголовок и подпишите тот же текст четвёртой частью",
		date_missing: () => "Нет заголовка Date: отправьте его и подпишите тот же текст четвёртой частью (в браузере скрипт не может его задать: подписывайте и отправляйте с сервера)",
		date_twice: () => "Подписан и отправлен разный Date, с разницей в мгновение: возьмите время один раз, для заголовка и для подписи",
		date_unreadable: () => "Подпись верна, но Date не читается: пишите его как Wed, 15 Dec 2021 23:12:55 +0000",
		date_outside: ({ seconds = 0 }) => `Подпись верна, но Date ${seconds < 0 ? "отстаёт от часов сервиса" : "опережает часы сервиса"} на ${minutes(seconds)} мин, а разница может быть не больше 15: подписывайте каждый запрос заново и настройте часы машины`,
		md5_left_out: () => "В подписи нет Content-MD5: это вторая часть",
		md5_missing: () => "Подписана каноническая строка, но нет заголовка Content-MD5: отправьте и его",
		md5_base64: () => "Content-MD5 записан в base64: пишите его в шестнадцатеричном виде строчными буквами, в заголовке и в подписи",
		md5_upper_case: () => "Content-MD5 записан прописными буквами: пишите его строчными, в заголовке и в подписи",
		md5_of_something_else: () => "Content-MD5 – не MD5 отправленного тела",
		md5_alone: () => "Подписан только MD5: подпишите строку METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath или тело",
		body_and_md5: () => "Тело и MD5 подписаны вместе: подпишите строку METHOD\\nContent-MD5\\nContent-Type\\nDate\\npath",
		header_twice: ({ name }) => `Заголовок ${name} отправлен несколько раз: отправьте один`,
		pinned_to2019: () => "Для этого канала задано поколение 2019 (generation), а операция принадлежит текущему",
		other_channel: ({ channel }) => `Подписано секретом канала «${channel}»`,
		unexplained_signature: ({ compared }) => compared === "nothing" ? "Известные ошибки сервис ищет только в телах до 16 КиБ: сравните секрет, байты тела и каждый заголовок с отправленными" : compared === "some_spellings" ? "Ни одна из частых ошибок не подходит (в телах больше 4 КиБ сервис сравнивает только некоторые записи): сравните секрет, байты тела и каждый заголовок с отправленными" : "Ни одна известная ошибка не подходит: сравните секрет, байты тела и каждый заголовок с отправленными",
		disconnect_by_delete: () => "Отправьте то же тело методом DELETE: в примере поставщика ошибочно указан POST",
		react_without_id: () => "Отправьте это на …/<scope_id>/react, а id сообщения – только в теле, как msgid или id: в примере поставщика он ошибочно стоит в пути",
		own_conversation_id: () => "В пути нужен id беседы в сервисе (UUID, как в ответах chats и отправки), а не conversation_id интеграции",
		own_message_id: () => "В пути нужен id сообщения в сервисе (webhook-id колбэка, в версии 2 message.message.id), а не msgid интеграции",
		scope_for_channel: () => "В этом пути стоит scope id: connect и disconnect принимают только id канала, часть до последнего _",
		unknown_channel_of_scope: () => "Канала с id из этого пути нет: scope id – это <channel_id>_<account_id>, как в ответе connect",
		unknown_channel: () => "Канала с id из этого пути нет: сравните его с id, который дал оператор",
		not_connected: ({ channel }) => `Аккаунт не подключён к каналу: сначала отправьте POST /v2/origin/custom/${channel}/connect с его account_id`,
		unknown_account: () => "Аккаунта с id после последнего _ в этом scope id нет: scope id – это <channel_id>_<account_id>, как в ответе connect",
		account_not_allowed: () => "Аккаунт не подключён, и канал его не допускает: допущенные аккаунты задаёт оператор",
		channel_removed: () => "Канал удалён",
		no_such_path: ({ wrong, meant }) => [
			"Такого пути нет",
			fault(wrong),
			meant === void 0 || meant === null ? "адреса перечислены в GET /openapi.json" : `возможно, имелось в виду ${meant}`
		].filter((it) => it !== void 0).join("; ")
	},
	es: es$1
});
function hintOf(mistake) {
	const known = words();
	return mistake === null || mistake === void 0 ? void 0 : known[mistake.code]?.(mistake);
}
// src/areas/requests/hint.tsx
function Hint({ text, mistake }) {
	const words = hintOf(mistake);
	return words === void 0 ? a("span", {
		lang: "en",
		children: text
	}) : a("span", { children: words });
}
// src/areas/requests/samples.ts
var SAMPLES = [
	"Python",
	"Node",
	"PHP",
	"Go",
	"Rust",
	"shell"
];
var RAW = {
	Python: `body = json.dumps(event).encode()  # once: sign and send the same bytes
signature = hmac.new(SECRET.encode(), body, hashlib.sha1).hexdigest()
requests.post(URL, data=body, headers={
    "Content-Type": "application/json", "X-Signature": signature})`,
	Node: `const body = JSON.stringify(event); // once: sign and send the same bytes
const signature = crypto.createHmac('sha1', SECRET).update(body).digest('hex');
await fetch(URL, { method: 'POST', body, headers: {
  'Content-Type': 'application/json', 'X-Signature': signature } });`,
	PHP: `$body = json_encode($event); // once: sign and send the same bytes
$signature = hash_hmac('sha1', $body, $secret);
curl_setopt_array($curl, [CURLOPT_URL => $url, CURLOPT_POSTFIELDS => $body,
    CURLOPT_HTTPHEADER => ['Content-Type: application/json', "X-Signature: $signature"]]);`,
	Go: `body, _ := json.Marshal(event) // once: sign and send the same bytes
mac := hmac.New(sha1.New, []byte(secret))
mac.Write(body)
request, _ := http.NewRequest("POST", url, bytes.NewReader(body))
request.Header.Set("Content-Type", "application/json")
request.Header.Set("X-Signature", hex.EncodeToString(mac.Sum(nil)))`,
	Rust: `let body = serde_json::to_vec(&event)?; // once: sign and send the same bytes
let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes())?;
mac.update(&body);
client.post(url).header("Content-Type", "application/json")
    .header("X-Signature", hex::encode(mac.finalize().into_bytes())).body(body)`,
	shell: `signature=$(printf %s "$body" | openssl dgst -sha1 -hmac "$SECRET" -r | cut -d' ' -f1)
curl "$URL" -H 'Content-Type: application/json' -H "X-Signature: $signature" --data-raw "$body"`
};
var CANONICAL$1 = {
	Python: `body = json.dumps(event).encode()
md5 = hashlib.md5(body).hexdigest()
date = email.utils.formatdate()
text = "\\n".join(["POST", md5, "application/json", date, PATH])
signature = hmac.new(SECRET.encode(), text.encode(), hashlib.sha1).hexdigest()
requests.post(URL, data=body, headers={"Content-Type": "application/json",
    "Content-MD5": md5, "Date": date, "X-Signature": signature})`,
	Node: `const body = JSON.stringify(event);
const md5 = crypto.createHash('md5').update(body).digest('hex');
const date = new Date().toUTCString();
const text = ['POST', md5, 'application/json', date, PATH].join('\\n');
const signature = crypto.createHmac('sha1', SECRET).update(text).digest('hex');
// Send Content-Type, Content-MD5, Date and X-Signature with node:http: fetch may not set Date.`,
	PHP: `$body = json_encode($event);
$md5 = md5($body);
$date = gmdate('D, d M Y H:i:s').' +0000';
$text = implode("\\n", ['POST', $md5, 'application/json', $date, $path]);
$signature = hash_hmac('sha1', $text, $secret);
$headers = ['Content-Type: application/json', "Content-MD5: $md5", "Date: $date", "X-Signature: $signature"];`,
	Go: `body, _ := json.Marshal(event)
md5 := fmt.Sprintf("%x", md5.Sum(body))
date := time.Now().UTC().Format(time.RFC1123Z)
mac := hmac.New(sha1.New, []byte(secret))
mac.Write([]byte(strings.Join([]string{"POST", md5, "application/json", date, path}, "\\n")))
signature := hex.EncodeToString(mac.Sum(nil)) // and send Content-Type, Content-MD5, Date, X-Signature`,
	Rust: `let body = serde_json::to_vec(&event)?;
let md5 = hex::encode(Md5::digest(&body));
let date = httpdate::fmt_http_date(SystemTime::now());
let mut mac = Hmac::<Sha1>::new_from_slice(secret.as_bytes())?;
mac.update(["POST", &md5, "application/json", &date, path].join("\\n").as_bytes());
let signature = hex::encode(mac.finalize().into_bytes()); // and send Content-Type, Content-MD5, Date, X-Signature`,
	shell: `md5=$(printf %s "$body" | md5sum | cut -d' ' -f1)
date=$(LC_ALL=C date -uR)
signature=$(printf '%s\\n%s\\n%s\\n%s\\n%s' POST "$md5" application/json "$date" "$PATH_OF_URL" |
  openssl dgst -sha1 -hmac "$SECRET" -r | cut -d' ' -f1)
curl "$URL" -H 'Content-Type: application/json' -H "Content-MD5: $md5" -H "Date: $date" \\
  -H "X-Signature: $signature" --data-raw "$body"`
};
function sample(language, isCanonical) {
	return (isCanonical ? CANONICAL$1 : RAW)[language];
}
// src/areas/requests/try.tsx
var CANONICAL = {
	content_md5: "content-md5",
	content_type: "content-type",
	date: "date"
};
function Try({ request, channel }) {
	const words = requests().doctor;
	const body = useSignal(request.body.text ?? "");
	const signature = useSignal(request.signature?.given ?? "");
	const header = (name) => request.headers.find((it) => it.name === name)?.value ?? "";
	const parts = {
		content_md5: useSignal(header(CANONICAL.content_md5)),
		content_type: useSignal(header(CANONICAL.content_type)),
		date: useSignal(header(CANONICAL.date))
	};
	const verdict = useSignal(void 0);
	const task = useWork();
	const compare = () => task.run(async () => {
		const given = Object.entries(parts).filter(([, value]) => value.value !== "");
		const asked = {
			signature: signature.value.trim(),
			body: body.value,
			method: request.method,
			path: request.path,
			...Object.fromEntries(given.map(([name, value]) => [name, value.value]))
		};
		const address = `/admin/v1/channels/${encodeURIComponent(channel)}/check-signature`;
		verdict.value = await askAsOperator(address, {
			method: "POST",
			body: asked
		});
	});
	const text = (value) => ({
		class: "mono",
		spellcheck: false,
		value: value.value,
		onInput: (event) => {
			value.value = event.currentTarget.value;
		}
	});
	return a("form", {
		class: "form note",
		onSubmit: (event) => {
			event.preventDefault();
			compare();
		},
		children: [
			a("p", {
				class: "soft",
				children: words.tryText
			}),
			a(Field, {
				label: words.tryBody,
				children: (input) => a("textarea", {
					...input,
					rows: 6,
					...text(body)
				})
			}),
			a(Field, {
				label: "X-Signature",
				error: task.problem?.about("signature"),
				children: (input) => a("input", {
					...input,
					...text(signature)
				})
			}),
			a("details", { children: [
				a("summary", { children: words.tryCanonical }),
				a(Field, {
					label: "Date",
					children: (input) => a("input", {
						...input,
						...text(parts.date)
					})
				}),
				a(Field, {
					label: "Content-Type",
					children: (input) => a("input", {
						...input,
						...text(parts.content_type)
					})
				}),
				a(Field, {
					label: "Content-MD5",
					children: (input) => a("input", {
						...input,
						...text(parts.content_md5)
					})
				})
			] }),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			a("div", {
				class: "buttons",
				children: a(Button, {
					type: "submit",
					look: "primary",
					icon: "check",
					busy: task.busy,
					children: words.compare
				})
			}),
			verdict.value !== void 0 && a(Verdict, { verdict: verdict.value })
		]
	});
}
// src/areas/requests/doctor.tsx
function Doctor({ request, channel }) {
	const words = requests().doctor;
	const trying = useSignal(false);
	const verdict = request.signature;
	const actions = a(Button, {
		icon: "edit",
		"aria-expanded": trying.value,
		onClick: () => trying.value = !trying.value,
		children: words.try
	});
	return a(Part, {
		title: words.title,
		actions,
		children: [
			verdict === null ? a("p", {
				class: "soft",
				children: words.nothing
			}) : a(Verdict, { verdict }),
			verdict !== null && !verdict.is_right && a(Fix, { isCanonical: verdict.expected.canonical !== null }),
			trying.value && a(Try, {
				request,
				channel
			})
		]
	});
}
function Verdict({ verdict }) {
	const words = requests().doctor;
	const { expected } = verdict;
	return a($, { children: [
		a("div", {
			class: verdict.is_right ? "note good" : "note bad",
			role: "status",
			children: [
				a(Badge, {
					tone: verdict.is_right ? "good" : "bad",
					icon: verdict.is_right ? "check" : "warning",
					children: verdict.is_right ? words.right : words.wrong
				}),
				verdict.generation !== null && a("span", { children: [" · ", words.generation(verdict.generation)] }),
				verdict.hint !== null && a("p", { children: [
					a("strong", { children: [words.cause, ":"] }),
					" ",
					a(Hint, {
						text: verdict.hint,
						mistake: verdict.mistake
					})
				] })
			]
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.given,
				copy: verdict.given ?? void 0,
				children: verdict.given === null ? words.none : a("code", { children: verdict.given })
			}),
			a(Fact, {
				name: words.ofBody,
				copy: expected.raw_body,
				children: a("code", { children: expected.raw_body })
			}),
			expected.canonical !== null && a(Fact, {
				name: words.ofCanonical,
				copy: expected.canonical,
				children: a("code", { children: expected.canonical })
			}),
			a(Fact, {
				name: "Content-MD5",
				copy: expected.content_md5,
				children: a("code", { children: expected.content_md5 })
			})
		] }),
		verdict.signed_text !== null && a("details", { children: [a("summary", { children: words.signedText }), a(Command, { text: verdict.signed_text })] })
	] });
}
function Fix({ isCanonical }) {
	const words = requests().doctor;
	const language = useSignal("Python");
	return a($, { children: [
		a("h3", { children: words.fix }),
		a(Choices, {
			label: words.fix,
			value: language.value,
			options: SAMPLES.map((value) => ({
				value,
				says: value
			})),
			onChoose: (chosen) => {
				language.value = chosen;
			}
		}),
		a(Command, { text: sample(language.value, isCanonical) })
	] });
}
// src/areas/requests/request.tsx
function wrongOf(answer) {
	const value = parsed(answer.text ?? "");
	const list = (it) => Array.isArray(it) ? it : [];
	const ofItems = list(value?.["validation-errors"]).flatMap((item) => list(item?.errors));
	return [...list(value?.errors), ...ofItems].flatMap((error) => {
		const { path, detail, code } = error ?? {};
		return typeof path === "string" ? [{
			path,
			detail: String(detail ?? ""),
			code: String(code ?? "")
		}] : [];
	});
}
function Why({ request, wrong }) {
	const words = requests();
	const { hint, error_description: description, mistake } = request;
	if (hint !== null) return a(Hint, {
		text: hint,
		mistake
	});
	if (description === null) return null;
	const faults = words.faults;
	const first = wrong[0];
	const fault = faults[first?.code ?? ""];
	if (first === void 0 || fault === void 0) return a("span", {
		lang: "en",
		children: description
	});
	return a("span", { children: words.wrongFields(wrong.length, first.path, fault) });
}
function Text({ excerpt, label, marks }) {
	const words = requests();
	if (excerpt.withheld !== null) return a("p", {
		class: "soft",
		children: words.withheld[excerpt.withheld](excerpt.length)
	});
	if (excerpt.length === 0) return a("p", {
		class: "soft",
		children: words.noBody
	});
	return a($, { children: [!excerpt.is_whole && a("p", {
		class: "note warn",
		children: words.cut(excerpt.length)
	}), a(Body, {
		text: excerpt.text ?? excerpt.hex ?? "",
		label,
		marks: marks ?? []
	})] });
}
function Request({ id, known }) {
	const words = requests();
	const loaded = useLoad(id, (signal) => askAsOperator(`/admin/v1/requests/${encodeURIComponent(id)}`, { signal }));
	const request = loaded.data.value;
	if (request === void 0) return loaded.problem.value === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
		problem: loaded.problem.value,
		retry: loaded.reload
	});
	const wrong = wrongOf(request.answer);
	const marks = wrong.map(({ path, detail }) => ({
		path,
		detail
	}));
	return a("article", { children: [
		a("header", {
			class: "head",
			children: a("h2", { children: [
				a(Status, { status: request.status }),
				" ",
				operationOf(request)
			] })
		}),
		request.status >= 400 && a("p", {
			class: "note bad",
			children: [
				a("strong", { children: refusalOf(request) }),
				" ",
				request.error_type !== null && a("code", { children: request.error_type }),
				" ",
				a(Why, {
					request,
					wrong
				})
			]
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.address,
				copy: request.path,
				children: a("code", { children: [
					request.method,
					" ",
					request.path
				] })
			}),
			a(Fact, {
				name: words.at,
				children: [
					moment(request.at_ms / 1e3),
					" · ",
					number(Math.round(request.took_ms * 10) / 10),
					" ms"
				]
			}),
			a(Fact, {
				name: words.sender,
				children: request.channel_id === null ? senderOf(request, known) : a("a", {
					href: `/channels/${encodeURIComponent(request.channel_id)}`,
					children: senderOf(request, known)
				})
			}),
			request.client_id !== null && a(Fact, {
				name: words.oauthClient,
				copy: request.client_id,
				children: a("a", {
					href: `/oauth-clients/${encodeURIComponent(request.client_id)}`,
					children: request.client_id
				})
			}),
			request.query !== null && a(Fact, {
				name: words.query,
				copy: request.query,
				children: a("code", { children: request.query })
			})
		] }),
		request.channel_id !== null && a(Doctor, {
			request,
			channel: request.channel_id
		}),
		a(Part, {
			title: words.body,
			children: a(Text, {
				excerpt: request.body,
				label: words.body,
				marks
			})
		}),
		a(Part, {
			title: words.answer,
			children: a(Text, {
				excerpt: request.answer,
				label: words.answer
			})
		}),
		a(Part, {
			title: words.headers,
			children: a(Headers, {
				headers: request.headers,
				label: words.headers
			})
		})
	] });
}
// src/areas/requests/page.tsx
function RequestsPage({ id }) {
	return a(OperatorGate, {
		title: requests().title,
		children: () => a(Requests, { id })
	});
}
function Requests({ id }) {
	const words = requests();
	const explaining = useSignal(false);
	const known = {
		channels: useChannels(),
		accounts: useLoad("accounts", accounts).data.value ?? []
	};
	const actions = a($, { children: [a(Button, {
		icon: "search",
		onClick: () => explaining.value = true,
		children: words.ids.title
	}), a(Pause, {})] });
	return a(Page, {
		title: words.title,
		actions,
		fills: true,
		children: [a(List$1, {
			selected: id,
			known,
			children: id === void 0 ? a(Empty, { title: words.choose }) : a(Request, {
				id,
				known
			}, id)
		}), explaining.value && a(ExplainId, {
			known,
			onClose: () => explaining.value = false
		})]
	});
}
// src/words/worlds.ts
var worlds$1 = dictionary({
	en: {
		title: "Worlds",
		list: "Worlds",
		find: "Find by name or id",
		all: "All",
		next: "next world",
		previous: "previous world",
		choose: "Choose a world.",
		chooseText: "A world is a whole service in memory, with a clock of its own. Tests make worlds and end them.",
		without: "This service has no worlds",
		withoutText: "A service has worlds only if it was started with switchboard dev. A world is a service in memory for tests.",
		empty: "There are no worlds",
		emptyText: "Tests make worlds here by a request. You can do the same, or use the button.",
		emptyStart: "A test can also start a service of its own:",
		nothing: "No worlds match the filter.",
		missing: "This world does not exist.",
		gone: "This world has ended",
		create: "New world",
		name: "Name",
		nameHint: "Leave empty for none. The list shows the id then.",
		webhookHint: "The world sends callbacks to this address. Leave empty, and the world receives them itself.",
		lifetime: "Lifetime, in minutes",
		lifetimeHint: "From 1 to 1440, by the clock of the machine.",
		end: "End world",
		endTitle: (name) => `End the world ${name}?`,
		endText: "The world stops now, and its data is gone. A test that uses the world fails. The page still shows the journal.",
		ended: (time) => `The world ended on ${time}`,
		facts: {
			title: "Access",
			base: "Base address",
			credentials: "Account, channel and tokens",
			secret: "Secret of the channel",
			token: (user) => `Token of ${user}`,
			hidden: "Hidden",
			show: "Show secrets",
			hide: "Hide secrets",
			webhook: "Callback address",
			inMemory: "None: the world receives callbacks itself.",
			ends: "Ends"
		},
		clock: {
			title: "Clock",
			now: "Time of the world",
			mode: "How time passes",
			modes: {
				skip: "Skip",
				frozen: "Frozen",
				real: "Real time"
			},
			explained: {
				skip: "While a client waits, the clock jumps to the next timer.",
				frozen: "The clock stands still until you advance it.",
				real: "The clock runs like that of the machine."
			},
			advance: "Advance by",
			submit: "Advance",
			amount: "Amount",
			unit: "Unit",
			names: {
				seconds: "seconds",
				minutes: "minutes",
				hours: "hours",
				days: "days"
			},
			units: {
				seconds: (count) => counted("en", count, {
					one: "second",
					other: "seconds"
				}),
				minutes: (count) => counted("en", count, {
					one: "minute",
					other: "minutes"
				}),
				hours: (count) => counted("en", count, {
					one: "hour",
					other: "hours"
				}),
				days: (count) => counted("en", count, {
					one: "day",
					other: "days"
				})
			}
		},
		faults: {
			title: "Faults are active in this world",
			filter: "Faults",
			only: "With faults",
			count: (count) => counted("en", count, {
				one: "fault",
				other: "faults"
			}),
			on: {
				answers: "answers",
				callbacks: "callbacks",
				hooks: "hooks",
				questions: "questions",
				engine: "engine"
			},
			left: (count) => `${count} left`,
			lasting: "until you end it",
			match: (text) => `only with «${text}»`,
			more: (count) => `And ${counted("en", count, {
				one: "more fault",
				other: "more faults"
			})}.`,
			end: "End all faults"
		},
		journal: {
			title: "Journal",
			kind: "Kind",
			kinds: {
				request: "Requests",
				callback: "Callbacks",
				hook: "Hooks",
				question: "Questions",
				note: "Notes"
			},
			of: {
				request: "Request",
				callback: "Callback",
				hook: "Hook",
				question: "Question",
				note: "Note"
			},
			find: "Find in the journal",
			empty: "Nothing has happened in this world yet.",
			nothing: "No entries match the filter.",
			missing: (count) => `The page does not have ${counted("en", count, {
				one: "entry",
				other: "entries"
			})} here. The downloads have what the service keeps.`,
			unanswered: "No answer",
			attempt: (number) => `attempt ${number}`,
			fault: (name) => `fault: ${name}`,
			download: "Download the journal",
			forms: {
				text: "Text",
				har: "HAR",
				html: "HTML"
			}
		}
	},
	ru: {
		title: "Миры",
		list: "Миры",
		find: "Найти по имени или id",
		all: "Все",
		next: "следующий мир",
		previous: "предыдущий мир",
		choose: "Выберите мир.",
		chooseText: "Мир — это целый сервис в памяти, у которого свои часы. Тесты создают миры и завершают их.",
		without: "В этом сервисе нет миров",
		withoutText: "Миры есть только в сервисе, запущенном командой switchboard dev. Мир — это сервис в памяти для тестов.",
		empty: "Миров нет",
		emptyText: "Тесты создают здесь миры запросом. Вы можете сделать так же или нажать кнопку.",
		emptyStart: "Тест может запустить и собственный сервис:",
		nothing: "Фильтру не соответствует ни один мир.",
		missing: "Такого мира нет.",
		gone: "Этот мир завершён",
		create: "Новый мир",
		name: "Имя",
		nameHint: "Можно оставить пустым. Тогда список показывает id.",
		webhookHint: "Мир отправляет вебхуки на этот адрес. Если оставить пустым, мир принимает их сам.",
		lifetime: "Время жизни, минут",
		lifetimeHint: "От 1 до 1440, по часам машины.",
		end: "Завершить мир",
		endTitle: (name) => `Завершить мир ${name}?`,
		endText: "Мир остановится сейчас, его данные пропадут. Тест, который использует мир, не пройдёт. Страница по-прежнему покажет журнал.",
		ended: (time) => `Мир завершён ${time}`,
		facts: {
			title: "Доступ",
			base: "Основной адрес",
			credentials: "Аккаунт, канал и токены",
			secret: "Секрет канала",
			token: (user) => `Токен ${user}`,
			hidden: "Скрыт",
			show: "Показать секреты",
			hide: "Скрыть секреты",
			webhook: "Адрес вебхуков",
			inMemory: "Нет: мир принимает вебхуки сам.",
			ends: "Завершится"
		},
		clock: {
			title: "Часы",
			now: "Время мира",
			mode: "Ход времени",
			modes: {
				skip: "Скачками",
				frozen: "Стоит",
				real: "Как в жизни"
			},
			explained: {
				skip: "Пока клиент ждёт, часы переходят к следующему таймеру.",
				frozen: "Часы стоят, пока кто-нибудь их не переведёт.",
				real: "Часы идут так же, как часы машины."
			},
			advance: "Перевести на",
			submit: "Перевести",
			amount: "Сколько",
			unit: "Единица",
			names: {
				seconds: "секунды",
				minutes: "минуты",
				hours: "часы",
				days: "дни"
			},
			units: {
				seconds: (count) => counted("ru", count, {
					one: "секунду",
					few: "секунды",
					many: "секунд",
					other: "секунды"
				}),
				minutes: (count) => counted("ru", count, {
					one: "минуту",
					few: "минуты",
					many: "минут",
					other: "минуты"
				}),
				hours: (count) => counted("ru", count, {
					one: "час",
					few: "часа",
					many: "часов",
					other: "часа"
				}),
				days: (count) => counted("ru", count, {
					one: "день",
					few: "дня",
					many: "дней",
					other: "дня"
				})
			}
		},
		faults: {
			title: "В этом мире действуют сбои",
			filter: "Сбои",
			only: "Со сбоями",
			count: (count) => counted("ru", count, {
				one: "сбой",
				few: "сбоя",
				many: "сбоев",
				other: "сбоя"
			}),
			on: {
				answers: "ответы",
				callbacks: "вебхуки",
				hooks: "хуки аккаунта",
				questions: "вопросы",
				engine: "движок"
			},
			left: (count) => `осталось: ${count}`,
			lasting: "пока его не завершат",
			match: (text) => `только с «${text}»`,
			more: (count) => `И ещё ${counted("ru", count, {
				one: "сбой",
				few: "сбоя",
				many: "сбоев",
				other: "сбоя"
			})}.`,
			end: "Завершить все сбои"
		},
		journal: {
			title: "Журнал",
			kind: "Вид",
			kinds: {
				request: "Запросы",
				callback: "Вебхуки",
				hook: "Хуки аккаунта",
				question: "Вопросы",
				note: "Заметки"
			},
			of: {
				request: "Запрос",
				callback: "Вебхук",
				hook: "Хук аккаунта",
				question: "Вопрос",
				note: "Заметка"
			},
			find: "Найти в журнале",
			empty: "В этом мире ещё ничего не произошло.",
			nothing: "Фильтру не соответствует ни одна запись.",
			missing: (count) => `На странице нет ${counted("ru", count, {
				one: "записи",
				few: "записей",
				many: "записей",
				other: "записи"
			})} из этого места. В загрузках есть всё, что хранит сервис.`,
			unanswered: "Нет ответа",
			attempt: (number) => `попытка ${number}`,
			fault: (name) => `сбой: ${name}`,
			download: "Скачать журнал",
			forms: {
				text: "Текст",
				har: "HAR",
				html: "HTML"
			}
		}
	},
	es: {
		title: "Mundos",
		list: "Mundos",
		find: "Buscar por nombre o id",
		all: "Todos",
		next: "mundo siguiente",
		previous: "mundo anterior",
		choose: "Elija un mundo.",
		chooseText: "Un mundo es un servicio completo en memoria, con su propio reloj. Las pruebas crean mundos y los terminan.",
		without: "Este servicio no tiene mundos",
		withoutText: "Un servicio tiene mundos solo si se inició con switchboard dev. Un mundo es un servicio en memoria para pruebas.",
		empty: "No hay mundos",
		emptyText: "Las pruebas crean mundos aquí con una solicitud. Usted puede hacer lo mismo, o usar el botón.",
		emptyStart: "Una prueba también puede iniciar su propio servicio:",
		nothing: "Ningún mundo coincide con el filtro.",
		missing: "Este mundo no existe.",
		gone: "Este mundo ha terminado",
		create: "Nuevo mundo",
		name: "Nombre",
		nameHint: "Puede dejarlo vacío. La lista muestra entonces el id.",
		webhookHint: "El mundo envía los callbacks a esta dirección. Si la deja vacía, el mundo mismo los recibe.",
		lifetime: "Duración, en minutos",
		lifetimeHint: "De 1 a 1440, según el reloj de la máquina.",
		end: "Terminar el mundo",
		endTitle: (name) => `¿Terminar el mundo ${name}?`,
		endText: "El mundo se detiene ahora y sus datos se pierden. Una prueba que use el mundo falla. La página sigue mostrando el diario.",
		ended: (time) => `El mundo terminó el ${time}`,
		facts: {
			title: "Acceso",
			base: "Dirección base",
			credentials: "Cuenta, canal y tokens",
			secret: "Secreto del canal",
			token: (user) => `Token de ${user}`,
			hidden: "Oculto",
			show: "Mostrar secretos",
			hide: "Ocultar secretos",
			webhook: "Webhook",
			inMemory: "Ninguno: el mundo mismo recibe los callbacks.",
			ends: "Termina"
		},
		clock: {
			title: "Reloj",
			now: "Hora del mundo",
			mode: "Cómo pasa el tiempo",
			modes: {
				skip: "Con saltos",
				frozen: "Detenido",
				real: "Tiempo real"
			},
			explained: {
				skip: "Mientras un cliente espera, el reloj salta al siguiente temporizador.",
				frozen: "El reloj está detenido hasta que alguien lo adelanta.",
				real: "El reloj avanza como el de la máquina."
			},
			advance: "Adelantar",
			submit: "Adelantar",
			amount: "Cantidad",
			unit: "Unidad",
			names: {
				seconds: "segundos",
				minutes: "minutos",
				hours: "horas",
				days: "días"
			},
			units: {
				seconds: (count) => counted("es", count, {
					one: "segundo",
					other: "segundos"
				}),
				minutes: (count) => counted("es", count, {
					one: "minuto",
					other: "minutos"
				}),
				hours: (count) => counted("es", count, {
					one: "hora",
					other: "horas"
				}),
				days: (count) => counted("es", count, {
					one: "día",
					other: "días"
				})
			}
		},
		faults: {
			title: "Hay fallos activos en este mundo",
			filter: "Fallos",
			only: "Con fallos",
			count: (count) => counted("es", count, {
				one: "fallo",
				other: "fallos"
			}),
			on: {
				answers: "respuestas",
				callbacks: "callbacks",
				hooks: "hooks",
				questions: "preguntas",
				engine: "motor"
			},
			left: (count) => count === 1 ? "queda 1" : `quedan ${count}`,
			lasting: "hasta que alguien lo termine",
			match: (text) => `solo con «${text}»`,
			more: (count) => `Y ${counted("es", count, {
				one: "fallo más",
				other: "fallos más"
			})}.`,
			end: "Terminar todos los fallos"
		},
		journal: {
			title: "Diario",
			kind: "Tipo",
			kinds: {
				request: "Solicitudes",
				callback: "Callbacks",
				hook: "Hooks",
				question: "Preguntas",
				note: "Notas"
			},
			of: {
				request: "Solicitud",
				callback: "Callback",
				hook: "Hook",
				question: "Pregunta",
				note: "Nota"
			},
			find: "Buscar en el diario",
			empty: "Todavía no ha pasado nada en este mundo.",
			nothing: "Ninguna entrada coincide con el filtro.",
			missing: (count) => `La página no tiene ${counted("es", count, {
				one: "entrada",
				other: "entradas"
			})} de esta parte. Las descargas tienen lo que guarda el servicio.`,
			unanswered: "Sin respuesta",
			attempt: (number) => `intento ${number}`,
			fault: (name) => `fallo: ${name}`,
			download: "Descargar el diario",
			forms: {
				text: "Texto",
				har: "HAR",
				html: "HTML"
			}
		}
	}
});
// src/areas/worlds/address.ts
var WORLDS = "/dev/v1/worlds";
var pathOf = (id) => `${WORLDS}/${encodeURIComponent(id)}`;
function pageOf(id) {
	const query = place.value.query.toString();
	return `/worlds/${encodeURIComponent(id)}${query === "" ? "" : `?${query}`}`;
}
var secondsOf = (moment) => Date.parse(moment) / 1e3;
// src/areas/worlds/no-worlds.tsx
var request = (token) => curl({
	method: "POST",
	url: location.origin + WORLDS,
	headers: [{
		name: "Authorization",
		value: `Bearer ${token}`
	}, {
		name: "Content-Type",
		value: "application/json"
	}],
	body: "{\"name\":\"first\"}"
});
function NoWorlds() {
	const words = worlds$1();
	return a(Empty, {
		title: words.empty,
		children: [
			a("p", { children: words.emptyText }),
			a(Command, {
				text: request(operatorToken.value ?? ""),
				shown: request("••••••••")
			}),
			a("p", { children: words.emptyStart }),
			a(Command, { text: command("dev --ephemeral") })
		]
	});
}
// src/areas/worlds/list.tsx
var ROW = 60;
function List({ loaded, selected, children }) {
	const words = worlds$1();
	const text = useSignal("");
	const only = place.value.query.get("only") === "faults" ? "faults" : "";
	const all = loaded.data.value;
	const wanted = text.value.trim().toLowerCase();
	const rows = (all ?? []).filter((world) => `${world.name ?? ""} ${world.id}`.toLowerCase().includes(wanted) && (only === "" || world.faults.length > 0));
	useWalk({
		rows,
		selected,
		at: pageOf,
		words,
		onStep: (step) => reveal(document.querySelector(".split-list [data-scroller]"), step, ROW)
	});
	const clear = () => {
		text.value = "";
		narrow({ only: null });
	};
	const problem = loaded.problem.value;
	const filters = a($, { children: [a("input", {
		type: "search",
		"aria-label": words.find,
		placeholder: words.find,
		...typed(text)
	}), a(Choices, {
		label: words.faults.filter,
		value: only,
		options: [{
			value: "",
			says: words.all
		}, {
			value: "faults",
			says: words.faults.only
		}],
		onChoose: (chosen) => narrow({ only: chosen })
	})] });
	return a(Split, {
		label: words.list,
		narrow: filters,
		isChosen: selected !== void 0,
		home: "/worlds",
		rows: a($, { children: [
			problem !== void 0 && a(ProblemNote, {
				problem,
				retry: loaded.reload
			}),
			all === void 0 && problem === void 0 && a(Skeleton, {}),
			all?.length === 0 && a(NoWorlds, {}),
			all !== void 0 && all.length > 0 && rows.length === 0 && a(Empty, {
				title: words.nothing,
				children: a(Button, {
					onClick: clear,
					children: shell().clear
				})
			}),
			rows.length > 0 && a(WindowedList, {
				rows,
				height: ROW,
				keyOf: (world) => world.id,
				label: words.list,
				render: (world) => a(Row, {
					world,
					isSelected: world.id === selected
				})
			})
		] }),
		children
	});
}
function Row({ world, isSelected }) {
	const words = worlds$1();
	return a("a", {
		class: "line",
		href: pageOf(world.id),
		"aria-current": isSelected ? "true" : void 0,
		title: world.name ?? world.id,
		children: [
			a("span", { children: a("bdi", { children: world.name ?? world.id }) }),
			world.faults.length > 0 && a(Badge, {
				tone: "warn",
				icon: "warning",
				children: words.faults.count(world.faults.length)
			}),
			a("span", {
				class: "under",
				children: [
					world.name !== null && `${world.id} · `,
					words.clock.modes[world.clock.mode],
					" · ",
					a(Moment, { at: world.clock.now_ms / 1e3 })
				]
			})
		]
	});
}
// src/areas/worlds/types.ts
var MODES = [
	"skip",
	"frozen",
	"real"
];
var KINDS = [
	"request",
	"callback",
	"hook",
	"question",
	"note"
];
// src/areas/worlds/new-world.tsx
var LONGEST = 1440;
function NewWorld({ onCreate, onClose }) {
	const words = worlds$1();
	const name = useSignal("");
	const mode = useSignal("skip");
	const webhook = useSignal("");
	const minutes = useSignal("60");
	const task = useWork();
	const create = () => task.run(() => onCreate({
		...name.value.trim() === "" ? {} : { name: name.value.trim() },
		clock: mode.value,
		...webhook.value.trim() === "" ? {} : { webhook: webhook.value.trim() },
		ttl: Math.round(Number(minutes.value) * 60)
	}));
	return a(Dialog, {
		title: words.create,
		onClose,
		children: a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				create();
			},
			children: [
				a(Field, {
					label: words.name,
					hint: words.nameHint,
					children: (input) => a("input", {
						...input,
						maxLength: 100,
						...typed(name)
					})
				}),
				a("div", {
					class: "stacked",
					children: [
						a("span", { children: words.clock.title }),
						a(Choices, {
							label: words.clock.mode,
							value: mode.value,
							options: MODES.map((value) => ({
								value,
								says: words.clock.modes[value]
							})),
							onChoose: (chosen) => {
								mode.value = chosen;
							}
						}),
						a("p", {
							class: "soft",
							children: words.clock.explained[mode.value]
						})
					]
				}),
				a(Field, {
					label: words.facts.webhook,
					hint: words.webhookHint,
					children: (input) => a("input", {
						...input,
						inputMode: "url",
						placeholder: "http://127.0.0.1:3000/callbacks",
						...typed(webhook)
					})
				}),
				a(Field, {
					label: words.lifetime,
					hint: words.lifetimeHint,
					children: (input) => a("input", {
						...input,
						type: "number",
						min: "1",
						max: LONGEST,
						required: true,
						...typed(minutes)
					})
				}),
				task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: onClose,
						children: shell().cancel
					}), a(Button, {
						type: "submit",
						look: "primary",
						busy: task.busy,
						children: words.create
					})]
				})
			]
		})
	});
}
// src/areas/worlds/clock.tsx
var UNITS = {
	seconds: 1,
	minutes: 60,
	hours: 3600,
	days: 86400
};
var STEPS = [
	[1, "minutes"],
	[15, "minutes"],
	[1, "hours"],
	[1, "days"]
];
var MOST$1 = 30 * UNITS.days;
function Clock({ clock, path, onChange }) {
	const words = worlds$1().clock;
	const task = useWork();
	const post = (what, body) => task.run(async () => {
		await askAsOperator(`${path}/${what}`, {
			method: "POST",
			body
		});
		onChange();
	});
	const advance = (seconds) => void post("advance", { seconds });
	const now = clock.now_ms / 1e3;
	return a(Part, {
		title: words.title,
		children: [
			a(Facts, { children: [a(Fact, {
				name: words.now,
				copy: clock.now,
				children: a("time", {
					dateTime: clock.now,
					children: [
						day(now),
						", ",
						exactClock(now)
					]
				})
			}), a(Fact, {
				name: words.mode,
				children: a(Choices, {
					label: words.mode,
					value: clock.mode,
					options: MODES.map((value) => ({
						value,
						says: words.modes[value]
					})),
					onChoose: (mode) => void post("clock", { mode })
				})
			})] }),
			a("p", {
				class: "soft",
				children: words.explained[clock.mode]
			}),
			a("div", {
				class: "advance",
				role: "group",
				"aria-label": words.advance,
				children: [
					a("span", { children: words.advance }),
					STEPS.map(([count, unit]) => a(Button, {
						busy: task.busy,
						onClick: () => advance(count * UNITS[unit]),
						children: words.units[unit](count)
					}, unit + count)),
					a(Own, {
						isBusy: task.busy,
						onAdvance: advance
					})
				]
			}),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem })
		]
	});
}
function Own({ isBusy, onAdvance }) {
	const words = worlds$1().clock;
	const count = useSignal("30");
	const unit = useSignal("seconds");
	return a("form", {
		onSubmit: (event) => {
			event.preventDefault();
			onAdvance(Number(count.value) * UNITS[unit.value]);
		},
		children: [
			a("input", {
				type: "number",
				"aria-label": words.amount,
				min: "0.001",
				max: MOST$1 / UNITS[unit.value],
				step: "any",
				required: true,
				...typed(count)
			}),
			a("select", {
				"aria-label": words.unit,
				value: unit.value,
				onChange: (event) => unit.value = event.currentTarget.value,
				children: Object.keys(UNITS).map((name) => a("option", {
					value: name,
					children: words.names[name]
				}, name))
			}),
			a(Button, {
				type: "submit",
				icon: "clock",
				busy: isBusy,
				children: words.submit
			})
		]
	});
}
// src/areas/worlds/facts.tsx
function WorldFacts({ world }) {
	const words = worlds$1().facts;
	return a(Part, {
		title: words.title,
		children: [a(Facts, { children: [
			a(Fact, {
				name: words.base,
				copy: world.base_url,
				children: a("code", { children: world.base_url })
			}),
			a(Fact, {
				name: words.webhook,
				copy: world.webhook ?? void 0,
				children: world.webhook ?? words.inMemory
			}),
			a(Fact, {
				name: words.ends,
				children: a("time", {
					dateTime: world.ends_at,
					children: moment(secondsOf(world.ends_at))
				})
			})
		] }), a("details", {
			class: "credentials",
			children: [a("summary", { children: words.credentials }), a(Credentials, { world })]
		})]
	});
}
function Credentials({ world }) {
	const words = worlds$1().facts;
	const isShown = useSignal(false);
	return a($, { children: [a(Facts, { children: [
		a(Fact, {
			name: operator().account,
			copy: world.account.id,
			children: a("code", { children: world.account.id })
		}),
		a(Fact, {
			name: operator().channel,
			copy: world.channel.id,
			children: a("code", { children: world.channel.id })
		}),
		a(Secret, {
			name: words.secret,
			text: world.channel.secret,
			isShown: isShown.value
		}),
		a(Fact, {
			name: operator().scope,
			copy: world.scope_id,
			children: a("code", { children: world.scope_id })
		}),
		world.users.map((user) => a(Secret, {
			name: words.token(user.name),
			text: user.token,
			isShown: isShown.value
		}, user.name))
	] }), a(Button, {
		icon: "key",
		"aria-pressed": isShown.value,
		onClick: () => isShown.value = !isShown.value,
		children: isShown.value ? words.hide : words.show
	})] });
}
function Secret({ name, text, isShown }) {
	return a(Fact, {
		name,
		copy: text,
		children: isShown ? a("code", { children: text }) : a("span", {
			class: "soft",
			children: worlds$1().facts.hidden
		})
	});
}
// src/areas/worlds/faults.tsx
var NAMED = 8;
function Faults({ faults, path, onChange }) {
	const words = worlds$1().faults;
	const task = useWork();
	const end = () => task.run(async () => {
		await askAsOperator(`${path}/faults`, { method: "DELETE" });
		onChange();
	});
	return a("section", {
		class: "note warn faults",
		"aria-label": words.title,
		children: [
			a("div", {
				role: "status",
				children: [
					a(Badge, {
						tone: "warn",
						icon: "warning",
						children: a("strong", { children: words.title })
					}),
					a("ul", { children: faults.slice(0, NAMED).map((fault) => a("li", { children: said(fault) }, fault.id)) }),
					faults.length > NAMED && a("p", { children: words.more(faults.length - NAMED) })
				]
			}),
			a(Button, {
				icon: "close",
				busy: task.busy,
				onClick: () => void end(),
				children: words.end
			}),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem })
		]
	});
}
function said({ on, do: what, match, left }) {
	const words = worlds$1().faults;
	const places = words.on;
	const lasting = left === null ? words.lasting : words.left(left);
	const narrowed = match === null ? "" : `, ${words.match(match)}`;
	return `${places[on] ?? on}: ${what}, ${lasting}${narrowed}`;
}
// src/areas/worlds/downloads.tsx
var FORMS = [
	{
		form: "text",
		ending: "txt",
		type: "text/plain"
	},
	{
		form: "har",
		ending: "har",
		type: "application/json"
	},
	{
		form: "html",
		ending: "html",
		type: "text/html"
	}
];
function Downloads({ id }) {
	const words = worlds$1().journal;
	const task = useWork();
	const download = ({ form, ending, type }) => task.run(async () => {
		const text = await askTextAsOperator(`${pathOf(id)}/journal`, { query: { form } });
		const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
		const link = document.createElement("a");
		link.href = address;
		link.download = `journal-${id}.${ending}`;
		link.click();
		setTimeout(() => URL.revokeObjectURL(address));
	});
	return a("div", {
		class: "buttons",
		role: "group",
		"aria-label": words.download,
		children: [FORMS.map((it) => a(Button, {
			icon: "requests",
			label: `${words.download}: ${words.forms[it.form]}`,
			busy: task.busy,
			onClick: () => void download(it),
			children: words.forms[it.form]
		}, it.form)), task.problem !== void 0 && a(ProblemNote, { problem: task.problem })]
	});
}
// src/areas/worlds/entry.tsx
var ICONS = {
	request: "requests",
	callback: "callbacks",
	hook: "callbacks",
	question: "callbacks",
	note: "edit"
};
function EntryRow({ entry }) {
	const isOpen = useSignal(false);
	if (entry.kind === "note") return a("li", { children: a("div", {
		class: "happening",
		children: a(Line, { entry })
	}) });
	return a("li", { children: a("details", {
		onToggle: (event) => isOpen.value = event.currentTarget.open,
		children: [a("summary", {
			class: "happening",
			children: a(Line, { entry })
		}), isOpen.value && a(Bodies, { entry })]
	}) });
}
function Line({ entry }) {
	return a($, { children: [
		a(Moment, { at: secondsOf(entry.at) }),
		a(Badge, {
			icon: ICONS[entry.kind],
			children: worlds$1().journal.of[entry.kind]
		}),
		a("span", {
			class: "what",
			children: textOf$1(entry)
		}),
		entry.kind === "request" && a(Answered, { entry }),
		entry.kind !== "request" && entry.kind !== "note" && a(Came, { entry })
	] });
}
function textOf$1(entry) {
	if (entry.kind === "note") return `${entry.who} ${entry.what}`;
	return entry.kind === "hook" ? `${entry.code} ${entry.what}` : entry.what;
}
function Answered({ entry }) {
	return a("span", {
		class: "result",
		children: entry.status === null ? a(Badge, {
			tone: "warn",
			icon: "stopped",
			children: worlds$1().journal.unanswered
		}) : a(Status, { status: entry.status })
	});
}
function Came({ entry }) {
	const words = worlds$1().journal;
	return a("span", {
		class: "result",
		children: [a("span", { children: [
			words.attempt(entry.attempt),
			": ",
			a("span", {
				lang: "en",
				children: entry.outcome
			})
		] }), entry.fault !== void 0 && a(Badge, {
			tone: "warn",
			icon: "warning",
			children: words.fault(entry.fault)
		})]
	});
}
function bodiesOf(entry) {
	const words = requests();
	if (entry.kind === "callback" || entry.kind === "question") return [[words.body, entry.body]];
	if (entry.kind === "hook") return [[words.body, entry.form]];
	return [[words.body, entry.request], [words.answer, entry.answer]];
}
function Bodies({ entry }) {
	const words = requests();
	const bodies = bodiesOf(entry);
	return a("div", {
		class: "bodies",
		children: bodies.map(([label, text]) => a("div", {
			class: "stacked",
			children: [a("h3", { children: label }), text === "" ? a("p", {
				class: "soft",
				children: words.noBody
			}) : a(Body, {
				text,
				label
			})]
		}, label))
	});
}
// src/areas/worlds/journal.tsx
function rowsOf(entries, isWanted) {
	const rows = [];
	let before = 0;
	for (const entry of entries) {
		const missing = entry.cursor - before - 1;
		if (missing > 0) rows.push({
			missing,
			before: entry.cursor
		});
		if (isWanted(entry)) rows.push({ entry });
		before = entry.cursor;
	}
	return rows.reverse();
}
function readable(form) {
	return [...new URLSearchParams(form)].map(([key, value]) => `${key}=${value}`).join("\n");
}
function textOf(entry) {
	if (entry.kind === "note") return `${entry.who} ${entry.what}`;
	if (entry.kind === "request") return `${entry.what} ${entry.status ?? ""} ${entry.request} ${entry.answer}`;
	if (entry.kind === "hook") {
		const { code, what, request_id: id, outcome, fault = "" } = entry;
		return `${code} ${what} ${id} ${outcome} ${fault} ${readable(entry.form)}`;
	}
	if (entry.kind === "question") return `${entry.what} ${entry.outcome} ${entry.fault ?? ""} ${entry.body}`;
	return `${entry.what} ${entry.message_id} ${entry.outcome} ${entry.fault ?? ""} ${entry.body}`;
}
function Journal({ id, happened }) {
	const words = worlds$1().journal;
	const text = useSignal("");
	const kind = KINDS.find((known) => known === place.value.query.get("kind")) ?? "";
	const wanted = text.value.trim().toLowerCase();
	const isWanted = (entry) => (kind === "" || entry.kind === kind) && (wanted === "" || textOf(entry).toLowerCase().includes(wanted));
	const rows = rowsOf(happened.entries, isWanted);
	const isNothing = rows.every((row) => "missing" in row);
	return a(Part, {
		title: words.title,
		actions: a(Downloads, { id }),
		children: [
			a("div", {
				class: "journal-filter",
				children: [a(Choices, {
					label: words.kind,
					value: kind,
					options: [{
						value: "",
						says: worlds$1().all
					}, ...KINDS.map((value) => ({
						value,
						says: words.kinds[value]
					}))],
					onChoose: (chosen) => narrow({ kind: chosen })
				}), a("input", {
					type: "search",
					"aria-label": words.find,
					placeholder: words.find,
					...typed(text)
				})]
			}),
			happened.entries.length === 0 && a("p", {
				class: "soft",
				children: words.empty
			}),
			happened.entries.length > 0 && isNothing && a("p", {
				class: "soft",
				children: [
					words.nothing,
					" ",
					a(Button, {
						look: "quiet",
						onClick: () => {
							text.value = "";
							narrow({ kind: null });
						},
						children: shell().clear
					})
				]
			}),
			a("ol", {
				class: "journal",
				reversed: true,
				"aria-label": words.title,
				children: rows.map((row) => "entry" in row ? a(EntryRow, { entry: row.entry }, row.entry.cursor) : a("li", {
					class: "soft",
					children: words.missing(row.missing)
				}, `before ${row.before}`))
			})
		]
	});
}
// src/areas/worlds/happened.ts
var EVERY$1 = 1e3;
var [PIECE, MOST] = [200, 1e3];
var PATIENCE = 12e4;
var AGAIN = PIECE / 2;
var NOTHING = {
	entries: [],
	cursor: 0,
	ended: null,
	open: new Map()
};
function useJournal(id) {
	const known = T(NOTHING);
	return usePolled(id, EVERY$1, async (signal) => {
		if (known.current.ended !== null) return known.current;
		const query = {
			form: "document",
			after: after(known.current, Date.now()),
			limit: PIECE
		};
		const piece = await askAsOperator(`${pathOf(id)}/journal`, {
			query,
			signal
		});
		known.current = joined(known.current, piece, Date.now());
		return known.current;
	});
}
function after({ cursor, open }, now) {
	const waiting = [...open].flatMap(([entry, since]) => now - since < PATIENCE && cursor - entry < AGAIN ? [entry - 1] : []);
	return Math.min(cursor, ...waiting);
}
function joined(known, piece, now) {
	const [first] = piece.entries;
	if (first === void 0 && piece.ended === null) return known;
	const before = new Map(known.entries.map((entry) => [entry.cursor, entry]));
	const entries = new Map(before);
	for (const entry of piece.entries) entries.set(entry.cursor, same(before.get(entry.cursor), entry));
	const all = [...entries.values()].sort((one, other) => one.cursor - other.cursor).slice(-MOST);
	const open = all.flatMap((entry) => {
		return entry.kind === "request" && entry.status === null ? [[entry.cursor, known.open.get(entry.cursor) ?? now]] : [];
	});
	return {
		entries: all,
		cursor: Math.max(known.cursor, piece.cursor),
		ended: piece.ended,
		open: new Map(open)
	};
}
function same(known, entry) {
	if (known === void 0) return entry;
	return known.kind === "request" && entry.kind === "request" && known.status !== entry.status ? entry : known;
}
// src/areas/worlds/world.tsx
var [MISSING, GONE] = [404, 410];
function WorldView({ id, world, onChange }) {
	const words = worlds$1();
	const journal = useJournal(id);
	const ending = useSignal(false);
	const known = T(world);
	known.current = world ?? known.current;
	const shown = known.current;
	const path = pathOf(id);
	const happened = journal.data.value;
	const problem = journal.problem.value;
	const change = () => {
		onChange();
		journal.reload();
	};
	const end = async () => {
		await askAsOperator(path, { method: "DELETE" });
		ending.value = false;
		change();
	};
	if (happened === void 0 && problem === void 0) return a(Skeleton, {});
	if (happened === void 0 && problem?.status === MISSING) return a(Empty, { title: words.missing });
	if (happened === void 0 && problem?.status === GONE) return a(Empty, {
		title: words.gone,
		children: a("p", {
			lang: "en",
			children: problem.detail
		})
	});
	const ended = happened?.ended ?? void 0;
	const isThere = world !== void 0 && ended === void 0;
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", { children: [
				a("bdi", { children: shown?.name ?? id }),
				" ",
				shown?.name != null && a("span", {
					class: "soft",
					children: id
				})
			] }), isThere && a(Button, {
				icon: "trash",
				onClick: () => ending.value = true,
				children: words.end
			})]
		}),
		problem !== void 0 && a(ProblemNote, {
			problem,
			retry: journal.reload
		}),
		ended !== void 0 && a(EndNote, { ended }),
		isThere && world.faults.length > 0 && a(Faults, {
			faults: world.faults,
			path,
			onChange: change
		}),
		shown !== void 0 && a(WorldFacts, { world: shown }),
		isThere && a(Clock, {
			clock: world.clock,
			path,
			onChange: change
		}),
		happened !== void 0 && a(Journal, {
			id,
			happened
		}),
		ending.value && a(Confirm, {
			title: words.endTitle(shown?.name ?? id),
			text: words.endText,
			action: words.end,
			icon: "trash",
			onConfirm: end,
			onClose: () => ending.value = false
		})
	] });
}
function EndNote({ ended }) {
	const words = worlds$1();
	return a("div", {
		class: "note",
		role: "status",
		children: [a("p", { children: a("strong", { children: words.ended(moment(secondsOf(ended.at))) }) }), a("p", {
			lang: "en",
			children: ended.why
		})]
	});
}
// src/areas/worlds/page.tsx
var EVERY = 1e3;
function WorldsPage({ id }) {
	const words = worlds$1();
	if (hasWorlds.value) return a(OperatorGate, {
		title: words.title,
		children: () => a(Worlds, { id })
	});
	return a(Page, {
		title: words.title,
		children: a(Empty, {
			title: words.without,
			command: "dev --ephemeral",
			children: a("p", { children: words.withoutText })
		})
	});
}
var newestFirst = new Intl.Collator("en", { numeric: true });
async function worlds(signal) {
	return (await askAsOperator(WORLDS, { signal })).worlds.sort((one, other) => newestFirst.compare(other.id, one.id));
}
function Worlds({ id }) {
	const words = worlds$1();
	const loaded = usePolled("worlds", EVERY, worlds);
	const creating = useSignal(false);
	const create = async (fields) => {
		const made = await askAsOperator(WORLDS, {
			method: "POST",
			body: fields
		});
		creating.value = false;
		loaded.reload();
		open$1(pageOf(made.id));
	};
	const chosen = loaded.data.value?.find((world) => world.id === id);
	const actions = a($, { children: [a(Pause, {}), a(Button, {
		look: "primary",
		icon: "plus",
		onClick: () => creating.value = true,
		children: words.create
	})] });
	return a(Page, {
		title: words.title,
		about: chosen?.name ?? id,
		actions,
		fills: true,
		children: [a(List, {
			loaded,
			selected: id,
			children: id === void 0 ? a(Empty, {
				title: words.choose,
				children: a("p", {
					class: "soft",
					children: words.chooseText
				})
			}) : a(WorldView, {
				id,
				world: chosen,
				onChange: loaded.reload
			}, id)
		}), creating.value && a(NewWorld, {
			onCreate: create,
			onClose: () => creating.value = false
		})]
	});
}
export { CallbacksPage, ChannelsPage, ClientsPage, HealthPage, HooksPage, RelaysAlone, RelaysPage, RequestsPage, WorldsPage };
