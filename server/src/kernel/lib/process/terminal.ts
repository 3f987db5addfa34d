import { closeSync, openSync } from 'node:fs'

/** Returns true if the process has a controlling terminal. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}

/**
 * Resolves when the controlling terminal is closed; never resolves without one. SIGHUP alone does not tell: it also asks the
 * server to reload files.
 */
export function terminalClosed(): Promise<void> {
  if (!hasTerminal()) return new Promise(() => {})
  return new Promise((resolve) => {
    const onHangup = (): void => {
      if (hasTerminal()) return
      process.off('SIGHUP', onHangup)
      resolve()
    }
    process.on('SIGHUP', onHangup)
  })
}
