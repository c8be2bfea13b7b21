export class ArchiveError extends Error {
  override readonly name = "ArchiveError"
}

export const damaged = (cause?: unknown) =>
  new ArchiveError("The archive is damaged. Download it again", { cause })
