import type { ProfileWords } from './profile.en';

export const es: ProfileWords = {
  title: 'Perfil y notificaciones',
  name: 'Nombre',
  saveName: 'Guardar el nombre',
  named: 'El nombre está guardado. Sus colegas lo ven desde ahora.',
  current: 'Contraseña actual',
  password: 'Contraseña nueva',
  passwordHint: 'Al menos 6 caracteres, con una cifra, una minúscula y una mayúscula.',
  save: 'Cambiar la contraseña',
  changed: 'La contraseña está cambiada. Sus demás sesiones han terminado.',
  wrong: 'La contraseña actual es incorrecta.',
};
