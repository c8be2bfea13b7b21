/** Words before or after the number of a flat, a floor or an office, which no map of addresses has. */
const unit = [
  ..."apartamento apartment appartement appartamento apto appt apt ap app dpto depto departamento".split(" "),
  ..."unit flat suite ste room rm wohnung whg interno квартира кв".split(" "),
  ..."oficina ofic of office ofc sala local loja офис оф".split(" "),
  ..."piso andar planta floor fl level lvl piano etage étage stock stiege top этаж".split(" "),
  ..."torre bloque bloco escalera escalier scala esc puerta pta porte conjunto cj".split(" "),
].join("|")
const floor = "piso|andar|planta|floor|piano|etage|étage|stock|этаж"
const before = "(?<![\\p{L}\\p{N}])"
const after = "(?![\\p{L}\\p{N}])"

const parts: readonly RegExp[] = [
  // apto 3, Apt. 4B, piso #2; a letter alone only at the end of a part.
  new RegExp(
    `${before}(?:${unit})(?:\\.\\s*|\\s+)(?:(?:n[º°o]\\.?|#)\\s*)?(?:\\d{1,5}\\s?\\p{L}?${after}|\\p{L}(?=\\s*(?:,|$)))`,
    "giu",
  ),
  // 3er piso, 2nd floor
  new RegExp(`${before}\\d{1,3}(?:\\.|[º°ª]|st|nd|rd|th|er|do|to|e|ème)\\s*(?:${floor})${after}`, "giu"),
  // 1100 #301
  /(?<=\d\p{L}?[\s,]{1,3})#\s?\p{L}?\d{1,5}(?![\p{L}\p{N}])/giu,
  // 1100 apto, while it is being typed
  new RegExp(`(?<=\\d\\p{L}?[\\s,]{1,3})(?:${unit})\\.?\\s*$`, "iu"),
]

/** What leads from a house number to the streets that it lies between or near: `1100 esq. Paraguay`. */
const crossing = /[\s,](?:esquina|esq\.?|entre|casi|corner of|corner|cnr\.?|between|ecke)\s/giu
const houseAtEnd = /[\s,]\d{3,5}\p{L}?[\s,]{0,2}$/u

/** Drops cross streets up to the next comma, where a street and its number are in front of them. */
function withoutCrossStreets(text: string): string {
  for (const { index, 0: words } of text.matchAll(crossing)) {
    const house = text.slice(0, index)
    if (!houseAtEnd.test(house) || !/\p{L}/u.test(house)) continue
    const end = text.indexOf(",", index + words.length)
    return house.replace(/[\s,]{1,2}$/, "") + (end === -1 ? "" : text.slice(end))
  }
  return text
}

const maxCharacters = 500

/**
 * An address without what follows the house: flat, floor, office and cross streets. Unchanged if no number would be left,
 * since then it was the number of something else, and if it is longer than any address.
 */
export function withoutUnit(text: string): string {
  if (text.length > maxCharacters) return text
  const shorter = parts.reduce((rest, part) => rest.replace(part, " "), withoutCrossStreets(text))
  return shorter !== text && /\d/.test(shorter) && /\p{L}/u.test(shorter) ? shorter : text
}
