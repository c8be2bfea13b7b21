import { Type } from "typebox"
import { currentSnapshot, cursorPattern } from "#core/events/live-events.ts"
import type { App } from "#core/http/types.ts"
import { IdListSchema, IdSchema, idsOf, maxListedIds } from "#core/ids.ts"
import { maxLimit } from "#core/paging.ts"
import { boxOf } from "./box.ts"
import { countInCells, PositionClustersSchema } from "./clusters.ts"
import { locationErrors } from "./errors.ts"
import { listPositions, PositionSchema } from "./positions.ts"

const ofPeople = {
  hubId: Type.Optional(IdSchema("hub")),
  teamId: Type.Optional(IdSchema("team")),
  bbox: Type.Optional(
    Type.String({
      description: "west,south,east,north in degrees: only positions in this area",
      examples: ["10.7,59.8,10.9,60"],
    }),
  ),
}

/** Current positions: what a map shows first, before the event stream updates it. */
export function positionRoutes(app: App): void {
  app.get("/positions", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "listPositions",
      summary: "List the latest position of every user that the caller can see",
      description:
        "`cursor` continues on `GET /events?after=`: `position.moved` events carry the same objects as content, on a stream with the same `bbox` or `userId` only of these people. Clients that poll pass it as `after` and get the positions that were stored since.",
      querystring: Type.Object({
        ...ofPeople,
        userId: Type.Optional(
          IdListSchema(`Only of these users: up to ${maxListedIds}, separated by commas`),
        ),
        q: Type.Optional(Type.String({ maxLength: 200, description: "Part of a name" })),
        limit: Type.Optional(
          Type.Integer({
            minimum: 1,
            maximum: maxLimit,
            description: "Maximum number of people, in the order of their names. Without it, all are listed",
          }),
        ),
        after: Type.Optional(
          Type.String({
            pattern: cursorPattern,
            description:
              "The `cursor` of an earlier response: only positions stored since. Only user events report people who have left.",
          }),
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          cursor: Type.String(),
          data: Type.Array(PositionSchema),
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const cursor = await currentSnapshot(sql)
      const { bbox, userId, ...filter } = query
      const people = { ...filter, box: boxOf(bbox), userIds: idsOf(userId) }
      const data = await listPositions(sql, caller, people, app.clock.now())
      return { status: true as const, message: "Success", cursor, data }
    },
  })

  app.get("/positions/clusters", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "listPositionClusters",
      summary: "Count the people in each cell of a map",
      description:
        "For maps of more people than can be drawn one by one: the latest positions of everybody whom the caller can see, counted in the cells of a grid.",
      querystring: Type.Object({
        ...ofPeople,
        zoom: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 22,
            description:
              "Zoom level of the map; a cell is 45 degrees wide at 0 (default) and half of it at each further level",
          }),
        ),
      }),
      response: {
        200: Type.Object({
          status: Type.Literal(true),
          message: Type.String(),
          data: PositionClustersSchema,
        }),
      },
    },
    async handler({ sql, caller, query }) {
      const { bbox, zoom = 0, ...filter } = query
      const data = await countInCells(sql, caller, { ...filter, zoom, box: boxOf(bbox) })
      return { status: true as const, message: "Success", data }
    },
  })

  app.get("/positions/:userId", {
    config: { signedIn: true, scopedToken: ["view/tracking"] },
    schema: {
      operationId: "getPosition",
      summary: "Get the latest position of a user",
      params: Type.Object({ userId: IdSchema("user") }),
      response: {
        200: Type.Object({ status: Type.Literal(true), message: Type.String(), data: PositionSchema }),
      },
    },
    async handler({ sql, caller, params }) {
      const [data] = await listPositions(
        sql,
        caller,
        { userIds: [params.userId.toLowerCase()] },
        app.clock.now(),
      )
      if (!data) throw locationErrors.notFound()
      return { status: true as const, message: "Success", data }
    },
  })
}
