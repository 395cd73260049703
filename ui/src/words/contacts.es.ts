import type { ContactWords } from './contacts.en';

export const es: ContactWords = {
  title: 'Contactos',
  filter: 'Nombre, teléfono o correo',
  name: 'Nombre',
  nameless: 'Sin nombre',
  phone: 'Teléfono',
  email: 'Correo',
  responsible: 'Responsable',
  created: 'Creado',
  untold: 'No indicado',
  edit: (name) => `Editar: ${name}`,
  editTitle: 'Contacto',
  fromProfile: 'La integración envía el teléfono y el correo con el perfil del cliente; lo que los usuarios introducen se conserva.',
  empty: 'Todavía no hay contactos',
  emptyText: 'El primer mensaje de un cliente crea un contacto, salvo que el mensaje sea silencioso, como lo es el historial importado.',
  nothing: 'Ningún contacto coincide con el filtro.',
  more: 'La búsqueda aún no ha llegado al último contacto. Muestre más para seguir buscando.',
  nothingSoFar: 'Nada encontrado hasta ahora.',
};
