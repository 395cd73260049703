import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { Switchboard } from '../../src/index.js';
import { PATIENCE_MS } from '../patience.js';

/**
 * Notes which process of Switchboard this worker uses, and waits until the other worker has noted its own. So both run at once.
 * @param {string} worker
 */
export async function meet(worker) {
  const folder = /** @type {string} */ (process.env['MEETING']);
  const { pid } = await Switchboard.shared();
  fs.writeFileSync(path.join(folder, worker), `${pid}`);
  const latest = Date.now() + PATIENCE_MS;
  while (fs.readdirSync(folder).length < 2) {
    if (Date.now() > latest) throw new Error(`the other worker did not come within ${PATIENCE_MS / 1_000} seconds`);
    await delay(5);
  }
}
