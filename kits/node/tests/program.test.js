import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { findProgram, identityOf } from '../src/program.js';
import { executable, run, temporary } from './support.js';

const SCRIPT = '#!/bin/sh\n';

test('SWITCHBOARD_BIN comes before PATH', (t) => {
  const folder = temporary(t);
  const named = executable(path.join(folder, 'named'), SCRIPT);
  executable(path.join(folder, 'switchboard'), SCRIPT);
  assert.equal(findProgram({ SWITCHBOARD_BIN: named, PATH: folder }), named);
});

test('a wrong SWITCHBOARD_BIN is an error, and nothing else is used', (t) => {
  const folder = temporary(t);
  executable(path.join(folder, 'switchboard'), SCRIPT);
  const missing = path.join(folder, 'missing');
  assert.throws(
    () => findProgram({ SWITCHBOARD_BIN: missing, PATH: folder }),
    { name: 'SwitchboardError', message: `SWITCHBOARD_BIN names ${missing}, which does not exist. Set it to the path of the program "switchboard", or unset it.` },
  );
  const text = path.join(folder, 'text');
  fs.writeFileSync(text, SCRIPT);
  assert.throws(() => findProgram({ SWITCHBOARD_BIN: text }), /text, which is not a file that this user can execute/);
  assert.throws(() => findProgram({ SWITCHBOARD_BIN: folder }), /which is not a file that this user can execute/);
});

test('the first program in PATH is found', (t) => {
  const folder = temporary(t);
  const [first, second] = ['a', 'b'].map((name) => path.join(folder, name));
  // A folder of this name is no program.
  fs.mkdirSync(path.join(folder, 'c', 'switchboard'), { recursive: true });
  const program = executable(path.join(folder, 'a', 'switchboard'), SCRIPT);
  executable(path.join(folder, 'b', 'switchboard'), SCRIPT);
  assert.equal(findProgram({ PATH: [path.join(folder, 'c'), first, second].join(':') }), program);
});

test('without a program the error names the places', (t) => {
  const folder = temporary(t);
  assert.throws(() => findProgram({ PATH: folder }), (/** @type {Error} */ error) => {
    const lines = error.message.split('\n');
    assert.equal(lines[1], '  1. the environment variable SWITCHBOARD_BIN: it is not set');
    assert.match(lines[2] ?? '', /^ {2}2\. the package @switchboard\/linux-(x64|arm64): it is not installed$/);
    assert.equal(lines[3], `  3. PATH: ${folder}`);
    assert.match(lines[4] ?? '', /^Set SWITCHBOARD_BIN to the path of the program/);
    return true;
  });
});

test('a program that was built again is another one', (t) => {
  const program = executable(path.join(temporary(t), 'switchboard'), SCRIPT);
  const before = identityOf(program);
  assert.equal(identityOf(program), before);
  fs.appendFileSync(program, 'true\n');
  assert.notEqual(identityOf(program), before);
});

test('the package of a platform is built, installed and found', async (t) => {
  const folder = temporary(t);
  // A small program that prints a version.
  const built = await run('./build-platform-package', ['/bin/bash', folder]);
  assert.equal(built.code, 0, built.output);
  const archive = built.output.trim();
  assert.match(archive, /switchboard-linux-(x64|arm64)-\d+\.\d+\.\d+.*\.tgz$/);

  const project = path.join(folder, 'project');
  fs.mkdirSync(project);
  fs.writeFileSync(path.join(project, 'package.json'), '{"private":true}');
  const installed = await run('npm', ['install', '--offline', '--no-audit', '--no-fund', archive], { cwd: project });
  assert.equal(installed.code, 0, installed.output);

  const script = "const { findProgram } = await import(process.argv[1]); console.log(findProgram({ PATH: '' }))";
  const args = ['--input-type=module', '--eval', script, new URL('../src/program.js', import.meta.url).href];
  const found = await run(process.execPath, args, { cwd: project });
  assert.match(found.output, /project\/node_modules\/@switchboard\/linux-(x64|arm64)\/bin\/switchboard\n$/);
});

test('what cannot be packed is refused', async (t) => {
  const folder = temporary(t);
  const script = executable(path.join(folder, 'switchboard'), SCRIPT);
  for (const [args, expected] of /** @type {[string[], RegExp][]} */ ([
    [[], /usage: build-platform-package PROGRAM \[FOLDER\]/],
    [[path.join(folder, 'missing')], /missing does not exist; build it first/],
    [[script], /switchboard is no program for Linux on x64 or arm64/],
  ])) {
    const { code, output } = await run('./build-platform-package', args);
    assert.equal(code, 1);
    assert.match(output, expected);
  }
});
