import "./tracking.css"
import { Button, Code, Group } from "@mantine/core"
import { IconShare } from "@tabler/icons-react"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { dataOf, server } from "../../../api/server.ts"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { ActionButton } from "../../../ui/actions/ActionButton.tsx"
import { useAction } from "../../../ui/actions/use-action.ts"
import { CopyText } from "../../../ui/CopyText.tsx"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { dayMessages } from "./day-messages.ts"
import type { Position } from "./positions.ts"

/** Links to the last position of a day: created, copied once, and revoked. */
export function ShareDay({ person, day }: { person: Position; day: string }) {
  const t = useMessages(dayMessages)
  const formats = useFormats()
  const client = useQueryClient()
  const { data: links = [] } = useQuery({
    queryKey: ["location-links"],
    queryFn: ({ signal }) => dataOf(server.get("/api/v3/location-links", { signal })),
  })
  const refresh = () => client.invalidateQueries({ queryKey: ["location-links"] })
  const share = useAction(async () => {
    const body = { email: person.email, date: day }
    const { url } = await server.post("/api/v3/location-history/generate-token", { body })
    await refresh()
    return url
  })
  const revoke = useAction((linkId: string) => server.delete("/api/v3/location-link/{linkId}", { linkId }), {
    refreshes: [["location-links"]],
    done: () => t("revoked"),
    onDone: () => share.reset(),
  })
  const ofDay = links.filter((link) => link.userId === person.userId && link.date === day)
  return (
    <section aria-label={t("share")}>
      <h3 className="panel-heading">{t("share")}</h3>
      <p className="quiet">{t("shareText", { name: person.name })}</p>
      <FormError error={share.error ?? revoke.error} />
      {share.data ? (
        <div className="share-link">
          <Code block>{share.data}</Code>
          <CopyText text={share.data} size="xs" />
        </div>
      ) : (
        <ActionButton
          icon={IconShare}
          label={t("makeLink")}
          size="xs"
          variant="default"
          mt="xs"
          loading={share.isPending}
          onClick={() => share.mutate()}
        />
      )}
      {ofDay.length > 0 ? (
        <>
          <p className="quiet" style={{ marginTop: 10 }}>
            {t("links")}
          </p>
          {ofDay.map((link) => (
            <Group key={link._id} justify="space-between" gap="xs" mt={4}>
              <span>{t("until", { time: formats.dateTime(link.expiresTime) })}</span>
              <Button
                size="compact-xs"
                variant="default"
                loading={revoke.isPending}
                onClick={() => revoke.mutate(link._id)}
              >
                {t("revoke")}
              </Button>
            </Group>
          ))}
        </>
      ) : null}
    </section>
  )
}
