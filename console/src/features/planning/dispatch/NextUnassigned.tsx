import { useQuery } from "@tanstack/react-query"
import { localOf } from "../../../i18n/day-bounds.ts"
import { parseTime, useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { useChosenHub } from "../../../shell/chosen-hub.ts"
import { ButtonLink } from "../../../ui/links.tsx"
import { nextUnassignedQuery } from "./dispatch.queries.ts"
import { dispatchMessages } from "./messages.ts"

/** From a day without unassigned tasks to the next that has some. */
export function NextUnassigned({ after }: { after: number }) {
  const t = useMessages(dispatchMessages)
  const formats = useFormats()
  const { organization } = useSession()
  const { data } = useQuery(nextUnassignedQuery(useChosenHub(), after))
  const start = parseTime(data)
  if (!start) return null
  const date = localOf(start, organization.timeZone).slice(0, 10)
  return (
    <p className="desk-nothing">
      <ButtonLink size="xs" variant="light" to={paths.dispatch} search={{ date }}>
        {t("nextUnassigned", { day: formats.day(date) })}
      </ButtonLink>
    </p>
  )
}
