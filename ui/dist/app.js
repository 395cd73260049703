const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["integrations.js","base.js","operator.js","words-ru.js","words-es.js","people.js","reference.js"])))=>i.map(i=>d[i]);
import { $ as ProblemNote, $t as F, A as Dialog, At as clock, B as redirect, Bt as THEMES, C as listenToKeys, Ct as asProblem, D as useShortcuts, Dt as LANGUAGE_NAMES, E as switchLetters, Et as LANGUAGES, F as followLinks, Ft as language, G as Copy, Gt as useComputed, H as useLoad, Ht as theme, I as match, It as moment, J as stageName, Jt as O, K as people$1, Kt as useSignal, Lt as number, M as nameWindow, Mt as day, N as counted$1, Nt as dictionary, O as useWork, Ot as bytes, P as counts, Pt as exactClock, Q as Skeleton, Qt as A, R as open, Rt as shortMoment, S as letters, St as Problem, T as shortcuts, Tt as isAborted, U as Empty, Ut as keep, Vt as chooseTheme, Wt as kept, X as userName, Xt as x, Y as useBook, Yt as r, Z as later$1, Zt as y, _ as Choices, _t as me, a as forgetOperator, an as Q, at as __vitePreload, b as Outside, bt as signOut, c as Badge, ct as disconnect, d as writing, dt as paused, en as P, et as Button, f as writings, ft as refresh$1, g as useSkipTo, gt as isAdministrator, h as target, ht as ended, in as $, it as shell, j as Page, jt as counted, k as Field, kt as choose, l as keepWriting, lt as on, m as reveal, nt as a, o as operatorToken, ot as connect, p as WindowedList, pt as whenBack, q as pipelines, qt as useSignalEffect, rn as w, rt as lasting, s as reasonOf, st as connection, tn as T, tt as Icon, u as onWritingForgotten, ut as pause, v as Meanwhile, vt as recall$1, w as readable, wt as ask, x as ownPath, xt as unknown, y as Initials, yt as signIn, z as place, zt as start } from "./base.js";
// src/areas/callbacks/area.ts
var callbacks = {
	pages: [{
		at: "/callbacks/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.CallbacksPage), __vite__mapDeps([0,1,2])))
	}],
	entries: [{
		to: "/callbacks",
		icon: "callbacks",
		says: () => shell().nav.callbacks,
		group: "operator",
		key: "KeyC"
	}]
};
// src/areas/channels/area.ts
var channels = {
	pages: [{
		at: "/channels/:id?",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.ChannelsPage), __vite__mapDeps([0,1,2])))
	}],
	entries: [{
		to: "/channels",
		icon: "channels",
		says: () => shell().nav.channels,
		group: "operator",
		key: "KeyN"
	}]
};
// src/words/contacts.ts
var contacts$1 = dictionary({
	en: {
		title: "Contacts",
		filter: "Name, phone or e-mail",
		name: "Name",
		nameless: "No name",
		phone: "Phone",
		email: "E-mail",
		responsible: "Responsible user",
		nobody: "No user",
		created: "Created",
		untold: "Not given",
		edit: (name) => `Edit: ${name}`,
		editTitle: "Contact",
		fromProfile: "The integration sends phone and e-mail with the customer’s profile.",
		empty: "No contacts yet",
		emptyText: "The first message of a customer creates a contact.",
		nothing: "No contacts match the filter.",
		more: "The filter searches only the loaded contacts. Show more to search further."
	},
	ru: () => __vitePreload(() => import("./words-ru.js").then((words) => words.contacts), __vite__mapDeps([3,1])),
	es: () => __vitePreload(() => import("./words-es.js").then((words) => words.contacts), __vite__mapDeps([4,1]))
});
// src/areas/contacts/edit.tsx
function EditContact({ id, onClose }) {
	const words = contacts$1();
	const address = `/api/v4/contacts/${encodeURIComponent(id)}`;
	const { data, problem, reload } = useLoad(id, (signal) => ask(address, { signal }));
	const work = useWork();
	const contact = data.value;
	const own = me.value?.user.id;
	const known = people$1.value.filter((user) => user.isActive).map((user) => user.id);
	const users = [...new Set([
		contact?.responsible_user_id ?? null,
		own ?? null,
		...known
	])].filter((user) => user !== null);
	const save = (form) => {
		const responsible = String(form.get("responsible"));
		const body = {
			name: String(form.get("name")).trim(),
			responsible_user_id: responsible === "" ? null : Number(responsible)
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
							defaultValue: String(contact.responsible_user_id ?? ""),
							children: [a("option", {
								value: "",
								children: words.nobody
							}), users.map((user) => a("option", {
								value: user,
								selected: user === contact.responsible_user_id,
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
var FIRST = "/api/v4/contacts?limit=250";
function fieldOf(contact, code) {
	return contact.custom_fields_values?.find((field) => field.field_code === code)?.values[0]?.value;
}
var nameOf$2 = ({ name }) => name.trim() === "" ? contacts$1().nameless : name;
async function read$2(address, signal) {
	const answer = await ask(address, signal === void 0 ? {} : { signal });
	const link = answer._links.next?.href;
	const next = link === void 0 ? void 0 : new URL(link).pathname + new URL(link).search;
	return {
		rows: answer._embedded.contacts,
		next
	};
}
function ContactsPage({ id }) {
	useBook();
	const words = contacts$1();
	const text = useSignal("");
	const { data, problem, reload } = useLoad("contacts", (signal) => read$2(FIRST, signal));
	const rows = data.value?.rows ?? [];
	const wanted = text.value.trim().toLocaleLowerCase();
	const shown = rows.filter((contact) => [
		contact.name,
		fieldOf(contact, "PHONE"),
		fieldOf(contact, "EMAIL")
	].some((it) => wanted === "" || it?.toLocaleLowerCase().includes(wanted) === true));
	const more = async () => {
		const before = data.peek();
		if (before?.next === void 0) return;
		try {
			const older = await read$2(before.next);
			data.value = {
				rows: [...before.rows, ...older.rows],
				next: older.next
			};
		} catch (failure) {
			problem.value = asProblem(failure);
		}
	};
	return a(Page, {
		title: words.title,
		children: [
			rows.length > 0 && a("div", {
				class: "narrow-row",
				children: a("input", {
					type: "search",
					"aria-label": words.filter,
					placeholder: words.filter,
					value: text.value,
					onInput: (event) => text.value = event.currentTarget.value
				})
			}),
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: reload
			}),
			data.value === void 0 && problem.value === void 0 && a(Skeleton, {}),
			data.value !== void 0 && rows.length === 0 && a(Empty, {
				byRights: true,
				title: words.empty,
				command: "send \"Hello, is it in stock?\"",
				children: a("p", { children: words.emptyText })
			}),
			rows.length > 0 && shown.length === 0 && a(Empty, {
				title: words.nothing,
				children: a(Button, {
					onClick: () => text.value = "",
					children: shell().clear
				})
			}),
			shown.length > 0 && a("div", {
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
					] }) }), a("tbody", { children: shown.map((contact) => a("tr", { children: [
						a("th", {
							scope: "row",
							children: a("a", {
								href: `/contacts/${contact.id}`,
								"aria-label": words.edit(nameOf$2(contact)),
								children: a("bdi", { children: nameOf$2(contact) })
							})
						}),
						a("td", {
							"data-label": words.phone,
							children: fieldOf(contact, "PHONE") ?? a("span", {
								class: "soft",
								children: words.untold
							})
						}),
						a("td", {
							"data-label": words.email,
							children: fieldOf(contact, "EMAIL") ?? a("span", {
								class: "soft",
								children: words.untold
							})
						}),
						a("td", {
							"data-label": words.responsible,
							children: userName(contact.responsible_user_id)
						}),
						a("td", {
							"data-label": words.created,
							children: day(contact.created_at)
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
				wanted !== "" && a("span", {
					class: "soft",
					children: words.more
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
// src/areas/contacts/area.ts
var contacts = {
	pages: [{
		at: "/contacts/:id?",
		shows: ContactsPage
	}],
	entries: [{
		to: "/contacts",
		icon: "contacts",
		says: () => shell().nav.contacts,
		group: "work",
		key: "KeyP"
	}]
};
// src/words/deals.ts
var deals$1 = dictionary({
	en: {
		title: "Unsorted deals",
		about: "Conversations opened these deals. No user has accepted them yet.",
		deal: (id) => `Deal #${id}`,
		open: "Open conversation",
		accept: "Accept",
		acceptAs: "Accept as…",
		decline: "Decline",
		acceptTitle: (id) => `Accept deal #${id}`,
		declineTitle: (id) => `Decline deal #${id}?`,
		declineText: "The service closes the deal as lost. The next message of the customer opens a new deal.",
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
		noText: "No messages yet",
		nameless: "No name",
		list: "Unsorted deals",
		empty: "No unsorted deals",
		emptyText: "The first message of a customer opens a deal, unless the message is silent. Send a message through the demo channel:",
		nothing: "No deals match the filter.",
		without: "Conversations without a deal",
		withoutAbout: "Each conversation with the reason, newest first.",
		withoutNone: "All checked conversations have a deal.",
		lookedAt: (count) => counted("en", count, {
			one: "conversation checked",
			other: "conversations checked"
		}),
		reason: "Reason",
		next: "next deal",
		previous: "previous deal",
		acceptSelected: "accept the selected deal",
		done: {
			accepted: (id) => `You accepted deal #${id}.`,
			declined: (id) => `You declined deal #${id}.`
		}
	},
	ru: () => __vitePreload(() => import("./words-ru.js").then((words) => words.deals), __vite__mapDeps([3,1])),
	es: () => __vitePreload(() => import("./words-es.js").then((words) => words.deals), __vite__mapDeps([4,1]))
});
// src/words/inbox.ts
var inbox$1 = dictionary({
	en: {
		title: "Inbox",
		list: {
			label: "Conversations",
			skip: "Skip to the list of conversations",
			search: "Search conversations",
			filter: "Filter conversations",
			filters: {
				all: "All",
				mine: "Mine",
				unread: "Unread",
				failed: "Failed"
			},
			fresh: (count) => `${count} new`,
			unread: (count) => counted("en", count, {
				one: "unread message",
				other: "unread messages"
			}),
			empty: "No conversations yet",
			emptyText: "A message from a customer opens a conversation. Send a message through the demo channel:",
			nothing: {
				all: "No conversations found.",
				mine: "No conversation is assigned to you. Reply in one or accept its deal.",
				unread: "No unread messages.",
				failed: "No failed messages."
			},
			you: "You",
			typing: "is writing…",
			noMessages: "no messages",
			nothingSoFar: "No conversations found so far.",
			further: "Search older conversations",
			next: "next conversation",
			previous: "previous conversation",
			nextUnread: "next unread conversation",
			failed: "Failed",
			retrying: "Retrying",
			unsent: "Not sent"
		},
		choose: {
			title: "Choose a conversation",
			newest: "opens the newest unread conversation"
		},
		thread: {
			label: (name) => `Messages with ${name}`,
			older: "Show older messages",
			begin: "Start of the conversation",
			newest: "New",
			today: "Today",
			yesterday: "Yesterday",
			silent: (count) => `${counted("en", count, {
				one: "imported message",
				other: "imported messages"
			})}, silent`,
			show: "show",
			hide: "hide",
			fresh: (count) => counted("en", count, {
				one: "new message",
				other: "new messages"
			}),
			toEnd: "Go to the newest",
			typing: (name) => `${name} is writing…`,
			from: (name) => `from ${name}`,
			imported: "imported",
			silentMark: "silent",
			edited: "edited",
			forwarded: "Forwarded",
			coordinates: "Coordinates",
			elsewhere: "The customer’s messenger stores the file. This page does not load it automatically.",
			openFile: "Open the file",
			unfold: (count) => `Show all ${new Intl.NumberFormat("en").format(count)} characters`,
			fold: "Show less",
			unreachable: "The service cannot fetch the file:",
			missing: "This conversation does not exist, or you have no right to view it.",
			back: "Back to the list",
			details: "Details",
			arrived: (name, text) => `${name}: ${text}`
		},
		state: {
			queued: "Queued",
			sending: "Sending…",
			waiting: (attempt) => `Retrying after ${counted("en", attempt, {
				one: "attempt",
				other: "attempts"
			})}`,
			next: (time) => `next attempt ${time}`,
			held: "Held",
			sent: "Sent",
			delivered: "Delivered",
			read: "Read",
			error: (code) => `Failed · ${code}`,
			dead: "Failed · not accepted by the integration",
			cancelled: "Not sent",
			again: "Send again",
			see: "Show the callback",
			901: "the customer deleted the conversation",
			902: "the integration is disabled in the messenger",
			903: "internal error of the messenger",
			904: "the conversation cannot be created: the customer may not use the messenger",
			905: "the integration gave no detailed reason",
			said: (text) => `“${text}”`,
			announce: (state) => `Your message: ${state}`
		},
		compose: {
			label: "Your reply",
			placeholder: "Write a reply…",
			send: "Send",
			hint: "Ctrl Enter sends",
			draft: "Draft saved",
			attach: "Attach a file",
			remove: "Remove the file",
			uploading: "Uploading…",
			failed: "Not sent. The text stays here until you send or discard it.",
			retry: "Try again",
			discard: "Discard the message",
			focus: "write a reply",
			leave: "leave the reply and keep the draft",
			sending: "Sending…"
		},
		details: {
			title: "Details",
			close: "Close the details",
			customer: "Customer",
			phone: "Phone",
			email: "E-mail",
			profile: "Profile",
			untold: "Not given",
			deal: "Deal",
			stage: "Stage",
			responsible: "Responsible user",
			noDeal: {
				only_silent: (count) => count === 1 ? "No deal: the only message is silent. A message that is not silent opens a deal." : `No deal: all ${count} messages are silent. A message that is not silent opens a deal.`,
				only_ours: "No deal: the customer has not written yet. The first message of the customer opens a deal.",
				no_messages: "No deal: the conversation has no messages yet."
			},
			ids: "Ids",
			conversation: "Conversation",
			person: "Customer",
			scope: "Scope",
			own: "Internal id",
			callbacks: "Show the callbacks",
			contacts: "Show the contacts"
		},
		first: {
			open: "Start conversation",
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
		kinds: {
			text: "Text",
			picture: "Picture",
			video: "Video",
			file: "File",
			voice: "Voice message",
			audio: "Audio",
			sticker: "Sticker",
			contact: "Contact card",
			location: "Location"
		}
	},
	ru: () => __vitePreload(() => import("./words-ru.js").then((words) => words.inbox), __vite__mapDeps([3,1])),
	es: () => __vitePreload(() => import("./words-es.js").then((words) => words.inbox), __vite__mapDeps([4,1]))
});
// src/areas/deals/store.ts
var PAGE$3 = 250;
var unsorted = y([]);
var told$1 = y(false);
var problem$1 = y(void 0);
var next$1 = y(void 0);
async function read$1(address) {
	const answer = await ask(address);
	const link = answer._links.next?.href;
	next$1.value = link === void 0 ? void 0 : new URL(link).pathname + new URL(link).search;
	problem$1.value = void 0;
	told$1.value = true;
	return answer._embedded.unsorted;
}
async function load$1() {
	try {
		unsorted.value = await read$1(`/api/v4/leads/unsorted?limit=${PAGE$3}`);
	} catch (failure) {
		problem$1.value = asProblem(failure);
	}
}
async function more$1() {
	if (next$1.peek() === void 0) return;
	try {
		const older = await read$1(next$1.peek() ?? "");
		const known = new Set(unsorted.peek().map((deal) => deal.uid));
		unsorted.value = [...unsorted.peek(), ...older.filter((deal) => !known.has(deal.uid))];
	} catch (failure) {
		problem$1.value = asProblem(failure);
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
function gone(what, id) {
	done.value = {
		what,
		id
	};
	unsorted.value = unsorted.peek().filter((deal) => deal.uid !== String(id));
}
var timer;
on("deal", () => {
	clearTimeout(timer);
	if (told$1.peek()) timer = setTimeout(() => void load$1(), 300);
});
on("reset", () => {
	if (told$1.peek()) load$1();
});
whenBack(() => problem$1.peek(), () => void load$1());
x(() => {
	if (me.value !== null) return;
	[unsorted.value, told$1.value, problem$1.value, next$1.value] = [
		[],
		false,
		void 0,
		void 0
	];
	done.value = void 0;
});
// src/areas/deals/actions.tsx
var UNSORTED = 1;
function DealActions({ deal }) {
	useBook();
	const words = deals$1();
	const asking = useSignal(void 0);
	const { busy, problem, run } = useWork();
	const isUnsorted = (pipelines.value.find((known) => known.id === deal.pipeline_id)?._embedded.statuses.find((known) => known.id === deal.status_id))?.type === UNSORTED;
	const accept$1 = () => void run(() => accept(deal.id));
	useShortcuts(isUnsorted ? [{
		keys: "KeyE",
		says: words.accept,
		run: accept$1
	}] : []);
	if (!isUnsorted) return null;
	const close = () => {
		asking.value = void 0;
	};
	return a($, { children: [
		problem !== void 0 && a(ProblemNote, { problem }),
		a("div", {
			class: "deal-actions",
			children: [
				a(Button, {
					look: "primary",
					busy,
					onClick: accept$1,
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
			deal,
			onClose: close
		}),
		asking.value === "decline" && a(Decline, {
			id: deal.id,
			onClose: close
		})
	] });
}
function AcceptAs({ deal, onClose }) {
	const words = deals$1();
	const { busy, problem, run } = useWork();
	const stages = pipelines.value.find((known) => known.id === deal.pipeline_id)?._embedded.statuses.filter((stage) => stage.type !== UNSORTED) ?? [];
	const own = me.value?.user.id ?? 0;
	const active = people$1.value.filter((user) => user.isActive && user.id !== own);
	return a(Dialog, {
		title: words.acceptTitle(deal.id),
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
					await accept(deal.id, how);
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
						children: [own, ...active.map((user) => user.id)].map((id) => a("option", {
							value: id,
							children: userName(id)
						}, id))
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
function Decline({ id, onClose }) {
	const words = deals$1();
	const { busy, problem, run } = useWork();
	return a(Dialog, {
		title: words.declineTitle(id),
		onClose,
		children: [
			a("p", { children: words.declineText }),
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
						await decline(id);
						onClose();
					}),
					children: words.decline
				})]
			})
		]
	});
}
// src/areas/inbox/types.ts
function nameOf$1({ customer, client_id, id }) {
	return [
		customer?.name,
		client_id,
		id
	].find((name) => name !== null && name !== void 0 && name.trim() !== "") ?? id;
}
function portrait(customer) {
	const copy = customer?.avatar_check?.copy;
	return copy?.thumbnail ?? copy?.media;
}
// src/areas/deals/without.tsx
var PAGE$2 = 250;
function reason(conversation) {
	if (conversation.deal !== null) return void 0;
	const words = inbox$1().details.noDeal;
	const why = conversation.no_deal ?? "no_messages";
	return why === "only_silent" ? words.only_silent(conversation.messages) : words[why];
}
function Without() {
	const words = deals$1();
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
				limit: PAGE$2,
				cursor: next.peek() ?? void 0
			};
			const page = await ask("/inbox/v1/conversations", { query });
			seen.value += page.conversations.length;
			found.value = [...found.peek(), ...page.conversations.filter((it) => it.deal === null)];
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
						children: inbox$1().details.customer
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
						children: a("bdi", { children: nameOf$1(conversation) })
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
// src/areas/deals/page.tsx
var AGES = {
	any: 0,
	hour: 3600,
	day: 86400
};
function fromOf({ metadata }) {
	return (metadata.from ?? "").trim() === "" ? deals$1().nameless : metadata.from ?? "";
}
function Said({ deal: { metadata } }) {
	const { last_message_text: text, last_message_type: kind } = metadata;
	if (text !== null && text !== "") return a("p", {
		class: "said",
		dir: "auto",
		children: text
	});
	return a("p", {
		class: "said soft",
		children: kind === null ? deals$1().noText : inbox$1().kinds[kind]
	});
}
function UnsortedPage() {
	useBook();
	const words = deals$1();
	const text = useSignal("");
	const channel = useSignal("");
	const age = useSignal("any");
	const asking = useSignal(void 0);
	const list = T(null);
	A(() => {
		if (!told$1.peek()) load$1();
	}, []);
	const { busy, problem, run } = useWork();
	const all = unsorted.value;
	const wanted = text.value.trim().toLocaleLowerCase();
	const now = Date.now() / 1e3;
	const shown = all.filter((deal) => {
		const texts = [
			deal.metadata.from,
			deal.source_name,
			deal.metadata.last_message_text,
			deal.uid
		];
		return (wanted === "" || texts.some((it) => it?.toLocaleLowerCase().includes(wanted) === true)) && (channel.value === "" || deal.source_name === channel.value) && now - deal.created_at >= AGES[age.value];
	});
	const cards = () => [...list.current?.querySelectorAll("[data-deal]") ?? []];
	const step = (by) => {
		const at = cards().findIndex((card) => card.contains(document.activeElement));
		cards()[Math.max(0, Math.min(cards().length - 1, at + by))]?.focus();
	};
	const acceptSelected = () => {
		const selected = cards().find((card) => card.contains(document.activeElement));
		if (selected !== void 0) run(() => accept(Number(selected.dataset.deal)));
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
	const channels = [...new Set(all.map((deal) => deal.source_name))];
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
				children: done.value === void 0 ? "" : words.done[done.value.what](done.value.id)
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
			problem$1.value !== void 0 && a(ProblemNote, {
				problem: problem$1.value,
				retry: () => void load$1()
			}),
			problem !== void 0 && a(ProblemNote, { problem }),
			!told$1.value && problem$1.value === void 0 && a(Skeleton, { rows: 3 }),
			told$1.value && all.length === 0 && a(Empty, {
				byRights: true,
				title: words.empty,
				command: "send \"Hello, is it in stock?\"",
				children: a("p", { children: words.emptyText })
			}),
			all.length > 0 && shown.length === 0 && a(Empty, {
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
			a("ul", {
				class: "deals",
				"aria-label": words.list,
				ref: list,
				children: shown.map((deal) => a("li", {
					class: "card deal",
					"data-deal": deal.uid,
					tabIndex: -1,
					children: [
						a("h2", { children: a("a", {
							href: `/conversations/${deal.metadata.origin.chat_id}`,
							title: words.open,
							children: [
								a("span", {
									class: "soft",
									children: ["#", deal.uid]
								}),
								" ",
								a("bdi", { children: fromOf(deal) })
							]
						}) }),
						a("span", {
							class: "soft source",
							children: deal.source_name
						}),
						a(Said, { deal }),
						a("time", {
							class: "soft",
							dateTime: new Date(deal.created_at * 1e3).toISOString(),
							children: shortMoment(deal.created_at)
						}),
						a("div", {
							class: "deal-actions",
							children: [
								a(Button, {
									look: "primary",
									busy,
									onClick: () => void run(() => accept(Number(deal.uid))),
									children: words.accept
								}),
								a(Button, {
									onClick: () => asking.value = {
										deal,
										what: "accept"
									},
									children: words.acceptAs
								}),
								a(Button, {
									onClick: () => asking.value = {
										deal,
										what: "decline"
									},
									children: words.decline
								})
							]
						})
					]
				}, deal.uid))
			}),
			next$1.value !== void 0 && a(Button, {
				onClick: () => void more$1(),
				children: shell().loadMore
			}),
			a(Without, {}),
			asked?.what === "accept" && a(AcceptAs, {
				deal: {
					id: Number(asked.deal.uid),
					pipeline_id: asked.deal.pipeline_id,
					status_id: 0
				},
				onClose: close
			}),
			asked?.what === "decline" && a(Decline, {
				id: Number(asked.deal.uid),
				onClose: close
			})
		]
	});
}
// src/areas/deals/area.ts
var deals = {
	pages: [{
		at: "/unsorted",
		shows: UnsortedPage
	}],
	entries: [{
		to: "/unsorted",
		icon: "deals",
		says: () => shell().nav.unsorted,
		group: "work",
		key: "KeyD",
		count: O(() => counts.value.unsorted)
	}]
};
// src/areas/health/area.ts
var health = {
	pages: [{
		at: "/health",
		shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.HealthPage), __vite__mapDeps([0,1,2])))
	}],
	entries: [{
		to: "/health",
		icon: "health",
		says: () => shell().nav.health,
		group: "operator",
		key: "KeyH"
	}]
};
// src/areas/inbox/details/details.tsx
function Details({ conversation, takesFocus, onClose }) {
	useBook();
	const words = inbox$1().details;
	const head = T(null);
	A(() => {
		if (takesFocus) head.current?.querySelector("button")?.focus();
	}, []);
	const name = nameOf$1(conversation);
	const { customer, deal } = conversation;
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
			a("section", { children: [a("h3", { children: [words.deal, deal !== null && ` #${deal.id}`] }), deal === null ? a("p", {
				class: "soft",
				children: conversation.no_deal === "only_silent" ? words.noDeal.only_silent(conversation.messages) : words.noDeal[conversation.no_deal ?? "no_messages"]
			}) : a($, { children: [a("dl", { children: [
				a("dt", { children: words.stage }),
				a("dd", { children: stageName(deal.pipeline_id, deal.status_id) }),
				a("dt", { children: words.responsible }),
				a("dd", { children: userName(deal.responsible_user_id) })
			] }), a(DealActions, { deal })] })] }),
			a("section", { children: [a("h3", { children: words.ids }), a("dl", {
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
			})] }),
			isAdministrator.value && hasPage("/callbacks") && a("p", { children: a("a", {
				href: `/callbacks?conversation=${conversation.id}`,
				children: words.callbacks
			}) })
		]
	});
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
// src/areas/inbox/list/store.ts
var FILTERS = [
	"all",
	"mine",
	"unread",
	"failed"
];
var COLLEAGUE = 6;
var PAGE$1 = 100;
var filter = y("all");
var query = y("");
var order = y([]);
var known = y(new Map());
var next = y(null);
var meanwhile = new Meanwhile();
var waiting = y(new Set());
var atTop = y(true);
var loading = y(false);
var problem = y(void 0);
var told = y(false);
var colleagues = y(new Map());
var PAGES_IN_A_ROW = 8;
var inARow = 0;
var hasMore = O(() => next.value !== null);
var waitingCount = O(() => waiting.value.size);
var rows = O(() => {
	return order.value.flatMap((id) => known.value.get(id) ?? []).filter(fits);
});
var isEmpty = O(() => told.value && order.value.length === 0 && next.value === null && filter.value === "all" && query.value === "");
function find(id) {
	return known.value.get(id);
}
function hasFailed({ trouble, last_message: last }) {
	const callback = last?.callback?.state;
	return last?.delivery?.status === "error" || callback === "dead" || callback === "cancelled" || trouble !== null && trouble !== void 0;
}
function isHeldUp({ last_message: last }) {
	return last?.callback?.state === "waiting" || last?.callback?.state === "held";
}
var given = y(new Set());
function fits(conversation) {
	if (filter.value === "unread" && conversation.unread === 0) return false;
	if (filter.value === "failed" && !hasFailed(conversation)) return false;
	const isOwn = conversation.deal?.responsible_user_id === me.value?.user.id;
	return filter.value !== "mine" || isOwn || given.value.has(conversation.id);
}
var under;
function page(cursor, signal) {
	const asked = {
		limit: PAGE$1,
		cursor,
		state: filter.peek() === "all" ? void 0 : filter.peek(),
		query: query.peek().trim()
	};
	return ask("/inbox/v1/conversations", {
		query: asked,
		signal
	});
}
function load() {
	return turn(void 0);
}
async function more() {
	inARow = 0;
	if (next.peek() !== null && !loading.peek()) await turn(next.peek() ?? void 0);
}
async function turn(cursor) {
	under?.abort();
	const mine = new AbortController();
	under = mine;
	loading.value = true;
	try {
		await meanwhile.during(page(cursor, mine.signal), (answer, since) => {
			if (under === mine) show(answer, cursor, since);
		});
		if (under !== mine) return;
		problem.value = void 0;
		told.value = true;
		loading.value = false;
		inARow = cursor === void 0 ? 0 : inARow + 1;
		const behind = next.peek();
		if (behind !== null && rows.value.length < 25 && inARow < PAGES_IN_A_ROW) await turn(behind);
	} catch (failure) {
		if (under !== mine || isAborted(failure)) return;
		problem.value = asProblem(failure);
		loading.value = false;
	}
}
function show(answer, cursor, since) {
	const found = new Map(known.peek());
	for (const conversation of answer.conversations) found.set(conversation.id, conversation);
	const fresh = answer.conversations.map((conversation) => conversation.id);
	const now = since({
		rows: found,
		order: fresh
	});
	known.value = now.rows;
	given.value = new Set([...cursor === void 0 ? [] : given.peek(), ...fresh]);
	if (cursor === void 0) {
		order.value = now.order;
		waiting.value = new Set();
	} else {
		const there = new Set(order.peek());
		order.value = [...order.peek(), ...fresh.filter((id) => !there.has(id))];
	}
	next.value = answer.next;
}
function takeWaiting() {
	const ids = [...waiting.peek()].reverse();
	waiting.value = new Set();
	const moved = new Set(ids);
	order.value = [...ids, ...order.peek().filter((id) => !moved.has(id))];
}
x(() => {
	if (atTop.value && waiting.value.size > 0) takeWaiting();
});
var over = new Map();
function settled(told) {
	return told.typing !== null && over.get(told.id) === told.typing.until ? {
		...told,
		typing: null
	} : told;
}
function put(told, moves) {
	const conversation = settled(told);
	known.value = new Map(known.peek()).set(conversation.id, conversation);
	const isSearch = query.peek().trim() !== "";
	const comes = (among) => moves && (!isSearch || among.includes(conversation.id));
	meanwhile.note(({ rows, order }) => ({
		rows: new Map(rows).set(conversation.id, conversation),
		order: comes(order) ? [conversation.id, ...order.filter((id) => id !== conversation.id)] : order
	}));
	if (!comes(order.peek()) || order.peek()[0] === conversation.id) return;
	const ids = new Set(waiting.peek());
	ids.delete(conversation.id);
	waiting.value = ids.add(conversation.id);
}
function change$1(id, make) {
	const changed = (rows) => {
		const found = rows.get(id);
		return found === void 0 ? rows : new Map(rows).set(id, settled(make(found)));
	};
	known.value = changed(known.peek());
	meanwhile.note((listed) => ({
		...listed,
		rows: changed(listed.rows)
	}));
}
var stale = new Map();
var COLLECT = 200;
var MANY = 20;
var collecting;
function refresh(id, moves = false) {
	stale.set(id, moves || stale.get(id) === true);
	collecting ??= setTimeout(() => {
		collecting = void 0;
		const all = [...stale];
		stale.clear();
		if (all.length > MANY && atTop.peek()) load();
		else for (const [id, moves] of all.slice(0, MANY)) fetchOne(id, moves);
	}, COLLECT);
}
async function fetchOne(id, moves) {
	try {
		await meanwhile.during(ask(`/inbox/v1/conversations/${id}`), (conversation, since) => {
			put(conversation, moves);
			known.value = since({
				rows: known.peek(),
				order: order.peek()
			}).rows;
		});
	} catch (failure) {
		if (!(failure instanceof Problem)) throw failure;
	}
}
function later(until, work) {
	setTimeout(work, Math.max(0, Math.min(6e4, until * 1e3 - Date.now())));
}
function changeLast(id, message, make) {
	change$1(id, (conversation) => conversation.last_message?.id === message ? {
		...conversation,
		last_message: make(conversation.last_message)
	} : conversation);
}
function retell(id) {
	if (known.peek().has(id)) refresh(id);
}
on("message", ({ conversation_id: id, message }) => {
	const found = known.peek().get(id);
	if (found === void 0) {
		refresh(id, true);
		return;
	}
	if (message.direction === "in" && found.typing !== null) over.set(id, found.typing.until);
	const isNewest = (found.last_message?.msec_timestamp ?? 0) <= message.msec_timestamp;
	const counts = message.direction === "in" && message.silent !== true;
	put({
		...found,
		messages: found.messages + 1,
		unread: counts ? found.unread + 1 : message.direction === "out" ? 0 : found.unread,
		active_at: Math.max(found.active_at, message.timestamp),
		last_message: isNewest ? message : found.last_message,
		typing: message.direction === "in" ? null : found.typing
	}, true);
	refresh(id);
});
on("changed", ({ conversation_id: id }) => {
	if (known.peek().has(id)) refresh(id);
});
on("delivery", (event) => {
	changeLast(event.conversation_id, event.message_id, (last) => ({
		...last,
		delivery: event.delivery
	}));
	retell(event.conversation_id);
});
on("callback", (event) => {
	changeLast(event.conversation_id, event.message_id, (last) => withCallback(last, event.callback));
	retell(event.conversation_id);
});
on("deal", ({ conversation_id: id, deal }) => {
	change$1(id, (conversation) => ({
		...conversation,
		deal
	}));
});
on("avatar", ({ conversation_id: id }) => {
	if (known.peek().has(id)) refresh(id);
});
on("read", ({ conversation_id: id }) => {
	change$1(id, (conversation) => ({
		...conversation,
		unread: 0
	}));
});
on("typing", (event) => {
	const { customer, user, conversation_id: id } = event;
	if (customer !== void 0) {
		change$1(id, (conversation) => ({
			...conversation,
			typing: customer
		}));
		later(customer.until, () => change$1(id, (it) => it.typing?.until === customer.until ? {
			...it,
			typing: null
		} : it));
	} else if (user !== void 0 && user.id !== me.peek()?.user.id) {
		const until = Math.ceil(Date.now() / 1e3) + COLLEAGUE;
		colleagues.value = new Map(colleagues.peek()).set(id, {
			name: user.name,
			until
		});
		later(until, () => {
			if (colleagues.peek().get(id)?.until !== until) return;
			const others = new Map(colleagues.peek());
			others.delete(id);
			colleagues.value = others;
		});
	}
});
on("reset", () => void load());
whenBack(() => problem.peek(), () => void load());
function withCallback(message, callback) {
	const isSent = callback.state === "delivered" && message.delivery?.status === "queued";
	return {
		...message,
		callback,
		...isSent ? { delivery: { status: "sent" } } : {}
	};
}
x(() => {
	if (me.value !== null) return;
	[order.value, known.value, next.value, waiting.value] = [
		[],
		new Map(),
		null,
		new Set()
	];
	[told.value, problem.value, filter.value, query.value] = [
		false,
		void 0,
		"all",
		""
	];
});
function narrowTo(wanted) {
	if (wanted.filter !== void 0) filter.value = wanted.filter;
	if (wanted.query !== void 0) query.value = wanted.query;
	load();
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
	const words = inbox$1().first;
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
// src/areas/inbox/compose/outbox.ts
var outbox = y(new Map());
var nameOf = (conversation, key) => `${conversation} ${key}`;
function change(conversation, make) {
	outbox.value = new Map(outbox.peek()).set(conversation, make(outbox.peek().get(conversation) ?? []));
}
function hold(conversation, pending) {
	const { key, what, problem } = pending;
	const isThere = outbox.peek().get(conversation)?.some((known) => known.key === key) === true;
	change(conversation, (all) => isThere ? all.map((known) => known.key === key ? pending : known) : [...all, pending]);
	const refusal = problem === void 0 ? {} : {
		status: problem.status,
		detail: problem.detail
	};
	const text = {
		what,
		at: Date.now(),
		...refusal
	};
	keepWriting("unsent", nameOf(conversation, key), JSON.stringify(text));
}
function release(conversation, key) {
	change(conversation, (all) => all.filter((known) => known.key !== key));
	keepWriting("unsent", nameOf(conversation, key), null);
}
function read(text) {
	try {
		const found = JSON.parse(text);
		return found.what?.type === void 0 || typeof found.at !== "number" ? void 0 : found;
	} catch {
		return;
	}
}
function recall() {
	const left = writings("unsent").flatMap(({ name, text }) => {
		const [conversation = "", key = ""] = name.split(" ");
		const found = read(text);
		return found === void 0 ? [] : [{
			conversation,
			key,
			found
		}];
	});
	left.sort((a, b) => a.found.at - b.found.at);
	const all = new Map();
	for (const { conversation, key, found } of left) {
		const problem = new Problem(found.status ?? 0, found.detail ?? "");
		all.set(conversation, [...all.get(conversation) ?? [], {
			key,
			what: found.what,
			problem
		}]);
	}
	outbox.value = all;
}
onWritingForgotten("unsent", (name) => {
	const [conversation = "", key = ""] = name.split(" ");
	change(conversation, (all) => all.filter((known) => known.key !== key));
});
x(() => {
	if (me.value === null) outbox.value = new Map();
	else if (me.value !== void 0) recall();
});
// src/areas/inbox/list/row.tsx
function preview(message) {
	const said = message.text.trim();
	if (said !== "") return said;
	return [inbox$1().kinds[message.type], message.file_name ?? message.contact?.name].filter(Boolean).join(": ");
}
function Row({ conversation, isSelected }) {
	const words = inbox$1().list;
	const { customer, channel, unread } = conversation;
	const last = conversation.found ?? conversation.last_message;
	const name = nameOf$1(conversation);
	const mark = outbox.value.get(conversation.id)?.some((pending) => pending.problem !== void 0) === true ? words.unsent : hasFailed(conversation) ? words.failed : isHeldUp(conversation) ? words.retrying : "";
	const isTyping = (conversation.typing?.until ?? 0) * 1e3 > Date.now();
	return a("a", {
		class: unread > 0 ? "conversation unread" : "conversation",
		href: `/conversations/${conversation.id}`,
		"aria-current": isSelected ? "true" : void 0,
		children: [
			a(Initials, {
				name,
				picture: portrait(customer)
			}),
			a("span", {
				class: "name",
				children: [a("bdi", { children: name }), channel !== null && a("span", {
					class: "channel",
					children: [" · ", channel.title]
				})]
			}),
			a("time", {
				dateTime: new Date(conversation.active_at * 1e3).toISOString(),
				children: shortMoment(conversation.active_at)
			}),
			a("span", {
				class: "last",
				children: [mark !== "" && a("span", {
					class: mark === words.retrying ? "warn" : "bad",
					children: [
						a(Icon, { name: mark === words.retrying ? "retry" : "warning" }),
						" ",
						mark,
						":",
						" "
					]
				}), isTyping ? a("em", { children: words.typing }) : last === null ? words.noMessages : a($, { children: [last.direction === "out" && `${words.you}: `, a("bdi", { children: preview(last) })] })]
			}),
			unread > 0 && a("span", {
				class: "count",
				children: [number(unread), a("span", {
					class: "unseen",
					children: [" ", words.unread(unread)]
				})]
			})
		]
	});
}
// src/areas/inbox/list/list.tsx
var TYPING = 250;
var ROWS = "conversations";
function List({ selected }) {
	const words = inbox$1().list;
	const pane = T(null);
	const search = T(null);
	const timer = T(void 0);
	const written = useSignal(void 0);
	A(() => {
		if (!told.peek()) load();
	}, []);
	useSignalEffect(() => {
		if (!told.value && !loading.peek() && problem.peek() === void 0) load();
	});
	const rows$1 = rows.value;
	useSkipTo(ROWS, () => inbox$1().list.skip, rows$1.length > 0);
	const scroller = () => pane.current?.querySelector("[data-scroller]") ?? null;
	const go = (step) => {
		const at = rows$1.findIndex((row) => row.id === selected);
		const found = rows$1[Math.max(0, Math.min(rows$1.length - 1, step(at)))];
		if (found === void 0) return;
		reveal(scroller(), rows$1.indexOf(found), 66);
		open(`/conversations/${found.id}`);
	};
	const goToUnread = () => {
		const at = rows$1.findIndex((row) => row.id === selected);
		const later = rows$1.findIndex((row, place) => place > at && row.unread > 0);
		const found = later >= 0 ? later : rows$1.findIndex((row) => row.unread > 0);
		if (found >= 0) go(() => found);
	};
	useShortcuts([
		{
			keys: "KeyJ",
			says: words.next,
			run: () => go((at) => at + 1)
		},
		{
			keys: "ArrowDown",
			says: words.next,
			run: () => go((at) => at + 1)
		},
		{
			keys: "KeyK",
			says: words.previous,
			run: () => go((at) => at - 1)
		},
		{
			keys: "ArrowUp",
			says: words.previous,
			run: () => go((at) => at - 1)
		},
		{
			keys: "KeyN",
			says: words.nextUnread,
			run: goToUnread
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
	const fresh = waitingCount.value;
	return a("section", {
		class: "conversation-list",
		"aria-label": words.label,
		ref: pane,
		children: [
			a("div", {
				class: "narrow",
				children: [a("input", {
					ref: search,
					type: "search",
					"aria-label": words.search,
					placeholder: words.search,
					value: written.value ?? query.value,
					maxLength: 100,
					onInput: (event) => {
						const text = event.currentTarget.value;
						written.value = text;
						clearTimeout(timer.current);
						timer.current = setTimeout(() => {
							written.value = void 0;
							narrowTo({ query: text });
						}, TYPING);
					}
				}), a(Choices, {
					label: words.filter,
					value: filter.value,
					options: FILTERS.map((value) => ({
						value,
						says: words.filters[value],
						count: value === "failed" ? counts.value.failed : void 0
					})),
					onChoose: (filter) => narrowTo({ filter })
				})]
			}),
			problem.value !== void 0 && a(ProblemNote, {
				problem: problem.value,
				retry: () => void load()
			}),
			fresh > 0 && a("button", {
				type: "button",
				class: "fresh",
				onClick: () => {
					takeWaiting();
					const element = scroller();
					if (element !== null) element.scrollTop = 0;
				},
				children: ["▲ ", words.fresh(fresh)]
			}),
			!told.value && problem.value === void 0 && a(Skeleton, {}),
			told.value && rows$1.length === 0 && !loading.value && !hasMore.value && a(Nothing, {}),
			told.value && rows$1.length === 0 && (loading.value || hasMore.value) && a("p", {
				class: "further",
				role: "status",
				children: loading.value ? shell().loading : words.nothingSoFar
			}),
			told.value && rows$1.length < 25 && hasMore.value && a("p", {
				class: "further",
				children: a(Button, {
					busy: loading.value,
					onClick: () => void more(),
					children: words.further
				})
			}),
			rows$1.length > 0 && a(WindowedList, {
				rows: rows$1,
				height: 66,
				keyOf: (row) => row.id,
				label: words.label,
				id: ROWS,
				onTop: (atTop$1) => {
					atTop.value = atTop$1;
				},
				onEnd: () => void more(),
				render: (row) => a(Row, {
					conversation: row,
					isSelected: row.id === selected
				})
			})
		]
	});
}
function Nothing() {
	const words = inbox$1().list;
	if (!(filter.value !== "all" || query.value !== "")) return a(Empty, {
		byRights: true,
		title: words.empty,
		command: "send \"Hello, is it in stock?\"",
		children: a("p", { children: words.emptyText })
	});
	return a(Empty, {
		title: words.nothing[filter.value],
		children: a(Button, {
			onClick: () => narrowTo({
				filter: "all",
				query: ""
			}),
			children: shell().clear
		})
	});
}
// src/areas/inbox/compose/composer.tsx
function attachedTo(thread) {
	try {
		return JSON.parse(writing("draft", `${thread.id} file`) ?? "null") ?? void 0;
	} catch {
		return;
	}
}
function Composer({ thread }) {
	const words = inbox$1().compose;
	const area = T(null);
	const picker = T(null);
	const text = useSignal(writing("draft", thread.id) ?? "");
	const drafted = useSignal(text.peek() !== "");
	const file = useSignal(attachedTo(thread));
	const uploading = useSignal(false);
	const problem = useSignal(void 0);
	A(() => {
		text.value = writing("draft", thread.id) ?? "";
		drafted.value = text.value !== "";
		file.value = attachedTo(thread);
		problem.value = void 0;
	}, [thread]);
	const write = (value) => {
		text.value = value;
		drafted.value = keepWriting("draft", thread.id, value === "" ? null : value) && value !== "";
		if (value !== "") thread.typing();
	};
	const put = (upload) => {
		file.value = upload;
		keepWriting("draft", `${thread.id} file`, upload === void 0 ? null : JSON.stringify(upload));
	};
	const send = () => {
		const said = text.value.trim();
		if (uploading.value || said === "" && file.value === void 0) return;
		const what = file.value;
		if (what === void 0) thread.send({
			type: "text",
			text: said
		});
		else {
			const caption = said === "" ? {} : { text: said };
			thread.send({
				type: what.type,
				media_id: what.id,
				name: what.file_name,
				...caption
			});
		}
		put(void 0);
		write("");
		area.current?.focus();
	};
	const attach = async (chosen) => {
		uploading.value = true;
		problem.value = void 0;
		const body = new FormData();
		body.append("file", chosen, chosen.name);
		try {
			put(await ask("/inbox/v1/media", {
				method: "POST",
				body
			}));
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		uploading.value = false;
		area.current?.focus();
	};
	const focus = () => area.current?.focus();
	useShortcuts([{
		keys: "KeyR",
		says: words.focus,
		run: focus
	}, {
		keys: "Enter",
		says: words.focus,
		run: focus
	}]);
	return a("form", {
		class: "composer",
		onSubmit: (event) => {
			event.preventDefault();
			send();
		},
		onDragOver: (event) => event.preventDefault(),
		onDrop: (event) => {
			event.preventDefault();
			const dropped = event.dataTransfer?.files[0];
			if (dropped !== void 0) attach(dropped);
		},
		children: [
			problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
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
						onClick: () => put(void 0)
					})
				]
			}),
			a("textarea", {
				ref: area,
				dir: "auto",
				rows: Math.min(8, Math.max(2, text.value.split("\n").length)),
				"aria-label": words.label,
				placeholder: words.placeholder,
				value: text.value,
				onInput: (event) => write(event.currentTarget.value),
				onKeyDown: (event) => {
					if (event.code === "Enter" && (event.ctrlKey || event.metaKey) && !event.isComposing) {
						event.preventDefault();
						send();
					} else if (event.code === "Escape") {
						event.preventDefault();
						event.currentTarget.blur();
					}
				},
				onPaste: (event) => {
					const pasted = event.clipboardData?.files[0];
					if (pasted === void 0) return;
					event.preventDefault();
					attach(pasted);
				}
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
					a(Button, {
						look: "quiet",
						icon: "attach",
						label: words.attach,
						onClick: () => picker.current?.click()
					}),
					a("span", {
						class: "soft hint",
						children: [drafted.value && words.draft, a("span", {
							class: "with-keys",
							children: [drafted.value && " · ", words.hint]
						})]
					}),
					a(Button, {
						type: "submit",
						look: "primary",
						icon: "send",
						children: words.send
					})
				]
			})
		]
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
		message.text !== "" && a(LongText, { text: message.text }, message.id),
		message.reactions !== void 0 && a("p", {
			class: "reactions",
			children: message.reactions.map((reaction, at) => a("span", { children: reaction.emoji }, at))
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
	const words = inbox$1().thread;
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
		children: isForward ? inbox$1().thread.forwarded : quote.sender?.name ?? ""
	}), a("p", {
		class: "text",
		dir: "auto",
		children: shortened(quote.text ?? quote.type ?? "") ?? quote.text ?? quote.type
	})] });
}
function Attachment({ message }) {
	const words = inbox$1();
	const { type, location, contact } = message;
	const copy = message.media_check?.copy;
	const media = copy?.media ?? message.media;
	if (type === "contact" && contact !== void 0) return a("p", {
		class: "attachment",
		children: [a(Icon, { name: "contacts" }), a("span", { children: [
			a("bdi", { children: contact.name }),
			a("br", {}),
			contact.phone,
			" ",
			a(Copy, {
				text: contact.phone,
				of: contact.phone
			})
		] })]
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
	const itself = type === "picture" || /\.(png|jpe?g|gif|webp)$/i.test(copy?.file_name ?? "") ? own : void 0;
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
// src/areas/inbox/thread/state.tsx
var CODES = [
	901,
	902,
	903,
	904,
	905
];
function stateOf(message) {
	const words = inbox$1().state;
	const { delivery, callback } = message;
	if (delivery === void 0) return void 0;
	const state = (tone, icon, word, more = "", isLost = false) => ({
		tone,
		icon,
		word,
		more,
		isLost
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
function StateLine({ message, onAgain }) {
	const words = inbox$1().state;
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
			(state.isLost || state.tone === "warn") && a("p", {
				class: "ways",
				children: [state.isLost && onAgain !== void 0 && a("button", {
					type: "button",
					class: "link",
					onClick: onAgain,
					children: words.again
				}), isAdministrator.value && message.callback !== void 0 && hasPage("/callbacks/1") && a("a", {
					href: `/callbacks/${message.id}`,
					children: words.see
				})]
			})
		]
	});
}
// src/areas/inbox/thread/message.tsx
function MessageItem({ message, isStop, onFocus, onAgain }) {
	const words = inbox$1().thread;
	const isOut = message.direction === "out";
	const who = message.sender?.name ?? "";
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
			onAgain
		})]
	});
}
// src/areas/inbox/thread/pending.tsx
function PendingItem({ pending, thread }) {
	const words = inbox$1().compose;
	const { what, problem, key } = pending;
	const text = what.type === "text" ? what.text : [what.name, what.text].filter(Boolean).join("\n");
	return a("div", {
		class: "message out pending",
		children: [a("div", {
			class: "bubble",
			children: a("p", {
				class: "text",
				dir: "auto",
				children: text
			})
		}), problem === void 0 ? a("p", {
			class: "soft",
			children: words.sending
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
						onClick: () => thread.discard(key),
						children: words.discard
					})]
				})
			]
		})]
	});
}
// src/areas/inbox/thread/rows.ts
var FOLD = 2;
function dayOf(message) {
	return new Date(message.timestamp * 1e3).toDateString();
}
function rowsOf(messages, firstUnread, opened) {
	const rows = [];
	let day = "";
	for (let at = 0; at < messages.length; at += 1) {
		const message = messages[at];
		if (message === void 0) break;
		if (dayOf(message) !== day) {
			day = dayOf(message);
			rows.push({
				is: "day",
				key: `day ${message.id}`,
				at: message.timestamp
			});
		}
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
	return rows;
}
// src/areas/inbox/thread/store.ts
var PAGE = 50;
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
			const conversation = await this.#ask("");
			put(conversation, false);
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
	#held = [];
	#mayBeOnItsWay(message) {
		const same = ({ what, problem }) => problem === void 0 && what.type === message.type && (what.text ?? "") === message.text;
		return message.direction === "out" && this.pending.peek().some(same);
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
	async send(what, key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`) {
		hold(this.id, {
			key,
			what,
			problem: void 0
		});
		const resends = what.resends === void 0 ? {} : { resends: what.resends };
		const body = {
			...what.type === "text" ? what : {
				type: what.type,
				media_id: what.media_id,
				...what.text ? { text: what.text } : {}
			},
			...resends
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
function withMessage(known, message) {
	return known.some((it) => it.id === message.id) ? known : [...known, message];
}
// src/areas/inbox/thread/thread.tsx
var NEAR = 80;
var SETTLED = 700;
function isToday(seconds, daysAgo) {
	const then = new Date();
	then.setDate(then.getDate() - daysAgo);
	return new Date(seconds * 1e3).toDateString() === then.toDateString();
}
function dayWord(seconds) {
	const words = inbox$1().thread;
	if (isToday(seconds, 0)) return words.today;
	return isToday(seconds, 1) ? words.yesterday : day(seconds);
}
function again(message) {
	const resends = message.id;
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
	A(() => {
		thread.open();
		return () => thread.close();
	}, [thread]);
	const name = thread.conversation.value === void 0 ? "" : nameOf$1(thread.conversation.value);
	if (thread.next.value === void 0) {
		const problem = thread.problem.value;
		if (problem === void 0) return a(Skeleton, {});
		if (problem.status === 404) return a(Missing, {});
		return a(ProblemNote, {
			problem,
			retry: () => void thread.open()
		});
	}
	return a($, { children: [a(Log, {
		thread,
		name
	}), a(Composer, { thread })] });
}
function Missing() {
	return a(Empty, {
		title: inbox$1().thread.missing,
		children: !isAdministrator.value && a("p", {
			class: "soft",
			children: shell().rights.text
		})
	});
}
function Log({ thread, name }) {
	const words = inbox$1().thread;
	const log = T(null);
	const opened = useSignal(new Set());
	const stop = useSignal(void 0);
	const atEnd = useSignal(true);
	const missed = useSignal(0);
	const rows = useComputed(() => rowsOf(thread.messages.value, thread.firstUnread.value, opened.value));
	const messages = thread.messages.value;
	const newest = messages.at(-1)?.id;
	const stopAt = stop.value ?? newest;
	const before = T({
		height: 0,
		first: messages[0]?.id,
		last: newest,
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
		if (was.first !== messages[0]?.id && was.last === newest) element.scrollTop += element.scrollHeight - was.height;
		else if (atEnd.peek() || pending > was.pending) element.scrollTop = element.scrollHeight;
		else if (was.last !== newest) {
			const at = messages.findIndex((message) => message.id === was.last);
			missed.value += messages.slice(at + 1).filter((message) => message.direction === "in").length;
		}
		before.current = {
			height: element.scrollHeight,
			first: messages[0]?.id,
			last: newest,
			pending
		};
		look();
	}, [messages, thread.pending.value]);
	function look() {
		const element = log.current;
		if (element === null) return;
		atEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
		if (atEnd.value) {
			missed.value = 0;
			if (!document.hidden) thread.read();
		}
		if (element.scrollTop < NEAR) thread.older();
	}
	A(() => {
		const seen = () => look();
		document.addEventListener("visibilitychange", seen);
		return () => document.removeEventListener("visibilitychange", seen);
	}, []);
	const toEnd = () => {
		if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
	};
	const onKeyDown = (event) => {
		const here = event.target.closest("[data-message]");
		if (here === null || event.target !== here) {
			if (event.code === "Escape" && here instanceof HTMLElement) here.focus();
			return;
		}
		const all = [...log.current?.querySelectorAll("[data-message]") ?? []];
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
			saidState.value = state === "" ? "" : inbox$1().state.announce(state);
		}, SETTLED);
		return () => clearTimeout(timer);
	}, [answer?.id, state]);
	const arrived = thread.arrived.value;
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
					thread.next.value === null ? a("p", {
						class: "begin",
						children: words.begin
					}) : a("p", {
						class: "begin",
						children: a(Button, {
							busy: thread.loading.value,
							onClick: () => void thread.older(),
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
						const { message } = row;
						const repeat = again(message);
						return a(MessageItem, {
							message,
							isStop: message.id === stopAt,
							onFocus: () => {
								stop.value = message.id;
							},
							onAgain: repeat === void 0 ? void 0 : () => void thread.send(repeat)
						}, row.key);
					}),
					thread.pending.value.map((pending) => a(PendingItem, {
						pending,
						thread
					}, pending.key))
				]
			}),
			thread.problem.value !== void 0 && a(ProblemNote, { problem: thread.problem.value }),
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
// src/areas/inbox/page.tsx
var isWide = () => matchMedia("(width >= 1280px)").matches;
function InboxPage({ id }) {
	const words = inbox$1();
	const writing = useSignal(false);
	const detailed = useSignal(isWide() && kept("details") !== "off");
	const opener = T(null);
	const touched = useSignal(false);
	const conversation = id === void 0 ? void 0 : find(id);
	const name = conversation === void 0 ? "" : nameOf$1(conversation);
	const isDetailed = detailed.value && conversation !== void 0;
	const show = (on) => {
		touched.value = true;
		detailed.value = on;
		if (isWide()) keep("details", on ? null : "off");
	};
	useShortcuts(id === void 0 ? [] : [{
		keys: "KeyI",
		says: words.thread.details,
		run: () => show(!detailed.value)
	}]);
	A(() => {
		touched.value = false;
		if (!isWide()) detailed.value = false;
	}, [id]);
	A(() => {
		if (touched.value && !isDetailed) opener.current?.querySelector("button")?.focus();
	}, [isDetailed]);
	return a(Page, {
		title: words.title,
		about: name,
		fills: true,
		actions: a(Button, {
			icon: "plus",
			onClick: () => writing.value = true,
			children: words.first.open
		}),
		children: [a("div", {
			class: `inbox${id === void 0 ? "" : " chosen"}${isDetailed ? " detailed" : ""}`,
			children: [
				a(List, { selected: id }),
				a("section", {
					class: "thread",
					"aria-label": name === "" ? words.title : words.thread.label(name),
					children: id === void 0 ? !isEmpty.value && a(Choose, {}) : a($, { children: [a("header", {
						class: "thread-head",
						children: [
							a(Button, {
								look: "quiet",
								icon: "back",
								label: words.thread.back,
								onClick: () => open("/conversations")
							}),
							a("h2", { children: [a("bdi", { children: name }), conversation?.channel !== null && conversation !== void 0 && a("span", {
								class: "soft",
								children: [" · ", conversation.channel.title]
							})] }),
							!isDetailed && a("span", {
								ref: opener,
								children: a(Button, {
									"aria-expanded": false,
									onClick: () => show(true),
									children: words.thread.details
								})
							})
						]
					}), a(ThreadView, { id }, id)] })
				}),
				isDetailed && a(Details, {
					conversation,
					takesFocus: touched.value,
					onClose: () => show(false)
				})
			]
		}), writing.value && a(WriteFirst, { onClose: () => writing.value = false })]
	});
}
function Choose() {
	const words = inbox$1().choose;
	return a(Empty, {
		title: words.title,
		children: a("p", {
			class: "with-keys",
			children: [
				a("kbd", { children: "n" }),
				" ",
				words.newest
			]
		})
	});
}
// src/areas/inbox/area.ts
var inbox = {
	pages: [{
		at: "/conversations/:id?",
		shows: InboxPage
	}],
	entries: [{
		to: "/conversations",
		icon: "inbox",
		says: () => shell().nav.inbox,
		group: "work",
		key: "KeyI",
		count: O(() => counts.value.unread)
	}]
};
// src/areas/people/area.ts
var pages = () => __vitePreload(() => import("./people.js"), __vite__mapDeps([5,1]));
var people = {
	pages: [
		{
			at: "/users",
			shows: later$1(() => pages().then((it) => it.UsersPage))
		},
		{
			at: "/users/add",
			shows: later$1(() => pages().then((it) => it.AddUsersPage))
		},
		{
			at: "/users/:id",
			shows: later$1(() => pages().then((it) => it.UserPage))
		},
		{
			at: "/roles",
			shows: later$1(() => pages().then((it) => it.RolesPage))
		},
		{
			at: "/roles/:id",
			shows: later$1(() => pages().then((it) => it.RolePage))
		},
		{
			at: "/rights",
			shows: later$1(() => pages().then((it) => it.ExplainPage))
		}
	],
	entries: [
		{
			to: "/users",
			icon: "users",
			says: () => shell().nav.users,
			group: "people",
			key: "KeyU",
			administratorsOnly: true
		},
		{
			to: "/roles",
			icon: "roles",
			says: () => shell().nav.roles,
			group: "people",
			key: "KeyO",
			administratorsOnly: true
		},
		{
			to: "/rights",
			icon: "rights",
			says: () => shell().nav.rights,
			group: "people",
			key: "KeyM"
		}
	]
};
// src/areas/reference/area.ts
var reference = {
	pages: [{
		at: "/reference/:id?",
		shows: later$1(() => __vitePreload(() => import("./reference.js").then((it) => it.ReferencePage), __vite__mapDeps([6,1,2])))
	}],
	entries: [{
		to: "/reference",
		icon: "braces",
		says: () => shell().nav.api,
		group: "operator",
		key: "KeyA"
	}]
};
// src/areas.ts
var AREAS = [
	inbox,
	deals,
	contacts,
	people,
	callbacks,
	{
		pages: [{
			at: "/requests/:id?",
			shows: later$1(() => __vitePreload(() => import("./integrations.js").then((pages) => pages.RequestsPage), __vite__mapDeps([0,1,2])))
		}],
		entries: [{
			to: "/requests",
			icon: "requests",
			says: () => shell().nav.requests,
			group: "operator",
			key: "KeyR"
		}]
	},
	channels,
	health,
	reference
];
function hasPage(path) {
	return AREAS.some((area) => area.pages.some((page) => match(page.at, path) !== void 0));
}
// src/shell/connection.tsx
function ConnectionState({ state }) {
	const words = shell().connection;
	const says = {
		live: () => words.live,
		connecting: () => "again" in state && state.again ? words.reconnecting : words.connecting,
		stale: () => words.stale(clock("since" in state ? state.since : 0)),
		paused: () => words.paused(clock("since" in state ? state.since : 0)),
		"signed-out": () => words["signed-out"]
	}[state.is]();
	return a("div", {
		class: `connection ${state.is}`,
		children: [
			a("span", {
				role: "status",
				"aria-label": words.label,
				children: [a("i", { "aria-hidden": "true" }), says]
			}),
			state.is === "stale" && a("button", {
				type: "button",
				onClick: () => void refresh$1(),
				children: words.refresh
			}),
			state.is === "paused" && a("button", {
				type: "button",
				onClick: () => pause(false),
				children: words.resume
			})
		]
	});
}
// src/shell/navigation.tsx
var GROUPS = [
	"work",
	"people",
	"operator"
];
var BAR = 3;
function entries() {
	const mine = AREAS.flatMap((area) => area.entries).filter((entry) => isAdministrator.value || entry.administratorsOnly !== true && entry.group !== "operator");
	return GROUPS.flatMap((group) => mine.filter((entry) => entry.group === group));
}
function Navigation() {
	const words = shell();
	const all = entries();
	const open = useSignal(false);
	const overflows = all.length > BAR;
	return a("nav", {
		class: open.value ? "navigation open" : "navigation",
		"aria-label": words.navigation,
		onClick: (event) => {
			if (event.target.closest("a") !== null) open.value = false;
		},
		children: a("ul", { children: [all.map((entry, at) => a("li", {
			class: at >= BAR ? "beyond" : void 0,
			children: [entry.group === "operator" && all[at - 1]?.group !== "operator" && a("h2", { children: a("span", { children: words.developer }) }), a(Link, { entry })]
		}, entry.to)), overflows && a("li", {
			class: "more",
			children: a("button", {
				type: "button",
				"aria-expanded": open.value,
				onClick: () => open.value = !open.value,
				children: [a(Icon, { name: "more" }), a("span", {
					class: "label",
					children: words.more
				})]
			})
		})] })
	});
}
function Link({ entry }) {
	const { path } = place.value;
	const isHere = path === entry.to || path.startsWith(`${entry.to}/`);
	const count = entry.count?.value;
	const says = entry.says();
	return a("a", {
		href: entry.to,
		"aria-current": isHere ? "page" : void 0,
		title: says,
		children: [
			a(Icon, { name: entry.icon }),
			a("span", {
				class: "label",
				children: says
			}),
			count !== void 0 && count.count > 0 && a("span", {
				class: "count",
				children: counted$1(count)
			})
		]
	});
}
// src/shell/shortcuts.tsx
function Shortcuts({ onClose }) {
	const words = shell().shortcuts;
	const [everywhere, ...here] = shortcuts.value.map((group) => group.current);
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
				children: readable(row.keys).split(" ").map((key, at) => a("kbd", { children: key }, at))
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
// src/shell/user-menu.tsx
function UserMenu({ onShortcuts }) {
	const words = shell();
	const open = useSignal(false);
	const problem = useSignal(void 0);
	const menu = T(null);
	const button = T(null);
	const id = P();
	A(() => {
		if (!open.value) return;
		const outside = (event) => {
			if (!(event.target instanceof Node) || menu.current?.contains(event.target) !== true) open.value = false;
		};
		document.addEventListener("pointerdown", outside);
		document.addEventListener("focusin", outside);
		return () => {
			document.removeEventListener("pointerdown", outside);
			document.removeEventListener("focusin", outside);
		};
	}, [open.value]);
	const user = me.value?.user;
	return a("div", {
		class: "user-menu",
		ref: menu,
		onKeyDown: (event) => {
			if (event.code !== "Escape" || !open.value) return;
			event.stopPropagation();
			open.value = false;
			button.current?.focus();
		},
		children: [a("button", {
			type: "button",
			ref: button,
			class: "user",
			"aria-expanded": open.value,
			"aria-controls": id,
			title: words.account,
			onClick: () => open.value = !open.value,
			children: [a(Initials, { name: user?.name ?? "" }), a("span", {
				class: "name",
				children: user?.name
			})]
		}), open.value && a("div", {
			class: "sheet",
			id,
			role: "group",
			"aria-label": words.account,
			children: [
				a("p", { children: [
					a("strong", { children: user?.name }),
					a("br", {}),
					a("span", {
						class: "soft",
						children: user?.email
					}),
					user?.rights.is_admin === true && a("span", {
						class: "soft",
						children: [" · ", words.administrator]
					})
				] }),
				a("label", { children: [words.language, a("select", {
					value: language.value,
					onChange: (event) => choose(event.currentTarget.value),
					children: LANGUAGES.map((name) => a("option", {
						value: name,
						lang: name,
						children: LANGUAGE_NAMES[name]
					}, name))
				})] }),
				a("label", { children: [words.theme.label, a("select", {
					value: theme.value,
					onChange: (event) => chooseTheme(event.currentTarget.value),
					children: THEMES.map((name) => a("option", {
						value: name,
						children: words.theme[name]
					}, name))
				})] }),
				a(Button, {
					icon: "keyboard",
					onClick: () => {
						open.value = false;
						onShortcuts();
					},
					children: words.shortcuts.open
				}),
				operatorToken.value !== void 0 && a(Button, {
					onClick: forgetOperator,
					children: words.operator.leave
				}),
				problem.value !== void 0 && a(ProblemNote, { problem: problem.value }),
				a(Button, {
					onClick: () => {
						signOut().catch((failure) => {
							problem.value = asProblem(failure);
						});
					},
					children: words.signOut
				})
			]
		})]
	});
}
// src/shell/frame.tsx
function Frame({ children }) {
	const helping = useSignal(false);
	const words = shell();
	useShortcuts([
		{
			keys: "Shift+Slash",
			says: words.shortcuts.help,
			run: () => helping.value = true
		},
		{
			keys: "Period",
			says: words.shortcuts.pause,
			run: () => pause(!paused.peek())
		},
		...entries().flatMap((entry) => entry.key === void 0 ? [] : [{
			keys: `KeyG ${entry.key}`,
			says: words.shortcuts.goto(entry.says()),
			run: () => open(entry.to)
		}])
	]);
	const account = me.value?.account?.name ?? "";
	return a("div", {
		class: "frame",
		children: [
			a("a", {
				class: "skip",
				href: "#content",
				children: words.skip
			}),
			target.value !== void 0 && a("a", {
				class: "skip",
				href: `#${target.value.id}`,
				children: target.value.says()
			}),
			a("header", {
				class: "top",
				children: [
					a("a", {
						class: "brand",
						href: "/",
						"aria-label": words.product,
						children: [a(Icon, { name: "callbacks" }), a("span", { children: words.product })]
					}),
					a("span", {
						class: "account-name",
						title: account,
						children: account
					}),
					a(ConnectionState, { state: connection.value }),
					a(UserMenu, { onShortcuts: () => helping.value = true })
				]
			}),
			a(Navigation, {}),
			a("main", {
				id: "content",
				tabIndex: -1,
				children
			}),
			helping.value && a(Shortcuts, { onClose: () => helping.value = false })
		]
	});
}
// src/shell/sign-in.tsx
function SignIn() {
	const all = shell();
	const words = all.signIn;
	const form = T(null);
	const problem = useSignal(void 0);
	const busy = useSignal(false);
	const wait = useSignal(0);
	A(() => {
		nameWindow([words.title, all.product]);
	}, [words.title]);
	A(() => {
		if (wait.value <= 0) return;
		const timer = setTimeout(() => wait.value -= 1, 1e3);
		return () => clearTimeout(timer);
	}, [wait.value]);
	const submit = async (data) => {
		const text = (name) => String(data.get(name) ?? "").trim();
		busy.value = true;
		problem.value = void 0;
		try {
			await signIn(text("email"), String(data.get("password") ?? ""), text("account"));
		} catch (failure) {
			problem.value = asProblem(failure);
			if (problem.value.status === 429) wait.value = problem.value.retryAfter ?? 60;
			form.current?.querySelector("[type=password]")?.select();
		}
		busy.value = false;
	};
	const failed = problem.value;
	const refused = failed?.status === 401;
	const throttled = failed?.status === 429 && wait.value > 0;
	return a("main", {
		class: "sign-in",
		children: [a("form", {
			ref: form,
			class: "card",
			onSubmit: (event) => {
				event.preventDefault();
				if (!busy.value) submit(new FormData(event.currentTarget));
			},
			children: [
				a("p", {
					class: "brand",
					children: [a(Icon, { name: "callbacks" }), all.product]
				}),
				a("h1", { children: words.title }),
				ended.value && failed === void 0 && a("p", {
					class: "notice",
					role: "status",
					children: words.ended
				}),
				a("div", {
					"aria-live": "assertive",
					children: [refused && a("p", {
						class: "notice bad",
						children: words.wrong
					}), throttled && a("p", {
						class: "notice bad",
						children: words.throttled(lasting(wait.value))
					})]
				}),
				failed !== void 0 && !refused && failed.status !== 429 && a(ProblemNote, { problem: failed }),
				a(Field, {
					label: words.email,
					children: (input) => a("input", {
						...input,
						name: "email",
						type: "email",
						autocomplete: "username",
						required: true,
						autofocus: true
					})
				}),
				a(Field, {
					label: words.password,
					children: (input) => a("input", {
						...input,
						name: "password",
						type: "password",
						autocomplete: "current-password",
						required: true
					})
				}),
				a("details", { children: [a("summary", { children: words.several }), a(Field, {
					label: words.account,
					hint: words.accountHint,
					error: failed?.about("account_id"),
					children: (input) => a("input", {
						...input,
						name: "account",
						autocomplete: "off",
						spellcheck: false
					})
				})] }),
				a(Button, {
					type: "submit",
					look: "primary",
					busy: busy.value,
					disabled: throttled,
					children: words.submit
				})
			]
		}), a("label", {
			class: "language",
			children: [all.language, a("select", {
				value: language.value,
				onChange: (event) => choose(event.currentTarget.value),
				children: LANGUAGES.map((name) => a("option", {
					value: name,
					lang: name,
					children: LANGUAGE_NAMES[name]
				}, name))
			})]
		})]
	});
}
// src/app.tsx
var AGAIN = 3e3;
var HOME = "/conversations";
function App() {
	useSignalEffect(() => {
		if (me.value === null) disconnect();
		else if (me.value !== void 0) connect();
	});
	useSignalEffect(() => {
		if (me.value !== void 0 || unknown.value === void 0) return void 0;
		const timer = setTimeout(() => void recall$1(), AGAIN);
		return () => clearTimeout(timer);
	});
	if (me.value === void 0) return unknown.value === void 0 ? null : a(ProblemNote, {
		problem: unknown.value,
		retry: () => void recall$1()
	});
	if (me.value === null) return a(SignIn, {});
	return a(Frame, { children: a(Shown, {}) });
}
function Shown() {
	const { path } = place.value;
	const isHome = path === "/" || path === "/sign-in";
	A(() => {
		if (isHome) redirect(HOME);
	}, [isHome]);
	if (isHome) return null;
	for (const { at, shows: Shows } of AREAS.flatMap((area) => area.pages)) {
		const found = match(at, path);
		if (found !== void 0) return a(Shows, { ...found }, at);
	}
	const words = shell().page;
	return a(Page, {
		title: words.missing,
		children: a(Empty, {
			title: words.missingText,
			children: a("a", {
				href: HOME,
				children: words.home
			})
		})
	});
}
// src/main.tsx
followLinks(document);
listenToKeys(document);
recall$1();
await start();
var root = document.getElementById("app");
if (root !== null) Q(a(App, {}), root);
