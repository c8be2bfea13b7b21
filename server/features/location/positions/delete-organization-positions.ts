import type { Tx } from "#core/database/database.ts"

/**
 * Removes the sessions of an organization that is being deleted. Its points may be millions: the job
 * `location.delete-unkept` removes them in the background.
 */
export async function deleteOrganizationPositions(
  tx: Tx,
  organization: { number: number },
): Promise<undefined> {
  await tx`delete from location_sessions where organization_number = ${organization.number}`
}
