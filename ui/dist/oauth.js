import { $ as Page, Bt as signOut, Ft as isAdministrator, Jt as day, Lt as me, Qt as moment, St as shell, Ut as ask, Xt as exactClock, Yt as dictionary, _t as ProblemNote, bt as a, et as nameWindow, gn as $, gt as Skeleton, it as place, n as Field, rn as useSignal, rt as open, st as Empty, un as A, vt as Button, yt as Icon } from "./app.js";
import { C as useBook, O as useWork, g as Badge, h as Dialog, k as useLoad, m as Confirm, p as typed, w as userName } from "./parts.js";
import { A as Facts, E as Split, O as usePolled, S as Moment, T as Listed, b as Once, j as Part, k as Fact, w as AdmittedUsers, x as CallerNote } from "./operator.js";
import { a as pathOf, i as integrations, n as decide, r as hostOf, t as webhooks } from "./webhooks.js";
// src/words/oauth.ts
var oauth = dictionary({
	en: {
		consent: {
			untitled: "Access for an integration",
			title: (name) => `Allow “${name}” to use this account?`,
			account: "Account",
			user: "User",
			next: "Then opens",
			can: "What the integration can do",
			rights: ["Act for this user, within the rights of the user", "Read and change leads, contacts and users"],
			cannot: "It cannot read the password.",
			allow: "Allow",
			deny: "Deny",
			another: "Use another account",
			signedIn: (user, account) => `Signed in as ${user}, ${account}`,
			refused: "The integration cannot be installed",
			noClient: "The address of this page has no client_id. Open the page from the integration again.",
			administrators: "Only an administrator of the account can install an integration. You are not an administrator. Ask an administrator to open this address.",
			leaving: (host) => `Opening ${host}…`,
			close: "Done. You can close this window."
		},
		scopes: {
			list_external_messages: "Read the messages of talks",
			send_external_messages: "Write to customers in talks as a bot"
		},
		integrations: {
			title: "Integrations",
			list: "Integrations",
			text: "An integration can use the account after an administrator installs it.",
			empty: "No integrations for this account",
			emptyText: "The operator creates OAuth clients and selects the accounts that may install them.",
			choose: "Choose an integration.",
			missing: "This integration does not exist, or the account may not install it.",
			administrators: "This page is for administrators of the account",
			administratorsText: "Administrators install integrations. You are not an administrator.",
			installed: "Installed",
			notInstalled: "Not installed",
			install: "Install",
			installText: "When you install the integration, it acts for you, within your rights: it reads and changes leads, contacts and users. Then the browser opens the redirect address.",
			uninstall: "Uninstall",
			uninstallTitle: (name) => `Uninstall “${name}”?`,
			uninstallText: "The service refuses all codes and tokens of the integration from now on, disconnects the account from the channel of the integration, deletes the webhooks that the integration created, and reports this to the integration. You can install it again.",
			id: "Client id",
			redirect: "Redirect address",
			since: "Installed",
			asks: "Asks for",
			granted: "Granted by name",
			noScopes: "Nothing beyond the rights of the user",
			by: "Last consent by"
		},
		tokens: {
			title: "Long-lived tokens",
			text: "A program sends a long-lived token as its access token and does not refresh it. The token acts for the user who created it.",
			installs: "Creating a token installs the integration.",
			none: "No long-lived tokens.",
			create: "Create a token",
			name: "Purpose",
			nameHint: "For example, the program that uses the token.",
			days: "Validity, in days",
			daysHint: "From 1 to 1825 (five years).",
			made: (name) => `The token “${name}”`,
			token: "Token",
			once: "The service shows this token only once. Copy it now.",
			kept: "I copied the token",
			nameAndUser: "Purpose and user",
			created: "Created",
			expires: "Expires",
			revoke: "Revoke",
			revokeTitle: (name) => `Revoke the token “${name}”?`,
			revokeText: "The service refuses the token from the next request on. You cannot restore it."
		},
		history: {
			title: "Token history",
			text: "The codes and refresh tokens of this account, newest first. Each is valid for one request.",
			none: "The service has issued no codes and no refresh tokens.",
			kind: "Kind and user",
			code: "Authorization code",
			refresh: "Refresh token",
			issued: "Issued",
			expires: "Expires",
			used: "Used by",
			expired: "Expired",
			valid: "Not used"
		}
	},
	ru: {
		consent: {
			untitled: "Доступ для интеграции",
			title: (name) => `Разрешить «${name}» использовать этот аккаунт?`,
			account: "Аккаунт",
			user: "Пользователь",
			next: "Затем откроется",
			can: "Что может интеграция",
			rights: ["Действовать от имени пользователя в пределах его прав", "Читать и изменять сделки, контакты и пользователей"],
			cannot: "Прочитать пароль она не может.",
			allow: "Разрешить",
			deny: "Отклонить",
			another: "Другой аккаунт",
			signedIn: (user, account) => `Вход выполнен: ${user}, ${account}`,
			refused: "Интеграцию нельзя установить",
			noClient: "В адресе этой страницы нет client_id. Откройте её из интеграции ещё раз.",
			administrators: "Установить интеграцию может только администратор аккаунта. Вы не администратор. Попросите администратора открыть этот адрес.",
			leaving: (host) => `Открывается ${host}…`,
			close: "Готово. Это окно можно закрыть."
		},
		scopes: {
			list_external_messages: "Читать сообщения бесед",
			send_external_messages: "Писать клиентам в беседах от имени бота"
		},
		integrations: {
			title: "Интеграции",
			list: "Интеграции",
			text: "Интеграция может использовать аккаунт после того, как её установит администратор.",
			empty: "Для этого аккаунта нет интеграций",
			emptyText: "Оператор создаёт клиентов OAuth и выбирает аккаунты, которые могут их установить.",
			choose: "Выберите интеграцию.",
			missing: "Такой интеграции нет, или аккаунт не может её установить.",
			administrators: "Эта страница для администраторов аккаунта",
			administratorsText: "Интеграции устанавливают администраторы. Вы не администратор.",
			installed: "Установлена",
			notInstalled: "Не установлена",
			install: "Установить",
			installText: "После установки интеграция действует от вашего имени в пределах ваших прав: читает и изменяет сделки, контакты и пользователей. Затем браузер откроет адрес перенаправления.",
			uninstall: "Удалить",
			uninstallTitle: (name) => `Удалить «${name}»?`,
			uninstallText: "С этого момента сервис отклоняет все коды и токены интеграции, отключает аккаунт от её канала, удаляет созданные ею вебхуки и сообщает ей об этом. Интеграцию можно установить снова.",
			id: "Id клиента",
			redirect: "Адрес перенаправления",
			since: "Установлена",
			asks: "Запрашивает",
			granted: "Разрешено отдельно",
			noScopes: "Ничего сверх прав пользователя",
			by: "Последнее согласие"
		},
		tokens: {
			title: "Долгосрочные токены",
			text: "Программа отправляет долгосрочный токен как токен доступа и не обновляет его. Токен действует от имени пользователя, который его создал.",
			installs: "Создание токена устанавливает интеграцию.",
			none: "Долгосрочных токенов нет.",
			create: "Создать токен",
			name: "Назначение",
			nameHint: "Например, программа, которая использует токен.",
			days: "Срок действия, дней",
			daysHint: "От 1 до 1825 (пять лет).",
			made: (name) => `Токен «${name}»`,
			token: "Токен",
			once: "Сервис показывает токен только один раз. Скопируйте его сейчас.",
			kept: "Токен скопирован",
			nameAndUser: "Назначение и пользователь",
			created: "Создан",
			expires: "Истекает",
			revoke: "Отозвать",
			revokeTitle: (name) => `Отозвать токен «${name}»?`,
			revokeText: "Сервис отклоняет токен начиная со следующего запроса. Восстановить его нельзя."
		},
		history: {
			title: "История токенов",
			text: "Коды и токены обновления этого аккаунта, сначала новые. Каждый действителен для одного запроса.",
			none: "Сервис не выдавал кодов и токенов обновления.",
			kind: "Вид и пользователь",
			code: "Код авторизации",
			refresh: "Токен обновления",
			issued: "Выдан",
			expires: "Истекает",
			used: "Использован",
			expired: "Истёк",
			valid: "Не использован"
		}
	},
	es: {
		consent: {
			untitled: "Acceso para una integración",
			title: (name) => `¿Permitir que «${name}» use esta cuenta?`,
			account: "Cuenta",
			user: "Usuario",
			next: "Después se abre",
			can: "Lo que puede hacer la integración",
			rights: ["Actuar por este usuario, dentro de los permisos del usuario", "Leer y cambiar leads, contactos y usuarios"],
			cannot: "No puede leer la contraseña.",
			allow: "Permitir",
			deny: "Rechazar",
			another: "Usar otra cuenta",
			signedIn: (user, account) => `Sesión iniciada: ${user}, ${account}`,
			refused: "La integración no se puede instalar",
			noClient: "La dirección de esta página no tiene client_id. Abra la página otra vez desde la integración.",
			administrators: "Solo un administrador de la cuenta puede instalar una integración. Usted no es administrador. Pida a un administrador que abra esta dirección.",
			leaving: (host) => `Abriendo ${host}…`,
			close: "Listo. Puede cerrar esta ventana."
		},
		scopes: {
			list_external_messages: "Leer los mensajes de las conversaciones",
			send_external_messages: "Escribir a los clientes en las conversaciones como bot"
		},
		integrations: {
			title: "Integraciones",
			list: "Integraciones",
			text: "Una integración puede usar la cuenta después de que un administrador la instale.",
			empty: "No hay integraciones para esta cuenta",
			emptyText: "El operador crea clientes de OAuth y elige las cuentas que pueden instalarlos.",
			choose: "Elija una integración.",
			missing: "Esta integración no existe, o la cuenta no puede instalarla.",
			administrators: "Esta página es para administradores de la cuenta",
			administratorsText: "Los administradores instalan las integraciones. Usted no es administrador.",
			installed: "Instalada",
			notInstalled: "No instalada",
			install: "Instalar",
			installText: "Al instalar la integración, actúa por usted, dentro de sus permisos: lee y cambia leads, contactos y usuarios. Después, el navegador abre la dirección de redirección.",
			uninstall: "Desinstalar",
			uninstallTitle: (name) => `¿Desinstalar «${name}»?`,
			uninstallText: "Desde ahora, el servicio rechaza todos los códigos y tokens de la integración, desconecta la cuenta del canal de la integración, elimina los webhooks que creó y se lo comunica. Puede volver a instalarla.",
			id: "Id de cliente",
			redirect: "Dirección de redirección",
			since: "Instalada",
			asks: "Solicita",
			granted: "Concedido expresamente",
			noScopes: "Nada más allá de los permisos del usuario",
			by: "Último consentimiento"
		},
		tokens: {
			title: "Tokens de larga duración",
			text: "Un programa envía un token de larga duración como token de acceso y no lo renueva. El token actúa por el usuario que lo creó.",
			installs: "Crear un token instala la integración.",
			none: "No hay tokens de larga duración.",
			create: "Crear un token",
			name: "Uso",
			nameHint: "Por ejemplo, el programa que usa el token.",
			days: "Validez, en días",
			daysHint: "De 1 a 1825 (cinco años).",
			made: (name) => `El token «${name}»`,
			token: "Token",
			once: "El servicio muestra este token una sola vez. Cópielo ahora.",
			kept: "Ya copié el token",
			nameAndUser: "Uso y usuario",
			created: "Creado",
			expires: "Vence",
			revoke: "Revocar",
			revokeTitle: (name) => `¿Revocar el token «${name}»?`,
			revokeText: "El servicio rechaza el token desde la siguiente solicitud. No se puede restaurar."
		},
		history: {
			title: "Historial de tokens",
			text: "Los códigos y tokens de renovación de esta cuenta, primero los nuevos. Cada uno vale para una solicitud.",
			none: "El servicio no ha emitido códigos ni tokens de renovación.",
			kind: "Tipo y usuario",
			code: "Código de autorización",
			refresh: "Token de renovación",
			issued: "Emitido",
			expires: "Vence",
			used: "Usado por",
			expired: "Vencido",
			valid: "No usado"
		}
	}
});
// src/areas/oauth/card.tsx
function Refused({ children }) {
	return a("div", {
		class: "problem",
		role: "alert",
		children: [a(Icon, { name: "warning" }), a("div", { children: [a("strong", { children: oauth().consent.refused }), a("p", { children })] })]
	});
}
function Card({ title, children }) {
	const words = oauth().consent;
	const task = useWork();
	const heading = title ?? words.untitled;
	A(() => {
		nameWindow([heading, shell().product]);
	}, [heading]);
	return a("main", {
		class: "consent",
		children: [
			a("div", {
				class: "card",
				children: [
					a("p", {
						class: "brand",
						children: [a(Icon, { name: "callbacks" }), shell().product]
					}),
					a("h1", { children: heading }),
					children
				]
			}),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			a("p", {
				class: "signed-in",
				children: [title === void 0 && a("span", { children: words.signedIn(me.value?.user.name ?? "", me.value?.account?.name ?? "") }), a(Button, {
					look: "quiet",
					icon: "users",
					busy: task.busy,
					onClick: () => void task.run(signOut),
					children: words.another
				})]
			})
		]
	});
}
// src/areas/oauth/leave.ts
var PASSED_ON = [
	"code",
	"state",
	"referer",
	"client_id",
	"platform",
	"error"
];
function toldIn(address) {
	const found = PASSED_ON.flatMap((name) => {
		const value = address.searchParams.getAll(name).at(-1);
		return value === void 0 ? [] : [[name, value]];
	});
	return Object.fromEntries(found);
}
function leave(location, mode) {
	const opener = window.opener;
	const isOpened = opener !== null && !opener.closed;
	const address = new URL(location);
	if (isOpened && mode === "popup") opener.location.href = location;
	else if (isOpened && mode === "post_message" && address.searchParams.has("error")) opener.postMessage(toldIn(address), address.origin);
	else {
		window.location.assign(location);
		return false;
	}
	window.close();
	return true;
}
// src/areas/oauth/consent.tsx
var FINAL = [
	400,
	403,
	404
];
function ConsentPage() {
	const words = oauth().consent;
	const id = place.value.query.get("client_id") ?? "";
	if (id === "") return a(Card, { children: a(Refused, { children: words.noClient }) });
	if (!isAdministrator.value) return a(Card, { children: a("p", { children: words.administrators }) });
	return a(Request, { id });
}
function Request({ id }) {
	const { query } = place.value;
	const given = (name) => query.get(name) || void 0;
	const redirect = given("redirect_uri");
	const loaded = useLoad(`${id} ${redirect ?? ""}`, (signal) => ask(pathOf(id), {
		query: { redirect_uri: redirect },
		signal
	}));
	const task = useWork();
	const left = useSignal(void 0);
	const client = loaded.data.value;
	const choose = (grant) => task.run(async () => {
		const [state, challenge, method] = [
			"state",
			"code_challenge",
			"code_challenge_method"
		].map(given);
		const location = await decide(id, {
			grant,
			...client === void 0 ? {} : { scopes: client.scopes },
			...redirect === void 0 ? {} : { redirect_uri: redirect },
			...state === void 0 ? {} : { state },
			...challenge === void 0 ? {} : { code_challenge: challenge },
			...method === void 0 ? {} : { code_challenge_method: method }
		});
		left.value = leave(location, given("mode") ?? null);
	});
	const words = oauth().consent;
	const problem = loaded.problem.value;
	return a(Card, {
		title: client === void 0 ? void 0 : words.title(client.name),
		children: [
			problem !== void 0 && a(Trouble, {
				problem,
				retry: loaded.reload
			}),
			client === void 0 && problem === void 0 && a(Skeleton, { rows: 4 }),
			client !== void 0 && left.value === void 0 && a($, { children: [
				a(Facts, { children: [
					a(Fact, {
						name: words.account,
						children: a("bdi", { children: me.value?.account?.name })
					}),
					a(Fact, {
						name: words.user,
						children: [
							a("bdi", { children: me.value?.user.name }),
							" ",
							a("span", {
								class: "soft",
								children: me.value?.user.email
							})
						]
					}),
					a(Fact, {
						name: words.next,
						children: a("strong", { children: hostOf(client.redirect_uri) })
					})
				] }),
				a("section", {
					"aria-label": words.can,
					children: [
						a("h2", { children: words.can }),
						a("ul", { children: [...words.rights, ...client.scopes.map((scope) => oauth().scopes[scope])].map((right) => a("li", { children: right }, right)) }),
						a("p", {
							class: "soft",
							children: words.cannot
						})
					]
				}),
				task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
				a("div", {
					class: "buttons",
					children: [a(Button, {
						look: "primary",
						icon: "check",
						busy: task.busy,
						onClick: () => void choose(true),
						children: words.allow
					}), a(Button, {
						icon: "close",
						busy: task.busy,
						onClick: () => void choose(false),
						children: words.deny
					})]
				})
			] }),
			client !== void 0 && left.value !== void 0 && a("p", {
				role: "status",
				children: left.value ? words.close : words.leaving(hostOf(client.redirect_uri))
			})
		]
	});
}
function Trouble({ problem, retry }) {
	if (!FINAL.includes(problem.status)) return a(ProblemNote, {
		problem,
		retry
	});
	return a(Refused, { children: a("span", {
		lang: "en",
		children: problem.detail
	}) });
}
// src/areas/oauth/history.tsx
function rowsOf({ codes, refresh_tokens: tokens }) {
	return [...tokens.map((token) => ({
		...token,
		kind: "refresh"
	})), ...codes.map((code) => ({
		...code,
		kind: "code"
	}))].sort((one, other) => other.issued_at - one.issued_at);
}
function History({ grant }) {
	const words = oauth().history;
	const rows = rowsOf(grant);
	return a(Part, {
		title: words.title,
		children: [
			a("p", {
				class: "soft",
				children: words.text
			}),
			rows.length === 0 && a("p", {
				class: "soft",
				children: words.none
			}),
			rows.length > 0 && a(Listed, {
				name: "token-history",
				columns: [
					words.kind,
					words.issued,
					words.expires,
					words.used
				],
				children: rows.map((row, at) => a("tr", { children: [
					a("th", {
						scope: "row",
						children: a("div", {
							class: "caller",
							children: [a("span", { children: words[row.kind] }), a("span", {
								class: "soft",
								children: userName(row.user_id)
							})]
						})
					}),
					a("td", {
						"data-label": words.issued,
						children: a(Moment, { at: row.issued_at })
					}),
					a("td", {
						"data-label": words.expires,
						children: row.kind === "code" ? exactClock(row.expires_at) : day(row.expires_at)
					}),
					a("td", {
						"data-label": words.used,
						children: a(Use, { issued: row })
					})
				] }, rows.length - at))
			})
		]
	});
}
function Use({ issued }) {
	const words = oauth().history;
	if (issued.used_by !== null) return a(CallerNote, { caller: issued.used_by });
	if (issued.expires_at * 1e3 <= Date.now()) return a(Badge, {
		tone: "warn",
		icon: "clock",
		children: words.expired
	});
	return a(Badge, {
		tone: "good",
		icon: "check",
		children: words.valid
	});
}
// src/areas/oauth/tokens.tsx
var DAY = 86400;
var MOST_DAYS = 1825;
function LongLivedTokens({ client, onChange }) {
	const words = oauth().tokens;
	const creating = useSignal(false);
	const made = useSignal(void 0);
	const revoking = useSignal(void 0);
	const all = client.grant?.long_lived_tokens ?? [];
	const create = async (name, days) => {
		const body = {
			name,
			expires_in_seconds: days * DAY
		};
		made.value = await ask(`${pathOf(client.id)}/tokens`, {
			method: "POST",
			body
		});
		creating.value = false;
		onChange();
	};
	const revoke = async (token) => {
		await ask(`${pathOf(client.id)}/tokens/${token.id}`, { method: "DELETE" });
		revoking.value = void 0;
		onChange();
	};
	return a(Part, {
		title: words.title,
		actions: a(Button, {
			icon: "plus",
			onClick: () => creating.value = true,
			children: words.create
		}),
		children: [
			a("p", {
				class: "soft",
				children: words.text
			}),
			all.length === 0 ? a("p", {
				class: "soft",
				children: words.none
			}) : a(Table, {
				tokens: all,
				onRevoke: (token) => revoking.value = token
			}),
			creating.value && a(Create, {
				isInstalled: client.grant !== null,
				onCreate: create,
				onClose: () => creating.value = false
			}),
			made.value !== void 0 && a(Once, {
				title: words.made(made.value.name),
				text: words.once,
				name: words.token,
				secret: made.value.token,
				kept: words.kept,
				onClose: () => made.value = void 0
			}),
			revoking.value !== void 0 && a(Confirm, {
				title: words.revokeTitle(revoking.value.name),
				text: words.revokeText,
				action: words.revoke,
				icon: "trash",
				onConfirm: () => revoke(revoking.value),
				onClose: () => revoking.value = void 0
			})
		]
	});
}
function Table({ tokens, onRevoke }) {
	const words = oauth().tokens;
	return a(Listed, {
		name: "long-lived",
		columns: [
			words.nameAndUser,
			words.created,
			words.expires
		],
		action: words.revoke,
		children: tokens.map((token) => a("tr", { children: [
			a("th", {
				scope: "row",
				children: a("div", {
					class: "caller",
					children: [a("bdi", { children: token.name }), a("span", {
						class: "soft",
						children: userName(token.user_id)
					})]
				})
			}),
			a("td", {
				"data-label": words.created,
				children: day(token.created_at)
			}),
			a("td", {
				"data-label": words.expires,
				children: day(token.expires_at)
			}),
			a("td", { children: a(Button, {
				icon: "trash",
				onClick: () => onRevoke(token),
				children: words.revoke
			}) })
		] }, token.id))
	});
}
function Create({ isInstalled, onCreate, onClose }) {
	const words = oauth().tokens;
	const name = useSignal("");
	const days = useSignal("365");
	const task = useWork();
	return a(Dialog, {
		title: words.create,
		onClose,
		children: a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				task.run(() => onCreate(name.value.trim(), Number(days.value)));
			},
			children: [
				!isInstalled && a("p", { children: words.installs }),
				a(Field, {
					label: words.name,
					hint: words.nameHint,
					error: task.problem?.about("name"),
					children: (input) => a("input", {
						...input,
						required: true,
						maxLength: 255,
						...typed(name)
					})
				}),
				a(Field, {
					label: words.days,
					hint: words.daysHint,
					error: task.problem?.about("expires_in_seconds"),
					children: (input) => a("input", {
						...input,
						type: "number",
						min: "1",
						max: MOST_DAYS,
						required: true,
						...typed(days)
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
// src/areas/oauth/integration.tsx
function IntegrationView({ client, onChange }) {
	const words = oauth().integrations;
	const { grant } = client;
	const scopes = grant?.scopes ?? client.scopes;
	const removing = useSignal(false);
	const task = useWork();
	const install = () => task.run(async () => {
		window.location.assign(await decide(client.id, {
			grant: true,
			scopes: client.scopes,
			from_widget: true
		}));
	});
	const uninstall = async () => {
		await ask(`${pathOf(client.id)}/grant`, { method: "DELETE" });
		removing.value = false;
		onChange();
	};
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", { children: client.name }), a("div", {
				class: "buttons",
				children: grant === null ? a(Button, {
					look: "primary",
					icon: "plug",
					busy: task.busy,
					onClick: () => void install(),
					children: words.install
				}) : a(Button, {
					icon: "trash",
					onClick: () => removing.value = true,
					children: words.uninstall
				})
			})]
		}),
		task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
		a(Facts, { children: [
			a(Fact, {
				name: words.id,
				copy: client.id,
				children: a("code", { children: client.id })
			}),
			a(Fact, {
				name: words.redirect,
				children: client.redirect_uri
			}),
			a(Fact, {
				name: words.since,
				children: grant === null ? words.notInstalled : a(Moment, { at: grant.since })
			}),
			a(Fact, {
				name: grant === null ? words.asks : words.granted,
				children: scopes.length === 0 ? words.noScopes : scopes.map((scope) => a("div", { children: oauth().scopes[scope] }, scope))
			}),
			grant !== null && a(Fact, {
				name: words.by,
				children: userName(grant.user_id)
			})
		] }),
		grant === null && client.admitted_users > 0 && a(Left, { client }),
		grant === null && a("p", {
			class: "note",
			children: words.installText
		}),
		a(LongLivedTokens, {
			client,
			onChange
		}),
		grant !== null && a(History, { grant }),
		removing.value && a(Confirm, {
			title: words.uninstallTitle(client.name),
			text: words.uninstallText,
			action: words.uninstall,
			icon: "trash",
			onConfirm: uninstall,
			onClose: () => removing.value = false
		})
	] });
}
function Left({ client }) {
	const at = `${pathOf(client.id)}/users`;
	const loaded = useLoad(`${at} ${client.admitted_users}`, (signal) => ask(at, {
		query: { limit: 250 },
		signal
	}));
	return a(AdmittedUsers, {
		loaded,
		pageOf: (id) => `/users/${id}`
	});
}
// src/areas/oauth/page.tsx
var EVERY$1 = 5e3;
function IntegrationsPage({ id }) {
	const words = oauth().integrations;
	if (isAdministrator.value) return a(Integrations, { id });
	return a(Page, {
		title: words.title,
		children: a(Empty, {
			title: words.administrators,
			children: a("p", { children: words.administratorsText })
		})
	});
}
var sorted = (all) => [...all].sort((one, other) => Number(one.grant === null) - Number(other.grant === null) || one.name.localeCompare(other.name));
function Integrations({ id }) {
	const words = oauth().integrations;
	useBook();
	const loaded = usePolled("integrations", EVERY$1, integrations);
	const all = loaded.data.value;
	const chosen = all?.find((client) => client.id === id);
	return a(Page, {
		title: words.title,
		about: chosen?.name,
		fills: true,
		children: a(Split, {
			label: words.list,
			narrow: a("p", {
				class: "soft",
				children: words.text
			}),
			isChosen: id !== void 0,
			home: "/integrations",
			rows: a($, { children: [
				loaded.problem.value !== void 0 && a(ProblemNote, {
					problem: loaded.problem.value,
					retry: loaded.reload
				}),
				all === void 0 && loaded.problem.value === void 0 && a(Skeleton, {}),
				all?.length === 0 && a(Empty, {
					title: words.empty,
					children: a("p", { children: words.emptyText })
				}),
				a("ul", { children: sorted(all ?? []).map((client) => a("li", { children: a("a", {
					class: "line",
					href: `/integrations/${encodeURIComponent(client.id)}`,
					"aria-current": client.id === id ? "true" : void 0,
					children: [
						a("span", { children: client.name }),
						client.grant !== null && a(Badge, {
							tone: "good",
							icon: "check",
							children: words.installed
						}),
						a("span", {
							class: "under",
							children: hostOf(client.redirect_uri)
						})
					]
				}) }, client.id)) })
			] }),
			children: [
				id === void 0 && all?.length !== 0 && a(Empty, { title: words.choose }),
				id !== void 0 && all !== void 0 && chosen === void 0 && a(Empty, { title: words.missing }),
				chosen !== void 0 && a(IntegrationView, {
					client: chosen,
					onChange: loaded.reload
				}, chosen.id)
			]
		})
	});
}
// src/areas/webhooks/editor.tsx
function Editor({ never, onSave, onClose }) {
	const words = webhooks();
	const destination = useSignal("");
	const chosen = useSignal([]);
	const task = useWork();
	const all = Object.keys(words.codes);
	const groups = [{
		title: words.settings,
		codes: all.filter((code) => !never.includes(code))
	}, {
		title: words.neverTitle,
		codes: all.filter((code) => never.includes(code))
	}];
	const choose = (code, isChosen) => {
		const others = chosen.value.filter((it) => it !== code);
		chosen.value = isChosen ? [...others, code] : others;
	};
	return a(Dialog, {
		title: words.create,
		onClose,
		children: a("form", {
			class: "form",
			onSubmit: (event) => {
				event.preventDefault();
				task.run(() => onSave(destination.value.trim(), chosen.value));
			},
			children: [
				a(Field, {
					label: words.destination,
					hint: words.destinationHint,
					error: task.problem?.about("destination"),
					children: (input) => a("input", {
						...input,
						required: true,
						inputMode: "url",
						maxLength: 2048,
						placeholder: "https://hooks.example.org/in",
						...typed(destination)
					})
				}),
				groups.map(({ title, codes }) => a("fieldset", { children: [a("legend", { children: title }), codes.map((code) => a("label", {
					class: "check",
					children: [a("input", {
						type: "checkbox",
						checked: chosen.value.includes(code),
						onChange: (event) => choose(code, event.currentTarget.checked)
					}), words.codes[code]]
				}, code))] }, title)),
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
// src/areas/webhooks/webhook.tsx
function WebhookView({ webhook, never, onChange }) {
	const words = webhooks();
	const deleting = useSignal(false);
	const task = useWork();
	const enable = () => task.run(async () => {
		await ask(`/inbox/v1/webhooks/${webhook.id}/enable`, { method: "POST" });
		onChange();
	});
	const remove = async () => {
		await ask("/api/v4/webhooks", {
			method: "DELETE",
			body: { destination: webhook.destination }
		});
		deleting.value = false;
		onChange();
		open("/webhooks");
	};
	const creator = webhook.creator_name ?? words.user(webhook.created_by);
	return a("article", { children: [
		a("header", {
			class: "head",
			children: [a("h2", { children: hostOf(webhook.destination) }), a("div", {
				class: "buttons",
				children: [webhook.disabled_at !== null && a(Button, {
					look: "primary",
					icon: "check",
					busy: task.busy,
					onClick: () => void enable(),
					children: words.enable
				}), a(Button, {
					icon: "trash",
					onClick: () => deleting.value = true,
					children: words.remove
				})]
			})]
		}),
		task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
		webhook.disabled_at !== null && a("p", {
			class: "note",
			role: "status",
			children: [
				words.offSince(moment(webhook.disabled_at)),
				" ",
				words.disabled[webhook.disabled_by ?? "operator"]
			]
		}),
		!webhook.creator_is_admin && a("p", {
			class: "note",
			children: words.noAdministrator(creator)
		}),
		a(Facts, { children: [
			a(Fact, {
				name: words.destination,
				copy: webhook.destination,
				children: a("code", { children: webhook.destination })
			}),
			a(Fact, {
				name: words.settings,
				children: webhook.settings.map((code) => a("div", { children: [
					words.codes[code],
					" ",
					never.includes(code) && a(Badge, {
						icon: "stopped",
						children: words.never
					})
				] }, code))
			}),
			a(Fact, {
				name: words.creator,
				children: a("bdi", { children: creator })
			}),
			a(Fact, {
				name: words.since,
				children: a(Moment, { at: webhook.created_at })
			}),
			webhook.client_id !== null && a(Fact, {
				name: words.client,
				children: a("a", {
					href: `/integrations/${encodeURIComponent(webhook.client_id)}`,
					children: webhook.client_name ?? webhook.client_id
				})
			})
		] }),
		deleting.value && a(Confirm, {
			title: words.removeTitle(hostOf(webhook.destination)),
			text: words.removeText,
			action: words.remove,
			icon: "trash",
			onConfirm: remove,
			onClose: () => deleting.value = false
		})
	] });
}
// src/areas/webhooks/page.tsx
var EVERY = 5e3;
function WebhooksPage({ id }) {
	const words = webhooks();
	if (isAdministrator.value) return a(Webhooks, { id });
	return a(Page, {
		title: words.title,
		children: a(Empty, {
			title: words.administrators,
			children: a("p", { children: words.administratorsText })
		})
	});
}
var at = (id) => `/webhooks/${id}`;
function Webhooks({ id }) {
	const words = webhooks();
	const loaded = usePolled("webhooks", EVERY, (signal) => ask("/inbox/v1/webhooks", { signal }));
	const creating = useSignal(false);
	const all = loaded.data.value?.webhooks;
	const never = loaded.data.value?.never_sent ?? [];
	const chosen = all?.find((webhook) => String(webhook.id) === id);
	const create = async (destination, settings) => {
		const created = await ask("/api/v4/webhooks", {
			method: "POST",
			body: {
				destination,
				settings
			}
		});
		creating.value = false;
		loaded.reload();
		open(at(created.id));
	};
	return a(Page, {
		title: words.title,
		about: chosen === void 0 ? void 0 : hostOf(chosen.destination),
		fills: true,
		actions: a(Button, {
			look: "primary",
			icon: "plus",
			onClick: () => creating.value = true,
			children: words.create
		}),
		children: [a(Split, {
			label: words.list,
			narrow: a("p", {
				class: "soft",
				children: words.text
			}),
			isChosen: id !== void 0,
			home: "/webhooks",
			rows: a($, { children: [
				loaded.problem.value !== void 0 && a(ProblemNote, {
					problem: loaded.problem.value,
					retry: loaded.reload
				}),
				all === void 0 && loaded.problem.value === void 0 && a(Skeleton, {}),
				all?.length === 0 && a(Empty, {
					title: words.empty,
					children: a("p", { children: words.emptyText })
				}),
				a("ul", { children: all?.map((webhook) => a("li", { children: a("a", {
					class: "line",
					href: at(webhook.id),
					"aria-current": webhook === chosen ? "true" : void 0,
					children: [
						a("span", { children: hostOf(webhook.destination) }),
						webhook.disabled_at !== null && a(Badge, {
							tone: "bad",
							icon: "stopped",
							children: words.off
						}),
						webhook.disabled_at === null && !webhook.creator_is_admin && a(Badge, {
							tone: "warn",
							icon: "warning",
							children: words.check
						}),
						a("span", {
							class: "under",
							children: words.events(webhook.settings.length)
						})
					]
				}) }, webhook.id)) })
			] }),
			children: [
				id === void 0 && all?.length !== 0 && a(Empty, { title: words.choose }),
				id !== void 0 && all !== void 0 && chosen === void 0 && a(Empty, { title: words.missing }),
				chosen !== void 0 && a(WebhookView, {
					webhook: chosen,
					never,
					onChange: loaded.reload
				}, chosen.id)
			]
		}), creating.value && a(Editor, {
			never,
			onSave: create,
			onClose: () => creating.value = false
		})]
	});
}
export { ConsentPage, IntegrationsPage, WebhooksPage };
