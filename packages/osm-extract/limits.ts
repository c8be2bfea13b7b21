/** Bounds that an extract is held to while it is read. The defaults of blobs are those of the format. */
export interface ExtractLimits {
  readonly maxFileBytes: number
  /** Compressed size of one blob, and the size that it inflates to. */
  readonly maxBlobBytes: number
  readonly maxBlobHeaderBytes: number
  /** Nodes, ways and relations of one block. Common writers put 8,000 in one. */
  readonly maxBlockEntities: number
  /** One key, value or role. OpenStreetMap itself allows 255 characters. */
  readonly maxStringBytes: number
}

export const defaultExtractLimits: ExtractLimits = {
  maxFileBytes: 8 * 1024 ** 3,
  maxBlobBytes: 32 * 1024 ** 2,
  maxBlobHeaderBytes: 64 * 1024,
  maxBlockEntities: 1_000_000,
  maxStringBytes: 65_536,
}
