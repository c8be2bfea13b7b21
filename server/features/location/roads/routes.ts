import { Type } from "typebox"
import type { App } from "#core/http/types.ts"
import { OsrmError } from "./osrm/osrm-error.ts"
import { type OsrmQuery, type OsrmRequest, parseRequest } from "./osrm/parse-request.ts"
import { isochrone, limits, match, nearest, type OsrmContext, route, table } from "./osrm/services.ts"
import { roadMapsOf } from "./road-maps.ts"
import { speedRoutes } from "./speeds/routes.ts"

const Text = (description: string) => Type.Optional(Type.String({ description }))

const places = {
  radiuses: Text("Metres within which a road counts, or unlimited, with ; between them"),
  bearings: Text("Directions of travel: degrees,range with ; between them"),
  hints: Text("Of earlier responses. They are accepted and not needed"),
  generate_hints: Text("false: the response has no hints"),
  approaches: Text("curb, opposite or unrestricted (default): the side of the road, with ; between them"),
  exclude: Text("toll, ferry and motorway, with commas between them"),
  height: Text("Of the vehicle, metres; also width and length. Lower signs are obeyed"),
  width: Text("Metres"),
  length: Text("Metres"),
  weight: Text("Tonnes"),
  snapping: Text("any: places may lie on ferry lines too; default: on roads only"),
  skip_waypoints: Text("true: the response has no waypoints"),
}
const departure = {
  depart_at: Text(
    "Time of ISO 8601 at which the organization's own speeds count; now (default), or any for the usual speeds",
  ),
}
const lines = {
  steps: Text("true: instructions for every manoeuvre"),
  geometries: Text("polyline (default), polyline6 or geojson"),
  overview: Text("simplified (default), full, by_legs (a line for each leg) or false"),
  annotations: Text("true, or some of duration, distance, speed, weight, datasources and nodes"),
  waypoints: Text("Positions of the coordinates that end a leg, with ; between them; default: all"),
}

const Params = Type.Object({
  profile: Type.String({ description: "driving or car, motorcycle, cycling, walking, truck" }),
  coordinates: Type.String({
    description: "longitude,latitude with ; between them, or polyline(...) or polyline6(...)",
  }),
})

const Waypoint = Type.Object(
  {
    hint: Type.Optional(Type.String()),
    distance: Type.Number({ description: "Metres from the coordinate" }),
    name: Type.String({ description: "Of the road" }),
    nodes: Type.Optional(
      Type.Array(Type.Number(), { description: "Ids of the nodes before and after, in nearest" }),
    ),
    location: Type.Array(Type.Number(), { description: "Longitude, latitude" }),
  },
  { title: "RoadWaypoint" },
)
const Waypoints = Type.Optional(Type.Array(Waypoint))
const Rows = Type.Optional(
  Type.Array(Type.Array(Type.Union([Type.Number(), Type.Null()])), {
    description: "Row by row; null where there is no way",
  }),
)
const Route = {
  geometry: Type.Optional(Type.Unknown({ description: "As geometries says" })),
  legs: Type.Array(Type.Unknown()),
  distance: Type.Number({ description: "Metres" }),
  duration: Type.Number({ description: "Seconds" }),
  weight: Type.Number(),
  weight_name: Type.String(),
}
const Code = Type.String({ description: "Ok" })
const Refusal = Type.Object(
  {
    code: Type.String({
      description:
        "InvalidQuery, InvalidOptions, InvalidValue, NoSegment, NoRoute, NoMatch, TooBig or NotImplemented",
    }),
    message: Type.String(),
  },
  { title: "RoadError" },
)

/** An HTTP API like OSRM's (v5), from the roads of the installed maps. */
export function roadRoutes(app: App): void {
  speedRoutes(app)
  const services = [
    {
      name: "nearest",
      operationId: "findNearestRoads",
      summary: "The nearest roads",
      query: { ...places, number: Text("How many, 1 to 100") },
      response: { code: Code, waypoints: Waypoints },
      serve: nearest,
    },
    {
      name: "route",
      operationId: "findRoadRoute",
      summary: "The fastest route through coordinates in their order",
      query: {
        ...places,
        ...lines,
        ...departure,
        alternatives: Text("true, false or how many, up to 3; between two coordinates"),
        continue_straight: Text(
          "true: no turning back at coordinates in between where another way leads on; default: for motor vehicles",
        ),
      },
      response: { code: Code, routes: Type.Array(Type.Object(Route)), waypoints: Waypoints },
      serve: route,
    },
    {
      name: "table",
      operationId: "findRoadTable",
      summary: "Durations and distances between coordinates",
      query: {
        ...places,
        ...departure,
        sources: Text("Positions in the list of coordinates with ; between them, or all"),
        destinations: Text("As sources"),
        annotations: Text("duration (default), distance, or both with a comma"),
        scale_factor: Text("Multiplies durations"),
        fallback_speed: Text("Metres a second in a straight line, where no road leads"),
        fallback_coordinate: Text("Of that line: input (default) or snapped"),
      },
      response: {
        code: Code,
        durations: Rows,
        distances: Rows,
        sources: Waypoints,
        destinations: Waypoints,
        fallback_speed_cells: Type.Optional(
          Type.Array(Type.Array(Type.Integer()), { description: "Row and column of each such estimate" }),
        ),
      },
      serve: table,
    },
    {
      name: "match",
      operationId: "matchRoadTrack",
      summary: "The roads that a GPS track followed",
      query: {
        ...places,
        ...lines,
        timestamps: Text("Seconds, with ; between them"),
        gaps: Text("split (default): a minute of silence ends a matching; or ignore"),
        tidy: Text("true: repeated positions are left out"),
      },
      response: {
        code: Code,
        matchings: Type.Array(Type.Object({ ...Route, confidence: Type.Number() })),
        tracepoints: Type.Optional(
          Type.Array(Type.Unknown(), { description: "null for what was not matched" }),
        ),
      },
      serve: match,
    },
    {
      name: "isochrone",
      operationId: "findRoadIsochrones",
      summary: "Areas within reach as GeoJSON; not part of OSRM",
      query: {
        ...places,
        ...departure,
        contours_minutes: Text("Up to six numbers with commas, at most 120"),
      },
      response: {
        code: Code,
        type: Type.String(),
        features: Type.Array(Type.Unknown()),
        waypoints: Waypoints,
      },
      serve: isochrone,
    },
  ] as const
  for (const { name, operationId, summary, query, response, serve } of services)
    app.get(`/road/${name}/v1/:profile/:coordinates`, {
      config: {
        admission: name === "nearest" ? "light" : "waiting",
        signedIn: true,
        scopedToken: "accepted",
      },
      schema: {
        operationId,
        summary,
        params: Params,
        querystring: Type.Object(query),
        response: { 200: Type.Object(response), 400: Refusal },
      },
      async handler(request, reply) {
        const context: OsrmContext = {
          maps: roadMapsOf({ sql: app.sql, objects: app.objects, config: app.settings }),
          caller: { organizationId: request.caller.organizationId },
          sql: app.sql,
        }
        const respond = serve as (context: OsrmContext, request: OsrmRequest) => Promise<object>
        try {
          const parsed = parseRequest(request.params, request.query as OsrmQuery, {
            limits: limits[name],
            now: app.clock.now(),
          })
          return (await respond(context, parsed)) as never
        } catch (error) {
          if (!(error instanceof OsrmError)) throw error
          return reply.code(400).send({ code: error.code, message: error.message } as never)
        }
      },
    })
}
