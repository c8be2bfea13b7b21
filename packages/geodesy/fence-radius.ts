/** Metres around a place within which somebody is there. A depot is a yard with gates; a task's place is a door. */
export const hubRadiusMeters = 150
/** As the task's own arrival stamps have it. */
export const taskRadiusMeters = 50
