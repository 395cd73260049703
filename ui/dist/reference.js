import { O as useWork, T as Command, d as Prose, k as useLoad, u as OperatorToken } from "./parts.js";
import { $ as Page, $t as number, Ht as asProblem, Kt as bytes, Lt as me, Nt as csrf, Rt as recall, St as shell, Ut as ask, Vt as Problem, Wt as isAborted, Yt as dictionary, Z as Choices, _t as ProblemNote, bt as a, c as operatorToken, ft as useShortcuts, gn as $, gt as Skeleton, it as place, ln as y, mn as d, n as Field, nt as narrow, pn as T, r as askAsOperator, rn as useSignal, rt as open, s as listAsOperator, st as Empty, un as A, vt as Button } from "./app.js";
import { t as counted } from "./start.js";
import { E as Split, _ as Body, f as channels, g as Headers, h as Status, j as Part, l as curl } from "./operator.js";
// src/words/reference.ts
var reference$1 = dictionary({
	en: {
		title: "API",
		list: "Operations",
		search: "Search operations and fields",
		group: "Interface",
		allGroups: "All interfaces",
		groups: {
			chat: "Chat interface",
			users: "Users and roles",
			leads: "Leads and contacts",
			inbox: "Inbox",
			oauth: "OAuth",
			operator: "Operator",
			service: "Service",
			callbacks: "Callbacks"
		},
		count: (count) => counted("en", count, {
			one: "operation",
			other: "operations"
		}),
		nothing: "No operation matches the search.",
		missing: "This operation does not exist.",
		next: "next operation",
		previous: "previous operation",
		overview: "Overview",
		language: "",
		document: "OpenAPI 3.1 document",
		pages: "Documentation as Markdown",
		authentication: "Authentication",
		schemes: {
			token: "Bearer token of an account user",
			session: "Session of the console",
			csrf: "CSRF token of a session",
			operator: "Operator token",
			bodySignature: "Signature of the body (2019)",
			requestSignature: "Signature of the request (current)"
		},
		proofs: {
			signature: "Signed with the secret of the channel.",
			user: "With a session or a token of an account user.",
			operator: "With the operator’s token.",
			none: "Without authentication.",
			callback: "The service sends it to the endpoint of the channel."
		},
		parameters: "Parameters",
		places: {
			path: "path",
			query: "query",
			header: "header"
		},
		name: "Name",
		place: "In",
		type: "Type",
		meaning: "Meaning",
		required: "required",
		body: "Body",
		bodyOptional: "The body is optional.",
		example: "Example body",
		oneOf: (names) => `At least one of: ${names}`,
		repeats: "The fields are those of the schema above.",
		answers: "Responses",
		refusals: "Errors",
		headers: "Response headers",
		try: {
			title: "Try it",
			real: "The console sends the request to this service, and the request takes effect.",
			generation: "Signature",
			bodySignature: "2019: body",
			requestSignature: "Current: request",
			channel: "Channel",
			noChannel: "None: sign with the secret",
			channelHint: "The service signs the request for this channel. You entered the operator token, so you need no secret.",
			secret: "Channel secret",
			secretHint: "The page signs with the secret. The secret stays in this tab; the page does not send it.",
			userToken: "Token of an account user",
			userTokenHint: "Leave empty to send the request with your session.",
			body: "Request body",
			file: "File",
			choose: "(not given)",
			send: "Send the request",
			stop: "Stop the request",
			noDate: "A browser does not let a page set the Date header, so this page cannot send the request. Run the command below within 15 minutes.",
			unsigned: "To sign the request, enter the channel secret.",
			request: "Request",
			signedText: "Signed text",
			command: "The same request with curl",
			masked: "The page hides secrets. The copied command contains them.",
			sessionless: "A session works only in the browser. Set USER_TOKEN to the token of a user.",
			answer: "Response",
			answerBody: "Response body",
			noBody: "The response has no body.",
			binary: (type, length) => `${length} of ${type}`,
			took: (ms) => `${ms} ms`,
			coming: "Receiving the response…",
			cut: "The response is incomplete."
		}
	},
	ru: {
		title: "API",
		list: "Операции",
		search: "Поиск по операциям и полям",
		group: "Интерфейс",
		allGroups: "Все интерфейсы",
		groups: {
			chat: "Интерфейс чатов",
			users: "Пользователи и роли",
			leads: "Сделки и контакты",
			inbox: "Входящие",
			oauth: "OAuth",
			operator: "Оператор",
			service: "Сервис",
			callbacks: "Вебхуки"
		},
		count: (count) => counted("ru", count, {
			one: "операция",
			few: "операции",
			many: "операций",
			other: "операции"
		}),
		nothing: "Поиску не соответствует ни одна операция.",
		missing: "Такой операции нет.",
		next: "следующая операция",
		previous: "предыдущая операция",
		overview: "Обзор",
		language: "Описания операций — на английском языке.",
		document: "Документ OpenAPI 3.1",
		pages: "Документация в Markdown",
		authentication: "Аутентификация",
		schemes: {
			token: "Токен пользователя аккаунта",
			session: "Сеанс консоли",
			csrf: "CSRF-токен сеанса",
			operator: "Токен оператора",
			bodySignature: "Подпись тела (2019)",
			requestSignature: "Подпись запроса (текущая)"
		},
		proofs: {
			signature: "С подписью секретом канала.",
			user: "С сеансом или токеном пользователя аккаунта.",
			operator: "С токеном оператора.",
			none: "Без аутентификации.",
			callback: "Сервис отправляет его на адрес канала."
		},
		parameters: "Параметры",
		places: {
			path: "путь",
			query: "запрос",
			header: "заголовок"
		},
		name: "Имя",
		place: "Где",
		type: "Тип",
		meaning: "Описание",
		required: "обязательно",
		body: "Тело",
		bodyOptional: "Тело необязательно.",
		example: "Пример тела",
		oneOf: (names) => `Хотя бы одно из: ${names}`,
		repeats: "Поля те же, что в схеме выше.",
		answers: "Ответы",
		refusals: "Ошибки",
		headers: "Заголовки ответа",
		try: {
			title: "Попробовать",
			real: "Консоль отправит запрос в этот сервис, и сервис его выполнит.",
			generation: "Подпись",
			bodySignature: "2019: тело",
			requestSignature: "Текущая: запрос",
			channel: "Канал",
			noChannel: "Нет: подписать секретом",
			channelHint: "Сервис подпишет запрос для этого канала. Вы ввели токен оператора, поэтому секрет не нужен.",
			secret: "Секрет канала",
			secretHint: "Страница подписывает запрос секретом. Секрет остаётся в этой вкладке; страница его не отправляет.",
			userToken: "Токен пользователя аккаунта",
			userTokenHint: "Оставьте пустым, чтобы отправить запрос с вашим сеансом.",
			body: "Тело запроса",
			file: "Файл",
			choose: "(не указано)",
			send: "Отправить запрос",
			stop: "Остановить запрос",
			noDate: "Браузер не разрешает странице задать заголовок Date, поэтому страница не может отправить этот запрос. Выполните команду ниже в течение 15 минут.",
			unsigned: "Чтобы подписать запрос, введите секрет канала.",
			request: "Запрос",
			signedText: "Подписанный текст",
			command: "Тот же запрос через curl",
			masked: "Страница скрывает секреты. В скопированной команде они есть.",
			sessionless: "Сеанс действует только в браузере. Задайте в USER_TOKEN токен пользователя.",
			answer: "Ответ",
			answerBody: "Тело ответа",
			noBody: "У ответа нет тела.",
			binary: (type, length) => `${length}, ${type}`,
			took: (ms) => `${ms} мс`,
			coming: "Ответ загружается…",
			cut: "Ответ получен не полностью."
		}
	},
	es: {
		title: "API",
		list: "Operaciones",
		search: "Buscar operaciones y campos",
		group: "Interfaz",
		allGroups: "Todas las interfaces",
		groups: {
			chat: "Interfaz de chat",
			users: "Usuarios y roles",
			leads: "Leads y contactos",
			inbox: "Bandeja",
			oauth: "OAuth",
			operator: "Operador",
			service: "Servicio",
			callbacks: "Callbacks"
		},
		count: (count) => counted("es", count, {
			one: "operación",
			other: "operaciones"
		}),
		nothing: "Ninguna operación coincide con la búsqueda.",
		missing: "Esta operación no existe.",
		next: "operación siguiente",
		previous: "operación anterior",
		overview: "Resumen",
		language: "Las descripciones de las operaciones están en inglés.",
		document: "Documento OpenAPI 3.1",
		pages: "Documentación en Markdown",
		authentication: "Autenticación",
		schemes: {
			token: "Token de un usuario de la cuenta",
			session: "Sesión de la consola",
			csrf: "Token CSRF de una sesión",
			operator: "Token del operador",
			bodySignature: "Firma del cuerpo (2019)",
			requestSignature: "Firma de la solicitud (actual)"
		},
		proofs: {
			signature: "Con una firma con el secreto del canal.",
			user: "Con una sesión o un token de un usuario de la cuenta.",
			operator: "Con el token del operador.",
			none: "Sin autenticación.",
			callback: "El servicio lo envía al endpoint del canal."
		},
		parameters: "Parámetros",
		places: {
			path: "ruta",
			query: "consulta",
			header: "encabezado"
		},
		name: "Nombre",
		place: "En",
		type: "Tipo",
		meaning: "Descripción",
		required: "obligatorio",
		body: "Cuerpo",
		bodyOptional: "El cuerpo es opcional.",
		example: "Ejemplo del cuerpo",
		oneOf: (names) => `Al menos uno de: ${names}`,
		repeats: "Los campos son los del esquema de arriba.",
		answers: "Respuestas",
		refusals: "Errores",
		headers: "Encabezados de la respuesta",
		try: {
			title: "Probar",
			real: "La consola envía la solicitud a este servicio, y la solicitud tiene efecto.",
			generation: "Firma",
			bodySignature: "2019: cuerpo",
			requestSignature: "Actual: solicitud",
			channel: "Canal",
			noChannel: "Ninguno: firmar con el secreto",
			channelHint: "El servicio firma la solicitud para este canal. Usted ingresó el token del operador, por eso no hace falta el secreto.",
			secret: "Secreto del canal",
			secretHint: "La página firma con el secreto. El secreto se queda en esta pestaña; la página no lo envía.",
			userToken: "Token de un usuario de la cuenta",
			userTokenHint: "Deje vacío para enviar la solicitud con su sesión.",
			body: "Cuerpo de la solicitud",
			file: "Archivo",
			choose: "(sin indicar)",
			send: "Enviar la solicitud",
			stop: "Detener la solicitud",
			noDate: "El navegador no permite que una página defina el encabezado Date; por eso la página no puede enviar esta solicitud. Ejecute el comando de abajo antes de 15 minutos.",
			unsigned: "Para firmar la solicitud, ingrese el secreto del canal.",
			request: "Solicitud",
			signedText: "Texto firmado",
			command: "La misma solicitud con curl",
			masked: "La página oculta los secretos. El comando copiado los contiene.",
			sessionless: "La sesión solo funciona en el navegador. Ponga en USER_TOKEN el token de un usuario.",
			answer: "Respuesta",
			answerBody: "Cuerpo de la respuesta",
			noBody: "La respuesta no tiene cuerpo.",
			binary: (type, length) => `${length} de ${type}`,
			took: (ms) => `${ms} ms`,
			coming: "Recibiendo la respuesta…",
			cut: "La respuesta está incompleta."
		}
	}
});
// src/areas/reference/document.ts
var CALLBACKS = "callbacks";
var known$1;
function reference() {
	known$1 ??= ask("/openapi.json").then(read);
	known$1.catch(() => known$1 = void 0);
	return known$1;
}
function read(document) {
	const order = document.tags.map((tag) => tag.name);
	const asked = Object.entries(document.paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, written]) => operation(document, method, path, written)));
	asked.sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group));
	const sent = Object.values(document.webhooks).flatMap((methods) => Object.entries(methods).map(([method, written]) => operation(document, method, void 0, written)));
	return {
		document,
		operations: [...asked, ...sent]
	};
}
function operation(document, method, path, written) {
	const schemes = (written.security ?? []).flatMap((scheme) => Object.keys(scheme));
	const parameters = written.parameters ?? [];
	const [mediaType, content] = Object.entries(written.requestBody?.content ?? {})[0] ?? [];
	const body = mediaType === void 0 || content === void 0 ? void 0 : {
		isRequired: written.requestBody?.required === true,
		mediaType,
		schema: content.schema ?? {},
		examples: examplesOf(content)
	};
	const names = [...parameters.map((it) => it.name), ...body === void 0 ? [] : fields(document, body.schema)];
	const { operationId: id, summary, description = "" } = written;
	return {
		id,
		method: method.toUpperCase(),
		path,
		group: path === void 0 ? CALLBACKS : written.tags[0] ?? "",
		summary,
		description,
		proof: proofOf(schemes),
		signatures: ["bodySignature", "requestSignature"].filter((name) => schemes.includes(name)),
		parameters,
		body,
		answers: Object.entries(written.responses).map(([status, answer]) => ({
			status,
			...answer
		})),
		text: [
			id,
			method,
			path,
			summary,
			description,
			...names
		].join(" ").toLowerCase()
	};
}
function examplesOf({ example, examples = {} }) {
	const named = Object.entries(examples).map(([name, { value }]) => ({
		name,
		value
	}));
	return example === void 0 ? named : [{
		name: "",
		value: example
	}, ...named];
}
function proofOf(schemes) {
	if (schemes.some((name) => name.endsWith("Signature"))) return "signature";
	if (schemes.includes("operator")) return "operator";
	return schemes.length > 0 ? "user" : "none";
}
function fields(document, schema, seen = new Set()) {
	if (schema.$ref !== void 0) {
		if (seen.has(schema.$ref)) return [];
		seen.add(schema.$ref);
		return fields(document, resolved(document, schema), seen);
	}
	const inner = [
		...Object.values(schema.properties ?? {}),
		...schema.anyOf ?? [],
		...schema.items === void 0 ? [] : [schema.items]
	];
	return [...Object.keys(schema.properties ?? {}), ...inner.flatMap((it) => fields(document, it, seen))];
}
function resolved(document, schema) {
	if (schema.$ref === void 0) return schema;
	const { $ref, ...beside } = schema;
	const found = document.components.schemas[nameOf($ref)];
	return found === void 0 ? beside : {
		...found,
		...beside
	};
}
function nameOf(reference) {
	return reference.slice(reference.lastIndexOf("/") + 1);
}
function found(operations, group, query) {
	const wanted = query.toLowerCase().split(/\s+/).filter((word) => word !== "");
	return operations.filter((operation) => (group === "" || operation.group === group) && wanted.every((word) => operation.text.includes(word)));
}
// src/areas/reference/address.tsx
function Address({ operation }) {
	const { method, path, id } = operation;
	return a($, { children: [
		a("span", {
			class: `method ${path === void 0 ? "sent" : method.toLowerCase()}`,
			children: method
		}),
		" ",
		a("code", { children: path ?? `${reference$1().groups.callbacks}: ${id}` })
	] });
}
// src/areas/reference/overview.tsx
var OVERVIEW = "overview";
function Overview({ document }) {
	const words = reference$1();
	const schemes = words.schemes;
	return a("article", {
		class: "overview",
		children: [
			a("header", {
				class: "head",
				children: [
					a("h2", { children: [
						document.info.title,
						" ",
						document.info.version
					] }),
					a("a", {
						href: "/openapi.json",
						"data-leave": "",
						children: words.document
					}),
					a("a", {
						href: "/llms.txt",
						"data-leave": "",
						children: words.pages
					})
				]
			}),
			words.language !== "" && a("p", {
				class: "soft",
				children: words.language
			}),
			a("div", {
				lang: "en",
				children: document.info.description.split("\n\n").map((text, at) => a("p", { children: a(Prose, { text }) }, at))
			}),
			a(Part, {
				title: words.authentication,
				children: a("dl", {
					class: "schemes",
					children: Object.entries(document.components.securitySchemes).map(([name, { description = "" }]) => a("div", { children: [a("dt", { children: schemes[name] ?? name }), a("dd", {
						lang: "en",
						children: a(Prose, { text: description })
					})] }, name))
				})
			})
		]
	});
}
// src/areas/reference/list.tsx
function List({ selected, operations, children }) {
	const words = reference$1();
	const search = T(null);
	const { query } = place.value;
	const [text, group] = [query.get("q") ?? "", query.get("interface") ?? ""];
	const rows = found(operations, group, text);
	const groups = [...new Set(operations.map((it) => it.group))];
	const names = words.groups;
	const at = (id) => `/reference/${encodeURIComponent(id)}${location.search}`;
	const go = (step) => {
		const here = rows.findIndex((row) => row.id === selected);
		const next = rows[Math.max(0, Math.min(rows.length - 1, here + step))];
		if (next !== void 0) open(at(next.id));
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
	const filters = a($, { children: [
		a("input", {
			ref: search,
			type: "search",
			"aria-label": words.search,
			placeholder: words.search,
			value: text,
			onInput: (event) => narrow({ q: event.currentTarget.value })
		}),
		a("select", {
			"aria-label": words.group,
			value: group,
			onChange: (event) => narrow({ interface: event.currentTarget.value }),
			children: [a("option", {
				value: "",
				children: words.allGroups
			}), groups.map((name) => a("option", {
				value: name,
				children: names[name] ?? name
			}, name))]
		}),
		a("p", {
			class: "soft",
			role: "status",
			children: words.count(rows.length)
		})
	] });
	return a(Split, {
		label: words.list,
		narrow: filters,
		isChosen: selected !== void 0,
		home: "/reference",
		rows: a($, { children: [
			a("ul", { children: a("li", { children: a("a", {
				class: "line",
				href: at(OVERVIEW),
				"aria-current": selected === void 0 || selected === "overview" ? "true" : void 0,
				children: words.overview
			}) }) }),
			rows.length === 0 && a(Empty, {
				title: words.nothing,
				children: a(Button, {
					onClick: () => narrow({
						q: null,
						interface: null
					}),
					children: shell().clear
				})
			}),
			groups.map((name) => [name, rows.filter((row) => row.group === name)]).filter(([, members]) => members.length > 0).map(([name, members]) => a("section", {
				"aria-label": names[name] ?? name,
				children: [a("h2", {
					class: "group",
					children: names[name] ?? name
				}), a("ul", { children: members.map((row) => a("li", { children: a("a", {
					class: "line",
					href: at(row.id),
					"aria-current": row.id === selected ? "true" : void 0,
					children: [row.group !== "callbacks" && a("span", {
						class: "address",
						children: a(Address, { operation: row })
					}), a("span", {
						class: "under",
						lang: "en",
						children: row.summary
					})]
				}) }, row.id)) })]
			}, name))
		] }),
		children
	});
}
// src/areas/reference/schema.tsx
var OPEN = 2;
function SchemaTree({ shape }) {
	return a("div", {
		class: "schema",
		lang: "en",
		children: [a(About, { shape }), shape.children.length > 0 && a(Fields, {
			shapes: shape.children,
			depth: 0
		})]
	});
}
function Fields({ shapes, depth }) {
	return a("ul", { children: shapes.map((shape, at) => a("li", { children: shape.children.length === 0 ? a(About, { shape }) : a("details", {
		open: depth < OPEN,
		children: [a("summary", { children: a(About, { shape }) }), a(Fields, {
			shapes: shape.children,
			depth: depth + 1
		})]
	}) }, at)) });
}
function About({ shape }) {
	const words = reference$1();
	const { name, isRequired, type, limits, says, needs, repeats } = shape;
	return a("span", {
		class: "field-line",
		children: [
			name !== void 0 && a("code", {
				class: "field-name",
				children: name
			}),
			" ",
			a("span", {
				class: "soft",
				children: [type, ...limits].join(" · ")
			}),
			" ",
			isRequired && a(Required, {}),
			says !== "" && a("span", {
				class: "says",
				children: a(Prose, { text: says })
			}),
			needs.map((names, at) => a("span", {
				class: "says",
				children: words.oneOf(names.join(", "))
			}, at)),
			repeats && a("span", {
				class: "says",
				children: words.repeats
			})
		]
	});
}
function Required() {
	return a("strong", {
		class: "required",
		children: reference$1().required
	});
}
// src/areas/reference/shape.ts
function shapeOf(document, given, name, isRequired = false, within = []) {
	const called = given.$ref === void 0 ? void 0 : nameOf(given.$ref);
	const around = called === void 0 ? within : [...within, called];
	const schema = resolved(document, given);
	if (called !== void 0 && within.includes(called)) return {
		name,
		isRequired,
		type: `object ${called}`,
		limits: [],
		says: schema.description ?? "",
		needs: [],
		children: [],
		repeats: true
	};
	const inner = schema.items === void 0 ? void 0 : shapeOf(document, schema.items, void 0, false, around);
	const forms = schema.anyOf?.map((form) => shapeOf(document, form, void 0, false, around)) ?? [];
	const real = forms.filter((form) => form.type !== "null");
	const only = real.length === 1 ? real[0] : void 0;
	const base = {
		name,
		isRequired,
		says: [schema.description, only?.says].filter(Boolean).join(" "),
		repeats: false
	};
	if (only !== void 0) return {
		...only,
		...base,
		type: forms.length > 1 ? `${only.type} or null` : only.type
	};
	return {
		...base,
		type: typeOf(schema, inner, forms, called),
		limits: [...limitsOf(schema), ...inner === void 0 || inner.children.length > 0 ? [] : inner.limits],
		needs: (schema.allOf ?? []).map((need) => (need.anyOf ?? []).flatMap((one) => one.required ?? [])).filter((it) => it.length > 0),
		children: childrenOf(document, schema, inner, real, around)
	};
}
function childrenOf(document, schema, inner, forms, around) {
	if (inner !== void 0) return inner.children.length > 0 ? [...inner.children] : [];
	const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => shapeOf(document, field, name, schema.required?.includes(name) === true, around));
	fields.sort((one, other) => Number(other.isRequired) - Number(one.isRequired));
	const others = typeof schema.additionalProperties === "object" ? [shapeOf(document, schema.additionalProperties, "*", false, around)] : [];
	const data = schema["x-data"] === void 0 ? [] : shapeOf(document, schema["x-data"], void 0, false, around).children;
	return [
		...fields,
		...others,
		...forms.some((form) => form.children.length > 0) ? forms : [],
		...data
	];
}
function typeOf(schema, inner, forms, called) {
	if (inner !== void 0) return inner.type === "any" ? "array" : `array of ${inner.type}`;
	if (forms.length > 0) return [...new Set(forms.map((form) => form.type))].join(" or ");
	if (schema.const !== void 0) return schema.const === null ? "null" : JSON.stringify(schema.const);
	const kinds = [schema.type ?? (schema.enum === void 0 ? [] : "string")].flat();
	if (kinds.length === 0) return "any";
	const format = schema.format === void 0 || schema.format === "int64" ? "" : ` (${schema.format})`;
	const name = called === void 0 ? "" : ` ${called}`;
	return kinds.map((kind) => kind === "null" ? kind : kind + format + name).join(" or ");
}
function limitsOf(schema) {
	const range = (least, most, of) => {
		if (least === void 0 && most === void 0) return [];
		if (most === void 0) return [`at least ${least}${of}`];
		return [least === void 0 ? `at most ${most}${of}` : least === most ? `exactly ${most}${of}` : `${least} to ${most}${of}`];
	};
	return [
		...schema.enum === void 0 ? [] : [`one of: ${schema.enum.map((word) => JSON.stringify(word)).join(", ")}`],
		...range(schema.minimum, schema.maximum, ""),
		...range(schema.minLength, schema.maxLength, " characters"),
		...range(schema.minItems, schema.maxItems, " entries"),
		...range(schema.minProperties, void 0, " field"),
		...schema.default === void 0 ? [] : [`default: ${JSON.stringify(schema.default)}`]
	];
}
// src/areas/reference/answers.tsx
function Answers({ document, answers }) {
	const words = reference$1();
	const isRefusal = ({ status }) => /^[45]/.test(status);
	const refusals = answers.filter(isRefusal);
	const [shared] = refusals.flatMap((it) => Object.entries(it.content ?? {}));
	return a($, { children: [a(Part, {
		title: words.answers,
		children: answers.filter((it) => !isRefusal(it)).map((answer) => a("div", {
			class: "operation-answer",
			children: [
				a("p", { children: [
					a("strong", { children: answer.status }),
					" ",
					a(Prose, {
						text: answer.description,
						lang: "en"
					})
				] }),
				a(HeaderLines, { answer }),
				Object.entries(answer.content ?? {}).map(([type, content]) => a(Content, {
					document,
					type,
					schema: content.schema
				}, type))
			]
		}, answer.status))
	}), refusals.length > 0 && a(Part, {
		title: words.refusals,
		children: [a("ul", {
			class: "refusals",
			children: refusals.map((answer) => a("li", { children: [
				a("strong", { children: answer.status }),
				" ",
				a(Prose, {
					text: answer.description,
					lang: "en"
				}),
				a(HeaderLines, { answer })
			] }, answer.status))
		}), shared !== void 0 && a(Content, {
			document,
			type: shared[0],
			schema: shared[1].schema
		})]
	})] });
}
function Content({ document, type, schema }) {
	return a($, { children: [a("p", {
		class: "soft",
		children: a("code", { children: type })
	}), schema !== void 0 && a(SchemaTree, { shape: shapeOf(document, schema) })] });
}
function HeaderLines({ answer }) {
	const headers = Object.entries(answer.headers ?? {});
	return a($, { children: headers.map(([name, { description = "" }]) => a("p", {
		class: "soft",
		children: [
			a("code", { children: name }),
			" ",
			a(Prose, {
				text: description,
				lang: "en"
			})
		]
	}, name)) });
}
// src/areas/reference/try/answer.tsx
function AnswerView({ told }) {
	const words = reference$1().try;
	const type = told.headers.find((it) => it.name === "content-type")?.value ?? "";
	return a("section", {
		class: "note",
		"aria-label": words.answer,
		children: [
			a("div", {
				role: "status",
				children: a("h3", { children: [
					words.answer,
					" ",
					a(Status, { status: told.status }),
					" ",
					a("span", {
						class: "soft",
						children: words.took(number(told.took))
					})
				] })
			}),
			told.state === "coming" && a("p", {
				class: "soft",
				children: words.coming
			}),
			told.state === "cut" && a("p", {
				class: "soft",
				children: words.cut
			}),
			told.state !== "coming" && told.length === 0 && a("p", {
				class: "soft",
				children: words.noBody
			}),
			told.text !== void 0 && told.text !== "" && a(Body, {
				text: told.text,
				label: words.answerBody
			}),
			told.text === void 0 && a("p", { children: words.binary(type, bytes(told.length)) }),
			a("details", { children: [a("summary", { children: reference$1().headers }), a(Headers, {
				headers: told.headers,
				label: reference$1().headers
			})] })
		]
	});
}
// src/areas/reference/try/credentials.tsx
var channelId = y("");
var secret = y("");
var userToken = y("");
function Credentials({ proof }) {
	if (proof === "signature") return a(OfAnIntegration, {});
	if (proof === "user") return a(OfAUser, {});
	return null;
}
function OfAnIntegration() {
	const words = reference$1().try;
	return a($, { children: [operatorToken.value !== void 0 && a(ChannelField, {}), (operatorToken.value === void 0 || channelId.value === "") && a(Field, {
		label: words.secret,
		hint: words.secretHint,
		children: (input) => a("input", {
			...input,
			type: "password",
			autocomplete: "off",
			required: true,
			value: secret.value,
			onInput: (event) => secret.value = event.currentTarget.value
		})
	})] });
}
var isChosen = false;
function ChannelField() {
	const words = reference$1().try;
	const loaded = useLoad("channels", channels).data.value;
	const all = loaded ?? [];
	A(() => {
		if (loaded !== void 0 && !isChosen) channelId.value = loaded[0]?.id ?? "";
		isChosen ||= loaded !== void 0;
	}, [loaded]);
	return a(Field, {
		label: words.channel,
		hint: channelId.value === "" ? void 0 : words.channelHint,
		children: (input) => a("select", {
			...input,
			value: channelId.value,
			onChange: (event) => channelId.value = event.currentTarget.value,
			children: [a("option", {
				value: "",
				children: words.noChannel
			}), all.map(({ id, name }) => a("option", {
				value: id,
				children: name
			}, id))]
		})
	});
}
function OfAUser() {
	const words = reference$1().try;
	return a(Field, {
		label: words.userToken,
		hint: words.userTokenHint,
		children: (input) => a("input", {
			...input,
			type: "password",
			autocomplete: "off",
			value: userToken.value,
			onInput: (event) => userToken.value = event.currentTarget.value
		})
	});
}
// src/areas/reference/try/example.ts
var fresh = () => `try-${crypto.randomUUID?.().slice(0, 8) ?? Math.random().toString(36).slice(2, 10)}`;
function ofNow(key, value) {
	if (key === "timestamp" && typeof value === "number") return Math.floor(Date.now() / 1e3);
	if (key === "msec_timestamp" && typeof value === "number") return Date.now();
	return value;
}
function example({ id, body, proof }) {
	const [first] = body?.examples ?? [];
	if (first === void 0) return "";
	const account = me.value?.account?.id;
	const isOurs = proof === "signature";
	const value = (key, value) => {
		if (!isOurs) return value;
		if (key === "account_id" && account !== void 0) return account;
		return key === "msgid" && id === SENDS ? fresh() : ofNow(key, value);
	};
	return JSON.stringify(first.value, value, 2);
}
var SENDS = "sendMessage";
var OWN = /^try-/;
function renewed(body) {
	try {
		const value = JSON.parse(body);
		const next = JSON.stringify(value, (key, it) => key === "msgid" && typeof it === "string" && OWN.test(it) ? fresh() : it);
		if (next === JSON.stringify(value)) return body;
		return JSON.stringify(JSON.parse(next, (key, it) => ofNow(key, it)), null, 2);
	} catch {
		return body;
	}
}
// src/areas/reference/try/digest.ts
var BLOCK = 64;
var turned = (word, by) => word << by | word >>> 32 - by;
function padded(message, isLittle) {
	const bytes = new Uint8Array(Math.ceil((message.length + 9) / BLOCK) * BLOCK);
	bytes.set(message);
	bytes[message.length] = 128;
	const view = new DataView(bytes.buffer);
	const [low, high] = [message.length << 3 >>> 0, Math.floor(message.length / 536870912)];
	view.setUint32(bytes.length - 8, isLittle ? low : high, isLittle);
	view.setUint32(bytes.length - 4, isLittle ? high : low, isLittle);
	return view;
}
function written(words, isLittle) {
	const view = new DataView(new ArrayBuffer(words.length * 4));
	words.forEach((word, at) => view.setUint32(at * 4, word >>> 0, isLittle));
	return new Uint8Array(view.buffer);
}
var sha1 = (message) => {
	const view = padded(message, false);
	let state = [
		1732584193,
		4023233417,
		2562383102,
		271733878,
		3285377520
	];
	const word = new Int32Array(80);
	for (let block = 0; block < view.byteLength; block += BLOCK) {
		for (let at = 0; at < 80; at += 1) {
			const before = (back) => word[at - back] ?? 0;
			word[at] = at < 16 ? view.getInt32(block + at * 4) : turned(before(3) ^ before(8) ^ before(14) ^ before(16), 1);
		}
		let [a, b, c, d, e] = state;
		for (let at = 0; at < 80; at += 1) {
			const [mixed, constant] = at < 20 ? [b & c | ~b & d, 1518500249] : at < 40 ? [b ^ c ^ d, 1859775393] : at < 60 ? [b & c | b & d | c & d, 2400959708] : [b ^ c ^ d, 3395469782];
			const next = turned(a, 5) + mixed + e + constant + (word[at] ?? 0) | 0;
			[a, b, c, d, e] = [
				next,
				a,
				turned(b, 30),
				c,
				d
			];
		}
		const [h0, h1, h2, h3, h4] = state;
		state = [
			h0 + a | 0,
			h1 + b | 0,
			h2 + c | 0,
			h3 + d | 0,
			h4 + e | 0
		];
	}
	return written(state, false);
};
var TURNS = [
	[
		7,
		12,
		17,
		22
	],
	[
		5,
		9,
		14,
		20
	],
	[
		4,
		11,
		16,
		23
	],
	[
		6,
		10,
		15,
		21
	]
];
var SINES = Array.from({ length: 64 }, (_, at) => Math.floor(Math.abs(Math.sin(at + 1)) * 2 ** 32) | 0);
var md5 = (message) => {
	const view = padded(message, true);
	let state = [
		1732584193,
		4023233417,
		2562383102,
		271733878
	];
	for (let block = 0; block < view.byteLength; block += BLOCK) {
		let [a, b, c, d] = state;
		for (let at = 0; at < 64; at += 1) {
			const round = at >> 4;
			const [mixed, from] = round === 0 ? [b & c | ~b & d, at] : round === 1 ? [d & b | ~d & c, (5 * at + 1) % 16] : round === 2 ? [b ^ c ^ d, (3 * at + 5) % 16] : [c ^ (b | ~d), 7 * at % 16];
			const sum = a + mixed + (SINES[at] ?? 0) + view.getInt32(block + from * 4, true) | 0;
			[a, b, c, d] = [
				d,
				b + turned(sum, TURNS[round]?.[at % 4] ?? 0) | 0,
				b,
				c
			];
		}
		const [h0, h1, h2, h3] = state;
		state = [
			h0 + a | 0,
			h1 + b | 0,
			h2 + c | 0,
			h3 + d | 0
		];
	}
	return written(state, true);
};
function hmacSha1(key, message) {
	const short = new Uint8Array(BLOCK);
	short.set(key.length > BLOCK ? sha1(key) : key);
	const hashed = (pad, rest) => {
		const all = new Uint8Array(BLOCK + rest.length);
		all.set(short.map((byte) => byte ^ pad));
		all.set(rest, BLOCK);
		return sha1(all);
	};
	return hashed(92, hashed(54, message));
}
function hex(bytes) {
	return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
function utf8(text) {
	return new TextEncoder().encode(text);
}
// src/areas/reference/try/request.ts
var OF_THE_SIGNATURE = ["Content-MD5", "Date"];
function asked(operation) {
	return operation.parameters.filter((it) => operation.proof !== "signature" || !OF_THE_SIGNATURE.includes(it.name));
}
var keyOf = (parameter) => `${parameter.in} ${parameter.name}`;
function plain(operation, filled) {
	const value = (parameter) => filled.values[keyOf(parameter)] ?? "";
	const given = (place) => asked(operation).filter((it) => it.in === place && value(it) !== "");
	const path = given("path").reduce((path, it) => path.replace(`{${it.name}}`, encodeURIComponent(value(it))), operation.path ?? "");
	const query = new URLSearchParams(given("query").map((it) => [it.name, value(it)])).toString();
	const { body } = operation;
	const isForm = body?.mediaType.startsWith("multipart/") === true;
	const hasBody = body !== void 0 && !isForm && (body.isRequired || filled.body !== "");
	return {
		method: operation.method,
		path,
		url: location.origin + path + (query === "" ? "" : `?${query}`),
		headers: [...hasBody ? [{
			name: "Content-Type",
			value: body.mediaType
		}] : [], ...given("header").map((it) => ({
			name: it.name,
			value: value(it)
		}))],
		body: hasBody ? filled.body : void 0,
		file: isForm ? {
			field: Object.keys(body.schema.properties ?? {})[0] ?? "file",
			name: filled.file?.name ?? "FILE"
		} : void 0
	};
}
function withSecret(secret) {
	return ({ text }) => Promise.resolve(hex(hmacSha1(utf8(secret), utf8(text))));
}
async function signed(sent, signature, sign, now) {
	const body = sent.body ?? "";
	if (signature === "bodySignature") {
		const value = await sign({
			text: body,
			signature,
			sent,
			date: ""
		});
		return {
			...sent,
			headers: [...sent.headers, {
				name: "X-Signature",
				value
			}],
			text: body,
			isSendable: true
		};
	}
	const [digest, date] = [hex(md5(utf8(body))), now.toUTCString()];
	const type = sent.headers.find((it) => it.name === "Content-Type")?.value ?? "";
	const text = [
		sent.method,
		digest,
		type,
		date,
		sent.path
	].join("\n");
	const proof = [
		{
			name: "Content-MD5",
			value: digest
		},
		{
			name: "Date",
			value: date
		},
		{
			name: "X-Signature",
			value: await sign({
				text,
				signature,
				sent,
				date
			})
		}
	];
	return {
		...sent,
		headers: [...sent.headers, ...proof],
		text,
		isSendable: false
	};
}
function withToken(sent, token) {
	const isSafe = sent.method === "GET" || sent.method === "HEAD";
	const value = csrf.value ?? "";
	const proof = token !== void 0 ? [{
		name: "Authorization",
		value: `Bearer ${token}`
	}] : isSafe || value === "" ? [] : [{
		name: "X-CSRF-Token",
		value
	}];
	return {
		...sent,
		headers: [...sent.headers, ...proof]
	};
}
// src/areas/reference/try/inputs.tsx
function Inputs({ document, operation, value, onValue, scopes, body, file }) {
	const words = reference$1();
	const isForm = operation.body?.mediaType.startsWith("multipart/") === true;
	return a($, { children: [
		asked(operation).map((parameter) => a(Field, {
			label: `${parameter.name} (${words.places[parameter.in]})`,
			hint: a(Prose, {
				text: resolved(document, parameter.schema).description ?? "",
				lang: "en"
			}),
			children: (input) => {
				const given = {
					...input,
					required: parameter.required === true,
					value: value(parameter),
					onInput: (event) => onValue(parameter, event.currentTarget.value)
				};
				if (parameter.name === "scope_id" && scopes.length > 0) return a("select", {
					...given,
					children: scopes.map((scope) => a("option", {
						value: scope.scope_id,
						children: `${scope.title}: ${scope.account_id}`
					}, scope.scope_id))
				});
				const choices = choicesOf(document, parameter);
				return choices === void 0 ? a("input", {
					...given,
					class: "mono",
					spellcheck: false
				}) : a("select", {
					...given,
					children: [a("option", {
						value: "",
						children: words.try.choose
					}), choices.map((choice) => a("option", {
						value: choice,
						children: choice
					}, choice))]
				});
			}
		}, keyOf(parameter))),
		operation.body !== void 0 && !isForm && a(Field, {
			label: words.try.body,
			children: (input) => a("textarea", {
				...input,
				class: "mono",
				rows: Math.min(16, Math.max(4, body.value.split("\n").length)),
				required: operation.body?.isRequired === true,
				spellcheck: false,
				value: body.value,
				onInput: (event) => body.value = event.currentTarget.value
			})
		}),
		isForm && a(Field, {
			label: words.try.file,
			children: (input) => a("input", {
				...input,
				type: "file",
				required: true,
				onChange: (event) => file.value = event.currentTarget.files?.[0] ?? void 0
			})
		})
	] });
}
function choicesOf(document, parameter) {
	const schema = resolved(document, parameter.schema);
	if (schema.type === "boolean") return ["true", "false"];
	return schema.enum?.map(String);
}
// src/areas/reference/try/prepare.ts
async function prepare(operation, filled, signature) {
	const sent = plain(operation, filled);
	if (operation.proof === "signature") {
		const sign = signer();
		if (sign === void 0) return void 0;
		const made = await signed(sent, signature, sign, new Date());
		return {
			sent: made,
			text: made.text,
			command: curl(made),
			hasSession: false,
			isSendable: made.isSendable
		};
	}
	const token = operation.proof === "operator" ? operatorToken.value : operation.proof === "user" ? userToken.value.trim() : void 0;
	const hasSession = operation.proof === "user" && token === "";
	const made = operation.proof === "none" ? sent : withToken(sent, token === "" ? void 0 : token);
	return {
		sent: made,
		text: void 0,
		command: hasSession ? withoutSession(sent) : curl(made),
		hasSession,
		isSendable: true
	};
}
function withoutSession(sent) {
	return curl(withToken(sent, "USER_TOKEN")).replace("'Authorization: Bearer USER_TOKEN'", "\"Authorization: Bearer $USER_TOKEN\"");
}
function signer() {
	if (operatorToken.value !== void 0 && channelId.value !== "") return byTheService(channelId.value);
	return secret.value === "" ? void 0 : withSecret(secret.value.trim());
}
var NONE = "0".repeat(40);
function byTheService(channel) {
	return async ({ signature, sent, date }) => {
		const type = sent.headers.find((it) => it.name === "Content-Type")?.value;
		const body = {
			signature: NONE,
			body: sent.body ?? "",
			method: sent.method,
			path: sent.path,
			...type === void 0 ? {} : { content_type: type },
			...date === "" ? {} : { date }
		};
		const path = `/admin/v1/channels/${encodeURIComponent(channel)}/check-signature`;
		const { expected } = await askAsOperator(path, {
			method: "POST",
			body
		});
		return signature === "bodySignature" ? expected.raw_body : expected.canonical ?? "";
	};
}
var MASK = "••••••";
function masked(text) {
	return [operatorToken.value, userToken.value.trim()].filter((it) => it !== void 0 && it !== "").reduce((text, it) => text.replaceAll(`Bearer ${it ?? ""}`, `Bearer ${MASK}`), text);
}
var PAUSE = 150;
var FRESH = 3e5;
function usePrepared(key, make) {
	const [made, set] = d({});
	const newest = T(make);
	newest.current = make;
	A(() => {
		let isOver = false;
		const again = () => {
			newest.current().then((prepared) => !isOver && set(prepared === void 0 ? {} : { prepared })).catch((failure) => !isOver && set({ problem: asProblem(failure) }));
		};
		const timers = [setTimeout(again, PAUSE), setInterval(again, FRESH)];
		return () => {
			isOver = true;
			timers.forEach((timer) => clearInterval(timer));
		};
	}, [key]);
	return made;
}
// src/areas/reference/try/request-view.tsx
function RequestView({ prepared }) {
	const words = reference$1().try;
	const { sent, text, command, hasSession } = prepared;
	const shown = masked(command);
	return a($, { children: [
		a("h3", { children: words.request }),
		a("p", {
			class: "request-line",
			children: [
				a("strong", { children: sent.method }),
				" ",
				a("code", { children: sent.url })
			]
		}),
		sent.headers.length > 0 && a(Headers, {
			headers: sent.headers.map(({ name, value }) => ({
				name,
				value: masked(value)
			})),
			label: words.request
		}),
		text !== void 0 && a($, { children: [a("h3", { children: words.signedText }), a(Command, {
			text,
			of: words.signedText
		})] }),
		a("h3", { children: words.command }),
		hasSession && a("p", {
			class: "soft",
			children: words.sessionless
		}),
		shown !== command && a("p", {
			class: "soft",
			children: words.masked
		}),
		a(Command, {
			text: command,
			shown,
			of: words.command
		})
	] });
}
// src/areas/reference/try/scopes.ts
function useScopes(channel) {
	const scopes = useSignal([]);
	A(() => {
		scopes.value = [];
		if (channel === "") return void 0;
		const asking = new AbortController();
		listAsOperator(`/admin/v1/channels/${encodeURIComponent(channel)}/connections`, "connections", asking.signal).then((found) => scopes.value = found).catch((failure) => {
			if (!isAborted(failure)) scopes.value = [];
		});
		return () => asking.abort();
	}, [channel]);
	return scopes.value;
}
// src/areas/reference/try/send.ts
var MOST = 1 << 20;
var isText = (type) => /^text\/|json|xml|openmetrics|javascript/.test(type);
async function send(sent, file, hasSession, signal, tell) {
	const began = performance.now();
	const form = new FormData();
	if (sent.file !== void 0 && file !== void 0) form.append(sent.file.field, file);
	const body = sent.file === void 0 ? sent.body : form;
	let response;
	try {
		response = await fetch(sent.url, {
			method: sent.method,
			headers: sent.headers.map(({ name, value }) => [name, value]),
			credentials: hasSession ? "same-origin" : "omit",
			cache: "no-store",
			redirect: "manual",
			signal,
			...body === void 0 ? {} : { body }
		});
	} catch {
		if (signal.aborted) return;
		throw new Problem(0, "");
	}
	const reads = isText(response.headers.get("Content-Type") ?? "");
	const told = {
		status: response.status,
		headers: [...response.headers].map(([name, value]) => ({
			name,
			value
		})),
		text: reads || response.body === null ? "" : void 0,
		length: 0,
		took: Math.round(performance.now() - began),
		state: "coming"
	};
	tell({ ...told });
	const decoder = new TextDecoder();
	const end = await readAll(response.body, (piece) => {
		told.length += piece.length;
		if (told.text !== void 0) told.text += decoder.decode(piece, { stream: true });
		tell({ ...told });
		return told.length <= MOST;
	});
	tell({
		...told,
		state: end
	});
}
async function readAll(body, take) {
	if (body === null) return "whole";
	const reader = body.getReader();
	try {
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return "whole";
			if (!take(value)) {
				await reader.cancel();
				return "cut";
			}
		}
	} catch {
		return "cut";
	}
}
// src/areas/reference/try/try.tsx
function Try({ document, operation }) {
	const needsToken = operation.proof === "operator" && operatorToken.value === void 0;
	return a(Part, {
		title: reference$1().try.title,
		children: needsToken ? a(OperatorToken, {}) : a(Form, {
			document,
			operation
		})
	});
}
function known(scopes) {
	const account = me.value?.account?.id;
	const channel = operatorToken.value === void 0 ? "" : channelId.value;
	if (channel === "") return {};
	const scope = scopes.find((it) => it.account_id === account) ?? scopes[0];
	return {
		"path channel_id": channel,
		...scope === void 0 ? {} : { "path scope_id": scope.scope_id }
	};
}
function Form({ document, operation }) {
	const words = reference$1().try;
	const values = useSignal({});
	const body = useSignal(example(operation));
	const file = useSignal(void 0);
	const signature = useSignal(operation.signatures[0] ?? "bodySignature");
	const told = useSignal(void 0);
	const under = T(void 0);
	const task = useWork();
	A(() => () => under.current?.abort(), []);
	const scopes = useScopes(operation.proof === "signature" && operatorToken.value !== void 0 ? channelId.value : "");
	const filled = {
		values: {
			...known(scopes),
			...values.value
		},
		body: body.value,
		file: file.value
	};
	const proofs = [
		secret.value,
		channelId.value,
		userToken.value,
		operatorToken.value,
		signature.value
	];
	const key = JSON.stringify([
		filled.values,
		filled.body,
		filled.file?.name,
		proofs
	]);
	const sent = T(void 0);
	const make = () => prepare(operation, {
		...filled,
		body: body.peek()
	}, signature.value);
	const { prepared, problem } = usePrepared(key, make);
	const submit = () => task.run(async () => {
		if (operation.proof === "signature" && sent.current === body.peek()) body.value = renewed(body.peek());
		const now = await make();
		if (now === void 0 || !now.isSendable) return;
		told.value = void 0;
		under.current = new AbortController();
		await send(now.sent, file.value, now.hasSession, under.current.signal, (it) => told.value = it);
		sent.current = body.peek();
		if (now.hasSession && operation.path === "/inbox/v1/session") await recall();
	});
	return a("form", {
		class: "form try",
		onSubmit: (event) => {
			event.preventDefault();
			submit();
		},
		children: [
			operation.method !== "GET" && a("p", {
				class: "note warn",
				children: words.real
			}),
			a(Credentials, { proof: operation.proof }),
			operation.signatures.length > 1 && a("div", {
				class: "field",
				children: [a("span", { children: words.generation }), a(Choices, {
					label: words.generation,
					value: signature.value,
					options: operation.signatures.map((value) => ({
						value,
						says: words[value]
					})),
					onChoose: (chosen) => signature.value = chosen
				})]
			}),
			a(Inputs, {
				document,
				operation,
				value: (parameter) => filled.values[keyOf(parameter)] ?? "",
				onValue: (parameter, value) => values.value = {
					...values.value,
					[keyOf(parameter)]: value
				},
				scopes,
				body,
				file
			}),
			problem !== void 0 && a(ProblemNote, { problem }),
			task.problem !== void 0 && a(ProblemNote, { problem: task.problem }),
			prepared?.isSendable === false ? a("p", {
				class: "note warn",
				children: words.noDate
			}) : a("div", {
				class: "buttons",
				children: [a(Button, {
					type: "submit",
					look: "primary",
					icon: "send",
					busy: task.busy,
					children: words.send
				}), task.busy && a(Button, {
					icon: "stopped",
					onClick: () => under.current?.abort(),
					children: words.stop
				})]
			}),
			told.value !== void 0 && a(AnswerView, { told: told.value }),
			prepared === void 0 ? a("p", {
				class: "soft",
				children: problem === void 0 && words.unsigned
			}) : a(RequestView, { prepared })
		]
	});
}
// src/areas/reference/operation.tsx
function OperationView({ document, operation }) {
	const words = reference$1();
	if (operation === void 0) return a(Empty, { title: words.missing });
	const { body } = operation;
	return a("article", {
		class: "operation",
		children: [
			a("header", {
				class: "head",
				children: a("h2", { children: a(Address, { operation }) })
			}),
			a("div", {
				lang: "en",
				children: [a("p", { children: a(Prose, { text: operation.summary }) }), operation.description !== "" && a("p", { children: a(Prose, { text: operation.description }) })]
			}),
			a("p", {
				class: "soft",
				children: [
					operation.path === void 0 ? words.proofs.callback : words.proofs[operation.proof],
					" ",
					a("code", { children: operation.id })
				]
			}),
			operation.parameters.length > 0 && a(Part, {
				title: words.parameters,
				children: a(Parameters, {
					document,
					parameters: operation.parameters
				})
			}),
			body !== void 0 && a(Part, {
				title: words.body,
				children: [
					a("p", {
						class: "soft",
						children: [a("code", { children: body.mediaType }), !body.isRequired && ` · ${words.bodyOptional}`]
					}),
					a(SchemaTree, { shape: shapeOf(document, body.schema) }),
					body.examples.map(({ name, value }) => a($, { children: [name !== "" && a("h3", { children: `${words.example}: ${name}` }), a(Body, {
						text: JSON.stringify(value),
						label: name === "" ? words.example : `${words.example}: ${name}`
					})] }, name))
				]
			}),
			operation.path !== void 0 && a(Try, {
				operation,
				document
			}),
			a(Answers, {
				document,
				answers: operation.answers
			})
		]
	});
}
function Parameters({ document, parameters }) {
	const words = reference$1();
	return a("table", {
		class: "stacks",
		children: [a("thead", { children: a("tr", { children: [
			a("th", {
				scope: "col",
				children: words.name
			}),
			a("th", {
				scope: "col",
				children: words.place
			}),
			a("th", {
				scope: "col",
				children: words.type
			}),
			a("th", {
				scope: "col",
				children: words.meaning
			})
		] }) }), a("tbody", { children: parameters.map((parameter) => {
			const shape = shapeOf(document, parameter.schema);
			return a("tr", { children: [
				a("th", {
					scope: "row",
					children: [
						a("code", {
							class: "field-name",
							children: parameter.name
						}),
						" ",
						parameter.required === true && a(Required, {})
					]
				}),
				a("td", {
					"data-label": words.place,
					children: words.places[parameter.in]
				}),
				a("td", {
					"data-label": words.type,
					lang: "en",
					children: [shape.type, ...shape.limits].join(" · ")
				}),
				a("td", {
					"data-label": words.meaning,
					lang: "en",
					children: a("span", { children: a(Prose, { text: shape.says }) })
				})
			] }, `${parameter.in} ${parameter.name}`);
		}) })]
	});
}
// src/areas/reference/page.tsx
function ReferencePage({ id }) {
	const words = reference$1();
	const loaded = useLoad("reference", reference);
	const all = loaded.data.value;
	const operation = all?.operations.find((it) => it.id === id);
	return a(Page, {
		title: words.title,
		about: operation?.id,
		fills: true,
		children: [
			loaded.problem.value !== void 0 && a(ProblemNote, {
				problem: loaded.problem.value,
				retry: loaded.reload
			}),
			all === void 0 && loaded.problem.value === void 0 && a(Skeleton, {}),
			all !== void 0 && a(List, {
				selected: id,
				operations: all.operations,
				children: id === void 0 || id === "overview" ? a(Overview, { document: all.document }) : a(OperationView, {
					document: all.document,
					operation
				}, id)
			})
		]
	});
}
export { ReferencePage };
