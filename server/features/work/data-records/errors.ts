import { AppError, defineErrors, textsByField } from "#core/errors.ts"
import type { ValueProblem } from "../data-types/index.ts"

export const dataErrors = defineErrors("data", {
  badQuery: { http: 400, code: "003", message: "The list cannot be filtered like this" },
  keyMissing: { http: 400, code: "001", message: "dataId is required" },
  hubMissing: {
    http: 400,
    code: "001",
    message: "hubId is required: records of this data type belong to a hub",
  },
  keyTaken: { http: 400, code: "031", message: "dataId already exists" },
  external: {
    http: 400,
    code: "032",
    message: "Records of this data type come from an external service and cannot be written here",
  },
  typeChanged: { http: 400, code: "032", message: "A record cannot move to another data type" },
  notFound: { http: 404, code: "033", message: "Data not found" },
  unknownType: { http: 400, code: "033", message: "This data type does not exist" },
  badHub: { http: 400, code: "034", message: "This hub does not exist, or is not one of yours" },
  limited: { http: 400, code: "035", message: "This record is limited to other users" },
  tooMany: { http: 400, code: "040", message: "The call has too many records" },
  unreachable: {
    http: 400,
    code: "043",
    message: "The external service of this data type did not give a usable answer",
  },
  sortTooWide: {
    http: 400,
    code: "003",
    message: "More than 20,000 records match: narrow the filter, or sort by createdTime or updatedTime",
  },
})

/** The refusal of values: the first problem's code and words, all of them by field. */
export function refusedValues(problems: readonly ValueProblem[]): AppError {
  const [first] = problems
  const fields = textsByField(problems.map(({ fieldId, reason }) => ({ field: fieldId, text: reason })))
  return new AppError(400, `data-${first?.code ?? "034"}`, `${first?.title} ${first?.reason}`, { fields })
}
