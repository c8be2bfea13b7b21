import { defineErrors } from "#core/errors.ts"

export const roleErrors = defineErrors("role", {
  nameTaken: {
    http: 400,
    code: "031",
    message: "There is already a role with this name: choose another one",
  },
  notFound: { http: 404, code: "033", message: "This role does not exist" },
  unknownPermission: { http: 400, code: "017", message: "The list has a permission that does not exist" },
  badFlow: { http: 400, code: "039", message: "The settings of add/task name a flow that does not exist" },
  badDetail: { http: 400, code: "009", message: "The settings of a permission must be numbers of 0 or more" },
  unknownPolicy: { http: 400, code: "032", message: "This password policy does not exist" },
  notYours: {
    http: 403,
    code: "035",
    message:
      "You cannot change a role that has a permission that you lack, grant one, or change your own role",
  },
  switchKept: { http: 403, code: "035", message: "Only an owner removes this switch from a role" },
  ownerFixed: {
    http: 400,
    code: "042",
    message: "The owner role keeps its permissions: only its switches and its password policy can be changed",
  },
  ownerName: { http: 400, code: "043", message: "The owner and admin roles keep their names" },
  defaultKept: { http: 400, code: "044", message: "Default roles cannot be deleted" },
  inUse: { http: 400, code: "046", message: "People still have this role: give them another one first" },
})
