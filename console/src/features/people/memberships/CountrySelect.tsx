import { Select } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { dataOf, server } from "../../../api/server.ts"
import { useLanguage, useMessages } from "../../../i18n/language.tsx"
import { membershipMessages } from "./messages.ts"

/** Countries by their ISO 3166-1 alpha-3 codes, as the server's list of currencies has them, in the reader's language. */
export function CountrySelect({
  value,
  onChange,
  isRequired = false,
}: {
  value: string | null
  onChange(code: string | null): void
  isRequired?: boolean
}) {
  const t = useMessages(membershipMessages)
  const { language } = useLanguage()
  const { data: currencies = [] } = useQuery({
    queryKey: ["countries"],
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/currency", { signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const names = new Intl.DisplayNames(language, { type: "region" })
  const countries = currencies
    .map(({ countryCode, locale }) => {
      const region = new Intl.Locale(locale).region
      return { value: countryCode, label: (region && names.of(region)) || countryCode }
    })
    .toSorted((one, other) => one.label.localeCompare(other.label, language))
  return (
    <Select
      label={t("country")}
      searchable
      // A form focuses it where it is missing: its list would cover the buttons.
      openOnFocus={false}
      clearable={!isRequired}
      allowDeselect={!isRequired}
      required={isRequired}
      withAsterisk={false}
      data={countries}
      value={value}
      onChange={onChange}
    />
  )
}
