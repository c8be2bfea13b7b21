import type { Tx } from "#core/database/database.ts"

/** Gives a driver's vehicles their new e-mail. */
export async function renameInVehicles(
  tx: Tx,
  organizationId: string,
  from: string,
  to: string,
): Promise<void> {
  await tx`update vehicle_drivers set email = ${to} where organization_id = ${organizationId} and email = ${from}`
  await tx`update vehicles set assignee = ${to} where organization_id = ${organizationId} and assignee = ${from}`
}
