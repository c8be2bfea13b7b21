export { type OsmType, osmTypes } from "./collect/address-columns.ts"
export {
  type AddressIndex,
  buildAddressIndex,
  type Countries,
  type Entry,
  type EntryKind,
  entryKinds,
  type House,
  type StreetLine,
} from "./collect/address-index.ts"
export type { Crossing } from "./collect/crossings.ts"
export { metersBetween, nearestOnLine } from "./collect/grid.ts"
export type { Names } from "./collect/names.ts"
export {
  crossingParts,
  divisionsOf,
  houseNumberAt,
  otherDivisions,
  type Token,
  tokenOf,
  tokensOf,
} from "./search/parse-query.ts"
export { type Score, scoreOf } from "./search/score.ts"
export { type KnownWord, type WeighedToken, weigh, weighAsNames } from "./search/vocabulary.ts"
export { withoutUnit } from "./search/without-unit.ts"
export { isGeneric } from "./text/abbreviations.ts"
export { deletionsOf, errorsBetween, hashInName, hashOf } from "./text/spelling.ts"
export { wordsOf } from "./text/words.ts"
