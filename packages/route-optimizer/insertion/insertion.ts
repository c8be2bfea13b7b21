import type { Model } from "../problem/model.ts"
import type { Blinks, Place } from "../problem/place.ts"
import type { State } from "../search/state.ts"
import { listAll, listTrips, looksEverywhere } from "./candidate-trips.ts"
import { placeBesideNear } from "./insertion-near.ts"
import { findPairPlace } from "./insertion-pairs.ts"
import { placeInIdleVehicle, placeInNewTrip, placeInTrips } from "./insertion-plain.ts"
import { richPlaceInTrips, richPlaceOnItsOwn } from "./insertion-rich.ts"

/**
 * Finds the cheapest feasible place of absent visit c into `place`; its cost is Infinity when there is none.
 * A pickup comes with its delivery, which is not looked for by itself.
 * @param isThorough looks everywhere when there is none near
 */
export function findPlace(
  model: Model,
  state: State,
  c: number,
  blinks: Blinks,
  place: Place,
  isThorough: boolean,
): void {
  place.cost = Number.POSITIVE_INFINITY
  if (model.role[c] === 1) {
    findPairPlace(model, state, c, blinks, place, isThorough)
    return
  }
  const isRich = model.richTimes || model.hasPairs || model.hasTimeCosts || model.ordered[c] === 1
  const look = isRich ? richPlaceInTrips : placeInTrips
  const isPlain = !isRich && !model.hasSiblings && !model.hasReleases
  if (isPlain && !looksEverywhere(model, blinks)) placeBesideNear(model, state, c, blinks, place)
  else if (isPlain) look(model, state, c, blinks, place, listAll(model, state, c, blinks.slots))
  else look(model, state, c, blinks, place, listTrips(model, state, c, blinks))
  if (isThorough && !blinks.isEverywhere && place.cost === Number.POSITIVE_INFINITY) {
    look(model, state, c, blinks, place, listAll(model, state, c, blinks.slots))
  }
  if (isRich) {
    richPlaceOnItsOwn(model, state, c, place)
    return
  }
  if (model.maxTrips > 1) placeInNewTrip(model, state, c, place)
  placeInIdleVehicle(model, state, c, place)
}
