import { closeSync, openSync } from 'node:fs'

/** Tells whether this process has a terminal that controls it. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/**
 * Resolves when the terminal from which this process was started is closed; never without one. The system sends SIGHUP
 * then, as people and programs do who want files to be loaded again, and nobody is left to press Ctrl-C.
 */
export function terminalClosed(): Promise<void> {
  if (!hasTerminal()) return new Promise(() => {})
  return new Promise((resolve) => {
    const look = (): void => {
      if (hasTerminal()) return
      process.off('SIGHUP', look)
      resolve()
    }
    process.on('SIGHUP', look)
  })
}
