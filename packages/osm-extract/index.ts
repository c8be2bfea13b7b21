export type { Block, BlockNodes, Kinds, MemberType, Relation, RelationMember, Way } from "./block.ts"
export { ExtractError, type ExtractErrorCode } from "./extract-error.ts"
export type { Bounds, ExtractHeader } from "./header.ts"
export type { ExtractLimits } from "./limits.ts"
export { locateWay, NodeLocations } from "./node-locations.ts"
export { type Extract, type ExtractOptions, openExtract } from "./open-extract.ts"
export {
  type AssembledArea,
  assembleArea,
  isArea,
  type Polygon,
  pointInRing,
  type Ring,
  signedArea,
} from "./rings.ts"
