import { Checkbox, Stack } from "@mantine/core"
import { useNavigate } from "@tanstack/react-router"
import { useState } from "react"
import { useMessages } from "../../../../i18n/language.tsx"
import { paths } from "../../../../paths.ts"
import { useAction } from "../../../../ui/actions/use-action.ts"
import { FormDialog } from "../../../../ui/forms/FormDialog.tsx"
import { planWhatIf, type Result } from "../routes.queries.ts"
import { replanMessages } from "./messages.ts"

/** Which vehicles to do without; the comparison then opens as a plan of its own. */
export function WhatIfDialog({ result, onClose }: { result: Result; onClose(): void }) {
  const t = useMessages(replanMessages)
  const navigate = useNavigate()
  const [without, setWithout] = useState<string[]>([])
  const vehicles = result.result?.routing ?? []
  const plan = useAction(() => planWhatIf(result._id, without), {
    refreshes: [["routing-results"]],
    onDone: ({ data }) => {
      onClose()
      void navigate({ to: paths.route, params: { resultId: data._id }, search: { view: "versions" } })
    },
  })
  return (
    <FormDialog
      title={t("whatIfTitle")}
      request={plan}
      submit={t("whatIfPlan")}
      isDisabled={without.length === vehicles.length}
      onSubmit={() => plan.mutate()}
      onClose={onClose}
    >
      <p className="quiet">{t("whatIfText")}</p>
      <Checkbox.Group value={without} onChange={setWithout} aria-label={t("vehicle")}>
        <Stack gap="xs" mah="50vh" style={{ overflowY: "auto" }}>
          {vehicles.map(({ vehicleId, vehicleName, trips }) => (
            <Checkbox
              key={vehicleId}
              value={vehicleId}
              label={`${vehicleName ?? vehicleId} · ${t("whatIfVisits", { count: trips.filter(({ isHub }) => !isHub).length })}`}
            />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormDialog>
  )
}
