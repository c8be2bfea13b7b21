import "./customers.css"
import { Button, Code, Group } from "@mantine/core"
import { IconFileTypePdf, IconFileZip, IconShare } from "@tabler/icons-react"
import { dataOf, server } from "../../api/server.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useSession } from "../../session/session.ts"
import { ActionButton } from "../../ui/actions/ActionButton.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { CopyText } from "../../ui/CopyText.tsx"
import { FormError } from "../../ui/forms/FormError.tsx"
import { customerMessages } from "./messages.ts"

const requests = [
  "customerInstructions",
  "customerSafePlace",
  "customerContact",
  "customerCancellation",
] as const

/** What the customer of a task asked for on the tracking page, and the link to it. */
export function TaskCustomer({ task }: { task: { _id: string } }) {
  const t = useMessages(customerMessages)
  const asked = requests.flatMap((key) => {
    const value = (task as Record<string, unknown>)[key]
    return typeof value === "string" && value !== "" ? [[key, value] as const] : []
  })
  return (
    <>
      {asked.length > 0 ? (
        <dl className="facts">
          {asked.map(([key, value]) => (
            <div key={key}>
              <dt>{t(key)}</dt>
              <dd className="customer-comment">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      <Group gap="sm">
        <TrackingLink key={task._id} taskId={task._id} />
        <Button
          component="a"
          href={`/api/v3/task/${task._id}/report`}
          download
          size="xs"
          variant="default"
          leftSection={<IconFileTypePdf size={16} />}
        >
          {t("report")}
        </Button>
        <Button
          component="a"
          href={`/api/v3/task/${task._id}/evidence`}
          download
          size="xs"
          variant="default"
          leftSection={<IconFileZip size={16} />}
        >
          {t("evidence")}
        </Button>
      </Group>
    </>
  )
}

/** Created or shown, copied, revoked. */
function TrackingLink({ taskId }: { taskId: string }) {
  const t = useMessages(customerMessages)
  const formats = useFormats()
  const { may } = useSession()
  const create = useAction(() => dataOf(server.post("/api/v3/task/{taskId}/tracking-link", { taskId })))
  const revoke = useAction(() => server.delete("/api/v3/task/{taskId}/tracking-link", { taskId }), {
    done: () => t("linkRevoked"),
    onDone: () => create.reset(),
  })
  if (!may("edit/task")) return null
  return (
    <section aria-label={t("link")}>
      <FormError error={create.error ?? revoke.error} />
      {create.data ? (
        <>
          <div className="share-link">
            <Code block>{create.data.url}</Code>
            <CopyText text={create.data.url} size="xs" />
          </div>
          <Group justify="space-between" gap="xs" mt={4}>
            <span className="quiet">
              {t("linkUntil", { time: formats.dateTime(create.data.expiresTime) })}
            </span>
            <Button
              size="compact-xs"
              variant="default"
              loading={revoke.isPending}
              onClick={() => revoke.mutate()}
            >
              {t("revokeLink")}
            </Button>
          </Group>
        </>
      ) : (
        <ActionButton
          icon={IconShare}
          label={t("makeLink")}
          size="xs"
          variant="default"
          loading={create.isPending}
          onClick={() => create.mutate()}
        />
      )}
    </section>
  )
}
