/** Time for which a transaction runs before other requests get a turn. */
export const timeSliceMs = 2

/** Lets other requests run. */
export const yieldToOthers = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** Interrupts a long transaction to let other requests run. */
export interface TimeSlice {
  /**
   * Must be called before each statement. Returns undefined if the transaction may continue at once.
   *
   * @throws Error after the transaction has ended: a statement that still waits must not run in the next one
   */
  pauseIfLong(): Promise<void> | undefined
  end(): void
}

/** Starts the first time slice of a transaction. */
export function startTimeSlice(): TimeSlice {
  let ended = false
  let startedMs = performance.now()
  let yielding: Promise<void> | undefined
  const isOver = () => performance.now() - startedMs >= timeSliceMs
  const checkNotEnded = () => {
    if (ended) throw new Error('the transaction has ended')
  }
  // Several statements may wait here. Each checks the time again: together they must not exceed a slice.
  const pause = async (): Promise<void> => {
    while (isOver()) {
      yielding ??= yieldToOthers().then(() => {
        startedMs = performance.now()
        yielding = undefined
      })
      await yielding
    }
    checkNotEnded()
  }
  return {
    pauseIfLong() {
      checkNotEnded()
      return isOver() ? pause() : undefined
    },
    end() {
      ended = true
    },
  }
}
