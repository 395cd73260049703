import { counted } from './counted';
import type { NotificationWords } from './notifications.en';

const conversations = (count: number): string => counted('es', count, { one: 'conversación', other: 'conversaciones' });

export const es: NotificationWords = {
  title: 'Notificaciones',
  here: 'Mostrar notificaciones en este navegador',
  refused: 'Este navegador rechaza las notificaciones de esta página. Puede permitirlas en los ajustes de la página.',
  impossible: 'Este navegador no muestra notificaciones aquí. Hace falta una dirección que empiece por https.',
  push: 'También cuando no hay ninguna página de la consola abierta',
  pushText: 'Su navegador recibe notificaciones push hasta que cierre la sesión. Nombran el canal.',
  pushImpossible: 'Este navegador no admite notificaciones push aquí. Hace falta una dirección que empiece por https, y en algunos teléfonos, instalar la consola.',
  about: 'Notificarme sobre',
  kinds: {
    new_conversation: { about: 'Conversaciones nuevas sin responsable', title: (channel) => `Conversación nueva en ${channel}` },
    new_message: { about: 'Mensajes en mis conversaciones', title: (channel) => `Mensaje nuevo en ${channel}` },
    assigned: { about: 'Conversaciones que otros me asignan', title: (channel) => `Una conversación en ${channel} ahora es suya` },
    mention: { about: 'Notas que me mencionan', title: (channel) => `Una nota le menciona en ${channel}` },
    send_failed: { about: 'Respuestas mías que fallan', title: (channel) => `Su respuesta en ${channel} ha fallado` },
    scheduled_held: { about: 'Respuestas mías programadas que no se envían', title: (channel) => `Su respuesta programada en ${channel} no se ha enviado` },
  },
  summary: (count, of) => `${counted('es', count, { one: 'notificación', other: 'notificaciones' })} de ${conversations(of)}`,
  waiting: (count) => `Sin leer: ${conversations(count)}`,
  sound: 'Con sonido',
  showsText: 'Con el principio del texto del cliente, en las notificaciones push',
  quiet: 'Horas de silencio: sin notificaciones en este horario',
  from: 'Desde',
  to: 'Hasta',
  save: 'Guardar las notificaciones',
  saved: 'Las notificaciones están guardadas para todos sus dispositivos.',
};
