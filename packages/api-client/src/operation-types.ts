import type { operationPaths } from "./operations.ts"
import type { components, operations } from "./schema.ts"
import type { UploadFile } from "./upload.ts"

/** Name of a call: the `operationId` of the API's description. */
export type Operation = keyof typeof operationPaths & keyof operations

type Body<O> = O extends { requestBody: { content: { "application/json": infer B } } }
  ? { body: B }
  : O extends { requestBody?: { content: { "application/json": infer B } } }
    ? { body?: B }
    : unknown

type Parameters<O> = O extends { parameters: infer P } ? Pick<P, keyof P & ("path" | "query")> : unknown

/**
 * What a call takes: `path`, `query` and `body` as its route declares them. It distributes over names: the parameters of all
 * calls times the bodies of all calls are more combinations than the compiler accepts.
 */
export type Input<Name extends Operation> = Name extends Operation
  ? Parameters<operations[Name]> &
      Body<operations[Name]> & { headers?: Record<string, string>; signal?: AbortSignal }
  : never

/** Whether a call can be made without an argument. */
export type Arguments<Name extends Operation> =
  Record<never, never> extends Input<Name> ? [input?: Input<Name>] : [input: Input<Name>]

type JsonOf<R> = R extends { content: { "application/json": infer B } } ? B : undefined
type Responses<O> = O extends { responses: infer R } ? R : never

/** What a call returns, of the 2xx statuses. */
export type ResponseBody<Name extends Operation> = {
  [Status in keyof Responses<operations[Name]> & (200 | 201 | 202)]: JsonOf<
    Responses<operations[Name]>[Status]
  >
}[keyof Responses<operations[Name]> & (200 | 201 | 202)]

interface AnyPage {
  current_page: number
  data: unknown[]
}
// Both distribute over unions: some lists return a page or something else, as in cursor mode.
type RowOfPage<P> = P extends AnyPage ? P["data"][number] : never
type RowIn<A> = A extends AnyPage
  ? RowOfPage<A>
  : A extends object
    ? { [Key in keyof A]: RowOfPage<A[Key]> }[keyof A]
    : never

/** The calls that return a page of a list. */
export type PagedOperation = {
  [Name in Operation]: [RowIn<ResponseBody<Name>>] extends [never] ? never : Name
}[Operation]

/** One row of such a list. */
export type Row<Name extends PagedOperation> = RowIn<ResponseBody<Name>>

type FormParts<O> = O extends { requestBody?: { content: { "multipart/form-data": infer F } } } ? F : never

/** The calls that take a multipart form. */
export type UploadOperation = {
  [Name in Operation]: [FormParts<operations[Name]>] extends [never] ? never : Name
}[Operation]

type FileNames<F> = {
  [Part in keyof F]-?: NonNullable<F[Part]> extends components["schemas"]["FilePart"] ? Part : never
}[keyof F]
type FilesOf<F> = { [Part in keyof Pick<F, FileNames<F>>]: UploadFile }

/** An object that may be left out when nothing in it is required. */
type Optionally<Key extends string, Parts> =
  Record<never, never> extends Parts ? { [K in Key]?: Parts } : { [K in Key]: Parts }

/** What such a call takes: `fields` and `files` as its route declares them, beside `path` and `query`. */
export type UploadInput<Name extends UploadOperation> = Parameters<operations[Name]> &
  Optionally<"fields", Omit<FormParts<operations[Name]>, FileNames<FormParts<operations[Name]>>>> &
  Optionally<"files", FilesOf<FormParts<operations[Name]>>> & { signal?: AbortSignal }
