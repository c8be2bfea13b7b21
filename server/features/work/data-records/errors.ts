import { AppError, defineErrors, textsByField } from "#core/errors.ts"
import type { ValueProblem } from "../data-types/index.ts"

export const dataErrors = defineErrors("data", {
  badQuery: { http: 400, code: "003", message: "The filter is invalid" },
  keyMissing: { http: 400, code: "001", message: "dataId is required" },
  hubMissing: {
    http: 400,
    code: "001",
    message: "hubId is required because records of this data type belong to a hub",
  },
  keyTaken: { http: 400, code: "031", message: "dataId already exists" },
  external: {
    http: 400,
    code: "032",
    message: "Records of this data type come from an external service and are read-only",
  },
  typeChanged: { http: 400, code: "032", message: "A record cannot be moved to another data type" },
  notFound: { http: 404, code: "033", message: "Data not found" },
  unknownType: { http: 400, code: "033", message: "This data type does not exist" },
  badHub: { http: 400, code: "034", message: "This hub does not exist, or you do not have access to it" },
  limited: { http: 400, code: "035", message: "This record is restricted to other users" },
  tooMany: { http: 400, code: "040", message: "The request has too many records" },
  unreachable: {
    http: 400,
    code: "043",
    message: "The external service of this data type returned an invalid response",
  },
  unknownCursor: {
    http: 400,
    code: "003",
    message: "The cursor must be nextCursor of the page before, in the same order, or the _id of a record",
  },
  sortTooWide: {
    http: 400,
    code: "003",
    message: "More than 20,000 records match. Narrow the filter, or sort by createdTime or updatedTime",
  },
})

/** The refusal of values: the first problem's code and words, all of them by field. */
export function refusedValues(problems: readonly ValueProblem[]): AppError {
  const [first] = problems
  const fields = textsByField(problems.map(({ fieldId, reason }) => ({ field: fieldId, text: reason })))
  return new AppError(400, `data-${first?.code ?? "034"}`, `${first?.title} ${first?.reason}`, { fields })
}
