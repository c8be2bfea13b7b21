import { Alert, NumberInput } from "@mantine/core"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { dataOf, type ResponseBody, server } from "../../../../api/server.ts"
import { useFormats } from "../../../../i18n/formats.ts"
import { useMessages } from "../../../../i18n/language.tsx"
import { useAction } from "../../../../ui/actions/use-action.ts"
import { bindText } from "../../../../ui/forms/bind.ts"
import { DateTimeInput } from "../../../../ui/forms/DateTimeInput.tsx"
import { FormDialog } from "../../../../ui/forms/FormDialog.tsx"
import { ManySelect } from "../../../../ui/forms/ManySelect.tsx"
import { DataTable } from "../../../../ui/tables/DataTable.tsx"
import { clockText } from "../clock.ts"
import { type Result, visitsOfTasks } from "../routes.queries.ts"
import { replanMessages } from "./messages.ts"

type Proposal = ResponseBody<"getProposal">["data"]

const noEvents = {
  tasks: [] as string[],
  cancelled: [] as string[],
  pinned: [] as string[],
  broken: [] as string[],
  goingHome: [] as string[],
  homeBy: "",
  delayed: [] as string[],
  minutes: 30,
}
type Events = typeof noEvents

async function propose(resultId: string, events: Events): Promise<Proposal> {
  const visits = events.tasks.length > 0 ? await visitsOfTasks(events.tasks) : []
  return dataOf(
    server.post("/api/v3/result/{resultId}/replan", {
      resultId,
      body: {
        visits,
        cancelledVisitIds: events.cancelled,
        pinnedVisitIds: events.pinned,
        brokenVehicleIds: events.broken,
        goingHome: events.goingHome.map((vehicleId) => ({
          vehicleId,
          ...(events.homeBy === "" ? {} : { by: events.homeBy }),
        })),
        delays: events.delayed.map((vehicleId) => ({ vehicleId, minutes: events.minutes })),
      },
    }),
  )
}

/** What happened since the plan was made; what it becomes from now on; and the decision. */
export function ReplanDialog({ result, onClose }: { result: Result; onClose(): void }) {
  const t = useMessages(replanMessages)
  const resultId = result._id
  const [events, setEvents] = useState(noEvents)
  const ask = useAction(() => propose(resultId, events), { refreshes: [["routing-result", resultId]] })
  const proposal = ask.data
  const isDone = proposal?.status === "accepted"
  const accept = useAction(
    () =>
      server.post("/api/v3/result/{resultId}/replan/{proposalId}/accept", {
        resultId,
        proposalId: proposal?._id ?? "",
      }),
    { refreshes: [["routing-result", resultId]], done: () => t("accepted"), onDone: onClose },
  )
  const change = (next: Partial<Events>) => {
    setEvents({ ...events, ...next })
    ask.reset()
  }
  return (
    <FormDialog
      title={t("title")}
      size="lg"
      request={{ error: ask.error ?? accept.error, isPending: ask.isPending || accept.isPending }}
      submit={t(isDone ? "close" : proposal ? "accept" : "propose")}
      onSubmit={() => (isDone ? onClose() : proposal ? accept.mutate() : ask.mutate())}
      onClose={onClose}
    >
      <EventFields result={result} events={events} onChange={change} />
      {isDone ? <Alert color="green">{t("byRule")}</Alert> : null}
      {proposal ? <ProposalView proposal={proposal} result={result} /> : null}
    </FormDialog>
  )
}

interface EventFieldsProps {
  result: Result
  events: Events
  onChange(next: Partial<Events>): void
}

