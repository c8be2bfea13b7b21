import { Type } from "typebox"
import { type Pool, unlessAway } from "#core/database/database.ts"
import { defineJob, send } from "#core/jobs/define-job.ts"
import { ownedState } from "#core/owned-state.ts"
import { hubRadiusMeters, taskRadiusMeters } from "#packages/geodesy/fence-radius.ts"
import { arrivalRules, listRecentPending, type PendingPerson } from "../positions/index.ts"
import { crossingAreas } from "./areas/index.ts"
import { followPerson } from "./follow-person.ts"

const peopleAtOnce = 1_000
/** The shortest time between two looks of one process, however many points come. */
const pauseMilliseconds = 3_000
/** Older newest positions are nobody's arrival of this moment; the job of each minute sees to them. */
const recentMinutes = 15

/**
 * Follows at once those whose newest position contradicts what is known of a place: inside without a visit, or
 * clearly outside of one that is open. That is a handful of a thousand people who send every second, where
 * following all of them would read every point again every few seconds.
 */
export const lookAround = defineJob({
  name: "geofences.look-around",
  payload: Type.Object({}),
  maxAttempts: 1,
  timeoutSeconds: 60,
  async handle({ sql, live, clock, signal, log }) {
    const now = clock.now()
    for (const person of [...(await listCrossing(sql, now)), ...(await listCrossingAreas(sql, now))]) {
      if (signal.aborted) return
      await followPerson(sql, live, person, now).catch(
        unlessAway((error) =>
          log.error({ userId: person.userId, reason: String(error) }, "arrivals could not be computed"),
        ),
      )
    }
  },
})

/** Metres between a place and the newest position, on a plane: both are within a few hundred metres when it matters. */
const metersTo = (place: string) =>
  `sqrt(power((${place}.lat - newest.lat) * 111195, 2)
    + power((${place}.lng - newest.lng) * 111195 * cos(radians(newest.lat)), 2))`

/**
 * Each of the four reasons is a join of its own, so that PostgreSQL reads the open tasks of an organization once where many
 * people move, and those of one person by index where few do.
 */
function listCrossing(sql: Pool, now: Temporal.Instant): Promise<PendingPerson[]> {
  const visitOf = (type: "hub" | "task") => sql`
    select from location_visits visit where visit.organization_id = newest.organization_id and visit.user_id = newest.user_id
      and visit.place_type = ${type} and visit.place_id = place.id and visit.left_at is null`
  const [hubAway, taskAway] = [hubRadiusMeters, taskRadiusMeters].map(
    (radiusMeters) => radiusMeters + arrivalRules.hysteresisMeters,
  )
  const meters = sql.unsafe(metersTo("place"))
  const nearTask = sql`newest join tasks place on place.organization_id = newest.organization_id and place.status = 'ONGOING' and place.lat is not null
    and ${meters} <= ${taskRadiusMeters}::float8 and not exists (${visitOf("task")})`
  return sql<PendingPerson[]>`
    with newest as materialized (
      select organization_id, organization_number, person_number, user_id, email, pending_from, lat, lng from person_positions
      where pending_from is not null and recorded_at > ${now.subtract({ minutes: recentMinutes })}
    ), crossing as (
      select newest.* from newest
        join user_hubs h on h.organization_id = newest.organization_id and h.user_id = newest.user_id
        join hubs place on place.organization_id = h.organization_id and place.id = h.hub_id
        where ${meters} <= ${hubRadiusMeters}::float8 and not exists (${visitOf("hub")})
      union
      select newest.* from ${nearTask} and place.first_assignee = newest.email
      union
      select newest.* from ${nearTask} and cardinality(place.assignee) > 1 and place.assignee @> array[newest.email]
      union
      select newest.* from newest
        join location_visits open on open.organization_id = newest.organization_id and open.user_id = newest.user_id
        left join hubs on open.place_type = 'hub' and hubs.organization_id = open.organization_id and hubs.id = open.place_id
        left join tasks on open.place_type = 'task' and tasks.organization_id = open.organization_id and tasks.id = open.place_id
        cross join lateral (select coalesce(hubs.lat, tasks.lat) as lat, coalesce(hubs.lng, tasks.lng) as lng) as place
        where open.left_at is null
          and ${meters} > case open.place_type when 'hub' then ${hubAway ?? 0}::float8 else ${taskAway ?? 0}::float8 end
    )
    select organization_id, organization_number, person_number, user_id, email, pending_from from crossing
    order by pending_from limit ${peopleAtOnce}`
}

async function listCrossingAreas(sql: Pool, now: Temporal.Instant): Promise<PendingPerson[]> {
  const people = await listRecentPending(sql, now.subtract({ minutes: recentMinutes }), peopleAtOnce)
  return crossingAreas(sql, people)
}

interface Looking {
  isPausing: boolean
  isDue: boolean
}
const lookingOf = ownedState((_sql: Pool): Looking => ({ isPausing: false, isDue: false }))

/**
 * Asks for a look: at once after a pause, and once more after it when points came meanwhile. Nothing depends on
 * it: missed people are followed within a minute.
 */
export function lookAroundSoon(sql: Pool): void {
  const state = lookingOf(sql)
  if (state.isPausing) {
    state.isDue = true
    return
  }
  state.isPausing = true
  send(sql, lookAround, {}, { key: "geofences.look-around" }).catch(() => undefined)
  setTimeout(() => {
    state.isPausing = false
    if (!state.isDue) return
    state.isDue = false
    lookAroundSoon(sql)
  }, pauseMilliseconds).unref()
}
