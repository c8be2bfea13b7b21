import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { whileConnected } from "../exports/index.ts"
import { readCollection } from "./read-collection.ts"
import { readingRoutes } from "./reading-routes.ts"
import { OtherSystemBody } from "./schemas.ts"

export { copyRows } from "./copy-rows.ts"
export { otherSystemJobs } from "./jobs.ts"
export { sealStoredReadings } from "./queries.ts"
export { ReadingResponse } from "./schemas.ts"
export { startDump, storeDump } from "./start-reading.ts"

export function otherSystemRoutes(app: App): void {
  readingRoutes(app)

  app.post("/data/import/source", {
    config: { admission: "heavy", permission: "import/data", idempotent: false, produces: "other" },
    schema: {
      operationId: "readOtherSystem",
      summary: "Read a short list of another system as a CSV file, while the caller waits",
      description:
        "Reads from the API of Traccar, Fleetbase, Onfleet, OptimoRoute or another server with this API, and stores nothing: `POST /data/import/readings` reads lists of any length in the background. Send the file to `POST /data/import/preview` and `POST /data/import`. At most 20,000 rows; `x-row-count` says how many.",
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
