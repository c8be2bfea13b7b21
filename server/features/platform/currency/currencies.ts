import type { Caller } from "#core/access/caller.ts"
import { databaseErrorOf, inTransaction, type Sql, type Tx } from "#core/database/database.ts"
import { defineErrors } from "#core/errors.ts"
import { type Id, newId } from "#core/ids.ts"
import { permissionId } from "#core/permissions.ts"

export const currencyErrors = defineErrors("curr", {
  countryTaken: [400, "031", "The list already has a currency for this country"],
  notFound: [404, "033", "Data not found"],
})

export interface Currency {
  id: Id<"currency">
  countryCode: string
  symbol: string
  iso: string
  locale: string
  isActive: boolean
}

/** Countries by ISO 3166-1 alpha-3, their currency by ISO 4217 and how people there write numbers (BCP 47). */
const table: readonly [countryCode: string, iso: string, symbol: string, locale: string][] = [
  ["ARE", "AED", "AED", "ar-AE"],
  ["ARG", "ARS", "$", "es-AR"],
  ["AUS", "AUD", "A$", "en-AU"],
  ["AUT", "EUR", "€", "de-AT"],
  ["BEL", "EUR", "€", "nl-BE"],
  ["BRA", "BRL", "R$", "pt-BR"],
  ["CAN", "CAD", "CA$", "en-CA"],
  ["CHE", "CHF", "CHF", "de-CH"],
  ["CHL", "CLP", "$", "es-CL"],
  ["CHN", "CNY", "¥", "zh-CN"],
  ["COL", "COP", "$", "es-CO"],
  ["CZE", "CZK", "Kč", "cs-CZ"],
  ["DEU", "EUR", "€", "de-DE"],
  ["DNK", "DKK", "kr", "da-DK"],
  ["ESP", "EUR", "€", "es-ES"],
  ["FIN", "EUR", "€", "fi-FI"],
  ["FRA", "EUR", "€", "fr-FR"],
  ["GBR", "GBP", "£", "en-GB"],
  ["HKG", "HKD", "HK$", "en-HK"],
  ["IDN", "IDR", "Rp", "id-ID"],
  ["IND", "INR", "₹", "en-IN"],
  ["IRL", "EUR", "€", "en-IE"],
  ["ITA", "EUR", "€", "it-IT"],
  ["JPN", "JPY", "¥", "ja-JP"],
  ["KEN", "KES", "KSh", "en-KE"],
  ["KHM", "KHR", "៛", "km-KH"],
  ["KOR", "KRW", "₩", "ko-KR"],
  ["MEX", "MXN", "$", "es-MX"],
  ["MMR", "MMK", "K", "my-MM"],
  ["MYS", "MYR", "RM", "ms-MY"],
  ["NGA", "NGN", "₦", "en-NG"],
  ["NLD", "EUR", "€", "nl-NL"],
  ["NOR", "NOK", "kr", "nb-NO"],
  ["NZL", "NZD", "NZ$", "en-NZ"],
  ["PAK", "PKR", "Rs", "en-PK"],
  ["PHL", "PHP", "₱", "fil-PH"],
  ["POL", "PLN", "zł", "pl-PL"],
  ["PRT", "EUR", "€", "pt-PT"],
  ["SAU", "SAR", "SAR", "ar-SA"],
  ["SGP", "SGD", "S$", "en-SG"],
  ["SWE", "SEK", "kr", "sv-SE"],
  ["THA", "THB", "฿", "th-TH"],
  ["TUR", "TRY", "₺", "tr-TR"],
  ["TWN", "TWD", "NT$", "zh-TW"],
  ["USA", "USD", "$", "en-US"],
  ["VNM", "VND", "₫", "vi-VN"],
  ["ZAF", "ZAR", "R", "en-ZA"],
]

/** The list that every organization starts from. Ids are derived from the country, the same everywhere. */
const builtIn: readonly Currency[] = table.map(([countryCode, iso, symbol, locale]) => ({
  id: permissionId(`currency:${countryCode}`) as Id<"currency">,
  countryCode,
  symbol,
  iso,
  locale,
  isActive: true,
}))

/**
 * The built-in list with an organization's changes over it; without one the built-in list alone. A change
 * by one organization is never seen by another.
 */
export async function listCurrencies(sql: Sql, organizationId: string | undefined): Promise<Currency[]> {
  if (organizationId === undefined) return [...builtIn]
  const own = await sql<Currency[]>`
    select id, country_code, symbol, iso, locale, is_active from currencies where organization_id = ${organizationId}`
  const changed = new Set(own.map((currency) => currency.id))
  const all = [...builtIn.filter((currency) => !changed.has(currency.id)), ...own]
  return all.sort((one, other) => (one.countryCode < other.countryCode ? -1 : 1))
}

export async function findCurrency(sql: Sql, caller: Caller, id: string): Promise<Currency> {
  const all = await listCurrencies(sql, caller.organizationId)
  const found = all.find((currency) => currency.id === id.toLowerCase())
  if (!found) throw currencyErrors.notFound()
  return found
}

/** Writes an organization's own row, which hides a built-in one of the same id. */
export async function saveCurrency(
  tx: Tx,
  caller: Caller,
  options: Omit<Currency, "id"> & { id?: Currency["id"] },
): Promise<Currency> {
  // Bodies may have keys that no column has.
  const { countryCode, symbol, iso, locale, isActive, id = newId<"currency">() } = options
  const currency: Currency = { id, countryCode, symbol, iso, locale, isActive }
  const all = await listCurrencies(tx, caller.organizationId)
  if (all.some((other) => other.countryCode === currency.countryCode && other.id !== currency.id))
    throw currencyErrors.countryTaken()
  try {
    await inTransaction(
      tx,
      (point) => point`
      insert into currencies ${point({ ...currency, organizationId: caller.organizationId })}
      on conflict (organization_id, id) do update set country_code = excluded.country_code, symbol = excluded.symbol,
        iso = excluded.iso, locale = excluded.locale, is_active = excluded.is_active`,
    )
  } catch (error) {
    if (databaseErrorOf(error)?.constraint === "currencies_country")
      throw currencyErrors.countryTaken({ cause: error })
    throw error
  }
  return currency
}
