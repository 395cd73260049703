import type { SetupWords } from './setup.en';

export const es: SetupWords = {
  title: 'Configurar el servicio',
  text: 'Todavía no hay ninguna cuenta. Cree una con su administrador. Necesita el token del operador.',
  token: 'Token del operador',
  tokenHint: 'El valor de operator.token en config.toml, o el token que mostró el primer inicio.',
  wrong: 'El token del operador no es correcto.',
  account: 'Cuenta',
  accountHint: 'El nombre de su equipo o empresa.',
  name: 'Su nombre',
  email: 'Correo electrónico',
  password: 'Contraseña',
  passwordHint: 'Al menos 6 caracteres, con una cifra, una minúscula y una mayúscula.',
  submit: 'Crear la cuenta e iniciar sesión',
};
