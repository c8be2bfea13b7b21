import type { Fragment, Tx } from "#core/database/database.ts"

/** Nominatim's themes of places, and which categories of points of interest belong to each. */
const categories = {
  railway: ["railway"],
  natural: ["natural", "waterway"],
  manmade: ["man_made", "landuse", "building"],
} as const
export const layers = ["address", "poi", "railway", "natural", "manmade"] as const
export type Layer = (typeof layers)[number]

const elsewhere = Object.values(categories).flat()

/** Smallest and largest rank of what `featureType` names. */
export const featureRanks = {
  country: [4, 4],
  state: [5, 9],
  city: [10, 17],
  settlement: [5, 20],
} as const
export type FeatureType = keyof typeof featureRanks

export function layerCondition(tx: Tx, wanted: ReadonlySet<Layer> | undefined): Fragment {
  if (!wanted) return tx``
  const named = [...wanted].flatMap((layer) =>
    layer === "address" || layer === "poi" ? [] : [...categories[layer]],
  )
  const parts = [
    ...(wanted.has("address") ? [tx`kind <> 'interest'`] : []),
    ...(wanted.has("poi") ? [tx`(kind = 'interest' and category <> all (${elsewhere}))`] : []),
    ...(named.length > 0 ? [tx`(kind = 'interest' and category = any (${named}))`] : []),
  ]
  const [first, ...others] = parts
  return first ? tx`and (${others.reduce((all, one) => tx`${all} or ${one}`, first)})` : tx``
}

export function rankCondition(tx: Tx, featureType: FeatureType | undefined): Fragment {
  if (!featureType) return tx``
  const [least, most] = featureRanks[featureType]
  return tx`and kind = 'place' and rank between ${least} and ${most}`
}
