// Runs a Python program in Pyodide: node pyodide.mjs FOLDER_OF_NODE_MODULES PACKAGES PROGRAM GUEST=HOST...
// PACKAGES is a folder with the wheels of Pyodide's packages, or empty: then they come from its server.
import { pathToFileURL } from "node:url";

const [modules, packages, program, ...mounts] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${modules}/node_modules/pyodide/pyodide.mjs`));
const pyodide = await loadPyodide(packages ? { packageBaseUrl: packages } : {});
const said = [];
const listen = { messageCallback: (text) => said.push(text), errorCallback: (text) => said.push(text) };
await pyodide.loadPackage(["numpy", "scipy", "matplotlib"], listen);
const missing = ["numpy", "scipy", "matplotlib"].filter((name) => !(name in pyodide.loadedPackages));
if (missing.length) {
  console.log(said.join("\n"));
  console.log(`PYODIDE IS NOT TESTED: it starts here (${pyodide.version}), but cannot load ${missing.join(", ")}.`);
  process.exit(3);
}
for (const mount of mounts) {
  const [guest, host] = mount.split("=");
  pyodide.mountNodeFS(guest, host);
}
pyodide.setStdout({ batched: (line) => console.log(line) });
pyodide.runPython(program);
