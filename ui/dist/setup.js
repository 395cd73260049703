const __vite__mapDeps=(i,m=__vite__mapDeps,d=(m.f||(m.f=["integrations.js","app.js","start.js","app.css","parts.js","parts.css","operator.js","operator.css","webhooks.js","integrations.css"])))=>i.map(i=>d[i]);
import { Ht as asProblem, St as shell, Yt as dictionary, Zt as language, _t as ProblemNote, a as becomeOperator, bt as a, et as nameWindow, ht as later, n as Field, r as askAsOperator, rn as useSignal, s as listAsOperator, t as LanguageChoice, un as A, vt as Button, yt as Icon, zt as signIn } from "./app.js";
import { n as __vitePreload } from "./start.js";
// src/words/setup.ts
var setup = dictionary({
	en: {
		title: "Set up the service",
		text: "There is no account yet. Create one with its administrator. You need the operator token.",
		token: "Operator token",
		tokenHint: "The value of operator.token in config.toml, or the token that the first start printed.",
		wrong: "The operator token is wrong.",
		account: "Account",
		accountHint: "The name of your team or company.",
		name: "Your name",
		email: "E-mail",
		password: "Password",
		passwordHint: "At least 6 characters, with a digit, a lower-case and an upper-case letter.",
		submit: "Create account and sign in"
	},
	ru: {
		title: "Настройка сервиса",
		text: "Аккаунта пока нет. Создайте его вместе с администратором. Нужен токен оператора.",
		token: "Токен оператора",
		tokenHint: "Значение operator.token в config.toml или токен, который напечатал первый запуск.",
		wrong: "Неверный токен оператора.",
		account: "Аккаунт",
		accountHint: "Название вашей команды или компании.",
		name: "Ваше имя",
		email: "Эл. почта",
		password: "Пароль",
		passwordHint: "Не меньше 6 знаков, с цифрой, строчной и заглавной буквой.",
		submit: "Создать аккаунт и войти"
	},
	es: {
		title: "Configurar el servicio",
		text: "Todavía no hay ninguna cuenta. Cree una con su administrador. Necesita el token del operador.",
		token: "Token del operador",
		tokenHint: "El valor de operator.token en config.toml, o el token que mostró el primer inicio.",
		wrong: "El token del operador no es correcto.",
		account: "Cuenta",
		accountHint: "El nombre de su equipo o empresa.",
		name: "Su nombre",
		email: "Correo electrónico",
		password: "Contraseña",
		passwordHint: "Al menos 6 caracteres, con una cifra, una minúscula y una mayúscula.",
		submit: "Crear la cuenta e iniciar sesión"
	}
});
// src/shell/setup.tsx
async function makeAccount({ account: name }) {
	const body = {
		name,
		lang: language.peek(),
		plan: "enterprise"
	};
	const [known] = await listAsOperator("/admin/v1/accounts", "accounts");
	const path = known === void 0 ? "/admin/v1/accounts" : `/admin/v1/accounts/${known.id}`;
	return (await askAsOperator(path, {
		method: known === void 0 ? "POST" : "PATCH",
		body
	})).id;
}
async function makeAdministrator(account, { name, email, password }) {
	const body = {
		name,
		email,
		password,
		is_admin: true,
		lang: language.peek()
	};
	await askAsOperator(`/admin/v1/accounts/${account}/users`, {
		method: "POST",
		body
	});
}
var Relays = later(() => __vitePreload(() => import("./integrations.js").then((it) => it.RelaysAlone), __vite__mapDeps([0,1,2,3,4,5,6,7,8,9])));
function First({ only_relays: isOnly }) {
	return isOnly === true ? a(Relays, {}) : a(SetUp, {});
}
function SetUp() {
	const words = setup();
	const all = shell();
	const busy = useSignal(false);
	const step = useSignal("token");
	const problem = useSignal(void 0);
	A(() => {
		nameWindow([words.title, all.product]);
	}, [words.title]);
	const submit = async (wanted) => {
		busy.value = true;
		problem.value = void 0;
		try {
			step.value = "token";
			await becomeOperator(wanted.token.trim());
			step.value = "account";
			const account = await makeAccount(wanted);
			step.value = "user";
			await makeAdministrator(account, wanted);
			step.value = "session";
			await signIn(wanted.email, wanted.password, "");
		} catch (failure) {
			problem.value = asProblem(failure);
		}
		busy.value = false;
	};
	const wrong = (at, path) => step.value === at ? problem.value?.about(path) : void 0;
	const refused = step.value === "token" && problem.value?.status === 401 ? words.wrong : void 0;
	const errors = {
		account: wrong("account", "name"),
		name: wrong("user", "name"),
		email: wrong("user", "email"),
		password: wrong("user", "password")
	};
	const isShown = refused !== void 0 || Object.values(errors).some((error) => error !== void 0);
	return a("main", {
		class: "sign-in",
		children: [a("form", {
			class: "card setup",
			onSubmit: (event) => {
				event.preventDefault();
				const data = new FormData(event.currentTarget);
				const text = (name) => String(data.get(name) ?? "");
				const [token, account, name] = [
					text("token"),
					text("account").trim(),
					text("name").trim()
				];
				const wanted = {
					token,
					account,
					name,
					email: text("email").trim(),
					password: text("password")
				};
				if (!busy.value) submit(wanted);
			},
			children: [
				a("p", {
					class: "brand",
					children: [a(Icon, { name: "callbacks" }), all.product]
				}),
				a("h1", { children: words.title }),
				a("p", { children: words.text }),
				problem.value !== void 0 && !isShown && a(ProblemNote, { problem: problem.value }),
				a(Field, {
					label: words.token,
					hint: words.tokenHint,
					error: refused,
					children: (input) => a("input", {
						...input,
						name: "token",
						type: "password",
						autocomplete: "off",
						required: true,
						autofocus: true
					})
				}),
				a(Field, {
					label: words.account,
					hint: words.accountHint,
					error: errors.account,
					children: (input) => a("input", {
						...input,
						name: "account",
						autocomplete: "organization",
						maxLength: 255,
						required: true
					})
				}),
				a(Field, {
					label: words.name,
					error: errors.name,
					children: (input) => a("input", {
						...input,
						name: "name",
						autocomplete: "name",
						maxLength: 255,
						required: true
					})
				}),
				a(Field, {
					label: words.email,
					error: errors.email,
					children: (input) => a("input", {
						...input,
						name: "email",
						type: "email",
						autocomplete: "username",
						required: true
					})
				}),
				a(Field, {
					label: words.password,
					hint: words.passwordHint,
					error: errors.password,
					children: (input) => a("input", {
						...input,
						name: "password",
						type: "password",
						autocomplete: "new-password",
						required: true
					})
				}),
				a(Button, {
					type: "submit",
					look: "primary",
					busy: busy.value,
					children: words.submit
				})
			]
		}), a(LanguageChoice, {})]
	});
}
export { First };
