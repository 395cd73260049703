import { counted } from './counted';
import { bytes } from './language';
import type { OperatorWords } from './operator.en';

export const es: OperatorWords = {
  pause: 'Pausar actualizaciones',
  goOn: 'Reanudar actualizaciones',
  back: 'Volver a la lista',
  chosen: 'Selección',
  channel: 'Canal',
  allChannels: 'Todos los canales',
  account: 'Cuenta',
  accounts: 'Cuentas',
  allAccounts: 'Todas las cuentas',
  noAccounts: 'Sin cuentas',
  noAgent: 'Sin User-Agent',
  scope: 'Scope',
  masked: 'Secreto, no se guarda',
  body: {
    pretty: 'Con formato',
    raw: 'Como se envió',
    hex: 'Bytes',
    length: (count) => (count < 1000 ? counted('es', count, { one: 'byte', other: 'bytes' }) : bytes(count)),
    more: (count) => `${count} bytes más`,
  },
  failures: {
    timed_out: 'Tiempo de espera agotado',
    refused: 'Conexión rechazada',
    reset: 'Conexión perdida',
    dns: 'Error de búsqueda DNS',
    tls: 'Error de conexión TLS',
    forbidden_address: 'Dirección prohibida',
    unknown: 'Resultado desconocido',
  },
  outcome: {
    delivered: 'Entregado',
    notDelivered: 'No entregado',
    answer: 'Respuesta',
    address: 'Endpoint',
    said: 'Cuerpo de la respuesta',
    took: (ms) => `${ms} ms`,
  },
  admitted: {
    title: 'Usuarios que permanecen',
    text: 'La integración creó a estos usuarios o fue la última que los activó. Todavía pueden entrar. Desactive a los que no hagan falta.',
    user: 'Usuario',
    sessions: 'Sesiones',
    tokens: 'Tokens',
    none: 'ninguno',
    more: (count) => `Los primeros ${count} usuarios. La página «Usuarios» los muestra todos.`,
  },
};
