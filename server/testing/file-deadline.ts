/**
 * Loaded into the process of each test file: a file that hangs after its tests timed out, in a hook or by something
 * left open, would hold the whole run. It ends with what it spawned, and the runner reports it as failed.
 */
const seconds = Number(process.env.FIELDWAY_FILE_SECONDS)

// The runner itself loads this too.
if (process.env.NODE_TEST_CONTEXT && seconds > 0)
  setTimeout(() => {
    process.stderr.write(`this file still ran after ${seconds} s and was ended: ${process.argv[1]}\n`)
    process.exit(1)
  }, seconds * 1000).unref()
