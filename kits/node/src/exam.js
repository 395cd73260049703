import { AssertionError } from 'node:assert';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { SwitchboardError } from './errors.js';
import { signalGroup, startGroup } from './group.js';
import { findProgram } from './program.js';
import { secondsOf } from './values.js';

/**
 * @typedef {object} ExamOptions
 * @property {'bridge' | 'bot' | 'both'} [profile] `bridge` if absent
 * @property {number[]} [only] the rules to try, all of the profile if absent
 * @property {Record<number, string>} [waive] the rules that are not tried, each with the reason
 * @property {boolean} [strict] fails for warnings and for rules that were not tried, too
 * @property {string} [path] of the program's address for callbacks, `/` if absent
 * @property {string} [hooksPath] the path and perhaps the query of its address for hooks, `/hooks` if absent
 * @property {number} [jobs] the number of rules that are tried at once
 * @property {string[]} [flags] more flags of `switchboard exam`, such as `--html=exam.html`; paths begin in `cwd`
 * @property {Record<string, string>} [env] more variables
 * @property {string} [cwd] its working directory
 * @property {import('./values.js').Duration} [timeout] of real time until the exam is ended, 10 minutes if absent
 * @property {AbortSignal} [signal] ends the exam, as that of a test which is cancelled
 *
 * @typedef {object} ExamRule
 * @property {number} number
 * @property {string} title
 * @property {'holds' | 'breaks' | 'warns' | 'not_tried' | 'waived'} verdict
 * @property {string} why the reason of the verdict, or an empty text
 * @property {string} advice
 * @property {string} page its page in the documentation
 *
 * @typedef {object} ExamReport
 * @property {string} headline the numbers of verdicts
 * @property {Record<number, ExamRule>} rules by their numbers
 * @property {string} text what a terminal shows
 * @property {Record<string, any>} document the whole report
 */

/** The form of reports that this kit reads. */
const EXAM_VERSION = 1;

/** Seconds until an exam is ended. A whole one takes about a minute on two processors. */
const SECONDS = 600;

/** The greatest number of lines of the exam's words that an error contains. */
const LINES_MAX = 20;

/** The program does not pass. It is an assertion error: test frameworks report a failed test. */
export class ExamError extends AssertionError {
  /**
   * @param {string} program
   * @param {ExamReport} report which rules it breaks, and what to do
   */
  constructor(program, report) {
    super({ message: `The program «${program}» does not pass the exam.\n${report.text}`, operator: 'exam' });
    this.report = report;
  }
}

/**
 * Examines a program in worlds of the exam's own.
 * @param {string | string[]} command the program and its arguments, which the exam parts at the spaces of a text
 * @param {ExamOptions} [options]
 * @returns {Promise<ExamReport>}
 */
export async function exam(command, options = {}) {
  const line = commandLine(command);
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'switchboard-exam-'));
  try {
    const files = { document: path.join(folder, 'exam.json'), output: path.join(folder, 'output'), errors: path.join(folder, 'errors') };
    const words = [findProgram(), 'exam', `--json=${files.document}`, `--command=${line}`, ...flagsOf(options)];
    const code = await run(words, options, files);
    const report = reportOf(code, files);
    if (code !== 0) throw new ExamError(line, report);
    return report;
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {string | string[]} command */
function commandLine(command) {
  if (typeof command === 'string') return command;
  for (const word of command) {
    if (!/^\S+$/.test(word)) {
      throw new TypeError(`The exam parts a command at its spaces, and "${word}" is not one word: put the command into a script.`);
    }
  }
  return command.join(' ');
}

/** @param {ExamOptions} options */
function flagsOf({ profile, only, waive = {}, strict = false, path: place, hooksPath, jobs, flags: more = [] }) {
  const values = { profile, only: only?.join(','), path: place, 'hooks-path': hooksPath, jobs };
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  const flags = given.map(([name, value]) => `--${name}=${value}`);
  flags.push(...Object.entries(waive).map(([number, reason]) => `--waive=${number}=${reason}`));
  if (strict) flags.push('--strict');
  return [...flags, ...more];
}

/**
 * Runs the exam to its end. Whatever happens, nothing of it is left.
 * @param {string[]} command
 * @param {ExamOptions} options
 * @param {{ output: string, errors: string }} files
 * @returns {Promise<number>} its exit code
 */
async function run(command, { env, cwd, timeout, signal }, files) {
  const seconds = timeout === undefined ? SECONDS : secondsOf(timeout);
  signal?.throwIfAborted();
  const [output, errors] = [fs.openSync(files.output, 'w'), fs.openSync(files.errors, 'w')];
  const leader = startGroup(command, { env: { ...process.env, ...env }, cwd, output, errors });
  fs.closeSync(output);
  fs.closeSync(errors);
  const ended = new Promise((/** @type {(code: number | Error) => void} */ resolve) => {
    leader.on('error', resolve);
    leader.on('exit', (code) => resolve(code ?? -1));
  });
  const over = new AbortController();
  const late = delay(seconds * 1_000, undefined, { signal: over.signal }).catch(() => undefined);
  const aborted = new Promise((resolve) => signal?.addEventListener('abort', resolve, { signal: over.signal }));
  try {
    const code = await Promise.race([ended, late, aborted.then(() => undefined)]);
    signal?.throwIfAborted();
    if (code instanceof Error) throw new SwitchboardError(`The exam could not be started: ${code.message}`);
    if (code === undefined) throw new SwitchboardError(`The exam did not end within ${seconds} s. ${wordsOf(files.errors)}`);
    return code;
  } finally {
    over.abort();
    if (leader.pid !== undefined) signalGroup(leader.pid, 'SIGKILL');
    await ended;
    leader.stdin?.destroy();
  }
}

/**
 * @param {number} code
 * @param {{ document: string, output: string, errors: string }} files
 * @returns {ExamReport}
 */
function reportOf(code, files) {
  // With the code 1 and a report, a rule is broken.
  if (![0, 1].includes(code) || !fs.existsSync(files.document)) {
    throw new SwitchboardError(`The exam ended with the code ${code} and no report. ${wordsOf(files.errors)}`);
  }
  const document = JSON.parse(fs.readFileSync(files.document, 'utf8'));
  if (document.exam_version !== EXAM_VERSION) {
    const version = document.exam_version;
    throw new SwitchboardError(`The report has version ${version}, and this kit reads ${EXAM_VERSION}: use the kit of the program.`);
  }
  const rules = Object.fromEntries(document.rules.map((/** @type {any} */ rule) => [rule.number, ruleOf(rule)]));
  return { headline: document.headline, rules, text: fs.readFileSync(files.output, 'utf8').trimEnd(), document };
}

/**
 * @param {any} rule
 * @returns {ExamRule}
 */
function ruleOf({ number, title, verdict, why, reason, remark, advice, page }) {
  return { number, title, verdict, why: why ?? reason ?? remark ?? '', advice, page };
}

/** @param {string} file */
function wordsOf(file) {
  const text = fs.readFileSync(file, 'utf8').trimEnd();
  return text === '' ? 'It said nothing.' : `It said:\n${text.split('\n').slice(-LINES_MAX).join('\n')}`;
}
