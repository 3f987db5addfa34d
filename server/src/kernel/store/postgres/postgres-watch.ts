/** Looks after one connection: whether anything comes while a statement is under way on it. */
export interface SilenceWatch {
  /** A statement was sent, and none was under way before. */
  begin(): void
  /** Something has come. */
  heard(): void
  /** The connection is no more. */
  end(): void
}

/**
 * Ends a connection by which nothing has come for so long although something should. A network may lose a PostgreSQL
 * without a word; the system then tries for a quarter of an hour to send to it, and all that while the connection would
 * take statements that nobody answers.
 *
 * @param ms how long nothing may come: longer than PostgreSQL lets a statement take; undefined: as long as it likes
 * @param busy the connection, if a statement is under way on it
 */
export function silenceWatch<T>(
  ms: number | undefined,
  busy: () => T | false | null | undefined,
  lose: (connection: T) => void,
): SilenceWatch {
  let timer: NodeJS.Timeout | undefined
  let heardMs = 0
  const look = (): void => {
    timer = undefined
    const connection = busy()
    // Who is idle may be silent: the next statement begins it anew.
    if (!connection) return
    const left = heardMs + Number(ms) - performance.now()
    if (left <= 0) lose(connection)
    else wait(left)
  }
  const wait = (leftMs: number): void => {
    // One timer for many statements, as each of them has far more time than it takes.
    timer = setTimeout(look, leftMs)
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
