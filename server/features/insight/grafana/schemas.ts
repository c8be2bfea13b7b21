import { type Static, Type } from "typebox"

const Names = Type.Union([
  Type.String({ maxLength: 2000 }),
  Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 }),
])

export const Payload = Type.Object({
  groupBy: Type.Optional(Names),
  hubId: Type.Optional(Names),
  flowId: Type.Optional(Names),
  person: Type.Optional(Names),
})
export type Payload = Static<typeof Payload>

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
        Type.Union([
          Payload,
          Type.String({ maxLength: 10_000, description: "Empty, or the object as JSON" }),
        ]),
      ),
    }),
    { maxItems: 26, description: "The queries of a panel" },
  ),
  adhocFilters: Type.Optional(
    Type.Array(
      Type.Object({
        key: Type.String({ maxLength: 100 }),
        operator: Type.String({ maxLength: 10 }),
        value: Type.String({ maxLength: 200, description: "A name or an id" }),
      }),
      { maxItems: 20, description: "hub, flow or person, each with =" },
    ),
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
      description: "Value, and start of the day or month in milliseconds",
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

/** Of the editor of a variable: JSON, or text that the data source sends as `target`. */
const Variable = Type.Object({
  target: Type.Optional(
    Type.String({ maxLength: 100, description: "metric, hub, flow or person", examples: ["hub"] }),
  ),
})
export const SearchBody = Variable
export const VariableBody = Type.Object({ payload: Type.Optional(Variable) })
export const PayloadOptionsBody = Type.Object({
  name: Type.String({ maxLength: 100, description: "groupBy, hubId, flowId or person" }),
  metric: Type.Optional(Type.String({ maxLength: 1000 })),
})

const Option = Type.Object({ label: Type.String(), value: Type.String() })
export const PayloadOptionsResponse = Type.Array(Option)
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
