import type { CannedWords } from './canned.en';
import { counted } from './counted';

export const es: CannedWords = {
  title: 'Respuestas guardadas',
  mine: 'Mías',
  shared: 'Del equipo',
  loading: 'Leyendo las respuestas guardadas…',
  found: (count) => (count === 0 ? 'No se encontraron respuestas guardadas.' : `${counted('es', count, { one: 'respuesta guardada', other: 'respuestas guardadas' })}. Las flechas eligen, Intro inserta.`),
  none: 'Todavía no hay respuestas guardadas.',
  tooLong: 'Este texto es demasiado largo para un mensaje aquí.',
  manage: 'Administrar las respuestas guardadas',
  new: 'Nueva respuesta guardada',
  change: 'Cambiar una respuesta guardada',
  explain: 'Para insertar una, escriba / en una respuesta y unas letras del nombre o del texto.',
  name: 'Nombre',
  text: 'Texto',
  markers: 'Los marcadores como {{contact.name}} toman los valores de la conversación al insertar el texto.',
  share: 'Compartir con el equipo',
  save: 'Guardar',
  edit: (name) => `Cambiar «${name}»`,
  delete: (name) => `Eliminar «${name}»`,
  confirm: {
    title: (name) => `¿Eliminar «${name}»?`,
    own: 'Ya no podrá insertar este texto. Los mensajes que lo contienen quedan como están.',
    shared: 'Nadie del equipo podrá insertar este texto. Los mensajes que lo contienen quedan como están.',
    action: 'Eliminar la respuesta guardada',
  },
  noValue: (markers) => `Sin valor para: ${markers}`,
  ask: 'Escriba los valores en el texto, o envíelo otra vez para enviarlo tal como está.',
  asItIs: 'Enviar tal como está',
  leftOut: (name) => `«${name}» no se adjuntó: la respuesta tiene otro archivo.`,
};
