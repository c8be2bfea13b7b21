import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { rolldown } from "rolldown"

const names = ["FieldwayApi.credentials", "Fieldway.node", "FieldwayTrigger.node"]

/** Builds the files that n8n loads: CommonJS modules that export a class of their name. Returns their folder. */
export async function buildNodes(folder: string): Promise<string> {
  for (const name of names) {
    const build = await rolldown({ input: join(import.meta.dirname, "src", `${name}.ts`), platform: "node" })
    await build.write({ file: join(folder, `${name}.js`), format: "cjs" })
    await build.close()
  }
  await writeFile(join(folder, "package.json"), '{ "type": "commonjs" }\n')
  return folder
}

if (import.meta.main) await buildNodes(join(import.meta.dirname, "dist"))
