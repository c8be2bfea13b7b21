import { titles } from "#shared/task-field-titles/de.ts"
import console from "./console.json" with { type: "json" }
import customers from "./customers.json" with { type: "json" }
import extensions from "./extensions.json" with { type: "json" }
import field from "./field.json" with { type: "json" }
import files from "./files.json" with { type: "json" }
import fleet from "./fleet.json" with { type: "json" }
import insight from "./insight.json" with { type: "json" }
import location from "./location.json" with { type: "json" }
import organization from "./organization.json" with { type: "json" }
import people from "./people.json" with { type: "json" }
import planning from "./planning.json" with { type: "json" }
import publicPages from "./public.json" with { type: "json" }
import work from "./work.json" with { type: "json" }

export default {
  console,
  customers,
  extensions,
  field,
  files,
  fleet,
  insight,
  location,
  organization,
  people,
  planning,
  public: publicPages,
  taskFields: { titles },
  work,
}
