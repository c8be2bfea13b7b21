/** A service report as the thread draws it: every text is written already. */
export interface ReportContent {
  isRtl: boolean
  language: string
  organization: string
  color: string
  logo: Uint8Array | null
  title: string
  subtitle: string
  facts: readonly (readonly [string, string])[]
  sections: readonly ReportSection[]
  itemTitle: string
  items: readonly { title: string; quantity: string; amount: string }[]
  total: readonly [string, string] | null
  photoTitle: string
  photos: readonly Uint8Array[]
  signature: readonly [string, Uint8Array] | null
  foot: string
}

export interface ReportSection {
  title: string
  values: readonly (readonly [string, string])[]
}
