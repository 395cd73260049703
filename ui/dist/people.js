import { $ as Page, Ft as isAdministrator, Ht as asProblem, Lt as me, St as shell, Ut as ask, Vt as Problem, Yt as dictionary, _t as ProblemNote, bt as a, dn as F, fn as P, ft as useShortcuts, gn as $, gt as Skeleton, hn as w, it as place, ln as y, n as Field, nt as narrow, ot as visits, pn as T, rn as useSignal, rt as open, st as Empty, vt as Button, yt as Icon } from "./app.js";
import { E as Copy, O as useWork, T as Command, f as folded, g as Badge, h as Dialog, k as useLoad, p as typed } from "./parts.js";
import { i as LANGUAGE_NAMES, r as LANGUAGES, t as counted } from "./start.js";
// src/words/people.en.ts
var users$3 = (count) => counted("en", count, {
	one: "user",
	other: "users"
});
var en = {
	administrators: {
		title: "This page is for administrators of the account",
		text: "Administrators view and change users and roles. You are not an administrator. The operator of the service can make you one."
	},
	things: {
		leads: "Leads",
		contacts: "Contacts",
		companies: "Companies",
		customers: "Buyers",
		tasks: "Tasks",
		mail: "Mail",
		catalogs: "Lists"
	},
	actions: {
		add: "Create",
		view: "View",
		edit: "Edit",
		delete: "Delete",
		export: "Export"
	},
	letters: {
		A: "allow",
		G: "group",
		M: "own",
		D: "deny"
	},
	reach: {
		A: "everything",
		G: "if a user of the same group is responsible",
		M: "only if responsible",
		D: "denied"
	},
	unsaid: "as in general rights",
	rights: "Rights",
	undo: "Undo",
	on: "on",
	off: "off",
	matrix: {
		choice: "The chosen right",
		row: "Whole row:",
		hint: (letters) => `Arrow keys move. ${letters} set the right; with Shift, they set the row. Ctrl Z undoes.`,
		two: "Only “allow” or “deny” is possible here",
		wide: (action, over, letter) => `${action} cannot be wider than ${over}, which is ${letter}`,
		refused: (name, action, letter, why) => `${name} → ${action} cannot be ${letter}: ${why}.`,
		forced: (name, action, letter, followed) => `${name} → ${action} is now ${letter}. Dependent rights changed too: ${followed.join(", ")}.`,
		wholeRow: (name, letter) => `${name}: all rights are now ${letter}`,
		noSuch: "there is no such right"
	},
	stages: {
		title: "Rights in stages",
		text: "These rights apply to leads in one stage: allowed or denied. They restrict or extend the rights above.",
		noExport: "unsorted leads have no export right",
		stays: "an unsorted stage is always listed",
		newcomers: (stage) => `Users with this role see no new customers. To show new customers, allow View in “${stage}”.`,
		remove: (name) => `Remove: ${name}`,
		removal: "Remove",
		which: "Stage",
		add: "Add the stage"
	},
	roles: {
		title: "Roles",
		one: "Role",
		add: "Create a role",
		title1: (name) => `Role “${name}”`,
		name: "Name",
		nameHint: "1 to 255 characters.",
		holders: "Users",
		count: users$3,
		held: (count) => count === 0 ? "no user has this role" : `${users$3(count)} with this role`,
		empty: "No roles yet",
		emptyText: "A role gives the same rights to all its users. A user without a role has own rights.",
		order: "Rights in this order: create, view, edit, delete, export.",
		duplicate: "Duplicate",
		copyOf: (name) => `${name} (copy)`,
		delete: "Delete",
		deleteTitle: (name) => `Delete the role “${name}”?`,
		deleteNobody: "No user has this role. You cannot restore it.",
		deleteText: (names) => `Users with this role: ${names}. They keep exactly these rights as own rights. You cannot restore the role.`,
		deleted: (name) => `You deleted the role “${name}”.`,
		added: (name) => `You created the role “${name}”.`,
		saved: (count) => count === 0 ? "Saved." : `Saved. The rights apply to ${users$3(count)} from now on.`,
		save: (count) => count === 0 ? "Save — affects no user yet" : `Save — affects ${users$3(count)}`,
		create: "Create the role",
		discard: "Discard the changes",
		unchanged: "No changes.",
		preview: "JSON of the request",
		lose: "They lose",
		gain: "They gain",
		effect: (names) => `Effect on ${names}`,
		names: (names, rest) => `${names.join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`,
		user: (id) => `user ${id}`,
		conflict: "Another user changed this role at the same time. Your changes were not saved.",
		theirs: "Changes of the other user",
		mine: "Your changes",
		takeTheirs: "Use their changes",
		keepMine: "Keep my changes and review them",
		tryIt: "After saving, check the result:"
	},
	users: {
		title: "Users",
		one: "User",
		add: "Add users",
		search: "Name or e-mail",
		any: "all",
		active: "active",
		inactive: "inactive",
		administrator: "Administrator",
		own: "own rights",
		free: "free user",
		role: (name) => `role: ${name}`,
		name: "Name",
		email: "E-mail",
		access: "Rights by",
		group: "Group",
		lang: "Language",
		state: "State",
		chatId: "Chat id",
		you: "(you)",
		choose: (name) => `Choose ${name}`,
		noSwitch: "You cannot activate or deactivate administrators.",
		ofPlan: (count, most) => `${count} of ${most} users, base plan.`,
		noLimit: (count) => `${users$3(count)}, Enterprise plan: no limit.`,
		full: (most) => `The base plan allows at most ${most} users.`,
		nobody: "None of the loaded users matches.",
		loaded: (count, total) => `${count} of ${total} users are loaded. Search and filters cover only these.`,
		chosen: (count) => `${count} chosen:`,
		activate: "Activate",
		deactivate: "Deactivate",
		chooseFirst: "Choose users in the list.",
		enterpriseOnly: "Enterprise plan only: this account has the base plan.",
		tooMany: (most) => `At most ${most} users at once.`,
		activated: (count) => `${users$3(count)} active again.`,
		deactivated: (count) => `${users$3(count)} deactivated.`,
		deactivateTitle: (count) => `Deactivate ${users$3(count)}?`,
		deactivateText: "Their sessions and tokens stop working immediately. You can activate the users again.",
		number: "Number",
		rank: "Rank",
		ranks: {
			newbie: "newbie",
			candidate: "candidate",
			master: "master"
		},
		mayThey: "Check rights",
		effective: "Effective rights",
		fromAdministrator: "An administrator may do everything.",
		fromFree: "A free user may do nothing, regardless of the role.",
		fromOwn: "Own rights, without a role.",
		fromRole: (name) => `Rights of the role “${name}”.`
	},
	change: {
		title: "Change the user",
		own: "own rights",
		group: "Group",
		ofAdministrator: "The operator of the service changes the rights and the password of an administrator. Administrators change their own password in the menu.",
		ofOneself: "You change your own password in the menu, with the current one.",
		password: "New password",
		passwordHint: "Leave empty to keep the password. A new one ends all sessions of the user.",
		keepsRole: "The user keeps the rights of the role as own rights, and you change them here.",
		save: "Save",
		unchanged: "No changes.",
		saved: "Saved.",
		several: "Change…",
		severalTitle: (count) => `Change ${users$3(count)}`,
		stays: "unchanged",
		none: "no role: own rights",
		apply: "Change",
		changed: (count) => `${users$3(count)} changed.`,
		failed: (name) => `Not changed: ${name}`
	},
	holders: {
		title: "Users with this role",
		none: "No user has this role.",
		add: "Give it to users…",
		addTitle: (role) => `Give the role “${role}” to users`,
		addText: "A user has one role: this one replaces another role and own rights.",
		search: "Name or e-mail",
		nobody: "Every other user is an administrator, or has this role.",
		submit: (count) => `Give it to ${users$3(count)}`,
		take: "Take away",
		takeOf: (name) => `Take away: ${name}`,
		taken: (name) => `${name} keeps the rights of the role as own rights.`,
		given: (count) => `${users$3(count)} with this role from now on.`
	},
	add: {
		title: "Add users",
		text: (most) => `Up to ${most} at once. The service adds all of them or none.`,
		user: (place) => `User ${place}`,
		remove: (place) => `Remove user ${place}`,
		password: "Password",
		show: "show",
		make: "Generate",
		langOfAccount: "language of the account",
		role: "Role",
		noRole: "none: own rights",
		groupDefault: "the default group",
		groupOther: "another group, by number…",
		groupNumber: "Group number",
		free: "free user",
		own: "Own rights",
		freeIgnores: "For a free user, the service ignores role, group and own rights.",
		roleIgnores: "For a user with a role, the service ignores own rights.",
		another: "Add another user",
		room: (count, most) => `${count} of ${most}`,
		refused: (count) => `No user was added. Correct the errors of ${users$3(count)}, marked above.`,
		added: (count) => `${users$3(count)} added.`,
		submit: (count) => `Add ${users$3(count)}`,
		rules: {
			length: (count, most) => `${count} of ${most} characters`,
			signs: "letters, digits, spaces and . @ - _",
			noLink: "no link",
			email: "an address like name@example.com",
			six: "6 characters",
			digit: "a digit",
			lower: "a lower-case letter",
			upper: "an upper-case letter",
			holds: "done",
			missing: "missing"
		}
	},
	explain: {
		title: "Rights check",
		text: "The decision of the service and its steps. The check uses the saved rights.",
		who: "User",
		onlyYou: "Only administrators can check the rights of other users.",
		what: "Right",
		lead: "Lead",
		contact: "Contact",
		idHint: "Its number. Leave empty for one without a responsible user.",
		yes: "Yes",
		no: "No",
		asked: (name, action, thing, id) => `${name} — ${thing}${action === void 0 ? "" : ` → ${action}`}${id === "" ? "" : ` #${id}`}`,
		steps: {
			general: "General rights",
			stage: "Rights in stages",
			subscriber: "Conversation subscriber"
		},
		flags: {
			inactive: "is deactivated: nothing is allowed",
			free: "is a free user: nothing is allowed",
			administrator: "is an administrator: everything is allowed"
		},
		own: "own rights",
		role: "the role",
		inherited: "buyers inherit it from leads",
		stage: (name) => `“${name}” has another right`,
		limited: (action) => `limited by “${action}”`,
		subscribed: "subscribes to the conversation: may view the lead",
		decided: "already decided",
		onlyLeads: "applies to leads only: unchanged",
		noLead: "no lead given: unchanged",
		noStage: (name) => `“${name}” has no other right: unchanged`,
		noSubscriber: "nothing to extend: unchanged",
		onlyView: "extends “View” only: unchanged",
		relation: {
			own: (_name) => "The user is responsible.",
			same_group: (name) => name === void 0 ? "A user of the same group is responsible." : `${name}, of the same group, is responsible.`,
			other: (name) => name === void 0 ? "No user of the same group is responsible." : `${name}, of another group, is responsible.`
		},
		reaches: (reach, letter) => `The right covers: ${reach} (${letter}).`
	}
};
// src/words/people.es.ts
var users$2 = (count) => counted("es", count, {
	one: "usuario",
	other: "usuarios"
});
var es = {
	administrators: {
		title: "Esta página es para administradores de la cuenta",
		text: "Los administradores ven y cambian usuarios y roles. Usted no es administrador. El operador del servicio puede nombrarlo administrador."
	},
	things: {
		leads: "Leads",
		contacts: "Contactos",
		companies: "Empresas",
		customers: "Compradores",
		tasks: "Tareas",
		mail: "Correo",
		catalogs: "Listas"
	},
	actions: {
		add: "Crear",
		view: "Ver",
		edit: "Editar",
		delete: "Eliminar",
		export: "Exportar"
	},
	letters: {
		A: "permitido",
		G: "grupo",
		M: "propios",
		D: "denegado"
	},
	reach: {
		A: "todo",
		G: "si el responsable es del mismo grupo",
		M: "solo si es responsable",
		D: "denegado"
	},
	unsaid: "como en los permisos generales",
	rights: "Permisos",
	undo: "Deshacer",
	on: "sí",
	off: "no",
	matrix: {
		choice: "El permiso elegido",
		row: "Toda la fila:",
		hint: (letters) => `Las flechas mueven el cursor. ${letters} definen el permiso; con Mayús, toda la fila. Ctrl Z deshace.`,
		two: "Aquí solo es posible «permitido» o «denegado»",
		wide: (action, over, letter) => `«${action}» no puede ser más amplio que «${over}», que es ${letter}`,
		refused: (name, action, letter, why) => `${name} → ${action} no puede ser ${letter}: ${why}.`,
		forced: (name, action, letter, followed) => `${name} → ${action} ahora es ${letter}. También cambiaron los permisos dependientes: ${followed.join(", ")}.`,
		wholeRow: (name, letter) => `${name}: ahora todos los permisos son ${letter}`,
		noSuch: "no existe tal permiso"
	},
	stages: {
		title: "Permisos por etapa",
		text: "Estos permisos se aplican a los leads de una etapa: permitido o denegado. Restringen o amplían los permisos de arriba.",
		noExport: "los leads sin clasificar no tienen permiso de exportación",
		stays: "una etapa sin clasificar siempre aparece en la lista",
		newcomers: (stage) => `Los usuarios con este rol no ven clientes nuevos. Para mostrar clientes nuevos, permita Ver en «${stage}».`,
		remove: (name) => `Quitar: ${name}`,
		removal: "Quitar",
		which: "Etapa",
		add: "Agregar la etapa"
	},
	roles: {
		title: "Roles",
		one: "Rol",
		add: "Crear un rol",
		title1: (name) => `Rol «${name}»`,
		name: "Nombre",
		nameHint: "De 1 a 255 caracteres.",
		holders: "Usuarios",
		count: users$2,
		held: (count) => count === 0 ? "ningún usuario tiene este rol" : `${users$2(count)} con este rol`,
		empty: "Todavía no hay roles",
		emptyText: "Un rol da los mismos permisos a todos sus usuarios. Un usuario sin rol tiene permisos propios.",
		order: "Permisos en este orden: crear, ver, editar, eliminar, exportar.",
		duplicate: "Duplicar",
		copyOf: (name) => `${name} (copia)`,
		delete: "Eliminar",
		deleteTitle: (name) => `¿Eliminar el rol «${name}»?`,
		deleteNobody: "Ningún usuario tiene este rol. El rol no se puede recuperar.",
		deleteText: (names) => `Usuarios con este rol: ${names}. Conservan exactamente estos permisos como permisos propios. El rol no se puede recuperar.`,
		deleted: (name) => `Usted eliminó el rol «${name}».`,
		added: (name) => `Usted creó el rol «${name}».`,
		saved: (count) => count === 0 ? "Guardado." : `Guardado. Los permisos se aplican desde ahora a ${users$2(count)}.`,
		save: (count) => count === 0 ? "Guardar — no afecta a ningún usuario" : `Guardar — afecta a ${users$2(count)}`,
		create: "Crear el rol",
		discard: "Descartar los cambios",
		unchanged: "No hay cambios.",
		preview: "JSON de la solicitud",
		lose: "Pierden",
		gain: "Ganan",
		effect: (names) => `Efecto en ${names}`,
		names: (names, rest) => `${names.join(", ")}${rest > 0 ? ` y ${rest} más` : ""}`,
		user: (id) => `usuario ${id}`,
		conflict: "Otro usuario cambió este rol al mismo tiempo. Sus cambios no se guardaron.",
		theirs: "Cambios del otro usuario",
		mine: "Sus cambios",
		takeTheirs: "Usar los cambios del otro usuario",
		keepMine: "Conservar mis cambios y revisarlos",
		tryIt: "Después de guardar, revise el resultado:"
	},
	users: {
		title: "Usuarios",
		one: "Usuario",
		add: "Agregar usuarios",
		search: "Nombre o correo",
		any: "todos",
		active: "activo",
		inactive: "inactivo",
		administrator: "Administrador",
		own: "permisos propios",
		free: "usuario gratuito",
		role: (name) => `rol: ${name}`,
		name: "Nombre",
		email: "Correo",
		access: "Permisos por",
		group: "Grupo",
		lang: "Idioma",
		state: "Estado",
		chatId: "Id de chat",
		you: "(usted)",
		choose: (name) => `Elegir a ${name}`,
		noSwitch: "No se puede activar ni desactivar a los administradores.",
		ofPlan: (count, most) => `${count} de ${most} usuarios, plan base.`,
		noLimit: (count) => `${users$2(count)}, plan Enterprise: sin límite.`,
		full: (most) => `El plan base admite como máximo ${users$2(most)}.`,
		nobody: "Ninguno de los usuarios cargados coincide.",
		loaded: (count, total) => `Están cargados ${count} de ${users$2(total)}. La búsqueda y los filtros abarcan solo a estos.`,
		chosen: (count) => `${count} elegidos:`,
		activate: "Activar",
		deactivate: "Desactivar",
		chooseFirst: "Elija usuarios en la lista.",
		enterpriseOnly: "Solo en el plan Enterprise: esta cuenta tiene el plan base.",
		tooMany: (most) => `Como máximo ${users$2(most)} a la vez.`,
		activated: (count) => `Activos de nuevo: ${users$2(count)}.`,
		deactivated: (count) => `Desactivados: ${users$2(count)}.`,
		deactivateTitle: (count) => `¿Desactivar ${users$2(count)}?`,
		deactivateText: "Sus sesiones y tokens dejan de funcionar de inmediato. Los usuarios se pueden activar de nuevo.",
		number: "Número",
		rank: "Rango",
		ranks: {
			newbie: "principiante",
			candidate: "candidato",
			master: "maestro"
		},
		mayThey: "Revisar permisos",
		effective: "Permisos efectivos",
		fromAdministrator: "Un administrador puede hacerlo todo.",
		fromFree: "Un usuario gratuito no puede hacer nada, sin importar el rol.",
		fromOwn: "Permisos propios, sin rol.",
		fromRole: (name) => `Permisos del rol «${name}».`
	},
	change: {
		title: "Cambiar el usuario",
		own: "permisos propios",
		group: "Grupo",
		ofAdministrator: "El operador del servicio cambia los permisos y la contraseña de un administrador. Los administradores cambian su propia contraseña en el menú.",
		ofOneself: "Usted cambia su propia contraseña en el menú, con la actual.",
		password: "Contraseña nueva",
		passwordHint: "Déjela vacía para conservarla. Una nueva cierra todas las sesiones del usuario.",
		keepsRole: "El usuario conserva los permisos del rol como propios, y aquí se cambian.",
		save: "Guardar",
		unchanged: "Sin cambios.",
		saved: "Guardado.",
		several: "Cambiar…",
		severalTitle: (count) => `Cambiar ${users$2(count)}`,
		stays: "sin cambios",
		none: "sin rol: permisos propios",
		apply: "Cambiar",
		changed: (count) => `Cambiados: ${users$2(count)}.`,
		failed: (name) => `No cambiado: ${name}`
	},
	holders: {
		title: "Usuarios con este rol",
		none: "Ningún usuario tiene este rol.",
		add: "Dar a usuarios…",
		addTitle: (role) => `Dar el rol «${role}» a usuarios`,
		addText: "Un usuario tiene un rol: este sustituye a otro rol y a los permisos propios.",
		search: "Nombre o correo",
		nobody: "Los demás usuarios son administradores o ya tienen este rol.",
		submit: (count) => `Dar a ${users$2(count)}`,
		take: "Quitar",
		takeOf: (name) => `Quitar: ${name}`,
		taken: (name) => `${name} conserva los permisos del rol como propios.`,
		given: (count) => `Tienen este rol desde ahora: ${users$2(count)}.`
	},
	add: {
		title: "Agregar usuarios",
		text: (most) => `Hasta ${most} a la vez. El servicio los agrega todos o ninguno.`,
		user: (place) => `Usuario ${place}`,
		remove: (place) => `Quitar el usuario ${place}`,
		password: "Contraseña",
		show: "mostrar",
		make: "Generar",
		langOfAccount: "idioma de la cuenta",
		role: "Rol",
		noRole: "ninguno: permisos propios",
		groupDefault: "el grupo predeterminado",
		groupOther: "otro grupo, por número…",
		groupNumber: "Número del grupo",
		free: "usuario gratuito",
		own: "Permisos propios",
		freeIgnores: "Para un usuario gratuito, el servicio ignora el rol, el grupo y los permisos propios.",
		roleIgnores: "Para un usuario con rol, el servicio ignora los permisos propios.",
		another: "Agregar otro usuario",
		room: (count, most) => `${count} de ${most}`,
		refused: (count) => `No se agregó ningún usuario. Corrija los errores de ${users$2(count)}, marcados arriba.`,
		added: (count) => `Agregados: ${users$2(count)}.`,
		submit: (count) => `Agregar ${users$2(count)}`,
		rules: {
			length: (count, most) => `${count} de ${most} caracteres`,
			signs: "letras, dígitos, espacios y . @ - _",
			noLink: "sin enlaces",
			email: "una dirección como name@example.com",
			six: "6 caracteres",
			digit: "un dígito",
			lower: "una minúscula",
			upper: "una mayúscula",
			holds: "hecho",
			missing: "falta"
		}
	},
	explain: {
		title: "Revisión de permisos",
		text: "La decisión del servicio y sus pasos. La revisión usa los permisos guardados.",
		who: "Usuario",
		onlyYou: "Solo los administradores pueden revisar los permisos de otros usuarios.",
		what: "Permiso",
		lead: "Lead",
		contact: "Contacto",
		idHint: "Su número. Deje vacío para uno sin usuario responsable.",
		yes: "Sí",
		no: "No",
		asked: (name, action, thing, id) => `${name} — ${thing}${action === void 0 ? "" : ` → ${action}`}${id === "" ? "" : ` #${id}`}`,
		steps: {
			general: "Permisos generales",
			stage: "Permisos por etapa",
			subscriber: "Suscriptor de la conversación"
		},
		flags: {
			inactive: "está desactivado: nada está permitido",
			free: "es usuario gratuito: nada está permitido",
			administrator: "es administrador: todo está permitido"
		},
		own: "permisos propios",
		role: "el rol",
		inherited: "los compradores los heredan de los leads",
		stage: (name) => `«${name}» tiene otro permiso`,
		limited: (action) => `limitado por «${action}»`,
		subscribed: "está suscrito a la conversación: puede ver el lead",
		decided: "ya está decidido",
		onlyLeads: "se aplica solo a leads: sin cambios",
		noLead: "no se indicó un lead: sin cambios",
		noStage: (name) => `«${name}» no tiene otro permiso: sin cambios`,
		noSubscriber: "nada que ampliar: sin cambios",
		onlyView: "solo amplía «Ver»: sin cambios",
		relation: {
			own: () => "El usuario es el responsable.",
			same_group: (name) => name === void 0 ? "El responsable es del mismo grupo." : `El responsable es ${name}, del mismo grupo.`,
			other: (name) => name === void 0 ? "Ningún usuario del mismo grupo es responsable." : `El responsable es ${name}, de otro grupo.`
		},
		reaches: (reach, letter) => `El permiso abarca: ${reach} (${letter}).`
	}
};
// src/words/people.ru.ts
var users$1 = (count) => counted("ru", count, {
	one: "пользователь",
	few: "пользователя",
	many: "пользователей",
	other: "пользователя"
});
var ofUsers = (count) => counted("ru", count, {
	one: "пользователя",
	other: "пользователей"
});
// src/words/people.ts
var people = dictionary({
	en,
	ru: {
		administrators: {
			title: "Эта страница — для администраторов аккаунта",
			text: "Пользователей и роли просматривают и меняют администраторы. Вы не администратор. Назначить вас администратором может оператор сервиса."
		},
		things: {
			leads: "Сделки",
			contacts: "Контакты",
			companies: "Компании",
			customers: "Покупатели",
			tasks: "Задачи",
			mail: "Почта",
			catalogs: "Списки"
		},
		actions: {
			add: "Создание",
			view: "Просмотр",
			edit: "Изменение",
			delete: "Удаление",
			export: "Экспорт"
		},
		letters: {
			A: "разрешено",
			G: "группа",
			M: "свои",
			D: "запрещено"
		},
		reach: {
			A: "всё",
			G: "если ответственный из той же группы",
			M: "только если ответственный",
			D: "запрещено"
		},
		unsaid: "как в общих правах",
		rights: "Права",
		undo: "Отменить",
		on: "есть",
		off: "нет",
		matrix: {
			choice: "Выбранное право",
			row: "Вся строка:",
			hint: (letters) => `Стрелки перемещают курсор. ${letters} задают право, вместе с Shift — всю строку. Ctrl Z отменяет.`,
			two: "Здесь возможно только «разрешено» или «запрещено»",
			wide: (action, over, letter) => `Право «${action}» не может быть шире права «${over}», которое равно ${letter}`,
			refused: (name, action, letter, why) => `${name} → ${action}: нельзя выбрать ${letter}. ${why}.`,
			forced: (name, action, letter, followed) => `${name} → ${action}: теперь ${letter}. Изменились и зависимые права: ${followed.join(", ")}.`,
			wholeRow: (name, letter) => `${name}: все права теперь ${letter}`,
			noSuch: "такого права нет"
		},
		stages: {
			title: "Права на этапах",
			text: "Эти права действуют для сделок на одном этапе: разрешено или запрещено. Они ограничивают или расширяют права выше.",
			noExport: "у неразобранных сделок нет права на экспорт",
			stays: "этап неразобранных сделок всегда есть в списке",
			newcomers: (stage) => `Пользователи с этой ролью не видят новых клиентов. Чтобы показать новых клиентов, разрешите просмотр на этапе «${stage}».`,
			remove: (name) => `Удалить: ${name}`,
			removal: "Удалить",
			which: "Этап",
			add: "Добавить этап"
		},
		roles: {
			title: "Роли",
			one: "Роль",
			add: "Создать роль",
			title1: (name) => `Роль «${name}»`,
			name: "Название",
			nameHint: "От 1 до 255 символов.",
			holders: "Пользователи",
			count: users$1,
			held: (count) => count === 0 ? "роли нет ни у одного пользователя" : `роль есть у ${ofUsers(count)}`,
			empty: "Ролей пока нет",
			emptyText: "Роль даёт одинаковые права всем её пользователям. У пользователя без роли собственные права.",
			order: "Порядок прав: создание, просмотр, изменение, удаление, экспорт.",
			duplicate: "Копировать",
			copyOf: (name) => `${name} (копия)`,
			delete: "Удалить",
			deleteTitle: (name) => `Удалить роль «${name}»?`,
			deleteNobody: "Роли нет ни у одного пользователя. Восстановить роль нельзя.",
			deleteText: (names) => `Пользователи с этой ролью: ${names}. Они сохранят точно эти права как собственные. Восстановить роль нельзя.`,
			deleted: (name) => `Вы удалили роль «${name}».`,
			added: (name) => `Вы создали роль «${name}».`,
			saved: (count) => count === 0 ? "Сохранено." : `Сохранено. Права уже действуют для ${ofUsers(count)}.`,
			save: (count) => count === 0 ? "Сохранить — никого не затронет" : `Сохранить — затронет ${ofUsers(count)}`,
			create: "Создать роль",
			discard: "Отменить изменения",
			unchanged: "Изменений нет.",
			preview: "JSON запроса",
			lose: "Потеряют",
			gain: "Получат",
			effect: (names) => `Последствия для пользователей: ${names}`,
			names: (names, rest) => `${names.join(", ")}${rest > 0 ? ` и ещё ${rest}` : ""}`,
			user: (id) => `пользователь ${id}`,
			conflict: "Другой пользователь одновременно изменил эту роль. Ваши изменения не сохранены.",
			theirs: "Изменения другого пользователя",
			mine: "Ваши изменения",
			takeTheirs: "Принять чужие изменения",
			keepMine: "Оставить мои изменения и проверить их",
			tryIt: "После сохранения проверьте результат:"
		},
		users: {
			title: "Пользователи",
			one: "Пользователь",
			add: "Добавить пользователей",
			search: "Имя или эл. почта",
			any: "все",
			active: "активен",
			inactive: "отключён",
			administrator: "Администратор",
			own: "собственные права",
			free: "бесплатный пользователь",
			role: (name) => `роль: ${name}`,
			name: "Имя",
			email: "Эл. почта",
			access: "Права",
			group: "Группа",
			lang: "Язык",
			state: "Состояние",
			chatId: "Id в чатах",
			you: "(вы)",
			choose: (name) => `Выбрать: ${name}`,
			noSwitch: "Администраторов нельзя включать и отключать.",
			ofPlan: (count, most) => `${count} из ${ofUsers(most)}, базовый тариф.`,
			noLimit: (count) => `${users$1(count)}, тариф Enterprise: без ограничения.`,
			full: (most) => `Базовый тариф допускает не больше ${ofUsers(most)}.`,
			nobody: "Среди загруженных пользователей никто не подходит.",
			loaded: (count, total) => `Загружено ${count} из ${ofUsers(total)}. Поиск и фильтры работают только среди них.`,
			chosen: (count) => `Выбрано: ${count}`,
			activate: "Включить",
			deactivate: "Отключить",
			chooseFirst: "Выберите пользователей в списке.",
			enterpriseOnly: "Только на тарифе Enterprise: у этого аккаунта базовый.",
			tooMany: (most) => `Не больше ${ofUsers(most)} за раз.`,
			activated: (count) => `Снова активны: ${users$1(count)}.`,
			deactivated: (count) => `Отключены: ${users$1(count)}.`,
			deactivateTitle: (count) => `Отключить ${ofUsers(count)}?`,
			deactivateText: "Их сеансы и токены сразу перестанут действовать. Пользователей можно включить снова.",
			number: "Номер",
			rank: "Ранг",
			ranks: {
				newbie: "новичок",
				candidate: "кандидат",
				master: "мастер"
			},
			mayThey: "Проверить права",
			effective: "Действующие права",
			fromAdministrator: "Администратору разрешено всё.",
			fromFree: "Бесплатному пользователю ничего не разрешено, независимо от роли.",
			fromOwn: "Собственные права, без роли.",
			fromRole: (name) => `Права роли «${name}».`
		},
		change: {
			title: "Изменить пользователя",
			own: "собственные права",
			group: "Группа",
			ofAdministrator: "Права и пароль администратора меняет оператор сервиса. Свой пароль администратор меняет в меню.",
			ofOneself: "Свой пароль вы меняете в меню, указав текущий.",
			password: "Новый пароль",
			passwordHint: "Оставьте пустым, чтобы не менять. Новый пароль завершает все сеансы пользователя.",
			keepsRole: "Права роли остаются у пользователя как собственные, здесь их можно изменить.",
			save: "Сохранить",
			unchanged: "Изменений нет.",
			saved: "Сохранено.",
			several: "Изменить…",
			severalTitle: (count) => `Изменить: ${users$1(count)}`,
			stays: "без изменений",
			none: "без роли: собственные права",
			apply: "Изменить",
			changed: (count) => `Изменены: ${users$1(count)}.`,
			failed: (name) => `Не изменён: ${name}`
		},
		holders: {
			title: "Пользователи с этой ролью",
			none: "Этой роли нет ни у кого.",
			add: "Назначить пользователям…",
			addTitle: (role) => `Назначить роль «${role}»`,
			addText: "У пользователя одна роль: эта заменит другую роль или собственные права.",
			search: "Имя или эл. почта",
			nobody: "Остальные пользователи — администраторы, или эта роль у них уже есть.",
			submit: (count) => `Назначить: ${users$1(count)}`,
			take: "Снять",
			takeOf: (name) => `Снять: ${name}`,
			taken: (name) => `Права роли остались у пользователя ${name} как собственные.`,
			given: (count) => `Роль назначена: ${users$1(count)}.`
		},
		add: {
			title: "Добавить пользователей",
			text: (most) => `До ${ofUsers(most)} за раз. Сервис добавит всех или никого.`,
			user: (place) => `Пользователь ${place}`,
			remove: (place) => `Удалить пользователя ${place}`,
			password: "Пароль",
			show: "показать",
			make: "Создать",
			langOfAccount: "язык аккаунта",
			role: "Роль",
			noRole: "нет: собственные права",
			groupDefault: "группа по умолчанию",
			groupOther: "другая группа, по номеру…",
			groupNumber: "Номер группы",
			free: "бесплатный пользователь",
			own: "Собственные права",
			freeIgnores: "Для бесплатного пользователя сервис не учитывает роль, группу и собственные права.",
			roleIgnores: "Для пользователя с ролью сервис не учитывает собственные права.",
			another: "Добавить ещё пользователя",
			room: (count, most) => `${count} из ${most}`,
			refused: (count) => `Ни один пользователь не добавлен. Исправьте отмеченные выше ошибки: ${users$1(count)}.`,
			added: (count) => `Добавлено: ${users$1(count)}.`,
			submit: (count) => `Добавить ${ofUsers(count)}`,
			rules: {
				length: (count, most) => `${count} из ${most} символов`,
				signs: "буквы, цифры, пробелы и . @ - _",
				noLink: "без ссылок",
				email: "адрес вида name@example.com",
				six: "6 символов",
				digit: "цифра",
				lower: "строчная буква",
				upper: "заглавная буква",
				holds: "есть",
				missing: "не хватает"
			}
		},
		explain: {
			title: "Проверка прав",
			text: "Решение сервиса и его шаги. Проверка использует сохранённые права.",
			who: "Пользователь",
			onlyYou: "Права других пользователей могут проверять только администраторы.",
			what: "Право",
			lead: "Сделка",
			contact: "Контакт",
			idHint: "Номер объекта. Оставьте пустым, чтобы проверить объект без ответственного.",
			yes: "Да",
			no: "Нет",
			asked: (name, action, thing, id) => `${name} — ${thing}${action === void 0 ? "" : ` → ${action}`}${id === "" ? "" : ` #${id}`}`,
			steps: {
				general: "Общие права",
				stage: "Права на этапах",
				subscriber: "Подписчик беседы"
			},
			flags: {
				inactive: "отключён: ничего не разрешено",
				free: "бесплатный пользователь: ничего не разрешено",
				administrator: "администратор: разрешено всё"
			},
			own: "собственные права",
			role: "роль",
			inherited: "покупатели наследуют их от сделок",
			stage: (name) => `на этапе «${name}» другое право`,
			limited: (action) => `ограничено правом «${action}»`,
			subscribed: "подписан на беседу: может просматривать сделку",
			decided: "уже решено",
			onlyLeads: "действует только для сделок: без изменений",
			noLead: "сделка не указана: без изменений",
			noStage: (name) => `на этапе «${name}» нет другого права: без изменений`,
			noSubscriber: "расширять нечего: без изменений",
			onlyView: "расширяет только «Просмотр»: без изменений",
			relation: {
				own: () => "Ответственный — этот пользователь.",
				same_group: (name) => name === void 0 ? "Ответственный из той же группы." : `Ответственный — ${name}, из той же группы.`,
				other: (name) => name === void 0 ? "Ответственного из той же группы нет." : `Ответственный — ${name}, из другой группы.`
			},
			reaches: (reach, letter) => `Право охватывает: ${reach} (${letter}).`
		}
	},
	es
});
// src/areas/people/types.ts
async function pages(of, words, limit, count, signal) {
	const items = [];
	for (let page = 1;; page += 1) {
		const query = {
			with: words,
			page,
			limit
		};
		const found = await ask(`/api/v4/${of}`, {
			query,
			signal
		});
		items.push(...found._embedded[of] ?? []);
		if (page >= found._page_count || page >= count) return {
			total: found._total_items,
			items
		};
	}
}
var users = (steps, signal) => pages("users", "role,group,amojo_id", 100, steps, signal);
var everybody = (signal) => pages("users", "role,group", 250, 4, signal);
var roles = (signal) => pages("roles", "users", 250, 4, signal);
var user = (id, signal) => ask(`/api/v4/users/${encodeURIComponent(id)}`, {
	query: { with: "role,group,uuid,amojo_id,user_rank,phone_number" },
	signal
});
var role = (id, signal) => ask(`/api/v4/roles/${encodeURIComponent(id)}`, {
	query: { with: "users" },
	...signal === void 0 ? {} : { signal }
});
async function pipelines(signal) {
	return (await ask("/api/v4/leads/pipelines", { signal }))._embedded.pipelines;
}
// src/areas/people/rights.ts
var LETTERS = [
	"A",
	"G",
	"M",
	"D"
];
var ACTIONS = [
	"add",
	"view",
	"edit",
	"delete",
	"export"
];
var ENTITIES = [
	"leads",
	"contacts",
	"companies",
	"tasks"
];
var ENTITY = {
	view: "D",
	edit: "D",
	add: "D",
	delete: "D",
	export: "D"
};
var NOTHING = {
	leads: ENTITY,
	contacts: ENTITY,
	companies: ENTITY,
	tasks: {
		edit: "D",
		delete: "D"
	},
	mail_access: false,
	catalog_access: false,
	status_rights: null
};
var width = (letter) => LETTERS.length - LETTERS.indexOf(letter);
var NEEDS = {
	add: [],
	view: [],
	edit: ["view"],
	export: ["view"],
	delete: ["view", "edit"]
};
function limit(row, action) {
	let found;
	for (const over of NEEDS[action]) {
		const letter = row[over];
		if (letter !== void 0 && (found === void 0 || width(letter) < width(found.letter))) found = {
			over,
			letter
		};
	}
	return found;
}
function refusal(row, action, letter, two) {
	if (two && (letter === "G" || letter === "M")) return { is: "two" };
	const most = limit(row, action);
	return most !== void 0 && width(letter) > width(most.letter) ? {
		is: "wide",
		...most
	} : void 0;
}
function choose(row, action, letter) {
	const next = {
		...row,
		[action]: letter
	};
	const forced = [];
	for (const other of [
		"edit",
		"delete",
		"export"
	]) {
		const [has, most] = [next[other], limit(next, other)];
		if (has === void 0 || most === void 0 || width(has) <= width(most.letter)) continue;
		next[other] = most.letter;
		forced.push(other);
	}
	return {
		row: next,
		forced
	};
}
var stages = (rights) => JSON.stringify([...rights.status_rights ?? []].sort((a, b) => a.pipeline_id - b.pipeline_id || a.status_id - b.status_id));
function patch(before, after) {
	const rights = {};
	for (const entity of ENTITIES) {
		const changed = {};
		for (const [action, letter] of Object.entries(after.rights[entity])) if (before.rights[entity][action] !== letter) changed[action] = letter;
		if (Object.keys(changed).length > 0) rights[entity] = changed;
	}
	for (const key of ["mail_access", "catalog_access"]) if (before.rights[key] !== after.rights[key]) rights[key] = after.rights[key];
	if (stages(before.rights) !== stages(after.rights)) rights.status_rights = after.rights.status_rights;
	return {
		...before.name === after.name ? {} : { name: after.name },
		...Object.keys(rights).length === 0 ? {} : { rights }
	};
}
function changes(before, after) {
	const found = [];
	const compare = (of, old, young) => {
		for (const action of ACTIONS) if (old[action] !== young[action]) found.push({
			of,
			action,
			before: old[action],
			after: young[action]
		});
	};
	for (const entity of ENTITIES) compare(entity, before[entity], after[entity]);
	for (const of of ["mail_access", "catalog_access"]) {
		const letter = (rights) => rights[of] ? "A" : "D";
		if (before[of] !== after[of]) found.push({
			of,
			action: void 0,
			before: letter(before),
			after: letter(after)
		});
	}
	const [old, young] = [before.status_rights ?? [], after.status_rights ?? []];
	const same = (a) => (b) => a.pipeline_id === b.pipeline_id && a.status_id === b.status_id;
	for (const stage of [...old, ...young.filter((it) => !old.some(same(it)))]) compare(stage, old.find(same(stage))?.rights ?? {}, young.find(same(stage))?.rights ?? {});
	return found;
}
function isLoss(change) {
	return change.before !== void 0 && (change.after === void 0 ? change.before === "A" : width(change.after) < width(change.before));
}
// src/areas/people/letter.tsx
function Right({ letter }) {
	return a("span", {
		class: `right ${letter}`,
		children: [
			a("b", { children: letter }),
			" ",
			people().letters[letter]
		]
	});
}
function saidRight(action, letter) {
	const words = people();
	return `${words.actions[action]}: ${letter === void 0 ? words.unsaid : `${words.reach[letter]} (${letter})`}`;
}
function Short({ row }) {
	return a("span", {
		class: "short-rights",
		children: ACTIONS.map((action) => {
			const letter = row[action];
			return letter === void 0 ? a("i", {
				"aria-hidden": "true",
				children: "–"
			}, action) : a("b", {
				class: `right ${letter}`,
				title: saidRight(action, letter),
				children: [letter, a("span", {
					class: "unseen",
					children: ` ${saidRight(action, letter)};`
				})]
			}, action);
		})
	});
}
function RightsTable({ rights }) {
	const words = people();
	return a("div", {
		class: "scrolls",
		tabIndex: 0,
		role: "region",
		"aria-label": words.rights,
		children: a("table", {
			class: "rights-table",
			children: [a("thead", { children: a("tr", { children: [a("td", {}), ACTIONS.map((action) => a("th", {
				scope: "col",
				children: words.actions[action]
			}, action))] }) }), a("tbody", { children: [ENTITIES.map((entity) => a("tr", { children: [a("th", {
				scope: "row",
				children: words.things[entity]
			}), ACTIONS.map((action) => {
				const letter = rights[entity][action];
				return a("td", { children: letter === void 0 ? a("span", {
					class: "soft",
					children: "—"
				}) : a(Right, { letter }) }, action);
			})] }, entity)), ["mail", "catalogs"].map((of) => a("tr", { children: [a("th", {
				scope: "row",
				children: words.things[of]
			}), a("td", {
				colSpan: ACTIONS.length,
				children: a(Right, { letter: (of === "mail" ? rights.mail_access : rights.catalog_access) ? "A" : "D" })
			})] }, of))] })]
		})
	});
}
// src/areas/people/matrix.tsx
var letterOf = (event) => LETTERS.find((letter) => event.code === `Key${letter}`);
function Matrix({ label, columns, rows, letters, onSet, onSetRow }) {
	const words = people().matrix;
	const at = useSignal({
		row: 0,
		column: 0
	});
	const table = T(null);
	const follows = T(false);
	const within = ({ row, column }) => ({
		row: Math.max(0, Math.min(rows.length - 1, row)),
		column: Math.max(0, Math.min(columns.length - 1, column))
	});
	const { row, column } = within(at.value);
	const chosen = rows[row]?.cells[column];
	F(() => {
		if (!follows.current) return;
		follows.current = false;
		table.current?.querySelector("[tabindex=\"0\"]")?.focus();
	});
	const go = (row, column) => {
		follows.current = true;
		at.value = within({
			row,
			column
		});
	};
	const next = (row, column) => {
		const chosen = rows[row]?.cells[column];
		if (chosen?.is === "action") {
			follows.current = true;
			chosen.run();
		}
		if (chosen?.is !== "right") return;
		const free = chosen.options.filter((option) => option.why === void 0);
		const found = free[(free.findIndex((option) => option.letter === chosen.value) + 1) % free.length];
		if (found !== void 0) onSet(row, column, found.letter);
	};
	const press = (event) => {
		if (event.altKey || event.isComposing) return;
		const held = event.ctrlKey || event.metaKey;
		const { row, column } = within(at.peek());
		const chosen = rows[row]?.cells[column];
		const again = () => next(row, column);
		const moves = {
			ArrowUp: () => go(row - 1, column),
			ArrowDown: () => go(row + 1, column),
			ArrowLeft: () => go(row, column - 1),
			ArrowRight: () => go(row, column + 1),
			Home: () => go(held ? 0 : row, 0),
			End: () => go(held ? rows.length : row, columns.length),
			...held ? {} : {
				Space: again,
				Enter: again
			}
		};
		const letter = held ? void 0 : letterOf(event);
		if (letter !== void 0) {
			if (event.shiftKey) onSetRow(row, letter);
			else onSet(row, column, letter);
		} else if (!held && (event.code === "Backspace" || event.code === "Delete")) {
			if (chosen?.is === "action") again();
			else if (chosen?.is === "right" && chosen.options.some((option) => option.letter === void 0)) onSet(row, column, void 0);
		} else {
			const move = moves[event.code];
			if (move === void 0) return;
			move();
		}
		event.preventDefault();
	};
	return a("div", {
		class: "matrix",
		children: [
			a("div", {
				class: "scrolls",
				children: a("table", {
					role: "grid",
					"aria-label": label,
					ref: table,
					onKeyDown: press,
					children: [a("thead", { children: a("tr", { children: [a("td", {}), columns.map((title) => a("th", {
						scope: "col",
						children: title
					}, title))] }) }), a("tbody", { children: rows.map((line, down) => a("tr", { children: [a("th", {
						scope: "row",
						children: line.title
					}), line.cells.map((cell, right) => {
						const isChosen = down === row && right === column;
						return a("td", {
							role: "gridcell",
							tabIndex: isChosen ? 0 : -1,
							"aria-selected": isChosen,
							"aria-invalid": cell.is === "right" && cell.wrong !== void 0 ? true : void 0,
							title: cell.is === "right" ? cell.wrong : void 0,
							onFocus: () => {
								const now = at.peek();
								if (now.row !== down || now.column !== right) at.value = {
									row: down,
									column: right
								};
							},
							onClick: cell.is === "action" ? cell.run : void 0,
							children: [a("span", {
								"aria-hidden": "true",
								children: a(Inside, { cell })
							}), a("span", {
								class: "unseen",
								children: cell.is === "none" ? `${cell.says}: ${cell.why}` : cell.says
							})]
						}, right);
					})] }, line.key)) })]
				})
			}),
			chosen !== void 0 && a("div", {
				class: "choice",
				role: "group",
				"aria-label": words.choice,
				children: [a(Choice$1, {
					cell: chosen,
					onChoose: (letter) => onSet(row, column, letter)
				}), chosen.is !== "action" && a("span", {
					class: "whole",
					children: [a("span", {
						class: "soft",
						children: words.row
					}), letters.map((letter) => a("button", {
						type: "button",
						tabIndex: -1,
						"aria-label": `${words.row} ${letter}`,
						onClick: () => onSetRow(row, letter),
						children: letter
					}, letter))]
				})]
			}),
			a("p", {
				class: "hint soft",
				children: words.hint(letters.join(" "))
			})
		]
	});
}
function Inside({ cell }) {
	if (cell.is === "none") return a("span", {
		class: "soft",
		children: "—"
	});
	if (cell.is === "action") return a(Icon, { name: "trash" });
	return cell.value === void 0 ? a("span", {
		class: "soft",
		children: people().unsaid
	}) : a(Right, { letter: cell.value });
}
function Choice$1({ cell, onChoose }) {
	if (cell.is !== "right") return a("span", { children: cell.is === "none" ? `${cell.says}: ${cell.why}` : cell.says });
	const reasons = [...new Set(cell.options.flatMap((option) => option.why === void 0 ? [] : [option.why]))];
	return a($, { children: [
		a("strong", { children: cell.says }),
		a("span", {
			class: "options",
			children: cell.options.map((option) => a("button", {
				type: "button",
				tabIndex: -1,
				"aria-pressed": option.letter === cell.value,
				disabled: option.why !== void 0,
				title: option.why,
				onClick: () => onChoose(option.letter),
				children: option.letter === void 0 ? people().unsaid : a(Right, { letter: option.letter })
			}, option.letter ?? ""))
		}),
		reasons.length > 0 && a("span", {
			class: "soft",
			children: reasons.join(" · ")
		})
	] });
}
// src/areas/people/rights-editor.tsx
var knowsTwo = (action) => action === "add";
function why(row, action, letter, two) {
	const words = people();
	const found = refusal(row, action, letter, two);
	if (found === void 0) return void 0;
	return found.is === "two" ? words.matrix.two : words.matrix.wide(words.actions[action], words.actions[found.over], found.letter);
}
function setRight(edit, name, row, { action, letter, two }, put) {
	if (refusal(row, action, letter, two) !== void 0) {
		const says = () => people().matrix.refused(name(), people().actions[action], letter, why(row, action, letter, two) ?? "");
		edit.note.value = {
			tone: "refused",
			says
		};
		return;
	}
	if (row[action] === letter) return;
	const { row: next, forced } = choose(row, action, letter);
	edit.put(put(next), {
		tone: forced.length > 0 ? "forced" : "quiet",
		says: () => {
			const words = people();
			if (forced.length === 0) return `${name()}, ${saidRight(action, letter)}`;
			const followed = forced.map((other) => words.actions[other]);
			return words.matrix.forced(name(), words.actions[action], letter, followed);
		}
	});
}
function RightsEditor({ edit, wrong }) {
	const words = people();
	const rights = edit.rights.value;
	const cell = (entity, action) => {
		const row = rights[entity];
		const value = row[action];
		const says = `${words.things[entity]}, ${words.actions[action]}`;
		if (value === void 0) return {
			is: "none",
			says,
			why: words.matrix.noSuch
		};
		return {
			is: "right",
			value,
			says: `${words.things[entity]}, ${saidRight(action, value)}`,
			options: LETTERS.map((letter) => ({
				letter,
				why: why(row, action, letter, knowsTwo(action))
			})),
			wrong: wrong?.(`rights.${entity}.${action}`)
		};
	};
	const set = (at, column, letter) => {
		const [entity, action] = [ENTITIES[at], ACTIONS[column]];
		if (entity === void 0 || action === void 0 || letter === void 0) return;
		const row = edit.rights.peek()[entity];
		const name = () => people().things[entity];
		if (row[action] === void 0) {
			edit.note.value = {
				tone: "refused",
				says: () => `${name()}, ${people().actions[action]}: ${people().matrix.noSuch}`
			};
			return;
		}
		setRight(edit, name, row, {
			action,
			letter,
			two: knowsTwo(action)
		}, (next) => ({
			...edit.rights.peek(),
			[entity]: next
		}));
	};
	const setRow = (at, letter) => {
		const entity = ENTITIES[at];
		if (entity === void 0) return;
		const now = edit.rights.peek();
		const row = {};
		for (const [action, had] of Object.entries(now[entity])) row[action] = knowsTwo(action) && (letter === "G" || letter === "M") ? had : letter;
		const says = () => people().matrix.wholeRow(people().things[entity], letter);
		edit.put({
			...now,
			[entity]: row
		}, {
			tone: "quiet",
			says
		});
	};
	return a("div", {
		class: "rights-editor",
		children: [
			a(Matrix, {
				label: words.rights,
				columns: ACTIONS.map((action) => words.actions[action]),
				rows: ENTITIES.map((entity) => ({
					key: entity,
					title: words.things[entity],
					cells: ACTIONS.map((action) => cell(entity, action))
				})),
				letters: LETTERS,
				onSet: set,
				onSetRow: setRow
			}),
			a(Notice, { edit }),
			a("div", {
				class: "switches",
				children: [a(Switch, {
					edit,
					of: "mail_access",
					says: words.things.mail
				}), a(Switch, {
					edit,
					of: "catalog_access",
					says: words.things.catalogs
				})]
			})
		]
	});
}
function Notice({ edit }) {
	const note = edit.note.value;
	const isShown = note !== void 0 && note.tone !== "quiet";
	return a("div", {
		class: "rights-notice",
		children: [a("p", {
			role: "status",
			class: isShown ? "told" : "unseen",
			children: [isShown && a(Icon, { name: "warning" }), a("span", { children: note?.says() ?? "" })]
		}), edit.past.value.length > 0 && a(Button, {
			onClick: () => edit.undo(),
			children: people().undo
		})]
	});
}
function Switch({ edit, of, says }) {
	const on = edit.rights.value[of];
	const words = people();
	return a("label", { children: [
		a("input", {
			type: "checkbox",
			checked: on,
			onChange: (event) => {
				const checked = event.currentTarget.checked;
				edit.put({
					...edit.rights.peek(),
					[of]: checked
				}, {
					tone: "quiet",
					says: () => `${says}: ${checked ? words.on : words.off}`
				});
			}
		}),
		" ",
		says,
		": ",
		a("b", { children: on ? words.on : words.off })
	] });
}
// src/areas/people/roles/stages.tsx
var COLUMNS = [
	"view",
	"edit",
	"delete",
	"export"
];
function stageName(all, at) {
	const pipeline = all.find((known) => known.id === at.pipeline_id);
	const stage = pipeline?._embedded.statuses.find((known) => known.id === at.status_id);
	return `${pipeline?.name ?? at.pipeline_id} ▸ ${stage?.name ?? at.status_id}`;
}
function isUnsorted(all, at) {
	return all.flatMap((pipeline) => pipeline._embedded.statuses).some((stage) => stage.type === 1 && stage.id === at.status_id && stage.pipeline_id === at.pipeline_id);
}
function unsortedStages(all) {
	return all.flatMap((pipeline) => pipeline._embedded.statuses.filter((stage) => stage.type === 1).map(denied));
}
var denied = (stage) => ({
	entity_type: "leads",
	pipeline_id: stage.pipeline_id,
	status_id: stage.id,
	rights: {
		view: "D",
		edit: "D",
		delete: "D",
		...stage.type === 1 ? {} : { export: "D" }
	}
});
var isSame = (a, b) => a.pipeline_id === b.pipeline_id && a.status_id === b.status_id;
function Stages({ edit, pipelines }) {
	const words = people();
	const wanted = useSignal("");
	const list = edit.rights.value.status_rights ?? [];
	const now = () => edit.rights.peek().status_rights ?? [];
	const put = (next) => ({
		...edit.rights.peek(),
		status_rights: next
	});
	const replace = (at, rights) => put(now().map((it) => it === at ? {
		...at,
		rights
	} : it));
	const cell = (at, action) => {
		const [name, letter, unsorted] = [
			stageName(pipelines, at),
			at.rights[action],
			isUnsorted(pipelines, at)
		];
		if (action === "export" && unsorted) return {
			is: "none",
			says: `${name}, ${words.actions.export}`,
			why: words.stages.noExport
		};
		const letters = action === "export" ? [
			"A",
			"D",
			void 0
		] : ["A", "D"];
		return {
			is: "right",
			value: letter,
			says: `${name}, ${saidRight(action, letter)}`,
			options: letters.map((it) => ({
				letter: it,
				why: it === void 0 ? void 0 : why(at.rights, action, it, true)
			}))
		};
	};
	const removal = (at) => {
		const name = stageName(pipelines, at);
		if (isUnsorted(pipelines, at)) return {
			is: "none",
			says: name,
			why: words.stages.stays
		};
		const says = words.stages.remove(name);
		return {
			is: "action",
			says,
			run: () => edit.put(put(now().filter((it) => !isSame(it, at))), {
				tone: "quiet",
				says: () => says
			})
		};
	};
	const set = (row, column, letter) => {
		const [at, action] = [now()[row], COLUMNS[column]];
		if (at === void 0 || action === void 0) return;
		const name = () => stageName(pipelines, at);
		if (action === "export" && isUnsorted(pipelines, at)) edit.note.value = {
			tone: "refused",
			says: () => `${name()}: ${people().stages.noExport}`
		};
		else if (letter === void 0) {
			const { [action]: _gone, ...rights } = at.rights;
			edit.put(replace(at, rights), {
				tone: "quiet",
				says: () => `${name()}, ${saidRight(action, void 0)}`
			});
		} else setRight(edit, name, at.rights, {
			action,
			letter,
			two: true
		}, (rights) => replace(at, rights));
	};
	const setRow = (row, letter) => {
		const at = now()[row];
		if (at === void 0) return;
		if (letter === "G" || letter === "M") {
			edit.note.value = {
				tone: "refused",
				says: () => people().matrix.two
			};
			return;
		}
		const rights = Object.fromEntries(Object.keys(at.rights).map((action) => [action, letter]));
		edit.put(replace(at, rights), {
			tone: "quiet",
			says: () => words.matrix.wholeRow(stageName(pipelines, at), letter)
		});
	};
	const free = pipelines.flatMap((pipeline) => pipeline._embedded.statuses).filter((stage) => !list.some((at) => at.pipeline_id === stage.pipeline_id && at.status_id === stage.id));
	const keyOf = (stage) => `${stage.pipeline_id}/${stage.id}`;
	const first = free[0];
	const chosen = free.find((stage) => keyOf(stage) === wanted.value) ?? first;
	return a("section", {
		"aria-labelledby": "stage-rights",
		children: [
			a("h2", {
				id: "stage-rights",
				children: words.stages.title
			}),
			a("p", {
				class: "soft",
				children: words.stages.text
			}),
			list.filter((at) => isUnsorted(pipelines, at) && at.rights.view !== "A").map((at) => a("p", {
				class: "newcomers",
				children: [
					a(Icon, { name: "warning" }),
					" ",
					a("span", { children: words.stages.newcomers(stageName(pipelines, at)) })
				]
			}, `${at.pipeline_id}/${at.status_id}`)),
			list.length > 0 && a(Matrix, {
				label: words.stages.title,
				columns: [...COLUMNS.map((action) => words.actions[action]), words.stages.removal],
				rows: list.map((at) => ({
					key: `${at.pipeline_id}/${at.status_id}`,
					title: stageName(pipelines, at),
					cells: [...COLUMNS.map((action) => cell(at, action)), removal(at)]
				})),
				letters: ["A", "D"],
				onSet: set,
				onSetRow: setRow
			}),
			chosen !== void 0 && a("div", {
				class: "add-stage",
				children: [a("select", {
					"aria-label": words.stages.which,
					value: keyOf(chosen),
					onChange: (event) => wanted.value = event.currentTarget.value,
					children: free.map((stage) => a("option", {
						value: keyOf(stage),
						children: stageName(pipelines, {
							pipeline_id: stage.pipeline_id,
							status_id: stage.id
						})
					}, keyOf(stage)))
				}), a(Button, {
					icon: "plus",
					onClick: () => {
						const name = stageName(pipelines, {
							pipeline_id: chosen.pipeline_id,
							status_id: chosen.id
						});
						edit.put(put([...now(), denied(chosen)]), {
							tone: "quiet",
							says: () => `${people().stages.add}: ${name}`
						});
					},
					children: words.stages.add
				})]
			})
		]
	});
}
// src/areas/people/explain/answer.tsx
var isWithin = (relation, right) => right === "A" || right === "G" && relation !== "other" || right === "M" && relation === "own";
function three({ question, ruling, lead, users, pipelines }) {
	const words = people().explain;
	const [general, stage, chat] = [
		[],
		[],
		[]
	];
	let [afterGeneral, afterStage, afterChat] = [
		"D",
		"D",
		"D"
	];
	let isFlag = false;
	for (const step of ruling.steps) if (step.step === "flag") {
		isFlag = true;
		general.push(words.flags[step.flag]);
		afterGeneral = afterStage = afterChat = step.right;
	} else if (step.step === "general") {
		const of = users.find((user) => user.id === question.user)?._embedded?.roles?.[0];
		general.push(step.role === void 0 ? words.own : a($, { children: [
			words.role,
			" ",
			a("a", {
				href: `/roles/${step.role}`,
				children: of?.id === step.role ? of.name : `#${step.role}`
			})
		] }));
		afterGeneral = afterStage = afterChat = step.right;
	} else if (step.step === "inherited") general.push(` · ${words.inherited}`);
	else if (step.step === "stage") {
		stage.push(words.stage(stageName(pipelines, step)));
		afterStage = afterChat = step.right;
	} else if (step.step === "limited") {
		stage.push(words.limited(people().actions[step.by]));
		afterStage = afterChat = step.right;
	} else if (step.step === "subscriber") {
		chat.push(words.subscribed);
		afterChat = step.right;
	}
	if (stage.length === 0) stage.push(isFlag ? words.decided : question.thing !== "leads" ? words.onlyLeads : lead === void 0 ? words.noLead : words.noStage(stageName(pipelines, lead)));
	if (chat.length === 0) chat.push(isFlag ? words.decided : question.thing !== "leads" ? words.onlyLeads : question.action === "view" ? words.noSubscriber : words.onlyView);
	return [
		{
			title: words.steps.general,
			says: general,
			right: afterGeneral ?? "D"
		},
		{
			title: words.steps.stage,
			says: stage.join("; "),
			right: afterStage ?? "D"
		},
		{
			title: words.steps.subscriber,
			says: chat,
			right: afterChat ?? "D"
		}
	];
}
function Answer(props) {
	const { ruling, lead, users, question } = props;
	const words = people().explain;
	const relation = ruling.steps.find((step) => step.step === "reach")?.relation ?? "other";
	const name = (id) => users.find((user) => user.id === id)?.name ?? people().roles.user(id);
	const answers = lead?.responsible_user_id ?? void 0;
	const responsible = answers === void 0 ? void 0 : name(answers);
	const action = question.action === void 0 ? void 0 : people().actions[question.action];
	const asked = words.asked(name(ruling.user_id), action, people().things[question.thing], question.id);
	return a("section", {
		class: `answer card ${ruling.allowed ? "yes" : "no"}`,
		"aria-labelledby": "answer",
		children: [
			a("h2", {
				id: "answer",
				children: [
					a(Icon, { name: ruling.allowed ? "check" : "stopped" }),
					a("b", { children: ruling.allowed ? words.yes : words.no }),
					" ",
					a("span", { children: asked })
				]
			}),
			a("ol", { children: three(props).map((step) => a("li", { children: [
				a("b", { children: step.title }),
				a("span", { children: step.says }),
				a(Right, { letter: step.right }),
				a("span", {
					class: "so-far",
					children: isWithin(relation, step.right) ? words.yes : words.no
				})
			] }, step.title)) }),
			a("p", { children: [
				words.relation[relation](responsible),
				" ",
				words.reaches(people().reach[ruling.right], ruling.right)
			] })
		]
	});
}
// src/areas/people/explain/question.ts
var ALL = [
	"view",
	"edit",
	"add",
	"delete",
	"export"
];
var DEEDS = [
	{
		thing: "leads",
		actions: ALL
	},
	{
		thing: "contacts",
		actions: ALL
	},
	{
		thing: "companies",
		actions: ALL
	},
	{
		thing: "customers",
		actions: ALL
	},
	{
		thing: "tasks",
		actions: ["edit", "delete"]
	},
	{
		thing: "mail",
		actions: []
	},
	{
		thing: "catalogs",
		actions: []
	}
];
function read(query, own) {
	const deed = DEEDS.find(({ thing }) => thing === query.get("entity")) ?? DEEDS[0];
	const thing = deed?.thing ?? "leads";
	const action = deed?.actions.find((known) => known === query.get("action")) ?? deed?.actions[0];
	const user = Number(query.get("user") ?? own);
	const hasId = thing === "leads" || thing === "contacts";
	return {
		user: Number.isInteger(user) ? user : own,
		thing,
		action,
		id: hasId ? query.get("id") ?? "" : ""
	};
}
// src/areas/people/explain/page.tsx
var OFFERED = 50;
function ExplainPage() {
	const words = people().explain;
	const around = useLoad("rights", async (signal) => {
		const leads = ask("/api/v4/leads", {
			query: { limit: OFFERED },
			signal
		});
		const [users, pipelines$4, listed] = await Promise.all([
			isAdministrator.peek() ? everybody(signal) : void 0,
			pipelines(signal),
			leads
		]);
		const own = me.peek()?.user;
		return {
			users: users?.items ?? [own],
			pipelines: pipelines$4,
			leads: listed?._embedded.leads ?? []
		};
	});
	const question = read(place.value.query, me.value?.user.id ?? 0);
	return a(Page, {
		title: words.title,
		children: [
			a("p", {
				class: "soft",
				children: words.text
			}),
			around.problem.value !== void 0 && a(ProblemNote, {
				problem: around.problem.value,
				retry: around.reload
			}),
			around.data.value === void 0 ? around.problem.value === void 0 && a(Skeleton, { rows: 2 }) : a($, { children: [a(Ask, {
				question,
				around: around.data.value
			}), a("div", {
				role: "status",
				children: a(Answered, {
					question,
					around: around.data.value
				})
			})] })
		]
	});
}
function Ask({ question, around }) {
	const words = people().explain;
	const { things, actions } = people();
	const of = (thing, action) => `${thing}.${action ?? ""}`;
	const isKnown = around.users.some((user) => user.id === question.user);
	return a("form", {
		class: "question card",
		onSubmit: (event) => event.preventDefault(),
		children: [
			a(Field, {
				label: words.who,
				hint: isAdministrator.value ? void 0 : words.onlyYou,
				children: (input) => a("select", {
					...input,
					disabled: !isAdministrator.value,
					value: question.user,
					onChange: (event) => narrow({ user: event.currentTarget.value }),
					children: [!isKnown && a("option", {
						value: question.user,
						children: ["#", question.user]
					}), around.users.map((user) => a("option", {
						value: user.id,
						children: user.name
					}, user.id))]
				})
			}),
			a(Field, {
				label: words.what,
				children: (input) => a("select", {
					...input,
					value: of(question.thing, question.action),
					onChange: (event) => {
						const [entity = "", action = ""] = event.currentTarget.value.split(".");
						narrow({
							entity,
							action,
							...entity === question.thing ? {} : { id: null }
						});
					},
					children: DEEDS.map((deed) => deed.actions.length === 0 ? a("option", {
						value: of(deed.thing, void 0),
						children: things[deed.thing]
					}, deed.thing) : a("optgroup", {
						label: things[deed.thing],
						children: deed.actions.map((action) => a("option", {
							value: of(deed.thing, action),
							children: `${things[deed.thing]}: ${actions[action]}`
						}, action))
					}, deed.thing))
				})
			}),
			(question.thing === "leads" || question.thing === "contacts") && a(Field, {
				label: question.thing === "leads" ? words.lead : words.contact,
				hint: words.idHint,
				children: (input) => a("input", {
					...input,
					inputMode: "numeric",
					autocomplete: "off",
					list: question.thing === "leads" ? "leads" : void 0,
					value: question.id,
					onInput: (event) => narrow({ id: event.currentTarget.value.replaceAll(/\D/g, "").slice(0, 15) })
				})
			}),
			a("datalist", {
				id: "leads",
				children: around.leads.map((lead) => a("option", {
					value: lead.id,
					children: lead.name
				}, lead.id))
			})
		]
	});
}
function Answered({ question, around }) {
	const { user, thing, action, id } = question;
	const found = useLoad(`${user} ${thing} ${action} ${id}`, async (signal) => {
		return {
			ruling: await ask("/inbox/v1/rights/explain", {
				query: {
					entity: thing,
					action,
					user_id: user,
					id
				},
				signal
			}),
			lead: thing === "leads" && id !== "" ? await ask(`/api/v4/leads/${id}`, { signal }) : void 0
		};
	});
	if (found.problem.value !== void 0) return a(ProblemNote, {
		problem: found.problem.value,
		retry: found.reload
	});
	const told = found.data.value;
	if (told === void 0 || told.ruling.user_id !== user) return a(Skeleton, { rows: 2 });
	return a(Answer, {
		question,
		ruling: told.ruling,
		lead: told.lead,
		users: around.users,
		pipelines: around.pipelines
	});
}
// src/areas/people/administrators.tsx
function Administrators({ title, children }) {
	if (isAdministrator.value) return a($, { children: children() });
	const words = people().administrators;
	return a(Page, {
		title,
		children: a(Empty, {
			title: words.title,
			children: a("p", { children: words.text })
		})
	});
}
// src/areas/people/told.tsx
var last$1 = y(void 0);
function tell(text, address) {
	last$1.value = {
		text,
		visit: visits.peek() + (address === void 0 ? 0 : 1)
	};
	if (address !== void 0) open(address, "replace");
}
function Told() {
	const said = last$1.value;
	return a("div", {
		class: "told-here",
		role: "status",
		children: said !== void 0 && said.visit === visits.value && a("p", {
			class: "notice",
			children: said.text
		})
	});
}
// src/areas/people/edit.ts
var Edit = class {
	rights;
	past = y([]);
	note = y(void 0);
	constructor(rights) {
		this.rights = y(rights);
	}
	put(next, note) {
		this.past.value = [...this.past.peek(), this.rights.peek()];
		this.rights.value = next;
		this.note.value = note;
	}
	undo() {
		const before = this.past.peek().at(-1);
		if (before === void 0) return;
		this.past.value = this.past.peek().slice(0, -1);
		this.rights.value = before;
		this.note.value = void 0;
	}
	onKeyDown = (event) => {
		if (event.code !== "KeyZ" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
		const { target } = event;
		if (target instanceof HTMLElement && target.matches("textarea, input:not([type=checkbox])")) return;
		event.preventDefault();
		this.undo();
	};
};
// src/areas/people/roles/draft.ts
var drafts = new Map();
var keyOf = (id) => `${me.peek()?.account?.id} ${me.peek()?.user.id} ${id}`;
var content = (role) => ({
	name: role.name,
	rights: role.rights
});
function bodyOf$1(draft) {
	const [name, rights] = [draft.name.value, draft.edit.rights.value];
	return draft.base.value === void 0 ? {
		name,
		rights
	} : patch(draft.base.value, {
		name,
		rights
	});
}
var isChanged = (draft) => draft.base.value !== void 0 && Object.keys(bodyOf$1(draft)).length > 0;
function begin(name, rights, source) {
	const base = source === void 0 ? void 0 : content(source);
	return {
		base: y(base),
		source,
		name: y(name),
		edit: new Edit(rights)
	};
}
function draftOf(id, { role, from, pipelines }, copy) {
	const key = keyOf(id);
	const known = drafts.get(key);
	if (known !== void 0 && (known.source === role || isChanged(known))) return known;
	const rights = from?.rights ?? {
		...NOTHING,
		status_rights: unsortedStages(pipelines)
	};
	const draft = role === void 0 ? begin(from === void 0 ? "" : copy(from.name), rights) : begin(role.name, role.rights, role);
	drafts.set(key, draft);
	return draft;
}
function forget(id) {
	drafts.delete(keyOf(id));
}
// src/areas/people/roles/changes.tsx
var NAMED = 5;
function named(ids, users) {
	const words = people().roles;
	const names = ids.slice(0, NAMED).map((id) => users.find((user) => user.id === id)?.name ?? words.user(id));
	return words.names(names, ids.length - names.length);
}
function said(change, pipelines) {
	const words = people();
	const of = typeof change.of === "object" ? stageName(pipelines, change.of) : change.of === "mail_access" ? words.things.mail : change.of === "catalog_access" ? words.things.catalogs : words.things[change.of];
	return `${change.action === void 0 ? of : `${of} → ${words.actions[change.action]}`}: ${change.before ?? words.unsaid} → ${change.after ?? words.unsaid}`;
}
function Effect({ before, after, pipelines, holders, users }) {
	const words = people().roles;
	const all = changes(before, after);
	if (holders.length === 0 || all.length === 0) return null;
	const parts = [{
		says: words.lose,
		list: all.filter(isLoss)
	}, {
		says: words.gain,
		list: all.filter((change) => !isLoss(change))
	}];
	return a("section", {
		class: "effect",
		"aria-labelledby": "effect",
		children: [a("h2", {
			id: "effect",
			children: words.effect(named(holders, users))
		}), parts.map(({ says, list }) => list.length > 0 && a("div", { children: [a("b", { children: says }), a("ul", { children: list.map((change) => a("li", { children: said(change, pipelines) }, said(change, pipelines))) })] }, says))]
	});
}
function Differences({ mine, base, theirs, pipelines, onTheirs, onMine }) {
	const words = people().roles;
	const now = content(theirs);
	const lines = (after) => [...after.name === base.name ? [] : [`${words.name}: ${base.name} → ${after.name}`], ...changes(base.rights, after.rights).map((change) => said(change, pipelines))];
	const versions = [{
		says: words.theirs,
		list: lines(now)
	}, {
		says: words.mine,
		list: lines({
			name: mine.name.value,
			rights: mine.edit.rights.value
		})
	}];
	return a("div", {
		class: "problem",
		role: "alert",
		children: [a(Icon, { name: "warning" }), a("div", { children: [
			a("strong", { children: words.conflict }),
			a("div", {
				class: "versions",
				children: versions.map(({ says, list }) => a("div", { children: [a("b", { children: says }), a("ul", { children: list.map((line) => a("li", { children: line }, line)) })] }, says))
			}),
			a("div", {
				class: "actions",
				children: [a(Button, {
					onClick: onTheirs,
					children: words.takeTheirs
				}), a(Button, {
					onClick: () => onMine(theirs),
					children: words.keepMine
				})]
			})
		] })]
	});
}
// src/areas/people/roles/delete.tsx
function DeleteRole({ role, users, onClose, onDone }) {
	const words = people().roles;
	const problem = useSignal(void 0);
	const busy = useSignal(false);
	const holders = role._embedded?.users ?? [];
	const remove = async () => {
		busy.value = true;
		try {
			await ask(`/api/v4/roles/${role.id}`, { method: "DELETE" });
			onDone();
		} catch (failure) {
			problem.value = asProblem(failure);
			busy.value = false;
		}
	};
	return a(Dialog, {
		title: words.deleteTitle(role.name),
		onClose,
		children: [
			a("p", { children: holders.length === 0 ? words.deleteNobody : words.deleteText(named(holders, users)) }),
			problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
			a("div", {
				class: "actions",
				children: [a(Button, {
					onClick: onClose,
					children: shell().cancel
				}), a(Button, {
					look: "danger",
					icon: "trash",
					busy: busy.value,
					onClick: () => void remove(),
					children: words.delete
				})]
			})
		]
	});
}
// src/areas/people/users/change.ts
var changeUser = (id, change) => ask(`/api/v4/users/${id}`, {
	method: "PATCH",
	body: change
});
async function changeUsers(users, change) {
	const failed = [];
	for (const user of users) try {
		await changeUser(user.id, change);
	} catch (failure) {
		failed.push({
			user,
			problem: asProblem(failure)
		});
	}
	return failed;
}
function changedRights(before, after) {
	const rights = {};
	for (const entity of ENTITIES) if (JSON.stringify(before[entity]) !== JSON.stringify(after[entity])) rights[entity] = after[entity];
	for (const key of ["mail_access", "catalog_access"]) if (before[key] !== after[key]) rights[key] = after[key];
	return rights;
}
function groupsOf(users) {
	return [...new Map(users.flatMap((user) => user._embedded?.groups ?? []).map((group) => [group.id, group])).values()].sort((a, b) => a.name.localeCompare(b.name));
}
// src/areas/people/roles/holders.tsx
function Holders({ role, users, reload }) {
	const words = people().holders;
	const adding = useSignal(false);
	const { busy, problem, run } = useWork();
	const ids = new Set(role._embedded?.users ?? []);
	const holders = users.filter((user) => ids.has(user.id));
	const take = (user) => run(async () => {
		await changeUser(user.id, { rights: { role_id: null } });
		tell(words.taken(user.name));
		reload();
	});
	return a("section", {
		class: "holders",
		"aria-labelledby": "holders",
		children: [
			a("header", { children: [a("h2", {
				id: "holders",
				children: words.title
			}), a(Button, {
				icon: "plus",
				onClick: () => adding.value = true,
				children: words.add
			})] }),
			problem !== void 0 && a(ProblemNote, { problem }),
			holders.length === 0 && a("p", {
				class: "soft",
				children: words.none
			}),
			holders.length > 0 && a("ul", {
				class: "card",
				children: holders.map((user) => a("li", { children: [
					a("a", {
						href: `/users/${user.id}`,
						children: user.name
					}),
					a("span", {
						class: "soft",
						children: user.email
					}),
					a(Button, {
						look: "quiet",
						busy,
						"aria-label": words.takeOf(user.name),
						onClick: () => void take(user),
						children: words.take
					})
				] }, user.id))
			}),
			adding.value && a(Give, {
				role,
				users: users.filter((user) => !user.rights.is_admin && !ids.has(user.id)),
				onClose: () => adding.value = false,
				onDone: (count) => {
					adding.value = false;
					tell(words.given(count));
					reload();
				}
			})
		]
	});
}
function Give({ role, users, onClose, onDone }) {
	const words = people().holders;
	const text = useSignal("");
	const chosen = useSignal(new Set());
	const failed = useSignal([]);
	const { busy, problem, run } = useWork();
	const wanted = text.value.trim().toLowerCase();
	const shown = users.filter((user) => [user.name, user.email].some((it) => it.toLowerCase().includes(wanted)));
	const put = (id, on) => {
		const next = new Set(chosen.value);
		if (on) next.add(id);
		else next.delete(id);
		chosen.value = next;
	};
	const give = () => run(async () => {
		const picked = users.filter((user) => chosen.value.has(user.id));
		failed.value = await changeUsers(picked, { rights: { role_id: role.id } });
		if (failed.value.length === 0) onDone(picked.length);
		else chosen.value = new Set(failed.value.map(({ user }) => user.id));
	});
	return a(Dialog, {
		title: words.addTitle(role.name),
		onClose,
		children: [
			a("p", {
				class: "soft",
				children: words.addText
			}),
			users.length === 0 ? a("p", { children: words.nobody }) : a($, { children: [a("input", {
				type: "search",
				"aria-label": words.search,
				placeholder: words.search,
				value: text.value,
				onInput: (event) => text.value = event.currentTarget.value
			}), a("ul", {
				class: "candidates",
				children: shown.map((user) => a("li", { children: a("label", { children: [a("input", {
					type: "checkbox",
					checked: chosen.value.has(user.id),
					onChange: (event) => put(user.id, event.currentTarget.checked)
				}), a("span", { children: [
					user.name,
					" ",
					a("span", {
						class: "soft",
						children: user._embedded?.roles?.[0]?.name ?? user.email
					})
				] })] }) }, user.id))
			})] }),
			problem !== void 0 && a(ProblemNote, { problem }),
			failed.value.map(({ user, problem: why }) => a("div", { children: [a("p", { children: people().change.failed(user.name) }), a(ProblemNote, { problem: why })] }, user.id)),
			a("div", {
				class: "actions",
				children: [a(Button, {
					onClick: onClose,
					children: shell().cancel
				}), a(Button, {
					look: "primary",
					busy,
					disabled: chosen.value.size === 0,
					onClick: () => void give(),
					children: words.submit(chosen.value.size)
				})]
			})
		]
	});
}
// src/areas/people/roles/preview.tsx
var quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
function Preview({ method, path, body }) {
	const words = people().roles;
	const text = body === void 0 ? void 0 : JSON.stringify(body);
	return a("section", {
		class: "preview",
		"aria-labelledby": "preview",
		children: [
			a("h2", {
				id: "preview",
				children: words.preview
			}),
			a("p", {
				class: "soft",
				children: a("code", { children: [
					method,
					" ",
					path
				] })
			}),
			text === void 0 ? a("p", {
				class: "soft",
				children: words.unchanged
			}) : a($, { children: [a("div", {
				class: "command",
				children: [a("pre", {
					tabIndex: 0,
					"data-preview": true,
					children: text
				}), a(Copy, {
					text,
					of: "JSON"
				})]
			}), a("details", { children: [a("summary", { children: "curl" }), a(Command, { text: `curl -X ${method} ${quoted(location.origin + path)} -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' --data-raw ${quoted(text)}` })] })] })
		]
	});
}
// src/areas/people/roles/editor.tsx
var NEW = "new";
function RolePage({ id }) {
	const from = place.value.query.get("from") ?? void 0;
	const title = id === NEW ? people().roles.add : people().roles.one;
	return a(Administrators, {
		title,
		children: () => a(Loading, {
			id,
			from,
			title
		}, `${id} ${from}`)
	});
}
function Loading({ id, from, title }) {
	const found = useLoad(`role ${id} ${from}`, async (signal) => {
		const [role$2, source, pipelines$3, users] = await Promise.all([
			id === NEW ? void 0 : role(id, signal),
			from === void 0 ? void 0 : role(from, signal),
			pipelines(signal),
			everybody(signal)
		]);
		return {
			role: role$2,
			from: source,
			pipelines: pipelines$3,
			users: users.items
		};
	});
	const loaded = found.data.value;
	if (loaded === void 0) return a(Page, {
		title,
		children: found.problem.value === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
			problem: found.problem.value,
			retry: found.reload
		})
	});
	const key = from === void 0 ? id : `${id} ${from}`;
	const draft = draftOf(key, loaded, people().roles.copyOf);
	return a(Editor, {
		id,
		draft,
		loaded,
		reload: found.reload,
		begin: () => {
			forget(key);
			found.reload();
		}
	}, key);
}
function Editor({ id, draft, loaded, reload, begin }) {
	const words = people().roles;
	const { role: role$1, pipelines, users } = loaded;
	const problem = useSignal(void 0);
	const busy = useSignal(false);
	const theirs = useSignal(void 0);
	const deleting = useSignal(false);
	const holders = role$1?._embedded?.users ?? [];
	const body = bodyOf$1(draft);
	const base = draft.base.value;
	const path = role$1 === void 0 ? "/api/v4/roles" : `/api/v4/roles/${role$1.id}`;
	const save = async () => {
		const saved = {
			name: draft.name.peek(),
			rights: draft.edit.rights.peek()
		};
		busy.value = true;
		problem.value = void 0;
		try {
			if (role$1 === void 0) {
				const made = await ask(path, {
					method: "POST",
					body
				});
				const name = draft.name.peek();
				begin();
				tell(words.added(name), `/roles/${made._embedded.roles[0]?.id ?? ""}`);
				return;
			}
			const now = await role(id);
			const base = draft.base.peek();
			if (base !== void 0 && Object.keys(patch(base, content(now))).length > 0) theirs.value = now;
			else {
				await ask(path, {
					method: "PATCH",
					body
				});
				tell(words.saved(holders.length));
				draft.base.value = saved;
				reload();
			}
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = false;
	};
	const isReady = role$1 === void 0 || isChanged(draft);
	const wrong = (at) => problem.value?.about(at);
	return a(Page, {
		title: role$1 === void 0 ? words.add : words.title1(role$1.name),
		actions: role$1 !== void 0 && a($, { children: [
			a("span", {
				class: "soft",
				children: words.held(holders.length)
			}),
			a(Button, {
				icon: "copy",
				onClick: () => open(`/roles/${NEW}?from=${role$1.id}`),
				children: words.duplicate
			}),
			a(Button, {
				look: "danger",
				icon: "trash",
				onClick: () => deleting.value = true,
				children: words.delete
			})
		] }),
		children: [
			a(Told, {}),
			a("form", {
				class: "role-editor",
				onKeyDown: draft.edit.onKeyDown,
				onSubmit: (event) => {
					event.preventDefault();
					if (isReady && !busy.value) save();
				},
				children: [
					a("div", {
						class: "name",
						children: a(Field, {
							label: words.name,
							hint: words.nameHint,
							error: wrong("name"),
							children: (input) => a("input", {
								...input,
								autocomplete: "off",
								maxLength: 255,
								value: draft.name.value,
								onInput: (event) => draft.name.value = event.currentTarget.value
							})
						})
					}),
					a(RightsEditor, {
						edit: draft.edit,
						wrong
					}),
					a(Stages, {
						edit: draft.edit,
						pipelines
					}),
					role$1 !== void 0 && base !== void 0 && isChanged(draft) && a(Effect, {
						before: base.rights,
						after: draft.edit.rights.value,
						pipelines,
						holders,
						users
					}),
					a(Preview, {
						method: role$1 === void 0 ? "POST" : "PATCH",
						path,
						body: isReady ? body : void 0
					}),
					theirs.value !== void 0 && base !== void 0 && a(Differences, {
						mine: draft,
						base,
						theirs: theirs.value,
						pipelines,
						onTheirs: begin,
						onMine: (now) => {
							draft.base.value = content(now);
							theirs.value = void 0;
						}
					}),
					problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
					a("div", {
						class: "actions",
						children: [
							!isReady && a("span", {
								class: "soft",
								children: words.unchanged
							}),
							role$1 !== void 0 ? a(Button, {
								disabled: !isReady,
								onClick: begin,
								children: words.discard
							}) : a(Button, {
								onClick: () => {
									begin();
									open("/roles");
								},
								children: shell().cancel
							}),
							a(Button, {
								type: "submit",
								look: "primary",
								busy: busy.value,
								disabled: !isReady,
								children: role$1 === void 0 ? words.create : words.save(holders.length)
							})
						]
					}),
					role$1 !== void 0 && a("p", {
						class: "soft",
						children: [
							words.tryIt,
							" ",
							a("a", {
								href: `/rights${holders[0] === void 0 ? "" : `?user=${holders[0]}`}`,
								children: shell().nav.rights
							})
						]
					})
				]
			}),
			role$1 !== void 0 && a(Holders, {
				role: role$1,
				users,
				reload
			}),
			deleting.value && role$1 !== void 0 && a(DeleteRole, {
				role: role$1,
				users,
				onClose: () => deleting.value = false,
				onDone: () => {
					forget(id);
					tell(words.deleted(role$1.name), "/roles");
				}
			})
		]
	});
}
// src/areas/people/roles/list.tsx
function RolesPage() {
	return a(Administrators, {
		title: people().roles.title,
		children: () => a(Roles, {})
	});
}
function Roles() {
	const words = people().roles;
	const found = useLoad("roles", roles);
	const all = found.data.value;
	return a(Page, {
		title: words.title,
		actions: a(Button, {
			look: "primary",
			icon: "plus",
			onClick: () => open("/roles/new"),
			children: words.add
		}),
		children: [
			a(Told, {}),
			found.problem.value !== void 0 && a(ProblemNote, {
				problem: found.problem.value,
				retry: found.reload
			}),
			all === void 0 && found.problem.value === void 0 && a(Skeleton, {}),
			all?.items.length === 0 && a(Empty, {
				title: words.empty,
				children: a("p", { children: words.emptyText })
			}),
			all !== void 0 && all.items.length > 0 && a($, { children: [
				a("p", {
					class: "soft",
					children: words.order
				}),
				a("div", {
					class: "scrolls card",
					tabIndex: 0,
					role: "region",
					"aria-label": words.title,
					children: a("table", {
						class: "roles",
						children: [a("thead", { children: a("tr", { children: [
							a("th", {
								scope: "col",
								children: words.name
							}),
							a("th", {
								scope: "col",
								children: words.holders
							}),
							ENTITIES.map((entity) => a("th", {
								scope: "col",
								children: people().things[entity]
							}, entity))
						] }) }), a("tbody", { children: all.items.map((role) => a("tr", { children: [
							a("th", {
								scope: "row",
								children: a("a", {
									href: `/roles/${role.id}`,
									children: role.name
								})
							}),
							a("td", { children: words.count(role._embedded?.users.length ?? 0) }),
							ENTITIES.map((entity) => a("td", { children: a(Short, { row: role.rights[entity] }) }, entity))
						] }, role.id)) })]
					})
				}),
				all.total > all.items.length && a("p", {
					class: "soft",
					children: people().users.loaded(all.items.length, all.total)
				})
			] }),
			found.loading.value && all !== void 0 && a("span", {
				class: "unseen",
				children: shell().loading
			})
		]
	});
}
var LINKS = /^www\.|^[^@]*\.(com|net|org|ru|рф|info|biz|io|su|xyz)\.*$/iu;
function ofName(name) {
	const words = people().add.rules;
	const length = [...name].length;
	return [
		{
			says: words.length(length, 50),
			holds: length > 0 && length <= 50
		},
		{
			says: words.signs,
			holds: /^[\p{Alphabetic}\p{N}\u0300-\u036f .@_-]*$/u.test(name) && /[\p{Alphabetic}\p{N}]/u.test(name)
		},
		{
			says: words.noLink,
			holds: !name.split(" ").some((word) => LINKS.test(word))
		}
	];
}
function ofEmail(email) {
	return [{
		says: people().add.rules.email,
		holds: /^[^\s@"<>[\]]+@[^\s@"<>[\]]+\.[^\s@.]+$/u.test(email) && email.length <= 254
	}];
}
function ofPassword(password) {
	const words = people().add.rules;
	return [
		{
			says: words.six,
			holds: [...password].length >= 6
		},
		{
			says: words.digit,
			holds: /[0-9]/.test(password)
		},
		{
			says: words.lower,
			holds: /\p{Lowercase}/u.test(password)
		},
		{
			says: words.upper,
			holds: /\p{Uppercase}/u.test(password)
		}
	];
}
function makePassword() {
	const signs = [
		"abcdefghijkmnpqrstuvwxyz",
		"ABCDEFGHJKLMNPQRSTUVWXYZ",
		"23456789"
	];
	const any = signs.join("");
	const one = (of) => {
		const most = 256 - 256 % of.length;
		for (;;) {
			const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
			if (byte < most) return of.charAt(byte % of.length);
		}
	};
	return [...signs.map(one), ...Array.from({ length: 11 }, () => one(any))].join("");
}
// src/areas/people/users/row.tsx
var FIELDS = [
	"name",
	"email",
	"password",
	"lang",
	"rights.role_id",
	"rights.group_id"
];
var OTHER = "other";
function Row({ row, at, roles, groups, wrong, onChange, onRemove }) {
	const words = people().add;
	const isShown = useSignal(false);
	const kind = { type: isShown.value ? "text" : "password" };
	const about = (path) => wrong.find((it) => it.path === path)?.detail;
	const inMatrix = /^rights\.(leads|contacts|companies|tasks)\./;
	const rest = wrong.filter((it) => !FIELDS.includes(it.path));
	const hasOwn = !row.free && row.role === "";
	const ignored = row.free ? words.freeIgnores : row.role === "" ? void 0 : words.roleIgnores;
	return a("fieldset", {
		class: "new-user card",
		children: [
			a("legend", { children: words.user(at + 1) }),
			onRemove !== void 0 && a("div", {
				class: "remove",
				children: a(Button, {
					look: "quiet",
					icon: "close",
					label: words.remove(at + 1),
					onClick: onRemove
				})
			}),
			a("div", {
				class: "fields",
				children: [
					a("div", { children: [a(Field, {
						label: people().users.name,
						error: about("name"),
						children: (input) => a("input", {
							...input,
							autocomplete: "off",
							value: row.name,
							onInput: (event) => onChange({ name: event.currentTarget.value })
						})
					}), a(Rules, {
						list: ofName(row.name),
						isBegun: row.name !== ""
					})] }),
					a("div", { children: [a(Field, {
						label: people().users.email,
						error: about("email"),
						children: (input) => a("input", {
							...input,
							type: "email",
							autocomplete: "off",
							value: row.email,
							onInput: (event) => onChange({ email: event.currentTarget.value })
						})
					}), a(Rules, {
						list: ofEmail(row.email),
						isBegun: row.email !== ""
					})] }),
					a("div", { children: [
						a(Field, {
							label: words.password,
							error: about("password"),
							children: (input) => a("input", {
								...input,
								...kind,
								autocomplete: "new-password",
								value: row.password,
								onInput: (event) => onChange({ password: event.currentTarget.value })
							})
						}),
						a(Rules, {
							list: ofPassword(row.password),
							isBegun: row.password !== ""
						}),
						a("div", {
							class: "password",
							children: [a("label", { children: [
								a("input", {
									type: "checkbox",
									checked: isShown.value,
									onChange: (event) => isShown.value = event.currentTarget.checked
								}),
								" ",
								words.show
							] }), a(Button, {
								look: "quiet",
								onClick: () => {
									onChange({ password: makePassword() });
									isShown.value = true;
								},
								children: words.make
							})]
						})
					] }),
					a("div", {
						class: "choices-of-user",
						children: [
							a(Field, {
								label: people().users.lang,
								error: about("lang"),
								children: (input) => a("select", {
									...input,
									value: row.lang,
									onChange: (event) => onChange({ lang: event.currentTarget.value }),
									children: [a("option", {
										value: "",
										children: words.langOfAccount
									}), LANGUAGES.map((lang) => a("option", {
										value: lang,
										children: LANGUAGE_NAMES[lang]
									}, lang))]
								})
							}),
							a(Field, {
								label: words.role,
								error: about("rights.role_id"),
								children: (input) => a("select", {
									...input,
									disabled: row.free,
									value: row.role,
									onChange: (event) => onChange({ role: event.currentTarget.value }),
									children: [a("option", {
										value: "",
										children: words.noRole
									}), roles.map((role) => a("option", {
										value: role.id,
										children: role.name
									}, role.id))]
								})
							}),
							a(Group, {
								row,
								groups,
								error: about("rights.group_id"),
								onChange
							}),
							a("label", { children: [
								a("input", {
									type: "checkbox",
									checked: row.free,
									onChange: (event) => onChange({ free: event.currentTarget.checked })
								}),
								" ",
								words.free
							] })
						]
					})
				]
			}),
			ignored !== void 0 && a("p", {
				class: "ignored",
				children: [
					a(Icon, { name: "warning" }),
					" ",
					ignored
				]
			}),
			rest.length > 0 && a("ul", {
				class: "wrong-rest",
				children: rest.map((it) => a("li", { children: [
					a("code", { children: it.path }),
					" ",
					it.detail
				] }, it.path + it.detail))
			}),
			hasOwn && a("details", {
				open: rest.some((it) => inMatrix.test(it.path)),
				onKeyDown: row.edit.onKeyDown,
				children: [a("summary", { children: words.own }), a(RightsEditor, {
					edit: row.edit,
					wrong: about
				})]
			})
		]
	});
}
function Group({ row, groups, error, onChange }) {
	const words = people().add;
	const isOther = useSignal(false);
	const isKnown = row.group === "" || groups.some((group) => String(group.id) === row.group);
	const asksNumber = isOther.value || !isKnown;
	return a(Field, {
		label: people().users.group,
		error,
		children: (input) => a($, { children: [a("select", {
			...input,
			disabled: row.free,
			value: asksNumber ? OTHER : row.group,
			onChange: (event) => {
				const { value } = event.currentTarget;
				isOther.value = value === OTHER;
				onChange({ group: value === OTHER ? "" : value });
			},
			children: [
				a("option", {
					value: "",
					children: words.groupDefault
				}),
				groups.map((group) => a("option", {
					value: group.id,
					children: group.name
				}, group.id)),
				a("option", {
					value: OTHER,
					children: words.groupOther
				})
			]
		}), asksNumber && !row.free && a("input", {
			type: "text",
			inputMode: "numeric",
			"aria-label": words.groupNumber,
			placeholder: words.groupNumber,
			value: row.group,
			onInput: (event) => onChange({ group: event.currentTarget.value.replaceAll(/\D/g, "").slice(0, 9) })
		})] })
	});
}
function Rules({ list, isBegun }) {
	const words = people().add.rules;
	return a("ul", {
		class: "rules",
		children: list.map((rule, at) => a("li", {
			class: !isBegun ? void 0 : rule.holds ? "good" : "missing",
			children: [
				isBegun && a(Icon, { name: rule.holds ? "check" : "close" }),
				isBegun && a("span", {
					class: "unseen",
					children: [rule.holds ? words.holds : words.missing, ": "]
				}),
				rule.says
			]
		}, at))
	});
}
// src/areas/people/users/new.ts
var last = 0;
function oneMore() {
	last += 1;
	return {
		key: last,
		name: "",
		email: "",
		password: "",
		lang: "",
		free: false,
		role: "",
		group: "",
		edit: new Edit(NOTHING)
	};
}
var who = () => `${me.peek()?.account?.id} ${me.peek()?.user.id}`;
var kept = y({
	of: "",
	rows: []
});
function rows() {
	if (kept.value.of !== who() || kept.value.rows.length === 0) kept.value = {
		of: who(),
		rows: [oneMore()]
	};
	return kept.value.rows;
}
function put(next) {
	kept.value = {
		of: who(),
		rows: next
	};
}
function bodyOf(row) {
	const { name, email, password, lang, free, role, group } = row;
	const { leads, contacts, companies, tasks, mail_access, catalog_access } = row.edit.rights.value;
	const rights = free ? { is_free: true } : {
		...role === "" ? {
			leads,
			contacts,
			companies,
			tasks,
			mail_access,
			catalog_access
		} : { role_id: Number(role) },
		...group === "" ? {} : { group_id: Number(group) }
	};
	return {
		name,
		email,
		password,
		...lang === "" ? {} : { lang },
		rights,
		request_id: String(row.key)
	};
}
// src/areas/people/users/add.tsx
function AddUsersPage() {
	return a(Administrators, {
		title: people().add.title,
		children: () => a(Add, {})
	});
}
function wrongOf(problem, key) {
	return problem?.items.find((item) => item.request_id === String(key))?.errors ?? [];
}
function Add() {
	const words = people().add;
	const problem = useSignal(void 0);
	const busy = useSignal(false);
	const known = useLoad("add", async (signal) => {
		const [roles$4, users] = await Promise.all([roles(signal), everybody(signal)]);
		const groups = new Map(users.items.flatMap((user) => user._embedded?.groups ?? []).map((group) => [group.id, group]));
		return {
			roles: roles$4.items,
			groups: [...groups.values()]
		};
	});
	const list = rows();
	const add = async () => {
		busy.value = true;
		problem.value = void 0;
		try {
			await ask("/api/v4/users", {
				method: "POST",
				body: list.map(bodyOf)
			});
			put([]);
			tell(words.added(list.length), "/users");
			return;
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = false;
		requestAnimationFrame(() => document.querySelector(".new-user [aria-invalid]")?.focus());
	};
	const rest = problem.value?.items.filter((item) => !list.some((row) => String(row.key) === item.request_id)) ?? [];
	const placed = problem.value?.items.some((item) => list.some((row) => String(row.key) === item.request_id)) ?? false;
	return a(Page, {
		title: words.title,
		children: [
			a("p", {
				class: "soft",
				children: words.text(10)
			}),
			known.problem.value !== void 0 && a(ProblemNote, {
				problem: known.problem.value,
				retry: known.reload
			}),
			a("form", {
				class: "new-users",
				noValidate: true,
				onSubmit: (event) => {
					event.preventDefault();
					if (!busy.value) add();
				},
				children: [
					list.map((row, at) => a(Row, {
						row,
						at,
						roles: known.data.value?.roles ?? [],
						groups: known.data.value?.groups ?? [],
						wrong: wrongOf(problem.value, row.key),
						onChange: (change) => put(list.map((it) => it === row ? {
							...row,
							...change
						} : it)),
						onRemove: list.length === 1 ? void 0 : () => put(list.filter((it) => it !== row))
					}, row.key)),
					a("div", { children: [
						a(Button, {
							icon: "plus",
							disabled: list.length >= 10,
							onClick: () => put([...list, oneMore()]),
							children: words.another
						}),
						" ",
						a("span", {
							class: "soft",
							children: words.room(list.length, 10)
						})
					] }),
					problem.value !== void 0 && a(ProblemNote, { problem: placed ? new Problem(problem.value.status, words.refused(problem.value.items.length), rest) : problem.value }),
					a("div", {
						class: "actions",
						children: [a(Button, {
							onClick: () => {
								put([]);
								open("/users");
							},
							children: shell().cancel
						}), a(Button, {
							type: "submit",
							look: "primary",
							busy: busy.value,
							children: words.submit(list.length)
						})]
					})
				]
			})
		]
	});
}
// src/areas/people/users/access.tsx
function Choice({ label, value, options, error, disabled = false, onChoose }) {
	return a(Field, {
		label,
		error,
		children: (input) => a("select", {
			...input,
			disabled,
			value,
			onChange: (event) => onChoose(event.currentTarget.value),
			children: options.map(([id, says]) => a("option", {
				value: id,
				children: says
			}, id))
		})
	});
}
var FREE = "free";
var accessOptions = (roles, own) => [
	["own", own],
	...roles.map((role) => [String(role.id), people().users.role(role.name)]),
	[FREE, people().users.free]
];
var languageOptions = () => LANGUAGES.map((lang) => [lang, LANGUAGE_NAMES[lang]]);
var groupOptions = (groups) => groups.map((group) => [String(group.id), group.name]);
// src/areas/people/users/several.tsx
function ChangeSeveral({ users, groups, onClose, onDone }) {
	const words = people();
	const roles$3 = useLoad("roles of several", roles);
	const access = useSignal("");
	const group = useSignal("");
	const lang = useSignal("");
	const failed = useSignal([]);
	const { busy, problem, run } = useWork();
	const stays = ["", words.change.stays];
	const change = () => {
		const rights = {
			...access.value === "" ? {} : access.value === "free" ? { is_free: true } : access.value === "own" ? {
				is_free: false,
				role_id: null
			} : { role_id: Number(access.value) },
			...group.value === "" ? {} : { group_id: Number(group.value) }
		};
		return {
			...lang.value === "" ? {} : { lang: lang.value },
			...Object.keys(rights).length === 0 ? {} : { rights }
		};
	};
	const isEmpty = access.value === "" && group.value === "" && lang.value === "";
	const left = failed.value.length > 0 ? users.filter((user) => failed.value.some((it) => it.user.id === user.id)) : users;
	const submit = () => run(async () => {
		failed.value = await changeUsers(left, change());
		if (failed.value.length < left.length) tell(words.change.changed(left.length - failed.value.length));
		if (failed.value.length === 0) onDone();
	});
	return a(Dialog, {
		title: words.change.severalTitle(users.length),
		onClose: failed.value.length > 0 ? onDone : onClose,
		children: [a("p", { children: users.map((user) => user.name).join(", ") }), a("form", {
			class: "stacked",
			onSubmit: (event) => {
				event.preventDefault();
				if (!isEmpty) submit();
			},
			children: [
				a(Choice, {
					label: words.users.access,
					value: access.value,
					options: [stays, ...accessOptions(roles$3.data.value?.items ?? [], words.change.none)],
					onChoose: (it) => access.value = it
				}),
				a(Choice, {
					label: words.users.group,
					value: group.value,
					options: [stays, ...groupOptions(groups)],
					onChoose: (it) => group.value = it
				}),
				a(Choice, {
					label: words.users.lang,
					value: lang.value,
					options: [stays, ...languageOptions()],
					onChoose: (it) => lang.value = it
				}),
				roles$3.problem.value !== void 0 && a(ProblemNote, {
					problem: roles$3.problem.value,
					retry: roles$3.reload
				}),
				problem !== void 0 && a(ProblemNote, { problem }),
				failed.value.map(({ user, problem: why }) => a("div", { children: [a("p", { children: words.change.failed(user.name) }), a(ProblemNote, { problem: why })] }, user.id)),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: failed.value.length > 0 ? onDone : onClose,
						children: shell().cancel
					}), a(Button, {
						type: "submit",
						look: "primary",
						busy,
						disabled: isEmpty,
						children: words.change.apply
					})]
				})
			]
		})]
	});
}
// src/areas/people/users/switching.tsx
var MOST = 10;
function Switching({ users, listed, onDone, reload, others }) {
	const words = people().users;
	const problem = useSignal(void 0);
	const busy = useSignal(false);
	const asking = useSignal(false);
	const reason = P();
	const why = me.value?.account?.plan !== "enterprise" ? words.enterpriseOnly : users.some((user) => user.rights.is_admin) ? words.noSwitch : users.length > MOST ? words.tooMany(MOST) : void 0;
	const set = async (active) => {
		busy.value = true;
		problem.value = void 0;
		asking.value = false;
		try {
			const body = users.map((user) => ({ id: user.id }));
			await ask(`/api/v4/users/${active ? "activate" : "deactivate"}`, {
				method: "POST",
				body
			});
			tell(active ? words.activated(users.length) : words.deactivated(users.length));
			onDone?.();
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		reload();
		busy.value = false;
	};
	const isOff = why !== void 0 || users.length === 0;
	return a($, { children: [
		a("div", {
			class: listed && users.length === 0 ? "switching idle" : "switching",
			children: [
				listed && a("span", { children: words.chosen(users.length) }),
				others,
				(listed || users.some((user) => !user.rights.is_active)) && a(Button, {
					"aria-describedby": reason,
					disabled: isOff,
					busy: busy.value,
					onClick: () => void set(true),
					children: words.activate
				}),
				(listed || users.some((user) => user.rights.is_active)) && a(Button, {
					"aria-describedby": reason,
					disabled: isOff,
					busy: busy.value,
					onClick: () => asking.value = true,
					children: words.deactivate
				}),
				a("span", {
					class: "soft",
					id: reason,
					children: why ?? (users.length === 0 ? words.chooseFirst : "")
				})
			]
		}),
		problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
		asking.value && a(Dialog, {
			title: words.deactivateTitle(users.length),
			onClose: () => asking.value = false,
			children: [
				a("p", { children: users.map((user) => user.name).join(", ") }),
				a("p", { children: words.deactivateText }),
				a("div", {
					class: "actions",
					children: [a(Button, {
						onClick: () => asking.value = false,
						children: shell().cancel
					}), a(Button, {
						look: "danger",
						onClick: () => void set(false),
						children: words.deactivate
					})]
				})
			]
		})
	] });
}
// src/areas/people/users/table.tsx
function AccessOf({ user }) {
	const words = people().users;
	const { is_admin, is_free, role_id } = user.rights;
	if (is_admin) return a($, { children: words.administrator });
	if (is_free) return a($, { children: words.free });
	if (role_id === null) return a($, { children: words.own });
	return a("a", {
		href: `/roles/${role_id}`,
		children: user._embedded?.roles?.[0]?.name ?? `#${role_id}`
	});
}
function StateOf({ user }) {
	const words = people().users;
	return user.rights.is_active ? a(Badge, {
		tone: "good",
		icon: "check",
		children: words.active
	}) : a(Badge, {
		icon: "stopped",
		children: words.inactive
	});
}
function Table({ rows, chosen }) {
	const words = people().users;
	const mine = me.value?.user.id;
	const put = (id, on) => {
		const next = new Set(chosen.value);
		if (on) next.add(id);
		else next.delete(id);
		chosen.value = next;
	};
	return a("div", {
		class: "scrolls card",
		tabIndex: 0,
		role: "region",
		"aria-label": words.title,
		children: a("table", {
			class: "users stacks",
			children: [a("thead", { children: a("tr", { children: [a("td", {}), [
				words.name,
				words.email,
				words.access,
				words.group,
				words.lang,
				words.state,
				words.chatId
			].map((title) => a("th", {
				scope: "col",
				children: title
			}, title))] }) }), a("tbody", { children: rows.map((user) => a("tr", { children: [
				a("td", { children: a("label", { children: a("input", {
					type: "checkbox",
					"aria-label": words.choose(user.name),
					title: user.rights.is_admin ? words.noSwitch : void 0,
					disabled: user.rights.is_admin,
					checked: chosen.value.has(user.id),
					onChange: (event) => put(user.id, event.currentTarget.checked)
				}) }) }),
				a("th", {
					scope: "row",
					children: [a("a", {
						href: `/users/${user.id}`,
						children: user.name
					}), user.id === mine && a("span", {
						class: "soft",
						children: [" ", words.you]
					})]
				}),
				a("td", {
					"data-label": words.email,
					children: user.email
				}),
				a("td", {
					"data-label": words.access,
					children: a(AccessOf, { user })
				}),
				a("td", {
					"data-label": words.group,
					children: user._embedded?.groups?.[0]?.name ?? user.rights.group_id
				}),
				a("td", {
					"data-label": words.lang,
					children: user.lang
				}),
				a("td", {
					"data-label": words.state,
					children: a(StateOf, { user })
				}),
				a("td", {
					class: "id",
					"data-label": words.chatId,
					children: user.amojo_id !== void 0 && a($, { children: [a("code", { children: [user.amojo_id.slice(0, 8), "…"] }), a(Copy, {
						text: user.amojo_id,
						of: `${words.chatId}, ${user.name}`
					})] })
				})
			] }, user.id)) })]
		})
	});
}
// src/areas/people/users/list.tsx
var BASE_MOST = 100;
function UsersPage() {
	return a(Administrators, {
		title: people().users.title,
		children: () => a(Users, {})
	});
}
function source(user) {
	const { is_admin, is_free, role_id } = user.rights;
	if (is_admin) return "admin";
	if (is_free) return "free";
	return role_id === null ? "own" : String(role_id);
}
function fits(user, wanted) {
	const text = folded(wanted("q")).trim();
	const [state, role, group] = [
		wanted("state"),
		wanted("role"),
		wanted("group")
	];
	return (text === "" || folded(user.name).includes(text) || folded(user.email).includes(text)) && (state === "" || state === "active" === user.rights.is_active) && (role === "" || source(user) === role) && (group === "" || String(user.rights.group_id) === group);
}
function known(all, of) {
	return [...new Map(all.flatMap((user) => user._embedded?.[of] ?? []).map((it) => [it.id, it])).values()].sort((a, b) => a.name.localeCompare(b.name));
}
function Users() {
	const words = people().users;
	const steps = T(1);
	const chosen = useSignal(new Set());
	const search = T(null);
	const changing = useSignal(false);
	const found = useLoad("users", (signal) => users(steps.current, signal));
	useShortcuts([{
		keys: "Slash",
		says: shell().shortcuts.search,
		run: () => search.current?.focus()
	}]);
	const { query } = place.value;
	const wanted = (name) => query.get(name) ?? "";
	const all = found.data.value;
	const rows = all?.items.filter((user) => fits(user, wanted)) ?? [];
	const picked = all?.items.filter((user) => chosen.value.has(user.id)) ?? [];
	const isNarrowed = [
		"q",
		"state",
		"role",
		"group"
	].some((name) => wanted(name) !== "");
	const plan = me.value?.account?.plan ?? "base";
	const isFull = plan === "base" && (all?.total ?? 0) > BASE_MOST;
	const clear = () => narrow({
		q: null,
		state: null,
		role: null,
		group: null
	});
	return a(Page, {
		title: words.title,
		actions: a(Button, {
			look: "primary",
			icon: "plus",
			disabled: isFull,
			onClick: () => open("/users/add"),
			children: words.add
		}),
		children: [
			a(Told, {}),
			all !== void 0 && a("p", {
				class: "soft",
				children: [plan === "base" ? words.ofPlan(all.total, BASE_MOST) : words.noLimit(all.total), isFull && a("strong", { children: [" ", words.full(BASE_MOST)] })]
			}),
			a("div", {
				class: "filters",
				role: "search",
				children: [
					a("input", {
						ref: search,
						type: "search",
						"aria-label": words.search,
						placeholder: words.search,
						value: wanted("q"),
						onInput: (event) => narrow({ q: event.currentTarget.value })
					}),
					a(Select, {
						name: "state",
						label: words.state,
						value: wanted("state"),
						options: [["active", words.active], ["inactive", words.inactive]]
					}),
					a(Select, {
						name: "role",
						label: words.access,
						value: wanted("role"),
						options: [
							["admin", words.administrator],
							["own", words.own],
							["free", words.free],
							...known(all?.items ?? [], "roles").map((role) => [String(role.id), words.role(role.name)])
						]
					}),
					a(Select, {
						name: "group",
						label: words.group,
						value: wanted("group"),
						options: known(all?.items ?? [], "groups").map((group) => [String(group.id), group.name])
					}),
					isNarrowed && a(Button, {
						onClick: clear,
						children: shell().clear
					})
				]
			}),
			found.problem.value !== void 0 && a(ProblemNote, {
				problem: found.problem.value,
				retry: found.reload
			}),
			all === void 0 && found.problem.value === void 0 && a(Skeleton, {}),
			all !== void 0 && a($, { children: [
				a(Switching, {
					users: picked,
					listed: true,
					onDone: () => chosen.value = new Set(),
					reload: found.reload,
					others: a(Button, {
						disabled: picked.length === 0,
						onClick: () => changing.value = true,
						children: people().change.several
					})
				}),
				changing.value && a(ChangeSeveral, {
					users: picked,
					groups: groupsOf(all.items),
					onClose: () => changing.value = false,
					onDone: () => {
						changing.value = false;
						chosen.value = new Set();
						found.reload();
					}
				}),
				rows.length === 0 ? a(Empty, {
					title: words.nobody,
					children: a(Button, {
						onClick: clear,
						children: shell().clear
					})
				}) : a(Table, {
					rows,
					chosen
				}),
				all.items.length < all.total && a("p", {
					class: "more-users",
					children: [a("span", {
						class: "soft",
						children: words.loaded(all.items.length, all.total)
					}), a(Button, {
						busy: found.loading.value,
						onClick: () => {
							steps.current += 1;
							found.reload();
						},
						children: shell().loadMore
					})]
				})
			] })
		]
	});
}
function Select({ name, label, value, options }) {
	return a("select", {
		"aria-label": label,
		value,
		onChange: (event) => narrow({ [name]: event.currentTarget.value }),
		children: [a("option", {
			value: "",
			children: `${label}: ${people().users.any}`
		}), options.map(([id, says]) => a("option", {
			value: id,
			children: says
		}, id))]
	});
}
// src/areas/people/users/new-password.tsx
function NewPassword({ label, hint, value, error }) {
	const words = people().add;
	const isShown = useSignal(false);
	const kind = { type: isShown.value ? "text" : "password" };
	return a("div", { children: [
		a(Field, {
			label,
			hint,
			error,
			children: (input) => a("input", {
				...input,
				...kind,
				...typed(value),
				autocomplete: "new-password"
			})
		}),
		value.value !== "" && a(Rules, {
			list: ofPassword(value.value),
			isBegun: true
		}),
		a("div", {
			class: "password",
			children: [a("label", { children: [
				a("input", {
					type: "checkbox",
					checked: isShown.value,
					onChange: (event) => isShown.value = event.currentTarget.checked
				}),
				" ",
				words.show
			] }), a(Button, {
				look: "quiet",
				onClick: () => {
					value.value = makePassword();
					isShown.value = true;
				},
				children: words.make
			})]
		})
	] });
}
// src/areas/people/users/edit.tsx
function accessOf({ rights }) {
	if (rights.is_free) return FREE;
	return rights.role_id === null ? "own" : String(rights.role_id);
}
function EditUser({ user, roles, groups, onSaved }) {
	const words = people();
	const { is_admin: isAdmin, group_id: groupId } = user.rights;
	const isOneself = user.id === me.value?.user.id;
	const name = useSignal(user.name);
	const email = useSignal(user.email);
	const lang = useSignal(user.lang);
	const group = useSignal(String(groupId));
	const access = useSignal(accessOf(user));
	const password = useSignal("");
	const edit = w(() => new Edit(user.rights), [user]);
	const { busy, problem, run } = useWork();
	const change = () => {
		const rights = {};
		if (group.value !== String(groupId)) rights.group_id = Number(group.value);
		if (access.value !== accessOf(user)) {
			if (access.value === "free") rights.is_free = true;
			else if (access.value !== "own") rights.role_id = Number(access.value);
			else if (user.rights.is_free) rights.is_free = false;
			else rights.role_id = null;
		}
		if (access.value === "own" && !isAdmin) Object.assign(rights, changedRights(user.rights, edit.rights.value));
		return {
			...name.value === user.name ? {} : { name: name.value.trim() },
			...email.value === user.email ? {} : { email: email.value.trim() },
			...lang.value === user.lang ? {} : { lang: lang.value },
			...password.value === "" ? {} : { password: password.value },
			...Object.keys(rights).length === 0 ? {} : { rights }
		};
	};
	const wanted = change();
	const isChanged = Object.keys(wanted).length > 0;
	const save = () => run(async () => {
		await changeUser(user.id, wanted);
		password.value = "";
		tell(words.change.saved);
		onSaved();
	});
	const wrong = (path) => problem?.about(path);
	return a("section", {
		class: "edit-user",
		"aria-labelledby": "edit-user",
		children: [a("h2", {
			id: "edit-user",
			children: words.change.title
		}), a("form", {
			class: "card",
			onKeyDown: edit.onKeyDown,
			onSubmit: (event) => {
				event.preventDefault();
				if (isChanged) save();
			},
			children: [
				a("div", {
					class: "fields",
					children: [
						a(Field, {
							label: words.users.name,
							error: wrong("name"),
							children: (input) => a("input", {
								...input,
								...typed(name),
								autocomplete: "off",
								required: true,
								maxLength: 50
							})
						}),
						a(Field, {
							label: words.users.email,
							error: wrong("email"),
							children: (input) => a("input", {
								...input,
								...typed(email),
								type: "email",
								autocomplete: "off",
								required: true
							})
						}),
						a(Choice, {
							label: words.users.lang,
							value: lang.value,
							options: languageOptions(),
							error: wrong("lang"),
							onChoose: (it) => lang.value = it
						}),
						a(Choice, {
							label: words.users.group,
							value: group.value,
							options: groupOptions(groups),
							error: wrong("rights.group_id"),
							onChoose: (it) => group.value = it
						}),
						!isAdmin && a(Choice, {
							label: words.users.access,
							value: access.value,
							options: accessOptions(roles, words.change.own),
							error: wrong("rights.role_id"),
							onChoose: (it) => access.value = it
						}),
						!isAdmin && a(NewPassword, {
							label: words.change.password,
							hint: words.change.passwordHint,
							value: password,
							error: wrong("password")
						})
					]
				}),
				isAdmin && a("p", {
					class: "soft",
					children: isOneself ? words.change.ofOneself : words.change.ofAdministrator
				}),
				!isAdmin && access.value === "own" && a("details", { children: [
					a("summary", { children: words.add.own }),
					user.rights.role_id !== null && a("p", {
						class: "soft",
						children: words.change.keepsRole
					}),
					a(RightsEditor, {
						edit,
						wrong
					})
				] }),
				problem !== void 0 && a(ProblemNote, { problem }),
				a("div", {
					class: "actions",
					children: [!isChanged && a("span", {
						class: "soft",
						children: words.change.unchanged
					}), a(Button, {
						type: "submit",
						look: "primary",
						busy,
						disabled: !isChanged,
						children: words.change.save
					})]
				})
			]
		})]
	});
}
// src/areas/people/users/user.tsx
function UserPage({ id }) {
	return a(Administrators, {
		title: people().users.one,
		children: () => a(One, { id })
	});
}
function One({ id }) {
	const words = people().users;
	const found = useLoad(`user ${id}`, async (signal) => {
		const [user$1, pipelines$1, roles$1, all] = await Promise.all([
			user(id, signal),
			pipelines(signal),
			roles(signal),
			everybody(signal)
		]);
		return {
			user: user$1,
			pipelines: pipelines$1,
			roles: roles$1.items,
			groups: groupsOf([user$1, ...all.items])
		};
	});
	if (found.data.value === void 0) return a(Page, {
		title: words.one,
		children: found.problem.value === void 0 ? a(Skeleton, {}) : a(ProblemNote, {
			problem: found.problem.value,
			retry: found.reload
		})
	});
	const { user: user$2, pipelines: pipelines$2, roles: roles$2, groups } = found.data.value;
	const { rights } = user$2;
	const rows = [
		[words.email, user$2.email],
		[words.state, a(StateOf, { user: user$2 })],
		[words.access, a(AccessOf, { user: user$2 })],
		[words.group, user$2._embedded?.groups?.[0]?.name ?? rights.group_id],
		[words.lang, user$2.lang],
		[words.number, a("code", { children: user$2.id })],
		[words.chatId, a("span", {
			class: "id",
			children: [a("code", { children: user$2.amojo_id }), a(Copy, {
				text: user$2.amojo_id ?? "",
				of: words.chatId
			})]
		})],
		[words.rank, user$2.user_rank === void 0 ? "—" : words.ranks[user$2.user_rank]]
	];
	const from = rights.is_admin ? words.fromAdministrator : rights.is_free ? words.fromFree : rights.role_id === null ? words.fromOwn : words.fromRole(user$2._embedded?.roles?.[0]?.name ?? String(rights.role_id));
	return a(Page, {
		title: user$2.name,
		actions: a("a", {
			class: "button",
			href: `/rights?user=${user$2.id}`,
			children: words.mayThey
		}),
		children: [
			a(Told, {}),
			a("dl", {
				class: "user-facts card",
				children: rows.map(([name, value]) => a("div", { children: [a("dt", { children: name }), a("dd", { children: value })] }, name))
			}),
			user$2.id === me.value?.user.id ? null : a(Switching, {
				users: [user$2],
				listed: false,
				reload: found.reload
			}),
			a(EditUser, {
				user: user$2,
				roles: roles$2,
				groups,
				onSaved: found.reload
			}, JSON.stringify(user$2)),
			a("section", {
				class: "effective",
				"aria-labelledby": "effective",
				children: [
					a("h2", {
						id: "effective",
						children: words.effective
					}),
					a("p", {
						class: "soft",
						children: from
					}),
					a(RightsTable, { rights }),
					(rights.status_rights?.length ?? 0) > 0 && a($, { children: [a("h3", { children: people().stages.title }), a("ul", {
						class: "stage-list",
						children: rights.status_rights?.map((stage) => a("li", { children: [
							a(Short, { row: stage.rights }),
							" ",
							stageName(pipelines$2, stage)
						] }, `${stage.pipeline_id}/${stage.status_id}`))
					})] })
				]
			})
		]
	});
}
export { AddUsersPage, ExplainPage, RolePage, RolesPage, UserPage, UsersPage };
