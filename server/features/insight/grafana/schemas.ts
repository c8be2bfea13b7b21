import { type Static, Type } from "typebox"

const Names = Type.Union([
  Type.String({ maxLength: 2000 }),
  Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 }),
])

export const QueryBody = Type.Object({
  range: Type.Object({
    from: Type.String({ format: "wire-time-bound" }),
    to: Type.String({ format: "wire-time-bound" }),
  }),
  targets: Type.Array(
    Type.Object({
      target: Type.String({
        maxLength: 1000,
        description: "Comma-separated list of metrics; empty in a panel that is not set up yet",
        examples: ["finished,onTimeRate"],
      }),
      refId: Type.Optional(Type.String({ maxLength: 100, description: "Returned with each result" })),
      payload: Type.Optional(
        Type.Object({
          groupBy: Type.Optional(Names),
          hubId: Type.Optional(Names),
          flowId: Type.Optional(Names),
          person: Type.Optional(Names),
        }),
      ),
    }),
    { maxItems: 26, description: "The queries of a panel" },
  ),
})
export type QueryBody = Static<typeof QueryBody>

const RefId = Type.Optional(Type.String())
const Value = Type.Union([Type.Number(), Type.Null()])
const Series = Type.Object(
  {
    target: Type.String({ description: "The metric, with the names of its groups" }),
    refId: RefId,
    datapoints: Type.Array(Type.Array(Value, { minItems: 2, maxItems: 2 }), {
      description: "Value, and begin of the day or month in milliseconds",
    }),
  },
  { title: "GrafanaSeries" },
)
const Table = Type.Object(
  {
    type: Type.Literal("table"),
    refId: RefId,
    columns: Type.Array(Type.Object({ text: Type.String(), type: Type.String() })),
    rows: Type.Array(Type.Array(Type.Union([Type.String(), Type.Number(), Type.Null()]))),
  },
  { title: "GrafanaTable" },
)
export const QueryResponse = Type.Array(Type.Union([Series, Table]))
export type QueryResult = Static<typeof Series> | Static<typeof Table>

const Option = Type.Object({ label: Type.String(), value: Type.String() })
export const MetricsResponse = Type.Array(
  Type.Object(
    {
      label: Type.String(),
      value: Type.String(),
      payloads: Type.Array(
        Type.Object({
          name: Type.String(),
          label: Type.String(),
          type: Type.String({ enum: ["multi-select", "input"] }),
          options: Type.Optional(Type.Array(Option)),
        }),
      ),
    },
    { title: "GrafanaMetric" },
  ),
)
