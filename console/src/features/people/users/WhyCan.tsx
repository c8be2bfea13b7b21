import { List, Select, Text } from "@mantine/core"
import { IconCheck, IconX } from "@tabler/icons-react"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, server } from "../../../api/server.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { defineMessages } from "../../../i18n/messages.ts"

const messages = defineMessages("people.whyCan", {
  title: "Check a permission of this person",
  allowed: "Allowed",
  refused: "Not allowed",
})

/** Each check that decides about one permission of one person, in the order in which they run. */
export function WhyCan({ userId }: { userId: string }) {
  const t = useMessages(messages)
  const [permission, setPermission] = useState<string | null>(null)
  const { data: catalogue = [] } = useQuery({
    queryKey: ["permissions"],
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/permissions", { signal })),
  })
  const { data } = useQuery({
    queryKey: ["permission-explanation", userId, permission],
    enabled: permission !== null,
    queryFn: ({ signal }) => {
      const query = { userId, permission: permission ?? "" }
      return dataOf(server.get("/api/v3/permission-explanation", { query, signal }))
    },
  })
  return (
    <section aria-label={t("title")}>
      <h3 className="panel-heading">{t("title")}</h3>
      <Select
        aria-label={t("permission")}
        placeholder={t("permission")}
        searchable
        clearable
        data={catalogue.map((entry) => ({ value: entry.name, label: entry.displayName }))}
        value={permission}
        onChange={setPermission}
      />
      {data ? (
        <>
          <Text
            fw={600}
            mt="sm"
            c={data.isAllowed ? "var(--status-done)" : "var(--mantine-color-error)"}
            role="status"
          >
            {data.isAllowed ? t("allowed") : t("refused")}
          </Text>
          <List size="sm" spacing={4} mt={6}>
            {data.reasons.map((reason) => (
              <List.Item
                key={reason.check}
                icon={
                  reason.passed ? (
                    <IconCheck size={15} color="var(--status-done)" />
                  ) : (
                    <IconX size={15} color="var(--mantine-color-error)" />
                  )
                }
              >
                {reason.text}
              </List.Item>
            ))}
          </List>
        </>
      ) : null}
    </section>
  )
}
