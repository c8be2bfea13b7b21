export {
  type Calibration,
  type CalibrationSample,
  learnCalibration,
  quantileLevels,
  uncalibrated,
  windowOf,
} from "./calibration.ts"
export { type Duration, type DurationModel, durationFactor, emptyModel, learnDurations } from "./durations.ts"
export {
  type ArrivalEstimate,
  estimateArrivals,
  type RemainingStop,
  type Situation,
} from "./estimate-arrivals.ts"
