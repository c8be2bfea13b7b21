import type { Change } from "../../../../../packages/route-optimizer/evaluate/what-would-help.ts"
import type { PlanProblem } from "../../../../../packages/route-optimizer/problem/problem.ts"
import type { RunInput } from "../plan/run-input.ts"
import type { WireHelp } from "../result-schemas.ts"

/** A change that would make room, in words and in numbers that a program can show otherwise. */
export function describeHelp(
  input: RunInput,
  problem: PlanProblem,
  dimensions: readonly string[],
  change: Change,
): WireHelp {
  const index = change.kind === "vehicle" ? change.like : change.kind === "window" ? -1 : change.vehicle
  const planned = problem.vehicles[index]
  const vehicleId = planned ? (planned.owner ?? planned.id) : undefined
  const name = input.vehicles.find(({ id }) => id === vehicleId)?.name ?? vehicleId ?? ""
  const vehicle = vehicleId === undefined ? {} : { vehicleId }
  switch (change.kind) {
    case "window":
      return { kind: change.kind, text: `Open ${change.minutes} min longer`, minutes: change.minutes }
    case "shift":
      return {
        kind: change.kind,
        text: `${name}: work ${change.minutes} min longer`,
        ...vehicle,
        minutes: change.minutes,
      }
    case "capacity": {
      const constraint = dimensions[change.dimension] ?? ""
      const text = `${name}: carry ${change.amount} more ${constraint}`
      return { kind: change.kind, text, ...vehicle, constraint, amount: change.amount }
    }
    case "tag": {
      const isSkill = input.vehicles.some(
        ({ id, skills = [] }) => id === vehicleId && skills.some((skill) => skill.name.trim() === change.tag),
      )
      const text = isSkill
        ? `${name}: renew the certificate ${change.tag}, which is not valid on ${input.routingDate}`
        : `${name}: add the tag ${change.tag}`
      return {
        kind: change.kind,
        text,
        ...vehicle,
        tag: change.tag,
        ...(isSkill ? { isCertificate: true } : {}),
      }
    }
    case "distance":
      return {
        kind: change.kind,
        text: `${name}: drive ${change.meters} m more`,
        ...vehicle,
        meters: change.meters,
      }
    case "duration":
      return {
        kind: change.kind,
        text: `${name}: allow a route that takes ${change.minutes} min longer`,
        ...vehicle,
        minutes: change.minutes,
      }
    case "dayOff":
      return { kind: change.kind, text: `${name}: work on a day off`, ...vehicle }
    case "vehicle":
      return { kind: change.kind, text: `One more vehicle like ${name}`, ...vehicle }
  }
}
