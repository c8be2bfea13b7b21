/// <reference types="vite/client" />

/** Addresses of the built-in map's files: see ../outlines.ts. */
declare module "virtual:outlines" {
  type Addresses = Record<"land" | "borders" | "names", string>
  const outlines: Record<"coarse" | "fine", Addresses> & {
    world: Record<"lakes" | "rivers" | "cities", string>
  }
  export default outlines
}
