export { buildNetwork } from "./build/build-network.ts"
export { buildProfile, customize } from "./build/build-profile.ts"
export type { RoadSource, SourceBlock, SourceRelation } from "./build/source.ts"
export { RoadFileError } from "./file/container.ts"
export { type NetworkMeta, openNetwork, packNetwork } from "./file/network-file.ts"
export { openProfile, packProfile } from "./file/profile-file.ts"
export type { RoadNetwork } from "./network.ts"
export { classOf, hasNodeIds, nameOf, nodeIdsOf, roadNumberOf } from "./network.ts"
export { findAlternatives } from "./query/alternatives.ts"
export { isochrones } from "./query/isochrone.ts"
export { type Matching, matchTrack, type TrackPoint } from "./query/match.ts"
export type { Outline } from "./query/outlines.ts"
export { findPath, type RoadPath } from "./query/path.ts"
export { createRouter, type Router } from "./query/router.ts"
export {
  type Access,
  defaultSnapMeters,
  type SnapOptions,
  type Snapped,
  snap,
  snapMany,
} from "./query/snap.ts"
export { type TablePlace, type TravelTable, travelTable, unreachable } from "./query/table.ts"
export { leavingOf } from "./route/leaving.ts"
export { decodePolyline, encodePolyline, simplifyLine } from "./route/polyline.ts"
export { type Crossing, describeSteps, type Step } from "./route/steps.ts"
export { type TravelledSegment, travelledSegments } from "./route/travel-line.ts"
export type { Lane } from "./route/turn-lanes.ts"
export { type ClassTimes, classTimesOf, type Observed, observeTrack } from "./speeds/observe-track.ts"
export {
  drivenClasses,
  emptyHistory,
  hourlySlowness,
  hourOfWeek,
  hoursOfWeek,
  isEnough,
  learnSpeeds,
  packHistory,
  type SpeedHistory,
  type StoredHistory,
  type Stretch,
  secondsInHour,
  slownessOf,
  speedFactors,
  speedShare,
  unpackHistory,
} from "./speeds/speed-history.ts"
export { isMotorized, type Mode, modes, type RoadClass, roadClasses } from "./tags/modes.ts"
export type { TravelGraph } from "./travel-graph.ts"
export type { TravelOptions } from "./weights.ts"
