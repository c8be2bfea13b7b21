/**
 * The wire's ids of location records. A point's is made of its organization, person and time of receipt; a
 * session's of its start to the second, with an `s` behind. Nothing of it is stored with a point.
 */
export type RecordId =
  | { kind: "point"; organizationId: string; email: string; time: number; text: string }
  | { kind: "session"; text: string }

const pointPattern = /^([0-9a-f]{24})_(.+)_(\d{13})$/s
const sessionPattern = /^[0-9a-f]{24}(_.+_\d{6,14}s)?$/s

/** Undefined for what cannot be an id of any form. */
export function parseRecordId(text: string): RecordId | undefined {
  if (text.length > 400) return undefined
  const point = pointPattern.exec(text)
  if (point)
    return {
      kind: "point",
      organizationId: point[1] ?? "",
      email: point[2] ?? "",
      time: Number(point[3]),
      text,
    }
  return sessionPattern.test(text) ? { kind: "session", text } : undefined
}

export function pointId(organizationId: string, email: string, time: number): string {
  return `${organizationId}_${email}_${time}`
}

/** Digits are UTC. */
export function sessionId(organizationId: string, email: string, startedAt: number): string {
  const digits = new Date(startedAt).toISOString().slice(0, 19).replace(/\D/g, "")
  return `${organizationId}_${email}_${digits}s`
}
