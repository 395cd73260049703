import { t as counted } from "./start.js";
// src/words/inbox.es.ts
var es = {
	title: "Bandeja",
	list: {
		label: "Conversaciones",
		skip: "Ir a la lista de conversaciones",
		search: "Buscar conversaciones",
		filter: "Filtrar conversaciones",
		filters: {
			all: "Todas",
			mine: "Mías",
			unread: "No leídas",
			failed: "Fallidas"
		},
		states: {
			snoozed: "Pospuesta",
			closed: "Cerrada"
		},
		fresh: (count) => counted("es", count, {
			one: "nueva",
			other: "nuevas"
		}),
		unread: (count) => counted("es", count, {
			one: "mensaje sin leer",
			other: "mensajes sin leer"
		}),
		empty: "Todavía no hay conversaciones",
		emptyText: "Un mensaje de un cliente abre una conversación. Envíe un mensaje por el canal de demostración:",
		nothing: {
			all: "No se encontraron conversaciones.",
			mine: "Usted no tiene conversaciones asignadas. Responda en una o acepte su lead.",
			unread: "No hay mensajes sin leer.",
			failed: "No hay mensajes fallidos."
		},
		you: "Usted",
		typing: "está escribiendo…",
		noMessages: "sin mensajes",
		nothingSoFar: "Por ahora no se encontraron conversaciones.",
		further: "Buscar conversaciones más antiguas",
		searchedTo: {
			conversations: (time) => `Nombres y números buscados hasta el ${time}.`,
			messages: (time) => `Textos buscados hasta el ${time}.`
		},
		next: "conversación siguiente",
		previous: "conversación anterior",
		nextUnread: "siguiente conversación sin leer",
		failed: "Error",
		retrying: "Reintento",
		unsent: "No enviado"
	},
	first: { open: "Iniciar conversación" },
	choose: {
		title: "Elija una conversación",
		newest: "abre la conversación sin leer más reciente"
	},
	thread: {
		label: (name) => `Mensajes con ${name}`,
		older: "Mostrar mensajes anteriores",
		begin: "Inicio de la conversación",
		newest: "Nuevos",
		today: "Hoy",
		yesterday: "Ayer",
		silent: (count) => counted("es", count, {
			one: "mensaje importado, silencioso",
			other: "mensajes importados, silenciosos"
		}),
		show: "mostrar",
		hide: "ocultar",
		fresh: (count) => counted("es", count, {
			one: "mensaje nuevo",
			other: "mensajes nuevos"
		}),
		toEnd: "Ir a los más recientes",
		typing: (name) => `${name} está escribiendo…`,
		from: (name) => `de ${name}`,
		through: (name, client) => `${name} mediante ${client}`,
		bot: (name) => `${name} (bot)`,
		imported: "importado",
		silentMark: "silencioso",
		edited: "editado",
		forwarded: "Reenviado",
		coordinates: "Coordenadas",
		elsewhere: "El servicio de mensajería del cliente guarda el archivo. Esta página no lo carga automáticamente.",
		openFile: "Abrir el archivo",
		unfold: (count) => `Mostrar los ${new Intl.NumberFormat("es").format(count)} caracteres`,
		fold: "Mostrar menos",
		unreachable: "El servicio no puede obtener el archivo:",
		missing: "Esta conversación no existe, o usted no tiene permiso para verla.",
		back: "Volver a la lista",
		markUnread: "Marcar como no leído",
		details: "Detalles",
		arrived: (name, text) => `${name}: ${text}`
	},
	state: {
		queued: "En cola",
		sending: "Enviando…",
		waiting: (attempt) => `Reintento tras ${counted("es", attempt, {
			one: "intento",
			other: "intentos"
		})}`,
		next: (time) => `próximo intento a las ${time}`,
		held: "Retenido",
		sent: "Enviado",
		delivered: "Entregado",
		read: "Leído",
		error: (code) => `Error · ${code}`,
		dead: "Error · la integración no lo aceptó",
		cancelled: "No enviado",
		again: "Enviar de nuevo",
		withdraw: "No enviar esto",
		dismiss: "Dejarlo así",
		see: "Mostrar el callback",
		901: "el cliente eliminó la conversación",
		902: "la integración está deshabilitada en el servicio de mensajería",
		903: "error interno del servicio de mensajería",
		904: "no se puede crear la conversación: es posible que el cliente no use el servicio de mensajería",
		905: "la integración no indicó un motivo preciso",
		said: (text) => `«${text}»`,
		announce: (state) => `Su mensaje: ${state}`
	},
	compose: {
		label: "Su respuesta",
		placeholder: "Escriba una respuesta…",
		send: "Enviar",
		hint: "Ctrl Enter envía",
		draft: "Borrador guardado",
		attach: "Adjuntar un archivo",
		remove: "Quitar el archivo",
		tooLarge: (size, most) => `El archivo tiene ${size}. Se pueden enviar archivos de hasta ${most}.`,
		uploading: "Subiendo…",
		failed: "No enviado. El texto queda aquí hasta que usted lo envíe o lo descarte.",
		retry: "Reintentar",
		discard: "Descartar el mensaje",
		focus: "escribir una respuesta",
		leave: "salir de la respuesta y guardar el borrador",
		sending: "Enviando…"
	},
	details: {
		title: "Detalles",
		close: "Cerrar los detalles",
		customer: "Cliente",
		phone: "Teléfono",
		email: "Correo",
		profile: "Perfil",
		untold: "No indicado",
		lead: "Lead",
		stage: "Etapa",
		responsible: "Responsable",
		noLead: {
			only_silent: (count) => count === 1 ? "Sin lead: el único mensaje es silencioso. Un mensaje que no es silencioso abre un lead." : `Sin lead: los ${count} mensajes son silenciosos. Un mensaje que no es silencioso abre un lead.`,
			only_ours: "Sin lead: el cliente todavía no ha escrito. El primer mensaje del cliente abre un lead.",
			no_messages: "Sin lead: la conversación todavía no tiene mensajes."
		},
		ids: "Ids",
		conversation: "Conversación",
		person: "Cliente",
		scope: "Scope",
		own: "Id interno",
		callbacks: "Mostrar los callbacks",
		contacts: "Mostrar los contactos"
	},
	kinds: {
		text: "Texto",
		picture: "Imagen",
		video: "Video",
		file: "Archivo",
		voice: "Mensaje de voz",
		audio: "Audio",
		sticker: "Sticker",
		contact: "Tarjeta de contacto",
		location: "Ubicación"
	}
};
// src/words/shell.es.ts
var es$1 = {
	product: "switchboard",
	skip: "Ir al contenido",
	navigation: "Páginas",
	more: "Más",
	developer: "Operador",
	nav: {
		inbox: "Bandeja",
		unsorted: "Sin clasificar",
		contacts: "Contactos",
		users: "Usuarios",
		roles: "Roles",
		rights: "Revisión de permisos",
		integrations: "Integraciones",
		webhooks: "Webhooks",
		callbacks: "Callbacks",
		hooks: "Eventos de webhooks",
		relays: "Relays",
		requests: "Solicitudes",
		channels: "Canales",
		oauthClients: "Clientes de OAuth",
		health: "Estado",
		worlds: "Mundos",
		api: "API"
	},
	connection: {
		label: "Conexión",
		live: "En vivo",
		connecting: "Conectando…",
		reconnecting: "Reconectando…",
		stale: (since) => `Sin conexión desde ${since}`,
		paused: (since) => `En pausa desde ${since}`,
		refresh: "Actualizar",
		resume: "Reanudar actualizaciones",
		"signed-out": "Sin sesión"
	},
	language: "Idioma",
	theme: {
		label: "Tema",
		system: "Como el sistema",
		light: "Claro",
		dark: "Oscuro"
	},
	account: "Su cuenta",
	administrator: "administrador",
	profile: "Perfil y notificaciones",
	signOut: "Cerrar sesión",
	signIn: {
		title: "Iniciar sesión",
		email: "Correo electrónico",
		password: "Contraseña",
		account: "Id de la cuenta",
		accountHint: "Hace falta solo si varias cuentas usan su correo. Un administrador de la cuenta conoce el id.",
		several: "Varias cuentas usan mi correo",
		submit: "Iniciar sesión",
		wrong: "El correo o la contraseña no es correcta.",
		throttled: (wait) => `Demasiados intentos fallidos. Vuelva a intentarlo en ${wait}.`,
		ended: "Su sesión terminó. La consola conservó el texto que no envió."
	},
	page: {
		missing: "Página no encontrada",
		missingText: "No hay ninguna página en esta dirección.",
		home: "Ir a la bandeja"
	},
	shortcuts: {
		open: "Atajos",
		help: "esta lista",
		pause: "pausar o reanudar las actualizaciones",
		goto: (page) => `ir a: ${page}`,
		search: "buscar"
	},
	problem: {
		unreachable: "El servicio no está accesible",
		unreachableText: "Es posible que el servicio se esté reiniciando. La página muestra los últimos datos conocidos.",
		400: "Solicitud no válida",
		401: "Sin sesión",
		403: "Sin permiso",
		404: "No encontrado",
		409: "Conflicto con el estado actual",
		413: "Demasiado grande",
		429: "Demasiadas solicitudes",
		503: "El servicio no está disponible",
		other: (status) => `El servicio respondió con el estado ${status}`,
		ours: "Error en la consola",
		retry: "Reintentar",
		wait: (wait) => `Vuelva a intentarlo en ${wait}.`,
		noRight: "Un administrador de la cuenta puede darle este permiso, en un rol o en su registro de usuario."
	},
	rights: {
		none: "No hay entradas dentro de sus permisos",
		text: "Usted ve solo lo que abarcan sus permisos. Un administrador de la cuenta puede ampliarlos."
	},
	operator: {
		title: "Para el operador",
		text: "Esta página usa la interfaz del operador. El navegador guarda el token hasta que usted cierra la sesión o la última pestaña de la consola.",
		token: "Token del operador",
		submit: "Continuar",
		wrong: "El token del operador es incorrecto.",
		hint: "El valor de operator.token en config.toml, o el token que mostró el primer inicio.",
		leave: "Eliminar el token del operador"
	},
	copy: "Copiar",
	copied: "Copiado",
	close: "Cerrar",
	cancel: "Cancelar",
	save: "Guardar",
	saved: "Guardado",
	search: "Buscar",
	clear: "Quitar el filtro",
	loading: "Cargando…",
	loadMore: "Mostrar más",
	command: "En una terminal:",
	seconds: (count) => counted("es", count, {
		one: "segundo",
		other: "segundos"
	}),
	minutes: (count) => counted("es", count, {
		one: "minuto",
		other: "minutos"
	})
};
export { es as inbox, es$1 as shell };
