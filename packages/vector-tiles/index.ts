export {
  type ArchiveOptions,
  type BuiltArchive,
  buildArchive,
  EmptyExtract,
  streetZooms,
} from "./build-archive.ts"
export { areaOf as ringArea } from "./draw-tile.ts"
export { projectLine, worldSize } from "./geometry/world.ts"
export { ArchiveError } from "./pmtiles/archive-error.ts"
export { type Archive, openArchive, type ReadRange } from "./pmtiles/archive-reader.ts"
export { type ArchiveHeader, compressions, tileTypes } from "./pmtiles/header.ts"
export { type ReadFeature, readTile } from "./read-tile.ts"
