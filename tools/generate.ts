import { writeFile } from "node:fs/promises"
import { connect } from "../server/core/database/database.ts"
import { renderErrorCatalogue } from "../server/core/http/openapi/error-catalogue.ts"
import { errorTables } from "../server/error-tables.ts"
import { lowered, measureBoundaries, readKnown } from "../server/testing/boundaries/measure.ts"
import { databaseUrl, startTestServer } from "../server/testing/test-database.ts"
import { describeSchema } from "./describe-schema.ts"
import { clientSources } from "./generate-api.ts"
import { vocabularyFiles } from "./vocabulary.ts"

/** `npm run generate`: writes every file that is made from others. `npm run check` compares them. */
export interface Generated {
  path: string
  text: string
  /** Made where it is needed and not committed. */
  isLocal?: boolean
}

export async function generateAll(): Promise<Generated[]> {
  const server = await startTestServer()
  try {
    const sql = connect(databaseUrl(server.url, "fieldway_template"), { max: 1 })
    const schema = await describeSchema(sql)
    await sql.end()
    return [
      { path: "db/schema.sql", text: schema },
      {
        path: "server/testing/boundaries/known.json",
        text: lowered(await readKnown(), await measureBoundaries()),
      },
      { path: "docs/errors.md", text: renderErrorCatalogue(errorTables) },
      ...(await vocabularyFiles()),
      ...(await clientSources()),
    ]
  } finally {
    await server.stop()
  }
}

if (import.meta.main) {
  for (const { path, text } of await generateAll()) {
    await writeFile(new URL(`../${path}`, import.meta.url), text)
    process.stdout.write(`wrote ${path}\n`)
  }
  process.exit(0)
}
