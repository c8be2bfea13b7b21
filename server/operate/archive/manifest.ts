import { type Static, Type } from "typebox"

const FileSchema = Type.Object({
  file: Type.String({ pattern: "^[A-Za-z0-9._/@-]+$", description: "Path inside the archive" }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
})

const TableSchema = Type.Object({
  ...FileSchema.properties,
  schema: Type.String({ pattern: "^[a-z_]+$" }),
  name: Type.String({ pattern: "^[a-z_0-9]+$" }),
  columns: Type.Array(Type.String({ pattern: "^[a-z_0-9]+$" })),
  rows: Type.Integer({ minimum: 0 }),
})

/**
 * What an archive holds. `manifest.json` is written last and the folder gets its name after that, so an archive
 * that was cut off is never taken for a whole one. Table files are PostgreSQL's own COPY text, compressed.
 */
export const ManifestSchema = Type.Object({
  format: Type.Literal("fieldway-archive"),
  formatVersion: Type.Literal(1),
  kind: Type.Union([Type.Literal("installation"), Type.Literal("organization")]),
  /** Fieldway's version that wrote it. */
  version: Type.String(),
  createdTime: Type.String(),
  organization: Type.Union([
    Type.Object({
      id: Type.String({ pattern: "^[0-9a-f]{24}$" }),
      name: Type.String(),
      number: Type.Integer(),
    }),
    Type.Null(),
  ]),
  migrations: Type.Array(Type.Object({ name: Type.String(), checksum: Type.String() })),
  /** In the order in which they can be loaded. */
  tables: Type.Array(TableSchema),
  sequences: Type.Array(Type.Object({ schema: Type.String(), name: Type.String(), value: Type.Integer() })),
  /** First days of the months that have a partition of location points. */
  locationMonths: Type.Array(Type.String({ pattern: "^\\d{4}-\\d{2}-01$" })),
  objects: Type.Object({ ...FileSchema.properties, count: Type.Integer(), contentBytes: Type.Integer() }),
})
export type Manifest = Static<typeof ManifestSchema>
export type ArchiveTable = Static<typeof TableSchema>

/** One line of the list of objects. The content lies under `objects/<key>`. */
export const ObjectEntrySchema = Type.Object({
  key: Type.String({ pattern: "^[0-9a-f]{24}(/[A-Za-z0-9_@-][A-Za-z0-9._@-]{0,199})+$" }),
  bytes: Type.Integer({ minimum: 0 }),
  sha256: Type.String({ pattern: "^[0-9a-f]{64}$" }),
})
export type ObjectEntry = Static<typeof ObjectEntrySchema>
