import { Button, Group } from "@mantine/core"
import { IconCircleCheck } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { routeMessages } from "./messages.ts"
import { applyHelp, type Dropped, type Help, helpOf, type Result } from "./routes.queries.ts"

const reasons = [
  "coordinate",
  "capacity",
  "timeWindow",
  "tags",
  "group",
  "pair",
  "link",
  "skill",
  "invalid",
  "dayOff",
  "duration",
  "distance",
  "noRoad",
] as const

/** What is on no vehicle, why, and which single change would take it up. */
export function DroppedVisits({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const dropped = result.result?.dropped ?? []
  if (dropped.length === 0)
    return (
      <EmptyState icon={IconCircleCheck} title={t("droppedTab", { count: 0 })} text={t("nothingDropped")} />
    )
  return (
    <ul className="dropped-list">
      {dropped.map((visit) => (
        <DroppedVisit key={`${visit.id} ${String(visit.splitNumber ?? "")}`} result={result} visit={visit} />
      ))}
    </ul>
  )
}

function DroppedVisit({ result, visit }: { result: Result; visit: Dropped }) {
  const t = useMessages(routeMessages)
  const { may } = useSession()
  const client = useQueryClient()
  const helpText = useHelpText(result)
  const name = visit.name ?? visit.id
  const reason = reasons.find((known) => known === visit.reasonCode) ?? "other"
  const help = useQuery({
    queryKey: ["routing-result", result._id, "help", visit.id, result.updatedTime],
    queryFn: () => helpOf(result._id, visit.id),
    enabled: reason !== "coordinate" && reason !== "invalid" && reason !== "noRoad",
    retry: false,
  })
  const apply = useAction((kind: string) => applyHelp(result._id, visit.id, kind), {
    done: () => t("applied", { name }),
    onDone: (answer) => client.setQueryData(["routing-result", result._id], answer.data),
  })
  return (
    <li>
      <strong>{name}</strong>
      <span className="quiet">{visit.address}</span>
      <div>{t(`reason_${reason}`, { reason: visit.reason ?? "" })}</div>
      {help.data && help.data.length > 0 ? (
        <div>
          <div className="panel-heading">{t("wouldHelp")}</div>
          {help.data.map((one) => (
            <Group key={one.kind} gap="sm" justify="space-between" maw={520}>
              <span>{helpText(one)}</span>
              {may("edit/result") ? (
                <Button
                  size="compact-sm"
                  variant="light"
                  loading={apply.isPending && apply.variables === one.kind}
                  onClick={() => apply.mutate(one.kind)}
                >
                  {t("apply")}
                </Button>
              ) : null}
            </Group>
          ))}
        </div>
      ) : help.data ? (
        <div className="quiet">{t("noHelp")}</div>
      ) : null}
      <FormError error={apply.error} />
    </li>
  )
}

function useHelpText(result: Result): (help: Help) => string {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  return (help) => {
    const route = result.result?.routing.find(({ vehicleId }) => vehicleId === help.vehicleId)
    const words = {
      vehicle: route?.vehicleName ?? help.vehicleId ?? "",
      minutes: help.minutes ?? 0,
      amount: help.amount ?? 0,
      constraint: help.constraint ?? "",
      tag: help.tag ?? "",
      distance: formats.distance(help.meters ?? 0),
      visit: help.visitName ?? "",
    }
    switch (help.kind) {
      case "tag":
        return t(help.isCertificate === true ? "help_skill" : "help_tag", words)
      case "window":
        return t(help.visitName === undefined ? "help_window" : "help_windowOf", words)
      case "shift":
      case "capacity":
      case "distance":
      case "duration":
      case "vehicle":
      case "dayOff":
      case "gap":
        return t(`help_${help.kind}`, words)
      default:
        return help.text
    }
  }
}
