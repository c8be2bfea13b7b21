import { callFieldway } from "./call-fieldway.ts"
import type { ExecuteContext, Item, JsonObject, NodeDescription } from "./n8n.ts"

const pageRows = 100
const withId = ["get", "update", "delete"]
const withFields = ["create", "update", "upsert"]

/** Creates, reads, changes, deletes, upserts and lists tasks. */
export class Fieldway {
  description: NodeDescription = {
    displayName: "Fieldway",
    name: "fieldway",
    group: ["transform"],
    version: 1,
    subtitle: '={{$parameter["operation"] + ": task"}}',
    description: "Create, read, change, delete, upsert and list tasks of Fieldway",
    defaults: { name: "Fieldway" },
    inputs: ["main"],
    outputs: ["main"],
    credentials: [{ name: "fieldwayApi", required: true }],
    usableAsTool: true,
    properties: [
      {
        displayName: "Operation",
        name: "operation",
        type: "options",
        noDataExpression: true,
        default: "create",
        options: [
          { name: "Create", value: "create", action: "Create a task" },
          {
            name: "Create or Update",
            value: "upsert",
            action: "Create a task or update it by its reference",
          },
          { name: "Delete", value: "delete", action: "Delete a task" },
          { name: "Get", value: "get", action: "Get a task" },
          { name: "Get Many", value: "list", action: "Get many tasks" },
          { name: "Update", value: "update", action: "Update a task" },
        ],
      },
      {
        displayName: "Task ID",
        name: "taskId",
        type: "string",
        default: "",
        required: true,
        displayOptions: { show: { operation: withId } },
      },
      {
        displayName: "Fields",
        name: "fields",
        type: "json",
        default: "{}",
        description: 'Fields of the task, such as {"flow": "Visit", "hubId": "…", "refId": "4711"}',
        displayOptions: { show: { operation: withFields } },
      },
      {
        displayName: "Return All",
        name: "returnAll",
        type: "boolean",
        default: false,
        description: "Whether to return all results or only up to a given limit",
        displayOptions: { show: { operation: ["list"] } },
      },
      {
        displayName: "Limit",
        name: "limit",
        type: "number",
        typeOptions: { minValue: 1 },
        default: 50,
        description: "Max number of results to return",
        displayOptions: { show: { operation: ["list"], returnAll: [false] } },
      },
      {
        displayName: "Filter",
        name: "filter",
        type: "json",
        default: "{}",
        description: 'Query parameters of the list, such as {"status": "UNASSIGNED"}',
        displayOptions: { show: { operation: ["list"] } },
      },
    ],
  }

  async execute(this: ExecuteContext): Promise<Item[][]> {
    const output: Item[] = []
    for (const item of this.getInputData().keys()) {
      try {
        for (const json of await runOperation(this, item)) output.push({ json, pairedItem: { item } })
      } catch (error) {
        if (!this.continueOnFail()) throw error
        const message = error instanceof Error ? error.message : String(error)
        output.push({ json: { error: message }, pairedItem: { item } })
      }
    }
    return [output]
  }
}

async function runOperation(context: ExecuteContext, item: number): Promise<JsonObject[]> {
  const parameter = (name: string, fallback?: unknown) => context.getNodeParameter(name, item, fallback)
  const operation = String(parameter("operation"))
  const path = () => `/task/${encodeURIComponent(String(parameter("taskId")))}`
  const body = () => objectOf(parameter("fields"), "Fields")
  const taskOf = ({ task }: JsonObject) => [task as JsonObject]
  switch (operation) {
    case "create":
      return taskOf(await callFieldway(context, "/task", { method: "POST", body: body() }))
    case "upsert":
      return taskOf(await callFieldway(context, "/tasks/upsert", { method: "PUT", body: body() }))
    case "get":
      return taskOf(await callFieldway(context, path(), { method: "GET" }))
    case "update":
      return taskOf(await callFieldway(context, path(), { method: "PATCH", body: body() }))
    case "delete":
      await callFieldway(context, path(), { method: "DELETE" })
      return [{ deleted: true, _id: parameter("taskId") }]
    case "list":
      return listTasks(context, {
        most: parameter("returnAll", false) ? Number.POSITIVE_INFINITY : Number(parameter("limit", 50)),
        filter: objectOf(parameter("filter", {}), "Filter"),
      })
    default:
      throw new Error(`Fieldway has no operation ${operation}`)
  }
}

async function listTasks(
  context: ExecuteContext,
  { most, filter }: { most: number; filter: JsonObject },
): Promise<JsonObject[]> {
  const found: JsonObject[] = []
  let cursor: unknown
  do {
    const limit = Math.min(pageRows, most - found.length)
    const qs = { ...filter, lazyLoad: 1, limit, ...(cursor ? { cursor } : {}) }
    const response = await callFieldway(context, "/tasks", { method: "GET", qs })
    const { data, nextCursor } = response.tasks as { data: JsonObject[]; nextCursor?: unknown }
    found.push(...data)
    cursor = nextCursor
  } while (cursor && found.length < most)
  return found
}

function objectOf(value: unknown, name: string): JsonObject {
  const parsed: unknown = typeof value === "string" ? JSON.parse(value || "{}") : value
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new Error(`${name} must be a JSON object`)
  return parsed as JsonObject
}
