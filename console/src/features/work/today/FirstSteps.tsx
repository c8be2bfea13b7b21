import "./today.css"
import { Button } from "@mantine/core"
import { IconCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { ownUserQuery, useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { todayMessages } from "./messages.ts"

/** The steps from an empty organization to the first tasks, in order. */
export function FirstSteps({
  hasHub,
  hasPeople,
  hasTasks,
}: {
  hasHub: boolean
  hasPeople: boolean
  hasTasks: boolean
}) {
  const t = useMessages(todayMessages)
  const { may } = useSession()
  const steps = [
    {
      to: paths.hubs,
      title: t("stepHub"),
      text: t("stepHubText"),
      isDone: hasHub,
      isOffered: may("add/hub"),
    },
    {
      to: paths.people,
      title: t("stepPeople"),
      text: t("stepPeopleText"),
      isDone: hasPeople,
      isOffered: may("invite"),
    },
    {
      to: paths.importTasks,
      title: t("stepTasks"),
      text: t("stepTasksText"),
      isDone: hasTasks,
      isOffered: may("import/data"),
    },
  ].filter((step) => step.isOffered)
  if (steps.length === 0) return null
  return (
    <section className="first-steps" aria-label={t("start")}>
      <h2>{t("start")}</h2>
      <ZoneHint />
      <ol>
        {steps.map((step, index) => (
          <li key={step.to} data-done={step.isDone}>
            <Link to={step.to}>
              <span className="step-number" aria-hidden>
                {step.isDone ? <IconCheck size={16} /> : index + 1}
              </span>
              <span>
                <strong>{step.title}</strong>
                <span className="quiet">{step.text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** An organization that was made on the command line has UTC: offers the zone of the device. */
function ZoneHint() {
  const t = useMessages(todayMessages)
  const { organization, may } = useSession()
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"
  const change = useAction(
    () =>
      server.put("/api/v3/organization/{organizationId}", {
        organizationId: organization.id,
        body: { timeZone: zone },
      }),
    { refreshes: [ownUserQuery.queryKey], failed: () => t("zoneFailed") },
  )
  if (organization.timeZone !== "UTC" || zone === "UTC" || !may("edit/organization")) return null
  return (
    <p className="zone-hint">
      {t("zoneHint")}{" "}
      <Button size="compact-sm" variant="light" loading={change.isPending} onClick={() => change.mutate()}>
        {t("zoneUse", { zone: zone.replaceAll("_", " ") })}
      </Button>
    </p>
  )
}
