import assert from "node:assert/strict"
import { test } from "node:test"
import fc from "fast-check"
import { AppError } from "./errors.ts"
import { maxLimit, pageWindow, paginate, readPage } from "./paging.ts"

const address = new URL("http://fieldway.test/api/v3/tasks/?status=ONGOING,DONE&page=3&q=a%20b&limit=2")

test("a page has the thirteen keys, and its links keep every parameter with page last", () => {
  const page = paginate(["a", "b"], 9, { page: 2, limit: 2, offset: 2 }, address)
  assert.deepEqual(Object.keys(page).sort(), [
    "current_page",
    "data",
    "first_page_url",
    "from",
    "last_page",
    "last_page_url",
    "links",
    "next_page_url",
    "path",
    "per_page",
    "prev_page_url",
    "to",
    "total",
  ])
  assert.equal(page.path, "http://fieldway.test/api/v3/tasks")
  assert.equal(
    page.next_page_url,
    "http://fieldway.test/api/v3/tasks?status=ONGOING%2CDONE&q=a%20b&limit=2&page=3",
  )
  assert.deepEqual([page.from, page.to, page.last_page, page.total], [3, 4, 5, 9])
})

test("an empty page has no from and to, one page and no neighbours", () => {
  const page = paginate([], 0, { page: 1, limit: 20, offset: 0 }, address)
  assert.deepEqual(
    [page.from, page.to, page.last_page, page.next_page_url, page.prev_page_url],
    [null, null, 1, null, null],
  )
})

test("45 pages on page 1 show 1 to 10, a gap, 44 and 45", () => {
  assert.deepEqual(pageWindow(1, 45), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, "gap", 44, 45])
  assert.deepEqual(pageWindow(20, 45), [1, 2, "gap", 17, 18, 19, 20, 21, 22, 23, "gap", 44, 45])
  assert.deepEqual(pageWindow(40, 45), [1, 2, "gap", 36, 37, 38, 39, 40, 41, 42, 43, 44, 45])
})

test("every window holds the current, first and last page, ascends, and has at most two gaps", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 5000 }), (last, options) => {
      const current = Math.min(options, last)
      const window = pageWindow(current, last)
      const numbers = window.filter((entry) => entry !== "gap")
      assert.ok(numbers.includes(1) && numbers.includes(last) && numbers.includes(current))
      assert.ok(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)))
      assert.ok(window.length - numbers.length <= 2)
      if (last <= 13) assert.equal(numbers.length, last)
      else assert.ok(window.length <= 13)
    }),
  )
})

test("limit: larger is cut, -1 is the maximum, 0 is refused with the module's code, page 0 is 1", () => {
  assert.equal(readPage({ limit: 50_000 }, "task").limit, maxLimit)
  assert.equal(readPage({ limit: -1 }, "task").limit, maxLimit)
  assert.deepEqual(readPage({ page: 0 }, "task"), { page: 1, limit: 20, offset: 0 })
  assert.throws(
    () => readPage({ limit: 0 }, "task"),
    (error) => error instanceof AppError && error.failedCode === "task-009",
  )
})
