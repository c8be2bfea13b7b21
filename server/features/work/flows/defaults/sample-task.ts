import { type FlowComponent, inputTypeOf } from "../component.ts"
import type { FlowRow } from "../queries.ts"

export interface SampleField {
  field: string
  type: string
  required: boolean
  description: string
  example: unknown
  format: string[] | null
}

const hourMilliseconds = 3_600_000

/** What a call that creates a task of the flow looks like: each field with an example, and all of them as a body. */
export function sampleTask(flow: FlowRow, hubId: string | null, now: Temporal.Instant) {
  const start = now.epochMilliseconds + hoursOf(flow, "startTime", 0) * hourMilliseconds
  const end = start + hoursOf(flow, "endTime", 24) * hourMilliseconds
  const field = (name: string, type: string, description: string, example: unknown): SampleField => ({
    field: name,
    type,
    required: true,
    description,
    example,
    format: null,
  })
  const flowFields: SampleField[] = [
    field("hubId", "String", "Hub of the task", hubId),
    field("flow", "String", "Name of the flow", flow.name),
    field("startTime", "Datetime", "When work on it may begin", wireTime(start)),
    field("endTime", "Datetime", "When it must be finished", wireTime(end)),
    ...(flow.pages[0]?.components ?? []).filter(isFillable).map(sampleField),
  ]
  const bodyRequest = Object.fromEntries(flowFields.map((sample) => [sample.field, sample.example]))
  return { flowName: flow.name, flowFields, bodyRequest }
}

function hoursOf(flow: FlowRow, id: string, otherwise: number): number {
  const adjustment = Number(flow.configurations.find((entry) => entry.id === id)?.adjustment ?? Number.NaN)
  return Number.isFinite(adjustment) ? adjustment : otherwise
}

/** `2031-05-04T03:02:01.123+00:00` */
function wireTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("Z", "+00:00")
}

/** Photos, signatures and recordings are uploaded first, views show only. */
function isFillable({ component }: FlowComponent): boolean {
  return ["input", "select", "list", "bill", "timer"].includes(component)
}

function sampleField(component: FlowComponent): SampleField {
  const isSelect = component.component === "select"
  const options = isSelect ? (component.options ?? []) : null
  return {
    field: component.id,
    type: isSelect ? "String" : (component.type ?? component.component),
    required: isSelect ? Number(component.min ?? 0) > 0 : component.required === true,
    description: component.title ?? component.id,
    example: exampleOf(component),
    format: options,
  }
}

function exampleOf(component: FlowComponent): unknown {
  switch (component.component) {
    case "select": {
      const options = component.options ?? []
      const count = Math.max(1, Number(component.min ?? 0))
      return Number(component.max ?? 1) > 1 ? options.slice(0, count) : (options[0] ?? null)
    }
    case "list":
      return [{ title: "Item", qty: 1 }]
    case "bill":
      return [{ title: "Item", qty: 1, unitPrice: 10 }]
    case "timer":
      return 0
    default:
      return inputExamples[inputTypeOf(component) ?? "String"]
  }
}

const inputExamples = {
  String: "Text",
  Date: "2031-05-04",
  Datetime: "2031-05-04T03:02:01+00:00",
  Time: "09:30",
  Numeric: 1,
  Address: "12 Harbour Lane",
  Geolocation: "52.3702,4.8952",
  PhoneNumber: "+31 20 555 0147",
  URL: "https://fieldway.example",
  Currency: 10,
} as const
