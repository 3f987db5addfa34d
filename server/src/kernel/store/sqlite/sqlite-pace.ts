/** For how long a transaction goes on before other requests are looked after. */
export const breathAfterMs = 2

/** Lets other requests run. */
export const breath = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** How a transaction makes room for others. */
export interface Pace {
  /**
   * Must be asked before each statement. Undefined, so that nothing waits, unless the transaction has held all others
   * up for long.
   *
   * @throws Error when the transaction is over: what still waits must not run into the next one
   */
  pauseIfLong(): Promise<void> | undefined
  end(): void
}

/** Sets the pace of a transaction that begins now. */
export function transactionPace(): Pace {
  let ended = false
  let heldSinceMs = performance.now()
  let breathing: Promise<void> | undefined
  const isLong = () => performance.now() - heldSinceMs >= breathAfterMs
  const checkGoing = () => {
    if (ended) throw new Error('the transaction is over')
  }
  // Of many statements that wait, as many go on together as do not take long again.
  const pause = async (): Promise<void> => {
    while (isLong()) {
      breathing ??= breath().then(() => {
        heldSinceMs = performance.now()
        breathing = undefined
      })
      await breathing
    }
    checkGoing()
  }
  return {
    pauseIfLong() {
      checkGoing()
      return isLong() ? pause() : undefined
    },
    end() {
      ended = true
    },
  }
}
