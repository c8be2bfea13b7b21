import { useQuery, useQueryClient } from "@tanstack/react-query"
import { type DragEvent, useMemo, useState } from "react"
import { useFormats } from "../../../i18n/formats.ts"
import { useMessages } from "../../../i18n/language.tsx"
import { useSession } from "../../../session/session.ts"
import { useAction } from "../../../ui/actions/use-action.ts"
import { FormError } from "../../../ui/forms/FormError.tsx"
import { notifyDone } from "../../../ui/notify.ts"
import { shareFromStart } from "../../../ui/reading-direction.ts"
import { clockSeconds, clockText, dayAfter } from "./clock.ts"
import { MoveDialog } from "./MoveDialog.tsx"
import { routeMessages } from "./messages.ts"
import { routeColor } from "./route-colors.ts"
import {
  type Move,
  moveVisit,
  type Result,
  type RouteNode,
  type VehicleRoute,
  violationsQuery,
} from "./routes.queries.ts"
import { breaksOf, handedOver, isStop } from "./stops.ts"

/** Every vehicle's day. A stop is dragged to another place or vehicle, or moved by its dialog; times are updated immediately. */
export function RouteTimeline({ result }: { result: Result }) {
  const t = useMessages(routeMessages)
  const formats = useFormats()
  const { may } = useSession()
  const client = useQueryClient()
  const [opened, setOpened] = useState<RouteNode>()
  const { data: violations } = useQuery(violationsQuery(result))
  const broken = useMemo(
    () => new Set((violations ?? []).flatMap(({ visitId, vehicleId }) => visitId ?? vehicleId ?? [])),
    [violations],
  )
  const move = useAction(
    (options: Move & { name: string }) => {
      const { name: _name, ...sent } = options
      return moveVisit(result._id, sent)
    },
    {
      refreshes: [["routing-result", result._id, "history"]],
      onDone: async (answer, { name }) => {
        setOpened(undefined)
        notifyDone(t("moved", { name }))
        if (answer.data) {
          client.setQueryData(violationsQuery(answer.data).queryKey, answer.violations)
          client.setQueryData(["routing-result", result._id], answer.data)
          await client.invalidateQueries({ queryKey: violationsQuery(answer.data).queryKey })
        }
      },
    },
  )
  const routes = result.result?.routing ?? []
  const [from, to] = spanOf(routes)
  const isMovable = may("edit/result")
  return (
    <div style={{ padding: "12px 16px", minWidth: 720 }}>
      <FormError error={move.error} />
      <div className="timeline-row">
        <span />
        <div className="timeline-hours" aria-hidden>
          {hoursOf(from, to).map((seconds) => (
            <span key={seconds} style={{ insetInlineStart: `${(100 * (seconds - from)) / (to - from)}%` }}>
              {result.routingDate && seconds > 0 && seconds % daySeconds === 0 ? (
                <strong>{formats.day(dayAfter(result.routingDate, seconds / daySeconds))}</strong>
              ) : (
                String(Math.floor(seconds / 3600) % 24).padStart(2, "0")
              )}
            </span>
          ))}
        </div>
      </div>
      {routes.map((route, index) => (
        <Lane
          key={route.vehicleId}
          route={route}
          color={routeColor(index)}
          span={[from, to]}
          isMovable={isMovable && !move.isPending}
          broken={broken}
          onOpen={setOpened}
          onMove={(options) => move.mutate(options)}
        />
      ))}
      {opened ? (
        <MoveDialog
          key={opened.visitId}
          result={result}
          node={opened}
          isMoving={move.isPending}
          onMove={(options) => move.mutate({ ...options, name: opened.visitName ?? t("handedOver") })}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
    </div>
  )
}

interface LaneProps {
  route: VehicleRoute
  color: string
  span: readonly [number, number]
  isMovable: boolean
  /** Visits and vehicles that break a rule. */
  broken: ReadonlySet<string>
  onOpen(node: RouteNode): void
  onMove(options: Move & { name: string }): void
}

const dragged = "application/x-fieldway-visit"

function Lane({ route, color, span: [from, to], isMovable, broken, onOpen, onMove }: LaneProps) {
  const t = useMessages(routeMessages)
  const stops = route.trips.filter(isStop)
  const breakText = t("breakSpan", {
    from: clockText(route.breakTime?.startTime),
    to: clockText(route.breakTime?.endTime),
  })
  const position = (seconds: number) => (100 * (seconds - from)) / (to - from)
  const drop = (event: DragEvent<HTMLDivElement>) => {
    const text = event.dataTransfer.getData(dragged)
    if (!text) return
    event.preventDefault()
    const { visitId, name } = JSON.parse(text) as { visitId: string; name: string }
    const box = event.currentTarget.getBoundingClientRect()
    const at = from + shareFromStart(event.clientX, box) * (to - from)
    const before = stops.filter((node) => node.visitId !== visitId && (clockSeconds(node.eta) ?? 0) < at)
    const trip = before.at(-1)?.tripOrder ?? stops[0]?.tripOrder ?? 1
    const place = before.filter((node) => (node.tripOrder ?? 1) === trip).length
    onMove({ visitId, name, vehicleId: route.vehicleId, position: place, trip })
  }
  return (
    <div className="timeline-row">
      <span
        className="timeline-name"
        title={route.assignee ?? ""}
        data-broken={broken.has(route.vehicleId) || undefined}
      >
        <i style={{ background: color }} aria-hidden />
        {route.vehicleName}
      </span>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut, every stop has its dialog */}
      <div
        className="timeline-lane"
        onDragOver={(event) => {
          if (isMovable && event.dataTransfer.types.includes(dragged)) event.preventDefault()
        }}
        onDrop={drop}
      >
        {stops.length === 0 ? <span className="timeline-idle">{t("idle")}</span> : null}
        {breaksOf(route).map(([start, end]) => (
          <span
            key={start}
            className="timeline-break"
            role="img"
            aria-label={breakText}
            title={breakText}
            style={{
              insetInlineStart: `${position(start)}%`,
              width: `${position(end) - position(start)}%`,
            }}
          />
        ))}
        {stops.map((node, index) => {
          const [start, end] = [clockSeconds(node.eta) ?? from, clockSeconds(node.etd) ?? from]
          const wait = (node.waitingTime ?? 0) * 60
          const goods = handedOver(node)
          const name = goods > 0 ? t("handover", { count: goods }) : (node.visitName ?? node.visitId)
          const detail = `${index + 1}. ${name} · ${clockText(node.eta)}–${clockText(node.etd)}`
          return (
            <button
              key={`${node.visitId} ${String(node.splitNumber ?? "")} ${goods > 0 ? node.order : ""}`}
              type="button"
              className="timeline-stop"
              data-waits={2 * wait > end - start || undefined}
              data-broken={broken.has(node.visitId) || undefined}
              draggable={isMovable}
              disabled={!isMovable}
              title={detail}
              aria-label={detail}
              style={{
                insetInlineStart: `${position(start)}%`,
                width: `max(10px, ${position(end) - position(start)}%)`,
                background: `linear-gradient(90deg, color-mix(in srgb, ${color} 35%, transparent) ${(100 * wait) / Math.max(1, end - start)}%, ${color} 0)`,
              }}
              onDragStart={(event) =>
                event.dataTransfer.setData(dragged, JSON.stringify({ visitId: node.visitId, name }))
              }
              onClick={() => onOpen(node)}
            >
              <span>{index + 1}</span>
            </button>
          )
        })}
      </div>
    </div>
  )
}

function spanOf(routes: readonly VehicleRoute[]): [number, number] {
  const times = routes.flatMap(({ trips }) =>
    trips.flatMap((node) => [clockSeconds(node.eta), clockSeconds(node.etd)]),
  )
  const known = times.filter((time) => time !== undefined)
  if (known.length === 0) return [8 * 3600, 17 * 3600]
  const hour = 3600
  return [Math.floor(Math.min(...known) / hour) * hour, Math.ceil((Math.max(...known) + 1) / hour) * hour]
}

const daySeconds = 86_400

/** A day of the calendar so many days later. */
function hoursOf(from: number, to: number): number[] {
  const least = (to - from) / 3600 / 14
  // Divisors of the day, so that each midnight has a mark.
  const step = ([1, 2, 3, 4, 6, 8, 12].find((hours) => hours >= least) ?? 24) * 3600
  const first = Math.ceil(from / step) * step
  return Array.from({ length: Math.floor((to - first) / step) + 1 }, (_, index) => first + index * step)
}
