import type { Pool } from "#core/database/database.ts"
import { anOrganization, type Organization } from "#samples/builders.ts"

/** An organization of many people whose newest positions are spread over ten by ten degrees. */
export async function seedFleet(sql: Pool, people: number): Promise<Organization> {
  const org = await anOrganization(sql)
  const session = await sql.reserve()
  await session.unsafe("set statement_timeout = 0; set session_replication_role = replica")
  await session`
    insert into users (organization_id, id, account_id, email, name, role_id, status, created_time, updated_time)
    select organization_id, lpad(to_hex(n), 24, '0'), lpad(to_hex(n), 24, '0'), 'p' || n || '@example.com', 'Person ' || n, role_id, status,
      created_time, updated_time
    from users, generate_series(1, ${people}::int) n where users.id = ${org.owner.id}`
  await session`
    insert into person_positions (organization_number, person_number, organization_id, user_id, email, last_time, batch_size,
      recorded_at, received_at, lat, lng, speed, bearing)
    select o.number, u.number, u.organization_id, u.id, u.email, 0, 1, now() - interval '1 hour', now() - interval '1 hour', 45 + (u.number::bigint * 7919 % 10000) / 1000.0,
      5 + (u.number::bigint * 104729 % 10000) / 1000.0, 30, 90
    from users u join organizations o on o.id = u.organization_id where u.organization_id = ${org.id}`
  await session.unsafe("reset session_replication_role; reset statement_timeout")
  await session.unsafe("vacuum analyze")
  session.release()
  return org
}
