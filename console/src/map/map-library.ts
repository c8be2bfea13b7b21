import "maplibre-gl/dist/maplibre-gl.css"
import { setWorkerUrl } from "maplibre-gl"
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url"

/** The worker as a file of our own, since the content policy allows no other. */
setWorkerUrl(new URL(workerUrl, window.location.href).href)

export * from "maplibre-gl"
