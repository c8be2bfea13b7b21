import { IconArrowLeft, IconChevronLeft, IconChevronRight } from "@tabler/icons-react"
import { Link, useNavigate, useSearch } from "@tanstack/react-router"
import { useState } from "react"
import { dayBound, localOf } from "../../../i18n/day-bounds.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
import { ActionButton, IconButton } from "../../../ui/actions/ActionButton.tsx"
import { DateTimeInput } from "../../../ui/forms/DateTimeInput.tsx"
import { PageHeader } from "../../../ui/layout/PageHeader.tsx"
import { dayMessages } from "../../location/tracking/day-messages.ts"
import { trackingMessages } from "../../location/tracking/messages.ts"
import MomentView from "./MomentView.tsx"
import { momentMessages } from "./moment-messages.ts"

const dayMilliseconds = 86_400_000

/** Positions, tasks and routes as they were at any minute of a day, with playback. The address is the moment. */
export function MomentPage() {
  const t = useMessages(momentMessages)
  const tDay = useMessages(dayMessages)
  const tTracking = useMessages(trackingMessages)
  const formats = useFormats()
  const { organization } = useSession()
  const { at } = useSearch({ from: "/signed-in/moment" })
  const navigate = useNavigate({ from: paths.moment })
  const [now] = useState(() => Date.now())
  const shown = Math.min(now, at ? Date.parse(at) : now)
  const day = localOf(new Date(shown), organization.timeZone).slice(0, 10)
  const startOf = (date: string) => Date.parse(dayBound(date, "from", organization.timeZone))
  const goTo = (next: number) =>
    void navigate({ search: { at: new Date(Math.min(next, now)).toISOString() }, replace: true })
  return (
    <div className="page">
      <PageHeader title={t("title")} detail={formats.dateTime(new Date(shown).toISOString())}>
        <ActionButton
          icon={IconArrowLeft}
          label={tTracking("title")}
          component={Link}
          to={paths.tracking}
          variant="subtle"
          className="from-sm-inline"
        />
        <IconButton
          icon={IconChevronLeft}
          label={tDay("before")}
          variant="default"
          size="lg"
          onClick={() => goTo(shown - dayMilliseconds)}
        />
        <DateTimeInput
          type="date"
          aria-label={tDay("date")}
          value={day}
          onChange={({ currentTarget: { value } }) => {
            if (value) goTo(startOf(value) + shown - startOf(day))
          }}
          w={140}
        />
        <IconButton
          icon={IconChevronRight}
          label={tDay("after")}
          variant="default"
          size="lg"
          onClick={() => goTo(shown + dayMilliseconds)}
        />
      </PageHeader>
      <MomentView at={shown} now={now} onAt={goTo} />
    </div>
  )
}
