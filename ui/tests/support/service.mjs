// A service of a case's own, which can be stopped and started again at the same address.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE } from './cases.mjs';

const OPERATOR = 'token-of-the-operator';
const CONFIG = `[server]
listen = "127.0.0.1:0"
workers = 1
[store]
path = "data"
low_water_mib = 0
[operator]
token = "${OPERATOR}"
[dispatch]
allow_private_networks = true
disk_reserve_mib = 0
`;

export class Service {
  operator = OPERATOR;

  /** Starts one, with these lines more in its configuration. */
  static async start(program, lines = '') {
    const service = new Service();
    service.program = program;
    service.directory = await mkdtemp(join(tmpdir(), 'console-'));
    await writeFile(join(service.directory, 'config.toml'), CONFIG + lines);
    await service.start('127.0.0.1:0');
    return service;
  }

  async start(listen = this.address) {
    const ready = join(this.directory, 'ready.json');
    await rm(ready, { force: true });
    const words = ['serve', '--config', 'config.toml', '--listen', listen, '--ready-file', ready];
    this.child = spawn(this.program, words, { cwd: this.directory, stdio: 'ignore' });
    this.ended = new Promise((done) => this.child.once('exit', done));
    const end = Date.now() + PATIENCE;
    for (;;) {
      const text = await readFile(ready, 'utf8').catch(() => undefined);
      if (text !== undefined) {
        this.address = JSON.parse(text).address;
        this.base = `http://${this.address}`;
        return;
      }
      if (this.child.exitCode !== null || Date.now() > end) throw new Error('the service did not come up');
      await new Promise((wake) => setTimeout(wake, 20));
    }
  }

  async stop() {
    this.child.kill('SIGTERM');
    await this.ended;
  }

  async end() {
    this.child.kill('SIGKILL');
    await this.ended;
    await rm(this.directory, { recursive: true, force: true });
  }
}
