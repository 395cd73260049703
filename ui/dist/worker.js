(function() {
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
	// src/words/notifications.en.ts
	var conversations$1 = (count) => counted("en", count, {
		one: "conversation",
		other: "conversations"
	});
	var en = {
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
	// src/worker.ts
	var WORDS = new Map(Object.entries({
		en,
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
		},
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
		}
	}));
	self.addEventListener("install", (event) => event.waitUntil(self.skipWaiting()));
	self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
	function title(push) {
		const words = WORDS.get(push.lang) ?? en;
		if (push.kind === "summary") return words.summary(push.count, push.conversations);
		return words.kinds[push.kind].title(push.channel ?? "Switchboard");
	}
	async function show(data) {
		const icon = "/ui/icon-192.png";
		try {
			const push = data?.json();
			const to = push.conversation_id === null ? "/conversations" : `/conversations/${push.conversation_id}`;
			const options = {
				tag: push.tag,
				lang: push.lang,
				icon,
				data: to,
				...push.text === void 0 ? {} : { body: push.text }
			};
			await self.registration.showNotification(title(push), options);
		} catch {
			await self.registration.showNotification("Switchboard", {
				tag: "unknown",
				icon,
				data: "/conversations"
			});
		}
	}
	async function lead(to) {
		const pages = await self.clients.matchAll({
			type: "window",
			includeUncontrolled: true
		});
		const page = pages.find((it) => it.visibilityState === "visible") ?? pages[0];
		if (page === void 0) {
			await self.clients.openWindow(to);
			return;
		}
		page.postMessage({ open: to });
		await page.focus();
	}
	self.addEventListener("push", (event) => event.waitUntil(show(event.data)));
	self.addEventListener("notificationclick", (event) => {
		event.notification.close();
		event.waitUntil(lead(String(event.notification.data)));
	});
})();
