/**
 * The memory of the bridge: an append-only journal of JSON lines, and the queues of the jobs in it.
 *
 * All of it is in memory too, so it suits some thousand conversations. A larger bridge takes a database.
 */

import fs from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

const appendFile = promisify(fs.appendFile);
const fdatasync = promisify(fs.fdatasync);
const JOURNAL_BYTES = 64 << 20; // beyond those of the last snapshot
const CALLBACK_AGE_MAX = 30 * 86_400_000;

export const log = (text) => console.error(text);

export class Store {
  facts = new Map();
  callbacks = new Map(); // from the identity of a callback to the time when it came
  jobs = new Map();
  chats = new Map();
  seen = new Map();
  #path;
  #file;
  #bytesMax;
  #bytes = 0;
  #lines = '';
  #sync = Promise.resolve();
  #nextSync;

  constructor(path) {
    this.#path = path;
    const lines = fs.existsSync(path) ? fs.readFileSync(path, 'utf8').split('\n') : [];
    lines.pop(); // Empty, or the torn line of a kill: nobody was told that it is stored.
    for (const line of lines) this.#apply(JSON.parse(line));
    this.#writeSnapshot();
  }

  /**
   * Applies changes `[table, key, value]`, where `null` deletes, and resolves when they are on the disk. The changes of a
   * call are one line, so a kill leaves all of them or none. Without changes, it waits for those of others.
   */
  commit(...changes) {
    this.#apply(changes);
    if (changes.length > 0) this.#lines += `${JSON.stringify(changes)}\n`;
    // One sync for all who wait. It begins when the one before it has ended.
    this.#nextSync ??= this.#sync.then(() => this.#write());
    return this.#nextSync;
  }

  #apply(changes) {
    for (const [table, key, value] of changes) {
      if (value === null) this[table].delete(key);
      else this[table].set(key, value);
    }
  }

  async #write() {
    const lines = this.#lines;
    [this.#sync, this.#nextSync, this.#lines] = [this.#nextSync, undefined, ''];
    if (!lines) return;
    try {
      if (this.#bytes > this.#bytesMax) return this.#writeSnapshot();
      await appendFile(this.#file, lines);
      await fdatasync(this.#file);
      this.#bytes += lines.length;
    } catch (error) {
      // The memory has what the disk may not have. Only a new start finds out what is there.
      log(`the journal cannot be written, so the bridge ends: ${error.message}`);
      process.exit(1);
    }
  }

  /** Begins a new journal with what is still needed. It takes the place of the old one when it is whole. */
  #writeSnapshot() {
    const oldest = Date.now() - CALLBACK_AGE_MAX;
    for (const [identity, at] of this.callbacks) if (at < oldest) this.callbacks.delete(identity);
    const tables = ['facts', 'callbacks', 'jobs', 'chats', 'seen'];
    const lines = tables.flatMap((table) => [...this[table]].map((entry) => `${JSON.stringify([[table, ...entry]])}\n`));
    const text = lines.join('');
    if (this.#file !== undefined) fs.closeSync(this.#file);
    this.#file = fs.openSync(`${this.#path}.new`, 'w', 0o600); // It has tokens.
    fs.writeFileSync(this.#file, text);
    [this.#bytes, this.#bytesMax] = [text.length, text.length + JOURNAL_BYTES];
    fs.fsyncSync(this.#file);
    fs.renameSync(`${this.#path}.new`, this.#path);
    const directory = fs.openSync(dirname(this.#path), 'r');
    fs.fsyncSync(directory); // Otherwise the new name itself could be lost.
    fs.closeSync(directory);
  }
}

/** The jobs of one kind. Those of a lane are done one after the other, by rank, and those of several lanes at once. */
export class Queue {
  #lanes = new Map();
  #dueLanes = [];
  #free;
  #work;

  /** `work(job, tries)` resolves when the job is over, or with the milliseconds until it is tried again. */
  constructor(laneCount, work) {
    this.#free = laneCount;
    this.#work = work;
  }

  add(job) {
    const lane = this.#lanes.get(job.lane);
    if (lane) {
      lane.push({ job, tries: 0 });
      lane.sort((one, other) => one.job.rank - other.job.rank);
    } else {
      this.#lanes.set(job.lane, [{ job, tries: 0 }]);
      this.#start(job.lane);
    }
  }

  #start(name) {
    if (name !== undefined) this.#dueLanes.push(name);
    while (this.#free > 0 && this.#dueLanes.length > 0) this.#run(this.#dueLanes.shift());
  }

  async #run(name) {
    this.#free -= 1;
    const lane = this.#lanes.get(name);
    const entry = lane[0];
    const pause = await this.#work(entry.job, entry.tries).catch((error) => {
      log(`a ${entry.job.kind} of «${name}» is tried again: ${error.message}`);
      return Math.min(5_000, 200 * 2 ** entry.tries);
    });
    this.#free += 1;
    entry.tries += 1;
    if (pause === undefined) lane.splice(lane.indexOf(entry), 1);
    if (lane.length === 0) this.#lanes.delete(name);
    else setTimeout(() => this.#start(name), pause ?? 0);
    this.#start();
  }
}
