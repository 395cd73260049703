import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { SwitchboardError } from './errors.js';

/** The name of the optional package that contains the program for this platform. */
const PACKAGE = `@switchboard/${process.platform}-${process.arch}`;

/**
 * The path of the program: from `SWITCHBOARD_BIN`, else from the package of this platform, else from `PATH`.
 * @returns {string}
 */
export function findProgram(env = process.env) {
  const named = env['SWITCHBOARD_BIN'];
  if (named) return fromVariable(named);
  const folders = (env['PATH'] ?? '').split(path.delimiter).filter((folder) => folder !== '');
  const found = fromPackage() ?? folders.map((folder) => path.resolve(folder, 'switchboard')).find(isProgram);
  if (found) return found;
  throw new SwitchboardError(
    `The program "switchboard" was not found. These places were searched, in this order:
  1. the environment variable SWITCHBOARD_BIN: it is not set
  2. the package ${PACKAGE}: it is not installed
  3. PATH: ${folders.join(path.delimiter) || 'it is empty'}
Set SWITCHBOARD_BIN to the path of the program, for example: SWITCHBOARD_BIN=/opt/switchboard/switchboard npm test`,
  );
}

/** @param {string} named */
function fromVariable(named) {
  const program = path.resolve(named);
  if (isProgram(program)) return program;
  const what = fs.existsSync(program) ? 'is not a file that this user can execute' : 'does not exist';
  throw new SwitchboardError(
    `SWITCHBOARD_BIN names ${program}, which ${what}. Set it to the path of the program "switchboard", or unset it.`,
  );
}

/** The program of the package of this platform, beside the kit or in the project that runs the tests. */
function fromPackage() {
  for (const from of [import.meta.url, path.join(process.cwd(), 'package.json')]) {
    try {
      const manifest = createRequire(from).resolve(`${PACKAGE}/package.json`);
      const program = path.join(path.dirname(manifest), 'bin', 'switchboard');
      if (isProgram(program)) return program;
    } catch {
      // The package is optional.
    }
  }
  return undefined;
}

/** @param {string} file */
function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * What differs when the program was built again, without reading all of it.
 * @param {string} program
 */
export function identityOf(program) {
  const real = fs.realpathSync(program);
  const { ino, size, mtimeMs } = fs.statSync(real);
  return `${real} ${ino} ${size} ${mtimeMs}`;
}
