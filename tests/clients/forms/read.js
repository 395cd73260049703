// Prints the trees of all forms in a folder, as `qs` reads them with the limits of a web framework.
const fs = require("node:fs");
const path = require("node:path");

const folder = process.argv[2];
const qs = require(path.join(process.env.MODULES, "node_modules", "qs"));

const trees = {};
for (const name of fs.readdirSync(folder)) {
  if (name.endsWith(".form")) {
    const text = fs.readFileSync(path.join(folder, name), "ascii");
    trees[path.basename(name, ".form")] = qs.parse(text, { depth: 32, arrayLimit: 100 });
  }
}
console.log(JSON.stringify(trees));
