/** Watches one connection while a statement runs on it. */
export interface ResponseTimeout {
  /** Must be called when a statement was sent and none was running before. */
  begin(): void
  /** Must be called when data arrives. */
  heard(): void
  /** Must be called when the connection is closed. */
  end(): void
}

/**
 * Closes a connection on which nothing arrives although a statement is running. If the network drops a PostgreSQL server
 * silently, the system retries for a quarter of an hour, and meanwhile the connection would accept statements that nobody
 * answers.
 *
 * @param ms maximum silence, longer than PostgreSQL's statement timeout; undefined for no limit
 * @param busyConnection returns the connection if a statement is running on it
 */
export function responseTimeout<T>(
  ms: number | undefined,
  busyConnection: () => T | false | null | undefined,
  close: (connection: T) => void,
): ResponseTimeout {
  let timer: NodeJS.Timeout | undefined
  let heardMs = 0
  const check = (): void => {
    timer = undefined
    const connection = busyConnection()
    // An idle connection may be silent; the next statement starts the timer again.
    if (!connection) return
    const leftMs = heardMs + Number(ms) - performance.now()
    if (leftMs <= 0) close(connection)
    else wait(leftMs)
  }
  const wait = (leftMs: number): void => {
    // One timer serves many statements: each takes far less than the limit.
    timer = setTimeout(check, leftMs)
    timer.unref()
  }
  return {
    begin: () => {
      if (ms === undefined) return
      heardMs = performance.now()
      if (timer === undefined) wait(ms)
    },
    heard: () => {
      heardMs = performance.now()
    },
    end: () => {
      clearTimeout(timer)
      timer = undefined
    },
  }
}
