import assert from "node:assert/strict"
import { test } from "node:test"
import { inTransaction, type Pool, type Tx } from "#core/database/database.ts"
import { anOrganization } from "#samples/builders.ts"
import { testApp } from "#testing/test-app.ts"
import { audit } from "../audit.ts"
import { sealAuditTrail } from "./chain.ts"
import { removeOldEntries } from "./retention.ts"
import { type NotedBlock, verifyAuditTrail } from "./verify-chain.ts"

const note = (sql: Pool | Tx, organizationId: string, targetName: string) =>
  audit(sql, { organizationId, email: null }, { action: "test.write", targetType: "test", targetName })

async function unsealed(sql: Pool, organizationId: string): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select (select count(*) from audit_log where organization_id = ${organizationId})
      + (select count(*) from audit_parts where organization_id = ${organizationId}) as count`
  return (row?.count ?? 0) - (await verifyAuditTrail(sql, organizationId)).rows
}

/** Other databases of the server hold the sealing back too. */
async function sealAll(sql: Pool, organizationId: string): Promise<void> {
  do await sealAuditTrail(sql)
  while ((await unsealed(sql, organizationId)) > 0)
}

test("a changed and a missing entry break the chain; what retention removes does not", async (t) => {
  const { sql } = await testApp(t)
  const org = await anOrganization(sql)
  for (const name of ["first", "second", "third"]) await note(sql, org.id, name)
  await sealAll(sql, org.id)
  const sealed = await verifyAuditTrail(sql, org.id)
  assert.equal(sealed.broken, undefined)
  const change = (from: string, to: string) =>
    sql`update audit_log set target_name = ${to} where organization_id = ${org.id} and target_name = ${from}`
  await change("second", "another")
  assert.match((await verifyAuditTrail(sql, org.id)).broken?.reason ?? "", /was changed/)
  await change("another", "second")
  assert.equal((await verifyAuditTrail(sql, org.id)).broken, undefined)
  const rollback = new Error("rollback")
  await assert.rejects(
    inTransaction(sql, async (tx) => {
      await tx`delete from audit_parts where organization_id = ${org.id} and object_type = 'flow'`
      assert.match((await verifyAuditTrail(tx, org.id)).broken?.reason ?? "", /is missing/)
      throw rollback
    }),
    rollback,
  )
  const later = Temporal.Now.instant().add({ hours: 24 * 366 })
  await removeOldEntries(sql, later, new AbortController().signal)
  await note(sql, org.id, "after")
  await sealAll(sql, org.id)
  const rest = await verifyAuditTrail(sql, org.id)
  assert.deepEqual([rest.broken, rest.rows], [undefined, 2])
  await sql`update audit_checkpoints set number = number + 5 where organization_id = ${org.id}`
  assert.ok((await verifyAuditTrail(sql, org.id)).broken)
})

test("what is removed, put beside the chain, or swapped breaks it, also after retention removed the beginning", async (t) => {
  const { sql } = await testApp(t)
  const org = await anOrganization(sql)
  for (const name of ["one", "two", "three"]) await note(sql, org.id, name)
  await sealAll(sql, org.id)
  const later = Temporal.Now.instant().add({ hours: 24 * 366 })
  await removeOldEntries(sql, later, new AbortController().signal)
  for (const name of ["four", "five", "six"]) await note(sql, org.id, name)
  await sealAll(sql, org.id)
  const whole = await verifyAuditTrail(sql, org.id)
  assert.equal(whole.broken, undefined)
  const brokenBy = async (change: (tx: Tx) => Promise<unknown>, noted?: NotedBlock) => {
    const rollback = new Error("rollback")
    let reason: string | undefined
    const done = inTransaction(sql, async (tx) => {
      await change(tx)
      reason = (await verifyAuditTrail(tx, org.id, noted)).broken?.reason
      throw rollback
    })
    await assert.rejects(done, rollback)
    return reason
  }
  const own = sql`organization_id = ${org.id}`
  const added = await brokenBy(
    (tx) => tx`
      insert into audit_log (organization_id, id, time, actor_email, action, target_type, target_name, number, xid)
      select organization_id, 'f' || substr(id, 2), time, 'somebody@example.test', action, target_type, 'seven', number, xid
      from audit_log where ${own} and target_name = 'five'`,
  )
  assert.match(added ?? "", /was added/)
  const swapped = await brokenBy(
    (tx) => tx`
      update audit_log set time = other.time, target_name = other.target_name
      from (values ('four', 'six'), ('six', 'four')) pair (name, wanted)
      join audit_log other on other.target_name = pair.wanted
      where audit_log.organization_id = ${org.id} and other.organization_id = ${org.id} and audit_log.target_name = pair.name`,
  )
  assert.match(swapped ?? "", /was changed/)
  const reordered = await brokenBy(
    (tx) => tx`
      update audit_blocks set number = -number where ${own} and number = (select max(number) from audit_blocks where ${own})`,
  )
  assert.match(reordered ?? "", /was added/, "no block covers its entries any more")
  const { head } = whole
  assert.ok(head)
  const cut = await brokenBy(async (tx) => {
    await tx`delete from audit_log where ${own} and target_name in ('four', 'five', 'six')`
    await tx`delete from audit_blocks where ${own} and number = ${head.number}`
  }, head)
  assert.match(cut ?? "", /noted earlier is missing/)
  const other = { ...head, hash: "0".repeat(64) }
  assert.match(await brokenBy(async () => undefined, other).then(String), /not the one that was noted/)
})

test("no entry is passed over, however transactions overlap", async (t) => {
  const { sql } = await testApp(t)
  const org = await anOrganization(sql)
  await sealAll(sql, org.id)
  const { promise: end, resolve: commit } = Promise.withResolvers<void>()
  const { promise: written, resolve: hasWritten } = Promise.withResolvers<void>()
  const slow = inTransaction(sql, async (tx) => {
    await note(tx, org.id, "slow")
    hasWritten()
    await end
  })
  await written
  await note(sql, org.id, "quick")
  await sealAuditTrail(sql)
  assert.equal(await unsealed(sql, org.id), 1)
  commit()
  await slow
  await Promise.all([sealAuditTrail(sql), sealAuditTrail(sql)])
  await sealAll(sql, org.id)
  // As after a restore into another server, whose transactions count from the beginning.
  await sql`update audit_sealing set sealed_xid = sealed_xid + 1000000`
  await sealAuditTrail(sql)
  await note(sql, org.id, "restored")
  await sealAll(sql, org.id)
  assert.equal((await verifyAuditTrail(sql, org.id)).broken, undefined)
})

test("a backlog is sealed in bounded steps, transaction by transaction", async (t) => {
  const { sql } = await testApp(t)
  const org = await anOrganization(sql)
  await sealAll(sql, org.id)
  for (let number = 0; number < 4; number += 1)
    await inTransaction(sql, async (tx) => {
      for (const part of ["a", "b", "c"]) await note(tx, org.id, `${number}${part}`)
    })
  const steps: number[] = []
  while ((await unsealed(sql, org.id)) > 0) {
    const count = await sealAuditTrail(sql, 4)
    if (count > 0) steps.push(count)
  }
  assert.deepEqual(steps, [6, 6])
  assert.equal((await verifyAuditTrail(sql, org.id)).broken, undefined)
})
