import { Type } from "typebox"
import type { Caller } from "#core/access/caller.ts"
import { actorOf, audit } from "#core/audit.ts"
import { inTransaction, type Tx } from "#core/database/database.ts"
import { commaList } from "#core/http/tolerance.ts"
import type { App } from "#core/http/types.ts"
import { IdSchema } from "#core/ids.ts"
import { type Currency, findCurrency, listCurrencies, saveCurrency } from "./currencies.ts"

const values = {
  countryCode: Type.String({ pattern: "^[A-Za-z]{3}$", description: "ISO 3166-1 alpha-3" }),
  symbol: Type.String({ minLength: 1, maxLength: 10 }),
  iso: Type.String({ pattern: "^[A-Za-z]{3}$", description: "ISO 4217" }),
  locale: Type.String({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$", description: "BCP 47" }),
}
const CurrencySchema = Type.Object(
  { _id: IdSchema("currency"), ...values, isActive: Type.Boolean() },
  { title: "Currency" },
)
const NewCurrency = Type.Object({ ...values, isActive: Type.Optional(Type.Boolean()) })
const Params = Type.Object({ currencyId: IdSchema("currency") })
const CurrencyResponse = Type.Object({ status: Type.Literal(true), data: CurrencySchema })
const Written = Type.Object({ ...CurrencyResponse.properties, message: Type.String() })

/** Currencies by country: a built-in list, which each organization may change for itself. */
export function currencyRoutes(app: App): void {
  app.get("/currency", {
    config: { public: true },
    schema: {
      operationId: "listCurrencies",
      summary: "List active currencies by country; with a token those of the caller's organization",
      querystring: Type.Object({
        iso: Type.Optional(Type.String({ description: "Comma-separated list" })),
      }),
      response: { 200: Type.Object({ status: Type.Literal(true), data: Type.Array(CurrencySchema) }) },
    },
    async handler(request) {
      const caller = await app.identify(request)
      const wanted =
        request.query.iso === undefined ? undefined : new Set(commaList(request.query.iso.toUpperCase()))
      const all = await listCurrencies(request.sql, caller?.organizationId)
      const data = all.filter(({ iso, isActive }) => isActive && (!wanted || wanted.has(iso))).map(toWire)
      return { status: true as const, data }
    },
  })

  app.get("/currency/:currencyId", {
    config: { signedIn: true, scopedToken: "accepted" },
    schema: {
      operationId: "getCurrency",
      summary: "Get a currency",
      params: Params,
      response: { 200: CurrencyResponse },
    },
    handler: async ({ sql, caller, params }) => ({
      status: true as const,
      data: toWire(await findCurrency(sql, caller, params.currencyId)),
    }),
  })

  app.post("/currency", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "createCurrency",
      summary: "Add a currency to the organization's list",
      body: NewCurrency,
      response: { 201: Written },
    },
    async handler({ sql, caller, body, ip }, reply) {
      const options = { ...body, ...upper(body), isActive: body.isActive ?? true }
      const data = await inTransaction(sql, (tx) => save(tx, caller, "currency.create", options, ip))
      reply.code(201)
      return { status: true as const, data: toWire(data), message: "Data created" }
    },
  })

  app.put("/currency/:currencyId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "updateCurrency",
      summary: "Change a currency of the organization's list",
      params: Params,
      body: Type.Partial(NewCurrency),
      response: { 200: Written },
    },
    async handler({ sql, caller, params, body, ip }) {
      const data = await inTransaction(sql, async (tx) => {
        const before = await findCurrency(tx, caller, params.currencyId)
        const options = { ...before, ...body }
        return save(tx, caller, "currency.update", { ...options, ...upper(options) }, ip)
      })
      return { status: true as const, data: toWire(data), message: "Data updated" }
    },
  })

  app.delete("/currency/:currencyId", {
    config: { permission: "edit/organization" },
    schema: {
      operationId: "deleteCurrency",
      summary: "Delete a currency from the organization's list",
      params: Params,
      response: { 200: Type.Object({ status: Type.Literal(true), message: Type.String() }) },
    },
    async handler({ sql, caller, params, ip }) {
      await inTransaction(sql, async (tx) => {
        const before = await findCurrency(tx, caller, params.currencyId)
        await save(tx, caller, "currency.delete", { ...before, isActive: false }, ip)
      })
      return { status: true as const, message: "Data deleted" }
    },
  })
}

async function save(
  tx: Tx,
  caller: Caller,
  action: string,
  options: Parameters<typeof saveCurrency>[2],
  address: string,
): Promise<Currency> {
  const saved = await saveCurrency(tx, caller, options)
  await audit(tx, actorOf(caller, address), {
    action,
    targetType: "currency",
    targetId: saved.id,
    targetName: saved.iso,
    after: saved,
  })
  return saved
}

const upper = ({ countryCode, iso }: { countryCode: string; iso: string }) => ({
  countryCode: countryCode.toUpperCase(),
  iso: iso.toUpperCase(),
})

function toWire({ id, ...currency }: Currency) {
  return { _id: id, ...currency }
}
