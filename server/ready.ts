/** For health checks of containers: exit 0 when the process beside us says that it is ready, else 1. */
const port = process.env.PORT ?? "8080"
const isReady = await fetch(`http://127.0.0.1:${port}/health/ready`, {
  signal: AbortSignal.timeout(2_500),
}).then(
  (reply) => reply.ok,
  () => false,
)
process.exit(isReady ? 0 : 1)
