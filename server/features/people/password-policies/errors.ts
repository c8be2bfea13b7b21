import type { FastifyReply, FastifyRequest } from "fastify"
import { defineErrors, withExtra } from "#core/errors.ts"
import { answerError, toAppError } from "#core/http/errors.ts"

export const policyErrors = defineErrors("passp", {
  nameTaken: { http: 400, code: "031", message: "There is already a policy with this name: choose another" },
  inUse: { http: 400, code: "032", message: "A role uses this policy: give the role another one first" },
  notFound: { http: 404, code: "033", message: "This password policy does not exist" },
  builtIn: { http: 403, code: "035", message: "Built-in policies cannot be changed: make one of your own" },
  outOfRange: { http: 400, code: "009", message: "Use -1 for never, or a number of 1 or more" },
})

/** Older clients read the text of a refused value under `error`. */
export function answerPolicyError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal = toAppError(error, request)
  const isValue = refusal.http === 400
  answerError(isValue ? withExtra(refusal, { error: refusal.message }) : error, request, reply)
}
