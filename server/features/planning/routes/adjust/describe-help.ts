import type { Change } from "../../../../../packages/route-optimizer/evaluate/changes.ts"
import type { PlanProblem } from "../../../../../packages/route-optimizer/problem/problem.ts"
import type { RunInput } from "../plan/run-input.ts"
import type { WireHelp } from "../result-schemas.ts"

/** A change that would make room, in words and in numbers that a program can show otherwise. */
export function describeHelp(
  input: RunInput,
  problem: PlanProblem,
  dimensions: readonly string[],
  change: Change,
  /** The visit that is left out. */
  wanted: number,
): WireHelp {
  const isOfVisit = change.kind === "window" || change.kind === "gap"
  const index = change.kind === "vehicle" ? change.like : isOfVisit ? -1 : change.vehicle
  const planned = problem.vehicles[index]
  const vehicleId = planned ? (planned.owner ?? planned.id) : undefined
  const name = input.vehicles.find(({ id }) => id === vehicleId)?.name ?? vehicleId ?? ""
  const vehicle = vehicleId === undefined ? {} : { vehicleId }
  switch (change.kind) {
    case "window": {
      const other = change.visit === wanted ? {} : visitAt(input, problem, change.visit)
      const text = `${other.visitName ? `${other.visitName}: open` : "Open"} ${change.minutes} min longer`
      return { kind: change.kind, text, ...other, minutes: change.minutes }
    }
    case "gap": {
      const visit = visitAt(input, problem, change.visit)
      const text = `${visit.visitName}: allow ${change.minutes} min more leeway after the visits before it`
      return { kind: change.kind, text, ...visit, minutes: change.minutes }
    }
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

function visitAt(
  input: RunInput,
  { visits }: PlanProblem,
  index: number,
): { visitId?: string; visitName?: string } {
  // The parts of a visit of several people have its id with a number.
  const id = visits[index]?.id.replace(/#\d+$/, "")
  const visit = input.visits.find((other) => other.id === id)
  return visit ? { visitId: visit.id, visitName: visit.name } : {}
}
