import type { Page } from "playwright-core"
import type { SampleOperation } from "./sample/operation.ts"

/** Dialogs, menus and panels over a page. */
export interface Scene {
  address: string
  act(page: Page): Promise<void>
}

const byButton = (address: string, name: string | RegExp): Scene => ({
  address,
  async act(page) {
    // A phone keeps what is done less often behind one button.
    if (!(await page.getByRole("button", { name }).first().isVisible()))
      await page.getByRole("button", { name: "More actions" }).click()
    await page.getByRole("button", { name }).or(page.getByRole("menuitem", { name })).first().click()
    await page.getByRole("dialog").first().waitFor()
  },
})

export const scenes = (sample: SampleOperation): Readonly<Record<string, Scene>> => ({
  palette: {
    address: "/tasks",
    async act(page) {
      await page.keyboard.press("Control+k")
      await page.getByPlaceholder(/A page, task, person/).fill("hotel")
      await page.getByRole("option").nth(2).waitFor()
    },
  },
  "tasks-selected": {
    address: "/tasks",
    async act(page) {
      const grid = page.getByRole("grid")
      await grid.focus()
      for (const key of [" ", "ArrowDown", " ", "ArrowDown", "ArrowDown", " "]) await page.keyboard.press(key)
      await page.getByRole("toolbar", { name: /selected/ }).waitFor()
    },
  },
  "task-new": byButton("/tasks", "New task"),
  "task-export": byButton("/tasks", "Export"),
  "route-timeline": { address: `/routes/${sample.resultId}?view=timeline`, act: async () => undefined },
  "route-dropped": { address: `/routes/${sample.resultId}?view=dropped`, act: async () => undefined },
  invite: byButton("/people", /Invite/),
  person: {
    address: "/people",
    async act(page) {
      await page.getByRole("gridcell", { name: "Courier 2", exact: true }).first().click()
    },
  },
  "schedule-new": byButton("/schedules", /New schedule|Add/),
  "vehicle-new": byButton("/vehicles", "New vehicle"),
  "record-new": byButton(`/data/${sample.dataTypeId}`, "New record"),
  "hub-new": {
    address: "/hubs",
    act: (page) => page.getByRole("button", { name: "Add hub" }).first().click(),
  },
  "role-new": byButton("/settings/roles", "New role"),
  "time-filter": byButton("/tasks", "Any day"),
})
