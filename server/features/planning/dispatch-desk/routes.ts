import type { App } from "#core/http/types.ts"
import type { LngLat } from "#packages/geodesy/geodesy.ts"
import { roadMapsOf, roadSupplyOf, roadsAt } from "../../location/roads/index.ts"
import { readDay } from "./read-day.ts"
import {
  DayQuery,
  DayResponse,
  SuggestionBody,
  SuggestionResponse,
  TravelBody,
  TravelResponse,
} from "./schemas.ts"
import { suggestAssignees } from "./suggest.ts"
import { travelTable } from "./travel.ts"

/** What the screen of a dispatcher reads. Its changes are those of tasks. */
export function dispatchDeskRoutes(app: App): void {
  const roadsOf = (organizationId: string) =>
    roadsAt(
      roadSupplyOf({ config: app.settings, sql: app.sql, objects: app.objects }, organizationId),
      app.clock.now(),
    )
  const hasRoads = async () =>
    app.settings.routingUrl !== undefined ||
    (await roadMapsOf({ sql: app.sql, objects: app.objects, config: app.settings }).isAnyInstalled())

  app.get("/dispatch/day", {
    config: { permission: "view/task" },
    schema: {
      operationId: "getDispatchDay",
      summary: "Get the tasks and people of a day",
      description:
        "Tasks that start on the day, and open ones from before. People who may do tasks are listed with assign/task; otherwise only those who have some.",
      querystring: DayQuery,
      response: { 200: DayResponse },
    },
    async handler({ sql, caller, query }) {
      const context = { now: app.clock.now(), hasRoads: await hasRoads() }
      return { status: true as const, data: await readDay(sql, caller, query, context) }
    },
  })

  app.post("/dispatch/travel-times", {
    config: { permission: "view/task", idempotent: false, admission: "waiting" },
    schema: {
      operationId: "getTravelTimes",
      summary: "Get travel times between places",
      body: TravelBody,
      response: { 200: TravelResponse },
    },
    async handler({ caller, body }) {
      const places = body.places.map(([lng = 0, lat = 0]): LngLat => [lng, lat])
      return { status: true as const, data: await travelTable(places, roadsOf(caller.organizationId)) }
    },
  })

  app.post("/dispatch/suggestions", {
    config: { permission: "assign/task", idempotent: false, admission: "waiting" },
    schema: {
      operationId: "suggestAssignees",
      summary: "Suggest who could do some tasks, with reasons",
      body: SuggestionBody,
      response: { 200: SuggestionResponse },
    },
    async handler({ sql, caller, body }) {
      const context = { now: app.clock.now(), roads: roadsOf(caller.organizationId) }
      return { status: true as const, data: await suggestAssignees(sql, caller, body, context) }
    },
  })
}
