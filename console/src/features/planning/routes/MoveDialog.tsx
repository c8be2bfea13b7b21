import { Button, Group, Select, Stack } from "@mantine/core"
import { useState } from "react"
import { useMessages } from "../../../i18n/language.tsx"
import { Explained } from "../../../ui/Explained.tsx"
import { OpenModal } from "../../../ui/layout/OpenModal.tsx"
import { clockText } from "./clock.ts"
import { routeMessages } from "./messages.ts"
import type { Move, Result, RouteNode } from "./routes.queries.ts"
import { handedOver, isStop } from "./stops.ts"

export interface MoveDialogProps {
  result: Result
  node: RouteNode
  isMoving: boolean
  onMove(move: Move): void
  onClose(): void
}

/** Another vehicle or place for a stop, for those who do not drag. */
export function MoveDialog({ result, node, isMoving, onMove, onClose }: MoveDialogProps) {
  const t = useMessages(routeMessages)
  const routes = result.result?.routing ?? []
  const own = routes.find(({ trips }) => trips.includes(node))?.vehicleId ?? null
  const [vehicleId, setVehicle] = useState(own)
  const others = (routes.find((route) => route.vehicleId === vehicleId)?.trips ?? []).filter(
    (stop) => isStop(stop) && stop !== node,
  )
  const [place, setPlace] = useState<string | null>(null)
  const present = routes
    .find(({ trips }) => trips.includes(node))
    ?.trips.filter(isStop)
    .indexOf(node)
  const chosen = Number(place ?? (vehicleId === own ? present : undefined) ?? others.length)
  const before = others[chosen - 1]
  const trip = before?.tripOrder ?? others[0]?.tripOrder ?? 1
  const position = others.slice(0, chosen).filter((stop) => (stop.tripOrder ?? 1) === trip).length
  const nameOf = (stop: RouteNode) =>
    handedOver(stop) > 0 ? t("handover", { count: handedOver(stop) }) : (stop.visitName ?? stop.visitId)
  return (
    <OpenModal onClose={onClose} title={t("moveTo", { name: nameOf(node) })} size="sm">
      <Stack gap="sm">
        <p className="quiet">
          {clockText(node.eta)}–{clockText(node.etd)}
        </p>
        <Select
          label={t("toVehicle")}
          data={routes.map((route) => ({
            value: route.vehicleId,
            label: route.vehicleName ?? route.vehicleId,
          }))}
          value={vehicleId}
          allowDeselect={false}
          onChange={(value) => {
            setVehicle(value)
            setPlace(null)
          }}
        />
        <Select
          label={t("toPosition")}
          data={[...others, undefined].map((stop, index) => ({
            value: String(index),
            label: `${index + 1}${stop ? ` · ${nameOf(stop)}` : ""}`,
          }))}
          value={String(chosen)}
          allowDeselect={false}
          onChange={setPlace}
        />
        <Group justify="space-between">
          <Explained reason={handedOver(node) > 0 ? t("staysAboard") : undefined}>
            <Button
              variant="subtle"
              color="red"
              disabled={isMoving}
              onClick={() => onMove({ visitId: node.visitId, vehicleId: null })}
            >
              {t("takeOut")}
            </Button>
          </Explained>
          <Button
            loading={isMoving}
            onClick={() => onMove({ visitId: node.visitId, vehicleId, position, trip })}
          >
            {t("move")}
          </Button>
        </Group>
      </Stack>
    </OpenModal>
  )
}
