import "./today.css"
import { IconCheck } from "@tabler/icons-react"
import { Link } from "@tanstack/react-router"
import { useMessages } from "../../../i18n/language.tsx"
import { paths } from "../../../paths.ts"
import { useSession } from "../../../session/session.ts"
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