function EventFields({ result, events, onChange }: EventFieldsProps) {
  const t = useMessages(replanMessages)
  const routes = result.result?.routing ?? []
  const vehicles = routes.map(({ vehicleId, vehicleName }) => ({
    value: vehicleId,
    label: vehicleName ?? vehicleId,
  }))
  const visits = routes.flatMap(({ trips }) =>
    trips.flatMap(({ visitId, visitName, isHub }) =>
      isHub ? [] : [{ value: visitId, label: visitName ?? visitId }],
    ),
  )
  const { data: tasks = [] } = useQuery({
    queryKey: ["tasks", "unassigned", result.hubId],
    queryFn: async ({ signal }) => {
      const query = { hubId: result.hubId ?? "", status: "UNASSIGNED", limit: 200, fields: "title" }
      const { tasks } = await server.get("/api/v3/tasks", { query, signal })
      return tasks.data as { _id: string; title: unknown }[]
    },
  })
  const known = new Set(visits.map(({ value }) => value))
  const orders = tasks.flatMap(({ _id, title }) =>
    known.has(`taskId-${_id}`) ? [] : [{ value: _id, label: typeof title === "string" ? title : _id }],
  )
  const field = (name: "tasks" | "cancelled" | "pinned" | "broken" | "goingHome" | "delayed") => ({
    value: events[name],
    onChange: (value: string[]) => onChange({ [name]: value }),
    searchable: true,
    clearable: true,
  })
  return (
    <>
      <ManySelect label={t("newOrders")} description={t("newOrdersText")} data={orders} {...field("tasks")} />
      <ManySelect label={t("cancelled")} data={visits} {...field("cancelled")} />
      <ManySelect label={t("broken")} data={vehicles} {...field("broken")} />
      <ManySelect label={t("goingHome")} data={vehicles} {...field("goingHome")} />
      {events.goingHome.length > 0 ? (
        <DateTimeInput
          type="time"
          label={t("homeBy")}
          description={t("homeByHint")}
          {...bindText(events.homeBy, (homeBy) => onChange({ homeBy }))}
        />
      ) : null}
      <ManySelect label={t("delayed")} data={vehicles} {...field("delayed")} />
      {events.delayed.length > 0 ? (
        <NumberInput
          label={t("minutes")}
          value={events.minutes}
          min={1}
          max={1440}
          onChange={(minutes) => onChange({ minutes: Number(minutes) || 0 })}
        />
      ) : null}
      <ManySelect label={t("pinned")} description={t("pinnedText")} data={visits} {...field("pinned")} />
    </>
  )
}

function ProposalView({ proposal, result }: { proposal: Proposal; result: Result }) {
  const t = useMessages(replanMessages)
  const formats = useFormats()
  const { summary, vehicles, visits } = proposal.changes
  const names = new Map((result.result?.routing ?? []).map((route) => [route.vehicleId, route.vehicleName]))
  const signed = (value: number, text: string) => `${value < 0 ? "−" : "+"}${text}`
  const driving = ({ minutes, meters }: { minutes: number; meters: number }) =>
    t("driving", {
      minutes: signed(minutes, String(Math.abs(minutes))),
      distance: signed(meters, formats.distance(Math.abs(meters))),
    })
  const place = (vehicleId: string | null, eta: string | null) =>
    vehicleId === null ? "–" : `${names.get(vehicleId) ?? vehicleId} ${clockText(eta ?? undefined)}`
  if (vehicles.length + visits.length === 0) return <p>{t("nothing")}</p>
  return (
    <section aria-live="polite">
      <p>
        <strong>
          {t("summary", {
            moved: summary.movedVisits,
            added: summary.addedVisits,
            dropped: summary.droppedVisits,
            late: summary.lateVisits,
          })}
        </strong>{" "}
        <span className="quiet">
          {driving(summary)}
          {summary.brokenPromises > 0 ? ` · ${t("brokenPromises", { count: summary.brokenPromises })}` : ""}
        </span>
      </p>
      <div style={{ maxHeight: 260, overflowY: "auto" }}>
        <DataTable
          rows={vehicles}
          keyOf={({ vehicleId }) => vehicleId}
          columns={[
            { title: t("vehicle"), cell: ({ vehicleName, vehicleId }) => vehicleName ?? vehicleId },
            {
              title: t("stops"),
              cell: ({ added, removed }) => `+${added.length} −${removed.length}`,
            },
            { title: t("difference"), from: "sm", cell: (vehicle) => driving(vehicle) },
          ]}
        />
        <DataTable
          rows={visits}
          keyOf={({ visitId }) => visitId}
          columns={[
            { title: t("visit"), cell: ({ visitName, visitId }) => visitName ?? visitId },
            { title: t("before"), cell: ({ from, etaBefore }) => place(from, etaBefore) },
            {
              title: t("after"),
              cell: ({ to, etaAfter, isPromiseKept, promisedTime }) => (
                <span className={isPromiseKept ? undefined : "overdue"}>
                  {to === null ? t("leftOut") : place(to, etaAfter)}
                  {to === null || isPromiseKept
                    ? ""
                    : ` · ${promisedTime === null ? t("late") : t("promised", { time: clockText(promisedTime) })}`}
                </span>
              ),
            },
          ]}
        />
      </div>
      {result.dispatchStatus ? <p className="quiet">{t("dispatches")}</p> : null}
    </section>
  )
}
