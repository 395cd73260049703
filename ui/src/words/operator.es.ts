import { bytes, counted } from './language';
import type { OperatorWords } from './operator.en';

export const es: OperatorWords = {
  pause: 'Pausar',
  goOn: 'Continuar',
  back: 'A la lista',
  chosen: 'Lo elegido',
  channel: 'Canal',
  allChannels: 'Todos los canales',
  account: 'Cuenta',
  scope: 'Scope',
  masked: 'No se guarda: es un secreto',
  body: {
    pretty: 'Con formato',
    raw: 'Tal cual',
    hex: 'Bytes',
    length: (count) => (count < 1000 ? counted('es', count, { one: 'byte', other: 'bytes' }) : bytes(count)),
    more: (count) => `${count} bytes más`,
  },
  failures: {
    timed_out: 'Tiempo agotado',
    refused: 'Conexión rechazada',
    reset: 'Conexión interrumpida',
    dns: 'Nombre no encontrado',
    tls: 'Sin sesión TLS',
    forbidden_address: 'Dirección prohibida',
    unknown: 'Desconocido',
  },
  outcome: {
    delivered: 'Entregado',
    notDelivered: 'No entregado',
    answer: 'Respuesta',
    address: 'Dirección',
    said: 'Dijo',
    took: (ms) => `${ms} ms`,
  },
};
