import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { type OtherSystem, otherSystemIds } from "#shared/other-systems.ts"
import { whileConnected } from "../exports/index.ts"
import { readCollection } from "./read-collection.ts"

const Day = (description: string) =>
  Type.Optional(Type.String({ pattern: "^\\d{4}-\\d\\d-\\d\\d$", description, examples: ["2031-05-04"] }))
const OtherSystemBody = Type.Object(
  {
    system: Type.Unsafe<OtherSystem>(Type.String({ enum: otherSystemIds })),
    collection: Type.String({ maxLength: 40, description: "What to read, such as `tasks` or `places`" }),
    address: Type.Optional(
      Type.String({ maxLength: 500, description: "Address of the API; required for self-hosted systems" }),
    ),
    token: Type.String({ minLength: 1, maxLength: 2_000, description: "API key; used once, never stored" }),
    from: Day("First day, of collections by date"),
    to: Day("Last day, of collections by date"),
  },
  { title: "OtherSystemQuery" },
)

export function otherSystemRoutes(app: App): void {
  app.post("/data/import/source", {
    config: { admission: "heavy", permission: "import/data", idempotent: false, produces: "other" },
    schema: {
      operationId: "readOtherSystem",
      summary: "Read a list of another system as a CSV file",
      description:
        "Reads from the API of Traccar, Fleetbase, Onfleet, OptimoRoute or another server with this API, and stores nothing. Send the file to `POST /data/import/preview` and `POST /data/import`. At most 20,000 rows; `x-row-count` says how many.",
      body: OtherSystemBody,
      response: { 200: Type.Any({ description: "The file" }) },
    },
    async handler({ body }, reply) {
      const { csv, rowCount } = await readCollection(body, app.settings.webhookAllow, whileConnected(reply))
      const filename = `${body.system}-${body.collection}.csv`
      reply.header("content-disposition", `attachment; filename="${filename}"`)
      reply.header("x-row-count", rowCount)
      return reply.type("text/csv; charset=utf-8").send(csv)
    },
  })
}
