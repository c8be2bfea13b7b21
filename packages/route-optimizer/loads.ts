/** Loads have up to six decimals. They are added and compared in whole millionths, so that thirty times 0.1 is 3. */
const millionths = 1_000_000

export function loadUnits(load: number): number {
  return Math.round(load * millionths)
}

export function sumOfLoads(loads: readonly number[]): number {
  return loads.reduce((sum, load) => sum + loadUnits(load), 0) / millionths
}

/** Without the binary dust of a computation, such as 0.30000000000000004. */
export function roundLoad(load: number): number {
  return loadUnits(load) / millionths
}
