import { Alert, Button } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { routeMessages } from "./messages.ts"
import { type Result, violationsQuery } from "./routes.queries.ts"
import { useViolationText } from "./violation-text.ts"

const shownAtFirst = 4

/** The rules that the plan breaks, above every view of it. Empty for a plan that breaks none. */
export function PlanViolations({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const text = useViolationText(result)
  const [isWhole, setWhole] = useState(false)
  const { data: violations = [] } = useQuery(violationsQuery(result))
  if (violations.length === 0) return null
  const shown = isWhole ? violations : violations.slice(0, shownAtFirst)
  return (
    <Alert
      color="yellow"
      title={t("breaks", { count: violations.length })}
      mx="md"
      mb="sm"
      role="status"
      styles={{ title: { color: "inherit" } }}
    >
      {shown.map((violation) => (
        <div key={`${violation.kind} ${violation.vehicleId} ${violation.visitId} ${violation.message}`}>
          {text(violation)}
        </div>
      ))}
      {shown.length < violations.length ? (
        <Button size="compact-xs" variant="subtle" mt={4} onClick={() => setWhole(true)}>
          {t("showAll", { count: violations.length })}
        </Button>
      ) : null}
    </Alert>
  )
}
