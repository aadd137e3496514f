// Is each file named a valid OpenAPI 3.1 document, by a validator that is not ours?
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(process.env.MOUSE_NPM + "/"));
const { Validator } = await import(
  pathToFileURL(require.resolve("@seriousme/openapi-schema-validator"))
);

let bad = 0;
for (const file of process.argv.slice(2)) {
  const validator = new Validator();
  const result = await validator.validate(JSON.parse(readFileSync(file, "utf8")));
  if (!result.valid || validator.version !== "3.1") {
    console.error(file, validator.version, JSON.stringify(result.errors, null, 1));
    bad = 1;
  }
}
process.exit(bad);
