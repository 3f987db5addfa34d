/**
 * Closes a connection on which nothing arrives although a query is running. If the network drops a server silently, the
 * system retries for a quarter of an hour, and meanwhile the connection would accept queries that nobody answers.
 *
 * `begin` must be called when a query is sent and none is running, `heard` when data arrives, and `end` when the connection
 * is closed. Without a number of seconds there is no limit.
 */
export default function responseTimeout(seconds, isBusy, close) {
  let timer = null
    , heardAt = 0

  return {
    begin() {
      if (!seconds)
        return

      heardAt = performance.now()
      timer === null && wait(seconds * 1000)
    },
    heard() {
      heardAt = performance.now()
    },
    end() {
      clearTimeout(timer)
      timer = null
    }
  }

  // One timer serves many queries: each takes far less than the limit.
  function wait(ms) {
    timer = setTimeout(check, ms)
    timer.unref()
  }

  function check() {
    timer = null
    // An idle connection may be silent; the next query starts the timer again.
    if (!isBusy())
      return

    const left = heardAt + seconds * 1000 - performance.now()
    left <= 0
      ? close()
      : wait(left)
  }
}
