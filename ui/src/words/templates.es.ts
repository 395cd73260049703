import type { TemplateWords } from './templates.en';

export const es: TemplateWords = {
  open: 'Plantillas',
  title: 'Enviar una plantilla',
  search: 'Buscar por nombre y texto',
  list: 'Plantillas para elegir',
  none: 'No hay plantillas para esta conversación',
  noneText: 'Las integraciones crean las plantillas. Aquí aparecen las que se pueden enviar en esta conversación.',
  docs: 'Acerca de las plantillas',
  noMatch: 'No se encontraron plantillas.',
  preview: 'El mensaje tal como se enviará',
  back: 'Otras plantillas',
  noValue: (markers) => `Sin valor para: ${markers}`,
  ask: 'El texto del mensaje tiene huecos en esos lugares. ¿Enviarlo de todos modos?',
  without: 'Enviar sin estos valores',
  noText: 'Esta plantilla no se puede enviar aquí: su texto quedaría vacío o demasiado largo. Escriba el mensaje a mano.',
  buttons: 'Botones del mensaje',
  listOf: (button) => `Lista: ${button}`,
  pressed: (text) => `Pulsado: ${text}`,
  window: {
    open: (time) => `Puede escribir libremente hasta el ${time}.`,
    closed: (time) => `El plazo para escribir libremente terminó el ${time}. Envíe una plantilla o espere a que el cliente escriba.`,
    never: 'El cliente todavía no ha escrito. Envíe una plantilla o espere a que el cliente escriba.',
    placeholder: 'Por ahora, solo plantillas',
  },
};
