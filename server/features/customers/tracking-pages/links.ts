import { databaseErrorOf, inTransaction, type Sql } from "#core/database/database.ts"
import { newId } from "#core/ids.ts"
import { codeMakerOf, type LinkCode } from "./code.ts"

export type LinkKind = "task" | "position"

export interface TrackingLink {
  organizationId: string
  id: string
  kind: LinkKind
  targetId: string
  createdTime: Temporal.Instant
  expiresAt: Temporal.Instant
  revokedAt: Temporal.Instant | null
}

export interface NewLink {
  organizationId: string
  kind: LinkKind
  targetId: string
  createdBy: string | null
  expiresAt: Temporal.Instant
}

/** Two links with the same code: once in 2^25 links, and the next id has another code. */
const maxTries = 3

/** The link of a task or a shared position: the one that exists, prolonged where needed, or a new one. */
export async function ensureLink(
  sql: Sql,
  pool: Sql,
  link: NewLink,
  now: Temporal.Instant,
): Promise<LinkCode & { link: TrackingLink }> {
  const { codeOf } = await codeMakerOf(pool)
  for (let attempt = 1; ; attempt++) {
    const id = newId<"tracking-link">()
    const made = codeOf("tracking", id)
    try {
      const rows = await inTransaction(
        sql,
        (tx) => tx<TrackingLink[]>`
          insert into tracking_links (organization_id, id, kind, target_id, code_hash, created_by, created_time, expires_at)
          values (${link.organizationId}, ${id}, ${link.kind}, ${link.targetId}, ${made.hash}, ${link.createdBy}, ${now},
            ${link.expiresAt})
          on conflict (organization_id, kind, target_id) where revoked_at is null
            do update set expires_at = greatest(tracking_links.expires_at, excluded.expires_at)
          returning organization_id, id, kind, target_id, created_time, expires_at, revoked_at`,
      )
      const [row] = rows
      if (!row) throw new Error("a link was neither found nor created")
      return { ...codeOf("tracking", row.id), link: row }
    } catch (error) {
      const isCodeTaken = databaseErrorOf(error)?.constraint === "tracking_links_code"
      if (!isCodeTaken || attempt === maxTries) throw error
    }
  }
}

/** A link by the hash of its code; revoked and expired ones too, so that their page says what happened. */
export async function findLinkByHash(sql: Sql, hash: Buffer): Promise<TrackingLink | undefined> {
  const rows = await sql<TrackingLink[]>`
    select organization_id, id, kind, target_id, created_time, expires_at, revoked_at
    from tracking_links where code_hash = ${hash}`.reusePlan()
  return rows[0]
}

/** The link of a target that is not revoked. */
export async function findLink(
  sql: Sql,
  pool: Sql,
  { organizationId, kind, targetId }: Pick<NewLink, "organizationId" | "kind" | "targetId">,
): Promise<(LinkCode & { link: TrackingLink }) | undefined> {
  const [link] = await sql<TrackingLink[]>`
    select organization_id, id, kind, target_id, created_time, expires_at, revoked_at from tracking_links
    where organization_id = ${organizationId} and kind = ${kind} and target_id = ${targetId} and revoked_at is null`
  return link && { ...(await codeMakerOf(pool)).codeOf("tracking", link.id), link }
}

/** Revokes the link of a target; the next one has another code. Returns whether there was one. */
export async function revokeLink(
  sql: Sql,
  { organizationId, kind, targetId }: Pick<NewLink, "organizationId" | "kind" | "targetId">,
  now: Temporal.Instant,
): Promise<boolean> {
  const rows = await sql`
    update tracking_links set revoked_at = ${now}
    where organization_id = ${organizationId} and kind = ${kind} and target_id = ${targetId} and revoked_at is null
    returning 1`
  return rows.length > 0
}
