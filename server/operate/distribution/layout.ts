/**
 * Which tables go to the workers of Citus, by the column that names the organization. The coordinator keeps the others:
 * they are small beside positions, the audit trail and the counts depend on triggers, which Citus refuses on distributed
 * tables, and live events and the feed compare transactions of one server.
 */
export const distributedTables: Readonly<Record<string, string>> = {
  location_points: "organization_number",
}
