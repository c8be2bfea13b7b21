import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const NullableText = Type.Union([Type.String(), Type.Null()])
export const maxQuantity = 1_000_000_000
const Quantity = Type.Number({ minimum: 0, maximum: maxQuantity, multipleOf: 0.001 })

export const ItemBody = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 200,
      description: "Unique in the organization, whatever its case",
      examples: ["F-22"],
    }),
    name: Type.String({ minLength: 1, maxLength: 200, examples: ["Filter 22 mm"] }),
    unit: Type.Optional(Type.Union([Type.String({ maxLength: 20 }), Type.Null()])),
  },
  { title: "StockItemInput" },
)
export type ItemInput = Static<typeof ItemBody>

export const ItemSchema = Type.Object(
  {
    _id: IdSchema("stock-item"),
    code: Type.String(),
    name: Type.String(),
    unit: NullableText,
    total: Type.Number(),
  },
  { title: "StockItem" },
)

const Holder = Type.Object(
  { vehicleId: Type.Optional(IdSchema("vehicle")), hubId: Type.Optional(IdSchema("hub")) },
  { description: "A vehicle or a hub" },
)
export type HolderInput = Static<typeof Holder>

export const MovementBody = Type.Object(
  {
    kind: Type.Unsafe<"receipt" | "issue" | "transfer" | "count">(
      Type.String({
        enum: ["receipt", "issue", "transfer", "count"],
        description: "receipt: into `to`; issue: out of `from`; transfer: both; count: what is in `to` now",
      }),
    ),
    itemId: IdSchema("stock-item"),
    quantity: Quantity,
    from: Type.Optional(Holder),
    to: Type.Optional(Holder),
    note: Type.Optional(Type.String({ maxLength: 500 })),
  },
  { title: "StockMovementInput" },
)
export type MovementInput = Static<typeof MovementBody>

export const LevelSchema = Type.Object(
  {
    itemId: Type.String(),
    code: Type.String(),
    name: Type.String(),
    unit: NullableText,
    holderKind: Type.String({ enum: ["vehicle", "hub"] }),
    holderId: Type.String(),
    holderName: Type.String(),
    quantity: Type.Number(),
  },
  { title: "StockLevel" },
)

export const MovementSchema = Type.Object(
  {
    _id: IdSchema("stock-movement"),
    kind: Type.String({ enum: ["receipt", "issue", "transfer", "count", "use"] }),
    itemId: Type.String(),
    code: Type.String(),
    name: Type.String(),
    unit: NullableText,
    fromName: NullableText,
    toName: NullableText,
    quantity: Type.Number(),
    missing: Type.Number({ description: "What a finished task used beyond what was in stock" }),
    counted: Type.Union([Type.Number(), Type.Null()]),
    taskId: NullableText,
    note: NullableText,
    createdBy: Type.String(),
    createdTime: Type.String(),
  },
  { title: "StockMovement" },
)
