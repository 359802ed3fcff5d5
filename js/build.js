// Joins src/ into the one module that ships, unminified so that it can be read where it is installed.
// Types in comments are left behind in src/, and tabs indent: the module stays under 150 kB.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (/** @type {string} */ path) => fileURLToPath(new URL(path, import.meta.url));

const withoutTypes = {
  name: "without types",
  setup(/** @type {import("esbuild").PluginBuild} */ { onLoad }) {
    onLoad({ filter: /\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/\/\*\*[^]*?\*\//g, ""),
    }));
  },
};

const { outputFiles } = await build({
  entryPoints: [here("src/lab.js")],
  absWorkingDir: here("."),
  bundle: true,
  write: false,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  plugins: [withoutTypes],
  banner: { js: "// The Perceptron Lab, joined from js/src by js/build.js: change it there." },
});
const text = outputFiles[0].text
  .replaceAll("/* @__PURE__ */ ", "")
  .replace(/^(?: {2})+/gm, (indent) => "\t".repeat(indent.length / 2));
writeFileSync(process.argv[2] ?? here("../src/rosenblatt/lab/static/lab.js"), text);
