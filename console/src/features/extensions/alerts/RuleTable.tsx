import { Group, Switch } from "@mantine/core"
import { IconBell } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { EmptyState } from "../../../ui/layout/EmptyState.tsx"
import { DataTable } from "../../../ui/tables/DataTable.tsx"
import { RowButton } from "../../../ui/tables/RowButton.tsx"
import { useHubNames } from "../../work/tasks/people.ts"
import { alertMessages } from "./alert-messages.ts"
import {
  type AlertKind,
  type AlertRule,
  deleteRule,
  type RuleInput,
  rulesQuery,
  saveRule,
} from "./alerts.queries.ts"

const refreshes = [["alert-rules"], ["alerts"]]

/** The rules, which can be switched off, changed and deleted. */
export function RuleTable({ onEdit }: { onEdit(rule: AlertRule): void }) {
  const t = useMessages(alertMessages)
  const { may } = useSession()
  const hubs = useHubNames()
  const { data: rules = [], error } = useQuery(rulesQuery)
  const change = useAction((rule: AlertRule) => saveRule(rule._id, rule as RuleInput), { refreshes })
  const remove = useAction((rule: AlertRule) => deleteRule(rule._id), {
    refreshes,
    done: (_result, { name }) => t("removed", { name }),
  })
  if (rules.length === 0)
    return (
      <>
        <FormError error={error} />
        <EmptyState icon={IconBell} title={t("noRules")} text={t("noRulesText")} />
      </>
    )
  return (
    <>
      <FormError error={error ?? change.error ?? remove.error} />
      <DataTable
        rows={rules}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("name"),
            kind: "name",
            cell: ({ name, kind }) => (
              <>
                {name}
                <div className="quiet">{t(kind as AlertKind)}</div>
              </>
            ),
          },
          {
            title: t("hub"),
            from: "sm",
            kind: "quiet",
            cell: ({ hubId }) => (hubId === null ? t("everywhere") : (hubs.get(hubId) ?? "")),
          },
          {
            title: t("edit"),
            kind: "actions",
            cell: (rule) => (
              <Group gap={8} justify="flex-end">
                {may("edit/automation") ? (
                  <>
                    <Switch
                      aria-label={t("isOn", { name: rule.name })}
                      checked={rule.isActive}
                      onChange={({ currentTarget: { checked } }) =>
                        change.mutate({ ...rule, isActive: checked })
                      }
                    />
                    <RowButton label={t("edit")} of={rule.name} onClick={() => onEdit(rule)} />
                  </>
                ) : null}
                {may("delete/automation") ? (
                  <RowButton label={t("delete")} of={rule.name} onClick={() => remove.mutate(rule)} />
                ) : null}
              </Group>
            ),
          },
        ]}
      />
    </>
  )
}
