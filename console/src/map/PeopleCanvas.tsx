import { useComputedColorScheme } from "@mantine/core"
import { useEffect, useRef } from "react"
import { labelColors } from "./base-style.ts"
import { useMap } from "./MapView.tsx"
import type { MapLibreMap, MapMouseEvent } from "./map-library.ts"
import { movementColors, type PersonOnMap } from "./people-changes.ts"

interface PeopleCanvasProps {
  people: readonly PersonOnMap[]
  onChoose(id: string): void
}

type Box = readonly [left: number, top: number, right: number, bottom: number]

const hitPixels = 12
const nameHeight = 15

/**
 * Up to some hundred people on a canvas of their own above the map. As layers of the map, each of their steps would have it paint
 * its streets again, which takes a computer without a graphics card longer than a frame.
 */
export function PeopleCanvas({ people, onChoose }: PeopleCanvasProps) {
  const map = useMap()
  const scheme = useComputedColorScheme("light", { getInitialValueInEffect: false })
  const latest = useRef({ people, onChoose, scheme })
  const redraw = useRef<() => void>(undefined)

  useEffect(() => {
    if (!map) return
    const canvas = document.createElement("canvas")
    canvas.className = "map-people"
    canvas.setAttribute("aria-hidden", "true")
    map.getCanvasContainer().append(canvas)
    const draw = () => paint(canvas, map, latest.current)
    const personAt = ({ point }: MapMouseEvent) =>
      latest.current.people.findLast(({ lng, lat }) => {
        const at = map.project([lng, lat])
        return Math.hypot(at.x - point.x, at.y - point.y) <= hitPixels
      })
    const click = (event: MapMouseEvent) => {
      const person = personAt(event)
      if (person) latest.current.onChoose(person.id)
    }
    let isOver = false
    const point = (event: MapMouseEvent) => {
      const was = isOver
      isOver = personAt(event) !== undefined
      if (isOver || was) map.getCanvas().style.cursor = isOver ? "pointer" : ""
    }
    map.on("move", draw)
    map.on("resize", draw)
    map.on("click", click)
    map.on("mousemove", point)
    redraw.current = draw
    draw()
    return () => {
      map.off("move", draw)
      map.off("resize", draw)
      map.off("click", click)
      map.off("mousemove", point)
      redraw.current = undefined
      canvas.remove()
    }
  }, [map])

  useEffect(() => {
    latest.current = { people, onChoose, scheme }
    redraw.current?.()
  }, [people, onChoose, scheme])
  return null
}

/** Everybody as a dot; names where they cover no other name, that of the chosen person always. */
function paint(
  canvas: HTMLCanvasElement,
  map: MapLibreMap,
  { people, scheme }: { people: readonly PersonOnMap[]; scheme: "light" | "dark" },
): void {
  const { clientWidth: width, clientHeight: height } = map.getContainer()
  const ratio = window.devicePixelRatio
  const isResized = canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)
  if (isResized) {
    canvas.width = Math.round(width * ratio)
    canvas.height = Math.round(height * ratio)
    canvas.style.width = `${width}px`
    canvas.style.height = `${height}px`
  }
  const context = canvas.getContext("2d")
  if (!context) return
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, width, height)
  const shown = people.flatMap((person) => {
    const { x, y } = map.project([person.lng, person.lat])
    return x < -20 || y < -20 || x > width + 20 || y > height + 20 ? [] : [{ person, x, y }]
  })
  const chosenLast = [...shown.filter(({ person }) => !person.isChosen), ...shown.filter(isChosen)]
  for (const { person, x, y } of chosenLast) {
    context.beginPath()
    context.arc(x, y, person.isChosen ? 11 : 8, 0, 2 * Math.PI)
    context.fillStyle = movementColors[person.movement]
    context.fill()
    context.strokeStyle = person.isChosen ? "#f2b84b" : "#ffffff"
    context.lineWidth = person.isChosen ? 3.5 : 2
    context.stroke()
  }
  const { text, halo } = labelColors[scheme]
  context.font = `12px ${getComputedStyle(document.body).fontFamily}`
  context.textAlign = "center"
  context.textBaseline = "top"
  context.lineJoin = "round"
  context.lineWidth = 3
  context.strokeStyle = halo
  context.fillStyle = text
  const taken: Box[] = []
  for (const { person, x, y } of chosenLast.toReversed()) {
    const top = y + (person.isChosen ? 15 : 12)
    const half = context.measureText(person.name).width / 2
    const box: Box = [x - half, top, x + half, top + nameHeight]
    if (!person.isChosen && taken.some((other) => isOverlapping(box, other))) continue
    taken.push(box)
    context.strokeText(person.name, x, top)
    context.fillText(person.name, x, top)
  }
}

const isChosen = ({ person }: { person: PersonOnMap }) => person.isChosen

function isOverlapping(one: Box, other: Box): boolean {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}
