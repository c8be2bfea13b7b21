import { valueNumber, valueText } from "#shared/values.ts"
import { linesOf } from "../../work/flows/fields/bill-total.ts"
import { componentsOf, type Flow, type FlowComponent } from "../../work/flows/flows.queries.ts"
import type { Task } from "../../work/tasks/tasks.queries.ts"

/** What a person needs to know of a stop before they get there. */
export interface Stop {
  address: string | null
  coordinate: string | undefined
  /** Hours in which the place is open, as the planner entered them: `08:00`. */
  opens: string | null
  closes: string | null
  /** ISO 8601; when the plan expects the person there. */
  eta: string | undefined
  phones: string[]
  /** Lines of what to bring: items with their quantity, weights and volumes with their titles. */
  bring: string[]
  /** Amounts to collect, with their titles. */
  cash: { title: string; amount: number }[]
}

const kindOf = ({ type }: FlowComponent) => (type ?? "").toLowerCase()

/** Reads a stop out of a task: what its flow's first page, which the planner filled in, says about it. */
export function stopOf(task: Task, flow: Flow | undefined): Stop {
  const planned = (flow?.pages[0]?.components ?? []) as FlowComponent[]
  const all = flow ? componentsOf(flow) : []
  const valueAs = (routeAs: string) => {
    const component = all.find((candidate) => candidate.routeAs === routeAs)
    return component ? valueText(task[component.id]) : null
  }
  const { expectedCoordinate, estimatedArrival } = task
  const eta = typeof estimatedArrival === "string" ? estimatedArrival : task.eta
  return {
    address: valueAs("Address") ?? task.content,
    coordinate: typeof expectedCoordinate === "string" ? expectedCoordinate : undefined,
    opens: valueAs("OpenTime")?.slice(0, 5) ?? null,
    closes: valueAs("CloseTime")?.slice(0, 5) ?? null,
    eta: typeof eta === "string" && eta !== "" ? eta : undefined,
    phones: all
      .filter((component) => kindOf(component) === "phonenumber")
      .flatMap(({ id }) => valueText(task[id]) ?? []),
    bring: planned.flatMap((component) => bringOf(component, task[component.id])),
    cash: planned
      .filter((component) => kindOf(component) === "currency")
      .flatMap(({ id, title }) => {
        const amount = valueNumber(task[id])
        return amount === undefined || amount === 0 ? [] : [{ title: title ?? id, amount }]
      }),
  }
}

function bringOf(component: FlowComponent, value: unknown): string[] {
  const kind = component.component.toLowerCase()
  if (kind === "list" || kind === "bill")
    return linesOf(value).map(({ title, qty }) =>
      qty === null || qty === undefined ? title : `${qty} × ${title}`,
    )
  if (!component.routeAs?.startsWith("Constraint.")) return []
  const amount = valueText(value)
  return amount === null ? [] : [`${component.title ?? component.id}: ${amount}`]
}

/** Where else a stop can be opened: the phone's own maps, or a web address that works everywhere. */
export function navigationLinks({ address, coordinate }: Pick<Stop, "address" | "coordinate">) {
  const target = coordinate ?? address
  if (!target) return []
  const query = encodeURIComponent(target)
  const label = encodeURIComponent(address ?? target)
  return [
    { app: "Google Maps", href: `https://www.google.com/maps/dir/?api=1&destination=${query}` },
    { app: "Apple Maps", href: `https://maps.apple.com/?daddr=${query}` },
    {
      app: "Waze",
      href: coordinate
        ? `https://waze.com/ul?ll=${query}&navigate=yes`
        : `https://waze.com/ul?q=${query}&navigate=yes`,
    },
    { app: "geo", href: coordinate ? `geo:${coordinate}?q=${query}(${label})` : `geo:0,0?q=${query}` },
  ]
}

/** Digits and the plus sign alone: what `tel:` and `sms:` take. */
export function dialled(phone: string): string {
  return phone.replace(/[^\d+]/g, "")
}
