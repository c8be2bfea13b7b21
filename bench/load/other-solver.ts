import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Plan, PlanProblem } from "../../packages/route-optimizer/problem/problem.ts"

/**
 * Runs another solver on the same problem and matrix: a binary that reads and writes the JSON of VROOM
 * (https://github.com/VROOM-Project/vroom, docs/API.md), on one thread with the same time limit.
 *
 * What that form cannot say is left out of the comparison: several trips per vehicle.
 *
 * @returns its plan, or undefined when the problem cannot be put to it
 */
export function planWithOther(binary: string, problem: PlanProblem, seconds: number): Plan | undefined {
  if (problem.vehicles.some((vehicle) => vehicle.maxTrips > 1)) return undefined
  const folder = mkdtempSync(join(tmpdir(), "other-solver-"))
  try {
    const input = join(folder, "problem.json")
    writeFileSync(input, JSON.stringify(toVroom(problem)))
    const { stdout, stderr, status } = spawnSync(binary, ["-i", input, "-t", "1", "-l", String(seconds)], {
      encoding: "utf8",
      maxBuffer: 2 ** 28,
    })
    if (status !== 0) throw new Error(`${binary} ended with ${status}: ${stderr || stdout}`)
    return fromVroom(JSON.parse(stdout))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Its numbers are integers, so costs and loads of our fractional instances are rounded. */
function toVroom({ locationCount, distances, durations, visits, vehicles }: PlanProblem) {
  const rows = (matrix: Float64Array, factor: number) =>
    Array.from({ length: locationCount }, (_, i) =>
      Array.from(matrix.subarray(i * locationCount, (i + 1) * locationCount), (value) =>
        Math.round(value * factor),
      ),
    )
  const units = [...new Set(vehicles.map((vehicle) => vehicle.distanceCost))]
  const profile = (unit: number) => `unit-${units.indexOf(unit)}`
  return {
    vehicles: vehicles.map((vehicle, id) => ({
      id,
      profile: profile(vehicle.distanceCost),
      start_index: vehicle.startLocation,
      ...(vehicle.endLocation === null ? {} : { end_index: vehicle.endLocation }),
      capacity: vehicle.capacity,
      costs: { fixed: Math.round(vehicle.fixedCost) },
      ...(Number.isFinite(vehicle.shift[1]) ? { time_window: vehicle.shift } : {}),
    })),
    jobs: visits.map((visit, id) => ({
      id,
      location_index: visit.location,
      service: visit.serviceSeconds,
      delivery: visit.demand,
      ...(visit.windows.length > 0 ? { time_windows: visit.windows } : {}),
    })),
    matrices: Object.fromEntries(
      units.map((unit) => [profile(unit), { durations: rows(durations, 1), costs: rows(distances, unit) }]),
    ),
  }
}

type VroomOutput = {
  readonly routes: readonly { vehicle: number; steps: readonly { type: string; id?: number }[] }[]
  readonly unassigned: readonly { id: number }[]
}

function fromVroom({ routes, unassigned }: VroomOutput): Plan {
  return {
    routes: routes.map(({ vehicle, steps }) => ({
      vehicle,
      trips: [steps.flatMap((step) => (step.type === "job" && step.id !== undefined ? [step.id] : []))],
    })),
    dropped: unassigned.map(({ id }) => id),
  }
}
