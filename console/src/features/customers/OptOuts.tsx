import { Button, TextInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../api/server.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { Form } from "../../ui/forms/Form.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { RowButton } from "../../ui/tables/RowButton.tsx"
import { optOutsQuery } from "./messaging.queries.ts"
import { messagingMessages } from "./messaging-messages.ts"

const sources = ["link", "reply", "console"] as const

/** Addresses that receive no messages; a customer who calls is added by hand. */
export function OptOuts() {
  const t = useMessages(messagingMessages)
  const formats = useFormats()
  const { data: optOuts = [] } = useQuery(optOutsQuery)
  const [address, setAddress] = useState("")
  const set = useAction(
    (body: { address: string; hasOptedOut: boolean }) => server.put("/api/v3/customer-opt-out", { body }),
    {
      refreshes: [optOutsQuery.queryKey],
      done: () => t("saved"),
      failed: ({ address }) => address,
      onDone: () => setAddress(""),
    },
  )
  const sourceName = (source: string) => {
    const known = sources.find((candidate) => candidate === source)
    return known ? t(`source_${known}`) : source
  }
  return (
    <section aria-label={t("optOuts")}>
      <h2 className="panel-heading">{t("optOuts")}</h2>
      {optOuts.length === 0 ? <p className="quiet">{t("noOptOuts")}</p> : null}
      <DataTable
        rows={optOuts}
        keyOf={(entry) => entry.address}
        columns={[
          { title: t("recipient"), kind: "name", className: "breakable", cell: (entry) => entry.address },
          { title: t("source"), from: "sm", kind: "quiet", cell: ({ source }) => sourceName(source) },
          {
            title: t("time"),
            from: "sm",
            kind: "quiet",
            cell: ({ createdTime }) => formats.dateTime(createdTime),
          },
          {
            title: t("allowAgain"),
            kind: "actions",
            cell: (entry) => (
              <RowButton
                label={t("allowAgain")}
                of={entry.address}
                onClick={() => set.mutate({ address: entry.address, hasOptedOut: false })}
              />
            ),
          },
        ]}
      />
      <Form onSubmit={() => set.mutate({ address, hasOptedOut: true })} className="toolbar">
        <TextInput
          aria-label={t("optOutAddress")}
          placeholder={t("optOutAddress")}
          maxLength={255}
          style={{ flex: 1 }}
          {...bindText(address, setAddress)}
        />
        <Button type="submit" variant="default" disabled={address.trim().length < 3} loading={set.isPending}>
          {t("addOptOut")}
        </Button>
      </Form>
    </section>
  )
}
