import { Badge, Group, Select, Textarea } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { server } from "../../api/server.ts"
import { useFormats } from "../../i18n/formats.ts"
import { useMessages } from "../../i18n/language.tsx"
import { useAction } from "../../ui/actions/use-action.ts"
import { bindText } from "../../ui/forms/bind.ts"
import { FormDialog } from "../../ui/forms/FormDialog.tsx"
import { DataTable } from "../../ui/tables/DataTable.tsx"
import { RowButton } from "../../ui/tables/RowButton.tsx"
import { componentsOf, flowsQuery } from "../work/flows/flows.queries.ts"
import { requestFormMessages } from "./request-form-messages.ts"
import { requestFormsQuery, type TaskRequest, taskRequestsQuery } from "./request-forms.queries.ts"

const states = ["pending", "approved", "rejected"] as const
const refreshes = [requestFormsQuery.queryKey, ["task-requests"]]

/** What customers asked for on forms: approved ones become tasks. */
export function TaskRequests() {
  const t = useMessages(requestFormMessages)
  const formats = useFormats()
  const [status, setStatus] = useState<TaskRequest["status"]>("pending")
  const [rejected, setRejected] = useState<TaskRequest>()
  const { data } = useQuery(taskRequestsQuery(status))
  const approve = useAction(
    (requestId: string) => server.post("/api/v3/task-request/{requestId}/approve", { requestId }),
    { refreshes, done: () => t("approved"), failed: () => t("approve") },
  )
  const requests = data?.data ?? []
  const windowOf = ({ startTime, endTime }: TaskRequest) =>
    startTime && endTime ? `${formats.dateTime(startTime)} – ${formats.time(endTime)}` : ""
  return (
    <section aria-label={t("requests")}>
      <div className="toolbar">
        <h2 className="panel-heading" style={{ flex: 1 }}>
          {t("requests")}
        </h2>
        <Select
          aria-label={t("decisions")}
          size="xs"
          allowDeselect={false}
          data={states.map((value) => ({ value, label: t(`status_${value}`) }))}
          value={status}
          onChange={(value) => setStatus((value as TaskRequest["status"] | null) ?? "pending")}
        />
      </div>
      {data && requests.length === 0 ? <p className="quiet">{t("noRequests")}</p> : null}
      <DataTable
        rows={requests}
        keyOf={({ _id }) => _id}
        columns={[
          {
            title: t("customer"),
            kind: "name",
            cell: (request) => (
              <>
                {request.name ?? "–"} <Badge variant="light">{request.reference}</Badge>
                <div className="quiet">{windowOf(request)}</div>
              </>
            ),
          },
          { title: t("what"), cell: (request) => <Content request={request} /> },
          {
            title: t("time"),
            from: "sm",
            kind: "quiet",
            cell: ({ createdTime }) => formats.dateTime(createdTime),
          },
          {
            title: t("approve"),
            kind: "actions",
            cell: (request) =>
              request.status === "pending" ? (
                <Group gap={6} justify="flex-end">
                  <RowButton
                    label={t("approve")}
                    of={request.name ?? request.reference}
                    variant="filled"
                    loading={approve.isPending && approve.variables === request._id}
                    onClick={() => approve.mutate(request._id)}
                  />
                  <RowButton
                    label={t("reject")}
                    of={request.name ?? request.reference}
                    onClick={() => setRejected(request)}
                  />
                </Group>
              ) : (
                <span className="quiet">
                  {request.decidedBy && request.decidedTime
                    ? t("decidedBy", { name: request.decidedBy, time: formats.dateTime(request.decidedTime) })
                    : null}
                </span>
              ),
          },
        ]}
      />
      {rejected ? <RejectDialog request={rejected} onClose={() => setRejected(undefined)} /> : null}
    </section>
  )
}

/** What was filled in, by the titles of the flow, with links to photos. */
function Content({ request }: { request: TaskRequest }) {
  const t = useMessages(requestFormMessages)
  const { data: flows = [] } = useQuery(flowsQuery)
  const flow = flows.find(({ _id }) => _id === request.flowId)
  const titles = new Map((flow ? componentsOf(flow) : []).map(({ id, title }) => [id, title || id]))
  const entries = Object.entries(request.values)
  const photos = entries.filter(([name, value]) => /_\d+_url$/.test(name) && typeof value === "string")
  const shown = entries.filter(
    ([, value]) => value !== null && value !== "" && !photos.some(([, url]) => url === value),
  )
  return (
    <dl className="request-content">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt className="quiet">{titles.get(name) ?? name}</dt>
          <dd className="customer-comment">{Array.isArray(value) ? value.join(", ") : String(value)}</dd>
        </div>
      ))}
      {photos.map(([name, url], index) => (
        <a key={name} href={String(url)} target="_blank" rel="noreferrer">
          {t("photo", { number: index + 1 })}
        </a>
      ))}
      {request.reason ? <dd className="customer-comment quiet">{request.reason}</dd> : null}
    </dl>
  )
}

function RejectDialog({ request, onClose }: { request: TaskRequest; onClose(): void }) {
  const t = useMessages(requestFormMessages)
  const [reason, setReason] = useState("")
  const reject = useAction(
    () =>
      server.post("/api/v3/task-request/{requestId}/reject", { requestId: request._id, body: { reason } }),
    { refreshes, done: () => t("rejected"), onDone: onClose },
  )
  return (
    <FormDialog
      title={`${t("reject")}: ${request.name ?? request.reference}`}
      request={reject}
      submit={t("reject")}
      onSubmit={() => reject.mutate()}
      onClose={onClose}
    >
      <Textarea label={t("reason")} autosize minRows={3} maxLength={500} {...bindText(reason, setReason)} />
    </FormDialog>
  )
}
