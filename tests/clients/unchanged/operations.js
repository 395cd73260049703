// What the drivers of libraries for Node share: each operation runs by itself, and is reported by its name.
'use strict';
const assert = require('node:assert');
const fs = require('node:fs');
const { createRequire } = require('node:module');

const given = JSON.parse(fs.readFileSync(0, 'utf8'));

// A package of the folder that the test has installed.
const library = (name) => createRequire(given.modules + '/')(name);

// Runs operations in their order; each fails by throwing.
async function run(operations) {
  const told = {};
  for (const [name, operation] of Object.entries(operations)) {
    try {
      await operation();
      told[name] = '';
    } catch (error) {
      told[name] = `${error?.name}: ${error?.message}`.slice(0, 300);
    }
  }
  fs.writeSync(1, JSON.stringify(told));
  process.exit(0);
}

module.exports = { given, library, run, equal: assert.deepStrictEqual };
