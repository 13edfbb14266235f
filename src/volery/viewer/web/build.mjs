/** Bundles the page into ../page: the same bytes each time, with the licences of what is inside. */

import { build, context } from "esbuild";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";

const OUT = "../page";
const watch = process.argv.includes("--watch");
const options = {
  entryPoints: { viewer: "src/main.ts", ...(existsSync("style.css") ? { "viewer-style": "style.css" } : {}) },
  outdir: OUT,
  bundle: true,
  minify: !watch,
  sourcemap: watch ? "inline" : false,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** Licence texts of the packages that the bundle holds. */
function licences(inputs) {
  const packages = new Set();
  for (const path of Object.keys(inputs)) {
    const found = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) packages.add(found[1]);
  }
  const parts = [...packages].sort().map((name) => {
    const root = `node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${root}/package.json`, "utf8"));
    const file = ["LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE"].find((f) => existsSync(`${root}/${f}`));
    const text = file ? readFileSync(`${root}/${file}`, "utf8").trim() : `Licence: ${license}`;
    return `${name} ${version}\n\n${text}\n`;
  });
  return `The page contains these packages.\n\n${parts.join("\n----\n\n")}`;
}

mkdirSync(OUT, { recursive: true });
copyFileSync("index.html", `${OUT}/index.html`);
if (watch) {
  await (await context(options)).watch();
} else {
  const { metafile } = await build(options);
  writeFileSync(`${OUT}/LICENCES.txt`, licences(metafile.inputs));
}
