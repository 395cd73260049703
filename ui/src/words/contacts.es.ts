import type { ContactWords } from './contacts.en';

export const es: ContactWords = {
  title: 'Contactos',
  filter: 'Nombre, teléfono o correo',
  name: 'Nombre',
  nameless: 'Sin nombre',
  phone: 'Teléfono',
  email: 'Correo',
  responsible: 'Responsable',
  nobody: 'Nadie',
  created: 'Desde',
  untold: 'No indicado',
  edit: (name) => `Editar: ${name}`,
  editTitle: 'Contacto',
  fromProfile: 'El teléfono y el correo vienen del perfil del cliente, como los indicó la integración.',
  empty: 'Todavía no hay contactos',
  emptyText: 'El primer mensaje de un cliente crea uno.',
  nothing: 'Ningún contacto encaja con el filtro.',
  more: 'Hay más: el filtro busca en lo que está cargado.',
};
