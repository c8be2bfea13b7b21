import { type Static, Type } from "typebox"
import { IdSchema } from "#core/ids.ts"

const visibilities = ["private", "team", "everyone"] as const
const Visibility = Type.Unsafe<(typeof visibilities)[number]>(
  Type.String({ enum: [...visibilities], description: "Who sees it: its owner, a team, or all members" }),
)
const List = Type.String({
  pattern: "^(tasks|vehicles|people|deliveries|reports|dashboards|data-[0-9a-f]{24})$",
  description: "tasks, vehicles, people, deliveries, reports, dashboards, or data- and the id of a data type",
  examples: ["tasks"],
})
const Content = Type.Record(Type.String(), Type.Unknown(), {
  description: "Filters, columns and order as the list keeps them",
})

export const ViewInput = Type.Object(
  {
    list: List,
    name: Type.String({ minLength: 1, maxLength: 60, pattern: "\\S" }),
    content: Content,
    visibility: Visibility,
    teamId: Type.Optional(
      Type.Union([IdSchema("team"), Type.Null()], { description: "With visibility team" }),
    ),
  },
  { title: "SavedViewInput" },
)
export type ViewInput = Static<typeof ViewInput>

export const SavedView = Type.Object(
  {
    _id: IdSchema("saved-view"),
    list: Type.String(),
    name: Type.String(),
    content: Content,
    visibility: Visibility,
    teamId: Type.Union([Type.String(), Type.Null()]),
    isOwn: Type.Boolean(),
    canChange: Type.Boolean(),
    createdTime: Type.String(),
    updatedTime: Type.String(),
  },
  { title: "SavedView" },
)
